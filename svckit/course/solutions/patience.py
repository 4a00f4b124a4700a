"""Lesson 08: post more messages than fit into a minute."""

import time

import httpx

__all__ = ["SOLUTIONS"]


def solution_waits_before(http: httpx.Client, webhook: str, messages: list[str]) -> None:
    """Wait when a response says that no calls are left."""
    for text in messages:
        response = http.post(webhook, json={"body": {"text": text}})
        response.raise_for_status()
        if response.headers["RateLimit-Remaining"] == "0" and text != messages[-1]:
            time.sleep(int(response.headers["RateLimit-Reset"]))


def solution_waits_after(http: httpx.Client, webhook: str, messages: list[str]) -> None:
    """Send a message until it is accepted, and wait after a refusal for as long as the response before it said."""
    reset = 60
    for text in messages:
        response = http.post(webhook, json={"body": {"text": text}})
        while response.status_code == 429:
            time.sleep(reset)
            response = http.post(webhook, json={"body": {"text": text}})
        response.raise_for_status()
        reset = int(response.headers["RateLimit-Reset"])


SOLUTIONS = (solution_waits_before, solution_waits_after)

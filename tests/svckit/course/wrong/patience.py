"""Lesson 08: what learners write, by the sentence that each of them gets."""

import time

import httpx


def sends_token(http: httpx.Client, webhook: str, messages: list[str]) -> None:
    for text in messages:
        headers = {"Authorization": "Bearer my-token"}
        response = http.post(webhook, json={"body": {"text": text}}, headers=headers)
        if response.headers.get("RateLimit-Remaining") == "0":
            time.sleep(int(response.headers["RateLimit-Reset"]))


def hammers(http: httpx.Client, webhook: str, messages: list[str]) -> None:
    for text in messages:
        while http.post(webhook, json={"body": {"text": text}}).status_code != 200:
            pass


def gives_up(http: httpx.Client, webhook: str, messages: list[str]) -> None:
    for text in messages:
        http.post(webhook, json={"body": {"text": text}}).raise_for_status()


def reads_the_refusal(http: httpx.Client, webhook: str, messages: list[str]) -> None:
    for text in messages:
        response = http.post(webhook, json={"body": {"text": text}})
        while response.status_code == 429:
            time.sleep(int(response.headers["RateLimit-Reset"]))
            response = http.post(webhook, json={"body": {"text": text}})


def compares_text_with_number(http: httpx.Client, webhook: str, messages: list[str]) -> None:
    for text in messages:
        response = http.post(webhook, json={"body": {"text": text}})
        remaining: object = response.headers["RateLimit-Remaining"]
        if remaining == 0:
            time.sleep(int(response.headers["RateLimit-Reset"]))


def sends_text_alone(http: httpx.Client, webhook: str, messages: list[str]) -> None:
    for text in messages:
        http.post(webhook, json={"text": text}).raise_for_status()


def sends_text_as_body(http: httpx.Client, webhook: str, messages: list[str]) -> None:
    for text in messages:
        while http.post(webhook, json={"body": text}).status_code != 200:
            pass


def shortens_webhook(http: httpx.Client, webhook: str, messages: list[str]) -> None:
    for text in messages:
        http.post(webhook[:-1], json={"body": {"text": text}}).raise_for_status()


def waits_to_retry(http: httpx.Client, webhook: str, messages: list[str]) -> None:
    for text in messages:
        response = http.post(webhook, json={"body": {"text": text}})
        if response.status_code == 429:
            time.sleep(int(response.headers["Retry-After"]))
            http.post(webhook, json={"body": {"text": text}})


def drops(http: httpx.Client, webhook: str, messages: list[str]) -> None:
    for text in messages:
        http.post(webhook, json={"body": {"text": text}})


def drops_one(http: httpx.Client, webhook: str, messages: list[str]) -> None:
    for text in messages:
        if http.post(webhook, json={"body": {"text": text}}).status_code == 429:
            time.sleep(60)


def starts_over(http: httpx.Client, webhook: str, messages: list[str]) -> None:
    while any(http.post(webhook, json={"body": {"text": text}}).status_code == 429 for text in messages):
        time.sleep(60)


def reorders(http: httpx.Client, webhook: str, messages: list[str]) -> None:
    waiting = list(messages)
    while waiting:
        text = waiting.pop(0)
        if http.post(webhook, json={"body": {"text": text}}).status_code == 429:
            waiting.append(text)
            time.sleep(30)


def polls(http: httpx.Client, webhook: str, messages: list[str]) -> None:
    for text in messages:
        while http.post(webhook, json={"body": {"text": text}}).status_code == 429:
            time.sleep(1)


def paces(http: httpx.Client, webhook: str, messages: list[str]) -> None:
    for text in messages:
        http.post(webhook, json={"body": {"text": text}})
        time.sleep(0.5)


def waits_whole_minutes(http: httpx.Client, webhook: str, messages: list[str]) -> None:
    for text in messages:
        while http.post(webhook, json={"body": {"text": text}}).status_code == 429:
            time.sleep(60)


WRONG = {
    "token": (sends_token,),
    "refused": (sends_text_alone, shortens_webhook),
    "endless": (sends_text_as_body,),
    "giving up": (gives_up,),
    "dropping": (drops, drops_one),
    "zero missed": (compares_text_with_number,),
    "header of a refusal": (reads_the_refusal, waits_to_retry),
    "starting over": (starts_over,),
    "order": (reorders,),
    "polling": (polls, hammers),
    "pacing": (paces,),
    "whole minutes": (waits_whole_minutes,),
}

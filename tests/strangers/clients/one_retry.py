"""A program that posts alerts; when there are too many, it waits as long as it is told to, and tries once more."""

import time

import httpx


def post_alert(url, text, sleep=time.sleep):
    """Post a text to a room."""
    response = post(url, text)
    if response.status_code == 429:
        sleep(int(response.headers["RateLimit-Reset"]))
        response = post(url, text)
    response.raise_for_status()


def post(url, text):
    return httpx.post(url, json={"title": "Alert", "body": {"text": text}}, timeout=60)

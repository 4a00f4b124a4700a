"""A notification as the chat room shows it: title, text with mentions, and link."""

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from svckit.models.notification import mention, mentions

__all__ = ["build_message", "build_sent_row", "make_link", "split_mentions"]


def build_message(*, title: str, text: str, label: str, url: str, names: Mapping[str, str]) -> dict[str, Any]:
    """Return a message for a view; the URL of its button is a link only if that is safe.

    Args:
        title: its title.
        text: its text, as it is sent.
        label: the label of its button.
        url: the URL of its button.
        names: the names of users, by ID.

    Examples:
        >>> message = build_message(title="CI", text="Green", label="Open", url="javascript:alert(1)", names={})
        >>> message["link"], message["notLinked"]
        ('', 'not a link here: only http:// and https:// URLs are')
    """
    link = make_link(url)
    return {
        "title": title,
        "pieces": split_mentions(text, names),
        "label": label,
        "url": url,
        "link": link,
        "notLinked": "not a link here: only http:// and https:// URLs are" if url and not link else "",
    }


def build_sent_row(number: int, line: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row of the log: what was sent when and how often, and what came of it."""
    times = f" × {line['times']}" if line["times"] > 1 else ""
    text = {"text": line["text"], "title": f"to {line['to']}: {line['text']}"}
    cells = [number, {"at": line["at"]}, f"{line['outcome']}{times}", text]
    return {**line, "key": number, "cells": cells, "selected": False}


def split_mentions(text: str, names: Mapping[str, str]) -> list[dict[str, Any]]:
    """Split a text into plain pieces and mentions; users are shown by name if it is known.

    Args:
        text: the text as it is sent.
        names: the names of users, by ID.

    Examples:
        >>> split_mentions('ask <m userId="u-001">, or <m userId="u-9">', {"u-001": "Mina"})
        [{'text': 'ask ', 'user': None}, {'text': '@Mina', 'user': 'u-001'}, {'text': ', or ', 'user': None},
         {'text': '@u-9', 'user': 'u-9'}]
    """
    return list(_split(text, names))


def _split(text: str, names: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    named = mentions(text)
    if not named:
        yield {"text": text, "user": None}
        return
    markup = "|".join(re.escape(mention(user)) for user in dict.fromkeys(named))
    between = re.split(markup, text)
    for number, words in enumerate(between):
        if words:
            yield {"text": words, "user": None}
        if number < len(named):
            user = named[number]
            yield {"text": f"@{names.get(user) or user}", "user": user}


def make_link(url: str) -> str:
    """Return the URL if it is safe as a link (http or https), or else an empty string.

    Examples:
        >>> make_link("https://example.com/build"), make_link("javascript:alert(1)"), make_link("//[")
        ('https://example.com/build', '', '')
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return url if parts.scheme in {"http", "https"} and parts.hostname else ""

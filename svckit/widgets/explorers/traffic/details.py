"""Rows of the traffic explorer, and the details of one request."""

from collections.abc import Callable, Iterable, Mapping
from json import dumps
from typing import Any, Final
from urllib.parse import parse_qsl

from pydantic_core import from_json

from svckit.http.python_calls import write_python
from svckit.http.trace import AREAS, ELSEWHERE
from svckit.widgets.explorers.fault_form import FAULTS
from svckit.widgets.explorers.traffic.messages import TrafficMessage

__all__ = [
    "AREA_NAMES",
    "COLUMNS",
    "PARTS",
    "build_detail",
    "build_row",
    "describe_fault",
    "get_sort_key",
    "list_choices",
    "name_columns",
]

AREA_NAMES: Final = {area or ELSEWHERE: name for area, name in AREAS.items()}
"""The parts of the service, by what the filter takes."""

PARTS: Final = ("Request", "Response", "Rules", "Code", "Edit")
"""What the details of a request show one at a time, as far as it has them."""

COLUMNS: Final[Mapping[str, Callable[[TrafficMessage], Any]]] = {
    "No.": lambda message: message.number,
    "Time": lambda message: message.at,
    "Method": lambda message: message.method,
    "URL": lambda message: message.url,
    "Status": lambda message: message.status or 0,
    "Operation": lambda message: message.operation,
    "Assumed": lambda message: len(message.assumed),
    "Size": lambda message: -1 if message.size is None else message.size,
    "Duration": lambda message: -1.0 if message.took is None else message.took,
}
"""The columns, with the value by which each is sorted."""


def get_sort_key(column: str) -> Callable[[TrafficMessage], Any]:
    """Return the key to sort by a column; requests of the same value are sorted by number."""
    key = COLUMNS[column]
    return lambda message: (key(message), message.number)


def build_row(message: TrafficMessage, count: int, *, selected: bool) -> dict[str, Any]:
    """Return a row of the list, with the first `count` columns."""
    step = "" if message.transfer is None else "1" if message.transfer == message.number else "2"
    operation = [
        message.operation,
        step and f"(step {step})",
        message.injected and f"(injected: {message.injected})",
    ]
    cells = [
        message.number,
        {"at": message.at},
        message.method,
        {"before": message.origin, "text": message.url.removeprefix(message.origin), "title": message.url},
        message.marked_outcome,
        " ".join(filter(None, operation)),
        len(message.assumed) or "",
        _format_size(message.size),
        _format_seconds(message.took),
    ]
    return {
        "key": message.number,
        "cells": cells[:count],
        "selected": selected,
        "step": step,
    }


def name_columns(messages: Iterable[TrafficMessage]) -> list[str]:
    """Return the headings of the list; the last, Duration, only if a request has one, which none has in process."""
    names = list(COLUMNS)
    return names if any(message.took is not None for message in messages) else names[:-1]


def list_choices(messages: Iterable[TrafficMessage], name: str, chosen: str) -> list[tuple[str, str]]:
    """Return the options of a filter: what the requests have, and what is chosen."""
    found = {getattr(message, "status_class" if name == "status" else name) for message in messages}
    return [("", "all"), *((choice, choice) for choice in sorted((found | {chosen}) - {""}))]


def describe_fault(message: TrafficMessage) -> dict[str, str]:
    """Return the fields of a fault with the outcome of a request, or with 503 if it succeeded."""
    response = message.response_parts
    # The journal's words for a fault have the name of its kind, such as "connection reset" and "body truncated".
    kind = next((kind for kind in FAULTS if kind.replace("_", " ") in message.injected), "status")
    fault = {"kind": kind, "target": message.operation, "times": "1"}
    if kind == "status":
        fault["status"] = str(message.status if message.status and message.is_failed else 503)
        fault["retry_after"] = dict(response.headers).get("retry-after", "") if response else ""
    return fault


def build_detail(message: TrafficMessage, fake: Any, part: str) -> dict[str, Any]:
    """Return the details of a request: its parts, those of its response, the rules behind it, and its code.

    Args:
        message: the request with its response.
        fake: the in-process fake whose rules it used; None without one.
        part: the one of `PARTS` to show; the first that there is if it has not got this one.
    """
    request, response = message.request, message.response_parts
    rules = message.rules or message.assumed + message.observed
    lacking = {"Response": not response, "Rules": not rules}
    parts = [name for name in PARTS if not lacking.get(name)]
    facts = (_format_size(message.size), _format_seconds(message.took))
    why = (message.injected and f"Injected fault: {message.injected}", message.reason)
    return {
        "message": message,
        "title": f"Request {message.number}: {message.operation}",
        "facts": list(filter(None, facts)),
        "why": list(filter(None, why)),
        "parts": parts,
        "part": part if part in parts else parts[0],
        "query": parse_qsl(message.url.partition("?")[2], keep_blank_values=True),
        "request": _build_part(request.headers, request.body),
        "response": _build_part(response.headers, response.body) if response else None,
        "rules": [_build_rule(rule, message, fake) for rule in rules],
        "code": [
            ("Python", write_python(request)),
            ("curl", request.curl),
            ("HTTP", f"{_indent(request.text)}\n\n{_indent(message.response)}"),
        ],
    }


def _indent(text: str) -> str:
    """Return a message whose body, if that is JSON, is indented."""
    head, gap, body = text.partition("\n\n")
    return head + gap + str(_build_part((), body)["pretty"])


def _build_part(headers: Any, body: str) -> dict[str, Any]:
    """Return headers and body; ``json`` is the body's value in a list, if it is JSON, and ``pretty`` is its text."""
    try:
        json = [from_json(body)] if body[:1] in ("{", "[") else []
    except ValueError:  # not JSON, or cut
        json = []
    pretty = dumps(json[0], indent=2, ensure_ascii=False) if json else body
    return {"headers": list(headers), "body": body, "json": json, "pretty": pretty}


def _build_rule(rule_id: str, message: TrafficMessage, fake: Any) -> dict[str, str]:
    word = "observed" if rule_id in message.observed else "assumed" if rule_id in message.assumed else ""
    rule = None if fake is None else fake.rules[rule_id]
    kind = "documented" if not word else f"{word}: {rule.chosen}" if rule else word
    return {
        "id": rule_id,
        "kind": kind,
        "text": "" if rule is None else str(rule.text),
        "section": "" if rule is None else str(rule.section or ""),
        "others": ", ".join(alternative for alternative in rule.alternatives if alternative != rule.chosen)
        if rule
        else "",
    }


def _format_seconds(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds * 1000:,.0f} ms" if seconds < 10 else f"{seconds:,.0f} s"


def _format_size(size: int | None) -> str:
    return "" if size is None else f"{size:,} B" if size < 10_000 else f"{size / 1000:,.0f} kB"

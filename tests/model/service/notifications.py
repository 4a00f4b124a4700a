"""The notification endpoint: webhooks, the rate of the domain, and the rooms."""

import re
from datetime import timedelta
from math import ceil
from typing import Any

from .expecting import Expected, Matching, Outcome, refusal

State = dict[str, Any]

LIMIT, WINDOW, WEBHOOKS = 120, timedelta(minutes=1), 5
MENTION = re.compile(r'<m userId="([^"<>]+)">')
FIELDS = {"": ("title", "body", "button"), "body": ("text",), "button": ("label", "url")}


def notify(state: State, op: dict[str, Any]) -> Outcome:
    webhook, now = state["webhooks"].get(op["webhook"]), state["now"]
    if webhook is None:
        return refuse(400, "invalid webhook URL")
    calls = state["calls"] if state["calls"] and now - state["calls"][0] < WINDOW else []
    if len(calls) >= LIMIT:
        return refuse(429, "too many request")
    sent = op["body"]
    problems = judge(sent) if isinstance(sent, dict) else {"invalid"}
    if op.get("type", "application/json") != "application/json":
        problems.add("invalid")
    if problems:
        return refuse(400, "missing parameter" if "missing" in problems else "invalid parameter")
    state["calls"] = calls = [*calls, now]
    text, button = sent["body"]["text"], sent.get("button")
    state["rooms"][webhook["channelId"]].append(
        {
            "title": sent.get("title") or webhook["title"],
            "text": text,
            "button": button,
            "mentions": MENTION.findall(text),
            "webhookId": op["webhook"],
            "sentAt": now.isoformat(),
        }
    )
    rate = (len(calls), LIMIT, LIMIT - len(calls), ceil((calls[0] + WINDOW - now).total_seconds()))
    names = ("used", "limit", "remaining", "reset")
    headers = {f"ratelimit-{name}": str(value) for name, value in zip(names, rate, strict=True)}
    return Expected(200, {"code": 200, "description": "success"}, headers)


def refuse(status: int, description: str) -> Expected:
    return Expected(status, {"code": status, "description": description})


def judge(sent: dict[str, Any]) -> set[str]:
    """What is wrong with a message: something is missing, something is invalid, or both."""
    problems, parts = set(), {"": sent, "body": sent.get("body", ...), "button": sent.get("button", ...)}
    if parts["body"] is ...:
        problems.add("missing")
    if type(sent.get("title", "")) is not str:
        problems.add("invalid")
    for name, part in parts.items():
        if part is ...:
            continue
        if not isinstance(part, dict) or set(part) - set(FIELDS[name]):
            problems.add("invalid")
        if name and isinstance(part, dict):
            problems |= {"missing" for field in FIELDS[name] if field not in part}
            problems |= {"invalid" for field in FIELDS[name] if type(part.get(field, "")) is not str}
    return problems


def add_webhook(state: State, op: dict[str, Any]) -> Outcome:
    """The administrator's entry in the webhook list, of which a domain has at most five."""
    if len(state["webhooks"]) >= WEBHOOKS:
        return refusal(409, "CONFLICT", "5")
    entry = {"title": op["title"], "channelId": "channel-1"}

    def learn(learned: dict[str, str], _: Any) -> None:
        assert learned["webhook"] not in state["webhooks"], "a webhook is not new"
        state["webhooks"][learned["webhook"]] = entry

    return Expected(201, {"url": Matching(r"\{hooks\}/message/(?P<webhook>[\w-]+)"), **entry}, learn=learn)


def read_room(state: State, op: dict[str, Any]) -> Outcome:
    return Expected(200, {"messages": list(state["rooms"]["channel-1"]), "dropped": 0})

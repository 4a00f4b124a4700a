"""Lesson 20: post a message with a button that opens a report."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fakes import FakeService
from fakes.lessons import Exercise, Run, Said, Variant, Words, said
from svckit.models.notification import Button
from svckit.session.connect import connect
from svckit.session.session import Session

__all__ = ["EXERCISE", "SOLUTIONS"]


def prepare(fake: FakeService, variant: Variant) -> Sequence[object]:
    """Return what the function is called with: a session, a title and a URL."""
    return connect(fake), "Report", variant.options["url"]


def read_message(run: Run) -> Mapping[str, Any]:
    """Return the first message that was accepted; empty if there is none."""
    posted = run.sent("notifications.post", 200)
    return posted[0].json if posted else {}


def posts_once(run: Run) -> bool | Said:
    """Look for a second message."""
    posted = run.sent("notifications.post", 200)
    return said("several", request=posted[1].number, count=len(posted)) if len(posted) > 1 else bool(posted)


def has_button(run: Run) -> bool | Said | None:
    """Look for a button that opens the report."""
    message, report = read_message(run), run.variant.options["url"]
    if not message:
        return None
    number = run.sent("notifications.post", 200)[0].number
    if "button" not in message:
        return said("no button", request=number)
    url = message["button"]["url"]
    return url == report or said("other URL", request=number, url=url, report=report)


def keeps_text_short(run: Run) -> bool | Said | None:
    """Look for a URL in the text."""
    message = read_message(run)
    if not message:
        return None
    number, text = run.sent("notifications.post", 200)[0].number, message["body"]["text"]
    return said("bare URL", request=number, text=text) if "://" in text else True


EXERCISE = Exercise(
    words=Words.read(Path(__file__).with_suffix(".toml")),
    prepare=prepare,
    options=(
        {"url": "https://reports.example.com/may"},
        {"url": "https://reports.example.com/?month=6&all=1"},
    ),
    checks={"once": posts_once, "button": has_button, "text": keeps_text_short},
    summarize=lambda run: {"url": run.variant.options["url"]},
)


def solution_pair(svc: Session, title: str, url: str) -> None:
    """Give the button as label and URL."""
    svc.notify("The new report is here.", title=title, button=("Open", url))


def solution_button(svc: Session, title: str, url: str) -> None:
    """Make the button first."""
    button = Button(label="Open", url=url)
    svc.notify(f"{title}: it is ready.", title=title, button=button)


SOLUTIONS = (solution_pair, solution_button)

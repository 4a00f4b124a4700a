"""Lesson 20: post a message with a button that opens a report."""

from collections.abc import Mapping, Sequence

from fakes import FakeService
from fakes.lessons import JournalEntry, Options, Run, Said, said
from svckit.models.notification import Button
from svckit.session.connect import connect
from svckit.session.session import Session

__all__ = ["prepare", "summarize"]


def prepare(fake: FakeService, options: Options) -> Sequence[object]:
    """Return what the function is called with: a session, a title and a URL."""
    return connect(fake), "Report", options["url"]


def list_posted(run: Run) -> tuple[JournalEntry, ...]:
    """Return the messages that were accepted."""
    return run.sent("notifications.post", 200)


def posts_once(run: Run) -> bool | Said:
    """Look for a second message."""
    posted = list_posted(run)
    return said("several", posted[1], count=len(posted)) if len(posted) > 1 else bool(posted)


def has_button(run: Run) -> bool | Said | None:
    """Look for a button that opens the report."""
    for message in list_posted(run):
        if "button" not in message.json:
            return said("no button", message)
        url, report = message.json["button"]["url"], run.options["url"]
        return url == report or said("other URL", message, url=url, report=report)
    return None


def keeps_text_short(run: Run) -> bool | Said | None:
    """Look for a URL in the text."""
    for message in list_posted(run):
        text = message.json["body"]["text"]
        return said("bare URL", message, text=text) if "://" in text else True
    return None


def summarize(run: Run) -> Mapping[str, object]:
    """Return the figures of a successful run."""
    return {"url": run.options["url"]}


def solution_pair(svc: Session, title: str, url: str) -> None:
    """Give the button as label and URL."""
    svc.notify("The new report is here.", title=title, button=("Open", url))


def solution_button(svc: Session, title: str, url: str) -> None:
    """Make the button first."""
    button = Button(label="Open", url=url)
    svc.notify(f"{title}: it is ready.", title=title, button=button)

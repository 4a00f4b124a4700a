"""The page of what the fake can do: its operations with their rules, faults, lessons and pages, in one table."""

import json
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path

from binder.reference.markdown import code, page, slug, table
from binder.reference.operations import list_operations
from binder.site.menu import begin_upper
from fakes.faults.kinds import KINDS
from fakes.openapi import openapi
from fakes.openapi.document import TAGS
from fakes.rulebook.rule import RULEBOOK

INTRO = """\
All that the fake does, with an operation of the service on each row. *Described* says whether the description of
the service shows the operation. Its responses rest on so many *assumed rules*, which have so many *alternatives*
besides their defaults; [Operations](operations.md) names those that decide. (`storage.send` has so many because
logs show what other calls rested on.) So many [kinds of *faults*](faults.md) can be injected into it: all of requests,
or `drop_callback`. The lesson teaches the operation, and the page shows how to work with it.

The fake cannot do what the description does not show, such as reading or listing users, groups and boards, unless you
say what it returns: see [How to make the fake look like your
service](../how-to/make-the-fake-look-like-your-service.ipynb).
"""
NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
EVENTS = "callback.message"
OF_REQUESTS = str(len(KINDS) - 1)  # all but `drop_callback`
PAGES = {
    "auth.*": ("02-sign-in", "sign-in-to-a-real-service"),
    "users.update": ("04-change-one-field", "update-many-users"),
    "users.set_status": ("05-busy-away", "set-an-auto-reply"),
    "upload.*": ("06-upload-in-two-steps", "transfer-big-files"),
    "download.*_revision": ("07-download-and-resume", "download-revisions"),
    "download.form_response": ("07-download-and-resume", "download-revisions"),
    "download.*": ("07-download-and-resume", "transfer-big-files"),
    "storage.*": ("07-download-and-resume", "transfer-big-files"),
    "notifications.post": ("08-wait-when-told", "stay-within-the-notification-limit"),
    "retired.*": ("11-what-retires-when", "find-retired-features"),
    EVENTS: ("09-hear-from-a-bot", "receive-events"),
}
"""The lesson and the how-to page about operations; the first pattern that matches counts."""


def write() -> str:
    """Return the page."""
    document = openapi()
    rows, retired = [], []
    tags = list(TAGS)
    for *_, operation in sorted(list_operations(document), key=lambda each: tags.index(each[3]["tags"][0])):
        name, shown = operation["operationId"], operation["x-provenance"]
        if operation["tags"] == ["retired"]:
            retired.append(shown)
        else:
            link = f"[{code(name)}](operations.md#{slug(name)})"
            rows.append(describe(name, link, shown["provenance"], shown["rules"], OF_REQUESTS))
    rows.append(
        describe(
            "retired.*",
            f"[{len(retired)} operations that retire](operations.md#{slug(TAGS['retired'])})",
            retired[0]["provenance"],
            retired[0]["rules"],
            OF_REQUESTS,
        )
    )
    rules = [name for name in RULEBOOK if name.startswith("callback.")]
    rows.append(describe(EVENTS, "a member's message to a bot", "documented", rules, "1"))
    return page(
        "What the fake can do",
        INTRO,
        table(("operation", "described", "assumed rules", "alternatives", "faults", "lesson", "page"), rows),
    )


def describe(name: str, link: str, provenance: str, rules: Iterable[str], faults: str) -> tuple[str, ...]:
    """Return the row of an operation.

    Args:
        name: of the operation, or a pattern of several.
        link: what names it on the page.
        provenance: ``documented`` if the description shows it.
        rules: the IDs of all rules that its responses may rest on.
        faults: how many kinds of faults it can have, or which.
    """
    assumed = [rule for rule in map(RULEBOOK.__getitem__, rules) if rule.alternatives]
    others = sum(len(rule.alternatives) - 1 for rule in assumed)
    pages = next((found for pattern, found in PAGES.items() if fnmatchcase(name, pattern)), None)
    if pages is None:
        raise LookupError(f"add {name}, with its lesson and its page, to PAGES in binder/reference/matrix.py")
    lesson, how_to = pages
    return (
        link,
        "yes" if provenance == "documented" else "no",
        str(len(assumed)),
        str(others),
        faults,
        link_page(f"course/{lesson}"),
        link_page(f"how-to/{how_to}"),
    )


def link_page(name: str) -> str:
    """Return a link to a notebook, by its title."""
    first = json.loads((NOTEBOOKS / f"{name}.ipynb").read_text("utf-8"))["cells"][0]["source"]
    title = "".join(first).partition("\n")[0].removeprefix("# ").removeprefix("How to ")
    return f"[{begin_upper(title)}](../{name}.ipynb)"

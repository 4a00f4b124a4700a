"""The ways to open a page of the site: as a file, as Markdown, and where a notebook runs."""

import re
from html import escape
from typing import Any
from urllib.parse import quote

__all__ = ["write_ways"]

IN_BROWSER = re.compile(r"notebooks/(course/(0\d|1[01])-.+)")
"""The lessons that need no socket and no pandas, as the build for the browser has none (`binder/lite`)."""


def write_ways(page: str, source: str, context: dict[str, Any]) -> str:
    """Return the links to a page's own file and its Markdown, and to where a notebook runs."""
    if not source.endswith(".ipynb"):
        ways = ""
    else:
        ways = f"<span>In Lab: <code>svckit lab {source.removeprefix('notebooks/')}</code></span>"
        if context["browser"] and (lesson := IN_BROWSER.fullmatch(source)):
            ways += link(
                f"{context['browser']}/lab/index.html?path={quote(lesson[1])}", "Open in the browser"
            )
        if context["repository"]:
            binder = f"https://mybinder.org/v2/git/{quote(context['repository'], safe='')}/HEAD"
            ways += link(f"{binder}?urlpath=lab/tree/{quote(source)}", "Open in Binder")
        ways += link(context["pathto"](f"_sources/{source}", True), "Download this notebook", "download")
    ways += link(f"{page.rpartition('/')[2]}.md", "Read as Markdown")
    return f'<div class="ways">{ways}</div>'


def link(url: str, text: str, attribute: str = "") -> str:
    """Return a link."""
    return f'<a href="{escape(url)}" {attribute}>{text}</a>'

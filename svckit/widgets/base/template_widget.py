"""Widgets whose three renderings come from one template: live in the browser, as static HTML, and as text."""

import json
import re
from functools import partial
from typing import Any, ClassVar, Final

import traitlets
from ipywidgets import widget_serialization  # type: ignore[import-untyped]
from markupsafe import Markup

from svckit.display.templates import TEMPLATES
from svckit.widgets.base.assets import SharedCode, module
from svckit.widgets.base.badges import is_badged, tone
from svckit.widgets.base.entries import ListeningWidget
from svckit.widgets.base.html_text import to_text
from svckit.widgets.base.instants import shorten_instant
from svckit.widgets.base.renderings import RenderedWidget

__all__ = ["TemplateWidget"]

LOADER: Final = module("base/loader.js")
"""The script of every such widget: it loads the one that they share."""

_LOCALE = re.compile("[a-z]{2}_[A-Z]{2}")


def lang(text: object, locale: str) -> Markup:
    """Return the attribute ``lang`` of an element that shows a text of a record: how Han characters are drawn.

    Args:
        text: the text; for one in ASCII, such as an ID or a state, the attribute is left out.
        locale: the record's locale, such as ``ja_JP``; empty text if it has none.

    Examples:
        >>> lang("佐藤", "ja_JP"), lang("active", "ja_JP"), lang("佐藤", "")
        (Markup(' lang="ja-JP"'), Markup(''), Markup(''))
    """
    if str(text).isascii() or not _LOCALE.fullmatch(locale):
        return Markup()
    return Markup(' lang="{}"').format(locale.replace("_", "-"))


TEMPLATES.filters |= {
    "lang": lang,
    "short": shorten_instant,
    "tone": tone,
    "json_text": partial(json.dumps, ensure_ascii=False),
}
TEMPLATES.tests["badged"] = is_badged


class TemplateWidget(ListeningWidget, RenderedWidget):
    """A widget with one template, which is rendered with ``live=True`` for the browser and without for a document.

    Setting ``view`` or ``error`` renders it again. A template starts from ``widgets/base/view.html``, and uses the
    macros of ``widgets/base/controls.html``, which render controls live and their values otherwise.

    Attributes:
        view: the data of the template.
        html: the live rendering, which the browser shows.
    """

    _esm = LOADER
    _shared = traitlets.Instance(SharedCode).tag(sync=True, **widget_serialization)
    template: ClassVar[str]

    view: "traitlets.Dict[str, Any]" = traitlets.Dict()
    html: "traitlets.Unicode[str, str | bytes]" = traitlets.Unicode("").tag(sync=True)

    def to_html(self) -> str:
        """Return what it shows now as static HTML, without scripts or controls."""
        return self._render(live=False)

    def __repr__(self) -> str:
        return to_text(self.to_html())

    @traitlets.default("_shared")
    def _share_code(self) -> SharedCode:
        return SharedCode.get()

    @traitlets.observe("view", "error")
    def _show_html(self, _change: object) -> None:
        self.html = self._render(live=True)

    def _render(self, *, live: bool) -> str:
        view: dict[str, Any] = self.view
        template = "widgets/base/replaced.html" if "takenOver" in view else self.template
        return TEMPLATES.get_template(template).render(view, error=self.error, live=live)

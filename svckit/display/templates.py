"""The templates of the toolkit's HTML, which escape whatever goes in.

Nobody sees the controls and ignorable characters of a text in a browser, but what they do to the text around them. So a
rendered document shows them as text does elsewhere (`escape_controls`). The value of a control is sent back as it is:
the filter ``exact`` writes it so that it stays.
"""

from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup, escape

from svckit.display.terminal import escape_controls, refer_to_controls

__all__ = ["TEMPLATES", "compile_template"]


class _SafeTemplate(Template):
    """A template whose document has no character that a reader cannot see."""

    def render(self, *args: Any, **kwargs: Any) -> str:
        return escape_controls(super().render(*args, **kwargs).replace("\r\n", "\n"))


def _write_exactly(value: object) -> Markup:
    """Escape the value of an attribute or text area, with references to its controls."""
    return Markup(refer_to_controls(str(escape(value))))  # noqa: S704 - escaped


TEMPLATES = Environment(
    loader=PackageLoader("svckit", ""),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
TEMPLATES.template_class = _SafeTemplate
TEMPLATES.filters["exact"] = _write_exactly


@cache
def compile_template(source: str) -> Template:
    r"""Return a template from its source.

    Examples:
        >>> compile_template("<b>{{ text }}</b>").render(text="a < b")
        '<b>a &lt; b</b>'
        >>> compile_template("<input value='{{ text|exact }}'>{{ text }}").render(text="a\u202e")
        "<input value='a&#8238;'>a\\u202e"
    """
    return TEMPLATES.from_string(source)

"""The templates of the toolkit's HTML, which escape whatever goes in."""

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

__all__ = ["TEMPLATES", "compile_template"]

TEMPLATES = Environment(
    loader=PackageLoader("svckit", ""),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


@cache
def compile_template(source: str) -> Template:
    """Return a template from its source.

    Examples:
        >>> compile_template("<b>{{ text }}</b>").render(text="a < b")
        '<b>a &lt; b</b>'
    """
    return TEMPLATES.from_string(source)

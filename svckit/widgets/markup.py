"""The one place where widgets make HTML. Everything that goes in is escaped."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

__all__ = ["render"]

_templates = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def render(template: str, content: Mapping[str, Any]) -> str:
    """A template of ``templates/`` with its content, as HTML."""
    return _templates.get_template(template).render(content)

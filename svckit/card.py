"""Small cards of name and value, for objects that show themselves in a notebook."""

from collections.abc import Iterable

from jinja2 import Environment

__all__ = ["render_card"]

_CARD = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(
    """\
<table>
<caption style="text-align: left"><strong>{{ title }}</strong>{% if badge %} [{{ badge }}]{% endif %}</caption>
<tbody>
{% for name, value in rows %}
<tr><th scope="row" style="text-align: left">{{ name }}</th><td style="text-align: left">{{ value }}</td></tr>
{% endfor %}
</tbody>
</table>"""
)


def render_card(title: str, rows: Iterable[tuple[str, object]], *, badge: str = "") -> tuple[str, str]:
    """A card as HTML, everything escaped, and as text.

    Examples:
        >>> html, plain = render_card("Session", [("profile", "fake"), ("user", "u-001")], badge="FAKE")
        >>> print(plain)
        Session [FAKE]
          profile  fake
          user     u-001
    """
    rows = [(name, str(value)) for name, value in rows]
    width = max((len(name) for name, _ in rows), default=0)
    heading = f"{title} [{badge}]" if badge else title
    plain = "\n".join([heading, *(f"  {name:<{width}}  {value}" for name, value in rows)])
    return _CARD.render(title=title, rows=rows, badge=badge), plain

"""Small cards and tables for objects that show themselves in a notebook.

Their HTML is made with `svckit.display.templates`, which is loaded when the first of them is rendered.
"""

from collections.abc import Iterable, Mapping, Sequence

from markupsafe import Markup

from svckit.display.terminal import on_one_line

__all__ = [
    "Shown",
    "quantity",
    "render_card",
    "render_fields",
    "render_groups",
    "render_table",
    "render_text",
]

_CARD = """\
<table>
<caption style="text-align: left"><strong>{{ title }}</strong>{% if badge %} [{{ badge }}]{% endif %}</caption>
<tbody>
{% for name, value in rows %}
<tr><th scope="row" style="text-align: left">{{ name }}</th><td style="text-align: left">{{ value }}</td></tr>
{% endfor %}
</tbody>
</table>"""
_TABLE = """\
<table>
<caption style="text-align: left; white-space: nowrap"><strong>{{ title }}</strong></caption>
<thead><tr>{% for name in columns %}<th scope="col" style="text-align: left">{{ name }}</th>{% endfor %}</tr></thead>
<tbody>
{% for row in rows %}
<tr>{% for cell in row %}<td style="text-align: left">{{ cell }}</td>{% endfor %}</tr>
{% endfor %}
</tbody>
</table>"""
_GROUPS = """\
{% if title %}<p><strong>{{ title }}</strong></p>{% endif %}
{% for summary, table in groups %}
<details><summary>{{ summary }}</summary>{{ table }}</details>
{% endfor %}"""
_TITLE = "<p><strong>{{ title }}</strong></p>"
_TEXT = "<pre>{{ text }}</pre>"


class Shown:
    """An object that a notebook shows as HTML, and that is shown as text elsewhere."""

    def _render(self) -> tuple[str, str]:
        """Return the HTML and the text."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return self._render()[1]

    def _repr_html_(self) -> str:
        return self._render()[0]


def _render(source: str, **context: object) -> str:
    from svckit.display.templates import compile_template

    return compile_template(source).render(context)


def render_text(text: str) -> str:
    """Render text as HTML, everything escaped, its lines as they are.

    Examples:
        >>> print(render_text("a < b"))
        <pre>a &lt; b</pre>
    """
    return _render(_TEXT, text=text)


def render_card(title: str, rows: Iterable[tuple[str, object]], *, badge: str = "") -> tuple[str, str]:
    """Render a card as HTML, everything escaped, and as text.

    Examples:
        >>> html, plain = render_card("Session", [("profile", "fake"), ("user", "u-001")], badge="FAKE")
        >>> print(plain)
        Session [FAKE]
          profile  fake
          user     u-001
    """
    rows = [(name, str(value)) for name, value in rows]
    lines = [(on_one_line(name), on_one_line(str(value))) for name, value in rows]
    width = max((len(name) for name, _ in lines), default=0)
    heading = on_one_line(f"{title} [{badge}]" if badge else title)
    plain = "\n".join([heading, *(f"  {name:<{width}}  {value}" for name, value in lines)])
    return _render(_CARD, title=title, rows=rows, badge=badge), plain


def render_fields(shown: object, names: Iterable[str]) -> str:
    """Render attributes of an object as the HTML of a card, without those that are empty.

    Examples:
        >>> from datetime import date
        >>> html = render_fields(date(2026, 6, 1), ["year", "month"])
        >>> ">date<" in html, ">2026<" in html
        (True, True)
    """
    values = ((name.replace("_", " "), getattr(shown, name)) for name in names)
    rows = [(name, value) for name, value in values if value not in (None, "", (), [], {})]
    return render_card(type(shown).__name__, rows)[0]


def render_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> tuple[str, str]:
    """Render a table as HTML, everything escaped, and as text; without rows, only the title.

    Examples:
        >>> html, plain = render_table("Bots", ("id", "room"), [("bot-1", "channel-1"), ("b", "c")])
        >>> print(plain)
        Bots
          id     room
          bot-1  channel-1
          b      c
        >>> render_table("No bots", ("id", "room"), [])
        ('<p><strong>No bots</strong></p>', 'No bots')
    """
    if not rows:
        return _render(_TITLE, title=title), on_one_line(title)
    cells = [[*map(on_one_line, row)] for row in (columns, *rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in cells]
    plain = "\n".join([on_one_line(title), *(f"  {line}" for line in lines)])
    return _render(_TABLE, title=title, columns=columns, rows=rows), plain


def render_groups(title: str, columns: Sequence[str], groups: Mapping[str, Sequence[Sequence[str]]]) -> str:
    """Render a long table as HTML, everything escaped, in groups that open on a click; the title may be empty.

    Examples:
        >>> html = render_groups("Rules", ("rule", "chosen"), {"api": [("api.scope", "not-needed")]})
        >>> html.count("<details>"), "<summary>api: 1 row</summary>" in html
        (1, True)
    """
    tables = [
        (f"{name}: {quantity(len(rows), 'row')}", Markup(render_table(name, columns, rows)[0]))  # noqa: S704 - escaped
        for name, rows in groups.items()
    ]
    return _render(_GROUPS, title=title, groups=tables)


def quantity(count: int, one: str, many: str = "") -> str:
    """Return a number with its noun.

    Examples:
        >>> quantity(1, "entry", "entries"), quantity(2, "file")
        ('1 entry', '2 files')
    """
    return f"{count} {one if count == 1 else many or one + 's'}"

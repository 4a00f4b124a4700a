"""The only place that makes text safe to show in a terminal, and visible in HTML.

Names, titles and error descriptions can come from anybody. A terminal obeys some characters as commands: to move the
cursor over what it has shown, to change its title, to paste. Others reorder the text around them, or cannot be seen, so
that two names look the same. All of these are shown as Python writes them, such as ``\\x1b``.
"""

import json
import re
import shlex
from typing import Any

from svckit.display.late_patterns import compile_later

__all__ = [
    "escape_controls",
    "escape_json",
    "json_text",
    "on_one_line",
    "quote_for_shell",
    "refer_to_controls",
]

# C0 (except tab and line feed), DEL and C1, other line separators, marks that reorder text, what is invisible (the soft
# hyphen, Hangul fillers, spaces without a width, marks of annotations), and lone surrogates. Joiners and variation
# selectors stay: emoji, kanji and several scripts need them.
_CONTROLS = compile_later(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ud800-\udfff\ufeff\uffa0\ufff9-\ufffb]"
)
_MISREAD = compile_later("[\x00\x80-\x9f\ud800-\udfff]")
_BREAKS = re.compile(r"\r\n|[\n\t]")


def escape_controls(text: str) -> str:
    r"""Make control characters visible; line breaks and tabs stay, for text of several lines.

    Examples:
        >>> print(escape_controls("Mina \x1b[2J\u202e\r") + "\n" + escape_controls("田中\u3000美奈 👩‍💻"))
        Mina \x1b[2J\u202e\r
        田中　美奈 👩‍💻
    """
    return _CONTROLS().sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def refer_to_controls(text: str) -> str:
    r"""Write control characters as references of HTML, but for those that a browser reads as other characters.

    Examples:
        >>> refer_to_controls("Mina\u202e\x9b")
        'Mina&#8238;\x9b'
    """
    return _CONTROLS().sub(
        lambda found: found[0] if _MISREAD().match(found[0]) else f"&#{ord(found[0])};", text
    )


def on_one_line(text: str) -> str:
    r"""Make control characters visible, and replace line breaks and tabs with spaces.

    Examples:
        >>> on_one_line("Mina\nSato\x07")
        'Mina Sato\\x07'
    """
    return escape_controls(_BREAKS.sub(" ", text))


def json_text(data: Any) -> str:
    r"""Format data as JSON for people, with control characters escaped.

    Examples:
        >>> print(json_text({"name": "美奈\x9b\u202e"}))
        {
          "name": "美奈\u009b\u202e"
        }
    """
    return escape_json(json.dumps(data, indent=2, ensure_ascii=False))


def escape_json(text: str) -> str:
    r"""Escape the control characters of a JSON text without changing its meaning.

    Examples:
        >>> print(escape_json('{"task":"\x7f"}'))
        {"task":"\u007f"}
    """
    return _CONTROLS().sub(_escape_by_number, text)


def quote_for_shell(text: str) -> str:
    r"""Quote text for a shell; control characters are escaped in the notation of bash and zsh.

    Examples:
        >>> print(quote_for_shell("it's"), quote_for_shell("it's\x1b"))
        'it'"'"'s' $'it\'s\u001b'
    """
    if not _CONTROLS().search(text):
        return shlex.quote(text)
    quoted = text.replace("\\", r"\\").replace("'", r"\'")
    return f"$'{_CONTROLS().sub(_escape_by_number, quoted)}'"


def _escape_by_number(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"

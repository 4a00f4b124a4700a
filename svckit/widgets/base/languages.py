"""The language of a text, which decides how Han characters are drawn and how they are read aloud."""

import re

from markupsafe import Markup

__all__ = ["lang"]

_LOCALE = re.compile("[a-z]{2}_[A-Z]{2}")


def lang(text: object, locale: str) -> Markup:
    """Return the attribute ``lang`` of an element that shows a text of a record.

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

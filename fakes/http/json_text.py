"""JSON in request bodies: read it, limit its numbers, and find what is wrong with it."""

import codecs
import json
from collections.abc import Iterable, Iterator
from itertools import chain
from math import inf, isfinite
from typing import Any

from pydantic_core import PydanticSerializationError, from_json, to_json

from svckit.models.problems import explain_json_error, shorten

__all__ = [
    "count_keys",
    "count_unknown_fields",
    "describe_encoding",
    "find_longest_text",
    "find_repeated_key",
    "find_unknown_fields",
    "find_unwritable",
    "has_half_character",
    "has_repeated_key",
    "read",
    "read_or_none",
    "refuse_repeated_key",
    "remove_fields",
]

# With all digits alike, a search for numbers beyond the largest double takes a tenth of the time.
_DIGITS_ALIKE = bytes.maketrans(b"123456789E", b"0" * 9 + b"e")
_MANY_DIGITS = b"0" * 200
_PIECE = 1024 * 1024
_MARKS = {codecs.BOM_UTF8: "UTF-8", codecs.BOM_UTF16_LE: "UTF-16", codecs.BOM_UTF16_BE: "UTF-16"}
_OTHER_ENCODINGS = ("cp932", "euc_jp", "cp949", "big5", "gb18030")
"""Those of Japan, Korea, Taiwan and China; a text may fit several."""
_NEITHER_QUOTE_NOR_COLON = bytes(byte for byte in range(256) if byte not in b'":')


def read(body: bytes) -> Any:
    """Read JSON text.

    Raises:
        ValueError: it is not JSON, or holds NaN, an infinity or a number beyond ±1.8e308.

    Examples:
        >>> read(b'{"x": [1e308]}')
        {'x': [1e+308]}
        >>> read(b'{"x": [1e309]}')
        Traceback (most recent call last):
        ...
        ValueError: x[0] is a number beyond ±1.8e308, the largest that programs read
    """
    try:
        value = from_json(body, allow_inf_nan=False, cache_strings="keys")
    except ValueError as broken:
        raise ValueError(explain_json_error(str(broken))) from None
    if _has_few_values(body) or _may_be_too_large(body):
        path = _find_infinite(value)
        if path is not None:
            raise ValueError(f"{path or 'it'} is a number beyond ±1.8e308, the largest that programs read")
    return value


def describe_encoding(body: bytes) -> str:
    """Return what is wrong with the encoding of a body that is not JSON, and what to send; empty for UTF-8.

    Examples:
        >>> describe_encoding('{"nickName": "美奈"}'.encode("cp932"))
        '; it is not UTF-8, but would be JSON in cp932 or cp949 or gb18030: send UTF-8'
    """
    for mark, encoding in _MARKS.items():
        if body.startswith(mark):
            return f"; it begins with the byte-order mark of {encoding}: send UTF-8 without one"
    if _is_text(body, "utf-8") or len(body) > _PIECE:
        return ""
    fitting = [encoding for encoding in _OTHER_ENCODINGS if _is_text(body, encoding)]
    would = f", but would be JSON in {' or '.join(fitting)}" if fitting else ""
    return f"; it is not UTF-8{would}: send UTF-8"


def _is_text(body: bytes, encoding: str) -> bool:
    try:
        text = body.decode(encoding)
        return encoding == "utf-8" or json.loads(text) is not None
    except ValueError:
        return False


def read_or_none(body: bytes) -> Any:
    """Read JSON text; return None if it is not JSON."""
    try:
        return read(body)
    except ValueError:
        return None


def _has_few_values(body: bytes) -> bool:
    """Return whether it is quicker to check every value than at every byte."""
    return body.count(b",") < len(body) // 256  # the depth of nesting is limited


def _may_be_too_large(body: bytes) -> bool:
    """Return whether a body has an exponent or very many digits; most bodies have neither."""
    if not any(mark in body for mark in (b"e", b".", b"E")):
        return False
    alike = body.translate(_DIGITS_ALIKE)
    return b"0e" in alike or _MANY_DIGITS in alike


def _find_infinite(value: Any) -> str | None:
    """Return the path of an infinite number in a value, or None."""
    if not any(inf in values or -inf in values for values, _ in _iterate_levels(value)):
        return None
    for part, above in _iterate_containers(value):
        values = [*part.values()] if isinstance(part, dict) else part
        found = [values.index(number) for number in (inf, -inf) if number in values]
        if found:
            return _format_path(above, part, [*part][min(found)] if isinstance(part, dict) else min(found))
    return ""  # the value itself, outside of any container


def _iterate_levels(value: Any) -> Iterator[tuple[list[Any], list[dict[str, Any]]]]:
    """Yield the values in a value level by level, each with the objects among them.

    This takes a tenth of the time of a walk container by container.
    """
    values = [value]
    while values:
        kinds = set(map(type, values))
        objects = [item for item in values if type(item) is dict] if dict in kinds else []
        arrays = [item for item in values if type(item) is list] if list in kinds else []
        yield values, objects
        values = [*chain.from_iterable(map(dict.values, objects)), *chain.from_iterable(arrays)]


_Above = tuple["_Above", dict[str, Any] | list[Any]] | None
"""The containers around a container, as links from the inside out: paths are made only of what is reported."""


def _iterate_containers(value: Any) -> Iterator[tuple[dict[str, Any] | list[Any], _Above]]:
    """Yield the objects and arrays in a value, each with its chain of containers."""
    pending: list[tuple[Any, _Above]] = [(value, None)] if isinstance(value, dict | list) else []
    while pending:
        part, above = pending.pop()
        yield part, above
        inner: _Above = (above, part)
        values = part.values() if isinstance(part, dict) else part
        pending += [(item, inner) for item in values if isinstance(item, dict | list)]


def _format_path(above: _Above, part: Any, last: str | int) -> str:
    """Format the path of an item, from the outermost container."""
    steps: list[str | int] = [last]
    while above is not None:
        above, container = above
        items = container.items() if isinstance(container, dict) else enumerate(container)
        steps.append(next(name for name, item in items if item is part))
        part = container
    path = ""
    for step in reversed(steps):
        path += f"[{step}]" if isinstance(step, int) else f".{step}" if path else step
    return path


def has_repeated_key(body: bytes, value: Any) -> bool:
    """Return whether an object of a JSON text repeats a key, given the value read from the text.

    Examples:
        >>> [has_repeated_key(body, read(body)) for body in (b'{"a": 1, "a": 2}', b'{"a": {"a": "a: b"}}')]
        [True, False]
    """
    colons = body.count(b":")
    if isinstance(value, dict) and colons <= len(value):  # quicker than to count the keys of nested objects
        return False
    keys = sum(sum(map(len, objects)) for _, objects in _iterate_levels(value))
    return colons > keys and count_keys(body) > keys


def count_keys(body: bytes) -> int:
    """Return the number of keys in a JSON text, repetitions included: the colons outside quotes.

    Examples:
        >>> count_keys(b'{"a": {"a": "a: b"}}')
        2
    """
    if b"\\" in body:
        body = body.replace(b"\\\\", b"").replace(b'\\"', b"")
    # Adjacent quotes do not change whether a later colon is quoted; most texts have no others.
    marks = body.translate(None, _NEITHER_QUOTE_NOR_COLON).replace(b'""', b"")
    if b'"' not in marks:
        return len(marks)
    count, quoted = 0, 0
    for start in range(0, len(marks), _PIECE):
        pieces = marks[start : start + _PIECE].split(b'"')
        count += sum(map(len, pieces[quoted::2]))  # every other one is outside quotes, and all colons
        quoted ^= (len(pieces) - 1) % 2  # an odd number of quotes: the next part begins on the other side
    return count


def find_repeated_key(body: bytes) -> str | None:
    """Return a key that is repeated in one object of a JSON text, or None.

    Examples:
        >>> find_repeated_key(b'{"a": 1, "b": [{"a": 2, "a": 3}]}')
        'a'
    """
    found: list[str] = []

    def look(pairs: list[tuple[str, Any]]) -> None:
        seen = set()
        for key, _ in pairs:
            if key in seen:
                found.append(key)
            seen.add(key)

    # Keep numbers as text: they may be longer than Python parses.
    json.loads(body.decode(), object_pairs_hook=look, parse_int=str, parse_float=str, strict=False)
    return found[0] if found else None


def refuse_repeated_key(body: bytes, value: Any, name: str) -> None:
    """Check that no object of a JSON file repeats a key, given the value read from it.

    Raises:
        ValueError: one does; of its values, all but the last would be lost.

    Examples:
        >>> refuse_repeated_key(b'[{"a": 1, "a": 2}]', [{"a": 2}], "users.json")
        Traceback (most recent call last):
        ...
        ValueError: users.json has the key 'a' twice in one JSON object; keep one of them
    """
    if has_repeated_key(body, value):
        key = shorten(find_repeated_key(body) or "")
        raise ValueError(f"{name} has the key {key!r} twice in one JSON object; keep one of them")


def find_longest_text(value: Any) -> tuple[str, int]:
    """Return the path and the length of the longest text in a value, keys excluded; 0 without any text.

    Examples:
        >>> find_longest_text({"body": {"text": "hello"}, "title": "hi"})
        ('body.text', 5)
    """
    found: tuple[int, _Above, Any, str | int] = (0, None, None, "")
    for part, above in _iterate_containers(value):
        items = part.items() if isinstance(part, dict) else enumerate(part)
        for name, item in items:
            if isinstance(item, str) and len(item) > found[0]:
                found = len(item), above, part, name
    characters, above, part, name = found
    return _format_path(above, part, name), characters


def find_unwritable(value: Any, path: str = "") -> str | None:
    """Return the path of a number that JSON cannot represent (infinite or NaN), or None."""
    if isinstance(value, float):
        return None if isfinite(value) else path
    if isinstance(value, dict):
        parts = ((f"{path}.{name}" if path else str(name), part) for name, part in value.items())
    elif isinstance(value, list | tuple):
        parts = ((f"{path}[{at}]", part) for at, part in enumerate(value))
    else:
        return None
    return next((found for at, part in parts if (found := find_unwritable(part, at)) is not None), None)


def has_half_character(value: Any) -> bool:
    """Return whether a text in a value cannot be written in UTF-8.

    Examples:
        >>> has_half_character({"x": ["\\U0001f600"]}), has_half_character({"x": ["\\ud83d"]})
        (False, True)
    """
    try:
        to_json(value)
    except PydanticSerializationError as failed:  # it can have another reason in a value that is not JSON
        return "surrogates" in str(failed)
    return False


def remove_fields(sent: dict[str, Any], paths: Iterable[tuple[int | str, ...]]) -> dict[str, Any]:
    """Return a copy of an object without the fields at some paths; it shares what has none of them.

    Examples:
        >>> remove_fields({"a": None, "b": [{"c": None, "d": 1}]}, [("a",), ("b", 0, "c")])
        {'b': [{'d': 1}]}
    """
    copied: dict[str, Any] = _remove_fields(sent, paths)
    return copied


def _remove_fields(value: Any, paths: Iterable[tuple[int | str, ...]]) -> Any:
    below: dict[int | str, list[tuple[int | str, ...]]] = {}
    for first, *rest in paths:
        below.setdefault(first, []).append(tuple(rest))
    copied = value.copy()
    for name, inner in below.items():
        if () in inner:
            del copied[name]
        else:
            copied[name] = _remove_fields(copied[name], inner)
    return copied


def count_unknown_fields(sent: object, known: object) -> int:
    """Count the fields that `find_unknown_fields` yields, without computing their paths.

    Examples:
        >>> count_unknown_fields({"a": 1, "b": [{"c": 2, "d": 3}]}, {"b": [{"c": 2}]})
        2
    """
    if isinstance(sent, dict) and isinstance(known, dict):
        common = sent.keys() & known.keys()
        return len(sent) - len(common) + sum(count_unknown_fields(sent[name], known[name]) for name in common)
    if isinstance(sent, list) and isinstance(known, list):
        return sum(map(count_unknown_fields, sent, known))
    return 0


def find_unknown_fields(sent: object, known: object, path: str = "") -> Iterator[str]:
    """Yield the paths of fields that were sent but are unknown.

    Examples:
        >>> list(find_unknown_fields({"a": 1, "b": [{"c": 2, "d": 3}]}, {"b": [{"c": 2}]}))
        ['a', 'b[0].d']
    """
    if isinstance(sent, dict) and isinstance(known, dict):
        for name, value in sent.items():
            field_path = f"{path}.{shorten(name)}" if path else shorten(name)
            if name in known:
                yield from find_unknown_fields(value, known[name], field_path)
            else:
                yield field_path
    elif isinstance(sent, list) and isinstance(known, list):
        for index, (one, other) in enumerate(zip(sent, known, strict=False)):
            yield from find_unknown_fields(one, other, f"{path}[{index}]")

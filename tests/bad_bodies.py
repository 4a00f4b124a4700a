"""Bad bodies of any size for a partial update, and what each is refused with."""

from collections.abc import Callable, Iterator


def _repeated(item: Callable[[int], str], size: int) -> str:
    """Items with commas between, of about so many characters in all."""

    def items() -> Iterator[str]:
        length = number = 0
        while length < size:
            one = item(number)
            length += len(one) + 1
            number += 1
            yield one

    return ",".join(items())


def _object(name: str, value: str) -> str:
    return f'{{"{name}":{value}}}'


WIDE = "\N{FULLWIDTH LATIN CAPITAL LETTER A}"
ESCAPE = "\\u0000"

SHAPES: dict[str, Callable[[int], str]] = {
    "unknown keys": lambda size: "{" + _repeated('"field{0}":{0}'.format, size) + ',"nickName":7}',
    "custom properties": lambda size: _object(
        "customProperties", "{" + _repeated('"k{}":[{{}}]'.format, size) + "}"
    ),
    "objects that lack fields": lambda size: _object(
        "organizations", "[" + _repeated(lambda _: '{"orgUnits":[{}]}', size) + "]"
    ),
    "one string": lambda size: _object("nickName", f'"{"x" * size}"'),
    "deep nesting": lambda size: _object("nickName", "[" * size),
    "backslashes": lambda size: _object("nickName", f'"{chr(92) * (size // 2 * 2)}"'),
}
"""The six shapes that the bounds are stated for."""

FURTHER: dict[str, Callable[[int], str]] = {
    "objects that lack fields in one object": lambda size: _object(
        "organizations", '[{"orgUnits":[' + _repeated(lambda _: "{}", size) + "]}]"
    ),
    "wrong items": lambda size: _object("aliasEmails", "[" + _repeated(lambda _: "7", size) + "]"),
    "many items": lambda size: _object("aliasEmails", "[" + _repeated('"a{}"'.format, size) + "]"),
    "names in many languages": lambda size: _object("i18nNames", "[" + _repeated(lambda _: "7", size) + "]"),
    "unknown keys of a field": lambda size: (
        '{"nickName":7,"userName":{' + _repeated('"field{0}":{0}'.format, size) + "}}"
    ),
    "long names of custom properties": lambda size: _object(
        "customProperties",
        "{" + _repeated(lambda number: f'"{number}{"k" * 1000}":1', size) + "}",
    ),
    "nested custom properties": lambda size: _object(
        "customProperties", '{"k":[' + _repeated(lambda _: "[" * 100 + "]" * 100, size) + "]}"
    ),
    "the same key": lambda size: "{" + _repeated(lambda _: '"nickName":7', size) + "}",
    "a number": lambda size: _object("domainId", "9" * size),
    "numbers": lambda size: _object(
        "customProperties", '{"k":[' + _repeated(lambda _: "1.5", size) + ",1e999]}"
    ),
    "signs of URLs": lambda size: _object("email", f'"{"://" * (size // 3)}"'),
    "one key": lambda size: '{"' + "k" * size + '":1,"nickName":7}',
    "no JSON": lambda size: "x" * size,
    "numbers with exponents": lambda size: (
        '{"nickName":7,"x":[' + _repeated(lambda _: '{"a":1e5}', size) + "]}"
    ),
    "an address without an end": lambda size: f'{{"nickName":7,"aliasEmails":["{"a" * size}"]}}',
    "addresses that are almost ones": lambda size: (
        f'{{"nickName":7,"aliasEmails":["{"a" * (size // 2)}@","@{"b" * (size // 2)}"]}}'
    ),
    "wide letters": lambda size: _object("timeZone", f'"{WIDE * (size // 3)}"'),
    "escapes": lambda size: _object("nickName", f'"{ESCAPE * (size // 6)}"'),
}

ACCEPTED: dict[str, Callable[[int], str]] = {
    "keys that stand twice": lambda size: _object(
        "x", "[" + _repeated(lambda _: '{"a":1,"a":2}', size) + "]"
    ),
    "unknown keys of an object": lambda size: _object(
        "userName", "{" + _repeated('"field{0}":{0}'.format, size) + "}"
    ),
    "colons in keys that stand twice": lambda size: _object(
        "x", "[" + _repeated(lambda _: '{":":1,":":2}', size) + "]"
    ),
}
"""Bodies that no rule forbids, and that could cost as much."""

"""Find text that looks like a secret in what people write, such as the source of a cell.

`svckit.display.masking.mask` masks secrets of HTTP and the service. Code needs more: any variable may hold a secret,
and a secret of another service is known by its form alone.
"""

import re

from svckit.display.masking import MASK

__all__ = ["cover", "cover_forms"]

FORMS = re.compile(
    r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bgh[pousr]_[0-9A-Za-z]{36}|\bgithub_pat_\w{22}|\bglpat-[\w-]{20}"
    r"|\bxox[abeprs]-[0-9A-Za-z-]{10}[0-9A-Za-z-]*|\bsk-[0-9A-Za-z_-]{32}|\bAIza[\w-]{35}|\bnpm_[0-9A-Za-z]{36}"
    r"|\bpypi-[\w-]{50}|-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----|\beyJ[\w-]{10,4096}\.eyJ[\w-]{10,4096}\.[\w-]{10,4096}"
)
"""Secrets that are known by their form alone."""
NAME = r"(?:secret|pass_?word|passwd|pwd|passphrase|credentials?|token|(?:api|access|private|admin|secret)[_-]?key)"
LITERAL = re.compile(
    # A name or a key, a type annotation, an assignment or comparison, and a string without spaces.
    rf"""(?P<head>(?P<name>{NAME})(?:_?\d{{1,2}})?["']?\]?\s{{0,9}}(?::\s{{0,9}}\w{{1,30}}\s{{0,9}}(?==))?(?:==?|:)"""
    r"""\s{0,9}[bfru]{0,2}(?P<open>["']))(?P<value>[^\s"']{4,})(?=(?P=open))""",
    re.IGNORECASE,
)
WRAPPED = re.compile(r"""(?P<head>\b(?P<name>Secret)\(\s{0,9}["'])(?P<value>[^\s"']{4,})""")
FIELD = re.compile(
    rf"""(?P<head>[?&"']\w{{0,40}}?(?P<name>{NAME})=)(?P<value>[^\s"'&]{{4,}})""", re.IGNORECASE
)
"""A field of a URL or a form; elsewhere it would be an argument of a call."""
EXPORTED = re.compile(
    rf"""(?P<head>(?:\bexport|%(?:set_)?env)\s{{1,9}}\w{{0,60}}(?P<name>{NAME})(?:\s{{0,9}}=|\s)\s{{0,9}})"""
    r"""(?P<value>[^\s"']{4,})""",
    re.IGNORECASE,
)
URL_PASSWORD = re.compile(
    r"""(?P<head>://[^\s/:@"'{}<>]{1,100}:)(?P<value>[^\s/:@"']{4,100})(?=@)(?P<name>)"""
)

WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")
PLACEHOLDER_WORDS = frozenset(
    re.findall(
        r"\w+",
        """a access admin an another api bad bot change changeme client correct dummy example expired fake good here
        hidden id invalid is it key me my new no none not null of old other pass password placeholder redacted refresh
        right secret some the this to token user valid value word wrong x xx xxx xxxx xxxxx xxxxxx xxxxxxxx your""",
    )
)
"""Words that are used as placeholders for a secret."""
LONG = 16
"""A token has a digit or at least this many characters: ``expired`` is not one."""


def cover_forms(text: str) -> str:
    """Mask secrets that are known by their form, such as a cloud key or a private key.

    Examples:
        >>> cover_forms("key = 'AKIAIOSFODNN7EXAMPLE'")
        "key = '***'"
    """
    return FORMS.sub(MASK, text)


def cover(source: str) -> str:
    """Mask the secrets in code or prose, by their form or by the name they are assigned to.

    Names, calls and placeholders are not secrets, as in ``password=given``, ``token = read()`` and
    ``secret="<your secret>"``.

    Examples:
        >>> print(cover('svc.sign_in(password="hunter2", client_secret=read("id"))'))
        svc.sign_in(password="***", client_secret=read("id"))
        >>> print(cover('login = {"password": "your-password"}'))
        login = {"password": "your-password"}
    """
    covered = cover_forms(source)
    for pattern in (LITERAL, WRAPPED, FIELD, EXPORTED, URL_PASSWORD):
        covered = pattern.sub(_mask, covered)
    return covered


def _mask(found: re.Match[str]) -> str:
    name, value = found["name"].lower(), found["value"]
    is_word = name == "token" and value.isalpha() and len(value) < LONG
    return found[0] if is_word or _is_placeholder(value) else f"{found['head']}{MASK}"


def _is_placeholder(value: str) -> bool:
    """Return whether a value is a placeholder for a secret."""
    words = [word.lower() for word in WORDS.findall(value)]
    return (
        not words
        or value[0] in "<{$"
        or "{" in value
        or "://" in value
        or PLACEHOLDER_WORDS.issuperset(words)
    )

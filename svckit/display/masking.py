"""The only place that masks secrets in free text."""

import re
import sys
from collections.abc import Callable

from svckit.display.late_patterns import LatePattern, compile_later

__all__ = [
    "MASK",
    "describe_failure",
    "is_secret_name",
    "mask",
    "mask_beginning",
    "mask_path",
    "mask_transfer_urls",
]

MASK = "***"
"""The text shown in place of a secret."""

_ANY_CASE = re.ASCII | re.IGNORECASE


def _keep(choice: str, sign: str = "+") -> str:
    """Return a pattern that repeats a choice and gives none back, which would cost hundreds of bytes for each."""
    # Before Python 3.11.5 a possessive group matches too much, or nothing. An atomic one is right, at that cost.
    return f"(?:{choice}){sign}+" if sys.version_info >= (3, 11, 5) else f"(?>(?:{choice}){sign})"


_NAME = (
    r"(?:access_?token|refresh_?token|id_?token|client_?secret|bot_?secret|admin_?key|login_?ticket|"
    r"password|assertion|code_?verifier|code_?challenge|code)"
)
_SECRET_NAME = compile_later(_NAME, _ANY_CASE)
_ERROR_CODE = compile_later(r"[A-Z][A-Z_]*")
_STATUS = compile_later(r"[0-9]{1,3}[,;:.)\]}]*")
"""A number as short as an HTTP status, with closing punctuation; no authorization code is that short."""

# Text in angle brackets is a placeholder, as in an explanation; so are {webhookId}, as in a path template, and
# $ACCESS_TOKEN, as in a curl command.
# Each pattern starts at a literal and repeats single characters only, so that a search takes linear time.
_VARIABLE = r"""\$\{?[A-Z][A-Z0-9_]{0,40}\}?(?=[\s"'\\]|\Z)"""
_OWN = (
    r"(?-i:\$(?:ACCESS_TOKEN|REFRESH_TOKEN|ID_TOKEN|CLIENT_SECRET|BOT_SECRET|ADMIN_KEY|LOGIN_TICKET|PASSWORD|ASSERTION|"
    r"""CODE_VERIFIER|CODE_CHALLENGE|CODE|STATE)(?=[\s"'\\&]|\Z))"""
)
"""The variables that curl commands have in place of secret fields; a password may begin with a dollar sign too."""
_AUTHORIZATION = compile_later(
    r"""(\bAuthorization\\{0,3}["']?[ \t]*[:=,][ \t]*b?\\{0,3}["']?"""
    rf"""(?!(?:[A-Za-z]{{1,20}}[ \t]+)?<|[A-Za-z]{{1,20}}[ \t]+{_VARIABLE})"""
    r"""(?:[A-Za-z]{1,20}[ \t]+)?)[^\s"'\\,;]+""",
    _ANY_CASE,
)
_BEARER = compile_later(r"(\bBearer(?:[ \t+]|%20))[0-9A-Za-z._~+/=-]{16,}", _ANY_CASE)
# An apostrophe ends the value of a form field only where it closes a quotation, of a shell or of Python.
_IN_FORM = r"""[^\s"'<>&#\\]|'(?![\s,;)\]}]|$)"""
_PAIR = compile_later(
    rf"""((?:(?<![0-9A-Za-z_-])|(?<=%3F)|(?<=%26)){_NAME}(?:=|%3D))(?!{_OWN})({_keep(_IN_FORM)})""",
    _ANY_CASE,
)
# A JSON field, even inside a JSON string (where its quotes are escaped), and even truncated.
_IN_STRING = r"(?!(?P=esc)(?P=open))(?:\\.|[^\\]|\\$)"
_FIELD = compile_later(
    rf"""(?P<head>(?P<esc>\\{{0,3}})(?P<quote>["'])(?P<name>{_NAME})(?P=esc)(?P=quote)\s*:\s*)"""
    rf"""(?:(?P=esc)(?P<open>["'])(?!'"{_OWN})(?P<text>{_keep(_IN_STRING)})|(?P<number>-?[0-9][0-9.e+-]*))""",
    _ANY_CASE | re.DOTALL,
)
# Outside a URL or a form, state is an ordinary word.
_STATE = compile_later(rf"""((?:\A|[?&]|%3F|%26)state(?:=|%3D))(?!{_OWN})[^\s"'<>&#\\]+""", _ANY_CASE)
_IN_USER_INFO = r"""(?!%2F|%3F|%23|%40)[^\s/?#&"'<>\\]"""
_USER_INFO = compile_later(
    rf"""(:\\{{0,3}}/\\{{0,3}}/)[^\s/?#"'<>\\]+@|(%3A%2F%2F){_keep(_keep(_IN_USER_INFO, "*") + "%40")}""",
    _ANY_CASE,
)
# What a fake issues is recognized by its shape, wherever it appears.
_WORDS = "wh|at|rt|cs|bs|ak|code|login|up|dl|pw"
_ISSUED = compile_later(rf"(?:{_WORDS})(?:_|%5F)[0-9a-f]{{40,}}|pw(?:_|%5F)[0-9a-f]{{20,}}", _ANY_CASE)
_WEBHOOK = compile_later(
    r"""((?:\\?/|%2F)message(?:\\?/|%2F))(?!\{webhookId\})[^\s/?#&"'<>\\(),;]+""", _ANY_CASE
)

# URLs of one transfer: the field of a response, and the header as a log writes it. A user's location is not a URL.
_IN_URL = r"""\\+/|[^\s"'\\]"""
_TRANSFER_URL = compile_later(
    r"""(["']upload_?url\\{0,3}["']\s*:\s*\\{0,3}["']|\blocation["']?\s*[:,]\s*b?["']?(?=(?:[a-z][a-z0-9+.-]*:)?\\*/))"""
    rf"""({_keep(_IN_URL)})""",
    _ANY_CASE,
)
_ORIGIN = compile_later(r"(?:[a-z][a-z0-9+.-]*:)?//[^/?#]*", _ANY_CASE)


def is_secret_name(name: str) -> bool:
    """Return whether a field of this name holds a secret, in either spelling.

    Examples:
        >>> is_secret_name("client_secret"), is_secret_name("accessToken"), is_secret_name("nickName")
        (True, True, False)
    """
    return _SECRET_NAME().fullmatch(name) is not None


def mask(text: str) -> str:
    """Return free text, such as that of an HTTP message, with its secrets masked.

    It masks the credentials of an ``Authorization`` header, the values of form, query and JSON fields named
    ``access_token``, ``refresh_token``, ``id_token``, ``client_secret``, ``password``, ``code`` (and
    ``bot_secret``, ``admin_key``, ``login_ticket``, ``assertion``, ``code_verifier`` and ``code_challenge``, which
    may equal it), the parameter ``state`` of a query or form, the user and password in a URL
    (``https://user:password@host``), the secret part of a webhook URL, ``/message/<id>``, and anywhere what a fake
    issues: a short word, ``_`` and 40 hexadecimal digits. An error code of the service (a number in a JSON field
    ``code``, or capital letters; elsewhere a number below 1000, as in ``code=404``) is not a secret and stays.
    Masking twice changes nothing, and the time it takes grows with the length of the text.

    Args:
        text: the text, of any length.

    Examples:
        >>> mask("POST /message/Zk3?x=1 with Authorization: Bearer eyJhbGciOi")
        'POST /message/***?x=1 with Authorization: Bearer ***'
        >>> mask("grant_type=authorization_code&code=Qx7&client_secret=s3cr3t")
        'grant_type=authorization_code&code=***&client_secret=***'
        >>> mask('{"access_token": "eyJhbGciOi", "expires_in": "86400"} {"code": "NOT_FOUND"}')
        '{"access_token": "***", "expires_in": "86400"} {"code": "NOT_FOUND"}'
        >>> mask("GET https://mina:s3cr3t@app.example/callback?state=Rk9")
        'GET https://***@app.example/callback?state=***'
    """
    # Most texts contain none of the words that the patterns look for, and checking that takes a fraction of the time.
    plain = text.lower()
    for signs, pattern, replacement in _SECRETS:
        # Not `any` of a generator, which would be resumed for each sign: every request is masked.
        for sign in signs:
            if sign in plain:
                text = pattern().sub(replacement, text)
                break
    return text


def describe_failure(error: BaseException) -> str:
    """Return the type and the message of an error, with its secrets masked.

    Examples:
        >>> describe_failure(ValueError("no room has the webhook /message/Zk3"))
        'ValueError: no room has the webhook /message/***'
    """
    return mask(f"{type(error).__name__}: {error}")


def mask_path(url: str) -> str:
    """Return the URL of an upload or a download with everything after its origin masked.

    Whoever has such a URL may be able to use it. Where a service puts the secret is not described: it may be any part
    of the path, or the query. A path whose last part is masked already, as that of a fake's URL, stays.

    Examples:
        >>> mask_path("https://files.example/k/Zk3/plan.txt?signature=Qx7"), mask_path("https://files.example/up/***")
        ('https://files.example/***?***', 'https://files.example/up/***')
    """
    found = _ORIGIN().match(url)
    origin = found[0] if found else ""
    path, question_mark, _ = url[len(origin) :].partition("?")
    shown = path if path.endswith(MASK) or not path.strip("/") else f"/{MASK}"
    return f"{origin}{shown}?{MASK}" if question_mark else f"{origin}{shown}"


def mask_transfer_urls(text: str) -> str:
    """Return text of a response in which the URLs of transfers are masked as by `mask_path`.

    Examples:
        >>> mask_transfer_urls('{"uploadUrl":"https://files.example/k/Zk3"}')
        '{"uploadUrl":"https://files.example/***"}'
    """
    plain = text.lower()
    if not any(sign in plain for sign in ("uploadurl", "upload_url", "location")):
        return text
    return _TRANSFER_URL().sub(lambda found: found[1] + mask_path(re.sub(r"\\+/", "/", found[2])), text)


def mask_beginning(text: str, length: int) -> str:
    """Mask the secrets at the beginning of a text, in a time that does not depend on its length.

    Args:
        text: of any length.
        length: the most characters of the masked text to return.

    Examples:
        >>> mask_beginning("code=Qx7&" + "x" * 1_000_000, 12)
        'code=***&xxx'
    """
    if len(text) <= length + _MARGIN:
        return mask(text)[:length]
    # The cut may have split the user part of a URL, or a secret that is recognized by its length.
    beginning = _CUT().sub(MASK, mask(text[: length + _MARGIN] + "@"))
    return beginning.removesuffix("@")[:length]


def _mask_pair(pair: re.Match[str]) -> str:
    is_status = pair[1][:4].lower() == "code" and _STATUS().fullmatch(pair[2])
    return pair[0] if is_status else f"{pair[1]}{MASK}"


def _mask_user_info(found: re.Match[str]) -> str:
    return f"{found[1]}{MASK}@" if found[1] else f"{found[2]}{MASK}%40"


def _mask_field(field: re.Match[str]) -> str:
    is_code = field["name"].lower() == "code"
    if field["text"] is None:
        return field[0] if is_code else f'{field["head"]}{field["esc"]}"{MASK}{field["esc"]}"'
    if is_code and (_ERROR_CODE().fullmatch(field["text"]) or _STATUS().fullmatch(field["text"])):
        return field[0]
    return f"{field['head']}{field['esc']}{field['open']}{MASK}"


_MARGIN = 256
"""Characters to mask beyond those to return, because secrets are longer than their masks."""
_CUT = compile_later(
    rf"(?:\bBearer(?:[ \t]+|%20)|(?:{_WORDS})(?:_|%5F))[0-9A-Za-z._~+/=-]*+@\Z",
    _ANY_CASE,
)
_ENDS = ("token", "secret", "key", "ticket", "password", "assertion", "verifier", "challenge", "code")
_FIELDS = tuple(f"{end}{closing}" for end in _ENDS for closing in "\"'\\")
_PAIRS = tuple(f"{end}{equals}" for end in _ENDS for equals in ("=", "%3d"))
_SHAPES = tuple(f"{word}{sign}" for word in _WORDS.split("|") for sign in ("_", "%5f"))

# Each pattern has words in lower case; in a text with none of them it matches nothing.
_SECRETS: tuple[tuple[tuple[str, ...], LatePattern, str | Callable[[re.Match[str]], str]], ...] = (
    (("authorization",), _AUTHORIZATION, rf"\g<1>{MASK}"),
    (("bearer",), _BEARER, rf"\g<1>{MASK}"),
    (_FIELDS, _FIELD, _mask_field),
    (_PAIRS, _PAIR, _mask_pair),
    (("state",), _STATE, rf"\g<1>{MASK}"),
    (("@", "%40"), _USER_INFO, _mask_user_info),
    (("message",), _WEBHOOK, rf"\g<1>{MASK}"),
    (_SHAPES, _ISSUED, MASK),
)

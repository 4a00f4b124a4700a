"""Requests as bytes, by combination: start lines, fields, framings of the body and what follows, well formed or not.

Each is followed by another request. So what is refused gets one response, and what is accepted gets two: a server that
finds another end of the first request does not.
"""

from itertools import product

TARGET = b"/api/users/u-001"
VERSION = b" HTTP/1.1"
HOST = b"Host: x\r\n"
AUTHORIZATION = b"Authorization: Bearer TOKEN\r\nContent-Type: application/json\r\n"
LENGTH = b"Content-Length: 2\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n"
CHUNKS = b"2\r\n{}\r\n0\r\n\r\n"
LAST = b"GET /hooks HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"

ORDINARY = b"PATCH " + TARGET + VERSION
FRAMED = {"a length": (LENGTH, b"{}"), "chunks": (CHUNKED, CHUNKS)}


def make(start=ORDINARY, fields=HOST, framing=LENGTH, body=b"{}", after=LAST, ends=b"\r\n"):
    return start + ends + (fields + AUTHORIZATION + framing).replace(b"\r\n", ends) + ends + body + after


STARTS = {
    "ordinary": ORDINARY,
    "absolute": b"PATCH http://h:9" + TARGET + VERSION,
    "absolute without a path": b"PATCH http://h" + VERSION,
    "of another scheme": b"PATCH ftp://h" + TARGET + VERSION,
    "authority": b"PATCH h:443" + VERSION,
    "asterisk": b"OPTIONS *" + VERSION,
    "relative": b"PATCH api/users/u-001" + VERSION,
    "two slashes": b"PATCH //api//users/u-001" + VERSION,
    "of a proxy": b"CONNECT h:443" + VERSION,
    "a fragment": b"PATCH " + TARGET + b"#x" + VERSION,
    "a query": b"PATCH " + TARGET + b"?a=%C3%A9&b" + VERSION,
    "a bad escape": b"PATCH /api/users/%zz" + VERSION,
    "a zero escaped": b"PATCH /api/users/%00" + VERSION,
    "quotes": b'PATCH /api/users/"<>\\^`{|}' + VERSION,
    "dots": b"PATCH /api/../api/users/u-001" + VERSION,
    "a long target": b"PATCH " + TARGET + b"?" + b"a" * 20_000 + VERSION,
    "another method": b"BREW " + TARGET + VERSION,
    "a method in small letters": b"patch " + TARGET + VERSION,
    "a method of WebDAV": b"PROPFIND " + TARGET + VERSION,
    "version 1.2": b"PATCH " + TARGET + b" HTTP/1.2",
    "an empty line before": b"\r\n" + ORDINARY,
    "empty lines before": b"\r\n" * 3 + ORDINARY,
}
BAD_STARTS = {
    "two blanks": b"PATCH  " + TARGET + VERSION,
    "two blanks at the end": b"PATCH " + TARGET + b" " + VERSION,
    "a tab": b"PATCH\t" + TARGET + VERSION,
    "a tab before the version": b"PATCH " + TARGET + b"\tHTTP/1.1",
    "a blank before": b" " + ORDINARY,
    "a blank after": ORDINARY + b" ",
    "a blank in the target": b"PATCH " + TARGET + b" x" + VERSION,
    "a line feed before": b"\n" + ORDINARY,
    "a carriage return before": b"\r" + ORDINARY,
    "carriage returns before": b"\r\r\n" + ORDINARY,
    "not ASCII": b"PATCH /api/users/\xc3\xa9" + VERSION,
    "a zero": b"PATCH /api/users/\0" + VERSION,
    "a zero before": b"\0" + ORDINARY,
    "a control character": b"PATCH /api/users/\x01" + VERSION,
    "a carriage return": b"PATCH /api/users/\r" + VERSION,
    "delete": b"PATCH /api/users/\x7f" + VERSION,
    "version 2": b"PATCH " + TARGET + b" HTTP/2.0",
    "version 0.9": b"PATCH " + TARGET + b" HTTP/0.9",
    "version 1": b"PATCH " + TARGET + b" HTTP/1",
    "version 1.10": b"PATCH " + TARGET + b" HTTP/1.10",
    "version 01.1": b"PATCH " + TARGET + b" HTTP/01.1",
    "a version in small letters": b"PATCH " + TARGET + b" http/1.1",
    "another protocol": b"PATCH " + TARGET + b" ICAP/1.0",
    "no version": b"PATCH " + TARGET,
    "no target": b"PATCH" + VERSION,
    "an empty target": b"PATCH " + VERSION,
    "no method": TARGET + VERSION,
    "a bad method": b"PA(TCH " + TARGET + VERSION,
    "a colon in the method": b"PATCH: " + TARGET + VERSION,
    "too long a target": b"PATCH /" + b"a" * 70_000 + VERSION,
}
FIELDS = {
    "an empty value": b"X-A:\r\n",
    "blanks around a value": b"X-A: \t a \t \r\n",
    "no blank": b"X-A:a\r\n",
    "not ASCII": b"X-A: \xc3\xa9\xff\r\n",
    "a control character": b"X-A: \x01\r\n",
    "odd characters in a name": b"!#$%&'*+-.^_`|~1: a\r\n",
    "a long value": b"X-A: " + b"a" * 20_000 + b"\r\n",
    "many": b"".join(b"X-%d: a\r\n" % number for number in range(100)),
    "kept alive": b"Connection: keep-alive\r\n",
    "kept alive in capitals": b"CONNECTION: KEEP-ALIVE\r\n",
    "another connection": b"Connection: X-A, te\r\nTE: trailers\r\n",
    "an offer to upgrade": b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n",
    "an offer of a socket": b"Connection: Upgrade\r\nUpgrade: websocket\r\n",
    "an upgrade without an offer": b"Upgrade: h2c\r\n",
    "a proxy's connection": b"Proxy-Connection: close\r\n",
    "another expectation": b"Expect: nothing\r\n",
    "a length by another name": b"Content_Length: 7\r\nX-Content-Length: 7\r\nContent-Lengths: 7\r\n",
    "a coding by another name": b"Transfer_Encoding: chunked\r\nTransfer-Encodings: chunked\r\n",
}
BAD_FIELDS = {
    "folded": b"X-A: a\r\n b\r\n",
    "folded by a tab": b"X-A: a\r\n\tb\r\n",
    "folded before": b" X-A: a\r\n",
    "a blank before the colon": b"X-A : a\r\n",
    "a tab before the colon": b"X-A\t: a\r\n",
    "a blank in a name": b"X A: a\r\n",
    "a bracket in a name": b"X(A): a\r\n",
    "a zero in a name": b"X\0A: a\r\n",
    "not ASCII in a name": b"X-\xc3\xa9: a\r\n",
    "no name": b": a\r\n",
    "no colon": b"X-A\r\n",
    "a zero": b"X-A: a\0b\r\n",
    "a carriage return": b"X-A: a\rb\r\n",
    "a carriage return at the end": b"X-A: a\r\r\n",
    "a line feed": b"X-A: a\nb\r\n",
    "a line feed that ends it": b"X-A: a\n",
    "a vertical tab": b"X-A: a\x0bb\r\n",
    "a form feed": b"X-A: a\x0cb\r\n",
    "too long a value": b"X-A: " + b"a" * 70_000 + b"\r\n",
    "too many": b"X-A: a\r\n" * 9_000,
    "a second host": b"Host: y\r\n",
}
FRAMINGS = {
    "blanks around the length": (b"Content-Length: \t 2 \t\r\n", b"{}"),
    "no blank before the length": (b"Content-Length:2\r\n", b"{}"),
    "a length with a zero": (b"Content-Length: 02\r\n", b"{}"),
    "a length in capitals": (LENGTH.upper(), b"{}"),
    "a coding in capitals": (CHUNKED.upper(), CHUNKS),
    "a coding with blanks": (b"Transfer-Encoding: \t chunked \t\r\n", CHUNKS),
}
BAD_FRAMINGS = {
    "one length twice": (LENGTH * 2, b"{}"),
    "two lengths": (LENGTH + b"Content-Length: 3\r\n", b"{}"),
    "a list of lengths": (b"Content-Length: 2, 2\r\n", b"{}"),
    "a list of two lengths": (b"Content-Length: 2, 3\r\n", b"{}"),
    "a signed length": (b"Content-Length: +2\r\n", b"{}"),
    "a negative length": (b"Content-Length: -2\r\n", b"{}"),
    "a hexadecimal length": (b"Content-Length: 0x2\r\n", b"{}"),
    "a length with a fraction": (b"Content-Length: 2.0\r\n", b"{}"),
    "a length with an underscore": (b"Content-Length: 0_2\r\n", b"{}"),
    "a length in other digits": ("Content-Length: \u0662\r\n".encode(), b"{}"),
    "an empty length": (b"Content-Length:\r\n", b"{}"),
    "a length with a blank": (b"Content-Length: 2 2\r\n", b"{}"),
    "an endless length": (b"Content-Length: " + b"9" * 30 + b"\r\n", b"{}"),
    "a folded length": (b"Content-Length:\r\n 2\r\n", b"{}"),
    "a length and a coding": (LENGTH + CHUNKED, CHUNKS),
    "a coding and a length": (CHUNKED + LENGTH, CHUNKS),
    "two codings": (CHUNKED * 2, CHUNKS),
    "two codings in a list": (b"Transfer-Encoding: chunked, chunked\r\n", CHUNKS),
    "a coding before": (b"Transfer-Encoding: gzip, chunked\r\n", CHUNKS),
    "a coding after": (b"Transfer-Encoding: chunked, gzip\r\n", CHUNKS),
    "another coding before": (b"Transfer-Encoding: gzip\r\n" + CHUNKED, CHUNKS),
    "another coding after": (CHUNKED + b"Transfer-Encoding: identity\r\n", CHUNKS),
    "identity": (b"Transfer-Encoding: identity\r\n", b"{}"),
    "an empty coding": (b"Transfer-Encoding:\r\n", CHUNKS),
    "an unknown coding": (b"Transfer-Encoding: xchunked\r\n", CHUNKS),
    "a coding in quotes": (b'Transfer-Encoding: "chunked"\r\n', CHUNKS),
    "a coding with a parameter": (b"Transfer-Encoding: chunked;q=1\r\n", CHUNKS),
    "a coding after a vertical tab": (b"Transfer-Encoding: \x0bchunked\r\n", CHUNKS),
    "a coding before a zero": (b"Transfer-Encoding: chunked\0\r\n", CHUNKS),
    "a folded coding": (b"Transfer-Encoding:\r\n chunked\r\n", CHUNKS),
    "a blank after the coding's name": (b"Transfer-Encoding : chunked\r\n", CHUNKS),
}
SIZES = {
    "zeros before": b"0002\r\n",
    "an extension": b"2;a\r\n",
    "an extension with a value": b'2;a="b;c"\r\n',
    "a blank after": b"2 \r\n",
}
BAD_SIZES = {
    "none": b"\r\n",
    "a blank before": b" 2\r\n",
    "a sign": b"+2\r\n",
    "a minus": b"-2\r\n",
    "a prefix": b"0x2\r\n",
    "an underscore": b"0_2\r\n",
    "no number": b"g\r\n",
    "two numbers": b"2 2\r\n",
    "endless": b"0" * 30 + b"2\r\n",
    "a line feed": b"2\n",
    "a line feed in an extension": b"2;a\nb\r\n",
    "a zero": b"2\0\r\n",
    "a carriage return": b"2\r{}",
}
BODIES = {
    "chunks of one byte": b"1\r\n{\r\n1\r\n}\r\n0\r\n\r\n",
    "zeros for the last chunk": b"2\r\n{}\r\n000\r\n\r\n",
    "an extension of the last chunk": b"2\r\n{}\r\n0;a\r\n\r\n",
    "a trailer": b"2\r\n{}\r\n0\r\nX-A: a\r\n\r\n",
    "a length as a trailer": b"2\r\n{}\r\n0\r\nContent-Length: 7\r\n\r\n",
    "a coding as a trailer": b"2\r\n{}\r\n0\r\nTransfer-Encoding: chunked\r\n\r\n",
    "authorization as a trailer": b"2\r\n{}\r\n0\r\nAuthorization: none\r\n\r\n",
    "a host as a trailer": b"2\r\n{}\r\n0\r\nHost: y\r\n\r\n",
    **{f"{name} in a size": size + b"{}\r\n0\r\n\r\n" for name, size in SIZES.items()},
}
BAD_BODIES = {
    "a chunk that ends in a line feed": b"2\r\n{}\n0\r\n\r\n",
    "a chunk that ends in a carriage return": b"2\r\n{}\r0\r\n\r\n",
    "a chunk that does not end": b"2\r\n{}0\r\n\r\n",
    "a chunk that is longer": b"2\r\n{}{}\r\n0\r\n\r\n",
    "a trailer without a colon": b"2\r\n{}\r\n0\r\nX-A\r\n\r\n",
    "a trailer with a zero": b"2\r\n{}\r\n0\r\nX-A: \0\r\n\r\n",
    "a blank after the name of a trailer": b"2\r\n{}\r\n0\r\nX-A : a\r\n\r\n",
    "another coding as a trailer": b"2\r\n{}\r\n0\r\nTransfer-Encoding: gzip\r\n\r\n",
    "a length as a trailer that is not a number": b"2\r\n{}\r\n0\r\nContent-Length: x\r\n\r\n",
    **{f"{name} as a size": size + b"{}\r\n0\r\n\r\n" for name, size in BAD_SIZES.items()},
}
AFTER = {"an empty line": b"\r\n" + LAST, "empty lines": b"\r\n" * 3 + LAST}
BAD_AFTER = {
    "more of a body": b"{}" + LAST,
    "a blank": b" " + LAST,
    "a line feed": b"\n" + LAST,
    "garbage": b"garbage\r\n\r\n" + LAST,
    "a zero": b"\0" + LAST,
}


def framed(part, rows):
    """Requests with each of these parts, each with a length and with chunks."""
    return {
        f"{name}, {kind}": make(**{part: row}, framing=framing, body=body)
        for (name, row), (kind, (framing, body)) in product(rows.items(), FRAMED.items())
    }


def hosted(fields):
    """The same fields, after the host."""
    return {name: HOST + field for name, field in fields.items()}


def started(framings):
    """Requests with each of these framings, of two methods."""
    return {
        f"{name}, {start}": make(STARTS[start], framing=framing, body=body)
        for (name, (framing, body)), start in product(framings.items(), ("ordinary", "another method"))
    }


CONNECTIONS = (b"close", b"CLOSE", b"X-A, close", b"keep-alive, close", b"close, keep-alive", b"close ")
ACCEPTED = {
    **framed("start", STARTS),
    **framed("fields", hosted(FIELDS)),
    **started(FRAMINGS),
    **{name: make(framing=CHUNKED, body=body) for name, body in BODIES.items()},
    **{
        f"{kind} and then {name}": make(framing=framing, body=body, after=after)
        for (kind, (framing, body)), (name, after) in product(FRAMED.items(), AFTER.items())
    },
}
"""Both requests get a response."""
LAST_ONES = {
    "an old version": make(b"PATCH " + TARGET + b" HTTP/1.0"),
    "an old version without a host": make(b"PATCH " + TARGET + b" HTTP/1.0", fields=b""),
    **framed("fields", hosted({each.decode(): b"Connection: %b\r\n" % each for each in CONNECTIONS})),
    "closed twice": make(fields=HOST + b"Connection: keep-alive\r\nConnection: close\r\n"),
    **{
        f"closed, and then {name}": make(fields=HOST + b"Connection: close\r\n", after=after)
        for name, after in (AFTER | BAD_AFTER).items()
    },
}
"""The first request gets a response, and the connection is closed."""
REFUSED = {
    **framed("start", BAD_STARTS),
    **framed("fields", hosted(BAD_FIELDS)),
    **started(BAD_FRAMINGS),
    "no host": make(fields=b""),
    "line feeds": make(ends=b"\n"),
    "carriage returns": make(ends=b"\r"),
    "line feeds before carriage returns": make(ends=b"\n\r"),
    "chunks in an old version": make(b"PATCH " + TARGET + b" HTTP/1.0", framing=CHUNKED, body=CHUNKS),
    "another protocol's hello": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(100),
}
"""The first request gets a 400, and the connection is closed."""
BROKEN = {
    **{name: make(framing=CHUNKED, body=body) for name, body in BAD_BODIES.items()},
    "a chunk without an end": make(framing=CHUNKED, body=b"9\r\n{}", after=b""),
    "chunks without an end": make(framing=CHUNKED, body=b"2\r\n{}\r\n0\r\n", after=b""),
    "a long trailer without an end": make(
        framing=CHUNKED, body=b"2\r\n{}\r\n0\r\nX-A: " + b"a" * 70_000, after=b""
    ),
    "a body without an end": make(framing=b"Content-Length: 3\r\n", after=b""),
    "a head without an end": ORDINARY + b"\r\n" + HOST,
    "a size without an end": make(framing=CHUNKED, body=b"2", after=b""),
}
"""The head is accepted, but the body is not; whether a 400 arrives depends on how fast the fake is."""
SECOND_REFUSED = {
    f"{kind} and then {name}": make(framing=framing, body=body, after=after)
    for (kind, (framing, body)), (name, after) in product(FRAMED.items(), BAD_AFTER.items())
}
"""The first request gets a response, the second a 400."""

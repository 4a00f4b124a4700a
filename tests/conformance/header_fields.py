"""What a header may be by RFC 9110, held to the responses of every door: a server refuses to send anything else."""

import re

TOKEN = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
VALUE = re.compile(rb"([\x21-\x7e\x80-\xff]([\t \x21-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?")


def malformed(headers):
    """The headers, as pairs of text or bytes, whose name is not a token or whose value is not a field value."""
    pairs = [(encoded(name), encoded(value)) for name, value in headers]
    return [pair for pair in pairs if not (TOKEN.fullmatch(pair[0]) and VALUE.fullmatch(pair[1]))]


def encoded(text):
    return text if isinstance(text, bytes) else text.encode("latin-1")

"""Parse multipart/form-data bodies as they arrive: fields in memory, possible content as `StoredContent`."""

import re
import sys
from dataclasses import dataclass, field
from email.utils import unquote
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser

from fakes.http.content import StoredContent
from fakes.http.errors import Refusal

__all__ = ["FormPart", "MultipartForm", "ReceivedFile"]

PARTS_LIMIT = 16
FIELDS_LIMIT = 64 * 1024
OVERHEAD = 2 * FIELDS_LIMIT
"""The bytes of a form besides the content: plain fields, headers of parts, and delimiters."""
CONTENT_FIELDS = frozenset({"Filedata", "FileData", "file"})
"""Fields that may be the content without a file name, and so may have any size."""
PARAMETER = re.compile(r""";\s*([^=;\s]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^;]*)""")
"""Matches a parameter of a header; its groups are the name, and the value with its quotes."""
# What the HTML standard has browsers (and httpx) percent-encode in a quoted file name.
HTML_ESCAPES = (("%22", '"'), ("%0D", "\r"), ("%0A", "\n"))


class FormPart(NamedTuple):
    """The head of a part of a form: field name, file name (None for a plain field), content type (None without one)."""

    name: str
    file_name: str | None
    content_type: str | None


@dataclass(slots=True)
class ReceivedFile:
    """A part that may be the content: field name, file name (None for a plain field), content type, bytes."""

    name: str
    file_name: str | None
    content_type: str | None
    content: StoredContent = field(default_factory=StoredContent)


@dataclass(slots=True)
class _Field:
    """A plain field that is still being received."""

    name: str
    value: bytearray = field(default_factory=bytearray)


class MultipartForm:
    """An incremental parser of one multipart body, fed in chunks of any size, in constant memory.

    A form may have up to 16 parts and 64 KiB in its plain fields, which is plenty for one file. The parser keeps the
    bytes of the first part with a file name, and of the first field of each name that may be the content; it drops
    the bytes of the others, and the preamble before the first delimiter (RFC 2046).

    Attributes:
        max_size: the largest wanted content in bytes; beyond that, the rest of the form is not needed.
        fields: the plain fields by name.
        files: the parts that may be the content, in order of arrival.
        parts: the heads of all parts so far, also of a form that is refused.

    Examples:
        >>> form = MultipartForm("multipart/form-data; boundary=x")
        >>> form.write(b'--x\\r\\nContent-Disposition: form-data; name="Filedata"; filename="a.txt"\\r\\n')
        >>> form.write(b"Content-Type: text/plain\\r\\n\\r\\nhi\\r\\n--x--\\r\\n")
        >>> form.finish()
        >>> [(part.name, part.file_name, part.content_type, part.content.read()) for part in form.files]
        [('Filedata', 'a.txt', 'text/plain', b'hi')]
    """

    def __init__(self, content_type: str, folder: Path | None = None) -> None:
        self._folder = folder
        self.fields: dict[str, str] = {}
        self.files: list[ReceivedFile] = []
        self.parts: list[FormPart] = []
        self.max_size: int = sys.maxsize
        self._refusal: Refusal | None = None
        self._complete = False  # the closing boundary has arrived
        self._too_long = False  # the content of a file is
        self._begun = 0  # the number of parts; `parts` has those whose headers have arrived
        self._in_fields = 0  # the bytes of plain fields
        self._size = 0  # those of the whole body
        self._headers: dict[str, str] = {}  # of the current part, by name in lower case
        # The parser passes both on in pieces.
        self._header_name = b""
        self._header_value = b""
        self._part: ReceivedFile | _Field | None = None  # None if its bytes are dropped
        self._parser = self._open(content_type)

    def write(self, chunk: bytes) -> None:
        """Add the next chunk of the body; errors are reported by `finish`."""
        if self._refusal is None and self._parser is not None:
            if chunk and not self._size:
                self._begin(self._parser, chunk)
            try:
                self._parser.write(chunk)
            except FormParserError as broken:
                self._refuse(Refusal("invalid", f"the multipart body cannot be read: {broken}"))
            except Refusal as refusal:
                self._refuse(refusal)
        self._size += len(chunk)

    @property
    def is_full(self) -> bool:
        """True if the rest is not needed: too much has arrived, or the form is refused anyway."""
        return self._too_long or self._size - OVERHEAD > self.max_size or self._refusal is not None

    def finish(self) -> None:
        """Check that the body is complete, unless the rest was not read because the content is too long.

        Raises:
            Refusal: it is not multipart, is malformed or too long, or ended before its closing boundary.
        """
        # The parser refers back to this form, and would keep the content until garbage collection.
        self._parser = None
        if self._refusal is not None:
            raise self._refusal
        if not self._complete and not self.is_full:
            never = "" if self._begun else "; no line of it is the boundary from the Content-Type, after --"
            raise Refusal("invalid", f"the multipart body ended before its closing boundary{never}")

    def discard(self) -> None:
        """Free the content now, if the rest will not arrive."""
        self._parser = None
        for part in self.files:
            part.content.discard()

    def _open(self, content_type: str) -> MultipartParser | None:
        kind, boundary = content_type.partition(";")[0], _read_parameters(content_type).get("boundary", "")
        if kind.strip().lower() != "multipart/form-data" or not unquote(boundary):
            self._refusal = Refusal(
                "invalid",
                "the content must be sent as multipart/form-data with a boundary; "
                f"the Content-Type was {content_type or 'not sent'}",
            )
            return None
        try:
            parser = MultipartParser(unquote(boundary).encode("latin-1"))
        except FormParserError as too_long:
            self._refuse(Refusal("invalid", f"the multipart body cannot be read: {too_long}"))
            return None
        return parser

    def _begin(self, parser: MultipartParser, chunk: bytes) -> None:
        """Prepare the parser for a body that begins with a chunk."""
        delimiter = parser.boundary.removeprefix(b"\r\n")
        if not chunk.startswith(delimiter + b"\r\n"):
            # The parser does not support a preamble: let it read one as a part, before the callbacks are set.
            parser.write(delimiter + b"\r\n\r\n\r\n")
        parser.callbacks = {
            "on_part_begin": self._begin_part,
            "on_header_field": self._take_header_name,
            "on_header_value": self._take_header_value,
            "on_header_end": self._end_header,
            "on_headers_finished": self._open_part,
            "on_part_data": self._take_data,
            "on_part_end": self._end_part,
            "on_end": self._end,
        }

    def _refuse(self, refusal: Refusal) -> None:
        """Store the refusal for `finish`, and free the parts."""
        self._refusal = refusal.with_traceback(None)  # whose frames hold the chunk
        self._part = None
        self.files.clear()
        self.fields.clear()

    def _begin_part(self) -> None:
        self._headers = {}
        self._begun += 1
        if self._begun > PARTS_LIMIT:
            raise Refusal(
                "form_limit",
                f"the form has more than {PARTS_LIMIT} parts; send the content of one file in one part named Filedata, "
                "or in the fields resourceName and FileData",
            )

    def _take_header_name(self, data: bytes, start: int, end: int) -> None:
        self._header_name += data[start:end]

    def _take_header_value(self, data: bytes, start: int, end: int) -> None:
        self._header_value += data[start:end]

    def _end_header(self) -> None:
        name, value = self._header_name.decode("latin-1"), self._header_value.decode("utf-8", "replace")
        self._headers[name.lower()] = value.strip(" \t")
        self._header_name = self._header_value = b""

    def _open_part(self) -> None:
        try:
            name, file_name = parse_disposition(self._headers.get("content-disposition", ""))
        except (ValueError, LookupError):  # of an odd filename* parameter
            raise Refusal("invalid", "the Content-Disposition of a part cannot be read") from None
        self.parts.append(FormPart(name, file_name, self._headers.get("content-type")))
        if file_name is None and name not in CONTENT_FIELDS:
            self._part = _Field(name)
            return
        part = ReceivedFile(*self.parts[-1], StoredContent(folder=self._folder))
        part.content.max_size = self.max_size
        first = not any(_are_exclusive(part, earlier) for earlier in self.files)
        self.files.append(part)
        self._part = part if first else None

    def _take_data(self, data: bytes, start: int, end: int) -> None:
        part, piece = self._part, memoryview(data)[start:end]
        if isinstance(part, ReceivedFile):
            part.content.write(piece)
            self._too_long = self._too_long or part.content.is_full
        elif part is not None:
            self._in_fields += len(piece)
            if self._in_fields > FIELDS_LIMIT:
                raise Refusal(
                    "form_limit",
                    f"the plain fields of the form exceed {FIELDS_LIMIT} bytes with {part.name!r}; a file part needs a "
                    'filename in its Content-Disposition, as in name="Filedata"; filename="report.pdf"',
                )
            part.value += piece

    def _end_part(self) -> None:
        if isinstance(self._part, _Field):
            self.fields[self._part.name] = self._part.value.decode("utf-8", "replace")
        self._part = None

    def _end(self) -> None:
        self._complete = True


def _are_exclusive(one: ReceivedFile, other: ReceivedFile) -> bool:
    """Return whether at most one of two parts is the content: both are files, or fields of the same name."""
    if one.file_name is None or other.file_name is None:
        return one.file_name is other.file_name and one.name == other.name
    return True


def _read_parameters(header: str) -> dict[str, str]:
    """Return the parameters of a header by name in lower case, the first of each, with their quotes."""
    return {key.lower(): value.rstrip() for key, value in reversed(PARAMETER.findall(header))}


def parse_disposition(header: str) -> tuple[str, str | None]:
    """Return the field name and the file name of a Content-Disposition header, with any Unicode and quotes.

    A quote in a name is written ``%22`` by browsers and httpx, and with a backslash by others; both are read.
    ``filename*`` (RFC 5987) wins over ``filename``.

    Examples:
        >>> parse_disposition('form-data; name="Filedata"; filename="caf\\u00e9 %22x%22.txt"')
        ('Filedata', 'café "x".txt')
        >>> parse_disposition("form-data; name=a; filename*=UTF-8''na%C3%AFve.txt")
        ('a', 'naïve.txt')
        >>> parse_disposition('form-data; name="note"')
        ('note', None)
    """
    sent = _read_parameters(header)
    name, file_name = unquote(sent.get("name", "")), sent.get("filename")
    if "filename*" in sent:
        charset, _, encoded = sent["filename*"].split("'", 2)
        if '"' in charset:
            raise ValueError("an extended value has no quotes")
        return name, unquote_to_bytes(encoded).decode(charset, "replace")
    if file_name is not None:
        file_name = unquote(file_name)
        for escaped, character in HTML_ESCAPES:
            file_name = file_name.replace(escaped, character)
    return name, file_name

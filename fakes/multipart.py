"""A multipart/form-data body, parsed as it arrives: fields in memory, the file part into a `Content`."""

from dataclasses import dataclass, field
from email.message import Message
from email.utils import collapse_rfc2231_value

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from fakes.content import Content
from fakes.refusals import Refused

__all__ = ["FilePart", "MultipartForm"]

FIELD_LIMIT = 64 * 1024
# What the HTML standard has browsers (and httpx) percent-encode in a quoted file name.
HTML_ESCAPES = (("%22", '"'), ("%0D", "\r"), ("%0A", "\n"))


@dataclass(slots=True)
class FilePart:
    """One part that carries a file: the field's name, the file's own name and type, and its bytes."""

    name: str
    file_name: str
    content_type: str | None
    content: Content = field(default_factory=Content)


class MultipartForm:
    """Collects the parts of one multipart body that is fed in chunks of any size.

    Examples:
        >>> form = MultipartForm("multipart/form-data; boundary=x")
        >>> form.write(b'--x\\r\\nContent-Disposition: form-data; name="Filedata"; filename="a.txt"\\r\\n')
        >>> form.write(b"Content-Type: text/plain\\r\\n\\r\\nhi\\r\\n--x--\\r\\n")
        >>> form.finish()
        >>> [(part.name, part.file_name, part.content_type, part.content.read()) for part in form.files]
        [('Filedata', 'a.txt', 'text/plain', b'hi')]
    """

    def __init__(self, content_type: str) -> None:
        self.fields: dict[str, str] = {}
        self.files: list[FilePart] = []
        self._problem: str | None = None
        self._complete = False
        self._headers: dict[str, str] = {}
        self._header_name = b""
        self._header_value = b""
        self._part: FilePart | None = None
        self._field_name = ""
        self._field_value = bytearray()
        self._parser = self._open(content_type)

    def write(self, chunk: bytes) -> None:
        """Take the next piece of the body; a fault is kept until `finish`, so the client may finish sending."""
        if self._problem is None and self._parser is not None:
            try:
                self._parser.write(chunk)
            except FormParserError as broken:
                self._break(broken)

    def finish(self) -> None:
        """Hold the body to be whole.

        Raises:
            Refused: it was no multipart body, was broken, or ended before its closing boundary.
        """
        if self._problem is None and not self._complete:
            self._problem = "the multipart body ended before its closing boundary"
        if self._problem is not None:
            raise Refused("invalid", self._problem)

    def _open(self, content_type: str) -> MultipartParser | None:
        kind, options = parse_options_header(content_type)
        boundary = options.get(b"boundary", b"")
        if kind != b"multipart/form-data" or not boundary:
            self._problem = (
                "the content must be sent as multipart/form-data with a boundary; "
                f"the Content-Type was {content_type or 'not given'}"
            )
            return None
        try:
            return MultipartParser(
                boundary,
                {
                    "on_part_begin": self._begin_part,
                    "on_header_field": self._take_header_name,
                    "on_header_value": self._take_header_value,
                    "on_header_end": self._end_header,
                    "on_headers_finished": self._open_part,
                    "on_part_data": self._take_data,
                    "on_part_end": self._end_part,
                    "on_end": self._end,
                },
            )
        except FormParserError as too_long:
            self._break(too_long)
            return None

    def _break(self, broken: FormParserError) -> None:
        self._problem = f"the multipart body cannot be read: {broken}"

    def _begin_part(self) -> None:
        self._headers = {}

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
            name, file_name = disposition(self._headers.get("content-disposition", ""))
        except (
            TypeError,
            ValueError,
            LookupError,
        ):  # what the standard library makes of odd filename* parameters
            self._problem = "the Content-Disposition of a part cannot be read"
            name, file_name = "", None
        self._part = None
        if file_name is not None:
            self._part = FilePart(name, file_name, self._headers.get("content-type"))
        self._field_name, self._field_value = name, bytearray()

    def _take_data(self, data: bytes, start: int, end: int) -> None:
        piece = memoryview(data)[start:end]
        if self._part is not None:
            self._part.content.write(piece)
        elif len(self._field_value) + len(piece) > FIELD_LIMIT:
            self._problem = (
                f"the form field {self._field_name!r} is longer than {FIELD_LIMIT} bytes; a file part "
                'needs a filename in its Content-Disposition, as in name="Filedata"; filename="report.pdf"'
            )
        else:
            self._field_value += piece

    def _end_part(self) -> None:
        if self._part is not None:
            self.files.append(self._part)
        else:
            self.fields[self._field_name] = self._field_value.decode("utf-8", "replace")

    def _end(self) -> None:
        self._complete = True


def disposition(header: str) -> tuple[str, str | None]:
    """The field name and the file name of a Content-Disposition header, any Unicode and quoting kept.

    A quote in a name is written ``%22`` by browsers and httpx, and with a backslash by others; both are read.
    ``filename*`` (RFC 5987) wins over ``filename``.

    Examples:
        >>> disposition('form-data; name="Filedata"; filename="caf\\u00e9 %22x%22.txt"')
        ('Filedata', 'café "x".txt')
        >>> disposition("form-data; name=a; filename*=UTF-8''na%C3%AFve.txt")
        ('a', 'naïve.txt')
        >>> disposition('form-data; name="note"')
        ('note', None)
    """
    message = Message()
    message["Content-Disposition"] = header
    name = message.get_param("name", "", "Content-Disposition")
    sent = message.get_param("filename", None, "Content-Disposition")
    if sent is None:
        return str(name), None
    file_name = collapse_rfc2231_value(sent)
    for escaped, character in HTML_ESCAPES:
        file_name = file_name.replace(escaped, character)
    return str(name), file_name

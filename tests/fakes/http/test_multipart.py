"""Multipart bodies: every way to cut them, and every name."""

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes.http.errors import Refusal
from fakes.http.multipart import MultipartForm, parse_disposition

from ..caller import BOUNDARY, raw_form

HEAD = b'Content-Disposition: form-data; name="Filedata"; filename="a.txt"\r\nContent-Type: text/plain'
FIELD = b'Content-Disposition: form-data; name="resourceName"'
FILE_FIELD = b'Content-Disposition: form-data; name="FileData"'
LOOK_ALIKES = (
    b"\r",
    b"\n",
    b"\r\n",
    b"-",
    b"--",
    b"\r\n--",
    b"\r\n--" + BOUNDARY[:-1].encode(),
    b"\r\n-" + BOUNDARY.encode(),
    b"--" + BOUNDARY.encode(),
    b"\n--" + BOUNDARY.encode() + b"--",
    b"\x00",
    b"x",
)
CONTENTS = (
    st.lists(st.sampled_from(LOOK_ALIKES), max_size=8)
    .map(b"".join)
    .filter(
        lambda content: (
            not content.startswith(b"--" + BOUNDARY.encode()) and b"\r\n--" + BOUNDARY.encode() not in content
        )
    )
)
"""Content that looks like a delimiter, but is not one."""


def parsed(*chunks, boundary=BOUNDARY):
    form = MultipartForm(f"multipart/form-data; boundary={boundary}")
    for chunk in chunks:
        form.write(chunk)
    form.finish()
    return form


@settings(max_examples=40, deadline=None)
@given(content=CONTENTS)
def test_every_cut_in_two_gives_the_same_content(content):
    body = raw_form((HEAD, content))
    for cut in range(len(body) + 1):
        (part,) = parsed(body[:cut], body[cut:]).files
        assert part.content.read() == content


@settings(max_examples=40, deadline=None)
@given(content=CONTENTS, size=st.integers(1, 7))
def test_small_pieces_give_the_same_content(content, size):
    body = raw_form((FIELD, content), (HEAD, content))
    form = parsed(*(body[at : at + size] for at in range(0, len(body), size)))
    assert form.files[0].content.read() == content
    assert form.fields == {"resourceName": content.decode()}


@settings(max_examples=40, deadline=None)
@given(content=CONTENTS, preamble=CONTENTS)
def test_every_cut_of_a_preamble_and_a_field_gives_the_same_content(content, preamble):
    body = (
        preamble + b"\r\n" * bool(preamble) + raw_form((FIELD, b"a.txt"), (FILE_FIELD, content)) + b"epilogue"
    )
    for cut in range(len(body) + 1):
        form = parsed(body[:cut], body[cut:])
        assert form.fields == {"resourceName": "a.txt"}
        assert [(part.file_name, part.content.read()) for part in form.files] == [(None, content)]


DELIMITER = f"--{BOUNDARY}".encode()


@pytest.mark.parametrize(
    "preamble",
    [
        b"",
        b"\r\n",
        b"text\r\n",
        b"text" + DELIMITER + b"\r\n",
        DELIMITER + b"-other\r\n",
        DELIMITER[:-1] + b"\r\n",
        b"\r\n" + DELIMITER + b"x\r\n",
        b"\r\r\n",
    ],
)
@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_what_stands_before_the_first_delimiter_is_no_part(preamble, size):
    body = preamble + raw_form((HEAD, b"hello"))
    form = parsed(*(body[at : at + size] for at in range(0, len(body), size)))
    assert [part.content.read() for part in form.files] == [b"hello"]
    assert form.fields == {}


@pytest.mark.parametrize("size", range(64 * 1024 - 3, 64 * 1024 + 4))
def test_sizes_around_a_chunk(size):
    content = b"\r" * size
    body = raw_form((HEAD, content))
    chunks = [body[at : at + 64 * 1024] for at in range(0, len(body), 64 * 1024)]
    assert parsed(*chunks).files[0].content.read() == content


def test_every_truncation_is_refused():
    body = raw_form((HEAD, b"hello"))
    whole = len(body) - len(b"\r\n")
    for end in range(whole - 2):
        with pytest.raises(Refusal, match="ended before its closing boundary"):
            parsed(body[:end])


NAMES = (
    "report.pdf",
    "報告 2026.pdf",
    "naïve.txt",
    'a "quoted" name.txt',
    "50%.txt",
    "it's; a=b.txt",
    "🎉.png",
    "  x  ",
)


@pytest.mark.parametrize("name", NAMES)
def test_names_as_httpx_sends_them(name):
    request = httpx.Request("POST", "https://x.test", files={"Filedata": (name, b"hello")})
    form = MultipartForm(request.headers["Content-Type"])
    form.write(request.read())
    form.finish()
    assert form.files[0].file_name == name


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (r'filename="back\\slash.txt"', "back\\slash.txt"),
        (r'filename="a \"quote\".txt"', 'a "quote".txt'),
        ('filename="100%25.txt"', "100%25.txt"),
        ('filename="a%22b.txt"', 'a"b.txt'),
        ('filename="../../etc/passwd"', "../../etc/passwd"),
        ("filename*=UTF-8''na%C3%AFve.txt", "naïve.txt"),
        ("filename=plain.txt", "plain.txt"),
        ('filename=""', ""),
        ('filename*0="long"; filename*1=".txt"', None),
    ],
)
def test_names_as_others_send_them(written, read):
    assert parse_disposition(f'form-data; name="Filedata"; {written}') == ("Filedata", read)


@pytest.mark.parametrize("value", ["''a.txt", "a.txt"])
def test_an_extended_name_needs_its_charset(value):
    with pytest.raises((ValueError, LookupError)):
        parse_disposition(f"form-data; name=a; filename*={value}")


@pytest.mark.parametrize(
    ("boundary", "written", "told"),
    [
        ("", b"x", "must be sent as multipart/form-data with a boundary"),
        ("y" * 5000, b"x", "cannot be read"),
        ("x", b"no boundary at all", "no line of it is the boundary from the Content-Type"),
        ("x", b"--x\r\nno header\r\n", "cannot be read"),
    ],
)
def test_what_is_no_form_is_refused_when_it_is_whole(boundary, written, told):
    form = MultipartForm(f"multipart/form-data; boundary={boundary}")
    form.write(written)
    form.write(b"and more")
    with pytest.raises(Refusal, match=told):
        form.finish()


def test_space_around_a_type_is_no_part_of_it():
    head = HEAD.replace(b" text/plain", b" \t text/plain \t ")
    assert parsed(raw_form((head, b"hello"))).files[0].content_type == "text/plain"


def test_long_field_is_refused_and_says_what_a_file_needs():
    with pytest.raises(Refusal, match="a file part needs a filename"):
        parsed(raw_form((FIELD, b"x" * (64 * 1024 + 1))))


def test_a_form_that_is_refused_gives_back_what_it_held():
    form = MultipartForm(f"multipart/form-data; boundary={BOUNDARY}")
    form.write(raw_form((FIELD, b"a.txt"), (HEAD, b"x" * 1000), *[(FIELD, b"more")] * 16))
    assert (form.files, form.fields) == ([], {})
    with pytest.raises(Refusal, match="more than 16 parts"):
        form.finish()

"""A form of any shape and size takes constant memory, and no more disk than one file."""

import gc
import tracemalloc

import pytest

from fakes.http.errors import Refusal
from fakes.http.multipart import MultipartForm

from ..caller import BOUNDARY, calling, make
from ..store.disk import needs_proc, on_disk

MIB = 1 << 20
BLOCK = b"x" * (64 * 1024)
DELIMITER = f"--{BOUNDARY}\r\n".encode()
END = f"--{BOUNDARY}--\r\n".encode()
FORM = f"multipart/form-data; boundary={BOUNDARY}"


def head(name, filename=None):
    written = f'Content-Disposition: form-data; name="{name}"'
    return (written + (f'; filename="{filename}"' if filename else "") + "\r\n\r\n").encode()


def file_parts(count, size):
    for number in range(count):
        yield DELIMITER + head("Filedata", f"{number}.bin")
        yield from [BLOCK] * (size // len(BLOCK))
        yield b"\r\n"
    yield END


def field(name, size):
    yield DELIMITER + head(name)
    yield from [BLOCK] * (size // len(BLOCK))
    yield b"\r\n" + END


def tiny_fields(count):
    for number in range(count):
        yield DELIMITER + head(f"field-{number}") + b"x\r\n"
    yield END


def preamble(size):
    yield from [BLOCK] * (size // len(BLOCK))
    yield b"\r\n" + DELIMITER + head("Filedata", "a.txt") + b"hello\r\n" + END


def long_header(size):
    yield DELIMITER + b'Content-Disposition: form-data; name="'
    yield from [BLOCK] * (size // len(BLOCK))


def epilogue(size):
    yield DELIMITER + head("Filedata", "a.txt") + b"hello\r\n" + END
    yield from [BLOCK] * (size // len(BLOCK))


SHAPES = {
    "one file": (lambda: file_parts(1, 64 * MIB), None),
    "many files": (lambda: file_parts(16, 8 * MIB), None),
    "too many files": (lambda: file_parts(64, MIB), "more than 16 parts"),
    "one field": (lambda: field("note", 64 * MIB), "exceed 65536 bytes with 'note'"),
    "content in a field": (lambda: field("FileData", 64 * MIB), None),
    "tiny fields": (lambda: tiny_fields(100_000), "more than 16 parts"),
    "tiny fields in one chunk": (lambda: [b"".join(tiny_fields(100_000))], "more than 16 parts"),
    "preamble": (lambda: preamble(64 * MIB), None),
    "epilogue": (lambda: epilogue(64 * MIB), None),
    "header": (lambda: long_header(64 * MIB), "cannot be read"),
}
"""By name: the chunks of a body, and what is said where it is refused."""


@pytest.mark.parametrize("shape", SHAPES)
def test_a_form_of_any_shape_takes_constant_memory(shape):
    make_chunks, refusal = SHAPES[shape]
    chunks = make_chunks()
    form = MultipartForm(FORM)
    gc.collect()
    tracemalloc.start()
    for chunk in chunks:
        form.write(chunk)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3 * MIB  # measured: 1.2 MiB, where content is about to move to the disk
    if refusal is None:
        form.finish()
    else:
        with pytest.raises(Refusal, match=refusal):
            form.finish()


@needs_proc
@pytest.mark.parametrize(
    ("shape", "kept"),
    [("one file", 64), ("many files", 8), ("too many files", 0), ("content in a field", 64)],
)
def test_only_the_first_file_of_a_form_takes_disk(shape, kept):
    gc.collect()
    before = on_disk()
    form = MultipartForm(FORM)
    for chunk in SHAPES[shape][0]():
        form.write(chunk)
    # The last part of it is in the file's buffer, of 128 KiB from Python 3.15 on.
    assert 0 <= kept * MIB - (on_disk() - before) <= 128 * 1024
    del form
    gc.collect()
    assert on_disk() == before


@pytest.mark.parametrize("shape", ["many files", "too many files", "one field", "tiny fields", "header"])
def test_what_is_refused_leaves_the_upload_good(me, shape):
    url = me.url()
    before = me.fake.snapshot()["files"]
    headers = me.bearer | {"Content-Type": FORM}
    assert me.http.post(url, content=SHAPES[shape][0](), headers=headers).status_code == 400
    assert me.fake.snapshot()["files"] == before
    assert me.send(url).status_code == 201


@pytest.mark.parametrize(("choice", "status"), [("400", 400), ("413", 413)])
def test_a_form_that_holds_too_much_is_told_what_it_may_hold(choice, status):
    with calling(make(assume={"file.form-limit": choice})) as me:
        headers = me.bearer | {"Content-Type": FORM}
        response = me.http.post(me.url(), content=tiny_fields(17), headers=headers)
    assert response.status_code == status
    assert "one part named Filedata" in response.json()["description"]
    assert "file.form-limit" in response.headers["X-Fake-Assumed"]

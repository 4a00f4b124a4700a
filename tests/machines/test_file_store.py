"""The file store: uploads whole and in ranges, overwriting, revisions, downloads, and addresses that end."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import Bundle, invariant, multiple, precondition, rule, run_state_machine_as_test

from .lockstep import SEARCH, Lockstep

CALLERS = st.sampled_from(["u-001"] * 8 + ["u-002", None])
LIFETIME = timedelta(hours=24)

DRIVES = ["/users/u-001/drive", "/users/u-002/drive", "/sharedrives/s-1"]
PHOTOS = ["/users/u-001/photo", "/contacts/c-1/photo"]
PLACES = st.sampled_from([None] * 5 + DRIVES + PHOTOS)
NAMES = ["a.txt", '../数 "q".txt']
CONTENT_TYPES = ["text/plain", "image/png"]
CONTENTS = st.sampled_from([b"", b"\r\n", b"abc", b"\x00--abc"])
RANGE = {"start": 0, "end": 0, "total": 0, "length": 0}
NEAR_MISSES = [RANGE | {name: off} for name in RANGE for off in (-1, 1)] + [RANGE | {"end": 1, "length": 1}]
BOUNDARY = "boundary-of-the-machine"
WRONG_FIELDS = [
    {"fileName": None},
    {"fileSize": None},
    {"fileSize": -1},
    {"fileSize": "5"},
    {"overwrite": "yes"},
]
PARENTS = st.sampled_from([None, None, "folder-1", 0, 1, 2])
FORMS = ["Filedata", "FileData", "field"]
"""The documented form, and the alternative one with a file part or with a field."""
OVERWRITE = st.sampled_from([None, False, True, True])


@dataclass
class File:
    """A stored file; its revisions are pairs of content type and content, the newest last."""

    file_id: str
    place: str
    parent: str | None
    name: str
    revisions: list = field(default_factory=list)


@dataclass
class Upload:
    """An upload address: what was announced for it, and what has come."""

    url: str
    place: str
    target: str | None
    name: str
    content: bytes
    overwrite: bool
    user_id: str
    at: datetime
    received: bytes = b""
    used: bool = False


class FileStore(Lockstep):
    uploads = Bundle("uploads")

    def __init__(self):
        super().__init__()
        self.started = []
        self.files = []
        """In the order in which they were stored or revised last."""

    def headers(self, caller):
        return self.bearer(caller) if caller else {}

    @rule(days=st.sampled_from([0.5, 1, 3]))
    def wait(self, days):
        self.pass_time(timedelta(days=days))

    @rule()
    def save_and_restore(self):
        self.both(lambda fake: fake.restore(fake.snapshot()))

    # -- uploads ------------------------------------------------------------------------------------------------

    @rule(
        target=uploads,
        caller=CALLERS,
        place=st.sampled_from(DRIVES + PHOTOS),
        into=PARENTS,
        name=st.sampled_from(NAMES),
        content=CONTENTS,
        overwrite=OVERWRITE,
        wrong=st.sampled_from([{}] * 20 + WRONG_FIELDS),
    )
    def announce(self, caller, place, into, name, content, overwrite, wrong):
        """Into the root of a drive, into a folder, or onto a file (by its number) that may be of another place."""
        if isinstance(into, int):
            into = self.files[into % len(self.files)].file_id if self.files else "file-1"
        into = None if place in PHOTOS else into
        path = place if place in PHOTOS else f"{place}/files" + (f"/{into}" if into else "")
        body = {"fileName": name, "fileSize": len(content)}
        body |= ({} if overwrite is None else {"overwrite": overwrite}) | wrong
        answer = self.call("POST", path, json=body, headers=self.headers(caller))
        if caller is None:
            assert answer.status_code == 401
            return multiple()
        if wrong:
            assert answer.status_code == 400
            return multiple()
        assert answer.status_code == 200
        url = answer.json()["uploadUrl"]
        assert url.startswith(self.facts["upload_url"])
        announced = Upload(url, place, into, name, content, bool(overwrite), caller, self.now)
        self.started.append(announced)
        return announced

    def going_on(self):
        """The uploads that can be sent to."""
        return [upload for upload in self.started if self.sendable(upload, upload.user_id)]

    @rule(
        place=st.sampled_from(DRIVES + PHOTOS),
        into=PARENTS,
        name=st.sampled_from(NAMES),
        content=CONTENTS,
        overwrite=OVERWRITE,
        content_type=st.sampled_from(CONTENT_TYPES),
    )
    def upload(self, place, into, name, content, overwrite, content_type):
        """Both steps, at once and rightly."""
        announced = self.announce("u-001", place, into, name, content, overwrite, {})
        self.send_whole(announced, "u-001", b"", content_type, "Filedata")

    @rule(
        upload=uploads,
        caller=CALLERS,
        extra=st.sampled_from([b"", b"", b"!"]),
        content_type=st.sampled_from(CONTENT_TYPES),
        form=st.sampled_from(FORMS),
    )
    def send_whole(self, upload, caller, extra, content_type, form):
        content = upload.content + extra
        answer = self.send(upload, caller, content, content_type, form=form)
        self.check_sent(upload, caller, answer, content, content_type, fits=not extra)

    @rule(upload=uploads, seconds=st.integers(-1, 1))
    def send_about_its_end(self, upload, seconds):
        """Send the content just before, at or just after the end of the address."""
        then = upload.at + LIFETIME + timedelta(seconds=seconds)
        if then >= self.now:
            self.pass_time(then - self.now)
            self.send_whole(upload, upload.user_id, b"", "text/plain", "Filedata")

    @rule(number=st.integers(0, 2), size=st.integers(1, 4), unit=st.booleans())
    @precondition(going_on)
    def send_next(self, number, size, unit):
        """The range that is due."""
        upload = self.going_on()[-1 - number % len(self.going_on())]
        start = len(upload.received)
        piece = upload.content[start : start + size]
        self.send_range(
            upload, upload.user_id, start, start + len(piece) - 1, len(upload.content), piece, unit
        )

    @rule(number=st.integers(0, 2))
    @precondition(going_on)
    def send_near_misses(self, number):
        """Of an upload that has begun, ranges that are not quite the rest; it stays as it was."""
        upload = self.going_on()[-1 - number % len(self.going_on())]
        if upload.content[2:] and not upload.received:
            self.send_range(upload, upload.user_id, 0, 0, len(upload.content), upload.content[:1], unit=False)
        rest = len(upload.content) - len(upload.received)
        for off in NEAR_MISSES:
            start, total = len(upload.received) + off["start"], len(upload.content) + off["total"]
            end, piece = start + rest - 1 + off["end"], bytes(max(0, rest + off["length"]))
            self.send_range(upload, upload.user_id, start, end, total, piece, unit=False)

    def send_range(self, upload, caller, start, end, total, piece, unit):
        written = f"{'bytes ' * unit}{start}-{end}/{total}"
        answer = self.send(upload, caller, piece, "text/plain", content_range=written)
        announced = len(upload.content)
        fits = (
            start == len(upload.received)
            and start <= end < announced == total
            and len(piece) == end - start + 1
        )
        received = upload.received + piece
        if fits and len(received) < announced and self.sendable(upload, caller):
            assert answer.status_code == 200
            assert answer.json() == {"offset": len(received)}
            upload.received = received
        else:
            self.check_sent(upload, caller, answer, received, "text/plain", fits=fits)

    def sendable(self, upload, caller):
        return caller == upload.user_id and not upload.used and self.now - upload.at <= LIFETIME

    def send(self, upload, caller, content, content_type, *, form="Filedata", content_range=None):
        headers = self.headers(caller) | {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
        if content_range is not None:
            headers["Content-Range"] = content_range
        file_name = None if form == "field" else "x.bin"
        name, data = ("Filedata", None) if form == "Filedata" else ("FileData", {"resourceName": "x.bin"})
        files = {name: (file_name, content, content_type)}
        return self.call("POST", upload.url, headers=headers, files=files, data=data)

    def check_sent(self, upload, caller, answer, content, content_type, *, fits):
        """Hold the response to an upload that is now complete, or else refused, to the model."""
        if caller is None:
            assert answer.status_code == 401
        elif not self.sendable(upload, caller):
            assert answer.status_code in ({404} if fits else {400, 404})
        elif not fits:
            assert answer.status_code == 400
        elif self.clashes(upload):
            assert answer.status_code == 409
        else:
            assert answer.status_code == 201
            upload.used = True
            result = answer.json()
            stored = self.store(upload, result["fileId"])
            stored.revisions.append((content_type, content))
            essentials = {"fileName": stored.name, "fileSize": len(content)}
            assert result | essentials == result
            if upload.place in DRIVES:
                assert result["parentFileId"] == (stored.parent or "root")
                assert result["fileType"] == content_type
                assert result["filePath"] == f"/{stored.parent}/{stored.name}".replace("/None/", "/")

    def clashes(self, upload):
        """Whether a file's name is refused, because another has it."""
        if self.assume.get("file.same-name") != "refused":
            return False
        there = [each for each in self.files if each.place == upload.place]
        revised = next((each for each in there if each.file_id == upload.target), None)
        parent = upload.target if revised is None else revised.parent
        same = [each for each in there if (each.parent, each.name) == (parent, upload.name)]
        if revised is None:
            return bool(same) and not upload.overwrite
        return bool(same) and revised not in same

    def store(self, upload, file_id):
        """The file that a completed upload is a revision of, or a new one; now the one stored last."""
        there = [each for each in self.files if each.place == upload.place]
        stored = next((each for each in there if each.file_id == upload.target), None)
        if stored is not None:
            stored.name = upload.name
        if stored is None and upload.overwrite:
            same = [each for each in there if (each.parent, each.name) == (upload.target, upload.name)]
            stored = same[-1] if same else None
        if stored is None:
            assert file_id not in [each.file_id for each in self.files]
            stored = File(file_id, upload.place, upload.target, upload.name)
        assert stored.file_id == file_id
        self.files = [each for each in self.files if each is not stored] + [stored]
        return stored

    # -- downloads ----------------------------------------------------------------------------------------------

    @rule(number=st.integers(0, 9), caller=CALLERS, place=PLACES, revision=st.none() | st.integers(0, 4))
    @precondition(lambda self: self.files)
    def download(self, number, caller, place, revision):
        """A file from its place or from another; the latest revision or a certain one."""
        stored = self.files[number % len(self.files)]
        asked = place or stored.place
        if asked in PHOTOS:
            there = [each for each in self.files if each.place == asked]
            self.check_download(asked, caller, there[-1].revisions[-1] if there else None)
            return
        path = f"{asked}/files/{stored.file_id}" + (f"/revisions/{revision}" if revision is not None else "")
        there = asked == stored.place and (revision is None or 1 <= revision <= len(stored.revisions))
        self.check_download(
            f"{path}/download", caller, stored.revisions[(revision or 0) - 1] if there else None
        )

    def check_download(self, path, caller, expected):
        answer = self.call("GET", path, headers=self.headers(caller))
        if caller is None:
            assert answer.status_code == 401
        elif expected is None:
            assert answer.status_code == 404
        else:
            assert answer.status_code == 302
            location = answer.headers["Location"]
            content_type, content = expected
            answer = self.call("GET", location, headers=self.headers(caller))
            assert (answer.status_code, answer.content) == (200, content)
            assert answer.headers["Content-Type"] == content_type
            assert answer.headers["Content-Length"] == str(len(content))
            assert self.call("GET", location).status_code == 401

    @invariant()
    def files_are_those_of_the_model(self):
        held = {
            each.file_id: (each.name, [(kept.content_type, kept.content.read()) for kept in each.revisions])
            for each in self.fake.files.list_files()
            if each.place[0] != "form_response"
        }
        assert held == {each.file_id: (each.name, each.revisions) for each in self.files}


class FileStoreOfSingleNames(FileStore):
    """Where a second file of a name is refused, an upload that is refused at its last byte can still go on."""

    assume: ClassVar = {"file.same-name": "refused"}


def test_file_store_of_single_names():
    run_state_machine_as_test(FileStoreOfSingleNames, settings=SEARCH)


def test_file_store():
    run_state_machine_as_test(FileStore, settings=SEARCH)

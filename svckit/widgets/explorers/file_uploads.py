"""Files on their way to the service: each with a name that can be changed, its progress and its result.

The browser first names the files that a person has chosen. It sends the content of each only when asked, a piece at a
time, so the kernel needs the memory of one piece, and the disk space of one file.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from tempfile import TemporaryFile
from threading import Event, Lock
from typing import IO, Any, Final

from svckit.display.masking import describe_failure, mask
from svckit.errors import Cancelled, InvalidInput
from svckit.models.phrases import describe_given
from svckit.places import Place
from svckit.widgets.base.background import Worker
from svckit.widgets.explorers.chosen_file import format_size

__all__ = ["CANCELLED", "LARGEST", "MOST", "PIECE", "STEPS", "FileUpload", "FileUploads"]

PIECE: Final = 1024 * 1024
"""The bytes in a message from or to the browser; a Jupyter server takes up to 10 MiB."""
LARGEST: Final = 100 * 1024 * 1024
"""The largest file that goes through the browser, in bytes."""
MOST: Final = 100
"""The most files chosen at once."""
STEPS: Final = 20
"""The number of times a transfer shows its progress."""

CANCELLED: Final = "Cancelled; nothing was kept"
WORDS: Final = {"queued": "Waiting", "reading": "Reading", "uploading": "Uploading"}


@dataclass(eq=False)
class FileUpload:
    """A file to upload.

    Attributes:
        key: its name in the view, different from that of all others.
        name: its file name at the service.
        source: its own file name, where it comes from.
        size: its size in bytes.
        open_content: opens its content; by default the browser is asked for it.
        state: ``chosen``, ``queued``, ``reading`` (from the browser), ``uploading``, ``done``, ``failed`` or
            ``cancelled``.
        result: how it ended, in words.
        done: the number of bytes transferred so far, of the `total`.
        content: its open content, from its turn until its end.
        place: the place it is uploaded to, once it is queued.
        overwrite: whether it replaces a file with its name.
        cancel: is set to cancel its upload.
    """

    key: str
    name: str
    size: int
    open_content: Callable[[], IO[bytes]] | None = None
    state: str = "chosen"
    result: str = ""
    done: int = 0
    content: IO[bytes] | None = None
    place: Place | None = None
    overwrite: bool = False
    cancel: Event = field(default_factory=Event)

    def __post_init__(self) -> None:
        self.source = self.name

    @property
    def size_to_read(self) -> int:
        """The number of bytes that come from the browser."""
        return 0 if self.open_content else self.size

    @property
    def total(self) -> int:
        """The number of bytes to transfer, from the browser and to the service; 1 if there are none."""
        return max(1, self.size_to_read + self.size)

    @property
    def is_waiting(self) -> bool:
        """True if it can be uploaded: it was chosen, or failed, and is not too large."""
        return self.state in ("chosen", "failed") and not self.is_too_large

    @property
    def is_too_large(self) -> bool:
        """True if it is in the browser and too large for the way from there."""
        return self.size_to_read > LARGEST

    @property
    def is_active(self) -> bool:
        """True from its turn until its end."""
        return self.state in ("reading", "uploading")

    def end(self, state: str, result: str) -> None:
        """Record how it ended, and drop its content."""
        content, self.content = self.content, None
        if content is not None:
            content.close()
        self.state, self.result = state, result

    def build_view(self) -> dict[str, Any]:
        """Return the file for a view."""
        return {
            "key": self.key,
            "name": self.name,
            "size": format_size(self.size),
            "named": self.is_waiting,
            "running": self.is_active,
            "done": self.done,
            "total": self.total,
            "words": self.result or WORDS.get(self.state, ""),
            "ends": "Cancel" if self.is_active or self.state == "queued" else "Remove",
        }


class FileUploads(Worker):
    """The files to upload, one after the other, in the background.

    1. `offer` (from the browser) and `add` (from the kernel's machine) list a file as ``chosen``; `start` queues it.
    2. When its turn comes, the browser is asked for one piece after the other, and `take` gets each. A file that is
       on the kernel's machine needs none of that.
    3. Once the content is there, the work uploads it. It then goes on with the next file by itself, and ends where
       the browser has to be asked first: then the last piece starts it again.

    Args:
        upload: uploads a file with its content, and returns the result in words.
        ask: sends a message to the browser.
        on_change: called when a file changes, possibly from a thread.
    """

    def __init__(
        self,
        upload: Callable[[FileUpload, IO[bytes]], str],
        ask: Callable[[dict[str, Any]], None],
        on_change: Callable[[], None],
    ) -> None:
        self._upload = upload
        self._ask = ask
        self._on_change = on_change
        self._files: list[FileUpload] = []
        self._count = 0  # of those whose content is not in the browser, for their keys
        self._active: FileUpload | None = None  # the one that is read or uploaded now
        self._changing = Lock()  # the browser and the work both move on to the next file

    @property
    def view(self) -> list[dict[str, Any]]:
        """The files for a view."""
        return [file.build_view() for file in list(self._files)]

    @property
    def waiting(self) -> list[FileUpload]:
        """The files that can be uploaded."""
        return [file for file in self._files if file.is_waiting]

    def offer(self, files: Sequence[Mapping[str, Any]]) -> None:
        """Add files that were chosen in the browser, which has their content.

        Args:
            files: the ``key``, ``name`` and ``size`` of each.

        Raises:
            InvalidInput: there are too many, or one has no such values. Nothing was added.
        """
        if len(files) > MOST:
            raise InvalidInput(f"nothing was chosen: at most {MOST} files at once; given {len(files)}")
        keys = {upload.key for upload in self._files}
        chosen = []
        for file in files:
            match file:
                case {"key": str(key), "name": str(name), "size": int(size)} if size >= 0 and key not in keys:
                    keys.add(key)
                    chosen.append(FileUpload(key, name, size))
                case _:
                    raise InvalidInput(
                        "nothing was chosen: a file needs a key of its own, a name and a size; given "
                        f"{describe_given(file)}"
                    )
        for upload in chosen:
            if upload.is_too_large:
                upload.end("failed", f"Too large for the browser (at most {LARGEST:,} bytes): enter its path")
        self._add(chosen)

    def add(self, name: str, size: int, open_content: Callable[[], IO[bytes]]) -> FileUpload:
        """Add a file whose content is not in the browser."""
        self._count += 1
        upload = FileUpload(f"kernel {self._count}", name, size, open_content)
        self._add([upload])
        return upload

    def _add(self, files: Sequence[FileUpload]) -> None:
        """Add files, and drop those that are done."""
        self._files = [*(file for file in self._files if file.state not in ("done", "cancelled")), *files]

    def find(self, key: str) -> FileUpload:
        """Return a file by its key.

        Raises:
            InvalidInput: no such file.
        """
        for file in self._files:
            if file.key == key:
                return file
        raise InvalidInput(f"no such file to upload: {key!r}; choose it again")

    def start(self, files: Sequence[FileUpload], place: Place, *, overwrite: bool) -> None:
        """Upload files to a place, after those under way."""
        with self._changing:
            for file in files:
                file.place, file.overwrite = place, overwrite
                file.state, file.result, file.done = "queued", "", 0
                file.cancel.clear()
            idle = self._active is None
        if idle:
            self._go_on()

    def take(self, key: str, offset: int, piece: bytes) -> None:
        """Take the next piece of a file from the browser; one of a file that was cancelled meanwhile is dropped.

        Raises:
            InvalidInput: it is not the piece that was asked for. Nothing was changed.
        """
        upload = self._find_reading(key)
        if upload is None:
            return
        wanted = min(PIECE, upload.size - upload.done)
        if (offset, len(piece)) != (upload.done, wanted):
            raise InvalidInput(
                f"the browser sent {len(piece):,} bytes of {upload.name} from {offset:,}, but was asked for "
                f"{wanted:,} bytes from {upload.done:,}; choose the file again if it stops here"
            )
        assert upload.content is not None, "a file that is read has content"  # noqa: S101
        try:
            upload.content.write(piece)
        except OSError as failure:
            self.fail(key, str(failure))
            return
        upload.done += wanted
        if upload.done < upload.size:
            self._show_step(upload, upload.done - wanted)
            self._ask_for_piece(upload)
            return
        upload.state = "uploading"
        self._begin(upload)

    def fail(self, key: str, why: str) -> None:
        """End a file that cannot be read, and go on with the next.

        Raises:
            InvalidInput: the file is not being read.
        """
        if (upload := self._find_reading(key)) is not None:
            upload.end("failed", f"Failed, the file could not be read: {mask(why)}")
            self._go_on()

    def remove(self, key: str) -> None:
        """Cancel a file that is on its way, or remove it from the list.

        Raises:
            InvalidInput: no such file.
        """
        upload = self.find(key)
        with self._changing:
            before = upload.state
            if before == "uploading":
                upload.cancel.set()  # it ends by itself
            elif before in ("reading", "queued"):
                upload.end("cancelled", CANCELLED)
            else:
                self._files.remove(upload)
        if before == "reading":
            self._go_on()
        else:
            self._on_change()

    def stop(self) -> None:
        """Cancel all files that are on their way."""
        for file in reversed(list(self._files)):  # so that no other one starts
            if file.is_active or file.state == "queued":
                self.remove(file.key)

    def _find_reading(self, key: str) -> FileUpload | None:
        upload = self.find(key)
        if upload.state == "cancelled":
            return None
        if upload.state != "reading":
            raise InvalidInput(f"the browser was not asked for {upload.name}")
        return upload

    def _go_on(self) -> None:
        if (upload := self._activate_next()) is not None:
            self._begin(upload)
        self._on_change()

    def _activate_next(self) -> FileUpload | None:
        """Return the next file if its content is here; otherwise ask the browser for it."""
        with self._changing:
            upload = self._active = next((file for file in self._files if file.state == "queued"), None)
            if upload is None:
                return None
            if upload.open_content is None:
                upload.content = TemporaryFile()  # noqa: SIM115 - closed at its end
            upload.state = "reading" if upload.content is not None and upload.size else "uploading"
        if upload.state == "uploading":
            return upload
        self._ask_for_piece(upload)
        return None

    def _ask_for_piece(self, upload: FileUpload) -> None:
        self._ask({"need": {"key": upload.key, "offset": upload.done, "size": PIECE}})

    def _begin(self, upload: FileUpload) -> None:
        self._start(self._steps(upload))

    def _steps(self, first: FileUpload) -> Generator[None, None, None]:
        upload: FileUpload | None = first
        while upload is not None:
            self._perform(upload)
            yield
            upload = self._activate_next()
            self._on_change()

    def _perform(self, upload: FileUpload) -> None:
        try:
            content = upload.content = upload.content or upload.open_content()  # type: ignore[misc]  # one of the two
            result = self._upload(upload, content)
        except Cancelled:
            upload.end("cancelled", CANCELLED)
        except Exception as failure:  # noqa: BLE001 - a thread has no caller to handle it
            upload.end("failed", f"Failed: {describe_failure(failure)}")
        else:
            upload.end("done", result)
        self._on_change()

    def report(self, upload: FileUpload, sent: int) -> None:
        """Record how much of a file was sent to the service."""
        before, upload.done = upload.done, upload.size_to_read + sent
        self._show_step(upload, before)

    def _show_step(self, upload: FileUpload, before: int) -> None:
        if before * STEPS // upload.total != upload.done * STEPS // upload.total:
            self._on_change()

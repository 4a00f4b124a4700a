"""Downloads of an explorer, one at a time: for a preview, to the person's computer, or to the kernel's machine."""

import os
from collections.abc import Callable, Generator
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, Final, cast

from svckit.errors import Cancelled, InvalidInput
from svckit.local_files import clean_file_name
from svckit.places import Place
from svckit.session.session import Session
from svckit.widgets.base.background import IDLE, Job, Worker
from svckit.widgets.base.watched import LimitedFile
from svckit.widgets.explorers.chosen_file import PREVIEWED
from svckit.widgets.explorers.file_uploads import CANCELLED, LARGEST, PIECE, STEPS

__all__ = ["REPLACE", "FileDownloads", "Saving"]

REPLACE: Final = "Replace a file with the same name in the folder"
FAILED: Final = "Failed; see the error above"  # the error line shows the reason


class Saving:
    """A file that the browser saves: sent to one view a piece at a time, the next once it has the last.

    Args:
        view: the ID of the browser's view.
        number: the number of this file; pieces of others are not mistaken for its own.
        name: the name to save it under.
        content: an open file with the whole content.

    Examples:
        >>> saving = Saving("view-1", 1, "a.txt", BytesIO(b"hello"))
        >>> head, piece = saving.read_piece()
        >>> head["piece"]["offset"], piece, saving.acknowledge(1, 5)
        (0, b'hello', True)
    """

    def __init__(self, view: str, number: int, name: str, content: IO[bytes]) -> None:
        self.size: int = content.seek(0, os.SEEK_END)
        self.sent: int = 0
        self.name = name
        self.content = content
        self._head = {"view": view, "number": number, "file": name, "size": self.size}

    def read_piece(self) -> tuple[dict[str, Any], bytes]:
        """Return the next piece, with the message that it belongs to."""
        offset = self.content.seek(self.sent)
        piece = self.content.read(PIECE)
        self.sent += len(piece)
        return {"piece": {**self._head, "offset": offset}}, piece

    def acknowledge(self, number: int, received: int) -> bool:
        """Return whether the browser has received the whole file.

        Raises:
            InvalidInput: this is not the file, or not what was sent of it.
        """
        if (number, received) != (self._head["number"], self.sent):
            raise InvalidInput(
                f"the browser has {received:,} bytes of file {number}; {self.sent:,} bytes of {self.name} were sent; "
                "save it again"
            )
        return received == self.size


class FileDownloads(Worker):
    """Downloads in the background, of which one is running at a time.

    `preview` and `save` end with the download. After `save_in_browser` has fetched a file, it goes to the browser piece
    by piece: `_send_piece`, the browser's `acknowledge`, the next piece. The download is running until the browser has
    the last one, or until `stop`.

    Args:
        svc: the session.
        send: sends a message with a buffer to the browser.
        on_change: called when ``view`` changes, possibly from a thread.
        on_failure: called with the exception, from the thread.

    Attributes:
        view: the running download, or the result of the last one.
    """

    def __init__(
        self,
        svc: Session,
        *,
        send: Callable[[dict[str, Any], list[bytes]], None],
        on_change: Callable[[], None],
        on_failure: Callable[[Exception], None],
    ) -> None:
        self.view: Job = IDLE
        self._svc = svc
        self._send = send
        self._on_change = on_change
        self._on_failure = on_failure
        self._saving: Saving | None = None  # what was downloaded, on its way to the browser
        self._count = 0  # of the files that the browser was sent

    def preview(self, place: Place, name: str, size: int, show: Callable[[bytes], None]) -> None:
        """Download a file into memory; `show` is called with the content.

        Raises:
            InvalidInput: another download is running. The methods below raise it too.
        """

        def fetch() -> str:
            content = BytesIO()
            advice = "so it is not previewed; download it"
            self._fetch(place, content, most=PREVIEWED, advice=advice)
            show(content.getvalue())
            return ""

        self._begin(f"Preview of {name}", size, fetch)

    def save_in_browser(self, place: Place, name: str, size: int, view: str) -> None:
        """Download a file, then send it to a view, which saves it on the person's computer."""
        advice = "the most that goes through the browser; save it to the kernel’s folder"

        def fetch() -> None:
            content = TemporaryFile()  # noqa: SIM115 - closed once it is saved
            try:
                self._fetch(place, content, most=LARGEST, advice=advice)
            except BaseException:
                content.close()
                raise
            self._count += 1
            self._saving = Saving(view, self._count, clean_file_name(name), content)
            self._send_piece(self._saving)

        # Twice the size: once from the service, and once to the browser.
        self._begin(f"Save {name} on this computer", 2 * size, fetch)

    def save(self, place: Place, target: Path, size: int, *, overwrite: bool) -> None:
        """Download a file to a path on the kernel's machine."""

        def fetch() -> str:
            if target.is_dir():  # otherwise the file would be saved inside it
                raise FileExistsError(f"{target} is a folder; choose another folder to save to")
            try:
                written = self._svc.files.download(
                    place, target, overwrite=overwrite, progress=False, cancel=self._work
                )
            except FileExistsError:
                raise FileExistsError(f"{target} already exists; to replace it, tick “{REPLACE}”") from None
            return f"Saved as {written}"

        self._begin(f"Download {target.name}", size, fetch)

    def acknowledge(self, number: int, received: int) -> None:
        """Send the next piece of a file once the browser has the last one, unless it was cancelled meanwhile.

        Raises:
            InvalidInput: the browser is not saving this file, or has not received what was sent.
        """
        saving = self._saving
        if saving is None:
            if 1 <= number <= self._count:  # one that was cancelled
                return
            raise InvalidInput(f"no file {number} is being saved")
        if saving.acknowledge(number, received):
            self._end_saving(f"The browser has saved {saving.name}")
        else:
            self._report(saving.size + received)
            self._send_piece(saving)

    def stop(self) -> None:
        """Cancel the running download."""
        super().stop()
        self._end_saving(CANCELLED)

    def _fetch(self, place: Place, content: IO[bytes], *, most: int, advice: str) -> None:
        target = cast("IO[bytes]", LimitedFile(content, most, advice, self._report))
        self._svc.files.download(place, target, progress=False, cancel=self._work)

    def _send_piece(self, saving: Saving) -> None:
        head, piece = saving.read_piece()
        self._send(head, [piece])

    def _end_saving(self, result: str) -> None:
        saving, self._saving = self._saving, None
        if saving is not None:
            saving.content.close()
            self._show({**IDLE, "words": result})

    def _begin(self, words: str, total: int, do: Callable[[], str | None]) -> None:
        if self.view["running"]:
            raise InvalidInput(f"a transfer is running ({self.view['words']}); wait for it, or cancel it")
        self._show({"running": True, "words": words, "done": 0, "total": total})
        self._start(self._steps(do))

    def _steps(self, do: Callable[[], str | None]) -> Generator[None, None, None]:
        """Run a download; without a result, it continues in the browser."""
        result: str | None = FAILED  # unless it comes to another end
        try:
            result = do()
        except Cancelled:
            result = CANCELLED
        except Exception as failure:  # noqa: BLE001 - a thread has no caller to handle it
            self._on_failure(failure)
        finally:
            if result is not None:
                self._show({**IDLE, "words": result})
        yield

    def _report(self, done: int) -> None:
        """Show the progress every now and then."""
        total = self.view["total"]
        if total and (done - self.view["done"]) * STEPS >= total:
            self._show({**self.view, "done": min(done, total)})

    def _show(self, view: Job) -> None:
        self.view = view
        self._on_change()

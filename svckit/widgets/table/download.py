"""Downloads: a table's rows as a file that the browser saves."""

from collections.abc import Callable, Generator
from zlib import MAX_WBITS, compressobj

import pandas as pd

from svckit.errors import InvalidInput
from svckit.frames.export import Format, pieces
from svckit.widgets.base.background import IDLE, Job, Worker

__all__ = ["Download"]

GZIP = MAX_WBITS + 16  # zlib's value for gzip

LARGEST = 2_500_000
"""The most compressed bytes sent to the browser: a Jupyter server drops what exceeds its data rate."""

LONG = 20_000
"""Progress is shown from this number of rows on; fewer are done before anybody could read it."""


class Download(Worker):
    """Makes files in the background, one at a time; a cancelled one is not sent.

    Args:
        on_progress: called with the job whenever it changes, possibly from a thread.
        on_failure: called with the exception, from the thread.

    Examples:
        >>> sent = []
        >>> download = Download(on_progress=lambda job: None, on_failure=print)
        >>> download.start(pd.DataFrame({"id": ["u-1"]}), "json", sent.append)
        >>> download.wait()
        >>> from zlib import decompress
        >>> decompress(sent[0], GZIP)
        b'[{"id":"u-1"}]'
    """

    def __init__(self, on_progress: Callable[[Job], None], on_failure: Callable[[Exception], None]) -> None:
        self._on_progress = on_progress
        self._on_failure = on_failure

    @property
    def is_running(self) -> bool:
        """True while a file is being made."""
        return self._work is not None and self._work.is_running

    def start(self, rows: pd.DataFrame, format: Format, send: Callable[[bytes], None]) -> None:  # noqa: A002 - as in pandas
        """Start making a file.

        Args:
            rows: its rows.
            format: a format of `svckit.frames.export`.
            send: called with the content, gzip-compressed.

        Raises:
            InvalidInput: another file is being made.
        """
        if self.is_running:
            raise InvalidInput("another file is being made; wait for it, or cancel it")
        self._start(self._steps(rows, format, send))

    def _steps(
        self,
        rows: pd.DataFrame,
        format: Format,  # noqa: A002 - as in pandas
        send: Callable[[bytes], None],
    ) -> Generator[None, None, None]:
        job = {**IDLE, "running": True, "words": f"Making the {format.upper()} file", "total": len(rows)}
        content, packer, done = bytearray(), compressobj(wbits=GZIP), 0
        try:
            for piece in pieces(rows, format):
                content += packer.compress(piece.content)
                _check(len(content), len(rows), format)
                done += piece.rows
                if len(rows) >= LONG:
                    self._on_progress({**job, "done": done})
                yield
            content += packer.flush()
            _check(len(content), len(rows), format)
            send(bytes(content))
        except Exception as failure:  # noqa: BLE001 - nobody would handle it in a thread
            self._on_failure(failure)
        finally:
            self._on_progress(IDLE)


def _check(size: int, rows: int, format: Format) -> None:  # noqa: A002 - as in pandas
    if size > LARGEST:
        raise InvalidInput(
            f"{rows:,} rows are too many for a download in the browser (more than {LARGEST:,} bytes compressed): "
            f"filter them, or use table.export('rows.{format}')"
        )

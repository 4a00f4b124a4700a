"""Uploads in a journal, each bound to its place and to its file's size and modification time."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, NonNegativeInt, PositiveInt

from svckit.errors import InvalidInput
from svckit.models.phrases import count_bytes, describe_given
from svckit.models.secret import Secret
from svckit.operations.journals import Entry, Journal, JournalPath
from svckit.operations.sending import MEDIA_TYPE, Upload, UploadForm
from svckit.operations.sources import SentContent
from svckit.places import Place

__all__ = ["find_entry", "read_upload"]

NOT_SENT = "files.upload was not sent"


class KeptUpload(BaseModel):
    """The state of an upload in a journal; its place, name and size are part of the entry's name."""

    model_config: ClassVar[ConfigDict] = ConfigDict(
        extra="forbid", strict=True, hide_input_in_errors=True, defer_build=True
    )

    url: Secret
    content_type: str
    range_size: PositiveInt
    offset: NonNegativeInt
    is_doubtful: bool
    is_done: bool
    sent: NonNegativeInt
    digest: str
    form: UploadForm


def find_entry(journal: JournalPath, source: Any, to: Place, name: str) -> Entry:
    """Return the entry of an upload in a journal; one that was opened for many uploads is shared.

    Raises:
        InvalidInput: the source is not a path, or the journal belongs to another upload.
        OSError: the file or the journal cannot be read.
    """
    if not isinstance(source, str | Path):
        raise InvalidInput(
            f"{NOT_SENT}: a journal needs the path of a file, to notice if it changes; given {describe_given(source)}"
        )
    path = Path(source).resolve()
    stat = path.stat()
    changed = datetime.fromtimestamp(stat.st_mtime, UTC).isoformat()
    own = f"{path} ({count_bytes(stat.st_size)}, modified {changed}), as {name!r} to {to}"
    kept = journal if isinstance(journal, Journal) else Journal(journal, "uploads")
    others = [other for other, entry in kept.entries.items() if entry is not None and other != own]
    if others and not kept.keeps_results:
        raise InvalidInput(
            f"{NOT_SENT}: the journal {kept.path} belongs to the upload of {others[0]}, and this is {own}. Delete the "
            "journal to upload the file as it is now"
        )
    return Entry(kept, own)


def read_upload(entry: Entry, to: Place, name: str, size: int) -> Upload | None:
    """Return the upload of an entry, to be resumed; ``None`` if the entry is empty.

    Raises:
        InvalidInput: the journal is damaged, or the file was stored already.
    """
    if "result" in (entry.read() or ()):
        raise InvalidInput(f"{NOT_SENT}: by {entry.journal.path}, {name!r} is stored already")

    def load(found: dict[str, Any]) -> Upload:
        kept = KeptUpload.model_validate(found)
        if max(kept.offset, kept.sent) > size or not MEDIA_TYPE.fullmatch(kept.content_type):
            raise ValueError
        if "://" not in kept.url.reveal():  # that it is the service's own is checked before anything is sent
            raise ValueError
        state: dict[str, Any] = {name: value for name, value in kept if name not in ("sent", "digest")}
        sent = SentContent(kept.sent, kept.digest)
        return Upload(to=to, name=name, size=size, sent=sent, entry=entry, **state)

    return entry.read_as(load)

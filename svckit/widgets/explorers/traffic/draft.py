"""The choices made in a traffic explorer, which a new one takes over."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from svckit.http.trace import ELSEWHERE
from svckit.widgets.base.folding import fold_words
from svckit.widgets.explorers.traffic.details import AREA_NAMES, PARTS
from svckit.widgets.explorers.traffic.messages import Only, TrafficMessage
from svckit.widgets.explorers.traffic.resending import EditedRequest

__all__ = ["FILTERS", "TrafficDraft"]

FILTERS = ("text", "area", "only", "method", "status", "operation")
STATUS_CLASSES = (*(f"{first}xx" for first in range(1, 10)), "none")


@dataclass(frozen=True, slots=True)
class TrafficDraft:
    """The filter and the order, whether new requests are shown automatically, and how one is shown and edited."""

    text: str = ""
    area: str = ""
    only: Only = ""
    method: str = ""
    status: str = ""
    operation: str = ""
    sort: str = "No."
    ascending: bool = True
    live: bool = True
    part: str = "Response"
    edited: EditedRequest = field(default_factory=EditedRequest)

    def __post_init__(self) -> None:
        if self.area and self.area not in AREA_NAMES:
            raise ValueError(f"area must be one of {', '.join(AREA_NAMES)}, or empty; given {self.area!r}")
        if self.only and self.only not in ("failed", "assumed"):
            raise ValueError(f"only must be failed, assumed or empty; given {self.only!r}")
        if self.status and self.status not in STATUS_CLASSES:
            raise ValueError(
                f"status must be one of {', '.join(STATUS_CLASSES)}, or empty; given {self.status!r}"
            )

        if self.part not in PARTS:
            raise ValueError(f"part must be one of {', '.join(PARTS)}; given {self.part!r}")

    def filter(self, messages: Iterable[TrafficMessage]) -> list[TrafficMessage]:
        """Return the messages that contain every word of the text and match what else is chosen."""
        words = fold_words(self.text)
        return [
            message
            for message in messages
            if self.area in ("", message.area or ELSEWHERE)
            and (not self.only or (message.is_failed if self.only == "failed" else bool(message.assumed)))
            and self.method in ("", message.method)
            and self.status in ("", message.status_class)
            and self.operation in ("", message.operation)
            and message.has_words(words)
        ]

"""The headers that the fake adds to responses, which the service does not have."""

from typing import Final, NamedTuple

__all__ = [
    "ASSUMED_HEADER",
    "AUTO_LOGIN_HEADER",
    "CLOCK_HEADER",
    "DEVIATES_HEADER",
    "IGNORED_HEADER",
    "NOTE_HEADER",
    "OBSERVED_HEADER",
    "OWN_HEADERS",
    "REASON_HEADER",
    "SECTION_HEADER",
    "STUBBED_HEADER",
    "OwnHeader",
]

ASSUMED_HEADER: Final = "X-Fake-Assumed"
AUTO_LOGIN_HEADER: Final = "X-Fake-Auto-Login"
CLOCK_HEADER: Final = "X-Fake-Clock"
DEVIATES_HEADER: Final = "X-Fake-Deviates"
IGNORED_HEADER: Final = "X-Fake-Ignored"
NOTE_HEADER: Final = "X-Fake-Note"
OBSERVED_HEADER: Final = "X-Fake-Observed"
REASON_HEADER: Final = "X-Fake-Reason"
SECTION_HEADER: Final = "X-Fake-Section"
STUBBED_HEADER: Final = "X-Fake-Stubbed"


class OwnHeader(NamedTuple):
    """One of these headers in words.

    Attributes:
        meaning: what it says.
        recorded: the attributes of a journal entry that say the same.
    """

    meaning: str
    recorded: tuple[str, ...] = ()


OWN_HEADERS: Final = {
    ASSUMED_HEADER: OwnHeader(
        "The IDs of the assumptions that the response rests on, separated by commas.", ("assumed",)
    ),
    OBSERVED_HEADER: OwnHeader(
        "The IDs of the measured rules, as ``assume_from`` gave them, that the response rests on, separated by commas.",
        ("observed",),
    ),
    DEVIATES_HEADER: OwnHeader(
        "The deviations that shaped the response, such as ``file.stored=200``, separated by commas.",
        ("deviations",),
    ),
    STUBBED_HEADER: OwnHeader(
        "The method and the path of the stub that made the response, whose operation in the journal is ``stubbed``.",
        ("operation",),
    ),
    NOTE_HEADER: OwnHeader(
        "That the stub is a ready one: neither part of the description, nor of the user's own words."
    ),
    IGNORED_HEADER: OwnHeader(
        "The parameters and fields of the request that were ignored, separated by commas, without their values.",
        ("ignored",),
    ),
    REASON_HEADER: OwnHeader(
        "Why the request was refused and, where they are known, the choices that would have allowed it.",
        ("reason", "remedy"),
    ),
    SECTION_HEADER: OwnHeader(
        "The section of the description that describes the operation of a refused request. The journal has that of a "
        "documented rule that refused it instead, if one did.",
        ("section",),
    ),
    CLOCK_HEADER: OwnHeader(
        "``standing`` in a response that says how long to wait, if the clock of the fake stands: waiting does not "
        "help until the clock is moved."
    ),
    AUTO_LOGIN_HEADER: OwnHeader("The ID of the user who was logged in without a login screen."),
}
"""What each of them says, by name."""

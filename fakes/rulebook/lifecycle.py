"""Rules of retired features and planned retirements."""

from fakes.rulebook.sections import VERSIONING

RETIRED = VERSIONING.documented(
    "lifecycle.retired",
    "The operations of the table are retired, or planned to be; a client that depends on a retired one fails.",
)
READING = VERSIONING.assumed(
    "lifecycle.dates",
    "Early in a month is read as its 5th day, mid as the 15th, late as the last; the alternative reads them as the "
    "first day of the part: 1st, 11th, 21st. settings.retirement_dates sets any day. Every day begins at 00:00 in "
    "the offset that the clock started with, or in UTC if it runs with the system.",
    ("usual-day", "first-day"),
)
ENDED = VERSIONING.assumed(
    "lifecycle.ended",
    "From the day on which it retires, an operation gets 404, and the response names the date and the replacement.",
    ("404", "410"),
)
NOT_DESCRIBED = VERSIONING.assumed(
    "lifecycle.not-described",
    "The requests of operations that are planned to retire are not shown; until then they get 501.",
    ("501", "404"),
)
HEADERS = VERSIONING.assumed(
    "lifecycle.headers",
    "If the day of the retirement is known, the headers Deprecation (RFC 9745) and Sunset (RFC 8594) contain it.",
    ("sent", "not-sent"),
)

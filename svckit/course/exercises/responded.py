"""Lesson 10: what a client made of the responses it got, right and otherwise."""

from collections.abc import Mapping, Sequence

import httpx

from fakes import FakeService
from fakes.lessons import Run, Variant
from fakes.parts.journal_entry import JournalEntry
from svckit.display.card import quantity
from svckit.display.masking import mask

__all__ = [
    "gives_up",
    "has_other_values",
    "has_urls",
    "is_patient",
    "is_renamed",
    "leaves_out",
    "misses_access",
    "names_refused",
    "needs_200",
    "needs_status",
    "notices",
    "overlooks",
    "prepare",
    "reads_text",
    "repeats",
    "says_otherwise",
    "stops",
    "summarize",
]

UPDATE = "users.update"
PHOTO = "/photo"
NO_ACCESS = "no access"
NOBODY, SUSPENDED = "u-999", "u-017"
LONGEST = 100
LATER = 25
"""The hours after which an access token has expired."""


def prepare(fake: FakeService, variant: Variant) -> Sequence[object]:
    """Choose the alternatives of a variant, and return a client and the newcomers."""
    fake.rules.choose(variant.options["assume"])
    headers = {"Authorization": f"Bearer {fake.access_token()}"}
    if variant.options["expired"]:
        fake.clock.advance(hours=LATER)
    http = httpx.Client(transport=fake.transport(), base_url=fake.facts["base_url"], headers=headers)
    first, second, third = fake.facts["users"][4:7]
    names = {user: fake.directory[user]["userName"]["firstName"] for user in (first, third, SUSPENDED)}
    newcomers = {
        first: f"{names[first]} (new)",
        NOBODY: "Nobody",
        second: "Long " * LONGEST,
        SUSPENDED: f"{names[SUSPENDED]} (new)",
        third: f"{names[third]} (new)",
    }
    return http, newcomers


def assumed(run: Run) -> Mapping[str, str]:
    """Return the alternatives that are chosen in a run."""
    chosen: Mapping[str, str] = run.variant.options["assume"]
    return chosen


def is_expired(run: Run) -> bool:
    """Return whether the access token had expired."""
    return bool(run.variant.options["expired"])


def given(run: Run) -> dict[str, str]:
    """Return the newcomers that the function was called with."""
    newcomers: dict[str, str] = run.arguments[1]
    return newcomers


def result(run: Run) -> dict[str, object]:
    """Return the result, if it is a dictionary; an empty one otherwise."""
    return run.result if isinstance(run.result, dict) else {}


def refused(run: Run) -> list[str]:
    """Return the newcomers who cannot be renamed, by this run's alternatives."""
    inactive = [SUSPENDED] if "user.inactive" in assumed(run) else []
    return [
        user for user, name in given(run).items() if user == NOBODY or len(name) > LONGEST or user in inactive
    ]


def accepted(run: Run) -> list[str]:
    """Return the newcomers who can be renamed."""
    return [user for user in given(run) if user not in refused(run)]


def asked(run: Run) -> list[JournalEntry]:
    """Return the requests for upload URLs."""
    return [entry for entry in run.entries if entry.path.endswith(PHOTO)]


def show(value: object) -> str:
    """Return a value as text: masked, then cut, as half a secret would not be found."""
    return f"{mask(repr(value)):.200}"


def is_url(value: object) -> bool:
    """Return whether a value is an upload URL."""
    return str(value).startswith("https://")


def describe(entry: JournalEntry) -> str:
    """Return a request and its status in words."""
    return f"Request {entry.number} ({entry.method} {entry.path}) got {entry.status}"


def describe_assumed(entry: JournalEntry) -> str:
    """Return a request, its status, and the assumptions behind it, in words."""
    rests = "the assumption" if len(entry.assumed) == 1 else "the assumptions"
    return f"{describe(entry)}. That rests on {rests} {', '.join(entry.assumed)}."


def describe_outcome(run: Run) -> str:
    """Return what the function returned or raised, in words."""
    if run.error is not None:
        where = f" in {run.line}" if run.line else ""
        return f"Your function raised {type(run.error).__name__}{where}. It says: {run.error}".partition(
            "\n"
        )[0]
    shown = {user: "https://…" if is_url(value) else value for user, value in result(run).items()}
    return f"Your function returned {show(shown or run.result)}."


def is_renamed(run: Run) -> bool | None:
    """Return whether all who can be renamed are."""
    if is_expired(run):
        return None
    return all(run.fake.directory[user]["nickName"] == given(run)[user] for user in accepted(run))


def has_urls(run: Run) -> bool | None:
    """Return whether the result has an upload URL for each of them."""
    if is_expired(run):
        return None
    return all(is_url(result(run).get(user)) for user in accepted(run))


def names_refused(run: Run) -> bool | None:
    """Return whether the result has None for those who were refused, and nobody else."""
    if is_expired(run):
        return None
    nobody = [user for user, value in result(run).items() if value is None]
    return sorted(nobody) == sorted(refused(run))


def notices(run: Run) -> bool | None:
    """Return whether an expired token stops the function, with the agreed result."""
    if not is_expired(run):
        return None
    return run.result == NO_ACCESS and len(run.entries) == 1


def is_patient(run: Run) -> bool | None:
    """Return whether no refused request was sent again."""
    return None if is_expired(run) else repeats(run) is None


def gives_up(run: Run) -> str | None:
    """Find “no access” as the result although the token was valid."""
    if is_expired(run) or run.result != NO_ACCESS:
        return None
    last = run.entries[-1]
    return f"{describe(last)}, and your function returned “{NO_ACCESS}”. The token was valid: request 1 was accepted."


def says_otherwise(run: Run) -> str | None:
    """Find another text than the agreed one."""
    if not isinstance(run.result, str) or run.result == NO_ACCESS:
        return None
    return f"{describe(run.entries[-1])}, and your function returned {show(run.result)}."


def misses_access(run: Run) -> str | None:
    """Find an expired token that went unnoticed."""
    if not is_expired(run) or notices(run):
        return None
    happened = describe(run.entries[0]) + ", because its access token had expired."
    if assumed(run):
        happened = f"{describe_assumed(run.entries[0])} The access token had expired."
    if run.result == NO_ACCESS:
        return f"{happened} Then {quantity(len(run.entries) - 1, 'more request')} came."
    return f"{happened} {describe_outcome(run)}"


def repeats(run: Run) -> str | None:
    """Find a refused request that was sent again."""
    sent: dict[tuple[str, str, str], JournalEntry] = {}
    for entry in run.entries:
        key = (entry.method, entry.path, entry.request_body)
        if key in sent and sent[key].is_error:
            return f"{describe(sent[key])}. Request {entry.number} is the same again, and got {entry.status}."
        sent[key] = entry
    return None


def overlooks(run: Run) -> str | None:
    """Find that the refusal of a name was not noticed."""
    for entry in run.sent(UPDATE):
        user = entry.path.rpartition("/")[2]
        later = [each for each in asked(run) if each.path.split("/")[2] == user]
        if entry.is_error and later and not is_expired(run):
            return f"{describe(entry)}: the nickname was refused. Then came request {later[0].number}, for a photo."
    return None


def needs_200(run: Run) -> str | None:
    """Find that an upload URL got lost because its status was not the usual one."""
    if "file.upload-status" not in assumed(run) or len(assumed(run)) > 1 or has_urls(run) is not False:
        return None
    return f"{describe_assumed(asked(run)[0])} {describe_outcome(run)}" if asked(run) else None


def find_refusal(run: Run) -> JournalEntry | None:
    """Return the first refusal of a run whose result was not reached."""
    if is_expired(run) or (run.error is None and names_refused(run) and has_urls(run)):
        return None
    return next((entry for entry in run.entries if entry.is_error), None)


def reads_text(run: Run) -> str | None:
    """Find that only the body of a refusal made a difference."""
    entry = find_refusal(run)
    if entry is None or list(assumed(run)) != ["api.error-body"]:
        return None
    return f"{describe_assumed(entry)} Its body is {entry.response_body:.60}… {describe_outcome(run)}"


def needs_status(run: Run) -> str | None:
    """Find that the exact status of a refusal made a difference."""
    entries = [entry for entry in run.entries if assumed(run).keys() & set(entry.assumed)]
    if find_refusal(run) is None or not entries:
        return None
    return f"{describe_assumed(entries[0])} {describe_outcome(run)}"


def stops(run: Run) -> str | None:
    """Find that newcomers after a refusal got no request."""
    entry = find_refusal(run)
    asked = {each.path.split("/")[2] for each in run.entries}
    left = [user for user in given(run) if user not in asked]
    if entry is None or not left:
        return None
    return f"{describe(entry)}, and no request was sent for {', '.join(left)}. {describe_outcome(run)}"


def leaves_out(run: Run) -> str | None:
    """Find newcomers whom the result does not name."""
    left = [user for user in given(run) if user not in result(run)]
    if is_expired(run) or run.error is not None or not left:
        return None
    if not isinstance(run.result, dict):
        return f"The result is not a dictionary. {describe_outcome(run)}"
    return f"The result does not name {', '.join(left)}. {describe_outcome(run)}"


def has_other_values(run: Run) -> str | None:
    """Find a value of the result that is not what became of a newcomer."""
    if is_expired(run) or run.error is not None:
        return None
    for user, nickname in given(run).items():
        value = result(run).get(user)
        sent = [entry for entry in run.sent(UPDATE) if entry.path.endswith(f"/{user}")]
        other = [entry.number for entry in sent if entry.json != {"nickName": nickname}]
        if other:
            return f"Request {other[0]} did not send the nickname that {user} was to get."
        if value is not None and (user in refused(run) or not is_url(value)):
            return f"For {user}, the result has {show(value)}."
    return None


def summarize(run: Run) -> str:
    """Return the figures of a successful run."""
    return f"{len(accepted(run))} accepted, {len(refused(run))} refused; six assumptions make no difference."

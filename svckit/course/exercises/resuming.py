"""Lesson 07: download a file, and send it on in pieces over a connection that breaks."""

from collections.abc import Sequence
from random import Random

import httpx

from fakes import FakeService
from fakes.lessons import Run, Variant
from fakes.lessons.goals import Exercise, Goal, Mistake
from svckit.course.exercises.ranges import (
    FILE,
    NAME,
    PIECE,
    bytes_sent,
    content_of,
    gets_stuck,
    interrupted,
    is_complete,
    is_foreign,
    misses_end,
    misses_total,
    pieces,
    sends_much,
    sends_whole,
    skips,
    starts_over,
    wastes,
)
from svckit.course.exercises.transfers import (
    RECEIVE,
    MeasuringClient,
    client,
    forgets_token,
    sends_no_form,
    sent,
)

__all__ = ["EXERCISE"]

SEND = "storage.send"


def prepare(fake: FakeService, variant: Variant) -> Sequence[object]:
    """Store a file, announce it elsewhere, inject faults, and return a client, a token and three URLs."""
    facts, options = fake.facts, variant.options
    size = options["size"]
    content = Random(fake.facts["login_id"]).randbytes(size)  # noqa: S311 - a film, not a secret
    fake.files.seed(options["place"], FILE, NAME, "video/mp4", content)
    token = fake.access_token("u-001")
    http = MeasuringClient(fake, options.get("elsewhere", ""))
    announced = http.post(
        facts["base_url"] + "/users/u-002/drive/files",
        json={"fileName": NAME, "fileSize": size},
        headers={"Authorization": f"Bearer {token}"},
    )
    if "breaks" in options:
        for skip, arrives in options["breaks"]:
            fake.faults.reset(RECEIVE, skip=skip, applied=arrives)
    target = announced.json()["uploadUrl"]
    http.urls.clear()
    http.pieces.clear()
    return http, token, facts["upload_url"], facts["base_url"] + options["source"], target


def has_tokens(run: Run) -> bool | None:
    """Return whether all requests had the token; None before the second step."""
    return forgets_token(run) is None if run.sent(SEND) else None


def is_careful(run: Run) -> bool | None:
    """Return whether the token went only to the service; None before the second step."""
    return not client(run).strays if run.sent(SEND) or is_foreign(run) else None


def has_ranges(run: Run) -> bool | None:
    """Return whether all content was sent in small ranges; None if none was sent."""
    if not sent(run):
        return None
    small = all(piece.end - piece.start < PIECE for piece in pieces(run))
    return small and len(pieces(run)) == len(sent(run))


def is_thrifty(run: Run) -> bool | None:
    """Return whether interruptions cost little; None if the file did not arrive."""
    return wastes(run) is None if is_complete(run) else None


def goes_elsewhere(run: Run) -> str | None:
    """Find a request to the host of a forged redirect."""
    strays = client(run).strays
    if not strays:
        return None
    what = "with the access token" if any(strays) else "without a token, but what came back is not the file"
    return (
        f"The response to request 1 redirected to {client(run).elsewhere}, which is not the storage, "
        f"{httpx.URL(run.arguments[2]).host}. Your function sent a request there, {what}."
    )


def raises(run: Run) -> str | None:
    """Find an error in place of a return after a redirect to another host."""
    if not is_foreign(run) or run.error is None:
        return None
    return (
        f"The response to request 1 redirected to {client(run).elsewhere}. Your function did not go there, but it "
        f"raised {type(run.error).__name__}."
    )


def ignores_redirect(run: Run) -> str | None:
    """Find a redirect that nobody followed."""
    located = [entry for entry in run.entries if entry.status == 302]
    if is_foreign(run) or not located or run.sent(SEND):
        return None
    then = f", and your function raised {type(run.error).__name__}" if run.error else ""
    return (
        f"The response to request {located[0].number} had the status 302, no content, and a header Location. Nothing "
        f"was requested from the URL in that header{then}."
    )


def gives_up(run: Run) -> str | None:
    """Find an error that was raised at an interruption."""
    if run.error is None or not run.entries or not run.entries[-1].injected:
        return None
    arrived = sum(piece.end - piece.start + 1 for piece in pieces(run) if piece.arrived)
    return (
        f"Request {run.entries[-1].number} was interrupted, and your function raised {type(run.error).__name__}. "
        f"{arrived:,} of {len(content_of(run)):,} bytes had arrived."
    )


def keeps_file(run: Run) -> str | None:
    """Find a download that was not sent on."""
    fetched = run.sent(SEND, 200)
    if run.error is not None or not fetched or sent(run):
        return None
    return f"Request {fetched[0].number} downloaded the file. Nothing was sent to the upload URL, the target."


def ends_early(run: Run) -> str | None:
    """Find a function that returned before the last piece."""
    if run.error is not None or is_foreign(run) or is_complete(run):
        return None
    if not pieces(run) or any(entry.is_error for entry in run.entries):
        return None
    arrived = max((piece.end + 1 for piece in pieces(run) if piece.arrived), default=0)
    return f"{arrived:,} of {len(content_of(run)):,} bytes had arrived when your function returned."


def summarize(run: Run) -> str:
    """Return the figures of a successful run."""
    count = len(interrupted(run))
    return (
        f"{len(content_of(run)):,} bytes arrived in {len(pieces(run)) - count} pieces, with {count} interruptions; "
        f"{bytes_sent(run):,} bytes sent."
    )


EXERCISE = Exercise(
    name="carry_file",
    title="Download and resume",
    minutes=20,
    section="Endpoints › File transfer",
    starter="""\
def carry_file(http, token, storage, source, target):
    # Where is the file? May that host have the token? Then send it on in pieces.
    ...
""",
    prepare=prepare,
    variants=(
        Variant(
            "a film of 234,567 bytes",
            {
                "size": 234_567,
                "place": ("bot", "bot-1"),
                "source": f"/bots/bot-1/attachments/{FILE}",
                "breaks": ((3, False), (11, False)),
            },
        ),
        Variant(
            "a film of 260,000 bytes, and a connection that breaks after a piece has arrived, before the response has",
            {
                "size": 260_000,
                "place": ("drive", "u-001"),
                "source": f"/users/u-001/drive/files/{FILE}/revisions/1/download",
                "breaks": ((5, True), (14, False)),
            },
        ),
        Variant(
            "a redirect that leads to another host",
            {
                "size": 234_567,
                "place": ("bot", "bot-1"),
                "source": f"/bots/bot-1/attachments/{FILE}",
                "elsewhere": "storage.fake.test.example.net",
            },
        ),
    ),
    goals=(
        Goal("the file arrives as it was, byte by byte", is_complete),
        Goal("each request has the token", has_tokens),
        Goal("the token goes to the service, and to nobody else", is_careful),
        Goal(f"pieces have at most {PIECE:,} bytes, each with its range", has_ranges),
        Goal("at most 1.1 times the bytes are sent, in spite of interruptions", is_thrifty),
    ),
    mistakes=(
        Mistake(
            "elsewhere",
            goes_elsewhere,
            (
                "What could the owner of that host do with the token?",
                "The names of the two hosts begin alike. Which parts of a URL have to be equal?",
                "See “Who may have the token?” above: compare the two results for each URL.",
            ),
        ),
        Mistake(
            "raises",
            raises,
            (
                "What does the exercise ask for in this case?",
                "Nobody catches that error here. How does a function end without one?",
                "See “Exercise” above: what it says about a redirect to anywhere else.",
            ),
        ),
        Mistake(
            "no token",
            forgets_token,
            (
                "Did every request carry the token?",
                "If httpx follows a redirect to another host, what does it leave out?",
                "See “Predict, then run” above: what happened there to the second request?",
            ),
        ),
        Mistake(
            "redirect ignored",
            ignores_redirect,
            (
                "Is 302 an error, the file, or something else?",
                "The file is at another URL. Which header has it?",
                "See “Two requests for one file” above: how the second request gets its URL.",
            ),
        ),
        Mistake(
            "not sent on",
            keeps_file,
            (
                "Where should the file be in the end?",
                "Downloads come whole, and uploads in pieces. Which of the two is still missing?",
                "See “Content in ranges” above: what send does with a piece.",
            ),
        ),
        Mistake(
            "no form",
            sends_no_form,
            (
                "In what form does the storage take content?",
                "A range is still a form of parts. Which parameter of httpx makes one?",
                "See “Content in ranges” above: the parameter files in send.",
            ),
        ),
        Mistake(
            "no range",
            sends_whole,
            (
                "How much is lost if the connection breaks near the end?",
                "The service keeps each piece that has arrived. How does it know which piece that is?",
                "See “Content in ranges” above: the header Content-Range.",
            ),
        ),
        Mistake(
            "large pieces",
            sends_much,
            (
                "How much has to be sent again after an interruption?",
                "What has to be sent again is one piece. How large may it be?",
                "See “Exercise” above: the size of a piece.",
            ),
        ),
        Mistake(
            "total",
            misses_total,
            (
                "What should the third number say?",
                "It is the size of the whole file in bytes. Where does your function get it?",
                "See “Two requests for one file” above: content is bytes, and the response says how many.",
            ),
        ),
        Mistake(
            "end",
            misses_end,
            (
                "How many bytes are 0-0?",
                "A slice ends before its second number. Does a range?",
                "See “Content in ranges” above: the second number of the header for the first 10,000 bytes.",
            ),
        ),
        Mistake(
            "starting over",
            starts_over,
            (
                "What does the storage still have after an interruption?",
                "Only one piece is in doubt. Which one?",
                "See “Break it” above: at which byte the upload goes on.",
            ),
        ),
        Mistake(
            "skipping",
            skips,
            (
                "Which bytes have to arrive before these can?",
                "Pieces follow one another without a gap, from byte 0. When may your function go on to the next?",
                "See “Break it” above: what is sent after the first interruption.",
            ),
        ),
        Mistake(
            "giving up",
            gives_up,
            (
                "Is an interruption the end of the upload?",
                "The error belongs to one request. Which statement should it not get past?",
                "See “Break it” above: what the storage says after an interruption.",
            ),
        ),
        Mistake(
            "stuck",
            gets_stuck,
            (
                "Which two things can have happened to an interrupted piece?",
                "If a piece had arrived, what does the storage say to the same piece again?",
                "See “Break it” above: the second interruption there, and the reason of the refusal after it.",
            ),
        ),
        Mistake(
            "early end",
            ends_early,
            (
                "Which bytes are missing?",
                "Look at the last range: does it end at the last byte of the file?",
                "See “Content in ranges” above: the last piece there is shorter than the others.",
            ),
        ),
        Mistake(
            "waste",
            wastes,
            (
                "Which bytes were sent more than once?",
                "After an interruption, how many pieces are in doubt?",
                "See “Break it” above: how much is sent again there.",
            ),
        ),
    ),
    summarize=summarize,
)

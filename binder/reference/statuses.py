"""The page of errors by their status; the example of each one is run, and its error is what was raised."""

import re
import textwrap
from collections.abc import Iterator
from http import HTTPStatus
from typing import NamedTuple

from binder.reference.errors import BEGINNING, run, wrap
from binder.reference.markdown import code, codes, fence, page, prose, table
from fakes.handlers.routes import ROUTES
from fakes.handlers.routing import Route
from fakes.http.errors import Refusal
from fakes.openapi.outcomes import Outcome, list_all_outcomes
from fakes.openapi.recorded import name_family
from fakes.rulebook.rules import Rules
from svckit.errors import ServiceError

INTRO = """\
What an error status means here, which error a session raises for it, and what to do. The description of the service
shows few errors: the other statuses are assumptions, which have [alternatives](rules.md), or are the fake's own. The
header `X-Fake-Reason`, and `svc.fake.journal[-1].reason`, say what was wrong with a call.

A session sends a request again, twice at most (`svc.retries`), if that cannot do anything twice: after 429, except for
notifications, and for reads also after 409, 502, 503 and 504. After 401 it renews the access token once.
[Errors](errors.md) has each class.
The examples begin with

"""

VARIES = re.compile(r"(?<=127\.0\.0\.1:)\d+|(?<=and holds )\d+")
"""What is another one each time, or elsewhere: the port of a served fake, and what its journal takes."""
PHRASES = {413: "Content Too Large"}
"""Names of statuses that Python has changed."""


class Status(NamedTuple):
    """An error status.

    Attributes:
        means: what it means here.
        remedy: what to do.
        example: code that gets it.
    """

    means: str
    remedy: str
    example: str


STATUSES = {
    400: Status(
        "Something in the request is not valid: a field, a parameter, a range of an upload, or the webhook URL; at the "
        "token endpoint also a code or a refresh token that is unknown, used or expired.",
        "Correct what the message names. All problems are named at once.",
        """\
        svc.fake.settings.profile_status_enabled = False
        svc.users.set_status("u-001", "BUSY")
        """,
    ),
    401: Status(
        "There is no valid access token: it is missing, has expired, or was lost when a client followed a redirect to "
        "another host. Also a login or a client secret that is wrong.",
        "Sign in again. If a download gets it, request the `Location` yourself, with the token: see [How to make the "
        "fake look like your service](../how-to/make-the-fake-look-like-your-service.ipynb).",
        """\
        # As if the service refused every token.
        svc.fake.faults.status("users.update", 401, times=None)
        svc.users.read("u-001")
        """,
    ),
    403: Status(
        "Not allowed. The fake responds so only under an alternative: those below, and `api.unauthorized=403`, for an "
        "access token that is missing or has expired.",
        "Use an account that may do it. If your service refuses expired tokens so, set `renew_on` in the "
        "[profile](configuration.md#keys-of-a-profile). See [How to test management "
        "settings](../how-to/test-settings.ipynb).",
        """\
        svc.fake.settings.property_restrictions = {"task": {"settable": False}}
        svc.fake.rules.choose({"user.not-settable": "403"})
        svc.users.update("u-001", task="Sales")
        """,
    ),
    404: Status(
        "The user, file, bot or upload URL does not exist, or has expired; or no operation has this path. A retired "
        "operation gets it too, with the class `Retired`.",
        "Check the ID; `svc.users.list_known()` has those of users. For a path that your service has and the "
        "description does not, add a [stub](../how-to/make-the-fake-look-like-your-service.ipynb).",
        """\
        svc.users.read("u-999")
        """,
    ),
    409: Status(
        "Another user has this e-mail address or external key, or another update of the same user is in progress. The "
        "description lists the status without conditions. Notifications never get it: for a webhook URL, 400 and 429 "
        "alone are described.",
        "Read the record again before you retry, and update one user by one call at a time.",
        """\
        taken = svc.users.read("u-002").email
        svc.users.update("u-001", email=taken)
        """,
    ),
    413: Status(
        "The body is too large: more than 16 MiB of JSON, or 64 KiB of a form.",
        "Send content to an upload URL instead: see [How to transfer big files](../how-to/transfer-big-files.ipynb).",
        """\
        svc.request("PATCH", "/users/u-001", json={"task": "x" * 2**24})
        """,
    ),
    421: Status(
        "Only of a served fake with [worlds](../how-to/share-one-server.ipynb): another process has this world.",
        "Send the request to that process. A proxy that routes by the name of the world does so.",
        """\
        from contextlib import closing
        from fakes import Worlds

        with closing(Worlds(state="worlds")) as one, closing(Worlds(state="worlds")) as other, other.httpx():
            facts = one.create("mina").facts
            svckit.connect(svckit.Profile.from_facts(facts), credentials=svckit.Credentials.from_facts(facts))
        """,
    ),
    429: Status(
        "Too many requests: more than 120 notifications a minute in the domain, over all webhook URLs. The resource "
        "API has a limit only under the alternative `api.rate-limit`.",
        "Wait until `RateLimit-Reset`, or call `svc.notify(…, wait=True)`: see [How to stay within the notification "
        "limit](../how-to/stay-within-the-notification-limit.ipynb).",
        """\
        for number in range(121):
            svc.notify(f"Message {number}")
        """,
    ),
    501: Status(
        "The operation is planned to end. Until then it works, but the description does not say what it does.",
        "Use the replacement: see [How to find retired features](../how-to/find-retired-features.ipynb).",
        """\
        svc.request("GET", "/directory/custom-fields")
        """,
    ),
    503: Status(
        "The service is busy. The fake responds so only if a [fault](faults.md#status) says so, or, served, once the "
        "calls of `fake.budget` are spent.",
        "Try again later; whether an update took effect is not known. See [How to inject faults and "
        "retry](../how-to/inject-faults-and-retry.ipynb).",
        """\
        svc.fake.faults.status("users.update", 503, retry_after=3600)
        svc.users.update("u-001", task="Sales")
        """,
    ),
    507: Status(
        "Only of a served fake: the change was made, but could not be saved to its state file, as the disk is full; or "
        "the body does not fit into a [world](../how-to/share-one-server.ipynb).",
        "Free some space: the next request saves the change too. Empty a world that is full with `POST /reset`.",
        """\
        import httpx
        from fakes import Worlds

        with Worlds(most_bytes=50_000, now="2026-06-01T09:00:00+09:00").serve() as served:
            key = {"Authorization": f"Bearer {served.facts['admin_key']}"}
            facts = httpx.post(f"{served.facts['admin_url']}/worlds", json={"name": "mina"}, headers=key).json()
            credentials = svckit.Credentials.from_facts(facts)
            with svckit.connect(svckit.Profile.from_facts(facts), credentials=credentials) as full:
                full.request("PATCH", "/users/u-001", json={"task": "x" * 60_000})
        """,
    ),
}
"""The error statuses of the service and of the fake."""


def write() -> str:
    """Return the page."""
    errors = {status: raise_error(status) for status in STATUSES}
    rows = [
        (
            f"[{code(status)}](#{name_heading(status).lower().replace(' ', '-')})",
            code(type(errors[status]).__name__),
            found.means,
            found.remedy,
        )
        for status, found in STATUSES.items()
    ]
    return page(
        "Errors by their status",
        INTRO + fence(BEGINNING, "python"),
        table(("status", "class", "what it means here", "what to do"), rows),
        *(part for status, error in errors.items() for part in describe(status, error)),
    )


def name_heading(status: int) -> str:
    """Return the heading of a status, such as ``404 Not Found``."""
    return f"{status} {PHRASES.get(status, HTTPStatus(status).phrase)}"


def raise_error(status: int) -> ServiceError:
    """Run the example of a status, and return the error that it raises."""
    error = run(STATUSES[status].example, ServiceError)
    if error.status != status:
        raise error
    return error


def describe(status: int, error: ServiceError) -> Iterator[str]:
    """Yield the parts of the page about one status."""
    yield f"## {name_heading(status)}"
    yield fence(textwrap.dedent(STATUSES[status].example), "python")
    message = VARIES.sub("…", f"{type(error).__name__}: {error}")
    yield fence("\n".join(wrap(message)))
    cases: dict[tuple[str, str], list[str]] = {}
    for route in ROUTES:
        for outcome in list_all_outcomes(route):
            if choose_status(route, outcome) == status:
                only = code("=".join(outcome.when)) if outcome.when else ""
                cases.setdefault((outcome.words, only), []).append(name_family(route.operation))
    rows = [(prose(words), codes(dict.fromkeys(names)), only) for (words, only), names in cases.items()]
    yield table(("when", "operations", "only with the alternative"), rows)


def choose_status(route: Route, outcome: Outcome) -> int | None:
    """Return the status of a refusal where the defaults, or else the only alternative that refuses, are chosen."""
    if outcome.kind is None:
        return None
    rules = Rules(dict([outcome.when]) if outcome.when else {})
    return route.dialect(Refusal(outcome.kind, outcome.words, verbatim=outcome.verbatim), rules).status

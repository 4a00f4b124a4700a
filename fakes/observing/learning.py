"""The facts of recorded traffic that a replay starts from: base URLs, client, users, passwords and webhooks."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta, timezone
from typing import Any, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

from fakes.data.user_records import check_user
from fakes.handlers.routes import AUTHORIZE, ROUTES, TOKEN
from fakes.http import json_text
from fakes.http.errors import Refusal
from fakes.observing.recording import Recorded, find_header, read_basic
from fakes.service import FakeService
from svckit.display.masking import MASK
from svckit.models import limits

__all__ = [
    "DAMAGED",
    "FAILURE",
    "INCOMPLETE",
    "Bearer",
    "find_bearer",
    "find_why_undecidable",
    "learn_bearers",
    "make_fake",
    "parse_form",
]

CONTAINERS = "|".join(
    sorted(
        {route.template.split("/")[1] for route in ROUTES if route.area == "api" and "/" in route.template}
    )
)
BELOW_API = re.compile(rf"(https?://[^?]*?)/(?:{CONTAINERS})(?:[/?]|$)")
USER = re.compile(r"/users/([^/?]+)")
BOT = re.compile(r"/bots/([^/?]+)")
DOMAIN_ID = re.compile(rb'"domainId":\s*(\d+)')
SUCCESS, FAILURE = range(200, 400), 400
UNAUTHORIZED, FORBIDDEN = 401, 403
FORM = "application/x-www-form-urlencoded"
NEVER_ACCEPTED = "with credentials that were never accepted"
INCOMPLETE = "masked or truncated, or about what the recording does not show"
DAMAGED = "without a readable request, response or time"
"""Why nothing can be told from a response."""

OWN_TIME = re.compile(rb'"(?:accessed|created)Time":\s*"[^"]*?(Z|[+-][0-9]{2}:[0-9]{2})"')
"""A time that the service itself makes, and its offset."""

Known = dict[str, str]
"""The values of the replaying fake by those of the recorded service."""


class Bearer(NamedTuple):
    """A token that was issued before the recording.

    Attributes:
        user_id: the user whom it seems to belong to; None if the recording does not show that.
        until: when it was accepted for the last time; it may have expired any time after.
    """

    user_id: str | None
    until: datetime


def parse_form(recorded: Recorded) -> dict[str, str]:
    """Return the query's and the form's parameters of a request, and Basic credentials; each with its first value."""
    query = urlsplit(recorded.url).query
    form = "" if recorded.body[:1] in (b"{", b"-") else recorded.body.decode("utf-8", "replace")
    client = zip(("client_id", "client_secret"), read_basic(recorded), strict=False)
    return dict(client) | {name: values[0] for name, values in parse_qs(f"{query}&{form}").items()}


def find_why_undecidable(traffic: list[Recorded]) -> Iterator[tuple[Recorded, str]]:
    """Yield each request, and why nothing can be told from its response; empty if something can."""
    client, secret = (_pick(traffic, name) for name in ("client_id", "client_secret"))
    accepted = {find_bearer(call) for call in traffic if call.status not in (UNAUTHORIZED, FORBIDDEN)}
    for call in traffic:
        bearer, refused = find_bearer(call), False
        if call.url.partition("?")[0].endswith(TOKEN):
            refused = parse_form(call).get("client_id", client) != client or not secret
        elif bearer and call.status == FORBIDDEN:
            refused = bearer not in accepted
        is_form = find_header(call.headers, "content-type").startswith(FORM)
        masked = MASK in call.url.partition("?")[2] or (is_form and MASK.encode() in call.body)
        yield call, NEVER_ACCEPTED if refused else INCOMPLETE if masked or call.is_partial else ""


def make_fake(traffic: list[Recorded]) -> tuple[FakeService, Known]:
    """Return a fake with the users and the room of the traffic, and its values by those of the traffic."""
    logins = _learn_logins(traffic)
    domain = Counter(found for call in traffic for found in DOMAIN_ID.findall(call.content))
    domain_id = domain.most_common(1)[0][0].decode() if domain else ""
    records = list(_learn_users(traffic, logins))
    start = traffic[0].at.astimezone(_learn_offset(traffic)) if traffic else "2026-01-01T00:00:00Z"
    fake = FakeService.sample(data=records or None, now=start, seed=20_000)
    ours, known = fake.facts, Known()
    accepted = {field: _pick(traffic, field) for field in ("client_id", "client_secret", "redirect_uri")}
    known |= {theirs: ours[name] for name, theirs in accepted.items() if theirs}
    if domain_id:
        known[domain_id] = str(ours["domain_id"])
    bots = Counter(found for call in traffic if call.status in SUCCESS for found in BOT.findall(call.url))
    known |= {bot: str(ours["bot_id"]) for bot, _ in bots.most_common(1)}
    known |= _learn_base_urls(traffic, fake)
    for login_id, password in logins.items():
        with suppress(Refusal):  # it is not an e-mail address
            known[password] = fake.auth.password(fake.state.users.resolve(login_id))
    return fake, known


def _learn_offset(traffic: Sequence[Recorded]) -> timezone:
    """Return the offset of the service's clock: that of the times in its responses, else that of the recording's."""
    offsets = Counter(found.decode() for call in traffic for found in OWN_TIME.findall(call.content))
    seen = [f"2026-01-01T00:00:00{offset}" for offset, _ in offsets.most_common(1)]
    at = datetime.fromisoformat(seen[0]) if seen else traffic[0].at
    return timezone(at.utcoffset() or timedelta(0))


def find_bearer(recorded: Recorded) -> str:
    """Return the token of a request; empty if it has none."""
    scheme, _, token = find_header(recorded.headers, "authorization").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def learn_bearers(traffic: Iterable[Recorded], fake: FakeService) -> dict[str, Bearer]:
    """Return each bearer that was accepted, and that was issued before the traffic."""
    known: dict[str, Bearer] = {}
    issued = b"\n".join(call.content for call in traffic if b"access_token" in call.content)
    for call in traffic:
        bearer = find_bearer(call)
        if bearer and call.status not in (UNAUTHORIZED, FORBIDDEN) and bearer.encode() not in issued:
            user_id = _find_caller(call, fake) or (known[bearer].user_id if bearer in known else None)
            known[bearer] = Bearer(user_id or _find_user(call, fake), call.at)
    return known


def _find_caller(call: Recorded, fake: FakeService) -> str | None:
    """Return the user of the token, if a response shows that."""
    read = call.read_json() if (found := USER.search(urlsplit(call.url).path)) and found[1] == "me" else None
    user_id = read.get("userId") if isinstance(read, dict) else None
    return user_id if user_id in fake.directory else None


def _find_user(call: Recorded, fake: FakeService) -> str | None:
    """Return the user that a path names; None if it names none."""
    found = USER.search(urlsplit(call.url).path)
    try:
        return fake.state.users.resolve(unquote(found[1])) if found else None
    except Refusal:
        return None


def _pick(traffic: Iterable[Recorded], field: str) -> str:
    """Return the value of a form field with the most requests that succeeded."""
    votes: Counter[str] = Counter()
    for call in traffic:
        if call.url.partition("?")[0].endswith((AUTHORIZE, TOKEN)) and (value := parse_form(call).get(field)):
            votes[value] += call.status in SUCCESS
    votes = +votes  # without the values that never succeeded
    return votes.most_common(1)[0][0] if votes else ""


def _learn_logins(traffic: Iterable[Recorded]) -> dict[str, str]:
    """Return the passwords by login ID, of the logins that succeeded."""
    forms = (parse_form(call) for call in traffic if call.method == "POST" and 300 <= call.status < FAILURE)
    return {
        form["login_id"].lower(): form["password"]
        for form in forms
        if {"login_id", "password"} <= form.keys()
    }


def _learn_users(traffic: list[Recorded], logins: dict[str, str]) -> Iterator[dict[str, Any]]:
    """Yield a record of each user: the first that was sent, or one made up for a user who was found."""
    records: dict[str, dict[str, Any]] = {}
    mentioned: dict[str, None] = {}  # in paths, in order, by ID or by any other name
    taken: set[str] = set()  # the e-mail addresses and external keys in `records`
    for call in traffic:
        if call.status in SUCCESS and (found := USER.search(urlsplit(call.url).path)):
            mentioned[unquote(found[1])] = None
            record = _make_acceptable(call.read_json(), taken)
            if record and record["userId"] not in records:
                records[record["userId"]] = record
                taken |= {record["email"].lower(), str(record.get("userExternalKey"))}
    unnamed = [login for login in logins if login not in taken]
    for user_id in mentioned:
        if user_id not in records and user_id != "me" and not {"@", ":"} & set(user_id):
            email = unnamed.pop(0) if unnamed else f"{len(records)}@users.example"
            records[user_id] = {"userId": user_id, "email": email, "userName": {"lastName": "x"}}
    for login in unnamed:
        records[login] = {"userId": f"login-{len(records)}", "email": login, "userName": {"lastName": "x"}}
    yield from (record for record in records.values() if not check_user(record)[1])


def _make_acceptable(record: Any, taken: set[str]) -> dict[str, Any] | None:
    """Return a user's record that a fake accepts, without what it would refuse; None if it is not a user's."""
    if not isinstance(record, dict) or not {"userId", "email", "userName"} <= record.keys():
        return None
    kept = {name: value for name, value in record.items() if name != "domainId"}
    # `taken` has "None" too, for users without a key.
    if check_user(kept)[1] or str(kept.get("userExternalKey")) in taken - {"None"}:
        kept = {name: kept[name] for name in ("userId", "email", "userName")}
    if check_user(kept)[1] or not kept["userId"]:
        return None
    if kept["email"].lower() in taken:  # once another user's, before or after
        kept["email"] = f"{len(taken)}@users.example"
    return kept


def _learn_base_urls(traffic: list[Recorded], fake: FakeService) -> Known:
    ours, known = fake.facts, Known()
    bases: Counter[str] = Counter()
    webhooks: dict[str, bool] = {}  # by URL, whether the service accepted it
    for call in traffic:
        plain = call.url.partition("?")[0]
        for end in (AUTHORIZE, TOKEN):
            if plain.endswith(end):
                known[plain.removesuffix(end)] = ours["auth_url"]
        if found := BELOW_API.match(call.url):
            bases[found[1]] += 1
        elif (
            call.method == "POST"
            and b'"body"' in call.body
            and isinstance(json_text.read_or_none(call.body), dict)
        ):
            webhooks[plain] = webhooks.get(plain, False) or b"webhook URL" not in call.content
        for url in (_find_upload_url(call), find_header(call.response_headers, "location")):
            if url and "code=" not in url and "error=" not in url:
                known[url.partition("?")[0].rpartition("/")[0]] = (
                    f"{ours['upload_url']}/{'uploads' if call.method == 'POST' else 'downloads'}"
                )
    known |= {base: ours["base_url"] for base, _ in bases.most_common(1)}
    return known | _learn_webhooks(webhooks, fake)


def _find_upload_url(call: Recorded) -> str:
    read = call.read_json() if b"uploadUrl" in call.content else None
    return str(read.get("uploadUrl") or "") if isinstance(read, dict) else ""


def _learn_webhooks(webhooks: dict[str, bool], fake: FakeService) -> Known:
    ours, known = list(fake.facts["webhooks"]), {}
    for url, exists in webhooks.items():
        known[url.rpartition("/")[0]] = f"{fake.facts['webhook_url']}/message"
        if exists and len(known) <= limits.WEBHOOKS_PER_DOMAIN:
            if not ours:
                added = fake.webhooks.add("webhook", fake.facts["channel_id"])
                ours.append(f"{fake.facts['webhook_url']}/message/{added.webhook_id}")
            known[url] = ours.pop(0)
    return known

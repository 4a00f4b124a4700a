"""Records the outcomes of each operation and what they rest on, where the tests try every alternative.

python3 binder/run.py python -m tests.fakes.openapi.recording        writes the tables that the document shows
"""

import csv
import io
import json
from contextlib import suppress
from typing import NamedTuple
from unittest.mock import patch

from fakes.engine.alternatives import alternatives
from fakes.engine.request_cycle import RequestCycle
from fakes.engine.unmatched import UNMATCHED
from fakes.handlers.stubs import STUBBED
from fakes.openapi.outcomes import OUTCOMES
from fakes.openapi.recorded import TABLE, name_family
from fakes.rulebook.rule import RULEBOOK

from ..caller import DRIVE, calling, make
from ..documented import DOCUMENTED
from ..scenarios import SCENARIOS
from ..scenarios_assertions import token_for_a_service_account
from .revising import format_outcomes, revise

RUNS = [
    (rule_id, alternative)
    for rule_id in (*SCENARIOS, *DOCUMENTED)
    for alternative in (RULEBOOK[rule_id].alternatives or (None,))
]


class Row(NamedTuple):
    """A row of the table; the kind is empty for a success, the alternative if the rule is documented."""

    operation: str
    status: int
    kind: str
    rule: str
    alternative: str


JSON = {"Content-Type": "application/json"}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
TOO_LONG = 16 * 1024 * 1024 + 1
MAIL = "/users/u-001/mail/vipmailfolders"
STATUSES = "/users/{}/user-profile-statuses"


def sign_in_and_notify(me):
    """Responses that rest on rules of which no scenario is about signing in or notifications."""
    token, hook = me.facts["auth_url"] + "/oauth2/v2.0/token", me.facts["webhooks"][0]
    message, twice = {"body": {"text": "x"}}, b"grant_type=refresh_token&grant_type=refresh_token"
    me.http.post(token + "?client_id=x", data={"grant_type": "refresh_token"})
    me.http.post(token, content=twice, headers=FORM)
    me.http.post(token.replace("token", "authorize"), content=b"login_id=a&login_id=b", headers=FORM)
    me.http.post(token.replace("token", "authorize"), data={"login_id": "a"})
    me.http.post(hook + "?x=1", json=message)
    me.http.post(hook, content=b'{"body": {"text": "x"}, "body": {"text": "y"}}', headers=JSON)
    me.http.post(hook, json=message, headers={"Content-Type": "text/plain"})
    for url in (token, token.replace("token", "authorize")):
        me.http.post(url, content=b"x" * (64 * 1024 + 1), headers=FORM)
    me.http.post(hook, content=bytes(TOO_LONG), headers=JSON)
    me.fake.settings.single_sign_on = True
    me.exchange(me.code(domain=me.fake.settings.domain_name))
    me.exchange("unknown", domain="another")


def send_other_bodies(me):
    """Bodies that JSON operations may refuse or ignore a part of."""
    for method, path, body in (
        ("PATCH", "/users/u-001", {"nickName": "Mina"}),
        ("POST", STATUSES.format("u-001"), {"profileStatusId": "BUSY"}),
        ("POST", DRIVE, {"fileName": "a.txt", "fileSize": 5}),
    ):
        name = next(iter(body))
        me.api(method, path + "?x=1", json=body)
        me.api(method, path, json=body | {"shoeSize": 38})
        me.api(method, path, json=body | {"shoeSize": "x" * 100_001})
        me.api(method, path, json=body | {name: None})
        me.api(method, path, json=body, headers={"Content-Type": "text/plain"})
        twice = f'{{"{name}": "a", {json.dumps(body)[1:]}'
        me.api(method, path, content=twice.encode(), headers=JSON)
    me.ask(modifiedTime="x" * 100_001)


def send_bodies_that_are_too_long(me):
    """With a bearer and without."""
    for bearer in (me.bearer, {}):
        me.bearer = bearer
        for path in (STATUSES.format("u-001"), DRIVE, "/directory/custom-fields"):
            me.api("POST", path, content=bytes(TOO_LONG), headers=JSON)
        me.api("PATCH", "/users/u-001", content=bytes(TOO_LONG), headers=JSON)


def call_with(me, bearer):
    """Call each kind of operation with other credentials."""
    url, location = me.url(), me.api("GET", "/audits/logs/download").headers["Location"]
    mine, me.bearer = me.bearer, {"Authorization": bearer} if bearer else {}
    for user in ("u-001", "u-002"):
        me.patch(user)
        me.set_status(user)
        me.ask(f"/users/{user}/drive/files")
        me.locate("file-1", f"/users/{user}/drive/files")
    me.ask("/boards/b-1/posts/p-1/attachments")
    for path in ("/audits/logs/download", "/monitoring/message-contents/download", MAIL):
        me.api("GET", path)
    me.fetch(location)
    me.http.put(url, content=b"hello", headers=me.bearer)
    me.send(url)
    me.bearer = mine


def call_with_credentials_of_all_kinds(me):
    """Those that are missing, made up, another user's, too small a scope's, spelled otherwise, or no longer valid."""
    token = me.bearer["Authorization"].partition(" ")[2]
    for bearer in (
        "",
        "Bearer made-up",
        "Basic bWluYQ==",
        f"bearer {token}",
        f"Bearer {me.fake.access_token('u-002')}",
    ):
        call_with(me, bearer)
    for user, scope in (("u-017", "user,file"), ("u-001", "profile")):
        call_with(me, f"Bearer {me.fake.access_token(user, scope)}")
    code = me.code()
    ended = me.exchange(code).json()
    me.exchange(code)
    call_with(me, f"Bearer {ended['access_token']}")
    earlier = me.exchange().json()
    me.refresh(earlier["refresh_token"])
    call_with(me, f"Bearer {earlier['access_token']}")
    me.fake.clock.advance(hours=24, seconds=1)
    me.become()
    call_with(me, f"Bearer {token}")


def call_at_other_addresses(me):
    """Users by their e-mail address and external key, and places that there are not."""
    record = me.fake.directory["u-001"]
    key = f"externalKey:{record['userExternalKey']}"
    for user in (
        record["email"].upper(),
        key,
        key.upper().replace("EXTERNALKEY", "externalKey"),
        "nobody",
        "u-017",
    ):
        me.patch(user)
        me.set_status(user)
        me.ask(f"/users/{user}/photo")
        me.locate("file-1", f"/users/{user}/drive/files")
    for path in (f"{DRIVE}/nothing", "/bots/nobody/attachments", "/groups/g-1/folder/files"):
        me.ask(path)
    for path in ("/bots/nobody/attachments/f", "/groups/g-1/folder/files/f/download", "/users/nobody/photo"):
        me.api("GET", path)
    me.locate("nothing/revisions/1")
    me.locate(f"{me.upload()['fileId']}/revisions/1")
    storage = me.facts["upload_url"]
    for url in (f"{storage}/uploads/none", me.url() + "?x=1", me.url()):
        me.send(url)
        me.http.put(url, content=b"hello", headers=me.bearer)
        me.http.put(url, content=b"he", headers=me.bearer | {"Content-Range": "bytes 0-1/5"})
    me.http.post(
        me.url(), content=b"x", headers=me.bearer | {"Content-Type": "multipart/form-data; boundary=b"}
    )
    for url in (f"{storage}/downloads/none", me.locate(me.upload()["fileId"]).headers["Location"] + "?x=1"):
        me.fetch(url)


def send_raw_content(me):
    """Content that is no form: into each kind of place, over a file, in ranges, and of another size."""
    headers = me.bearer
    places = (
        DRIVE,
        f"{DRIVE}/folder-1",
        "/groups/g-1/folder/files",
        "/users/u-001/photo",
        "/users/u-001/photo",
    )
    for url in (
        *map(me.url, places),
        me.url(overwrite=True),
        me.url(f"{DRIVE}/{me.upload()['fileId']}", name="b.txt"),
    ):
        me.http.put(url, content=b"hello", headers=headers)
    me.http.put(me.url(), content=b"hell", headers=headers)
    for range_ in ("0-1/5", "0-1/5", "bytes 2-4/5", "3-1/2"):
        me.http.put(me.url(), content=b"he", headers=headers | {"Content-Range": range_})
    url = me.url()
    me.fake.clock.advance(hours=24, seconds=1)
    me.http.put(url, content=b"hello", headers={"Authorization": f"Bearer {me.fake.access_token()}"})


def call_beyond_the_rate(me):
    """More calls than a minute allows, if it limits them."""
    me.fake.settings.api_calls_per_minute = 1
    me.patch()
    me.patch()
    me.set_status()
    me.ask()
    me.locate("file-1")
    me.api("GET", MAIL)


def call_what_is_retired_without_a_token(me):
    """Also with one that is spelled otherwise."""
    token = me.bearer["Authorization"].partition(" ")[2]
    for me.bearer in ({}, {"Authorization": f"bearer {token}"}):
        me.api("GET", MAIL)


BESIDE = (
    (sign_in_and_notify, {}),
    (send_other_bodies, {}),
    (send_bodies_that_are_too_long, {}),
    (call_with_credentials_of_all_kinds, {}),
    (call_at_other_addresses, {}),
    (send_raw_content, {}),
    (send_raw_content, {"file.raw": "accepted"}),
    (call_beyond_the_rate, {}),
    (call_what_is_retired_without_a_token, {"api.bearer-order": "bearer-first", "api.bearer-form": "exact"}),
    (token_for_a_service_account, {"token.jwt-bearer": "issued"}),
)
"""Calls that show more of what responses rest on than the scenarios of single rules, and what each assumes."""


def record():
    """Return the rows of all runs."""
    rows = set()
    for rule_id, alternative in RUNS:
        calls = SCENARIOS.get(rule_id) or DOCUMENTED[rule_id]
        _run(calls, rows, {rule_id: alternative} if alternative else {})
    for calls, assume in BESIDE:
        relied_on = alternatives([_run(calls, rows, assume)])
        for rule_id, alternative in relied_on:
            _run(calls, rows, assume | {rule_id: alternative})
    return rows


def _run(calls, rows, assume):
    """Make calls under alternatives, as far as they let them come, and add what their responses used."""
    fake, kinds, render = make(assume=assume), {}, RequestCycle._render

    def note(cycle, refusal):
        kinds[len(fake.journal)] = refusal.kind  # the place of the entry that follows
        return render(cycle, refusal)

    with (
        patch.object(RequestCycle, "_render", note),
        calling(fake) as me,
        suppress(AssertionError, KeyError, IndexError),
    ):
        calls(me)
    for number, entry in enumerate(fake.journal):
        if entry.operation not in (UNMATCHED, STUBBED) and not entry.injected:
            start = name_family(entry.operation), entry.status, kinds.get(number, "")
            rows.update(Row(*start, each, fake.rules[each].chosen or "") for each in entry.rules)
    return fake


def write(rows):
    """Return the table as text."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(Row._fields)
    writer.writerows(sorted(rows))
    return text.getvalue()


def read():
    """Return the rows of the stored table."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        return {Row(**row | {"status": int(row["status"])}) for row in csv.DictReader(file)}


if __name__ == "__main__":
    stored, recorded = read(), record()
    TABLE.write_text(write(recorded), encoding="utf-8", newline="\n")
    outcomes = revise(json.loads(OUTCOMES.read_text(encoding="utf-8")), recorded, stored)
    OUTCOMES.write_text(format_outcomes(outcomes), encoding="utf-8", newline="\n")

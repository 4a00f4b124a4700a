"""What a client has begun goes on in every copy of the fake: things to begin, and how each goes on."""

from typing import Any, NamedTuple

import jwt

from .caller import Caller, named
from .edges_signing_in import VERIFIER, challenge, log_in
from .keys import ask_for_token, private_key, public_pem
from .scenarios_people import FAMILY

TEXTS = {"text.length": "graphemes", "text.normalization": "composed"}
DECOMPOSED = "\u30ab\u3099"

BEGUN = {}
"""By what is begun: a `Begun`."""


class Begun(NamedTuple):
    """Something that a client begins.

    Attributes:
        options: those of the fake.
        begin: a function of a `Caller` that begins it, and returns one that goes on.
        outcome: what comes of that, where a response stands for its status.
    """

    options: dict[str, Any]
    begin: Any
    outcome: Any


def begun(name, outcome, **options):
    """Enter a function that begins something."""

    def enter(begin):
        BEGUN[name] = Begun(options, begin, outcome)
        return begin

    return enter


# -- signing in ------------------------------------------------------------------------------------------------------


def fail_to_log_in(me: Caller):
    screen = me.hidden()
    assert log_in(me, screen, "wrong").status_code == 401
    return lambda me: name_rule(log_in(me, screen), "auth.screen-reuse")


def name_rule(response, rule_id):
    return response, rule_id in named(response)


for alternative, status in (("until-login", 302), ("one-attempt", 400)):
    begun(f"login, {alternative}", (status, True), assume={"auth.screen-reuse": alternative})(fail_to_log_in)


@begun("old login screen", 400, assume={"auth.screen-reuse": "10-minutes"})
def let_a_login_screen_expire(me: Caller):
    screen = me.hidden()
    me.fake.clock.advance(minutes=11)
    return lambda me: log_in(me, screen)


def send_a_code_with_a_wrong_secret(me: Caller):
    code = me.code()
    assert "token.wrong-secret" not in named(me.exchange(code, client_secret="wrong"))
    return lambda me: name_rule(me.exchange(code), "token.wrong-secret")


for alternative, status in (("keeps-code", 200), ("burns-code", 400)):
    begun(f"code, {alternative}", (status, True), assume={"token.wrong-secret": alternative})(
        send_a_code_with_a_wrong_secret
    )


@begun("challenge of a code", [400, 200], assume={"auth.pkce": "checked"})
def take_a_code_with_a_challenge(me: Caller):
    code = me.code(**challenge())
    return lambda me: [me.exchange(code), me.exchange(code, code_verifier=VERIFIER)]


@begun("nonce of a code", "n-1", deviations={"token.id-token": "issued"})
def take_a_code_with_a_nonce(me: Caller):
    code = me.code(scope="openid", nonce="n-1")
    unchecked = {"verify_signature": False}
    return lambda me: jwt.decode(me.exchange(code).json()["id_token"], options=unchecked)["nonce"]


@begun("token that is used up", 400, deviations={"token.refresh-rotation": "rotated"})
def use_a_refresh_token(me: Caller):
    refresh_token = me.exchange().json()["refresh_token"]
    me.refresh(refresh_token)
    return lambda me: me.refresh(refresh_token)


@begun("key of a service account", 200, assume={"token.jwt-bearer": "issued"})
def register_a_key(me: Caller):
    me.fake.auth.register_key(public_pem(private_key()))
    return ask_for_token


@begun("another application", "invalid_grant")
def register_an_application(me: Caller):
    other = me.fake.auth.register("https://other.example/callback")
    client = {"client_id": other.client_id, "client_secret": other.client_secret}
    return lambda me: me.exchange("made-up", **client).json()["error"]


# -- calls -----------------------------------------------------------------------------------------------------------


@begun("minute of calls", [200, 429], assume={"api.rate-limit": "per-minute"})
def use_up_half_of_a_minute(me: Caller):
    me.fake.settings.api_calls_per_minute = 2
    me.patch()
    return lambda me: [me.patch(), me.patch()]


def fail_to_notify(me: Caller):
    me.notify()
    assert me.notify(5).status_code == 400

    def notify(me):
        response = me.notify()
        return response.headers["RateLimit-Used"], *name_rule(response, "notification.refused-calls")

    return notify


for alternative, used in (("not-counted", "2"), ("counted", "3")):
    begun(
        f"refused call, {alternative}", (used, 200, True), assume={"notification.refused-calls": alternative}
    )(fail_to_notify)


@begun("fault that skips calls", [200, 503, 200])
def skip_a_call(me: Caller):
    me.fake.faults.status("users.update", 503, skip=2)
    me.patch()
    return lambda me: [me.patch() for _ in range(3)]


@begun("messages of a bot", 2, stubs="common")
def send_as_a_bot(me: Caller):
    message = {"content": {"type": "text", "text": "hello"}}

    def send(me):
        me.api("POST", "/bots/bot-1/users/u-002/messages", json=message)
        return len(me.fake.bots.sent("bot-1"))

    send(me)
    return send


@begun("stub", {"customFields": []})
def stub_an_operation(me: Caller):
    me.fake.stub("GET", "/directory/custom-fields", json={"customFields": []})
    return lambda me: me.api("GET", "/directory/custom-fields").json()


# -- the directory ---------------------------------------------------------------------------------------------------


@begun("restriction", 400)
def restrict_a_property(me: Caller):
    me.fake.settings.property_restrictions = {"nickName": {"settable": False}}
    return lambda me: me.patch(nickName="x")


@begun("times in UTC", ["2026-06-02T00:00:00+00:00"] * 2, assume={"api.utc-offset": "numeric"})
def store_times(me: Caller):
    me.patch(activationDate="2026-06-02T00:00:00Z")
    me.set_status(endTime="2026-06-02T00:00:00Z")
    return lambda me: [me.patch().json()["activationDate"], me.fake.statuses.of("u-001")[0]["endTime"]]


@begun("texts as they are counted and composed", ["\u30ac", FAMILY * 100], assume=TEXTS)
def store_texts(me: Caller):
    me.patch("u-002", nickName=FAMILY * 100, userExternalKey=DECOMPOSED)
    keys = ("userExternalKey", "nickName")
    return lambda me: [me.patch(f"externalKey:{DECOMPOSED}", task=FAMILY * 100).json()[key] for key in keys]


LOOSE = {"telephone": "03-1234 ext. 7", "timeZone": "Mars/Phobos"}


@begun("loose readings", True, assume={"user.telephone": "prefix", "user.time-zone": "form-only"})
def store_what_is_read_loosely(me: Caller):
    me.patch(**LOOSE)
    return lambda me: me.patch().json().items() >= LOOSE.items()


# -- files -----------------------------------------------------------------------------------------------------------


@begun("who asked for a download", [200, 404], assume={"file.download-validity": "same-user"})
def ask_for_a_download(me: Caller):
    url = me.locate(me.upload()["fileId"]).headers["Location"]

    def fetch(me):
        responses = [me.fetch(url)]
        me.become("u-002")
        return [*responses, me.fetch(url)]

    return fetch


@begun("ID of the first step", True, deviations={"file.step1-id": "sent"})
def ask_for_an_upload(me: Caller):
    step = me.ask().json()
    return lambda me: me.send(step["uploadUrl"]).json()["fileId"] == step["fileId"]


@begun("total of the first range", [400, 201], deviations={"file.request": "name-only-for-bots"})
def send_a_first_range(me: Caller):
    url = me.api("POST", "/bots/bot-1/attachments", json={"fileName": "a.txt"}).json()["uploadUrl"]
    me.send(url, b"he", **{"Content-Range": "0-1/4"})
    return lambda me: [me.send(url, b"ll", **{"Content-Range": f"2-3/{total}"}) for total in (9, 4)]

"""For each documented rule, a call that follows it."""

from contextlib import suppress

from fakes.http.errors import Refusal

from .caller import Caller
from .scenarios_people import two_updates_at_once

DOCUMENTED = {
    "api.bearer": lambda me: me.patch(),
    "auth.parameters": lambda me: me.authorize(state=""),
    "auth.login-screen": lambda me: me.authorize(),
    "auth.redirect": lambda me: me.log_in(),
    "auth.failure-screen": lambda me: me.log_in(password="wrong"),
    "code.single-use": lambda me: me.exchange(),
    "code.lifetime": lambda me: me.exchange(),
    "token.parameters": lambda me: me.token(),
    "token.issued": lambda me: me.exchange(),
    "token.refreshed": lambda me: me.refresh(me.exchange().json()["refresh_token"]),
    "token.refresh-lifetime": lambda me: me.refresh(me.exchange().json()["refresh_token"]),
    "user.partial": lambda me: me.patch(nickName="Mina"),
    "user.read-only": lambda me: me.patch(employmentTypeName="Boss"),
    "user.permission": lambda me: me.patch("u-002", isAdministrator=True),
    "user.limits": lambda me: me.patch(nickName="x" * 101),
    "user.link-id": lambda me: me.patch(email="mina@example.com"),
    "user.messenger": lambda me: me.patch(messenger={"protocol": "MSGR_C", "messengerId": "mina"}),
    "status.registered": lambda me: me.set_status(),
    "status.not-used": lambda me: me.set_status(profileStatusId="ASLEEP"),
    "status.limits": lambda me: me.set_status(statusMessage="x" * 51),
    "file.upload-url": lambda me: me.ask(),
    "file.request": lambda me: me.ask(size=None),
    "file.stored": lambda me: me.upload(),
    "file.multipart": lambda me: me.upload(),
    "file.resumable": lambda me: me.send(me.url(), **{"Content-Range": "0-4/5"}),
    "file.location": lambda me: me.locate(me.upload()["fileId"]),
    "file.content": lambda me: me.download(me.upload()["fileId"]),
    "file.bearer": lambda me: me.upload(),
    "notification.success": lambda me: me.notify(),
    "notification.no-token": lambda me: me.notify(),
    "notification.parameters": lambda me: me.http.post(me.facts["webhooks"][0], json={}),
    "notification.webhook-url": lambda me: me.http.post(me.facts["webhook_url"] + "/message/none", json={}),
    "notification.title-default": lambda me: me.notify(),
    "notification.rate": lambda me: me.notify(),
    "callback.event": lambda me: me.say(),
    "callback.headers": lambda me: me.say(),
    "callback.fields": lambda me: me.say(),
    "callback.content": lambda me: me.say(),
    "callback.one-to-one": lambda me: me.say(),
    "callback.client-version": lambda me: me.say({"type": "image", "fileId": "file-1"}, client_version="2.2"),
    "callback.not-resent": lambda me: me.say(answer=500),
    "lifecycle.retired": lambda me: me.api("GET", "/users/u-001/mail/vipmailfolders"),
}
"""By rule id: a function of a `Caller`."""


def documented(rule_id):
    """Enter a function of several calls."""

    def enter(call):
        DOCUMENTED[rule_id] = call
        return call

    return enter


@documented("auth.domain-under-sso")
def without_a_domain(me: Caller):
    me.fake.settings.single_sign_on = True
    me.authorize()


@documented("token.access-lifetime")
def with_an_old_token(me: Caller):
    me.fake.clock.advance(hours=24)
    me.patch()


@documented("user.restrictions")
def property_that_cannot_be_read(me: Caller):
    me.fake.settings.property_restrictions = {"birthday": {"readable": False}}
    me.patch()


@documented("user.forbidden-word")
def forbidden_word(me: Caller):
    me.fake.settings.forbidden_email_words = ["boss"]
    me.patch(email="boss@example.com")


@documented("user.advanced-alias")
def alias_in_use(me: Caller):
    me.fake.settings.advanced_plan = True
    forbidden_word(me)
    me.patch(aliasEmails=[])


@documented("user.not-concurrent")
def two_at_once(me: Caller):
    two_updates_at_once(me)


@documented("status.must-be-enabled")
def switched_off(me: Caller):
    me.fake.settings.profile_status_enabled = False
    me.set_status()


@documented("status.one-each")
def two_statuses(me: Caller):
    me.set_status()
    me.set_status()


@documented("status.reserved")
def reserved(me: Caller):
    me.set_status(startTime="2026-06-01T10:00:00+09:00", endTime="2026-06-01T11:00:00+09:00")


@documented("notification.setup")
def one_more_webhook(me: Caller):
    """No operation of the service adds one: it is done in a menu, here by the part itself."""
    with me.fake.rules.recording():
        me.fake.webhooks.add("More", me.facts["channel_id"])


@documented("notification.webhooks")
def six_webhooks(me: Caller):
    with suppress(Refusal):
        for _ in range(5):
            one_more_webhook(me)

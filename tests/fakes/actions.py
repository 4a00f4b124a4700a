"""Everything that can be done to a fake and is kept by it, as actions of a signed-in client."""

from collections.abc import Callable
from typing import Any

import httpx
from hypothesis import strategies as st

from fakes import FakeService

from .caller import Caller, make

TEXT = {"type": "text", "text": "héllo <b>"}


def sign_in(me: Caller) -> object:
    return me.authorize(), me.log_in()


def refresh(me: Caller) -> object:
    return me.refresh(me.fake.state.tokens.issue("u-002", "client-1", "file").refresh_token)


def patch(me: Caller) -> object:
    count = me.fake.state.ids.counts["at"]
    change = {"nickName": f"名 {count}", "email": f"new.{count}@example.com", "userExternalKey": f"k-{count}"}
    return me.patch(f"u-00{1 + count % 3}", **change)


def upload(me: Caller) -> object:
    return me.send(me.url(name="ä.txt", overwrite=True), b"h\x00\xffyo", name="ä.txt")


def upload_partly(me: Caller) -> object:
    return me.send(me.url(name="part.bin", size=10), b"01234", **{"Content-Range": "bytes 0-4/10"})


def download(me: Caller) -> object:
    last = me.fake.files.list_files()[-1].latest.address
    return me.fetch(f"https://storage.fake.test/downloads/{last}")


def register_status(me: Caller) -> object:
    start = me.fake.clock.now().replace(microsecond=0)
    times = {
        "startTime": start.replace(year=2027).isoformat(),
        "endTime": start.replace(year=2028).isoformat(),
    }
    reply = {"autoReplyMail": {"internal": {"content": "away"}}}
    return me.set_status("u-002"), me.set_status("u-002", profileStatusId="AWAY", **times, **reply)


def notify(me: Caller) -> httpx.Response:
    button = {"label": "Open", "url": "https://example.com"}
    body = {"body": {"text": '<m userId="u-002">'}, "button": button}
    return me.http.post(me.facts["webhooks"][-1], json=body)


def send(me: Caller) -> object:
    delivery = me.fake.callbacks.send("bot-1", "u-003", TEXT, channel_id="room")
    return delivery.headers, delivery.body, delivery.record()


def set_up(me: Caller) -> object:
    fake, count = me.fake, len(me.fake.webhooks.all())
    if count < 5:
        fake.webhooks.invite_bot(f"room-{count}")
        fake.webhooks.add(f"Hook {count}", f"room-{count}")
        fake.callbacks.add_bot(f"bot-{count + 1}")
        fake.callbacks.client_versions["u-002"] = f"2.{count}"
    fake.settings.forbidden_email_words = [*fake.settings.forbidden_email_words, "new"]
    fake.settings.custom_properties = [{"name": "rank", "propertyType": "INTEGER", "multiValued": False}]
    return fake.facts["webhooks"]


def break_down(me: Caller) -> object:
    me.fake.faults.status("users.update", 503, times=2, retry_after=5)
    me.fake.faults.truncate("storage.*", after=10_000)
    me.fake.faults.drop_callback(times=None)
    return repr(me.fake.faults)


def wait(me: Caller) -> object:
    return me.fake.clock.advance(days=29.5, seconds=0.25).isoformat()


ACTIONS: list[Callable[[Caller], object]] = [
    sign_in,
    refresh,
    patch,
    upload,
    upload_partly,
    download,
    register_status,
    notify,
    send,
    set_up,
    break_down,
    wait,
]
SEQUENCES = st.lists(st.sampled_from(ACTIONS), max_size=12)


def run(fake: FakeService, actions: list[Callable[[Caller], object]]) -> list[object]:
    """What a client sees of each action, whose token is new."""
    return [show(action(Caller(fake))) for action in actions]


def show(outcome: Any) -> object:
    if isinstance(outcome, httpx.Response):
        return outcome.status_code, dict(outcome.headers), outcome.content
    return [show(each) for each in outcome] if isinstance(outcome, tuple) else outcome


def everything_done() -> FakeService:
    """A fake in which all has been done."""
    fake = make(assume={"token.refresh-reuse": "single-use"})
    run(fake, ACTIONS)
    return fake

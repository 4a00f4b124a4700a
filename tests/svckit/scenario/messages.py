"""Notifications into a room, events of a bot, and the log of both."""

from io import BytesIO

import svckit
from fakes.http.errors import Refusal as CannotBeSent
from svckit import places
from svckit.events import MessageEvent, Receiver, UnknownEvent

from .story import Skipped, Story, refused, skipped, step


@step
def notifies(story: Story) -> None:
    sent = story.svc.notify("hello", title="CI", button=("Open", "https://example.com"))
    assert (sent.code, sent.description) == (200, "success")
    assert sent.rate_limit is not None
    assert story.svc.rate.used == sent.rate_limit.used


@step
def notifies_with_an_empty_title(story: Story) -> None:
    story.svc.notify("hello", title="")


@step
def notifies_with_an_empty_text(story: Story) -> None:
    story.svc.notify("")


@refused(400)
def notifies_at_length(story: Story) -> None:
    story.svc.notify("x" * 100_001)


@step
def notifies_across_a_minute(story: Story) -> None:
    story.fake.clock.advance(seconds=40)
    story.svc.notify("hello")
    story.fake.clock.advance(seconds=40)
    assert story.svc.notify("hello").rate_limit is not None


@step
def mentions_nobody(story: Story) -> None:
    story.svc.notify('<m userId="nobody"> hello')


@step
def mentions_in_another_way(story: Story) -> None:
    story.svc.notify("<m userId='u-003'> hello")


@step
def notifies_with_an_odd_button(story: Story) -> None:
    story.svc.notify("hello", button=("Open", "app:open"))


@refused(400)
def notifies_with_what_no_app_sends(story: Story) -> None:
    address = story.fake.facts["webhooks"][0]
    story.svc.request("POST", address, json={"body": {"text": "x"}, "image": "cat.png"}, area="hooks")


@refused(400)
def notifies_nothing(story: Story) -> None:
    story.svc.request("POST", story.fake.facts["webhooks"][0], json={}, area="hooks")


@refused(429)
def notifies_too_often(story: Story) -> None:
    fill_the_minute(story)
    story.svc.notify("hello")


@refused(429)
def notifies_nothing_too_often(story: Story) -> None:
    fill_the_minute(story)
    story.svc.request("POST", story.fake.facts["webhooks"][0], json={}, area="hooks")


@refused(400)
def opens_a_webhook(story: Story) -> None:
    story.svc.request("GET", story.fake.facts["webhooks"][0], area="hooks")


@step
def waits_for_the_rate_to_be_reset(story: Story) -> None:
    fill_the_minute(story)
    assert story.svc.notify("hello", wait=True).rate_limit is not None
    assert "refused with 429" in repr(svckit.plots.rate_window(story.svc))


def fill_the_minute(story: Story) -> None:
    limiter = story.fake.state.webhooks.limiter
    while limiter.stats().remaining:
        limiter.hit()


@refused(400)
def notifies_a_webhook_that_there_is_not(story: Story) -> None:
    story.svc.notify("hello", webhook=story.fake.facts["webhook_url"] + "/message/made-up")


def receiver(story: Story) -> Receiver:
    inbox = Receiver(story.svc.bot_secret, on=story.svc)
    story.fake.callbacks.connect("bot-1", inbox)
    return inbox


@step
def receives_events_of_every_type(story: Story) -> None:
    stored = story.svc.files.upload(b"hello", to=places.bot("bot-1"), name="a.txt")
    contents = [
        {"type": "text", "text": "世界", "postback": "start"},
        {"type": "location", "address": "Seoul", "latitude": 37.5, "longitude": 127},
        {"type": "sticker", "packageId": "1", "stickerId": "2"},
        {"type": "image", "fileId": stored.file_id},
        {"type": "file", "fileId": stored.file_id},
    ]
    inbox = receiver(story)
    for content in contents:
        for channel_id in (None, "channel-1"):
            assert story.fake.callbacks.send("bot-1", "u-001", content, channel_id).delivered
    assert inbox.refused == ()
    came = [event for event in inbox.events if isinstance(event, MessageEvent)]
    assert [event.content.to_wire() for event in came] == [each for each in contents for _ in range(2)]
    assert {event.issued_time for event in came} == {story.fake.clock.now()}
    assert {received.bot_id for received in inbox} == {"bot-1"}
    assert len(inbox.frame()) == len(svckit.frames.events(story.svc)) == len(inbox)


@skipped
def receives_an_event_of_another_type(story: Story) -> None:
    inbox = receiver(story)
    try:
        story.fake.callbacks.send("bot-1", "u-001", {"type": "poll", "question": "Lunch?"})
    except CannotBeSent:
        raise Skipped from None
    assert (len(inbox), inbox.refused) == (1, ())


@step
def receives_an_image_that_is_nowhere(story: Story) -> None:
    inbox = receiver(story)
    try:
        story.fake.callbacks.send("bot-1", "u-001", {"type": "image", "fileId": "nowhere"})
    except CannotBeSent:
        raise Skipped from None
    assert (len(inbox), inbox.refused) == (1, ())


@step
def receives_a_sticker_of_an_old_client(story: Story) -> None:
    inbox = receiver(story)
    sticker = {"type": "sticker", "packageId": "1", "stickerId": "2"}
    sent = story.fake.callbacks.send("bot-1", "u-001", sticker, client_version="2.2")
    assert (len(inbox), inbox.refused) == (sent.delivered, ())


@step
def receives_a_postback(story: Story) -> None:
    inbox = receiver(story)
    story.fake.callbacks.send("bot-1", "u-001", {"type": "text", "text": "Start", "postback": "start"})
    assert inbox.refused == ()
    assert all(isinstance(event, UnknownEvent) for event in inbox.events[1:])
    assert inbox.frame()["type"].tolist() == [event.type for event in inbox.events]


@step
def receives_at_an_address(story: Story) -> None:
    try:
        story.fake.callbacks.connect("bot-1", "http://127.0.0.1:9/callback")
    except CannotBeSent:
        raise Skipped from None
    finally:
        story.fake.callbacks.connect("bot-1", None)


@step
def answers_a_callback_with_204(story: Story) -> None:
    story.fake.callbacks.connect("bot-1", lambda headers, body: 204)
    story.fake.callbacks.send("bot-1", "u-001", {"type": "text", "text": "hello"})


@step
def downloads_the_log_of_messages(story: Story) -> None:
    log = BytesIO()
    story.svc.files.download(places.message_logs(), to=log)
    assert log.getvalue().decode("utf-8-sig").startswith("time,room,")

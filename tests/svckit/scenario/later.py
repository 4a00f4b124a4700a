"""What becomes of tokens, upload URLs, statuses and retired features as time passes."""

import svckit
from svckit.http.messages import Operation, Request, Response

from .story import Story, refused, step
from .transfers import DRIVE


@step
def renews_tokens(story: Story) -> None:
    story.fake.clock.advance(hours=25)
    assert story.svc.users.read("u-001").user_id == "u-001"


@step
def renews_tokens_again(story: Story) -> None:
    story.fake.clock.advance(hours=25)
    assert story.svc.users.read("u-001").user_id == "u-001"


@refused(404)
def uploads_a_day_after_it_asked(story: Story) -> None:
    _upload_late(story, hours=25)


@step
def uploads_at_the_end_of_a_day(story: Story) -> None:
    _upload_late(story, hours=24)


def _upload_late(story: Story, hours: int) -> None:
    operation = svckit.operations.files.upload(b"hello", to=DRIVE, name="late.txt")
    try:
        ticket = story.svc.run(_alone(next(operation)))
        story.fake.clock.advance(hours=hours)
        reply = story.svc.run(_alone(operation.send(ticket)))
    finally:
        operation.close()
    assert reply.json()["fileName"] == "late.txt"


def _alone(call: Request) -> Operation[Response]:
    return (yield call)


@step
def reserved_statuses_move(story: Story) -> None:
    story.svc.users.set_status("u-001", "BUSY")
    assert len(svckit.frames.statuses(story.svc)) >= 1


@step
def signs_in_after_months(story: Story) -> None:
    story.fake.clock.to("2026-12-03T09:00:00+09:00")
    story.svc.sign_in()
    assert story.svc.users.read("u-001").user_id == "u-001"


@refused(400)
def uses_a_value_that_has_ended(story: Story) -> None:
    story.svc.users.update("u-003", messenger={"protocol": "MSGR_C_OLD", "messenger_id": "mina"})


@refused(501)
def calls_what_may_have_ended(story: Story) -> None:
    story.svc.request("GET", "/directory/custom-fields")


@step
def calls_too_often(story: Story) -> None:
    story.fake.settings.api_calls_per_minute = 1
    story.svc.users.update("u-001", task="one")
    story.svc.users.update("u-001", task="two")

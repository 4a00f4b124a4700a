"""The webhook list: its set-up step by step, and what is told of it, which is never an id, for those are secret."""

import pytest

from fakes.http.errors import Refusal

from ..admin import Admin
from ..caller import calling, make


def told(step, *arguments):
    with pytest.raises(Refusal) as refused:
        step(*arguments)
    return refused.value.description


def test_a_bot_that_leaves_a_room_takes_the_rooms_webhooks_along(fake):
    fake.webhooks.invite_bot("channel-2")
    kept = fake.webhooks.add("Builds", "channel-2")
    fake.webhooks.remove_bot("channel-1")
    assert fake.webhooks.all() == [kept]
    assert "step 2" in told(fake.webhooks.add, "Builds", "channel-1")
    assert fake.webhooks.rooms() == ["channel-1", "channel-2"]


def test_removed_app_takes_only_its_webhooks(fake, me):
    url = me.facts["webhooks"][0]
    me.notify()
    fake.webhooks.remove_app()
    gone = me.http.post(url, json={"body": {"text": "hello"}})
    assert (gone.status_code, gone.json()["description"]) == (400, "invalid webhook URL")
    assert fake.facts["webhooks"] == []
    assert len(fake.webhooks.messages("channel-1")) == 1
    fake.webhooks.add_app()
    assert "step 2" in told(fake.webhooks.add, "Builds", "channel-1")
    taken = fake.snapshot()
    fake.restore(taken)
    assert fake.snapshot() == taken


@pytest.mark.parametrize(
    "text", ["<m userId='u-003'>", '<m userId="u-003"/>', '<m  userId = "u-003" >', '<M USERID="u-003">']
)
def test_other_mention_spellings_rest_on_a_rule(text):
    for choice, mentioned in (("exact", ()), ("lenient", ("u-003",))):
        fake = make(assume={"notification.mention-form": choice})
        with calling(fake) as me:
            response = me.notify(text)
        assert "notification.mention-form" in response.headers["X-Fake-Assumed"]
        assert fake.webhooks.messages("channel-1")[0].mentions == mentioned


def test_an_id_with_an_apostrophe_is_mentioned_in_quotation_marks():
    fake = make()
    fake.directory.put({"userId": "o'neil", "email": "oneil@example.com", "userName": {}})
    with calling(fake) as me:
        response = me.notify('<m userId="o\'neil">')
    assert response.status_code == 200
    assert "notification.mention-form" not in response.headers.get("X-Fake-Assumed", "")
    assert fake.webhooks.messages("channel-1")[0].mentions == ("o'neil",)


def test_unknown_room_suggests_the_nearest(fake):
    with pytest.raises(KeyError, match="there is no room 'chanel-1'; did you mean channel-1"):
        fake.webhooks.messages("chanel-1")
    assert fake.webhooks.messages("channel-1") == []


def test_no_url_is_held_to_its_average(fake, me):
    for number in range(2, 6):
        fake.webhooks.add(f"Webhook {number}", "channel-1")
    first, *others = me.fake.facts["webhooks"]
    statuses = [me.notify().status_code for _ in range(120)]  # five times its average
    refused = [me.http.post(url, json={"body": {"text": "x"}}).status_code for url in (first, *others)]
    assert (set(statuses), refused) == ({200}, [429] * 5)


def test_room_keeps_the_latest_messages_and_says_how_many_it_dropped(fake, me):
    fake.state.webhooks.room_capacity = 3
    fake.webhooks.invite_bot("channel-2")
    webhook = fake.webhooks.add("Small", "channel-2")
    for number in range(5):
        url = f"{me.facts['webhook_url']}/message/{webhook.webhook_id}"
        assert me.http.post(url, json={"body": {"text": str(number)}}).status_code == 200
    room = Admin(fake)("GET", "/rooms/channel-2/messages").json()
    assert [message["text"] for message in room["messages"]] == ["2", "3", "4"]
    assert (
        room["dropped"],
        fake.state.webhooks.by_room["channel-2"].dropped,
        fake.state.webhooks.by_room["channel-1"].dropped,
    ) == (2, 2, 0)

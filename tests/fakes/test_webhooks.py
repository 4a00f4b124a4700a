"""What a fake tells of its webhooks: enough to tell them apart, and never their ids, which are secret."""

from fakes.parts.webhooks import fingerprint
from svckit import frames

from .caller import calling, make


def test_records_tell_webhooks_apart_without_their_ids():
    fake = make()
    first, second = fake.webhooks.all()[0], fake.webhooks.add("Builds", "channel-1")
    with calling(fake) as me:
        for webhook in (first, second, first):
            url = f"{me.facts['webhook_url']}/message/{webhook.webhook_id}"
            me.http.post(url, json={"body": {"text": "hello"}})
    table = frames.messages(fake)
    one, other, again = table["webhook"]
    assert one == again != other
    assert [one, other] == [fingerprint(first.webhook_id), fingerprint(second.webhook_id)]
    assert first.webhook_id not in table.to_csv()
    assert not any(webhook.webhook_id in str([*fake.records("messages")]) for webhook in (first, second))

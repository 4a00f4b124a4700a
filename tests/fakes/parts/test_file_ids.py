"""The file ID in a message to a bot: any text, or that of content which is stored for the bot."""

import pytest

from fakes.http.errors import Refusal


@pytest.mark.parametrize("kind", ["image", "file"])
def test_a_message_may_be_held_to_the_content_of_the_bot(kind, me):
    rule = "callback.file-id"
    own = me.upload("/bots/bot-1/attachments")["fileId"]
    elsewhere = me.upload()["fileId"]
    assert rule in me.say({"type": kind, "fileId": elsewhere})[0].assumed
    assert rule not in me.say({"type": kind, "fileId": own})[0].assumed
    me.fake.rules.choose({rule: "checked"})
    assert me.say({"type": kind, "fileId": own})[0].delivered
    with pytest.raises(Refusal, match=r"content\.fileId is not the ID of content stored for bot-1"):
        me.say({"type": kind, "fileId": elsewhere})

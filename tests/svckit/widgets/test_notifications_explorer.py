"""The notifications explorer from Python: composing, sending, the rate, bursts, and asking before what is real."""

from dataclasses import replace

import pytest

from fakes import FakeService
from svckit.errors import InvalidInput, RateLimited
from svckit.session.connect import connect
from svckit.session.session import Session
from svckit.widgets import NotificationsExplorer

from ..conftest import connect_over_tcp
from .conftest import NOW, as_real, ask


@pytest.fixture
def explorer(svc: Session) -> NotificationsExplorer:
    return NotificationsExplorer(svc)


def texts(svc: Session) -> list[str]:
    fake: FakeService = svc.fake
    return [message.text for message in fake.webhooks.messages("channel-1")]


def test_a_title_from_the_webhook_list_is_said_to_be_once(real: Session) -> None:
    explorer = NotificationsExplorer(real)
    for face in (explorer.to_html(), repr(explorer)):
        assert face.count("from the webhook list") == 1


def test_what_is_typed_is_sent_and_the_headers_feed_the_gauge(
    svc: Session, explorer: NotificationsExplorer
) -> None:
    assert "required" not in explorer.html  # before somebody sends
    with pytest.raises(InvalidInput, match="nothing was sent: Text is required"):
        ask(explorer, do="send")
    ask(explorer, do="write", field="text", text="hello")
    assert explorer.error == ""
    ask(explorer, do="write", field="user", text=" u-002 ")
    ask(explorer, do="mention")
    assert "hello" in dict(explorer.view["code"])["curl"]
    ask(explorer, do="send")
    assert texts(svc) == ['hello <m userId="u-002">']
    assert (explorer.view["rate"]["used"], explorer.view["rate"]["left"]) == (1, 60)
    assert explorer.view["log"][0]["outcome"] == "200 success"


def test_the_gauge_is_fed_by_every_response_to_the_session(svc: Session) -> None:
    svc.notify("before")
    explorer = NotificationsExplorer(svc)
    assert explorer.view["rate"]["used"] == 1
    svc.notify("elsewhere")
    assert explorer.view["rate"]["used"] == 1
    explorer._hear(explorer, {"do": "watch"}, [])
    assert explorer.view["rate"]["used"] == 2
    svc.http.post(svc.webhooks["webhook-1"].reveal(), json={"body": {"text": "by hand"}})
    explorer._hear(explorer, {"do": "watch"}, [])
    assert explorer.view["rate"]["used"] == 3
    for _ in range(117):
        svc.notify("again")
    with pytest.raises(RateLimited):
        svc.notify("too many")
    explorer.refresh()
    assert (explorer.view["rate"]["refused"], explorer.view["rate"]["left"]) == (True, 60)


def test_refreshing_without_news_keeps_the_view(svc: Session, explorer: NotificationsExplorer) -> None:
    svc.notify("one")
    explorer.refresh()
    before = explorer.view
    explorer.refresh()
    assert explorer.view is before


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({}, "Text is required"),
        ({"text": " "}, "Text is blank"),
        ({"text": "a", "label": "Open"}, "both a label and a URL"),
        ({"text": "a", "url": "https://example.com"}, "both a label and a URL"),
    ],
)
def test_what_is_not_whole_is_not_sent(
    svc: Session, explorer: NotificationsExplorer, fields: dict[str, str], problem: str
) -> None:
    explorer.write(**fields)
    with pytest.raises(InvalidInput, match=problem):
        explorer.send()
    assert texts(svc) == []


def test_a_burst_ends_where_the_rate_does_and_goes_on_after_the_reset(
    svc: Session, explorer: NotificationsExplorer
) -> None:
    explorer.write(text="again", count=125)
    ask(explorer, do="burst")
    explorer.wait()
    assert len(texts(svc)) == 120
    assert explorer.view["burst"] == {"running": False, "sent": 120, "count": 125}
    assert [(line["outcome"], line["times"]) for line in explorer.view["log"]] == [
        ("429 too many request", 1),
        ("200 success", 120),
    ]
    assert explorer.view["rate"]["refused"]
    with pytest.raises(RateLimited):
        explorer.send()
    ask(explorer, do="move_to_reset")
    assert explorer.view["rate"]["words"] == "reset since; up to 120 a minute"
    explorer.send()
    assert explorer.view["rate"]["used"] == 1


def test_a_burst_can_be_stopped(svc: Session, explorer: NotificationsExplorer) -> None:
    explorer.write(text="again")
    explorer.observe(lambda change: change["new"]["burst"]["sent"] >= 6 and ask(explorer, do="stop"), "view")
    explorer.burst(100)
    explorer.wait()
    assert 6 <= len(texts(svc)) < 100
    assert not explorer.view["burst"]["running"]


def test_sending_to_a_real_service_is_confirmed_first(svc: Session) -> None:
    explorer = NotificationsExplorer(as_real(svc))
    explorer.write(text="hello")
    ask(explorer, do="send")
    assert (texts(svc), explorer.view["badge"]) == ([], "REAL")
    assert "which is REAL" in explorer.view["asking"]
    ask(explorer, do="cancel")
    with pytest.raises(ValueError, match="nothing to confirm"):
        explorer.confirm()
    explorer.send()
    explorer.write(text="something else")
    assert explorer.view["asking"] == ""
    explorer.burst(2)
    assert "up to 2 messages" in explorer.view["asking"]
    ask(explorer, do="confirm")
    explorer.wait()
    assert texts(svc) == ["something else"] * 2


def test_without_a_webhook_url_it_says_so(svc: Session) -> None:
    account = replace(svc._driver.credentials, webhooks={})
    svc._driver.credentials = account
    explorer = NotificationsExplorer(svc)
    with pytest.raises(InvalidInput, match="nothing was sent: the profile has no webhook URL"):
        explorer.send()


@pytest.mark.usefixtures("as_in_a_notebook")
def test_a_failure_on_the_way_is_shown_and_ends_the_burst(svc: Session) -> None:
    explorer = NotificationsExplorer(svc)
    explorer.write(text="hello")
    svc.fake.faults.status("notifications.post", 503)
    explorer.burst(5)
    explorer.wait()
    assert "503" in explorer.error
    assert not explorer.view["burst"]["running"]
    assert texts(svc) == []


def test_a_burst_sends_what_was_confirmed_whatever_is_typed_meanwhile(svc: Session) -> None:
    explorer = NotificationsExplorer(as_real(svc))
    explorer.write(text="hello")
    explorer.burst(3)
    assert "up to 3 messages to the chat room of webhook-1" in explorer.view["asking"]

    def type_on(_change: object) -> None:
        explorer.unobserve(type_on, "view")
        explorer.write(text="half a sen")

    explorer.observe(type_on, "view")
    explorer.confirm()
    explorer.wait()
    assert texts(svc) == ["hello"] * 3
    assert [(line["text"], line["times"]) for line in explorer.view["log"]] == [("hello", 3)]


@pytest.mark.parametrize("typed", ["", "1e2", "-3", "many", "0", "301"])
def test_invalid_burst_size_stays_and_sends_nothing(
    svc: Session, explorer: NotificationsExplorer, typed: str
) -> None:
    ask(explorer, do="write", field="text", text="hello")
    ask(explorer, do="write", field="count", text=typed)
    assert (explorer.error, explorer.view["draft"].count) == ("", typed)
    with pytest.raises(InvalidInput, match=f"1 to 300 notifications; given {typed or 'nothing'}"):
        ask(explorer, do="burst")
    assert texts(svc) == []


def test_whom_the_session_has_met_since_can_be_mentioned() -> None:
    with connect_over_tcp(FakeService.sample(users=3, now=NOW)) as svc:
        explorer = NotificationsExplorer(svc)
        assert explorer.view["people"] == []
        svc.users.read("u-002")
        explorer.refresh()
        assert [user for user, _ in explorer.view["people"]] == ["u-002"]


def test_only_addresses_of_the_web_are_links_and_others_say_why(explorer: NotificationsExplorer) -> None:
    explorer.write(label="Open", url="javascript:alert(1)")
    assert explorer.view["room"]["notLinked"] == "not a link here: only http:// and https:// URLs are"
    assert "<a " not in explorer.to_html()
    explorer.write(url="https://example.com/x")
    assert explorer.view["room"]["notLinked"] == ""
    assert '<a href="https://example.com/x"' in explorer.to_html()


def test_the_average_of_each_url_is_shown_where_there_are_several(svc: Session) -> None:
    assert "average" not in repr(NotificationsExplorer(svc))
    svc.fake.webhooks.add("Builds", "channel-1")
    explorer = NotificationsExplorer(connect(svc.fake))
    for face in (repr(explorer), explorer.to_html()):
        assert "60 a minute on average for each of 2 URLs" in face


def test_room_and_history_show_their_own_messages(svc: Session, explorer: NotificationsExplorer) -> None:
    svc.notify("from a cell", title="CI", button=("Open", "https://example.com"))
    explorer._hear(explorer, {"do": "watch"}, [])
    explorer.write(text='from here, <m userId="u-002">')
    explorer.send()
    [here, cell] = explorer.view["messages"]
    assert ([piece["text"] for piece in here["pieces"]], here["title"]) == (
        ["from here, ", "@Lopez Petra"],
        "Notices",
    )
    assert (cell["title"], cell["link"], cell["at"]) == ("CI", "https://example.com", NOW)
    assert (explorer.view["channel"], explorer.view["received"]) == ("channel-1", 2)
    [line] = explorer.view["log"]
    assert (line["to"], line["at"], line["outcome"]) == ("webhook-1", NOW, "200 success")
    assert "2026-06-01 09:00  200 success  from here" in repr(explorer)


def test_of_a_room_only_the_newest_messages_are_shown(svc: Session) -> None:
    for number in range(25):
        svc.notify(f"message {number}")
    explorer = NotificationsExplorer(svc)
    assert [each["pieces"][0]["text"] for each in explorer.view["messages"]][::19] == [
        "message 24",
        "message 5",
    ]
    assert explorer.view["received"] == 25
    assert "The newest 20 are shown." in explorer.html


def test_real_service_has_only_a_history(real: Session) -> None:
    explorer = NotificationsExplorer(real)
    explorer.write(text="hello")
    explorer.send()
    explorer.confirm()
    assert explorer.view["messages"] == []
    assert [line["text"] for line in explorer.view["log"]] == ["hello"]
    assert "Only an in-process fake shows what a room received" in explorer.html
    assert [state for _, state, _, _ in explorer.view["steps"]] == [*["not known"] * 4, "done"]
    assert "svc.fake" not in explorer.html


def test_setup_guide_opens_at_a_missing_step(svc: Session, explorer: NotificationsExplorer) -> None:
    assert explorer.view["setup"] == ""
    assert [state for _, state, _, _ in explorer.view["steps"]] == ["done"] * 5
    assert '<details data-key="setup"><summary>Setup: all steps are done' in explorer.html
    svc.fake.webhooks.remove_bot("channel-1")
    explorer.write(text="hello")
    for said in (explorer.view["setup"], repr(explorer), explorer.to_html()):
        assert "Setup: step 2 of 5 is missing" in said
    assert [state for _, state, _, _ in explorer.view["steps"]] == ["done", "missing", "", "", ""]
    assert '<details data-key="setup missing" open><summary>Setup: step 2 of 5 is missing' in explorer.html
    assert "svc.fake.webhooks.invite_bot(channel_id)" in explorer.html
    assert "The webhook list has no entry with this URL" in explorer.html

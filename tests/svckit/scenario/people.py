"""Users and their statuses: read, changed, edited as a frame, and what the service does not take."""

import svckit
from fakes.http.messages import RequestHead

from .story import Story, refused, step


@step
def reads_a_user(story: Story) -> None:
    assert story.svc.users.read("u-001").user_id == "u-001"


@step
def reads_a_suspended_user(story: Story) -> None:
    assert story.svc.users.read("u-017").is_suspended


@step
def updates_a_user(story: Story) -> None:
    changed = story.svc.users.update(
        "u-003",
        nick_name="Mina",
        task=None,
        user_name={"lastName": "Mori"},
        messenger={"protocol": "MSGR_C_OLD", "messenger_id": "mina"},
        relations=[{"relationUserId": "u-004", "relationName": "Mentor"}],
        telephone="+81-3-5555-0001",
        birthday_calendar_type="LUNAR",
        birthday="1990-02-28",
        alias_emails=["mina@example.com"],
    )
    assert (changed.nick_name, changed.task) == ("Mina", None)


@step
def updates_by_another_key(story: Story) -> None:
    for key in ("externalKey:emp-00002", story.fake.directory["u-002"]["email"]):
        assert story.svc.users.update(key, task="desk").user_id == "u-002"


@step
def updates_with_odd_values(story: Story) -> None:
    names = [{"language": "ja_JP"}, {"language": "ja_JP"}]
    story.svc.users.update("u-005", i18n_names=names, activation_date="2026-06-01T00:00:00Z")
    story.svc.users.update("u-006", user_external_key="EMP-00002")


@step
def another_user_updates(story: Story) -> None:
    with story.session(login="u-002") as other:
        other.sign_in()
        assert other.users.update("u-003", task="desk").task == "desk"


@refused(404)
def reads_nobody(story: Story) -> None:
    story.svc.users.read("nobody")


@refused(409)
def takes_the_email_of_another(story: Story) -> None:
    story.svc.users.update("u-004", email=story.fake.directory["u-002"]["email"])


@step
def takes_the_alias_of_another(story: Story) -> None:
    story.svc.users.update("u-004", email="mina@example.com")


@step
def gives_an_email_without_an_at(story: Story) -> None:
    story.svc.users.update("u-005", email="mina")


@step
def gives_an_alias_twice(story: Story) -> None:
    story.svc.users.update("u-005", alias_emails=["a@example.com", "A@example.com"])


@refused(400)
def moves_a_user(story: Story) -> None:
    story.svc.users.update("u-005", domain_id=7)


@step
def changes_the_employment_type(story: Story) -> None:
    story.svc.users.update("u-005", employment_type_id="et-2")


@step
def writes_a_reading_with_a_space_in_half_width(story: Story) -> None:
    story.svc.users.update("u-005", user_name={"phoneticLastName": "\uff90\uff85 \uff90\uff85"})


@refused(400)
def updates_what_is_restricted(story: Story) -> None:
    story.fake.settings.property_restrictions = {
        "nickName": {"settable": False},
        "birthday": {"readable": False},
    }
    try:
        assert story.svc.users.read("u-005").birthday is None
        story.svc.users.update("u-005", nick_name="Aoi")
    finally:
        story.fake.settings.property_restrictions = {}


@step
def changes_emails_with_a_forbidden_word(story: Story) -> None:
    story.fake.settings.forbidden_email_words = ["casino"]
    try:
        for change in (
            {"email": "casino.1@example.com"},
            {"email": "PLAIN@example.com"},
            {"email": "casino.2@example.com"},
            {"alias_emails": []},
        ):
            story.svc.users.update("u-006", **change)
    finally:
        story.fake.settings.forbidden_email_words = []


@refused(400)
def gives_an_undefined_property(story: Story) -> None:
    story.svc.users.update("u-005", custom_properties={"shoeSize": 38})


@step
def refers_to_nobody(story: Story) -> None:
    story.svc.users.update("u-005", relations=[{"relationUserId": "nobody", "relationName": "Mentor"}])


@refused(409)
def updates_at_the_same_time(story: Story) -> None:
    headers = [
        (b"Authorization", f"Bearer {story.fake.access_token()}".encode()),
        (b"Content-Type", b"application/json"),
    ]
    address = f"{story.fake.facts['base_url']}/users/u-001"
    with story.fake.open(RequestHead("PATCH", address, headers)):
        story.svc.users.update("u-001", task="desk")


@step
def edits_a_frame(story: Story) -> None:
    people = svckit.frames.users(story.svc)
    people = people.loc[people["user_id"] == "u-006", ["user_id", "task"]].assign(task="Sales")
    assert [each.state for each in story.svc.users.apply(story.svc.users.diff(people))] == ["ok"]


@step
def sends_what_the_toolkit_would_not(story: Story) -> None:
    json = {"Content-Type": "application/json"}
    for request in (
        {"json": {"nickName": "x" * 101}},
        {"json": {"i18nNames": [{"language": "ja_JP"}] * 1001}},
        {"json": {"timeZone": "Mars/Phobos"}},
        {"content": b"{%s}" % (b" " * 2**24), "headers": json},
        {"json": {"shoeSize": 38}},
        {"json": {}, "params": {"dryRun": "true"}},
        {"json": {"birthdayCalendarType": "LUNAR", "birthday": "1990-02-30"}},
        {"json": {"telephone": "+81-3-5555-0001 ext. 7"}},
        {"content": b'{"nickName": "Mina", "nickName": "Aoi"}', "headers": json},
        {"content": b"{}", "headers": {"Content-Type": "text/plain"}},
    ):
        story.raw("PATCH", "/users/u-001", **request)


@refused(400)
def breaks_a_limit(story: Story) -> None:
    story.svc.request("PATCH", "/users/u-001", json={"nickName": "x" * 101, "telephone": "words"})


@refused(404)
def calls_what_there_is_not(story: Story) -> None:
    story.svc.request("GET", "/users")


@refused(404)
def calls_what_has_ended(story: Story) -> None:
    story.svc.request("GET", "/users/u-001/mail/vipmailfolders")


@refused(501)
def calls_what_will_end(story: Story) -> None:
    story.svc.request("GET", "/directory/custom-fields")


@step
def sets_a_status(story: Story) -> None:
    status = story.svc.users.set_status(
        "u-001", "BUSY", "in a meeting", auto_reply={"internal": {"content": "x"}}
    )
    assert (status.profile_status_id, status.schedule_type) == ("BUSY", "PRESENT")
    assert len(svckit.frames.statuses(story.svc)) == 1


@step
def replaces_a_status(story: Story) -> None:
    assert story.svc.users.set_status("u-001", "CUSTOM01").profile_status_id == "CUSTOM01"


@step
def reserves_a_status(story: Story) -> None:
    times = {"start": "2026-06-01T10:00:00+09:00", "end": "2026-06-01T12:00:00+09:00"}
    assert story.svc.users.set_status("u-001", "AWAY", **times).schedule_type == "RESERVED"


@refused(400)
def reserves_a_status_that_ends_before_it_starts(story: Story) -> None:
    times = {"start": "2026-06-01T11:00:00+09:00", "end": "2026-06-01T10:00:00+09:00"}
    story.svc.users.set_status("u-002", "AWAY", **times)


@refused(400)
def sets_a_status_that_has_ended(story: Story) -> None:
    story.svc.users.set_status("u-002", "AWAY", end="2026-06-01T08:00:00+09:00")


@refused(400)
def reserves_a_status_without_an_end(story: Story) -> None:
    story.svc.users.set_status("u-002", "AWAY", start="2026-06-01T11:00:00+09:00")
    assert len(svckit.frames.statuses(story.svc)) >= 1


@refused(404)
def sets_the_status_of_nobody(story: Story) -> None:
    story.svc.users.set_status("nobody", "AWAY")


@refused(400)
def sets_a_wrong_status_while_they_are_off(story: Story) -> None:
    story.fake.settings.profile_status_enabled = False
    try:
        story.svc.request("POST", "/users/u-001/user-profile-statuses", json={"profileStatusId": "LUNCH"})
    finally:
        story.fake.settings.profile_status_enabled = True

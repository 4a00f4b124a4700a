"""What an assumption has decided earlier is named by the response that shows it."""

import pytest

from fakes import AssumptionRefused

from ..caller import DRIVE, calling, make, named
from ..continuing import fail_to_log_in, fail_to_notify

# Codes


def test_used_or_unknown_code_does_not_name_it(me):
    code = me.code()
    me.exchange(code, client_secret="wrong")
    me.exchange(code)
    responses = (
        me.exchange(code),
        me.exchange(code, client_secret="wrong"),
        me.exchange("x", client_secret="y"),
    )
    assert [response.status_code for response in responses] == [400, 401, 401]
    assert not any("token.wrong-secret" in named(response) for response in responses)


def test_earlier_decision_is_refused_without_effect(fake, me):
    code = me.code()
    me.exchange(code, client_secret="wrong")
    fake.rules.choose({}, "refuse")
    before = fake.snapshot()
    with pytest.raises(AssumptionRefused, match=r"token\.wrong-secret"):
        me.exchange(code)
    assert fake.snapshot() == before


def test_earlier_snapshots_know_no_refused_calls(fake):
    with calling(fake) as me:
        then, notify = fail_to_log_in(me), fail_to_notify(me)
    saved = fake.snapshot()
    del saved["webhooks"]["limiter"]["other"]
    for screen in saved["auth"]["logins"].values():
        del screen["failed"]
    fake.restore(saved)
    fake.journal.clear()
    with calling(fake) as me:
        then(me), notify(me)
    assert [entry.assumed for entry in fake.journal] == [()] * 2


# Files


@pytest.mark.parametrize("alternative", ["revision", "replace"])
def test_revisions_of_a_file_that_was_overwritten_name_that(alternative):
    with calling(make(assume={"file.overwrite": alternative})) as me:
        file_id = me.upload(content=b"old")["fileId"]
        revision = f"{DRIVE}/{file_id}/revisions/1/download"
        first = me.api("GET", revision)
        second = me.send(me.url(size=4, overwrite=True), b"new!")
        assert second.status_code == 201
        assert "file.overwrite" not in named(first) | named(second)
        assert "file.overwrite" in named(me.api("GET", revision))
        assert "file.overwrite" in named(me.fetch(first.headers["Location"]))
        assert "file.overwrite" not in named(me.download(file_id))


@pytest.mark.parametrize("place", ["/bots/bot-1/attachments", DRIVE])
def test_content_that_came_without_a_type_names_that_when_it_is_sent(place, me):
    head = b'--b\r\nContent-Disposition: form-data; name="Filedata"; filename="a.txt"\r\n\r\n'
    headers = me.bearer | {"Content-Type": "multipart/form-data; boundary=b"}
    stored = me.http.post(me.url(place), content=head + b"hello\r\n--b--\r\n", headers=headers)
    found = f"{place}/{stored.json()['fileId']}{'/download' if place == DRIVE else ''}"
    response = me.fetch(me.api("GET", found).headers["Location"])
    assert "file.default-type" in named(stored)
    assert named(response) == {"file.default-type"}


def test_an_upload_url_that_expired_long_ago_names_its_lifetime(me):
    url = me.url()
    me.fake.clock.advance(days=3)
    me.become()
    me.url()  # when the next is issued, those that expired are dropped
    response, unknown = me.send(url), me.send(url[:-1] + "x")
    assert response.status_code == 404
    assert {"file.upload-lifetime", "file.not-found"} <= named(response)
    assert "file.upload-lifetime" not in named(unknown)


# Link IDs


@pytest.mark.parametrize(
    ("rule_id", "changes"),
    [
        ("user.link-id-kept", [{"email": "plain@example.com"}, {"email": "casino.2@example.com"}]),
        ("user.link-id-removed", [{"aliasEmails": []}]),
    ],
)
def test_kept_link_id_names_the_assumption(rule_id, changes):
    outcomes = {}
    for alternative in make().rules[rule_id].alternatives:
        fake = make(assume={rule_id: alternative})
        fake.settings.forbidden_email_words = ["casino"]
        with calling(fake) as me:
            for change in ({"email": "casino.1@example.com"}, *changes):
                me.patch(**change)
            fake.settings.advanced_plan = True
            response = me.patch(aliasEmails=["other@example.com"])
        assert rule_id in named(response)
        outcomes[alternative] = response.text
    assert len(set(outcomes.values())) == 2


def test_a_link_id_that_is_the_email_again_rests_on_nothing(fake, me):
    fake.settings.forbidden_email_words = ["casino"]
    first = fake.directory["u-001"]["email"]
    for email in ("casino.1@example.com", "plain@example.com", first):
        me.patch(email=email)
    fake.settings.advanced_plan = True
    assert named(me.patch(aliasEmails=["other@example.com"])) == set()


# Rates


def test_refused_call_is_named_at_the_rate_limit(me):
    assert me.notify(5).status_code == 400
    for _ in range(119):
        me.notify()
    responses = me.notify(5), me.notify(), me.notify()
    assert [response.status_code for response in responses] == [400, 200, 429]
    assert [named(response) for response in responses[:2]] == [{"notification.refused-calls"}] * 2


def test_a_window_is_not_named_where_either_would_admit_the_call(me):
    me.notify()
    me.fake.clock.advance(seconds=40)
    me.notify()
    me.fake.clock.advance(seconds=20)
    assert named(me.notify(5)) == set()
    assert named(me.notify()) == {"notification.window", "notification.refused-calls"}


# Two faults in one request


def test_a_wrong_password_rests_on_no_case_of_the_login_id(me):
    response = me.log_in(me.facts["login_id"].upper(), "wrong")
    assert named(response) == {"auth.failure-status"}


# What is stored


def test_decision_by_an_unknown_rule_is_refused():
    saved = make().snapshot()
    saved["decisions"]["made"]["code/x"] = ["token.wrong-secrets"]
    with pytest.raises(ValueError, match=r"there is no rule token\.wrong-secrets"):
        make().restore(saved)

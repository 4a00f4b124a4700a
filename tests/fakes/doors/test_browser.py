"""A browser with a person at it, who signs in at the login screen, forges, cancels and mistypes."""

import pytest

from fakes import NoRedirect
from fakes.http.addresses import UnknownURL
from svckit.display.page_reader import PageReader

from ..parts.sign_in.test_signing_in import authorization, parameters


def test_person_opens_the_login_screen_and_signs_in(fake, me):
    browser = fake.browser()
    page = browser.open(authorization(fake))
    assert (page.status, page.title, page.url) == (200, "Log in", authorization(fake))
    assert page.text.splitlines()[:3] == ["Log in", "client-1 asks for access: user, file", "Login ID"]
    assert (page.form.method, page.form.action) == ("POST", fake.facts["auth_url"] + "/oauth2/v2.0/authorize")
    assert [name for name, value in page.form.fields.items() if value] == ["login_ticket"]
    redirect = browser.sign_in()
    assert redirect.partition("?")[0] == fake.facts["redirect_uri"]
    assert parameters(redirect)["state"] == "s-1"
    assert me.exchange(parameters(redirect)["code"]).status_code == 200
    assert [entry.operation for entry in fake.journal] == ["auth.authorize", "auth.login", "auth.token"]


def test_another_user_signs_in_with_their_own_password(fake):
    login_id = fake.directory["u-002"]["email"]
    browser = fake.browser()
    browser.open(authorization(fake))
    browser.sign_in(login_id=login_id)
    assert [record["userId"] for record in fake.auth.records()] == ["u-002"]


def test_mistyped_password_can_be_corrected(fake):
    browser = fake.browser(mistype=True)
    browser.open(authorization(fake))
    with pytest.raises(
        NoRedirect, match=r"the status 401: This did not work, the login ID or the password is wrong$"
    ):
        browser.sign_in()
    assert browser.page.status == 401
    with pytest.raises(
        NoRedirect, match=r"^there is no login form to fill in \(a page with the status 401: This"
    ):
        browser.sign_in()
    careful = fake.browser()
    careful.open(authorization(fake))
    with pytest.raises(NoRedirect):
        careful.sign_in(login_id="nobody@example.com")
    careful.open(authorization(fake))
    assert careful.sign_in(password=fake.facts["password"])


def test_forged_state_comes_with_a_code_that_works(fake, me):
    """As if another person had signed in: only a client that compares the state notices."""
    browser = fake.browser(forge_state=True)
    browser.open(authorization(fake))
    redirect = browser.sign_in()
    assert parameters(redirect)["state"] == "forged"
    assert me.exchange(parameters(redirect)["code"]).status_code == 200


def test_person_can_cancel(fake):
    browser, other = fake.browser(cancel=True), fake.browser()
    browser.open(authorization(fake))
    with pytest.raises(NoRedirect, match="the person closed the login screen"):
        browser.sign_in()
    other.open(authorization(fake))
    other.close()
    with pytest.raises(NoRedirect, match=r"\(no page is open\); open the URL"):
        other.sign_in()
    assert browser.page is other.page is None
    assert len(fake.journal.where(operation="auth.login")) == 0


def test_redirect_at_once_needs_no_form(fake):
    fake.auth.auto_login = "u-001"
    browser = fake.browser()
    page = browser.open(authorization(fake))
    assert (page.status, page.form) == (302, None)
    assert browser.sign_in() == page.url
    with pytest.raises(NoRedirect):
        browser.sign_in()


def test_nothing_that_is_shown_has_a_secret(fake):
    browser = fake.browser()
    page = browser.open(authorization(fake, state="canary-state"))
    ticket = page.form.fields["login_ticket"]
    shown = f"{page!r} {page.form!r} {browser!r} {fake.journal!r}"
    assert "canary-state" not in shown
    assert ticket not in shown
    browser.sign_in()
    assert parameters(browser.page.url)["code"] not in repr(browser.page)


def test_person_meets_faults_and_other_hosts(fake):
    browser = fake.browser()
    with pytest.raises(UnknownURL, match=r"https://elsewhere.example is not served by this fake"):
        browser.open("https://elsewhere.example/?code=c-1")
    fake.faults.reset("auth.authorize")
    with pytest.raises(ConnectionError, match="reset"):
        browser.open(authorization(fake))
    fake.faults.status("auth.authorize", 503)
    assert browser.open(authorization(fake)).status == 503
    assert browser.open(fake.facts["base_url"] + "/users/u-001").text.startswith('{"code":"UNAUTHORIZED"')


def test_pages_are_read_as_they_are_shown():
    reader = PageReader.of(
        "<title> A\n b </title><script>x()</script><p>One <em>word</em></p>two<form method=post><input></form>"
    )
    assert (reader.title, reader.lines, reader.form, reader.fields) == (
        "A b",
        ["One word", "two"],
        {"method": "post"},
        {},
    )

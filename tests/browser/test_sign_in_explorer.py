"""The sign-in explorer as people use it: the steps of the flow, what goes wrong in them, and the countdowns."""

import re

from playwright.sync_api import Page, expect

from fakes import FakeService

from ..loopback import free_port
from .axe import violations
from .conftest import CONNECT, OpenNotebook

# A fake that is taken for a real service, at an address that a browser reaches, and with the redirect coming back here.
REAL = """
from dataclasses import replace

from fakes import FakeService
from svckit.profiles.credentials import Credentials
from svckit.models.secret import Secret
from svckit.profiles.profiles import Profile
from svckit.session.session import Session
from svckit.widgets import SignInExplorer

fake = FakeService.sample()
redirect_uri = "http://127.0.0.1:PORT/callback"
fake.state.auth.application = replace(fake.auth.application, redirect_uri=redirect_uri)
served = fake.serve().__enter__()
profile = replace(Profile.from_facts(served.facts, name="work"), is_fake=False)
real = SignInExplorer(Session(profile, Credentials(client_secret=Secret(served.facts["client_secret"]))))
real
"""


def test_each_step_and_what_goes_wrong_in_it(open_notebook: OpenNotebook) -> None:
    page = open_notebook(CONNECT, 'svc.explore("sign-in")', REAL.replace("PORT", str(free_port())))
    steps = page.get_by_role("region", name="Sign-in").first
    expect(steps).to_be_visible()
    click = lambda name: steps.get_by_role("button", name=name, exact=True).click()  # noqa: E731 - it reads as a step
    alert = steps.get_by_role("alert")

    click("Create the request")
    expect(steps.locator("dt", has_text="response_type").locator("+ dd")).to_contain_text("always code")
    steps.get_by_label("Log in as").fill("u-002")
    steps.get_by_label("With a wrong password").check()
    click("Log in")
    expect(alert).to_contain_text("the login ID or the password is wrong")
    steps.get_by_label("With a wrong password").uncheck()
    click("Log in")
    expect(steps.get_by_label("Redirect URL")).to_contain_text("code=***&state=***")

    steps.get_by_label("Tamper with the state").check()
    click("Check the state")
    expect(alert).to_contain_text("may be forged")
    steps.get_by_label("Tamper with the state").uncheck()
    click("Check the state")
    click("Exchange the code")
    expect(steps.get_by_label("Response").last).to_contain_text('"access_token":"***"')
    expect(steps.get_by_role("meter", name="Time left for the access token")).to_have_js_property(
        "value", 86_400
    )
    expect(steps.get_by_role("row", name="access token")).to_contain_text("24 h left")
    click("Move the clock past the expiry of the refresh token")
    click("Renew")
    expect(alert).to_contain_text("expired after 90 days")
    a_person_signs_in(page)


def a_person_signs_in(page: Page) -> None:
    """The same with the real service: the link in a new tab, the redirect caught, and a question before tokens."""
    steps = page.get_by_role("region", name="Sign-in").last
    expect(steps.locator(".svckit-badge").first).to_have_text("REAL")
    steps.get_by_role("button", name="Create the request").click()
    with page.context.expect_page() as opened:
        steps.get_by_role("link", name="Open the login page in a new tab").click()
    login = opened.value
    login.locator("input[name=login_id]").fill("hana.nakamura.001@example.com")
    login.locator("input[name=password]").fill(FakeService.sample().auth.password("u-001"))
    login.locator("button").click()
    login.get_by_role("heading", name="Sign-in received").wait_for()
    login.close()
    expect(steps).to_contain_text("compared in constant time")
    steps.get_by_role("button", name="Exchange the code").click()
    expect(steps.get_by_role("group", name="This exchanges the code for tokens at work")).to_be_visible()
    page.add_style_tag(content="body { height: 100vh }")  # else axe takes all that overflows it for hidden
    assert violations(page, ".svckit") == []  # with the marks of a real service, and of an error above
    steps.get_by_role("button", name="Send to REAL").click()
    left = steps.get_by_role("meter", name="Time left for the access token")
    expect(steps.get_by_role("row", name="access token")).to_contain_text(re.compile(r"23 h \d+ min left"))
    seconds = left.evaluate("meter => meter.value")
    expect(left).not_to_have_js_property("value", seconds)  # it counts by itself

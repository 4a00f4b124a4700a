"""Signing in with a real browser: the login screen, the redirect to this machine, and what the person sees."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from queue import SimpleQueue

import pytest
from playwright.sync_api import BrowserContext, Page

from fakes import FakeService
from svckit.models.secret import Secret
from svckit.profiles.credentials import Credentials
from svckit.profiles.profiles import Profile
from svckit.session.session import Session
from svckit.sign_in.browser import BrowserVisitor

from ..loopback import PATIENCE, free_port

pytestmark = pytest.mark.wide


@pytest.fixture
def fake() -> FakeService:
    """A fake whose application is registered with a redirect address of this machine."""
    fake = FakeService.sample()
    redirect_uri = f"http://127.0.0.1:{free_port()}/callback"
    fake.state.auth.application = replace(fake.state.auth.application, redirect_uri=redirect_uri)
    return fake


@pytest.fixture
def page(chromium: BrowserContext) -> Iterator[Page]:
    page = chromium.new_page()
    yield page
    page.close()


def test_a_person_signs_in(fake: FakeService, page: Page) -> None:
    opened: SimpleQueue[str] = SimpleQueue()
    visitor = BrowserVisitor(timeout=PATIENCE, open_browser=opened.put, tell=lambda _: None)
    with fake.serve() as served, ThreadPoolExecutor(1) as elsewhere:
        facts = served.facts
        profile = replace(Profile.from_facts(facts, name="<b>work</b>"), is_fake=False)
        credentials = Credentials(client_secret=Secret(facts["client_secret"]))
        with Session(profile, credentials, visitor=visitor) as svc:
            signing_in = elsewhere.submit(svc.sign_in)
            page.goto(opened.get(timeout=PATIENCE))
            page.locator("input[name=login_id]").fill(facts["login_id"])
            page.locator("input[name=password]").fill(facts["password"])
            page.locator("button").click()
            page.get_by_role("heading", name="Sign-in received").wait_for()
            assert "svckit continues with the profile '<b>work</b>'" in page.inner_text("p")
            assert signing_in.result(PATIENCE).users.read("u-003").user_id == "u-003"

"""The panel of a service that is no fake: users are read by ID, and nothing is sent before it is confirmed."""

import pytest
from playwright.sync_api import expect

from .axe import violations
from .conftest import OpenNotebook

# A fake over TCP, of which the session knows no more than of the real service.
SETUP = """
from dataclasses import replace

import svckit
from fakes import FakeService

served = FakeService.sample(users=20, seed=0, now="2026-06-01T09:00:00+09:00").serve()
facts = served.__enter__().facts
svc = svckit.connect(svckit.Profile.from_facts(facts, name="work"), credentials=svckit.Credentials.from_facts(facts))
svc.profile = replace(svc.profile, is_fake=False)
"""


@pytest.mark.long
def test_users_are_read_by_id_and_what_is_sent_is_asked_about(open_notebook: OpenNotebook) -> None:
    page = open_notebook(SETUP, "svc.explore()")
    pasted = page.get_by_role("textbox", name="User ID, login e-mail or externalKey:…")
    expect(pasted).to_be_visible()
    expect(page.get_by_text("No rows")).to_be_visible()
    pasted.fill("u-003")
    pasted.press("Enter")
    rows = page.get_by_role("grid", name="Users").locator("tbody tr")
    expect(rows).to_have_count(1)
    expect(page.get_by_role("button", name="Copy ID")).to_be_visible()
    pasted.fill("u-999")
    page.get_by_role("button", name="Read", exact=True).click()
    expect(page.get_by_role("alert").filter(visible=True)).to_contain_text("there is no user 'u-999'")
    page.add_style_tag(content="body { height: 100vh }")  # else axe takes all that overflows it for hidden
    assert violations(page, ".svckit") == []

    page.get_by_role("tab", name="Notifications").click()
    page.get_by_role("textbox", name="Text").fill("Build is green")
    page.get_by_role("button", name="Send", exact=True).click()
    question = page.get_by_role("group", name="This posts a message to the chat room of webhook-1 at work")
    expect(question.get_by_role("button", name="Cancel")).to_be_focused()
    page.keyboard.press("Enter")
    expect(question).to_have_count(0)
    expect(page.get_by_role("grid", name="Sent")).to_have_count(0)
    page.get_by_role("button", name="Send", exact=True).click()
    question.get_by_role("button", name="Send to REAL").click()
    expect(page.get_by_role("grid", name="Sent")).to_contain_text("200 success")

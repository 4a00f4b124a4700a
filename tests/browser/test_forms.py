"""Forms as people use them: counters and errors as one types, lists, what would be sent."""

import pytest
from playwright.sync_api import expect

from svckit.session.session import Session
from svckit.widgets import UserForm

from .conftest import OpenNotebook, ShowSlow

pytestmark = pytest.mark.wide

SETUP = """
import svckit
from svckit.widgets import UserForm

svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
"""


def test_changing_a_user(open_notebook: OpenNotebook) -> None:
    page = open_notebook(SETUP, 'UserForm(svc, "u-001")')
    form = page.get_by_role("region", name="Change user u-001")
    nick = form.get_by_role("textbox", name="Nick name")
    expect(nick).to_have_value("Hana")
    for group in ("Work", "Organizations", "Account", "Further"):
        form.locator("summary", has_text=group).click()
    nick.fill("🍡" * 101)
    nick.press("Tab")
    expect(nick).to_have_attribute("aria-invalid", "true")
    expect(form.get_by_role("button", name="Change the user")).to_have_attribute("aria-disabled", "true")
    form.get_by_role("list", name="To correct").get_by_role("button", name="Nick name").click()
    expect(nick).to_be_focused()
    nick.press("End")
    nick.press("Backspace")
    expect(form.get_by_role("list", name="To correct")).to_be_hidden()
    nick.fill("Mina")

    form.get_by_role("button", name="Clear Task").click()
    form.get_by_text("Code", exact=True).click()
    body = form.get_by_label("JSON", exact=True)
    expect(body).to_have_text('{\n  "nickName": "Mina",\n  "task": null\n}')
    form.get_by_role("button", name="Add Alias emails").click()
    form.get_by_role("textbox", name="Alias email 2").press_sequentially("m@example.com")
    expect(body).to_contain_text('"m@example.com"')
    expect(form.get_by_role("textbox", name="Alias email 2")).to_be_focused()

    form.get_by_role("button", name="Change the user").click()
    expect(form.get_by_role("status").first).to_have_text("Sent: Alias emails, Nick name, Task of u-001")
    form.get_by_role("button", name="Undo").click()
    expect(nick).to_have_value("Hana")
    expect(form.get_by_role("textbox", name="Alias email 2")).to_have_count(0)


def test_fields_are_found_and_emptied(slow: ShowSlow, svc: Session) -> None:
    form = UserForm(svc, "u-001")
    front = slow(form)
    search = front.page.get_by_role("searchbox", name="Search fields")
    search.fill("position")
    front.let_through()
    expect(front.page.locator(".svckit-entry")).to_have_text(["Position ID"])
    expect(search).to_be_focused()
    position = front.page.get_by_role("textbox", name="Organization 1, Org unit 1, Position ID")
    position.fill("")
    front.let_through()
    assert form.values["organizations"][0]["org_units"][0]["position_id"] is None
    front.page.get_by_role("button", name="Leave as is: Organizations").press("Enter")
    front.let_through(2)  # the field was left
    assert form.values == {}
    expect(position).to_have_value("pos-lead")
    form.close()


def test_what_is_wrong_is_said_once_the_field_is_left(slow: ShowSlow, svc: Session) -> None:
    form = UserForm(svc, "u-001")
    front = slow(form)
    work = front.page.get_by_text("Work", exact=True)
    task = front.page.get_by_role("textbox", name="Task")
    expect(task).to_be_hidden()  # its group is folded
    work.click()
    task.fill("x" * 101)
    front.let_through()
    problem = front.page.get_by_text("Task must have at most 100 characters")
    expect(problem).to_be_hidden()
    task.press("Tab")
    front.let_through()
    expect(problem).to_be_visible()
    work.click()
    expect(task).to_be_hidden()
    front.page.get_by_role("list", name="To correct").get_by_role("button", name="Task").click()
    expect(task).to_be_focused()
    form.close()

"""Forms as people use them: fields are found and emptied, and what is wrong is said when one is left."""

import pytest
from playwright.sync_api import expect

from svckit.session.session import Session
from svckit.widgets import UserForm

from .conftest import ShowSlow

pytestmark = pytest.mark.wide


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
    expect(task).to_have_attribute("aria-invalid", "true")
    expect(front.page.get_by_role("button", name="Change the user")).to_have_attribute(
        "aria-disabled", "true"
    )
    work.click()
    expect(task).to_be_hidden()
    front.page.get_by_role("list", name="To correct").get_by_role("button", name="Task").click()
    expect(task).to_be_focused()

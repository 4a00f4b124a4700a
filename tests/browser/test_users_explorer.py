"""The users explorer as people use it: with a mouse, with keys alone, by day and by night."""

import pytest
from playwright.sync_api import Locator, Page, expect

from .conftest import OpenNotebook

SETUP = """
import svckit

svc = svckit.connect(users=45, now="2026-06-01T09:00:00+09:00")
panel = svc.explore()
"""


def status(page: Page, text: str) -> None:
    expect(page.locator(".svckit-table footer").get_by_role("status")).to_have_text(text)


def test_people_are_found_and_changed_one_and_several(open_notebook: OpenNotebook) -> None:
    page = open_notebook(SETUP, "panel")
    grid = page.get_by_role("grid", name="Users")
    find(page, grid)
    change_the_selected_user(page)
    change_three_and_restore_them(page, grid)


def find(page: Page, grid: Locator) -> None:
    status(page, "Rows 1–10 of 45")
    search = page.get_by_role("searchbox", name="Search Users")
    search.fill("EMP-00003 u-003")
    status(page, "Rows 1–1 of 1 that match, 45 in all")
    search.fill("")
    status(page, "Rows 1–10 of 45")

    heading = grid.get_by_role("columnheader", name="ID Filter ID")
    press = heading.get_by_role("button", name="ID", exact=True)
    press.click()
    expect(heading).to_have_attribute("aria-sort", "ascending")
    press.click()
    expect(heading).to_have_attribute("aria-sort", "descending")
    expect(press).to_be_focused()
    press.click()
    expect(heading).to_have_attribute("aria-sort", "none")

    page.get_by_role("button", name="Last page").click()
    status(page, "Rows 41–45 of 45")
    expect(page.get_by_role("button", name="Next page")).to_have_attribute("aria-disabled", "true")
    page.get_by_role("button", name="First page").click()
    status(page, "Rows 1–10 of 45")

    row = grid.get_by_role("row", name="u-003")
    row.click()
    expect(row).to_have_attribute("aria-selected", "true")
    record = page.locator(".svckit-record")
    expect(record.get_by_role("row", name="Employee number")).to_contain_text("E00003")
    state = grid.get_by_role("columnheader", name="State Filter State")
    expect(state).to_be_in_viewport(ratio=1)  # the last column, beside the record


def change_the_selected_user(page: Page) -> None:
    record = page.locator(".svckit-record")
    record.get_by_role("button", name="Change").click()
    form = page.get_by_role("region", name="Change user u-003")
    expect(form.locator("[data-field]").first).to_be_focused()
    expect(form.locator("[data-field]").first).to_be_in_viewport()
    form.get_by_role("textbox", name="Nick name").fill("Mina-chan")
    form.get_by_role("button", name="Change the user").click()
    expect(form.get_by_role("status").first).to_have_text("Sent: Nick name of u-003")
    expect(record.get_by_role("row", name="Nick name")).to_contain_text("Mina-chan")
    record.get_by_role("button", name="Close the form").click()
    expect(form).to_have_count(0)


def change_three_and_restore_them(page: Page, grid: Locator) -> None:
    grid.get_by_role("row", name="u-002").click()
    grid.get_by_role("row", name="u-004").click(modifiers=["Shift"])
    page.get_by_text("3 users selected").wait_for()
    page.get_by_role("button", name="Change them").click()
    form = page.get_by_role("region", name="Change 3 users")
    expect(form.get_by_role("combobox", name="Field")).to_be_focused()
    form.get_by_role("combobox", name="Field").select_option("task")
    form.get_by_role("textbox", name="Task").fill("Sales")
    form.get_by_role("button", name="Preview").click()
    form.get_by_role("button", name="Change 3 users").press("Enter")
    expect(form.get_by_role("status")).to_contain_text("3 of 3 users changed")
    expect(form.get_by_role("button", name="Undo (3 users)")).to_be_focused()
    record = page.locator(".svckit-record")
    expect(record.get_by_role("row", name="Task")).to_contain_text("Sales")
    page.keyboard.press("Enter")
    expect(record.get_by_role("row", name="Task")).not_to_contain_text("Sales")
    expect(form.get_by_role("button", name="Redo (3 users)")).to_be_visible()
    page.get_by_role("button", name="Close the form").click()
    expect(form).to_have_count(0)


@pytest.mark.wide
def test_keys_alone(open_notebook: OpenNotebook) -> None:
    page = open_notebook(SETUP, "panel")
    grid = page.get_by_role("grid", name="Users")
    page.get_by_role("searchbox", name="Search Users").focus()
    for _ in range(17):  # four tools, six headings with a filter each, then the rows
        page.keyboard.press("Tab")
    expect(grid.get_by_role("row", name="u-001")).to_be_focused()
    page.keyboard.press("End")
    page.keyboard.press("ArrowDown")
    expect(grid.get_by_role("row", name="u-011")).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(grid.get_by_role("row", name="u-010")).to_be_focused()
    page.keyboard.press("PageDown")
    expect(grid.get_by_role("row", name="u-011")).to_be_focused()
    page.keyboard.press("Enter")
    row = grid.get_by_role("row", name="u-011")
    expect(row).to_have_attribute("aria-selected", "true")
    expect(row).to_be_focused()
    expect(page.locator(".svckit-record code")).to_have_text("u-011")
    page.keyboard.press("Home")
    page.keyboard.press(" ")
    page.keyboard.press("ArrowDown")
    page.keyboard.press(" ")
    expect(page.locator(".svckit-record code")).to_have_text("u-012")

"""The users explorer as people use it: with a mouse, with keys alone, by day and by night."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from .conftest import TakePicture

OpenNotebook = Callable[..., Page]

# The name of the last user tries to run a script wherever it is shown as markup.
SETUP = """
from svckit.widgets import UsersExplorer

FAMILY = ["Sato", "Suzuki", "Kim", "Chen", "Garcia", "O'Brien", "Müller", "Tanaka", "Ito"]
GIVEN = ["Mina", "Haruto", "Seo-yeon", "Wei", "Lucía"]
UNITS = ["Sales", "Engineering", "Support", "Finance"]
EVIL = "<img src=x onerror='window.__xss=1'><script>window.__xss=1</script>"

def user(number):
    return {
        "domainId": 10000001,
        "userId": f"u-{number:03}",
        "isAdministrator": number == 1,
        "isSuspended": number % 13 == 0,
        "suspendedReason": "LOGIN_FAIL" if number % 13 == 0 else None,
        "email": f"user{number:03}@example.com",
        "userName": {
            "lastName": EVIL if number == 45 else FAMILY[number % 9],
            "firstName": GIVEN[number % 5],
        },
        "nickName": EVIL if number == 45 else None,
        "telephone": f"+81-3-5555-{number:04}",
        "location": "Tokyo, 4th floor",
        "task": None,
        "employeeNumber": str(1000 + number),
        "hiredDate": f"20{10 + number % 15}-04-01",
        "locale": "en_US" if number % 5 == 4 else "ja_JP",
        "timeZone": "Asia/Tokyo",
        "organizations": [{
            "domainId": 10000001,
            "primary": True,
            "organizationName": "Example Trading",
            "levelName": ["Junior", "Senior", "Principal"][number % 3],
            "orgUnits": [
                {"orgUnitId": f"o-{number % 4}", "primary": True, "orgUnitName": UNITS[number % 4],
                 "positionName": "Lead" if number % 6 == 0 else "Member", "isManager": number % 6 == 0},
            ],
        }],
        "customProperties": {"team": "blue", "home page": {"text": EVIL if number == 45 else "Me", "link": None}},
        "customFields": [],
    }

class Source:
    badge = "FAKE"

    def records(self, kind):
        return [user(number) for number in range(1, 46)]
"""
SHOW = "explorer = UsersExplorer(Source())\nexplorer"


@pytest.fixture
def explorer(open_notebook: OpenNotebook) -> Page:
    page = open_notebook(SETUP, SHOW)
    expect(page.get_by_role("grid", name="Users")).to_be_visible()
    return page


def names(page: Page) -> list[str]:
    return page.locator(".svckit-table tbody tr td:nth-child(2)").all_inner_texts()


def status(page: Page, text: str) -> None:
    expect(page.locator(".svckit-table footer").get_by_role("status")).to_have_text(text)


def test_search_sort_page_and_select(explorer: Page) -> None:
    page = explorer
    grid = page.get_by_role("grid", name="Users")
    status(page, "Rows 1–10 of 45")

    page.get_by_role("searchbox", name="Search Users").fill("sato SALES")
    status(page, "Rows 1–1 of 1 that match, 45 in all")
    page.get_by_role("searchbox", name="Search Users").fill("")
    status(page, "Rows 1–10 of 45")

    heading = grid.get_by_role("columnheader", name="Name")
    press = heading.get_by_role("button", name="Name", exact=True)
    press.click()
    expect(heading).to_have_attribute("aria-sort", "ascending")
    press.click()
    expect(heading).to_have_attribute("aria-sort", "descending")
    assert names(page) == sorted(names(page), key=str.casefold, reverse=True)
    expect(press).to_be_focused()
    press.click()
    expect(heading).to_have_attribute("aria-sort", "none")

    page.get_by_role("button", name="Last page").click()
    status(page, "Rows 41–45 of 45")
    expect(page.get_by_role("button", name="Next page")).to_have_attribute("aria-disabled", "true")
    page.get_by_role("button", name="Previous page").click()
    status(page, "Rows 31–40 of 45")

    grid.get_by_role("row", name="u-033").click()
    expect(grid.get_by_role("row", name="u-033")).to_have_attribute("aria-selected", "true")
    record = page.locator(".svckit-record")
    expect(record.get_by_role("row", name="Employee number")).to_contain_text("1033")
    expect(record.get_by_role("row", name="Task")).to_contain_text("–")
    expect(record.get_by_role("row", name="Organization 1 (primary)")).to_be_visible()
    expect(grid.get_by_role("columnheader", name="State")).to_be_in_viewport(ratio=0.9)


def test_keys_alone(explorer: Page) -> None:
    page = explorer
    grid = page.get_by_role("grid", name="Users")
    page.get_by_role("searchbox", name="Search Users").focus()
    for _ in range(20):  # seven tools, six headings with a filter each, then the rows
        page.keyboard.press("Tab")
    expect(grid.get_by_role("row", name="u-001")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(grid.get_by_role("row", name="u-002")).to_be_focused()
    page.keyboard.press("End")
    expect(grid.get_by_role("row", name="u-010")).to_be_focused()
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


@pytest.mark.long
def test_selecting_from_python(open_notebook: OpenNotebook) -> None:
    page = open_notebook(SETUP, SHOW, 'explorer.select("u-023")')
    expect(page.locator(".svckit-record code")).to_have_text("u-023")
    status(page, "Rows 21–30 of 45")


def test_names_are_text_and_never_markup(explorer: Page) -> None:
    page = explorer
    page.get_by_role("searchbox", name="Search Users").fill("onerror")
    page.get_by_role("row", name="u-045").click()
    expect(page.locator(".svckit-record code")).to_have_text("u-045")
    expect(page.locator(".svckit-record")).to_contain_text("<script>window.__xss=1</script>")
    assert page.locator(".svckit img, .svckit script").count() == 0
    assert page.evaluate("window.__xss") is None


def test_the_selected_user_is_changed(open_notebook: OpenNotebook) -> None:
    page = open_notebook(
        'import svckit\nsvc = svckit.connect(now="2026-06-01T09:00:00+09:00")', "svc.explore()"
    )
    page.get_by_role("row", name="u-003").click()
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


def test_three_people_are_changed_at_once_and_restored(open_notebook: OpenNotebook) -> None:
    page = open_notebook(
        'import svckit\nsvc = svckit.connect(now="2026-06-01T09:00:00+09:00")', "svc.explore()"
    )
    page.get_by_role("row", name="u-002").click()
    page.get_by_role("row", name="u-004").click(modifiers=["Shift"])
    page.get_by_text("3 users selected").wait_for()
    page.get_by_role("button", name="Change them").click()
    form = page.get_by_role("region", name="Change 3 users")
    expect(form.get_by_role("combobox", name="Field")).to_be_focused()
    form.get_by_role("combobox", name="Field").select_option("task")
    form.get_by_role("textbox", name="Task").fill("Sales")
    form.get_by_role("button", name="Preview").click()
    preview = form.get_by_role("table", name="Preview: 3 fields of 3 users")
    expect(preview.get_by_role("row", name="u-003")).to_contain_text("Sales")
    form.get_by_role("button", name="Dry run").click()
    expect(form.get_by_role("status")).to_contain_text("3 of 3 users would be changed")
    form.get_by_role("button", name="Change 3 users").press("Enter")
    expect(form.get_by_role("status")).to_contain_text("3 of 3 users changed")
    expect(form.get_by_role("button", name="Undo (3 users)")).to_be_focused()
    record = page.locator(".svckit-record")
    expect(record.get_by_role("row", name="Task")).to_contain_text("Sales")
    page.keyboard.press("Enter")
    expect(record.get_by_role("row", name="Task")).not_to_contain_text("Sales")
    expect(form.get_by_role("status")).to_contain_text("3 of 3 users restored")
    expect(form.get_by_role("button", name="Redo (3 users)")).to_be_visible()
    page.get_by_role("button", name="Close the form").click()
    expect(form).to_have_count(0)


@pytest.mark.long
def test_a_failure_shows_in_the_table(open_notebook: OpenNotebook) -> None:
    fail = """
    def fail(change):
        raise RuntimeError("no such luck")
    explorer.table.observe(fail, "selected");
    """
    page = open_notebook(SETUP, SHOW, fail.replace("\n    ", "\n"))
    page.get_by_role("row", name="u-004").click()
    expect(page.locator(".svckit-table").get_by_role("alert")).to_have_text("RuntimeError: no such luck")


def test_screenshots(theme: str, take_picture: TakePicture, open_notebook: OpenNotebook) -> None:
    look = 'explorer.table.sort("display_name")\nexplorer.select("u-006")'
    page = open_notebook(SETUP, SHOW, look, theme=theme)
    expect(page.locator(".svckit-record code")).to_have_text("u-006")
    take_picture("users-explorer")
    page = open_notebook(
        'import svckit\nsvc = svckit.connect(now="2026-06-01T09:00:00+09:00")\n'
        "explorer = UsersExplorer(svc)".replace("Users", "svckit.widgets.Users"),
        'explorer.table.selection = ("u-002", "u-003", "u-004"); edit = explorer.bulk_edit(task="Sales")\nexplorer',
        theme=theme,
    )
    expect(page.get_by_role("region", name="Change 3 users")).to_be_visible()
    take_picture("users-bulk-edit")


def test_of_very_many_the_first_are_there_while_all_are_read(open_notebook: OpenNotebook) -> None:
    setup = """
import svckit
from fakes import FakeService

svc = svckit.connect(FakeService.sample(users=20_000, seed=0, now="2026-06-01T09:00:00+09:00"))
"""
    page = open_notebook(setup, "svc.explore()")
    search = page.get_by_role("searchbox", name="Search Users")
    search.fill("u-20000")  # who may or may not be among the first by now
    expect(page.get_by_role("row", name="u-20000")).to_be_visible()
    expect(page.get_by_role("button", name="Stop reading")).to_have_count(0)
    status(page, "Rows 1–1 of 1 that match, 20,000 in all")

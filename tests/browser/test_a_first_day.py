"""A first day with nothing but the panel: find, change, undo, upload, get a refusal, export, and repeat in Python."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from .conftest import OpenNotebook, execute

SETUP = """
import svckit
svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
"""


@pytest.mark.long
def test_a_newcomer_does_everything_in_the_panel(open_notebook: OpenNotebook, tmp_path: Path) -> None:
    page = open_notebook(SETUP, "svc.explore()")
    find_by_any_field(page)
    change_three_and_undo(page)
    give_a_file_and_get_it_back(page, tmp_path)
    provoke_a_refusal_and_explain_it(page)
    export_the_traffic(page)
    repeat_a_request_in_python(page)


def show(page: Page, name: str) -> None:
    page.get_by_role("tablist", name="Explorers").get_by_role("tab", name=name).click()
    expect(page.get_by_role("tabpanel", name=name)).to_be_visible()


def find_by_any_field(page: Page) -> None:
    """Search for a value that no column shows."""
    page.get_by_role("searchbox", name="Search Users").fill("emp-00003")
    expect(page.get_by_text("Rows 1–1 of 1 that match, 20 in all")).to_be_visible()
    page.get_by_role("row", name="u-003").click()
    expect(page.locator(".svckit-record")).to_contain_text("emp-00003")
    page.get_by_role("searchbox", name="Search Users").fill("")
    expect(page.get_by_text("Rows 1–10 of 20")).to_be_visible()


def change_three_and_undo(page: Page) -> None:
    page.get_by_role("row", name="u-004").click()
    page.get_by_role("row", name="u-005").click()
    expect(page.get_by_text("3 users selected")).to_be_visible()
    page.get_by_role("button", name="Change them").click()
    form = page.get_by_role("region", name="Change 3 users")
    form.get_by_role("combobox", name="Field").select_option("task")
    form.get_by_role("textbox", name="Task").fill("Reception")
    form.get_by_role("button", name="Preview").click()
    form.get_by_role("button", name="Change 3 users").click()
    form.get_by_role("button", name="Undo").click()
    expect(form.get_by_role("status")).to_contain_text("3 of 3 users restored")
    execute(page, "assert 'Reception' not in [svc.users.read(f'u-00{n}').task for n in (3, 4, 5)]")
    execute(page, "assert sum('Reception' in each.request_body for each in svc.fake.journal) == 3")


def give_a_file_and_get_it_back(page: Page, folder: Path) -> None:
    (folder / "plan.txt").write_text("Monday: read the manual", "utf-8")
    show(page, "files")
    page.get_by_label("User ID").fill("u-003")
    page.get_by_label("Files on this computer").set_input_files(folder / "plan.txt")
    page.get_by_role("button", name="Upload", exact=True).click()
    page.get_by_role("row", name="plan.txt").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save on this computer").click()
    assert Path(saved.value.path()).read_text("utf-8") == "Monday: read the manual"


def provoke_a_refusal_and_explain_it(page: Page) -> None:
    show(page, "notifications")
    page.get_by_role("textbox", name="Text", exact=True).fill("Hello")
    page.get_by_role("spinbutton", name="Notifications").fill("121")
    page.get_by_role("button", name="Burst").click()
    expect(page.get_by_text("120 of 120 used, none left (429 too many request)")).to_be_visible()
    show(page, "traffic")
    traffic = page.get_by_role("tabpanel", name="traffic")
    traffic.get_by_role("combobox", name="Status").select_option("4xx")
    traffic.get_by_role("row", name="429").click()
    traffic.get_by_role("tab", name="Rules").click()
    traffic.get_by_role("button", name="notification.rate").click()
    expect(page.get_by_role("tabpanel", name="rules")).to_contain_text("120 requests per minute")


def export_the_traffic(page: Page) -> None:
    show(page, "traffic")
    page.get_by_role("tabpanel", name="traffic").get_by_role("combobox", name="Status").select_option("")
    with page.expect_download() as saved:
        page.get_by_role("button", name="HAR").click()
    text = Path(saved.value.path()).read_text("utf-8")
    log = json.loads(text)["log"]
    assert log["version"] == "1.2"
    assert len(log["entries"]) > 121
    execute(page, "secrets = [svc.fake.facts[name] for name in ('client_secret', 'password', 'bot_secret')]")
    execute(page, f"assert not any(secret in {text!r} for secret in secrets)")


def repeat_a_request_in_python(page: Page) -> None:
    traffic = page.get_by_role("tabpanel", name="traffic")
    traffic.get_by_role("searchbox", name="Search").fill("Reception PATCH")
    expect(traffic.get_by_role("row", name="PATCH")).to_have_count(6)  # sent, and read again before the undo
    traffic.get_by_role("row", name="PATCH").first.click()
    traffic.get_by_text("Code", exact=True).click()
    code = traffic.locator("pre[aria-label=Python]").inner_text()
    assert code == 'svc.users.update("u-003", task="Reception")'
    execute(page, code)
    execute(page, "assert svc.users.read('u-003').task == 'Reception'")

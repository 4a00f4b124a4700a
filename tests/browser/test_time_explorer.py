"""The time explorer as people use it: the clock is moved, what that changed, and faults."""

from playwright.sync_api import expect

from .conftest import CONNECT, OpenNotebook

SETUP = f"""{CONNECT}
svc.users.set_status("u-002", "BUSY", start="2026-06-01T10:00:00+09:00", end="2026-06-01T11:00:00+09:00")
svc.notify("hello")
panel = svc.explore("time")
"""


def test_move_the_clock_and_inject(open_notebook: OpenNotebook) -> None:
    page = open_notebook(SETUP, "panel")
    time = page.get_by_role("region", name="Time")
    expect(time).to_be_visible()
    changed = time.get_by_role("list", name="Events of the move")
    clock = time.locator("time").first
    expect(clock).to_have_text("2026-06-01 09:00")
    expect(clock).to_have_attribute("title", "2026-06-01T09:00:00+09:00")
    time.get_by_role("button", name="Move to the next event").click()
    expect(changed).to_contain_text("resets to")
    time.get_by_role("button", name="+ 1 h").click()
    expect(changed).to_contain_text("BUSY of u-002 starts")
    time.get_by_label("Set clock to").fill("2026-12-06T00:00:00")
    time.get_by_role("button", name="Move", exact=True).click()
    expect(clock).to_have_text("2026-12-06 00:00")
    expect(page.locator(".svckit-session")).to_contain_text("clock 2026-12-06 00:00")
    expect(changed).to_contain_text("custom field operations")
    expect(changed.get_by_role("listitem")).to_have_count(6)

    time.get_by_text("Inject a fault…", exact=True).click()
    time.get_by_label("Kind of fault").select_option("Error status")
    time.get_by_label("Operation, path").fill("/users/*")
    time.get_by_label("Repeat").fill("")
    time.get_by_label("Status, 400 to 599").fill("503")
    time.get_by_role("button", name="Inject").click()
    faults = time.get_by_role("list", name="Faults")
    expect(faults).to_contain_text("status 503 for /users/*always; applied 0 times")
    time.get_by_role("button", name="Remove status 503 for /users/*").click()
    expect(faults.get_by_role("listitem")).to_have_count(0)

"""The statuses explorer as people use it: a status is reserved, the clock moves, another one is refused."""

from playwright.sync_api import expect

from .conftest import CONNECT, OpenNotebook, execute

SETUP = CONNECT + 'status = svc.users.set_status("u-002", "BUSY", message="In a meeting")'


def test_reserve_move_the_clock_and_be_refused(open_notebook: OpenNotebook) -> None:
    page = open_notebook(SETUP, 'svc.explore("statuses")')
    head = page.get_by_role("region", name="Statuses", exact=True)
    user = head.get_by_role("combobox", name="User")
    user.fill("u-003")
    user.press("Enter")
    head.get_by_role("button", name="Set a status…").click()
    form = page.get_by_role("region", name="Set status of u-003")
    form.get_by_role("combobox", name="Profile status ID").select_option("AWAY")
    form.get_by_label("Start", exact=True).fill("2026-06-01T13:00")  # in the zone of the clock
    form.get_by_label("End", exact=True).fill("2026-06-01T15:00")
    form.get_by_role("button", name="Set the status").click()
    reserved, current = (
        head.get_by_role("region", name="Reserved"),
        head.get_by_role("region", name="Current"),
    )
    expect(reserved).to_contain_text("in 4 h")
    expect(current).to_contain_text("none")
    expect(page.get_by_role("grid", name="All statuses").get_by_role("row", name="u-003")).to_be_visible()
    head.get_by_role("button", name="Move the clock there").click()
    expect(current).to_contain_text("Away (AWAY)")
    expect(reserved).to_contain_text("none")
    expect(head.get_by_role("img", name="Timeline")).to_contain_text("now")

    execute(page, "svc.fake.settings.profile_status_enabled = False")
    form.get_by_role("combobox", name="Profile status ID").select_option("BUSY")
    form.get_by_role("button", name="Set the status").click()
    expect(form.get_by_role("alert")).to_contain_text("The status must be enable")

    user.fill("u-002")
    head.get_by_role("button", name="Show", exact=True).click()
    expect(page.get_by_role("region", name="Set status of u-002")).to_be_visible()
    expect(current).to_contain_text("In a meeting")

"""The explorers of the rules and of a fake as people use them: by mouse and by keyboard, with nothing run."""

from playwright.sync_api import expect

from .conftest import OpenNotebook

SETUP = """
import svckit

svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
svc.notify("Build is green", title="CI")
EVIL = "<img src=x onerror='window.__xss=1'>"
panel = svc.explore("{}")
"""


def test_an_alternative_is_switched_and_swept(open_notebook: OpenNotebook) -> None:
    page = open_notebook(SETUP.format("rules"), "panel")
    rules = page.get_by_role("region", name="Selected rule")
    search = page.get_by_role("searchbox", name="Search Rules")
    search.fill("user.addressing")
    row = page.get_by_role("grid", name="Rules").locator("tbody tr")
    expect(row).to_have_count(1)
    row.press("Enter")
    chosen = rules.get_by_role("combobox", name="Chosen for this fake")
    chosen.focus()
    chosen.select_option("me")
    expect(rules.get_by_text("user.addressing is now me; it was id-email-key.")).to_be_visible()
    expect(row).to_contain_text("me")
    expect(chosen).to_be_focused()
    rules.get_by_text("Code", exact=True).click()
    expect(rules.get_by_label("Python", exact=True)).to_have_text(
        'svc.fake.rules.choose({"user.addressing": "me"})'
    )

    rules.get_by_text("Sweep a check…", exact=True).click()
    rules.get_by_role("combobox", name="Check").select_option("read")
    rules.get_by_role("button", name="Sweep").press("Enter")
    expect(
        rules.get_by_text("Read a user by e-mail address: 2 alternatives tried, 1 broke it")
    ).to_be_visible()
    outcomes = rules.get_by_role("grid", name="Outcomes").locator("tbody tr")
    expect(outcomes).to_have_count(2)
    expect(outcomes.last).to_contain_text("NotFound")
    expect(rules.get_by_role("button", name="Sweep")).to_be_focused()
    search.fill("")
    expect(row).to_have_count(5)
    row.first.click()
    expect(rules.get_by_role("heading", name="api.bearer")).to_be_visible()
    expect(chosen).to_have_count(0)
    outcomes.first.press("Enter")
    expect(rules.get_by_role("heading", name="user.addressing")).to_be_visible()


def test_a_fake_is_filled_by_keyboard(open_notebook: OpenNotebook) -> None:
    page = open_notebook(SETUP.format("fake"), "panel")
    evil = "<img src=x onerror='window.__xss=1'>"
    fake = page.get_by_role("region", name="Fake")
    parts = fake.get_by_role("tablist", name="Parts of the fake")
    done = fake.get_by_role("status").first

    fake.get_by_text("New user…", exact=True).press("Enter")
    fake.get_by_role("combobox", name="State").select_option("on leave")
    fake.get_by_role("textbox", name="Name", exact=True).fill(evil)
    fake.get_by_role("textbox", name="Name", exact=True).press("Tab")
    page.keyboard.press("Tab")  # over the ID
    page.keyboard.press("Tab")  # over the e-mail address
    page.keyboard.press("Enter")
    expect(done).to_have_text("Added new-1, who is on leave.")
    expect(fake.get_by_role("button", name="Add user")).to_be_focused()
    fake.get_by_role("combobox", name="Show").select_option("on leave")
    listed = fake.get_by_role("grid", name="Listed users").locator("tbody tr")
    expect(listed).to_have_count(1)
    expect(listed).to_contain_text("<img")
    listed.press("Enter")  # nothing happens

    parts.get_by_role("tab", name="People").press("ArrowRight")
    page.keyboard.press("Enter")
    expect(fake.get_by_role("tabpanel", name="Rooms and bots")).to_be_visible()
    expect(fake.get_by_role("list", name="Messages of channel-1: 1")).to_contain_text("CI: Build is green")

    assert page.locator(".svckit :is(img, script)").count() == 0
    assert page.evaluate("window.__xss") is None


def test_a_fake_is_shaped_and_reset_by_keyboard(open_notebook: OpenNotebook) -> None:
    page = open_notebook(SETUP.format("fake"), "panel")
    fake = page.get_by_role("region", name="Fake")
    parts = fake.get_by_role("tablist", name="Parts of the fake")
    done = fake.get_by_role("status").first
    parts.get_by_role("tab", name="Stubs").press("Enter")
    expect(fake.get_by_text("No stubs yet.")).to_be_visible()
    fake.get_by_text("Add or edit a stub…").press("Enter")
    fake.get_by_role("textbox", name="Path").fill("/groups")
    fake.get_by_role("button", name="Add stub").press("Enter")
    expect(done).to_have_text("Added the stub GET /groups.")
    fake.get_by_role("button", name="Edit GET /groups").press("Enter")
    expect(fake.get_by_role("combobox", name="Method")).to_be_focused()
    fake.get_by_role("textbox", name="Status").fill("503")
    fake.get_by_role("button", name="Save stub").press("Enter")
    expect(done).to_have_text("Saved the stub GET /groups.")
    expect(fake.get_by_role("list", name="Stubs")).to_contain_text("503, used 0 times")
    fake.get_by_role("button", name="Remove GET /groups").press("Enter")
    expect(done).to_have_text("Removed the stub GET /groups.")
    expect(fake.get_by_text("Add or edit a stub…")).to_be_focused()

    parts.get_by_role("tab", name="Deviations").press("Enter")
    stored = fake.get_by_role("combobox", name="file.stored")
    stored.focus()
    stored.select_option("200")
    expect(done).to_have_text("The deviation file.stored is now 200.")
    expect(stored).to_be_focused()

    parts.get_by_role("tab", name="Snapshots").press("Enter")
    fake.get_by_role("button", name="Reset").press("Enter")
    expect(done).to_contain_text("Reset to the start")
    fake.get_by_role("button", name="Restore before reset").press("Enter")
    expect(done).to_have_text("Restored the snapshot before reset, and signed in again.")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_request_leads_to_a_fault_like_it_and_to_its_stub(open_notebook: OpenNotebook) -> None:
    call = "import contextlib\nwith contextlib.suppress(svckit.errors.NotFound):\n    svc.request('GET', '/groups')"
    page = open_notebook(SETUP.format("traffic"), call, "panel")
    traffic = page.get_by_role("region", name="Traffic")
    rows = traffic.get_by_role("grid", name="Requests").locator("tbody tr")
    rows.filter(has_text="/message/").click()
    traffic.get_by_role("button", name="Inject a fault like this…").press("Enter")
    time = page.get_by_role("region", name="Time")
    expect(time.get_by_role("combobox", name="Kind of fault")).to_be_focused()
    expect(time.get_by_role("combobox", name="Operation, path")).to_have_value("notifications.post")
    time.get_by_role("button", name="Inject", exact=True).press("Enter")
    expect(time.get_by_role("list", name="Faults")).to_contain_text("status 503 for notifications.post")

    page.get_by_role("tab", name="Traffic").click()
    rows.last.click()
    traffic.get_by_role("button", name="Stub this…").press("Enter")
    fake = page.get_by_role("region", name="Fake")
    expect(fake.get_by_role("combobox", name="Method")).to_be_focused()
    expect(fake.get_by_role("textbox", name="Path")).to_have_value("/groups")
    fake.get_by_role("button", name="Add stub").press("Enter")
    expect(fake.get_by_role("list", name="Stubs")).to_contain_text("GET /groups: 200, used 0 times")

"""The explorers of the rules and of a fake as people use them: by mouse and by keyboard, with nothing run."""

from playwright.sync_api import expect

from .conftest import CONNECT, OpenNotebook

SETUP = CONNECT + 'sent = svc.notify("Build is green", title="CI")'


def test_an_alternative_is_switched_and_swept(open_notebook: OpenNotebook) -> None:
    page = open_notebook(SETUP, 'svc.explore("rules")')
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
    page = open_notebook(SETUP, 'svc.explore("fake")')
    fake = page.get_by_role("region", name="Fake")
    parts = fake.get_by_role("tablist", name="Parts of the fake")
    done = fake.get_by_role("status").first

    fake.get_by_text("New user…", exact=True).press("Enter")
    fake.get_by_role("combobox", name="State").select_option("on leave")
    fake.get_by_role("textbox", name="Name", exact=True).fill("Sato Mina")
    for _ in range(3):  # over the ID and the e-mail address
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(done).to_have_text("Added new-1, who is on leave.")
    expect(fake.get_by_role("button", name="Add user")).to_be_focused()
    fake.get_by_role("combobox", name="Show").select_option("on leave")
    listed = fake.get_by_role("grid", name="Listed users").locator("tbody tr")
    expect(listed).to_have_count(1)
    listed.press("Enter")  # nothing happens

    parts.get_by_role("tab", name="People").press("ArrowRight")
    page.keyboard.press("Enter")
    expect(fake.get_by_role("list", name="Messages of channel-1: 1")).to_contain_text("CI: Build is green")

    parts.get_by_role("tab", name="Stubs").press("Enter")
    fake.get_by_text("Add or edit a stub…").press("Enter")
    fake.get_by_role("textbox", name="Path").fill("/groups")
    fake.get_by_role("button", name="Add stub").press("Enter")
    fake.get_by_role("button", name="Edit GET /groups").press("Enter")
    expect(fake.get_by_role("combobox", name="Method")).to_be_focused()
    fake.get_by_role("button", name="Remove GET /groups").press("Enter")
    expect(done).to_have_text("Removed the stub GET /groups.")
    expect(fake.get_by_text("Add or edit a stub…")).to_be_focused()
    expect(page.get_by_role("alert")).to_have_count(0)

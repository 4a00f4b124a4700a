"""Forms as people use them: counters and errors as one types, lists, what would be sent, asking before what is real."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from .conftest import TakePicture

OpenNotebook = Callable[..., Page]

# What the second form talks to is the fake too, but it takes it for a real service.
SETUP = """
from dataclasses import replace
import svckit
from svckit.profiles.credentials import Credentials
from svckit.session.session import Session
from svckit.widgets import StatusForm, UserForm

EVIL = "<img src=x onerror='window.__xss=1'>"
svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
svc.users.update("u-001", task=EVIL, location=EVIL, custom_fields=[{"custom_field_id": EVIL, "value": EVIL}])
real = Session(replace(svc.profile, name="work", is_fake=False), Credentials.from_facts(svc.fake.facts),
               transport=svc.fake.transport()).sign_in()
"""
USER = 'form = UserForm(svc, "u-001")\nform'
STATUS = 'status = StatusForm(real, "u-001")\nstatus'


def test_changing_a_user(open_notebook: OpenNotebook) -> None:
    page = open_notebook(SETUP, USER)
    form = page.get_by_role("region", name="Change user u-001")
    nick = form.get_by_role("textbox", name="Nick name")
    nick.fill("🍡" * 101)
    line = form.locator(".svckit-line", has=page.get_by_role("textbox", name="Nick name"))
    expect(line.locator(".svckit-counter")).to_have_text("101 / 100")
    expect(line.locator(".svckit-problem")).to_contain_text("Nick name must have at most 100 characters")
    expect(nick).to_have_attribute("aria-invalid", "true")
    expect(form.get_by_role("button", name="Change the user")).to_have_attribute("aria-disabled", "true")
    form.get_by_role("textbox", name="Employee number").focus()
    form.get_by_role("list", name="To correct").get_by_role("button", name="Nick name").click()
    expect(nick).to_be_focused()
    nick.press("End")
    nick.press("Backspace")
    expect(form.get_by_role("list", name="To correct")).to_be_hidden()
    expect(line.locator(".svckit-problem")).to_be_hidden()
    expect(line.locator(".svckit-counter")).to_have_text("100 / 100")
    expect(form.get_by_role("combobox", name="Nick name: what to do")).to_have_value("set")
    nick.fill("Mina")

    form.get_by_role("combobox", name="Task: what to do").select_option("clear")
    body = form.get_by_label("JSON that will be sent")
    expect(body).to_have_text('{\n  "nickName": "Mina",\n  "task": null\n}')
    form.get_by_role("combobox", name="Custom fields: what to do").select_option("set")
    expect(form.get_by_role("textbox", name="Custom field 1, Value")).to_have_value(
        "<img src=x onerror='window.__xss=1'>"
    )
    form.get_by_role("button", name="Add Alias emails").click()
    form.get_by_role("textbox", name="Alias email 2").press_sequentially("m@example.com")
    expect(body).to_contain_text('"m@example.com"')
    expect(form.get_by_role("textbox", name="Alias email 2")).to_be_focused()
    expect(form.get_by_label("The request as curl")).to_contain_text("$ACCESS_TOKEN")

    form.get_by_role("button", name="Change the user").click()
    expect(form.get_by_role("status").first).to_have_text(
        "Sent: Nick name, Alias emails, Task, Custom fields of u-001"
    )
    expect(line.locator(".svckit-current")).to_have_text("Now: Mina")
    expect(nick).to_have_value("")
    unnamed = "e => [...e.querySelectorAll('input, select, textarea')].filter(c => !c.ariaLabel).length"
    assert form.evaluate(unnamed) == 0
    assert page.locator(".svckit img").count() == 0
    assert page.evaluate("window.__xss") is None


def test_asking_before_what_is_real(open_notebook: OpenNotebook) -> None:
    page = open_notebook(SETUP, STATUS)
    form = page.get_by_role("region", name="Set status of u-001")
    form.get_by_role("combobox", name="Profile status ID").select_option("BUSY")
    form.get_by_role("textbox", name="Message").fill("in a meeting")
    form.get_by_role("button", name="Set the status").click()
    expect(form.get_by_text("which is REAL")).to_be_visible()
    expect(form.get_by_role("button", name="Cancel")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(form.get_by_role("status").first).to_have_text("Sent: BUSY of u-001, PRESENT")


def test_screenshots(theme: str, take_picture: TakePicture, open_notebook: OpenNotebook) -> None:
    look = (
        'form.enter("nick_name", "x" * 101); form.set_state("task", "clear"); form.set_state("organizations", "set"); '
        'form.enter("hired_date", "2026-06-01"); form.enter("locale", "ja_JP")'
    )
    page = open_notebook(SETUP, USER, look, theme=theme)
    form = page.get_by_role("region", name="Change user u-001")
    expect(form.locator(".svckit-problem").filter(has_text="at most 100")).to_be_attached()
    form.get_by_role("textbox", name="Nick name").scroll_into_view_if_needed()
    take_picture("form-user-wrong")
    form.get_by_role("textbox", name="Nick name").fill("Mina")
    expect(form.get_by_label("JSON that will be sent")).to_contain_text("Mina")
    form.get_by_role("textbox", name="Organization 1, Level ID").scroll_into_view_if_needed()
    take_picture("form-user")
    page = open_notebook(
        SETUP, STATUS, 'status.enter("profile_status_id", "AWAY"); status.submit()', theme=theme
    )
    expect(page.get_by_text("which is REAL")).to_be_visible()
    take_picture("form-status")

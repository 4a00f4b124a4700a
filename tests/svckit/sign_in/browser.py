"""A browser with a person at it, as a program: ``BROWSER="python browser.py %s"``."""

import os
import sys
from html.parser import HTMLParser

import httpx


class Form(HTMLParser):
    """The login form of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.action = ""
        self.fields: dict[str, str] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.action = given["action"]
        elif tag == "input":
            self.fields[given["name"]] = given.get("value", "")


def log_in(address: str, login_id: str, password: str, http: httpx.Client) -> str:
    """Do what a person does at the login screen; return where the browser is led."""
    form = Form(http.get(address).raise_for_status().text)
    response = http.post(form.action, data={**form.fields, "login_id": login_id, "password": password})
    assert response.status_code == 302, response.text
    return response.headers["location"]


if __name__ == "__main__":
    with httpx.Client(trust_env=False, timeout=60) as http:
        led_to = log_in(sys.argv[1], os.environ["LOGIN_ID"], os.environ["PASSWORD"], http)
        http.get(led_to).raise_for_status()

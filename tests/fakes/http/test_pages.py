"""The fake's own pages: the login page, and the page of an error."""

import httpx

from fakes import FakeService
from svckit.display.page_reader import PageReader

AUTHORIZE = "/oauth2/v2.0/authorize"


def open_login(fake: FakeService, http: httpx.Client) -> httpx.Response:
    names = ("client_id", "redirect_uri")
    query = {"scope": "user", "response_type": "code", "state": "s-1"}
    query |= {name: fake.facts[name] for name in names}
    return http.get(fake.facts["auth_url"] + AUTHORIZE, params=query)


def test_after_a_wrong_password_going_back_and_trying_again_works() -> None:
    fake = FakeService.sample()
    url = fake.facts["auth_url"] + AUTHORIZE
    with httpx.Client(transport=fake.transport()) as http:
        form = PageReader.of(open_login(fake, http).text).fields | {"login_id": fake.facts["login_id"]}
        wrong = http.post(url, data=form | {"password": "wrong"})
        right = http.post(url, data=form | {"password": str(fake.facts["password"])})
    assert (wrong.status_code, "Go back and try again." in wrong.text) == (401, True)
    assert right.status_code == 302


def test_a_page_has_no_icon_for_a_browser_to_fetch() -> None:
    fake = FakeService.sample()
    with httpx.Client(transport=fake.transport()) as http:
        for page in (open_login(fake, http), http.get(fake.facts["auth_url"] + AUTHORIZE)):
            assert '<link rel="icon" href="data:,">' in page.text

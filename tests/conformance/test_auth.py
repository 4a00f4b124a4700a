"""The authorization request, the login screen, and the redirect back to the application."""

from urllib.parse import urljoin, urlsplit

import pytest

from .cases import TOKEN_ERRORS, assumed, case, documented, every_door, safe
from .target import FAILED_LOGIN, Form, bearer, query

REDIRECTS = (302, 303)
REQUIRED = ("client_id", "redirect_uri", "scope", "response_type", "state")


def refuses_login(target, login_id=None, password="wrong", status=FAILED_LOGIN):
    form, action = target.login_form()
    sent = form.hidden | {"login_id": login_id or target.facts["login_id"], "password": password}
    return target.refuses("POST", action, status, data=sent)


def is_error_screen(answer):
    """An HTML page that is neither a redirect nor a login screen."""
    html = answer.headers["Content-Type"].startswith("text/html")
    return html and "Location" not in answer.headers and "password" not in Form(answer.text).inputs


@every_door
@documented("auth.login-screen")
@assumed("login form")
def test_authorization_returns_a_login_screen(target):
    answer = target.http.get(target.authorize_url, params=target.authorization())
    form = Form(answer.text)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("text/html")
    assert form.method == "post"
    assert {"login_id", "password"} <= set(form.inputs)


@every_door
@documented("auth.redirect")
def test_login_redirects_to_the_application_with_code_and_state(target):
    answer = target.log_in(state="s-42")
    assert answer.status_code in REDIRECTS
    location = answer.headers["Location"]
    assert location.partition("?")[0] == target.facts["redirect_uri"]
    assert set(query(location)) == {"code", "state"}
    assert query(location)["state"] == "s-42"


@assumed("auth.redirect-status")
def test_status_of_the_redirect(target):
    assert target.log_in().status_code == 302


@safe
@documented("auth.login-screen")
def test_authorization_returns_a_page(target):
    """A login screen; what is on it is not shown."""
    answer = target.http.get(target.authorize_url, params=target.authorization())
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("text/html")


STATES = (
    case("x", id="one character"),
    case("a b+c", id="blank and plus"),
    case("a&b=c&code=forged", id="separators"),
    case("100%25#frag?x", id="percent and fragment", marks=every_door),
    case("状態 – ñ 🙂", id="Unicode", marks=every_door),
    case("\"'<script>alert(1)</script>", id="markup"),
    case("a\r\nLocation: https://evil.example", id="line break", marks=every_door),
    case("s" * 1000, id="long"),
)


@documented("auth.redirect")
@pytest.mark.parametrize("state", STATES)
def test_state_is_echoed_exactly(target, state):
    assert query(target.log_in(state=state).headers["Location"])["state"] == state


@safe
@documented("auth.parameters")
@assumed("auth.request-refused")
@pytest.mark.parametrize("value", [case(None, id="missing"), case("", id="empty")])
@pytest.mark.parametrize("name", REQUIRED)
def test_each_required_parameter(target, name, value):
    answer = target.refuses("GET", target.authorize_url, 400, params=target.authorization(**{name: value}))
    assert is_error_screen(answer)


WRONG = (
    case("scope", ", ,", id="scope of separators alone"),
    case("client_id", "client-none", id="unknown client"),
    case("response_type", "token", id="response type token"),
    case("response_type", "CODE", id="response type in capitals"),
    case("redirect_uri", "https://evil.example/callback", id="other redirect"),
    case("redirect_uri", "{registered}/more", id="redirect with more path"),
    case("redirect_uri", "{registered}?next=https://evil.example", id="redirect with a query"),
    case("redirect_uri", "{registered}@evil.example", id="redirect with another host"),
    case("redirect_uri", "{registered}#x", id="redirect with a fragment"),
    case("redirect_uri", "//evil.example", id="redirect without a scheme"),
    case("redirect_uri", "javascript:alert(1)", id="redirect to a script"),
    case("domain", "nowhere", id="unknown domain"),
)


@safe
@documented("auth.parameters")
@assumed("auth.request-refused")
@pytest.mark.parametrize(("name", "value"), WRONG)
def test_wrong_parameter_never_redirects(target, name, value):
    wrong = value.replace("{registered}", target.facts["redirect_uri"])
    answer = target.refuses("GET", target.authorize_url, 400, params=target.authorization(**{name: wrong}))
    assert is_error_screen(answer)


@assumed("auth.request-refused")
@pytest.mark.parametrize("name", ["client_id", "redirect_uri", "response_type", "domain"])
def test_error_screen_escapes_what_it_was_given(target, name):
    markup = "<script>alert(1)</script>"
    answer = target.refuses("GET", target.authorize_url, 400, params=target.authorization(**{name: markup}))
    assert "<script>alert" not in answer.text


@documented("auth.login-screen")
def test_login_screen_escapes_what_it_was_given(target):
    markup = '"><script>alert(1)</script>'
    page = target.http.get(target.authorize_url, params=target.authorization(scope=markup, state=markup)).text
    assert "<script>alert" not in page


SCOPES = (
    case("user", id="one"),
    case("user,file", id="two by comma"),
    case("user file", id="two by blank", marks=assumed("auth.scope-separator")),
    case("no.such:scope-name", id="unknown name", marks=assumed("api.scope")),
)


@documented("token.issued")
@pytest.mark.parametrize("scope", SCOPES)
def test_scopes_asked_for_are_those_of_the_token(target, scope):
    granted = target.tokens(scope=scope)["scope"]
    assert set(granted.replace(",", " ").split()) == set(scope.replace(",", " ").split())


FAILED_LOGINS = (
    case({"password": "wrong"}, id="wrong password"),
    case({"password": ""}, id="empty password"),
    case({"login_id": "nobody@example.com"}, id="unknown login ID"),
    case({"login_id": ""}, id="empty login ID"),
    case({"login_id": None}, id="no login ID"),
    case({"password": None}, id="no password"),
    case({"login_id": "' OR '1'='1"}, id="injection"),
    case({"login_id": "<script>alert(1)</script>"}, id="markup"),
)


@documented("auth.failure-screen")
@pytest.mark.parametrize("wrong", FAILED_LOGINS)
def test_failed_login_shows_an_error_screen_and_does_not_redirect(target, wrong):
    form, action = target.login_form()
    right = {"login_id": target.facts["login_id"], "password": target.facts["password"]}
    sent = {name: value for name, value in (form.hidden | right | wrong).items() if value is not None}
    answer = target.refuses("POST", action, FAILED_LOGIN, data=sent)
    assert is_error_screen(answer)
    assert "<script>alert" not in answer.text


@assumed("auth.failure-status")
def test_status_of_a_failed_login(target):
    refuses_login(target, status=401)


@assumed("auth.login-id-case")
def test_login_id_in_capitals(target):
    assert target.log_in(target.facts["login_id"].upper()).status_code in REDIRECTS


@documented("auth.failure-screen")
def test_another_users_password_is_a_failed_login(target):
    assert is_error_screen(refuses_login(target, password=target.password("u-002")))


@documented("auth.failure-screen")
@assumed("auth.screen-reuse")
def test_login_screen_still_works_after_a_failed_login(target):
    form, action = target.login_form()
    login = {"login_id": target.facts["login_id"]}
    target.refuses("POST", action, FAILED_LOGIN, data=form.hidden | login | {"password": "wrong"})
    answer = target.http.post(action, data=form.hidden | login | {"password": target.facts["password"]})
    assert answer.status_code in REDIRECTS


@assumed("auth.request-refused")
@pytest.mark.parametrize("tamper", [str.upper, lambda value: value[:-1], lambda value: "", lambda value: "x"])
def test_form_without_its_own_hidden_fields_is_refused(target, tamper):
    form, action = target.login_form()
    credentials = {"login_id": target.facts["login_id"], "password": target.facts["password"]}
    hidden = {name: tamper(value) for name, value in form.hidden.items()}
    assert is_error_screen(target.refuses("POST", action, 400, data=hidden | credentials))


@documented("auth.login-screen")
def test_form_cannot_send_the_browser_elsewhere(target):
    form, action = target.login_form()
    evil = {"redirect_uri": "https://evil.example", "state": "forged", "client_id": "client-none"}
    sent = form.hidden | evil | {"login_id": target.facts["login_id"], "password": target.facts["password"]}
    location = target.http.post(action, data=sent).headers["Location"]
    assert location.partition("?")[0] == target.facts["redirect_uri"]
    assert query(location)["state"] == "s-1"


@documented("auth.login-screen")
def test_login_form_posts_to_the_authorization_server(target):
    form, _ = target.login_form()
    action = urlsplit(urljoin(target.authorize_url, form.action))
    assert action.netloc == urlsplit(target.facts["auth_url"]).netloc


@documented("auth.redirect")
def test_each_login_gives_another_code(target):
    assert len({target.code() for _ in range(5)}) == 5


@assumed("auth.inactive-user")
def test_suspended_user_cannot_log_in(target):
    url = target.api("/users/u-017")
    user = target.http.patch(url, json={}, headers=target.signed_in()).json()
    assert user["isSuspended"] is True
    assert is_error_screen(refuses_login(target, user["email"], target.password("u-017")))


@documented("auth.failure-screen")
def test_login_id_is_the_email(target):
    me = target.signed_in()
    url = target.api("/users/u-002")
    old = target.http.patch(url, json={}, headers=me).json()["email"]
    target.http.patch(url, json={"email": "new.address@example.com"}, headers=me)
    password = target.password("u-002")
    assert target.log_in("new.address@example.com", password).status_code in REDIRECTS
    refuses_login(target, old, password)


# -- single sign-on ---------------------------------------------------------------------------------------------


@documented("auth.domain-under-sso")
def test_domain_is_optional_without_single_sign_on(target):
    assert target.log_in().status_code in REDIRECTS
    assert target.log_in(domain=target.domain()["domainName"]).status_code in REDIRECTS


@documented("auth.domain-under-sso")
@assumed("auth.request-refused")
@pytest.mark.parametrize(
    "domain", [case(None, id="missing"), case("", id="empty"), case("nowhere", id="wrong")]
)
def test_single_sign_on_requires_domain_in_the_authorization_request(target, domain):
    target.set_domain(singleSignOn=True)
    answer = target.refuses("GET", target.authorize_url, 400, params=target.authorization(domain=domain))
    assert is_error_screen(answer)


@documented("auth.domain-under-sso")
def test_single_sign_on_with_domain_in_both_requests(target):
    target.set_domain(singleSignOn=True)
    name = target.domain()["domainName"]
    form = target.exchange_form(target.code(domain=name), domain=name)
    assert target.http.post(target.token_url, data=form).status_code == 200


@documented("auth.domain-under-sso")
@assumed(*TOKEN_ERRORS)
@pytest.mark.parametrize(
    "domain", [case(None, id="missing"), case("", id="empty"), case("nowhere", id="wrong")]
)
def test_single_sign_on_requires_domain_in_the_issuance_request(target, domain):
    target.set_domain(singleSignOn=True)
    name = target.domain()["domainName"]
    code = target.code(domain=name)
    target.refuses("POST", target.token_url, 400, data=target.exchange_form(code, domain=domain))
    assert target.http.post(target.token_url, data=target.exchange_form(code, domain=name)).status_code == 200


@assumed("auth.domain-name", *TOKEN_ERRORS)
def test_domain_that_is_sent_must_be_this_one(target):
    code = target.code()
    target.refuses("POST", target.token_url, 400, data=target.exchange_form(code, domain="nowhere"))
    assert target.http.post(target.token_url, data=target.exchange_form(code)).status_code == 200


@documented("auth.domain-under-sso")
def test_refresh_needs_no_domain_under_single_sign_on(target):
    refresh_token = target.tokens()["refresh_token"]
    target.set_domain(singleSignOn=True)
    answer = target.http.post(target.token_url, data=target.refresh_form(refresh_token))
    assert answer.status_code == 200


@every_door
@documented("api.bearer")
def test_from_login_to_a_resource_call(target):
    tokens = target.tokens()
    call = target.api(f"/users/{target.facts['user_id']}")
    answer = target.http.patch(call, json={}, headers=bearer(tokens["access_token"]))
    assert answer.json()["email"] == target.facts["login_id"]

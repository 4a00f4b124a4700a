"""Authorization codes, access tokens and refresh tokens, in any order and at any time."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from hypothesis import strategies as st
from hypothesis.stateful import Bundle, initialize, multiple, rule, run_state_machine_as_test

from .lockstep import SEARCH, USERS, Lockstep, query

CODE, ACCESS, REFRESH = timedelta(minutes=10), timedelta(hours=24), timedelta(days=90)
LIFETIMES = {"code": CODE, "access": ACCESS, "refresh": REFRESH}

DOMAIN = "example"
DOMAINS = st.sampled_from([None, DOMAIN, DOMAIN, "elsewhere"])
STATES = st.text(st.characters(codec="utf-8"), min_size=1, max_size=5)
WRONG_REQUESTS = [
    *({name: None} for name in ("client_id", "redirect_uri", "scope", "response_type", "state")),
    {"client_id": "another"},
    {"redirect_uri": "https://another.example/callback"},
    {"response_type": "token"},
]
WRONG_CLIENTS = [
    ({"client_id": "another"}, "invalid_client"),
    ({"client_secret": "wrong"}, "invalid_client"),
    ({"client_id": None}, "invalid_request"),
    ({"client_secret": None}, "invalid_request"),
    ({"grant_type": None}, "invalid_request"),
    ({"grant_type": "password"}, "unsupported_grant_type"),
]
RIGHT = ({}, None)
EXCHANGES = [
    *[RIGHT] * 10,
    *WRONG_CLIENTS,
    ({"code": None}, "invalid_request"),
    ({"redirect_uri": "https://another.example/callback"}, "invalid_grant"),
]
REFRESHES = [*[RIGHT] * 10, *WRONG_CLIENTS, ({"refresh_token": None}, "invalid_request")]


@dataclass
class Issued:
    """A code or a token."""

    kind: str
    text: str
    scope: str
    at: datetime
    used: bool = False


@dataclass
class Screen:
    """A login screen."""

    page: str
    scope: str
    state: str
    used: bool = False


class Credentials(Lockstep):
    screens, credentials = Bundle("screens"), Bundle("credentials")

    def __init__(self):
        super().__init__()
        self.single_sign_on = False
        self.issued = set()

    @initialize(target=credentials)
    def begin(self):
        code, exchanged = (
            self.log_in_rightly(self.ask("user", "s-1", DOMAIN, {}), USERS[0]) for _ in range(2)
        )
        return multiple(code, exchanged, *self.exchange(exchanged, RIGHT, DOMAIN).values)

    def issue(self, kind, text, scope):
        """A credential, which was never issued before."""
        assert text not in self.issued
        self.issued.add(text)
        return Issued(kind, text, scope, self.now)

    def domain_fits(self, domain):
        return domain == DOMAIN or (domain is None and not self.single_sign_on)

    @rule(minutes=st.sampled_from([1, 4, 15 * 60]))
    def wait(self, minutes):
        self.pass_time(timedelta(minutes=minutes))

    @rule(target=credentials, credential=credentials, seconds=st.integers(-1, 1))
    def present_about_its_end(self, credential, seconds):
        """Use a credential for what it is, just before, at or just after the end of its lifetime."""
        then = credential.at + LIFETIMES[credential.kind] + timedelta(seconds=seconds)
        if then < self.now:
            return multiple()
        self.pass_time(then - self.now)
        if credential.kind == "code":
            return self.exchange(credential, RIGHT, DOMAIN)
        if credential.kind == "refresh":
            return self.refresh(credential, RIGHT)
        self.use(credential)
        return multiple()

    @rule(on=st.booleans())
    def switch_single_sign_on(self, on):
        self.single_sign_on = on
        self.both(lambda fake: setattr(fake.settings, "single_sign_on", on))

    @rule(
        target=screens,
        scope=st.sampled_from(["user", "user,file"]),
        state=STATES,
        domain=DOMAINS,
        wrong=st.sampled_from([{}] * 20 + WRONG_REQUESTS),
    )
    def ask(self, scope, state, domain, wrong):
        answer = self.authorization(**{"scope": scope, "state": state, "domain": domain} | wrong)
        if wrong or not self.domain_fits(domain):
            assert_error_screen(answer)
            return multiple()
        assert answer.status_code == 200
        return Screen(answer.text, scope, state)

    @rule(target=credentials, screen=screens, user_id=st.sampled_from(USERS))
    def log_in_rightly(self, screen, user_id):
        answer = self.log_in(screen.page, *self.account(user_id))
        if screen.used:
            assert_error_screen(answer)
            return multiple()
        screen.used = True
        assert answer.status_code == 302
        assert answer.headers["Location"].startswith(self.facts["redirect_uri"] + "?")
        parameters = query(answer)
        assert parameters == {"code": parameters["code"], "state": screen.state}
        return self.issue("code", parameters["code"], screen.scope)

    @rule(screen=screens, user_id=st.sampled_from(USERS), other=st.sampled_from(USERS))
    def log_in_wrongly(self, screen, user_id, other):
        """As nobody, or with the password of another."""
        login_id, password = self.account(user_id)[0], self.account(other)[1]
        assert_error_screen(self.log_in(screen.page, login_id if user_id != other else "nobody", password))

    @rule(target=credentials, credential=credentials, change=st.sampled_from(EXCHANGES), domain=DOMAINS)
    def exchange(self, credential, change, domain):
        form, wrong = change
        answer = self.token(
            **{"grant_type": "authorization_code", "code": credential.text, "domain": domain} | form
        )
        errors = {wrong} - {None}
        if not self.domain_fits(domain):
            errors.add("invalid_request")
        if credential.kind != "code" or credential.used or self.now - credential.at > CODE:
            errors.add("invalid_grant")
        if errors:
            assert_error(answer, errors)
            return multiple()
        credential.used = True
        tokens = answer.json()
        assert_token_set(answer, credential.scope, refreshable=True)
        return multiple(
            self.issue("access", tokens["access_token"], credential.scope),
            self.issue("refresh", tokens["refresh_token"], credential.scope),
        )

    @rule(target=credentials, credential=credentials, change=st.sampled_from(REFRESHES))
    def refresh(self, credential, change):
        form, wrong = change
        answer = self.token(**{"grant_type": "refresh_token", "refresh_token": credential.text} | form)
        errors = {wrong} - {None}
        if credential.kind != "refresh" or self.now - credential.at > REFRESH:
            errors.add("invalid_grant")
        if errors:
            assert_error(answer, errors)
            return multiple()
        assert_token_set(answer, credential.scope, refreshable=False)
        return self.issue("access", answer.json()["access_token"], credential.scope)

    @rule(credential=credentials)
    def use(self, credential):
        header = {"Authorization": f"Bearer {credential.text}"}
        answer = self.call("PATCH", "/users/u-001", json={}, headers=header)
        valid = credential.kind == "access" and self.now - credential.at < ACCESS
        assert answer.status_code == (200 if valid else 401)


def assert_error_screen(answer):
    assert answer.status_code in (400, 401)
    assert "Location" not in answer.headers
    assert answer.headers["Content-Type"].startswith("text/html")


def assert_error(answer, errors):
    assert answer.status_code in (400, 401)
    assert answer.json()["error"] in errors


def assert_token_set(answer, scope, *, refreshable):
    assert answer.status_code == 200
    tokens = answer.json()
    assert ("refresh_token" in tokens) == refreshable
    essentials = {"scope": scope, "expires_in": str(24 * 60 * 60), "token_type": "Bearer"}
    assert tokens | essentials == tokens


def test_credentials():
    run_state_machine_as_test(Credentials, settings=SEARCH)

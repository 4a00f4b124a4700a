"""For each assumption, a call whose observable outcome depends on it: sign-in, tokens, and calls as such."""

from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

from .caller import Caller
from .scenario import scenario

ORGANIZATION = {"domainId": 10000001, "primary": True}


@scenario("api.unauthorized", {"401": 401, "403": 403})
def made_up_token(me: Caller):
    return me.api("PATCH", "/users/u-001", json={}, headers={"Authorization": "Bearer made-up"})


@scenario("api.bearer-form", {"any-case": [200, 200], "exact": [401, 401]})
def bearer_in_small_letters(me: Caller):
    token = me.bearer["Authorization"].partition(" ")[2]
    forms = (f"bearer {token}", f"Bearer  {token}")
    return [me.api("PATCH", "/users/u-001", json={}, headers={"Authorization": form}) for form in forms]


@scenario("api.bearer-order", {"bearer-last": [404, 413, 401], "bearer-first": [401, 401, 401]})
def calls_without_a_bearer(me: Caller):
    me.bearer = {}
    return [
        me.api("GET", "/users/u-001/mail/vipmailfolders"),
        me.api("PATCH", "/users/u-001", content=bytes(16 * 1024 * 1024 + 1)),
        me.patch(),
    ]


SCOPES = ("user", "file", "user file", "profile")


@scenario(
    "api.scope",
    {"not-needed": [(200, 200)] * 4, "file-and-user": [(200, 403), (403, 200), (200, 200), (403, 403)]},
)
def calls_with_another_scope(me: Caller):
    responses = []
    for scope in SCOPES:
        me.become(scope=scope)
        responses.append((me.patch(), me.ask()))
    return responses


@scenario("api.permission", {"anyone": [200, 302, 302], "self-or-administrator": [403, 403, 403]})
def update_by_another_user(me: Caller):
    me.become("u-002")
    logs = ("/audits/logs/download", "/monitoring/message-contents/download")
    return [me.patch("u-003"), *(me.api("GET", path) for path in logs)]


@scenario(
    "api.error-body", {"code-description": {"code", "description"}, "oauth2": {"error", "error_description"}}
)
def error_body(me: Caller):
    return set(me.patch("nobody").json())


@scenario("api.invalid", {"400": 400, "422": 422})
def beyond_a_limit(me: Caller):
    return me.patch(nickName="x" * 101)


@scenario("api.not-found", {"404": 404, "400": 400})
def status_of_nobody(me: Caller):
    return me.set_status("nobody")


@scenario("api.body-limit", {"413": 413, "400": 400})
def large_body(me: Caller):
    return me.api("PATCH", "/users/u-001", content=bytes(16 * 1024 * 1024 + 1))


@scenario("api.content-type", {"refused": 400, "not-checked": 200})
def json_as_text(me: Caller):
    content_type = {"Content-Type": "text/plain"}
    return me.api("PATCH", "/users/u-001", content=b"{}", headers=content_type)


@scenario("api.extra-fields", {"ignored": 200, "refused": 400})
def unknown_field(me: Caller):
    return me.patch(shoeSize=38)


@scenario("api.duplicate-key", {"last-wins": "Aoi", "refused": None})
def key_sent_twice(me: Caller):
    body = b'{"nickName": "Mina", "nickName": "Aoi"}'
    answer = me.api("PATCH", "/users/u-001", content=body, headers={"Content-Type": "application/json"})
    return answer.json().get("nickName")


@scenario("api.null", {"refused": [400, 400, 400], "as-absent": [200, 200, 200]})
def nulls_that_are_not_described(me: Caller):
    return [
        me.notify(title=None, button=None),
        me.ask(overwrite=None, modifiedTime=None),
        me.set_status(autoReplyMail={"internal": None}),
    ]


@scenario("api.null-optional", {"refused": [400, 400, 400, 400], "as-absent": [200, 200, 200, 400]})
def nulls_in_optional_fields(me: Caller):
    return [
        me.patch(email=None, locale=None, organizations=[ORGANIZATION | {"email": None}]),
        me.ask(overwrite=None, modifiedTime=None),
        me.set_status(autoReplyMail={"internal": None}),
        me.ask(name=None, overwrite=None),
    ]


@scenario("api.query", {"ignored": 200, "refused": 400})
def query_of_an_operation_that_has_none(me: Caller):
    return me.api("PATCH", "/users/u-001?dryRun=true", json={})


@scenario("api.rate-limit", {"none": [200, 200, 200], "per-minute": [200, 200, 429]})
def more_calls_than_a_figure(me: Caller):
    me.fake.settings.api_calls_per_minute = 2
    return [me.patch() for _ in range(3)]


@scenario("api.unmatched", {"404": (404, 404), "501": (501, 501), "405": (404, 405)})
def no_operation(me: Caller):
    return me.api("GET", "/users"), me.api("GET", "/users/u-001")


@scenario("api.unmatched-bearer", {"checked": [401, 401], "not-checked": [404, 404]})
def no_operation_and_no_bearer(me: Caller):
    urls = (me.facts["base_url"] + "/users", me.facts["upload_url"] + "/users")
    return [me.http.get(url) for url in urls]


@scenario("auth.redirect-status", {"302": 302, "303": 303})
def login(me: Caller):
    return me.log_in()


@scenario(
    "auth.screen-reuse",
    {"until-login": [401, 302, 302], "one-attempt": [401, 400, 302], "10-minutes": [401, 302, 400]},
)
def login_screens_that_failed_or_are_old(me: Caller):
    form = {name: me.facts[name] for name in ("login_id", "password")}
    first, second = me.hidden(), me.hidden()
    responses = [me.send_login(first | form | {"password": "wrong"}), me.send_login(first | form)]
    me.fake.clock.advance(minutes=11)
    return [*responses, me.send_login(second | form)]


@scenario("auth.failure-status", {"401": 401, "200": 200})
def wrong_password(me: Caller):
    return me.log_in(password="wrong")


@scenario("auth.request-refused", {"400": 400, "200": 200})
def unknown_client(me: Caller):
    return me.authorize(client_id="stranger")


@scenario("auth.scope-separator", {"comma-or-space": 200, "comma-only": 400})
def scopes_with_a_space(me: Caller):
    return me.authorize(scope="user file")


@scenario("auth.inactive-user", {"refused": 401, "let-in": 302})
def suspended_user_logs_in(me: Caller):
    email = me.fake.directory["u-017"]["email"]
    return me.log_in(email, me.fake.auth.password("u-017"))


@scenario("auth.login-id-case", {"any-case": 302, "exact": 401})
def login_id_in_capitals(me: Caller):
    return me.log_in(me.facts["login_id"].upper())


@scenario("auth.domain-name", {"checked": 400, "ignored": 200})
def other_domain(me: Caller):
    return me.authorize(domain="elsewhere")


@scenario("auth.repeated-parameter", {"first-counts": 200, "refused": 400})
def state_twice(me: Caller):
    return me.authorize(state=["s-1", "s-2"])


@scenario("token.client-bound", {"refused": [400, 400], "not-checked": [200, 200]})
def credentials_of_another_client(me: Caller):
    code, tokens = me.code(), me.exchange().json()
    other = me.fake.auth.register("https://other.example/callback")
    client = {"client_id": other.client_id, "client_secret": other.client_secret}
    return [me.exchange(code, **client), me.refresh(tokens["refresh_token"], **client)]


@scenario("token.redirect-uri", {"checked": 400, "ignored": 200})
def other_redirect(me: Caller):
    return me.exchange(redirect_uri="https://elsewhere.test/")


@scenario(
    "token.error-body",
    {"oauth2": {"error", "error_description"}, "code-description": {"code", "description"}},
)
def token_error_body(me: Caller):
    return set(me.exchange("made-up").json())


@scenario(
    "token.error-status", {"400-or-401": (400, 401), "always-400": (400, 400), "always-401": (401, 401)}
)
def token_error_status(me: Caller):
    return me.exchange("made-up"), me.exchange(client_secret="wrong")


@scenario("token.wrong-secret", {"keeps-code": 200, "burns-code": 400})
def second_try_with_a_code(me: Caller):
    code = me.code()
    me.exchange(code, client_secret="wrong")
    return me.exchange(code)


@scenario(
    "token.client-credentials",
    {
        "refused": (400, "unsupported_grant_type"),
        "issued": (200, ["access_token", "expires_in", "scope", "token_type"], 200),
    },
)
def token_for_a_server(me: Caller):
    answer = me.token(grant_type="client_credentials", scope="user")
    if answer.status_code != 200:
        return answer.status_code, answer.json()["error"]
    me.take(answer.json()["access_token"])
    return answer, sorted(answer.json()), me.patch("u-002")


@scenario("api.ready-stubs", {"respond": [200, 201], "not-described": [404, 404]})
def calls_of_ready_stubs(me: Caller):
    me.fake.stubs.add_file("common")
    message = {"content": {"type": "text", "text": "hello"}}
    return [me.api("GET", "/users"), me.api("POST", "/bots/bot-1/users/u-002/messages", json=message)]


@scenario("auth.pkce", {"ignored": [200, 200, 200], "checked": [400, 400, 400]})
def other_verifier_and_no_challenge(me: Caller):
    code = me.code(code_challenge="v" * 43, code_challenge_method="plain")
    return [
        me.exchange(code, code_verifier="w" * 43),
        me.exchange(code_verifier="v" * 43),
        me.authorize(code_challenge="short"),
    ]


@scenario("token.code-reuse", {"keeps-tokens": [400, 200, 200], "ends-tokens": [400, 401, 400]})
def tokens_of_a_code_that_is_sent_again(me: Caller):
    code = me.code()
    tokens = me.exchange(code).json()
    again = me.exchange(code)
    me.take(tokens["access_token"])
    return [again, me.patch(), me.refresh(tokens["refresh_token"])]


@scenario("auth.unknown-parameter", {"ignored": [200, 200, 200], "refused": [400, 400, 400]})
def parameters_that_nothing_describes(me: Caller):
    tokens = me.exchange().json()
    return [
        me.authorize(prompt="login"),
        me.exchange(scope="user"),
        me.refresh(tokens["refresh_token"], domain="example"),
    ]


@scenario("auth.scope-names", {"any": [200, 200, 200], "user-and-file": [400, 400, 200]})
def other_scopes(me: Caller):
    return [me.authorize(scope=scope) for scope in ("profile", "user,bot", "user,file")]


@scenario("token.refresh-reuse", {"reusable": 200, "single-use": 400})
def refresh_twice(me: Caller):
    tokens = me.exchange().json()
    me.refresh(tokens["refresh_token"])
    return me.refresh(tokens["refresh_token"])


@scenario("token.refresh-scope", {"kept": "user,file", "as-sent": "user"})
def refresh_with_a_scope(me: Caller):
    tokens = me.exchange().json()
    return me.refresh(tokens["refresh_token"], scope="user").json()["scope"]


@scenario("token.earlier-access", {"stays-valid": 200, "ended": 401})
def call_with_the_token_before(me: Caller):
    tokens = me.exchange().json()
    me.refresh(tokens["refresh_token"])
    me.take(tokens["access_token"])
    return me.patch()


@scenario(
    "token.inactive-user",
    {"valid": (200, 200, 200), "not-renewed": (200, 400, 400), "refused": (401, 400, 400)},
)
def credentials_of_a_suspended_user(me: Caller):
    """Another assumption lets the user sign in, who would be refused otherwise."""
    me.become("u-017")
    me.fake.rules.choose({"auth.inactive-user": "let-in"})
    login = me.fake.directory["u-017"]["email"], me.fake.auth.password("u-017")
    code, spare = (parse_qs(urlsplit(me.log_in(*login).headers["Location"]).query)["code"][0] for _ in "ab")
    issued = me.exchange(code)
    refresh_token = issued.json().get("refresh_token") or refresh_token_of(me, "u-017")
    return me.patch(), me.refresh(refresh_token), me.exchange(spare)


def refresh_token_of(me: Caller, user_id):
    return me.fake.state.tokens.issue(user_id, me.facts["client_id"], "user").refresh_token


@scenario("token.last-instant", {"included": [200, 201, 200], "excluded": [400, 404, 400]})
def credentials_at_their_very_end(me: Caller):
    code, tokens, url = me.code(), me.exchange().json(), me.url()
    start, responses = me.fake.clock.now(), []
    for lifetime, use in (
        (timedelta(minutes=10), lambda: me.exchange(code)),
        (timedelta(hours=24), lambda: me.send(url)),
        (timedelta(days=90), lambda: me.refresh(tokens["refresh_token"])),
    ):
        me.fake.clock.to(start + lifetime)
        me.become()
        responses.append(use())
    return responses


@scenario(
    "token.content-type",
    {
        "refused": "the Content-Type must be application/x-www-form-urlencoded; given text/plain",
        "not-checked": "this is not an authorization code of this service; sign in again",
    },
)
def token_request_as_text(me: Caller):
    me.http.headers["Content-Type"] = "text/plain"
    return me.exchange("made-up").json()["error_description"]

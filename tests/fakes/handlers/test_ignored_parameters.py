"""A response names the parameters of the query or the form that were ignored, as it does for fields of JSON."""

import pytest

from ..caller import BOUNDARY, calling, make, raw_form

CHALLENGE = {"code_challenge": "v" * 43, "code_challenge_method": "plain"}


def post_form(me, path, query="", **form):
    return me.http.post(f"{me.facts['auth_url']}/oauth2/v2.0/{path}{query}", data=form)


def log_in(me, query="", **more):
    form = me.hidden() | {name: me.facts[name] for name in ("login_id", "password")} | more
    return post_form(me, "authorize", query, **form)


def exchange(me, query="", **more):
    client = {name: me.facts[name] for name in ("client_id", "client_secret")}
    form = client | {"grant_type": "authorization_code", "code": me.code(), **more}
    return post_form(me, "token", query, **form)


def send(me, *fields, query=""):
    head = b'Content-Disposition: form-data; name="%s"'
    parts = [(head % name.encode(), b"x") for name in fields]
    file = (head % b"Filedata" + b'; filename="a.txt"', b"hello")
    content_type = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
    return me.http.post(me.url() + query, content=raw_form(file, *parts), headers=me.bearer | content_type)


IGNORED = {
    "update": (lambda me: me.api("PATCH", "/users/u-001?b=1&a=&b=2", json={}), "b, a"),
    "update, beside fields": (
        lambda me: me.api("PATCH", "/users/u-001?isAdministrator=1", json={"shoeSize": 38}),
        "isAdministrator, shoeSize",
    ),
    "status": (
        lambda me: me.api(
            "POST", "/users/u-001/user-profile-statuses?x", json={"profileStatusId": "BUSY", "y": 1}
        ),
        "x, y",
    ),
    "first step of an upload": (lambda me: me.ask("/users/u-001/drive/files?x=1"), "x"),
    "upload": (lambda me: send(me, "comment", "resourceName", "FileId", query="?x=1"), "x, comment, FileId"),
    "first step of a download": (lambda me: me.locate(me.upload()["fileId"], params={"size": "s"}), "size"),
    "download": (
        lambda me: me.fetch(me.locate(me.upload()["fileId"]).headers["Location"] + "?inline=1"),
        "inline",
    ),
    "notification": (
        lambda me: me.http.post(me.facts["webhooks"][0] + "?thread=1", json={"body": {"text": "a"}}),
        "thread",
    ),
    "login screen": (lambda me: me.authorize(prompt="login", nonce="1"), "prompt, nonce"),
    "challenge": (lambda me: me.authorize(**CHALLENGE), "code_challenge, code_challenge_method"),
    "login": (lambda me: log_in(me, "?x=1", remember="on"), "x, remember"),
    "code": (lambda me: exchange(me, "?x=1", audience="y", code_verifier="z"), "x, audience, code_verifier"),
    "refresh": (lambda me: me.refresh(me.exchange().json()["refresh_token"], scope="user"), "scope"),
}


@pytest.mark.parametrize(("call", "names"), IGNORED.values(), ids=IGNORED)
def test_ignored_parameters_are_named_in_the_response_and_the_journal(me, call, names):
    response = call(me)
    assert response.status_code < 400, response.text
    assert response.headers["X-Fake-Ignored"] == names
    assert me.fake.journal[-1].ignored == tuple(names.split(", "))


NOT_IGNORED = {
    "update": lambda me: me.patch(nickName="Mina"),
    "login screen": lambda me: me.authorize(domain="example"),
    "login": log_in,
    "code": lambda me: exchange(me, redirect_uri=me.facts["redirect_uri"], domain="example"),
    "refresh": lambda me: me.refresh(me.exchange().json()["refresh_token"]),
    "upload": lambda me: send(me, "resourceName"),
}


@pytest.mark.parametrize("call", NOT_IGNORED.values(), ids=NOT_IGNORED)
def test_nothing_is_named_where_nothing_is_ignored(me, call):
    response = call(me)
    assert (response.status_code < 400, response.headers.get("X-Fake-Ignored")) == (True, None)


@pytest.mark.parametrize(
    ("rule_id", "alternative", "call", "name"),
    [
        ("auth.pkce", "checked", lambda me: me.authorize(**CHALLENGE), None),
        ("token.refresh-scope", "as-sent", IGNORED["refresh"][0], None),
        ("auth.domain-name", "ignored", lambda me: me.authorize(domain="other"), "domain"),
        ("auth.domain-name", "ignored", lambda me: exchange(me, domain="other"), "domain"),
        ("token.redirect-uri", "ignored", lambda me: exchange(me, redirect_uri="x"), "redirect_uri"),
    ],
)
def test_what_is_ignored_depends_on_the_chosen_alternative(rule_id, alternative, call, name):
    with calling(make(assume={rule_id: alternative})) as me:
        response = call(me)
        assert (response.status_code, response.headers.get("X-Fake-Ignored")) == (200, name)


@pytest.mark.parametrize(
    "call", [lambda me: me.patch("nobody"), lambda me: exchange(me, "?x=1", code="made-up")]
)
def test_a_refusal_names_none(me, call):
    response = call(me)
    assert (response.status_code >= 400, "X-Fake-Ignored" in response.headers) == (True, False)


def test_query_parameters_follow_no_field_rules(me):
    me.api("PATCH", "/users/u-001?isAdministrator=1", json={"shoeSize": 38})
    assert not {"user.read-only", "user.permission"} & set(me.fake.journal[-1].rules)


def test_values_are_not_named(me):
    response = me.api("PATCH", "/users/u-001?key=s3cr3t", json={})
    assert response.headers["X-Fake-Ignored"] == "key"
    assert "s3cr3t" not in "".join(response.headers.values())

"""Secrets do not show themselves, and masking finds every one, again and again the same."""

import copy
import json
import pickle
import re
import string
import sys
import tracemalloc
import urllib.parse

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from fakes import FakeService
from svckit.display.masking import mask_beginning
from svckit.models import Secret, TokenSet, mask

from ...work import ratio

CANARY = "c4n4ry-8f2e"
NAMES = ["access_token", "refresh_token", "client_secret", "password", "code"]
OWN_NAMES = ["bot_secret", "admin_key", "login_ticket", "code_verifier", "code_challenge"]


def test_a_secret_shows_a_mask_everywhere():
    secret = Secret(CANARY)
    tokens = TokenSet(access_token=secret, scope="user", expires_in="86400", token_type="Bearer")
    shown = [
        repr(secret),
        str(secret),
        f"{secret:>20}",
        f"{secret} {[secret]!r}",
        repr(tokens),
        tokens.model_dump_json(),
        json.dumps(tokens.to_wire()),
        repr(tokens.model_dump()),
    ]
    assert not [text for text in shown if CANARY in text]
    assert tokens.access_token.reveal() == CANARY


def test_secrets_are_equal_by_text_and_never_to_plain_text():
    assert Secret("ü") == Secret("ü")
    assert Secret("a") != Secret("b")
    assert Secret("a") != "a"
    assert len({Secret("a"), Secret("a"), Secret("b")}) == 2
    assert Secret(Secret("a")).reveal() == "a"
    assert Secret("\ud800") == Secret("\ud800")
    assert not Secret("")


def test_a_secret_is_copied_but_neither_changed_nor_pickled():
    secret = Secret(CANARY)
    assert copy.deepcopy([secret])[0] is secret
    assert copy.copy(secret) is secret
    with pytest.raises(TypeError, match="not pickled"):
        pickle.dumps(secret)
    with pytest.raises(AttributeError, match="cannot be changed"):
        secret._text = "x"
    with pytest.raises(AttributeError, match="cannot be changed"):
        del secret._text


def test_a_secret_field_takes_text_and_secrets_and_echoes_nothing():
    adapter = TypeAdapter(Secret)
    assert (
        adapter.validate_json('"x"') == adapter.validate_python("x") == adapter.validate_python(Secret("x"))
    )
    with pytest.raises(ValidationError):
        adapter.validate_python(5)
    with pytest.raises(ValidationError) as caught:
        TokenSet.from_wire({"access_token": CANARY, "refresh_token": [CANARY]})
    assert CANARY not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        f"Authorization: Bearer {CANARY}",
        f"authorization:bearer {CANARY}\r\nHost: api.example",
        f"Authorization: Basic {CANARY}==",
        f"Authorization: {CANARY}",
        f"curl -H 'Authorization: Bearer {CANARY}' https://api.example",
        repr({"Authorization": f"Bearer {CANARY}"}),
        repr([(b"authorization", f"Bearer {CANARY}".encode())]),
        json.dumps({"authorization": f"Bearer {CANARY}"}),
        f"got Bearer {CANARY}{CANARY} back",
        f"POST https://hooks.example/message/{CANARY}",
        f"POST https://hooks.example/message/{CANARY}?retry=1",
        json.dumps({"url": f"https://hooks.example/message/{CANARY}"}).replace("/", "\\/"),
        urllib.parse.quote(f"https://hooks.example/message/{CANARY}", safe=""),
        *[f"a=1&{name}={CANARY}&b=2" for name in (*NAMES, *OWN_NAMES)],
        *[f"{name}={CANARY}" for name in NAMES],
        *[f"https://app.example/cb?{name}={CANARY}&state=s" for name in NAMES],
        *[urllib.parse.quote(f"https://app.example/?a=1&{name}={CANARY}", safe="") for name in NAMES],
        *[json.dumps({name: CANARY, "n": 1}) for name in (*NAMES, *OWN_NAMES)],
        *[json.dumps({"body": json.dumps({name: CANARY, "n": 1})}) for name in NAMES],
        *[json.dumps({name: CANARY})[:-4] for name in NAMES],
        *[repr({name: CANARY}) for name in NAMES],
        f"curl --data 'code={CANARY}&password={CANARY}' https://auth.example",
        f'{{"clientSecret" : "{CANARY}", "accessToken":"{CANARY}"}}',
    ],
)
def test_masked_is(text):
    assert CANARY[:6] not in mask(text)
    assert "***" in mask(text)
    assert mask(mask(text)) == mask(text)


ISSUED = "0123456789abcdef0123456789abcdef01234567"
SHAPES = ["wh", "at", "rt", "cs", "bs", "ak", "code", "login", "up", "dl"]
PLACES = [
    "https://hooks.example/mesage/{}",
    "https://hooks.example/{}/message",
    "the nearest stands where '{}' was sent",
    "https%3A%2F%2Fhooks.example%2Fmesage%2F{}",
    '<input type="hidden" name="login_ticket" value="{}">',
    '{{"state": ["{}"]}}',
    "{}",
    "x{}.",
]


@pytest.mark.parametrize("place", PLACES)
def test_what_a_fake_issues_is_masked_wherever_it_stands(place):
    issued = [written.format(shape, ISSUED) for shape in SHAPES for written in ("{}_{}", "{}%5F{}")]
    masked = {secret: mask(place.format(secret)) for secret in issued}
    again = {secret: mask(text) for secret, text in masked.items()}
    assert masked == again == dict.fromkeys(issued, place.format("***"))


def test_what_a_fake_issues_has_one_of_the_shapes():
    """The shapes are those of the service's secrets, each issued once."""
    fake = FakeService.sample()
    with httpx.Client(transport=fake.transport()) as http:
        issued = sign_in(fake, http)
    issued |= {fake.facts[name] for name in ("admin_key", "client_secret", "bot_secret", "password")}
    issued |= {url.rpartition("/")[2] for url in fake.facts["webhooks"]}
    assert {mask(secret) for secret in issued} == {"***"}
    kinds = {secret.partition("_")[0] for secret in issued}
    assert kinds == {*SHAPES, "pw"}


def sign_in(fake, http):
    """All that is issued on the way from the login screen to a download."""
    facts, ask = fake.facts, {"response_type": "code", "state": "s", "scope": "file"}
    client = {name: facts[name] for name in ("client_id", "redirect_uri")}
    address = facts["auth_url"] + "/oauth2/v2.0/authorize"
    ticket = re.search('value="(login_[^"]+)"', http.get(address, params=ask | client).text)[1]
    form = {"login_ticket": ticket, "login_id": facts["login_id"], "password": facts["password"]}
    location = http.post(address, data=form).headers["Location"]
    code = urllib.parse.parse_qs(urllib.parse.urlsplit(location).query)["code"][0]
    form = {"grant_type": "authorization_code", "code": code, "client_secret": facts["client_secret"]}
    tokens = http.post(facts["auth_url"] + "/oauth2/v2.0/token", data=form | client).json()
    bearer = {"Authorization": f"Bearer {tokens['access_token']}"}
    request = {"fileName": "a", "fileSize": 1}
    drive = facts["base_url"] + "/users/u-001/drive/files"
    upload = http.post(drive, json=request, headers=bearer).json()["uploadUrl"]
    download = http.get(facts["base_url"] + "/audits/logs/download", headers=bearer).headers["Location"]
    last = {url.rpartition("/")[2] for url in (upload, download)}
    return {ticket, code, tokens["access_token"], tokens["refresh_token"], *last}


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("https://mina:pass@app.example/x", "https://***@app.example/x"),
        ("https://mina@app.example", "https://***@app.example"),
        ("http://:p%40ss@127.0.0.1:8000/?a=b@c", "http://***@127.0.0.1:8000/?a=b@c"),
        ("see <https://a:p@ss@x.example> and ftp://b:c@y", "see <https://***@x.example> and ftp://***@y"),
        (r"https:\/\/a:b@x.example\/y", r"https:\/\/***@x.example\/y"),
        ("next=https%3A%2F%2Fa%3Ab%40x.example%2Fy", "next=https%3A%2F%2F***%40x.example%2Fy"),
        ("https://app.example/cb?state=Rk9-_x&x=1#f", "https://app.example/cb?state=***&x=1#f"),
        ("response_type=code&state=xyz", "response_type=code&state=***"),
        ("state=xyz&scope=user", "state=***&scope=user"),
        ("https%3A%2F%2Fapp.example%2Fcb%3Fstate%3DRk9", "https%3A%2F%2Fapp.example%2Fcb%3Fstate%3D***"),
        ("login_ticket=abc&login_id=a@b.example", "login_ticket=***&login_id=a@b.example"),
    ],
)
def test_user_info_state_and_login_ticket_are_masked(text, masked):
    assert mask(text) == masked
    assert mask(masked) == masked


@given(
    st.text(alphabet=string.ascii_letters + string.digits + ":@%!$&()*+,;=._~-", min_size=1, max_size=30),
    st.sampled_from(["https://", "http://", "socks5://"]),
)
def test_user_info_is_masked_whatever_it_is(user_info, scheme):
    assert mask(f"a {scheme}{user_info}@host.example/x b") == f"a {scheme}***@host.example/x b"


@given(st.text(alphabet=string.ascii_letters + string.digits + "-_.~%", min_size=1, max_size=40))
def test_a_state_is_masked_whatever_it_is(state):
    assert mask(f"https://app.example/cb?a=b&state={state}&c=d") == "https://app.example/cb?a=b&state=***&c=d"


@pytest.mark.parametrize(
    "text",
    [
        '{"code": 200, "description": "success"}',
        '{"state": "open"} and the state = on, real-state=high, estate=2, a state=liquid',
        "https://app.example/@mina/post?to=a@b.example and mina@app.example, 12:30 // x@y",
        "login_form at_last up_to_date code_0123456789 wh_at, sha1 da39a3ee5e6b4b0d3255bfef95601890afd80709",
        "backup_5 dl_list=1 that_is 0123456789abcdef0123456789abcdef01234567",
        '{"code": "NOT_FOUND", "description": "no such user"}',
        "grant_type=authorization_code&response_type=code",
        '{"nickName": "code", "task": "Password reset"}',
        "status_code=404 errorcode=7 postcode=100",
        "code_challenge_method=plain",
        "Notified(code=200, description='success')",
        "'error code=404'",
        '{"code": "404"}',
        "the answer is code=429.",
        "GET /messages/1 /monitoring/message-contents/download",
        '{"refresh_token": null, "access_token": ""}',
        "the request needs the header Authorization: Bearer <access token>; the header is missing",
        'curl -H "Authorization: Bearer $ACCESS_TOKEN" https://api.example',
        "curl -H 'Authorization: Bearer ${ACCESS_TOKEN}'",
        "Authorization: <scheme> <credential>",
        "The password is asked for on the login page; the Bearer header goes along.",
        "",
    ],
)
def test_left_alone_is(text):
    assert mask(text) == text


def test_a_masked_document_is_still_json():
    body = {"password": 12345, "access_token": 'a"b\\c', "nested": [{"code": "Qx7-abc"}], "keep": "x"}
    assert json.loads(mask(json.dumps(body))) == {
        "password": "***",
        "access_token": "***",
        "nested": [{"code": "***"}],
        "keep": "x",
    }


def test_what_surrounds_a_secret_stays():
    text = f"curl -X POST -d 'code={CANARY}' 'https://hooks.example/message/{CANARY}' -H 'A: b'"
    assert mask(text) == "curl -X POST -d 'code=***' 'https://hooks.example/message/***' -H 'A: b'"


FRAGMENTS = st.sampled_from(
    [
        *[*NAMES, "state", "login_ticket", "wh_", ISSUED, "@", "://", "%3A%2F%2F", "%40", "/", "?", "%5F"],
        *["Authorization", "Bearer ", "Basic ", "/message/", "%2Fmessage%2F", "%26", "%3D", "%3F"],
        *[
            "=",
            "&",
            ":",
            " ",
            '"',
            "'",
            "\\",
            "\\\\",
            "\n",
            "{",
            "}",
            ",",
            "***",
            "NOT_FOUND",
            "123",
            "-",
            "é",
        ],
    ]
)


@given(st.lists(FRAGMENTS | st.text(max_size=4), max_size=25).map("".join))
def test_masking_twice_changes_nothing(text):
    assert mask(mask(text)) == mask(text)


@given(st.sampled_from(NAMES), st.text(min_size=1, max_size=30), st.text(max_size=20))
def test_a_json_field_is_masked_whatever_it_holds(name, value, other):
    secret = f"{CANARY}{value}{CANARY}"
    for ascii_only in (True, False):
        masked = mask(json.dumps({"other": other, name: secret, "last": 1}, ensure_ascii=ascii_only))
        assert json.loads(masked)[name] == "***"


@given(st.sampled_from(NAMES), st.text(min_size=1, max_size=30))
def test_a_form_field_is_masked_whatever_it_holds(name, value):
    secret = f"{CANARY}{value}{CANARY}"
    masked = mask(urllib.parse.urlencode({"first": "1", name: secret, "last": "2"}))
    assert urllib.parse.parse_qs(masked) == {"first": ["1"], name: ["***"], "last": ["2"]}


@given(st.text(alphabet=string.ascii_letters + string.digits + "-._~+/=", min_size=1, max_size=40))
def test_a_bearer_is_masked_whatever_it_is(token):
    assert mask(f"Authorization: Bearer {token}\r\nHost: x") == "Authorization: Bearer ***\r\nHost: x"


UNITS = [
    *[
        "\\",
        "'",
        '"',
        "code",
        "code=",
        '"code":"',
        "Authorization ",
        "Authorization: ",
        "/message/",
        "://",
        "://a",
        "a@",
    ],
    *[
        "%3A%2F%2F",
        "%3A%2F%2Fa",
        "&state=",
        "login_0",
        "0",
        " ",
        "%26",
        ":",
        "=",
        "-",
        "_",
        "%",
        "%40",
        "Bearer ",
        "{",
    ],
    *['\\"', "\\/", "password='", "'code", "code='a", "\t", "/", "é"],
]
HEADS = ["", '"code":"', "code=", "Authorization: Bearer", "://", "%3A%2F%2F", "/message/"]


@pytest.mark.long
@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("unit", UNITS)
def test_masking_takes_linear_time(head, unit):
    short, long = (head + unit * (size // len(unit)) for size in (4_000, 16_000))
    assert ratio(lambda: mask(long), lambda: mask(short), at_most=6) <= 6  # quadratic work makes it 16


@pytest.mark.skipif(
    sys.version_info < (3, 11, 5),
    reason="before 3.11.5 an atomic group takes hundreds of bytes for each character",
)
@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("unit", ["\\", "x", "'x", "%"])
def test_masking_takes_little_memory(head, unit):
    """Patterns that can go back in what they repeat took 366 bytes for each character."""
    text = head + unit * (200_000 // len(unit))
    tracemalloc.start()
    try:
        mask(text)
        assert tracemalloc.get_traced_memory()[1] < 8 * len(text)
    finally:
        tracemalloc.stop()


SECRETS = [
    f"Authorization: Bearer {CANARY}",
    f"code={CANARY}",
    f"at_{ISSUED}",
    f"https://me:{CANARY}@host.example/",
]


@pytest.mark.parametrize("secret", SECRETS)
def test_the_beginning_of_a_text_is_masked_wherever_it_is_cut(secret):
    beginnings = {}
    for before in (*range(0, 60, 7), *range(230, 320)):
        padding = f"code={'y' * (before - 6)} " if before > 60 else f"{'y' * before} "
        beginnings[before] = mask_beginning(padding + secret + " " + "x" * 1000, 60)
    assert {before: text for before, text in beginnings.items() if len(text) > 60} == {}
    assert {before: text for before, text in beginnings.items() if shows_part(text)} == {}


def shows_part(text):
    """Whether three letters of a secret or more are in a text."""
    return any(CANARY[:size] in text or f"at_{ISSUED[:size]}" in text for size in range(3, 9))


@pytest.mark.parametrize("text", ["", "short", f"code={CANARY}", "é" * 60])
def test_the_beginning_of_a_short_text_is_all_of_it(text):
    assert mask_beginning(text, 60) == mask(text)


@pytest.mark.long
def test_the_beginning_of_a_long_text_takes_no_longer():
    short, long = "a@" * 500, "a@" * 500_000
    assert ratio(lambda: mask_beginning(long, 60), lambda: mask_beginning(short, 60), at_most=3) <= 3

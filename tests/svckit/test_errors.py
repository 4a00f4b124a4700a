"""Whatever error body comes, the exception says what can be said."""

import json
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from fakes import FakeService
from svckit import errors
from svckit.errors import InvalidInput, RateLimited, ServiceError
from svckit.http.error_responses import read_error
from svckit.http.messages import Response

from .conftest import Face


def read(status: int, body: str = "", **headers: str) -> ServiceError:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return read_error(Response(status, named, body.encode(), "users.read", "GET https://x"))


def test_a_long_address_is_cut_in_the_message_and_kept_beside_it() -> None:
    request = f"PATCH https://api.fake.test/users/{'x' * 5_000}"
    error = read_error(Response(404, {}, b"", "users.read", request))
    assert len(str(error)) < 600
    assert "xxx…)" in str(error)
    assert error.request == request


@pytest.mark.parametrize(
    ("status", "body", "kind", "code", "description"),
    [
        (400, '{"code": "INVALID_PARAMETER", "description": "bad"}', "Refused", "INVALID_PARAMETER", "bad"),
        (400, '{"code": 400, "description": "missing parameter"}', "Refused", "400", "missing parameter"),
        (
            401,
            '{"error": "invalid_client", "error_description": "no"}',
            "Unauthorized",
            "invalid_client",
            "no",
        ),
        (400, '{"code": "INVALID_GRANT"}', "Unauthorized", "INVALID_GRANT", "'Bad Request'"),
        (403, '{"message": "not yours"}', "Refused", None, "not yours"),
        (404, '{"code": "NOT_FOUND"}', "NotFound", "NOT_FOUND", "'Not Found'"),
        (404, '{"code": "ENDED", "description": "gone since 2024"}', "Retired", "ENDED", "gone since 2024"),
        (
            409,
            "<html><head><title>x</title></head><p>taken <b>already</b></p>",
            "Conflict",
            None,
            "taken already",
        ),
        (410, "", "Retired", None, "'Gone'"),
        (429, "slow\n down", "RateLimited", None, "slow down"),
        (500, '["a list"]', "ServiceError", None, '["a list"]'),
        (502, "", "ServiceError", None, "'Bad Gateway'"),
        (799, "", "ServiceError", None, "unknown status"),
        (500, "{broken", "ServiceError", None, "{broken"),
        (500, '{"code": ["x"]}', "ServiceError", None, '{"code": ["x"]}'),
        (400, '{"error": {"code": "BAD", "message": "no such field"}}', "Refused", "BAD", "no such field"),
        (400, '{"errors": [{"code": 7, "detail": "too long"}]}', "Refused", "7", "too long"),
        (400, '{"errors": ["one", "two"]}', "Refused", None, "one"),
        (400, '{"errors": []}', "Refused", None, '{"errors": []}'),
        (400, '{"type": "about:blank", "title": "Bad", "detail": "why"}', "Refused", None, "why"),
        (400, '{"code": true, "description": ""}', "Refused", None, '{"code": true'),
        (400, "null", "Refused", None, "null"),
        (400, '"a string"', "Refused", None, "a string"),
        (500, "[" * 100_000, "ServiceError", None, "[[["),
        (500, "\x1b[31mred\x07 alert\u202e", "ServiceError", None, r"\x1b[31mred\x07 alert\u202e"),
        (502, "\x89PNG\0\0\0", "ServiceError", None, "'Bad Gateway'"),
        (502, "\ufffd\ufffdx" * 9, "ServiceError", None, "'Bad Gateway'"),
        (503, "<html>" + "<p>x</p>" * 100_000, "ServiceError", None, "x. x."),
    ],
)
def test_bodies_of_every_shape(status: int, body: str, kind: str, code: str | None, description: str) -> None:
    error = read(status, body)
    assert type(error) is getattr(errors, kind)
    assert error.code == code
    assert description in (error.description or "")
    assert str(error).startswith("users.read failed: ")
    assert f"({status}" in str(error)
    adviser = errors.Refused if code == "invalid_client" else type(error)  # signing in again would not help
    assert str(error).endswith(adviser.advice)


def test_a_redirect_is_no_failure_of_the_service() -> None:
    assert "without saying why (302; GET https://x). No redirect is expected here" in str(read(302))


@pytest.mark.parametrize(
    ("page", "description"),
    [
        (
            "<h1>This did not work</h1><p>the password is <b>wrong</b>!</p><p>Go back<br>now.</p>",
            "This did not work. the password is wrong! Go back. now.",
        ),
        ("<!DOCTYPE html><title>Closed until 18:00</title>", "Closed until 18:00."),
        ("<head><noscript>Turn scripts on</noscript></head><body>Closed</body>", "Closed."),
        ("<h1>Closed</h1><form><input type=hidden name=request value='cut-off", "Closed."),
        ("<h1>Closed</h1><![", "Closed."),
    ],
    ids=["of several lines", "of a title", "with a noscript", "cut off", "with a broken mark"],
)
def test_a_page_reads_as_sentences(page: str, description: str) -> None:
    assert read(401, page).description == description


def test_whoever_is_no_longer_signed_in_keeps_the_session() -> None:
    assert "svc.sign_in()" in str(read(401))


def test_long_descriptions_are_cut() -> None:
    assert len(read(500, "x" * 10_000).description or "") < 400


@pytest.mark.parametrize(
    ("headers", "reset", "advice"),
    [
        ({"ratelimit_reset": "42"}, 42, "Wait 42 seconds, until the limit is reset, and call again."),
        ({"retry_after": "1"}, 1, "Wait 1 second, until the limit is reset, and call again."),
        ({"retry_after": "tomorrow"}, None, "Wait until the limit is reset and call again."),
        ({}, None, "Wait until the limit is reset and call again."),
    ],
)
def test_a_rate_limit_says_how_long_to_wait_where_that_is_known(
    headers: dict[str, str], reset: int | None, advice: str
) -> None:
    error = read(429, '{"code": 429, "description": "too many request"}', **headers)
    assert isinstance(error, RateLimited)
    assert error.reset == reset
    assert str(error) == f"users.read failed: too many request (429; GET https://x). {advice}"


def body(description: str) -> str:
    return json.dumps({"code": 400, "description": description})


LONG = "ü" + "x" * 2000


@pytest.mark.parametrize(
    ("body", "reason", "said"),
    [
        (body("invalid webhook URL"), "no webhook has it.", "invalid webhook URL: no webhook has it (400;"),
        (
            body("Not used status."),
            "profileStatusId is unknown",
            "Not used status: profileStatusId is unknown (400;",
        ),
        (body("no such thing."), "no such thing", "failed: no such thing (400;"),
        (body("no ü"), "no \\xfc", "failed: no ü (400;"),
        (body(LONG), LONG.encode("ascii", "backslashreplace").decode()[:1000], f"{LONG[:300]}… (400;"),
        ("<h1>This did not work</h1><p>It is wrong</p>", "It is wrong", "did not work. It is wrong (400;"),
        (body("missing parameter"), "", "failed: missing parameter (400;"),
    ],
)
def test_the_reason_a_fake_gives_is_told_once(body: str, reason: str, said: str) -> None:
    error = read(400, body, x_fake_reason=reason)
    assert said in str(error)


@pytest.mark.parametrize("body", ["\x1b[2J", "a\nb", "\x00\x01", "\u202e", "\u2028"])
def test_a_message_is_one_line_that_does_nothing_to_a_terminal(body: str) -> None:
    assert str(read(500, f'{{"description": "{body}x"}}')).isprintable()
    assert str(read(500, body)).isprintable()


def test_errors_travel_between_processes() -> None:
    error = pickle.loads(pickle.dumps(read(404, '{"code": "NOT_FOUND"}')))
    assert (error.status, error.code, error.operation) == (404, "NOT_FOUND", "users.read")
    assert str(pickle.loads(pickle.dumps(InvalidInput("no")))) == "no"


FAILURES: dict[str, tuple[Callable[[FakeService], object], Callable[[Any], Any]]] = {
    "refused": (lambda fake: fake.faults.status(status=400), lambda svc: svc.users.read("u-001")),
    "not found": (lambda fake: None, lambda svc: svc.users.read("u-999")),
    "ended": (lambda fake: None, lambda svc: svc.request("GET", "/users/u-001/mail/vipmailfolders")),
    "busy": (lambda fake: fake.faults.status(times=None), lambda svc: svc.users.read("u-001")),
    "no answer": (lambda fake: fake.faults.reset(times=None), lambda svc: svc.users.read("u-001")),
    "foreign": (lambda fake: None, lambda svc: svc.request("GET", "https://evil.test/")),
    "signed out": (lambda fake: fake.clock.advance(days=91), lambda svc: svc.users.read("u-001")),
    "rate": (lambda fake: fake.faults.status(status=429), lambda svc: svc.notify("x")),
}


@pytest.mark.filterwarnings("ignore::svckit.lifecycle.ServiceDeprecationWarning")  # one has ended
@pytest.mark.parametrize("failure", FAILURES)
def test_every_failure_says_what_and_where(failure: str, on_fake: Face, fake: FakeService) -> None:
    arrange, use = FAILURES[failure]
    arrange(fake)
    with pytest.raises(ServiceError) as caught:
        on_fake(use)
    error = caught.value
    assert error.operation in ("users.read", "request", "notify", "auth.refresh")
    assert (error.request or "").partition(" ")[0] in ("PATCH", "GET", "POST")
    assert error.description
    assert (error.status is None) == (failure in ("no answer", "foreign"))
    assert str(error).isprintable()
    assert pickle.loads(pickle.dumps(error)).request == error.request


def test_the_advice_to_check_the_id_is_for_where_no_reason_came() -> None:
    body = '{"code": "NOT_FOUND", "description": "not found"}'
    assert "Check the ID" in str(read(404, body))
    assert "Check the ID" not in str(read(404, body, x_fake_reason="GET /groups/g-1 is not described"))

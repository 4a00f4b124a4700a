"""Token sets: how long what they hold is valid, whatever the number."""

from datetime import UTC, datetime, timedelta

import pytest
from pydantic import ValidationError

from svckit.models import TokenSet
from svckit.models.problems import list_problems
from svckit.profiles.credentials import SessionTokens

NOW = datetime(2026, 6, 1, 9, tzinfo=UTC)


def issued(expires_in: str) -> TokenSet:
    return TokenSet.from_wire(
        {"access_token": "at", "scope": "user", "expires_in": expires_in, "token_type": "Bearer"}
    )


@pytest.mark.parametrize("seconds", ["0", "86400", "000086400"])
def test_a_lifetime_counts_from_the_issue(seconds: str) -> None:
    assert SessionTokens().keep(issued(seconds), NOW).expires == NOW + timedelta(seconds=int(seconds))


@pytest.mark.parametrize("seconds", ["9" * 12, "9" * 13, "9" * 14, "9" * 5000])
def test_an_endless_lifetime_ends_on_the_last_of_all_days(seconds: str) -> None:
    assert issued(seconds).lifetime > timedelta(days=10**7)
    assert SessionTokens().keep(issued(seconds), NOW).expires == datetime.max.replace(tzinfo=UTC)


@pytest.mark.parametrize(
    "token", ["", "canary\nsecret", "canary ", " canary", "can\u00e4ry", "canary\0", "\x7f"]
)
def test_a_token_that_no_header_can_carry_is_refused_by_name(token: str) -> None:
    body = {"access_token": token, "scope": "user", "expires_in": "1", "token_type": "Bearer"}
    with pytest.raises(ValidationError) as caught:
        TokenSet.from_wire(body)
    [problem] = list_problems(caught.value)
    assert problem.message == (
        "access_token cannot be sent in a header: it is empty or contains a character other than visible ASCII"
    )
    assert "can" not in str(caught.value).replace("cannot", "")


@pytest.mark.parametrize("token", ["x", "a b", "eyJhbGciOi.x-_~+/=="])
def test_any_other_token_is_taken(token: str) -> None:
    assert TokenSet.from_wire(issued("1").to_wire() | {"access_token": token}).access_token.reveal() == token


def test_absent_refresh_token_stays_null() -> None:
    assert issued("1").model_dump(mode="json")["refresh_token"] is None

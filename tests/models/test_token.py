"""Token sets: how long what they hold is valid, whatever the number."""

from datetime import UTC, datetime, timedelta

import pytest

from svckit.credentials import TokenStore
from svckit.models import TokenSet

NOW = datetime(2026, 6, 1, 9, tzinfo=UTC)


def issued(expires_in: str) -> TokenSet:
    return TokenSet.from_wire(
        {"access_token": "at", "scope": "user", "expires_in": expires_in, "token_type": "Bearer"}
    )


@pytest.mark.parametrize("seconds", ["0", "86400", "000086400"])
def test_a_lifetime_counts_from_the_issue(seconds: str) -> None:
    assert TokenStore().keep(issued(seconds), NOW).ends == NOW + timedelta(seconds=int(seconds))


@pytest.mark.parametrize("seconds", ["9" * 12, "9" * 13, "9" * 14, "9" * 5000])
def test_an_endless_lifetime_ends_on_the_last_of_all_days(seconds: str) -> None:
    assert issued(seconds).lifetime > timedelta(days=10**7)
    assert TokenStore().keep(issued(seconds), NOW).ends == datetime.max.replace(tzinfo=UTC)

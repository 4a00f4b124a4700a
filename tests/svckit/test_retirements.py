"""What is retired: the table, and one warning for each feature and session."""

import asyncio
import warnings
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

import httpx
import pytest

from svckit.http.messages import Operation, Request, Response
from svckit.models.lifecycle import RETIREMENTS
from svckit.retirements import (
    ServiceDeprecationWarning,
    Table,
    find_retirement,
    table,
)
from svckit.session.connect import connect, connect_async

from .conftest import Face, Scripted

OLD = {"protocol": "MSGR_C_OLD", "messengerId": "mina"}
API = "https://api.work.test/v1"
NOW = "2026-06-01T09:00:00+09:00"


def calling(method: str, path: str, **more: Any) -> Operation[Response]:
    """An operation that the toolkit does not have."""
    reply = yield Request(operation="mine", method=method, target=path, **more)
    return reply


def warned(use: Any) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        use()
    assert all(each.category is ServiceDeprecationWarning for each in caught)
    return [str(each.message) for each in caught]


# The table


@pytest.mark.parametrize(
    ("today", "key", "status", "left"),
    [
        (date(2026, 6, 1), "custom-fields", "retires in 187 days", 187),
        (date(2026, 12, 4), "custom-fields", "retires in 1 day", 1),
        (date(2026, 12, 5), "custom-fields", "retired", 0),
        (date(2026, 12, 6), "custom-fields", "retired", -1),
        (date(2026, 6, 1), "employment-types", "planned", None),
        (date(2026, 6, 1), "mail-bulk-delete", "retired", -1201),
        (date(2026, 7, 30), "messenger-response", "retires in 1 day", 1),
        (date(2026, 11, 15), "messenger-old-value", "retired", 0),
    ],
)
def test_days_are_counted(today: date, key: str, status: str, left: int | None) -> None:
    (found,) = [each for each in table(today) if each.key == key]
    assert (found.status, found.days_left) == (status, left)


def test_today_may_be_that_of_a_clock() -> None:
    morning = connect(now="2026-06-01T08:59:00+09:00")  # in UTC it is May
    assert table(morning).today == table(morning.fake).today == date(2026, 6, 1)
    assert table(morning).today == morning._driver.today


def test_today_may_be_an_instant_or_left_out() -> None:
    assert table(datetime(2026, 6, 1, 23, 59, tzinfo=UTC)).today == date(2026, 6, 1)
    assert abs(table().today - datetime.now(UTC).date()) <= timedelta(days=1)
    assert len(table()) == len(RETIREMENTS) + 2


def test_the_table_shows_itself() -> None:
    shown = table(date(2026, 6, 1))
    assert repr(shown).splitlines()[0] == "Retired and retiring features on 2026-06-01"
    assert "retires in 187 days" in repr(shown)
    assert repr(shown) == repr(table(date(2026, 6, 1)))
    html = shown._repr_html_()
    assert html.count("<tr>") == len(shown) + 1
    assert '<th scope="col"' in html


def test_what_is_shown_is_escaped() -> None:
    shown = Table(date(2026, 6, 1))
    shown[:] = [type(shown[0])("k", "<script>", None, "x", None, None)]
    assert "<script>" not in shown._repr_html_()


# Which operations


@pytest.mark.parametrize(
    ("method", "path", "key"),
    [
        *((m, p.replace("{", "").replace("}", ""), i.key) for i in RETIREMENTS for m, p in i.operations),
        ("GET", "/users/externalKey%3Aa%2Fb/mail/vipmailfolders", "vip-mail-folders"),
        ("GET", "/users//mail/vipmailfolders", None),
        ("GET", "/users/u-001/mail", None),
        ("POST", "/boards/b/posts/p/comments/c/attachments", None),
        ("PATCH", "/users/u-001", None),
        ("GET", "/directory/custom-fields/", None),
        ("GET", "/directory/custom-fields/f/g", None),
    ],
)
def test_operations_are_recognised(method: str, path: str, key: str | None) -> None:
    found = find_retirement(method, path)
    assert (found.key if found else None) == key


# The warning


@pytest.fixture
def custom_fields(scripted: Scripted) -> Iterator[str]:
    for method in ("GET", "POST"):
        scripted.on(method, f"{API}/directory/custom-fields", httpx.Response(200, json={}))
    return "/directory/custom-fields"


def test_each_feature_is_warned_of_once_in_a_session(
    on_script: Face, scripted: Scripted, custom_fields: str
) -> None:
    def use() -> None:
        on_script(lambda svc: svc.run(calling("GET", custom_fields)))
        on_script(lambda svc: svc.run(calling("POST", custom_fields, json={})))
        on_script(lambda svc: svc.users.update("u-001", messenger=OLD))
        on_script(lambda svc: svc.users.update("u-001", messenger=OLD))

    fields, messenger = warned(use)
    assert fields == (
        "custom field operations: retires in 187 days, on 2026-12-05 (described as early December 2026); "
        "the replacement is user custom property operations (register, list, get, update, delete)"
    )
    assert messenger == (
        "the messenger protocol value MSGR_C_OLD: retires in 167 days, on 2026-11-15 (described as mid November "
        "2026); the replacement is MSGR_C"
    )
    assert len(scripted.asked) == 4


@pytest.mark.parametrize(
    ("method", "path", "words"),
    [
        (
            "POST",
            "/sharedrives/s/permissions/enable",
            "retires on a date that is not decided yet; the replacement is partial",
        ),
        ("DELETE", "/users/u-001/mail", "retired on 2023-02-16; no replacement is named"),
    ],
)
def test_a_warning_says_when_and_what_instead(on_script: Face, method: str, path: str, words: str) -> None:
    (message,) = warned(lambda: on_script(lambda svc: svc.run(calling(method, path))))
    assert words in message


def test_the_session_s_clock_counts(on_script: Face, scripted: Scripted, custom_fields: str) -> None:
    scripted.clock.to(datetime(2026, 12, 5, tzinfo=UTC))
    (message,) = warned(lambda: on_script(lambda svc: svc.run(calling("GET", custom_fields))))
    assert "retired on 2026-12-05" in message


@pytest.mark.parametrize(
    "use",
    [
        lambda svc: svc.users.update("u-001", messenger=OLD | {"protocol": "MSGR_C"}),
        lambda svc: svc.users.update("u-001", messenger=None),
        lambda svc: svc.users.read("u-001"),
        lambda svc: svc.run(calling("GET", "/message/directory/custom-fields", expects=(200, 404))),
    ],
)
def test_what_is_not_retired_is_not_warned_of(on_script: Face, use: Any) -> None:
    assert warned(lambda: on_script(use)) == []


def test_another_session_warns_again() -> None:
    for _ in range(2):
        with connect(now=NOW) as svc:
            assert len(warned(lambda svc=svc: svc.users.update("u-001", messenger=OLD))) == 1


def test_the_user_s_own_line_is_blamed() -> None:
    with connect(now=NOW) as svc, pytest.warns(ServiceDeprecationWarning) as caught:
        svc.users.update("u-001", messenger=OLD)
    assert caught[0].filename == __file__

    async def main() -> None:
        async with connect_async(now=NOW) as svc:
            await svc.users.update("u-001", messenger=OLD)

    with pytest.warns(ServiceDeprecationWarning) as caught:
        asyncio.run(main())
    assert caught[0].filename == __file__


@pytest.mark.filterwarnings("error")
def test_a_warning_made_an_error_sends_nothing(on_script: Face, scripted: Scripted) -> None:
    with pytest.raises(ServiceDeprecationWarning):
        on_script(lambda svc: svc.users.update("u-001", messenger=OLD))
    assert scripted.asked == []


def test_the_table_takes_a_date() -> None:
    with pytest.raises(TypeError, match="today must be a date or a datetime"):
        table("x")  # type: ignore[arg-type]

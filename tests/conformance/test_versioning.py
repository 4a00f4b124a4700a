"""What has been retired, what will be, and the messenger value that changes."""

import re

import pytest

from .cases import RESOURCE_ERRORS, assumed, case, documented, every_door, safe
from .target import Unshown

FIELDS = "/directory/custom-fields"
TYPES = "/directory/employment-types"
ACCESS = f"{TYPES}/et-1/orgunit-access-restrict"
ATTACHMENT = "/boards/board-1/posts/post-1/comments/comment-1/attachment"

CUSTOM_FIELDS = (
    ("POST", FIELDS),
    ("GET", FIELDS),
    ("GET", f"{FIELDS}/cf-1"),
    ("PATCH", f"{FIELDS}/cf-1"),
    ("DELETE", f"{FIELDS}/cf-1"),
)
UNDECIDED = (
    ("POST", "/sharedrives/drive-1/permissions/enable"),
    ("POST", "/sharedrives/drive-1/permissions/disable"),
    ("POST", TYPES),
    ("GET", TYPES),
    ("GET", f"{TYPES}/et-1"),
    ("PUT", f"{TYPES}/et-1"),
    ("PATCH", f"{TYPES}/et-1"),
    ("DELETE", f"{TYPES}/et-1"),
    ("POST", ACCESS),
    ("GET", ACCESS),
    ("PUT", ACCESS),
    ("DELETE", ACCESS),
    ("GET", f"{TYPES}/external-keys"),
    ("POST", f"{TYPES}/external-keys"),
)
ENDED = (
    case("POST", ATTACHMENT, (2024, 5, 31), "comment attachment", id="register board comment attachment"),
    case(
        "GET", ATTACHMENT, (2024, 5, 31), "comment attachment", id="get board comment attachment", marks=safe
    ),
    case("DELETE", ATTACHMENT, (2024, 5, 31), "comment attachment", id="delete board comment attachment"),
    case(
        "GET",
        "/users/u-001/mail/vipmailfolders",
        (2023, 11, 21),
        "favourite-items",
        id="vip mail folders",
        marks=safe,
    ),
    case("DELETE", "/users/u-001/mail", (2023, 2, 16), "", id="mail bulk delete"),
)


def names_date(text, year, month, day):
    """Whether a text names a day, however it separates the numbers."""
    return re.search(rf"{year}\D0?{month}\D0?{day}\b", text)


@every_door
@documented("token.issued")
def test_token_endpoints_carry_v2_0(target):
    assert "/oauth2/v2.0/" in target.token_url
    assert target.tokens()["access_token"]


@assumed("api.unmatched")
@pytest.mark.parametrize("version", ["", "/v1", "/v1.0", "/v2", "/v3.0"])
def test_other_versions_of_the_token_endpoints_are_refused(target, version):
    base = f"{target.facts['auth_url']}/oauth2{version}"
    target.refuses("GET", f"{base}/authorize", Unshown(404), params=target.authorization())
    target.refuses("POST", f"{base}/token", Unshown(404), data=target.exchange_form(target.code()))


@documented("lifecycle.retired")
@assumed("lifecycle.ended", *RESOURCE_ERRORS)
@pytest.mark.parametrize(("method", "path", "date", "replacement"), ENDED)
def test_ended_operation_names_its_end_and_the_replacement(target, me, method, path, date, replacement):
    response = target.refuses(method, target.api(path), 404, headers=me)
    description = response.json()["description"]
    assert names_date(description, *date)
    assert replacement in description


@assumed("lifecycle.not-described", *RESOURCE_ERRORS)
@pytest.mark.parametrize(("method", "path"), [*CUSTOM_FIELDS, *UNDECIDED])
def test_operation_listed_as_retiring_is_not_described(target, me, method, path):
    response = target.refuses(method, target.api(path), 501, headers=me)
    assert response.json()["code"] == "NOT_DESCRIBED"


@assumed("lifecycle.not-described", "lifecycle.dates")
def test_custom_field_operations_are_there_until_their_end(target):
    target.to("2026-12-04T12:00:00+09:00")
    target.refuses("GET", target.api(FIELDS), 501, headers=target.signed_in())


@documented("lifecycle.retired")
@assumed("lifecycle.not-described", "lifecycle.ended", "lifecycle.dates")
@pytest.mark.parametrize(("method", "path"), CUSTOM_FIELDS)
def test_custom_field_operations_retire_in_december_2026(target, method, path):
    target.to("2026-12-05T12:00:00+09:00")
    response = target.refuses(method, target.api(path), 404, headers=target.signed_in())
    description = response.json()["description"]
    assert names_date(description, 2026, 12, 5)
    assert "custom propert" in description


@documented("lifecycle.retired")
@assumed("lifecycle.not-described")
@pytest.mark.parametrize(("method", "path"), UNDECIDED)
def test_operations_whose_end_is_undecided_do_not_end(target, method, path):
    target.to("2036-01-01T00:00:00Z")
    target.refuses(method, target.api(path), 501, headers=target.signed_in())


# -- the messenger value ----------------------------------------------------------------------------------------


def set_messenger(target, me, protocol):
    body = {"messenger": {"protocol": protocol, "messengerId": "mina"}}
    return target.http.patch(target.api("/users/u-002"), json=body, headers=me).json()["messenger"][
        "protocol"
    ]


def shown(target, me):
    response = target.http.patch(target.api("/users/u-002"), json={}, headers=me)
    return response.json()["messenger"]["protocol"]


BEFORE_JULY, AFTER_JULY = "2026-07-30T12:00:00+09:00", "2026-07-31T12:00:00+09:00"
BEFORE_NOVEMBER, AFTER_NOVEMBER = "2026-11-14T12:00:00+09:00", "2026-11-15T12:00:00+09:00"
ANSWERS = (
    case("2026-06-01T09:00:00+09:00", "MSGR_C_OLD", id="now"),
    case(BEFORE_JULY, "MSGR_C_OLD", id="the day before the switch", marks=assumed("lifecycle.dates")),
    case(AFTER_JULY, "MSGR_C", id="the day of the switch", marks=assumed("lifecycle.dates")),
    case(BEFORE_NOVEMBER, "MSGR_C", id="the day before the old value ends", marks=assumed("lifecycle.dates")),
)


@documented("user.messenger")
@pytest.mark.parametrize("protocol", ["MSGR_C_OLD", "MSGR_C"])
@pytest.mark.parametrize(("instant", "answered"), ANSWERS)
def test_both_values_are_accepted_and_answered_as_one(target, instant, answered, protocol):
    target.to(instant)
    me = target.signed_in()
    assert set_messenger(target, me, protocol) == answered
    assert shown(target, me) == answered


@documented("user.messenger")
@assumed("lifecycle.dates")
@pytest.mark.parametrize("protocol", ["MSGR_C_OLD", "MSGR_C"])
def test_old_value_is_renamed_after_the_switch(target, me, protocol):
    assert set_messenger(target, me, protocol) == "MSGR_C_OLD"
    target.to(AFTER_JULY)
    assert shown(target, target.signed_in()) == "MSGR_C"


@assumed("lifecycle.dates", *RESOURCE_ERRORS)
def test_old_value_is_refused_once_it_is_retired(target):
    target.to(AFTER_NOVEMBER)
    me = target.signed_in()
    body = {"messenger": {"protocol": "MSGR_C_OLD", "messengerId": "mina"}}
    response = target.refuses("PATCH", target.api("/users/u-002"), 400, json=body, headers=me)
    assert "messenger" in response.json()["description"]
    assert set_messenger(target, me, "MSGR_C") == "MSGR_C"


@documented("user.messenger")
@pytest.mark.parametrize("instant", ["2026-06-01T09:00:00+09:00", AFTER_NOVEMBER])
@pytest.mark.parametrize("protocol", ["MSGR_A", "MSGR_B", "CUSTOM"])
def test_other_networks_are_not_affected(target, instant, protocol):
    target.to(instant)
    assert set_messenger(target, target.signed_in(), protocol) == protocol

"""Which user is meant: by ID, e-mail and external key, in the external chat link, and by calls at the same time."""

from urllib.parse import quote

import pytest

from .cases import RESOURCE_ERRORS, assumed, case, documented, every_door, safe
from .test_directory import WRITABLE, read, update, url

# -- who is meant -----------------------------------------------------------------------------------------------


@every_door
@safe
@documented("user.partial")
@assumed("empty update")
def test_user_id_is_url_encoded(target, me):
    encoded = "".join(f"%{byte:02X}" for byte in target.other.encode())
    assert read(target, me, encoded)["userId"] == target.other


@every_door
@assumed("user.addressing")
@pytest.mark.parametrize("plain", [case("", id="encoded"), case("@:", id="as it is")])
@pytest.mark.parametrize(
    "field", [case("email", id="email", marks=safe), case("userExternalKey", id="userExternalKey")]
)
def test_user_is_addressed_by_email_or_external_key(target, me, field, plain):
    value = read(target, me)[field]
    key = value if field == "email" else f"externalKey:{value}"
    assert read(target, me, quote(key, safe=plain))["userId"] == target.other


@assumed("user.addressing")
def test_address_follows_the_change(target, me):
    old = read(target, me)
    update(target, me, {"email": "new@example.com", "userExternalKey": "a key/with%stuff"})
    assert read(target, me, "new@example.com")["userId"] == "u-002"
    assert read(target, me, quote("externalKey:a key/with%stuff", safe=""))["userId"] == "u-002"
    for gone in (old["email"], f"externalKey:{old['userExternalKey']}"):
        target.refuses("PATCH", url(target, gone), 404, json={}, headers=me)


UNKNOWN = (
    "u-999",
    "u-021",
    "u-000",
    "U-002",
    "u-2",
    "nobody@example.com",
    "externalKey:none",
    "u-002%2Fx",
    case("%00", id="%00", marks=every_door),
    case("..", id="..", marks=every_door),
)


@assumed("user.not-found", *RESOURCE_ERRORS)
@pytest.mark.parametrize("user", UNKNOWN)
def test_unknown_user_is_not_found(target, me, user):
    response = target.refuses(
        "PATCH", url(target, user.replace("..", "%2E%2E")), 404, json={"task": "x"}, headers=me
    )
    assert response.json()["code"] == "NOT_FOUND"


@assumed("user.conflict-condition", *RESOURCE_ERRORS)
@pytest.mark.parametrize("name", ["email", "userExternalKey"])
def test_email_or_external_key_of_another_user_is_a_conflict(target, me, name):
    taken = read(target, me, "u-003")[name]
    body = {"nickName": "x", name: taken}
    response = target.refuses("PATCH", url(target), 409, json=body, headers=me)
    assert response.json()["code"] == "CONFLICT"


@assumed("user.conflict-condition")
@pytest.mark.parametrize("name", ["email", "userExternalKey"])
def test_ones_own_or_a_freed_value_is_no_conflict(target, me, name):
    own = read(target, me)[name]
    assert update(target, me, {name: own})[name] == own
    update(target, me, {name: WRITABLE[name]})
    assert update(target, me, {name: own}, "u-003")[name] == own


@assumed("text.length", "text.normalization", "user.conflict-condition")
@every_door
def test_composed_and_decomposed_keys_are_two(target, me):
    composed, decomposed = "\u30ac", "\u30ab\u3099"
    for user, key in (("u-001", composed), ("u-003", decomposed)):
        assert update(target, me, {"userExternalKey": key}, user)["userExternalKey"] == key
    assert read(target, me, f"externalKey:{decomposed}")["userId"] == "u-003"


@assumed("user.conflict-condition")
def test_null_external_keys_are_no_conflict(target, me):
    for user in ("u-002", "u-003"):
        assert update(target, me, {"userExternalKey": None}, user)["userExternalKey"] is None


@assumed("user.domain-change", *RESOURCE_ERRORS)
def test_user_is_not_moved_to_another_domain(target, me):
    target.refuses("PATCH", url(target), 400, json={"domainId": 10000002}, headers=me)


# -- the e-mail and the external chat link ------------------------------------------------------------------------


@documented("user.link-id")
def test_link_id_follows_the_email(target, me):
    update(target, me, {"email": "new@example.com"})
    assert target.link_id("u-002") == "new@example.com"


@documented("user.forbidden-word")
def test_forbidden_word_keeps_the_old_email_as_alias_and_link_id(target, me):
    target.set_domain(forbiddenEmailWords=["casino"])
    old = read(target, me)["email"]
    shown = update(target, me, {"email": "casino.royale@example.com"})
    assert shown["email"] == "casino.royale@example.com"
    assert old in shown["aliasEmails"]
    assert target.link_id("u-002") == old


@documented("user.forbidden-word")
def test_email_without_a_forbidden_word_leaves_the_aliases(target, me):
    target.set_domain(forbiddenEmailWords=["casino"])
    before = read(target, me)["aliasEmails"]
    assert update(target, me, {"email": "new@example.com"})["aliasEmails"] == before


@documented("user.advanced-alias")
@assumed("alias in use")
def test_advanced_plan_keeps_the_alias_in_use_as_link_id(target, me):
    target.set_domain(advancedPlan=True, forbiddenEmailWords=["casino"])
    old = read(target, me)["email"]
    aliases = update(target, me, {"email": "casino@example.com"})["aliasEmails"]
    assert old in aliases
    target.refuses("PATCH", url(target), 400, json={"aliasEmails": []}, headers=me)
    assert update(target, me, {"aliasEmails": [old, "more@example.com"]})["aliasEmails"] == [
        old,
        "more@example.com",
    ]


@documented("user.advanced-alias")
def test_without_the_advanced_plan_aliases_are_free(target, me):
    target.set_domain(forbiddenEmailWords=["casino"])
    update(target, me, {"email": "casino@example.com"})
    assert update(target, me, {"aliasEmails": []})["aliasEmails"] == []

"""Fields that a request does not have are ignored and named, or refused, however deep they are."""

import pytest

from ..caller import calling, make

LINK = {"name": "l", "propertyType": "LINK", "multiValued": False}
LINKS = {"name": "ls", "propertyType": "LINK", "multiValued": True}
SENT = {"l": {"link": "a", "zz": 1}, "ls": [{"link": "b"}, {"text": None, "yy": {"zz": 2}}]}


def defined(**assume):
    fake = make(assume={rule.replace("_", "-").replace("--", "."): each for rule, each in assume.items()})
    fake.settings.custom_properties = [LINK, LINKS]
    return fake


def test_unknown_fields_of_links_in_custom_properties_are_ignored_and_named():
    with calling(defined()) as me:
        response = me.patch(customProperties=SENT, shoeSize=38)
    kept = {"l": {"link": "a"}, "ls": [{"link": "b"}, {"text": None}]}
    assert response.json()["customProperties"] == kept
    assert me.fake.directory["u-001"]["customProperties"] == kept
    assert response.headers["X-Fake-Ignored"] == "shoeSize, customProperties.l.zz, customProperties.ls[1].yy"
    assert "api.extra-fields" in response.headers["X-Fake-Assumed"]


def test_the_alternative_refuses_them():
    with calling(defined(api__extra_fields="refused")) as me:
        response = me.patch(customProperties=SENT)
    assert response.status_code == 400
    assert "customProperties.l.zz, customProperties.ls[1].yy" in response.json()["description"]
    assert me.fake.directory["u-001"]["customProperties"] == {}


def test_links_without_such_fields_rest_on_nothing_more():
    with calling(defined()) as me:
        response = me.patch(customProperties={"l": {"link": "a", "text": "A"}})
    assert response.json()["customProperties"] == {"l": {"link": "a", "text": "A"}}
    assert "X-Fake-Assumed" not in response.headers


@pytest.mark.parametrize("value", [5, {"link": 5, "zz": 1}, [{"link": "a"}]])
def test_what_is_no_link_is_told_as_such(value):
    with calling(defined()) as me:
        response = me.patch(customProperties={"l": value})
    assert response.status_code == 400
    assert "customProperties.l" in response.json()["description"]


def test_where_properties_are_not_checked_they_are_kept_as_they_were_sent():
    with calling(defined(user__custom_properties="accepted")) as me:
        assert me.patch(customProperties=SENT).json()["customProperties"] == SENT

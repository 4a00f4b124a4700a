"""How the bearer credential may be written, and when it is looked at."""

from ..caller import calling, make

ORDER = "api.bearer-order"


def test_only_the_resource_api_needs_a_bearer():
    with calling(make(assume={ORDER: "bearer-first"})) as me:
        assert me.http.get(me.facts["auth_url"] + "/none").status_code == 404
        assert me.http.get(me.facts["webhook_url"] + "/none").status_code == 400


def test_bearer_checked_first_hides_later_rules():
    order = {"api.bearer-order": "bearer-first"}
    with calling(make(assume=order | {"api.rate-limit": "per-minute"})) as me:
        me.fake.settings.api_calls_per_minute = 1
        me.bearer = {}
        for method, path in (("POST", "/directory/custom-fields"), ("PATCH", "/users/u-001")):
            response = me.api(method, path)
            assert response.status_code == 401
            assert set(response.headers["X-Fake-Assumed"].split(", ")) == {
                "api.bearer-order",
                "api.unauthorized",
                "api.error-body",
            }

"""How the bearer credential may be written, and when it is looked at."""

import pytest

from ..caller import calling, make

FORM = "api.bearer-form"


def assumed(answer, rule_id):
    return rule_id in answer.headers.get("X-Fake-Assumed", "").split(", ")


@pytest.mark.parametrize("written", ["bearer {}", "BEARER {}", "Bearer  {}"])
def test_another_form_of_the_header_is_accepted_by_assumption(written):
    for alternative, status in (("any-case", 200), ("exact", 401)):
        with calling(make(assume={FORM: alternative})) as me:
            header = {"Authorization": written.format(me.bearer["Authorization"].split()[1])}
            answer = me.api("PATCH", "/users/u-001", json={}, headers=header)
            assert (answer.status_code, assumed(answer, FORM)) == (status, True)


@pytest.mark.parametrize("header", [{}, {"Authorization": "Basic dTpw"}, {"Authorization": "bearer"}])
def test_what_is_no_bearer_in_any_form_rests_on_no_such_assumption(me, header):
    me.bearer = header
    answer = me.patch()
    assert (answer.status_code, assumed(answer, FORM)) == (401, False)


def test_the_described_form_rests_on_no_assumption():
    with calling(make(assumptions="refuse")) as me:
        assert me.patch().status_code == 200


@pytest.mark.parametrize(("alternative", "status"), [("any-case", 201), ("exact", 401)])
def test_content_comes_with_a_bearer_of_the_same_forms(alternative, status):
    with calling(make(assume={FORM: alternative})) as me:
        url = me.url()
        me.bearer = {"Authorization": me.bearer["Authorization"].replace("Bearer", "bearer")}
        assert me.send(url).status_code == status


ORDER = "api.bearer-order"
BEFORE = {
    "ended": lambda me: me.api("GET", "/users/u-001/mail/vipmailfolders"),
    "not described": lambda me: me.api("GET", "/directory/custom-fields"),
    "too large": lambda me: me.api("PATCH", "/users/u-001", content=bytes(16 * 1024 * 1024 + 1)),
}


@pytest.fixture(params=BEFORE.values(), ids=BEFORE)
def send(request):
    return request.param


@pytest.mark.parametrize("header", [{}, {"Authorization": "Bearer made-up"}], ids=["none", "made up"])
def test_what_is_refused_before_the_bearer_rests_on_an_assumption_without_one(me, send, header):
    me.bearer = header
    answer = send(me)
    assert answer.status_code not in (401, 403)
    assert assumed(answer, ORDER)
    me.fake.rules.choose({ORDER: "bearer-first"})
    answer = send(me)
    assert answer.status_code == 401
    assert assumed(answer, ORDER)


def test_with_a_valid_bearer_it_makes_no_difference(send):
    for alternative in ("bearer-last", "bearer-first"):
        with calling(make(assume={ORDER: alternative})) as me:
            answer = send(me)
            assert answer.status_code not in (401, 403)
            assert not assumed(answer, ORDER)


UNMATCHED = "api.unmatched-bearer"
NO_OPERATION = {
    "no operation": lambda me: me.api("GET", "/users"),
    "no operation of the storage": lambda me: me.http.get(
        me.facts["upload_url"] + "/none", headers=me.bearer
    ),
}


@pytest.mark.parametrize("send", NO_OPERATION.values(), ids=NO_OPERATION)
@pytest.mark.parametrize("header", [{}, {"Authorization": "Bearer made-up"}], ids=["none", "made up"])
def test_that_the_bearer_of_no_operation_comes_first_is_an_assumption(me, send, header):
    me.bearer = header
    answer = send(me)
    assert answer.status_code == 401
    assert assumed(answer, UNMATCHED)
    me.fake.rules.choose({UNMATCHED: "not-checked"})
    answer = send(me)
    assert answer.status_code == 404
    assert assumed(answer, UNMATCHED)


@pytest.mark.parametrize("send", NO_OPERATION.values(), ids=NO_OPERATION)
@pytest.mark.parametrize("alternative", ["checked", "not-checked"])
def test_a_valid_bearer_of_no_operation_makes_no_difference(send, alternative):
    with calling(make(assume={UNMATCHED: alternative})) as me:
        answer = send(me)
        assert answer.status_code == 404
        assert not assumed(answer, UNMATCHED)


def test_neither_the_authorization_server_nor_a_webhook_needs_a_bearer():
    with calling(make(assume={ORDER: "bearer-first"})) as me:
        assert me.http.get(me.facts["auth_url"] + "/none").status_code == 404
        assert me.http.get(me.facts["webhook_url"] + "/none").status_code == 400


def test_a_bearer_that_comes_first_leaves_nothing_to_rest_on_what_comes_later():
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

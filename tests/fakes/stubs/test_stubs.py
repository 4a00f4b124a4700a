"""Stubs: responses to calls that the service's description does not have."""

import threading

import httpx
import pytest
import requests

from fakes import AssumptionRefused, StubResponse
from fakes.http.own_headers import OWN_HEADERS
from fakes.stubs.registry import CannotBeStubbed

from ...loopback import PATIENCE, local_client
from ..caller import calling, make


def test_a_stub_responds_and_is_marked(me):
    me.fake.stub("GET", "/groups", json={"groups": []}, headers={"X-Total": "0"})
    response = me.api("GET", "/groups")
    assert (response.status_code, response.json()) == (200, {"groups": []})
    assert response.headers["X-Fake-Stubbed"] == "GET /groups"
    assert response.headers["X-Total"] == "0"
    assert response.headers["Content-Type"] == "application/json; charset=UTF-8"
    assert "X-Fake-Assumed" not in response.headers
    assert me.api("POST", "/groups").status_code == 404


@pytest.mark.parametrize("body", [None, [], "text", 7, True, {"a": [{"b": None}]}])
def test_any_json_value_is_a_body(me, body):
    me.fake.stub("GET", "/groups", json=body)
    assert me.api("GET", "/groups").json() == body


def test_without_json_there_is_no_body(me):
    me.fake.stub("DELETE", "/groups/{groupId}", status=204)
    response = me.api("DELETE", "/groups/group-1")
    assert (response.status_code, response.content) == (204, b"")
    assert "Content-Type" not in response.headers


def test_another_media_type_is_kept(me):
    me.fake.stub(
        "GET",
        "/groups",
        status=404,
        json={"title": "none"},
        headers={"content-type": "application/problem+json"},
    )
    assert me.api("GET", "/groups").headers.get_list("Content-Type") == ["application/problem+json"]


def test_path_parameters_are_filled_into_texts(me):
    me.fake.stub(
        "GET",
        "/groups/{groupId}/members/{userId}",
        json={"ids": ["{userId} of {groupId}"], "{groupId}": "{x}"},
    )
    response = me.api("GET", "/groups/a%2Fb/members/%E4%B8%96")
    assert response.json() == {"ids": ["世 of a/b"], "{groupId}": "{x}"}


def test_a_path_parameter_is_one_segment_that_is_not_empty(me):
    me.fake.stub("GET", "/groups/{groupId}", json={})
    for path in ("/groups", "/groups/", "/groups/a/b", "/Groups/a"):
        assert me.api("GET", path).status_code == 404


def test_characters_of_patterns_stand_for_themselves(me):
    me.fake.stub("GET", "/groups/a.b(c)*", json={})
    assert me.api("GET", "/groups/a.b(c)*").status_code == 200
    assert me.api("GET", "/groups/axb(c)*").status_code == 404


def test_the_stub_with_fewer_parameters_responds(me):
    me.fake.stub("GET", "/users/{userId}", json={"userId": "{userId}"})
    me.fake.stub("GET", "/users/me", json={"userId": "u-001"})
    assert [me.api("GET", f"/users/{each}").json()["userId"] for each in ("me", "u-7")] == ["u-001", "u-7"]


def test_a_function_gets_the_call(me):
    calls = []

    def respond(call):
        calls.append(call)
        return {"sent": call.json["text"]}

    me.fake.stub("POST", "/bots/{botId}/messages", status=201, json=respond)
    response = me.api(
        "POST", "/bots/bot%201/messages?dry=1&dry=2&x=", json={"text": "hi"}, headers={"X-Trace": "t-1"}
    )
    assert (response.status_code, response.json()) == (201, {"sent": "hi"})
    (call,) = calls
    assert (call.method, call.path, call.params) == ("POST", "/bots/bot%201/messages", {"botId": "bot 1"})
    assert (call.query, call.headers["x-trace"], call.user_id) == ({"dry": "1", "x": ""}, "t-1", "u-001")
    assert me.bearer["Authorization"].removeprefix("Bearer ") not in repr(call)


def test_a_function_can_use_the_fake_and_refuse(me):
    me.fake.stub("GET", "/users/{userId}", json=lambda call: me.fake.directory[call.params["userId"]])
    assert me.api("GET", "/users/u-002").json()["userId"] == "u-002"
    me.fake.stub(
        "GET", "/users/{userId}", json=lambda call: StubResponse(status=404, json={"code": "NOT_FOUND"})
    )
    assert me.api("GET", "/users/u-002").status_code == 404


@pytest.mark.parametrize("returned", [{1, 2}, {"members": float("inf")}])
def test_what_a_function_returns_is_checked(me, returned):
    me.fake.stub("GET", "/groups", json=lambda call: returned)
    with pytest.raises(ValueError, match="the function of the stub GET /groups must return a JSON value"):
        me.api("GET", "/groups")


def count_to_three(call):
    return 3 // len(call.params)


FAILED = "the stub GET /groups failed: ZeroDivisionError: "


def test_what_a_function_raises_reaches_the_caller_and_the_journal(me):
    stub = me.fake.stub("GET", "/groups", json=count_to_three)
    with pytest.raises(ZeroDivisionError):
        me.api("GET", "/groups")
    with me.fake.responses(), pytest.raises(ZeroDivisionError):
        requests.get(me.fake.facts["base_url"] + "/groups", headers=me.bearer, timeout=9)
    assert stub.used == 0
    for entry in list(me.fake.journal)[-2:]:
        assert (entry.operation, entry.status, entry.user_id) == ("stubbed", 500, "u-001")
        assert entry.reason.startswith(FAILED)
    assert me.api("PATCH", "/users/u-001", json={"nickName": "M"}).status_code == 200


def test_failed_function_journals_no_fault(me):
    me.fake.stub("GET", "/groups", json=count_to_three)
    me.fake.faults.delay("stubbed", seconds=1)
    with pytest.raises(ZeroDivisionError):
        me.api("GET", "/groups")
    (entry,) = me.fake.journal
    assert (entry.status, entry.injected) == (500, None)


def test_a_served_fake_responds_to_what_a_function_raises(me, caplog):
    me.fake.stub("GET", "/groups", json=count_to_three)
    with me.fake.serve() as served, local_client() as http:
        response = http.get(served.facts["base_url"] + "/groups", headers=me.bearer)
    assert (response.status_code, response.json()["code"]) == (500, "STUB_FAILED")
    assert response.json()["description"].startswith(FAILED)
    assert response.headers["X-Fake-Reason"] == response.json()["description"]
    assert response.headers["X-Fake-Stubbed"] == "GET /groups"
    assert "count_to_three" in caplog.text
    assert len(me.fake.journal) == 1
    assert me.fake.journal[-1].reason.startswith(FAILED)


def test_nested_calls_do_not_mark_the_response(me):
    me.fake.rules.choose({}, deviations={"file.stored": "200"})

    def respond(call):
        me.upload()
        return me.api("GET", "/nothing").status_code

    me.fake.stub("GET", "/groups", json=respond)
    response = me.api("GET", "/groups")
    assert response.json() == 404
    assert not {"X-Fake-Assumed", "X-Fake-Deviates"} & {name.title() for name in response.headers}
    *_, stored, nested, entry = me.fake.journal
    assert stored.deviations
    assert "api.unmatched" in nested.assumed
    assert (entry.operation, entry.assumed, entry.deviations) == ("stubbed", (), ())


def test_responses_come_one_after_another(me):
    stub = me.fake.stub("GET", "/jobs/{jobId}", status=503, headers={"Retry-After": "1"})
    stub.then(json={"state": "running"}).then(
        json=lambda call: {"state": "done", "job": call.params["jobId"]}
    )
    answers = [me.api("GET", "/jobs/7") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [503, 200, 200, 200]
    assert [answer.json()["state"] for answer in answers[1:]] == ["running", "done", "done"]
    assert stub.used == 4
    assert repr(stub) == "<Stub GET /jobs/{jobId}: 3 responses, used 4 times>"


@pytest.mark.parametrize(
    ("method", "path", "operation"),
    [
        ("PATCH", "/users/{userId}", "PATCH /users/{userId} in section Endpoints › Directory"),
        ("patch", "/users/u-001", "PATCH /users/{userId} in"),
        ("GET", "/users/{id}/photo", "GET /users/{userId}/photo in section Endpoints › File transfer"),
    ],
)
def test_described_operations_are_refused(me, method, path, operation):
    with pytest.raises(CannotBeStubbed, match="cannot be stubbed") as caught:
        me.fake.stub(method, path, json={})
    assert operation in str(caught.value)
    assert len(me.fake.stubs) == 0


def test_the_token_endpoint_is_refused(me):
    with pytest.raises(CannotBeStubbed, match=r"POST /oauth2/v2\.0/token in section"):
        me.fake.stub("POST", "/oauth2/v2.0/token", area="auth")


def test_a_described_operation_is_never_taken_over(me):
    me.fake.stub("GET", "/{a}/{b}/photo", json={"stub": True})
    assert me.api("GET", "/users/u-001/photo").status_code == 404
    assert me.api("GET", "/rooms/r-1/photo").json() == {"stub": True}


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"path": "groups"}, "path must be a path below the URL of its area"),
        ({"path": "https://api.fake.test/groups"}, "given 'https://api.fake.test/groups'"),
        ({"path": "/groups?x=1"}, "without a query"),
        ({"path": "/世"}, "percent-encoded"),
        ({"path": "/{a}/{a}"}, "with a name of its own"),
        ({"path": "/x{a}"}, "each parameter is a whole segment"),
        ({"path": "/{a"}, "each parameter is a whole segment"),
        ({"path": 7}, "path must be a string; given 7"),
        ({"method": "PSOT"}, "given 'PSOT'; did you mean POST?"),
        (
            {"json": '{"a": 1}'},
            "json must be the value itself, such as a dict; given text that is the JSON of one",
        ),
        ({"method": "G T"}, "method must be an HTTP method, such as GET; given 'G T'"),
        ({"status": 99}, "status must be at least 200; given 99"),
        ({"status": 600}, "status must be at most 599; given 600"),
        ({"status": 204, "json": {}}, "has no body with the status 204"),
        ({"headers": {"X": "a\r\nb"}}, "must be visible ASCII characters"),
        ({"headers": {"X Y": "a"}}, "must be the name of a header"),
        ({"headers": {"Content-Length": "3"}}, "must not be Content-Length, which the fake writes itself"),
        *[
            ({"headers": {each: "x"}}, f"must not be {each}, which the fake writes itself")
            for each in OWN_HEADERS
        ],
        ({"headers": {"x-fake-stubbed": "x"}}, "must not be x-fake-stubbed, which the fake writes itself"),
        ({"headers": {"X" * 101: "a"}}, "must have at most 100 characters; given 101 characters"),
        ({"headers": {"X": "a" * 4001}}, "must have at most 4000 characters; given 4001 characters"),
        ({"path": "/" + "a" * 2000}, "path must have at most 2000 characters; given 2001 characters"),
        ({"json": {"at": object()}}, "json"),
        ({"json": {"at": [float("nan")]}}, "has NaN or an infinity in json.at[0], which JSON does not have"),
        ({"json": ["\ud800"]}, "has half a character, a \\uD800 to \\uDFFF without its other half, in json"),
        ({"area": "hooks"}, "area must be 'api' or 'auth'"),
        ({"bearer": 1}, "bearer must be true or false; given 1"),
    ],
)
def test_what_is_wrong_is_told(me, wrong, reason):
    given = {"method": "GET", "path": "/groups"} | wrong
    with pytest.raises(ValueError, match="this stub is not valid: ") as caught:
        me.fake.stub(given.pop("method"), given.pop("path"), **given)
    assert reason in str(caught.value)
    assert len(me.fake.stubs) == 0


def test_a_stub_may_have_the_longest_path_and_headers_and_a_note(me):
    path, headers = "/" + "a" * 1999, {"X" * 100: "b" * 4000, "X-Note": "a stub of ours"}
    me.fake.stub("GET", path, headers=headers)
    sent = me.api("GET", path).headers
    assert {name: sent[name] for name in headers} == headers


def test_all_problems_are_told_together(me):
    with pytest.raises(ValueError, match=r"status must be at least 200; .*path must be") as caught:
        me.fake.stub("GET", "groups", status=1)
    assert "given 1" in str(caught.value)
    stub = me.fake.stub("GET", "/groups")
    with pytest.raises(ValueError, match="status must be at most 599"):
        stub.then(status=700)


def test_an_equal_stub_replaces_the_earlier_one(me):
    me.fake.stub("GET", "/groups/{groupId}", json=1)
    me.fake.stub("get", "/groups/{id}", json=2)
    assert me.api("GET", "/groups/g-1").json() == 2
    assert len(me.fake.stubs) == 1


def test_stubs_can_be_removed(me):
    first, second = me.fake.stub("GET", "/groups"), me.fake.stub("GET", "/boards")
    me.fake.stubs.remove(first)
    assert list(me.fake.stubs) == [second]
    assert me.api("GET", "/groups").status_code == 404
    me.fake.stubs.clear()
    assert repr(me.fake.stubs) == "<Stubs: none>"


# -- a stub is a call of its area ---------------------------------------------------------------------------------


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer made-up"}])
def test_a_bad_token_is_refused_as_for_described_calls(me, headers):
    stub = me.fake.stub("GET", "/groups", json={})
    response = me.http.get(me.facts["base_url"] + "/groups", headers=headers)
    assert response.status_code == 401
    assert "X-Fake-Stubbed" not in response.headers
    assert "X-Fake-Section" not in response.headers
    assert stub.used == 0


def test_a_stub_may_need_no_token(me):
    me.fake.stub("GET", "/groups", json={}, bearer=False)
    assert me.http.get(me.facts["base_url"] + "/groups").status_code == 200


def test_a_stub_of_the_authorization_server_needs_no_token(me):
    me.fake.stub("POST", "/oauth2/v2.0/revoke", area="auth")
    assert me.http.post(me.facts["auth_url"] + "/oauth2/v2.0/revoke", data={"token": "x"}).status_code == 200
    assert me.api("POST", "/oauth2/v2.0/revoke").status_code == 404


def test_stubs_pass_where_assumptions_are_refused():
    with calling(make(assumptions="refuse")) as me:
        me.fake.stub("GET", "/groups", json={"groups": []})
        assert me.api("GET", "/groups?id=1&id=2").json() == {"groups": []}
        with pytest.raises(AssumptionRefused):
            me.api("GET", "/boards")
        with pytest.raises(AssumptionRefused):
            me.http.get(me.facts["base_url"] + "/groups")


def test_the_journal_records_stubbed_calls(me):
    me.fake.stub("GET", "/groups/{groupId}", json={})
    me.api("GET", "/groups/g-1")
    (entry,) = me.fake.journal.where(operation="stubbed")
    assert (entry.path, entry.status, entry.user_id, entry.assumed) == ("/groups/g-1", 200, "u-001", ())
    assert entry.rules == ("api.bearer",)


@pytest.mark.parametrize("target", ["stubbed", "/groups"])
def test_faults_apply_to_stubbed_calls(me, target):
    stub = me.fake.stub("GET", "/groups", json={})
    me.fake.faults.status(target, 503)
    assert [me.api("GET", "/groups").status_code for _ in "ab"] == [503, 200]
    assert stub.used == 1


def test_budgets_count_stubbed_calls(me):
    me.fake.stub("GET", "/groups", json={})
    with me.fake.budget(calls=2) as budget:
        me.api("GET", "/groups")
        me.api("GET", "/groups")
    assert budget.left == 0


def test_the_rate_of_the_resource_api_counts_stubbed_calls():
    with calling(make(assume={"api.rate-limit": "per-minute"})) as me:
        me.fake.settings.api_calls_per_minute = 1
        me.fake.stub("GET", "/groups", json={})
        assert [me.api("GET", "/groups").status_code for _ in "ab"] == [200, 429]


def test_head_is_a_method_of_its_own(me):
    me.fake.stub("GET", "/groups", json={})
    assert me.api("HEAD", "/groups").status_code == 404
    me.fake.stub("HEAD", "/groups", json={"groups": []})
    response = me.api("HEAD", "/groups")
    assert (response.status_code, response.content, response.headers["Content-Length"]) == (200, b"", "13")


def test_threads_see_each_response_once(me):
    stub = me.fake.stub("GET", "/next", json=0)
    for number in range(1, 20):
        stub.then(json=number)
    seen = []
    threads = [threading.Thread(target=lambda: seen.append(me.api("GET", "/next").json())) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(seen) == list(range(20))


def test_stubs_work_through_every_door(me):
    me.fake.stub("GET", "/groups/{groupId}", json={"groupId": "{groupId}"})
    with me.fake.serve() as served:
        response = httpx.get(served.facts["base_url"] + "/groups/世", headers=me.bearer, timeout=PATIENCE)
    assert response.json() == {"groupId": "世"}


def test_a_path_with_the_prefix_of_the_base_url_is_refused():
    fake = make(addresses={"base_url": "https://www.example.com/v1.0"})
    with pytest.raises(ValueError, match=r"ends with /v1\.0: leave that out"):
        fake.stub("GET", "/v1.0/groups", json={})
    fake.stub("GET", "/groups", json={})
    assert len(fake.stubs) == 1


def test_a_response_is_given_by_keywords(me):
    with pytest.raises(
        TypeError, match=r'such as fake\.stub\("GET", "/groups", json=\.\.\.\); given \{.*\} without'
    ):
        me.fake.stub("GET", "/groups", {"groups": []})

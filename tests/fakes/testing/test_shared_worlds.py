"""The fixture ``svckit_world``: a world for each test, of one server for the whole run."""

import httpx
import pytest

pytest_plugins = ["pytester"]

SOURCE = """
    import httpx, pytest

    @pytest.fixture
    def http():
        with httpx.Client(trust_env=False, timeout=60) as http:
            yield http

    @pytest.mark.parametrize("turn", range(6))
    def test_world(svckit_world, http, turn, tmp_path):
        body = {"body": {"text": f"hello {turn}"}}
        assert http.post(svckit_world["webhooks"][0], json=body).status_code == 200
        headers = {"Authorization": f"Bearer {svckit_world['admin_key']}"}
        read = http.get(svckit_world["admin_url"] + "/rooms/channel-1/messages", headers=headers).json()
        assert [message["text"] for message in read["messages"]] == [f"hello {turn}"]
        assert svckit_world["now"] == "2026-06-01T09:00:00+09:00"
        assert svckit_world["admin_key"] not in repr(svckit_world)
        print("SERVER", svckit_world["base_url"].partition("/w/")[0])

    @pytest.mark.fake(users=2, assume={"api.unauthorized": "403"})
    def test_configured(svckit_world, http):
        assert svckit_world["users"] == ["u-001", "u-002"]
        assert http.patch(svckit_world["base_url"] + "/users/u-001", json={}).status_code == 403

    def test_none_is_left(_svckit_worlds, http):
        headers = {"Authorization": f"Bearer {_svckit_worlds['admin_key']}"}
        assert http.get(_svckit_worlds["admin_url"] + "/worlds", headers=headers).json() == {"worlds": []}
"""


def list_servers(result):
    return {line.split()[-1] for line in result.outlines if line.startswith("SERVER")}


def check_stopped(servers):
    (url,) = servers
    with pytest.raises(httpx.ConnectError):
        httpx.get(url, trust_env=False)


def test_each_test_has_a_world_of_one_server(run):
    result = run(SOURCE, "-rP")
    result.assert_outcomes(passed=8)
    check_stopped(list_servers(result))


def test_workers_share_the_server_which_stops_when_the_run_ends(run):
    source = SOURCE.partition("    def test_none_is_left")[0]
    result = run(source, "-rP", "-p", "xdist.plugin", "-n", "2", process=True)
    result.assert_outcomes(passed=7)
    check_stopped(list_servers(result))


def test_settings_are_those_of_all_worlds(run, pytester):
    pytester.makeini("[pytest]\nsvckit_fake =\n    users = 4\n    header_word = 'ACME'\n")
    source = """
        def test_world(svckit_world):
            assert (len(svckit_world["users"]), svckit_world["header_word"]) == (4, "ACME")
    """
    run(source).assert_outcomes(passed=1)


def test_what_a_world_cannot_have_is_said(run):
    source = """
        import pytest

        @pytest.mark.fake(header_word="ACME")
        def test_world(svckit_world): ...
    """
    result = run(source)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*test_world, marker fake: header_word is not a field of this call*"])

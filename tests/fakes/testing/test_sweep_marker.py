"""The marker `assumption_sweep`: a test runs as it is, then under the alternatives of what it relied on."""

import re

import pytest

pytest_plugins = ["pytester"]

ASKS = """
    import httpx
    import pytest

    def ask(fake):
        "A request that rests on api.unauthorized, and on api.error-body for the shape of its error."
        with httpx.Client(transport=fake.transport()) as http:
            return http.patch(fake.facts["base_url"] + "/users/u-001", json={})

    def chosen(fake):
        rules = fake.rules
        return {r.id: r.chosen for r in rules if r.alternatives and r.chosen != r.alternatives[0]}

    RUNS = []
    """
ALTERNATIVES = ["api.unauthorized=403", "api.error-body=oauth2"]
EACH = [{}, {"api.unauthorized": "403"}, {"api.error-body": "oauth2"}]


def labels(result: pytest.RunResult, word: str) -> list[str]:
    return re.findall(rf"{word}\[(.+?)\]", result.stdout.str())


def alternatives_passed(result: pytest.RunResult) -> int:
    found = re.search(r"(\d+) alternatives passed", result.stdout.str())
    return int(found[1]) if found else 0


def test_marked_test_runs_under_each_alternative(run):
    result = run(
        f"""{ASKS}
    @pytest.mark.assumption_sweep
    def test_any(fake_service):
        assert len(fake_service.journal) == 0
        RUNS.append(chosen(fake_service))
        assert ask(fake_service).is_error

    def test_runs():
        assert RUNS == {EACH}
        """,
        "-v",
    )
    result.assert_outcomes(passed=2)
    assert labels(result, "PASSED") == ALTERNATIVES
    assert alternatives_passed(result) == 2


def test_a_test_that_relies_on_no_assumption_runs_once(run):
    result = run(
        f"""{ASKS}
    @pytest.mark.assumption_sweep
    def test_any(svc):
        RUNS.append(svc.users.update("u-001", nick_name="Mina").nick_name)

    def test_runs():
        assert RUNS == ["Mina"]
        """
    )
    result.assert_outcomes(passed=2)
    assert alternatives_passed(result) == 0


def test_what_a_session_relies_on_is_tried_through_it(run):
    result = run(
        f"""{ASKS}
    import svckit

    @pytest.mark.assumption_sweep
    def test_any(svc):
        RUNS.append(chosen(svc.fake))
        with pytest.raises((svckit.NotFound, svckit.Refused)):
            svc.users.read("u-999")

    def test_runs():
        assert {{"user.unknown": "409"}} not in RUNS
        assert RUNS[0] == {{}}
        assert len(RUNS) > 1
        assert all(len(assumed) == 1 for assumed in RUNS[1:])
        """
    )
    result.assert_outcomes(passed=2)


def test_an_alternative_that_breaks_a_test_is_a_failure_that_names_it(run):
    result = run(
        f"""{ASKS}
    @pytest.mark.assumption_sweep
    def test_any(fake_service):
        assert ask(fake_service).status_code == 401
        """
    )
    result.assert_outcomes(passed=1, failed=1)
    assert alternatives_passed(result) == 1
    shown = result.stdout.str()
    assert labels(result, "FAILED") == ["api.unauthorized=403"]
    result.stdout.fnmatch_lines(
        [
            "*_ test_any[[]api.unauthorized=403[]] _*",
            "*assert 403 == 401*",
            "*fake_service: the last 1 of 1 requests*",
            "*403  PATCH *https://api.fake.test/users/u-001*",
            "*assumption api.unauthorized=403*",
            "The test passes with the fake as it is, but not under this alternative of an assumption: *",
            "*only: @pytest.mark.fake(assume={'api.unauthorized': '403'})",
        ]
    )
    assert shown.count("Traceback") == 0


def test_the_named_rules_are_tried_and_no_others(run):
    result = run(
        f"""{ASKS}
    @pytest.mark.assumption_sweep("api.unauthorized", "lifecycle.ended")
    def test_any(fake_service):
        ask(fake_service)
        """,
        "-v",
    )
    result.assert_outcomes(passed=1)
    assert sorted(labels(result, "PASSED")) == ["api.unauthorized=403", "lifecycle.ended=410"]


def test_a_test_that_does_not_pass_as_it_is_is_not_tried_further(run):
    tests = [
        f"""
    @pytest.mark.assumption_sweep
    def test_{number}(fake_service):
        ask(fake_service)
        {head}
    """
        for number, head in enumerate(("raise ValueError", "pytest.skip()", "pytest.xfail()"))
    ]
    result = run(ASKS + "".join(tests))
    result.assert_outcomes(failed=1, skipped=1, xfailed=1)
    assert alternatives_passed(result) == 0


def test_each_run_has_fixtures_of_its_own_and_wider_ones_stay(run, pytester):
    pytester.makepyfile(
        test_later="""
        import builtins

        def test_torn_down():
            assert builtins.made_and_torn_down == ["made", "torn down"]
            del builtins.made_and_torn_down
        """
    )
    result = run(
        f"""{ASKS}
    import builtins

    FOLDERS = set()

    @pytest.fixture(scope="module", autouse=True)
    def wide():
        builtins.made_and_torn_down = ["made"]
        yield
        builtins.made_and_torn_down.append("torn down")

    @pytest.fixture
    def narrow(fake_service):
        RUNS.append("narrow")
        ask(fake_service)
        yield []
        RUNS.append("torn down")

    class TestAny:
        @pytest.mark.assumption_sweep
        def test_any(self, narrow, tmp_path, record_property):
            assert not hasattr(self, "seen")
            assert tmp_path not in FOLDERS
            self.seen = FOLDERS.add(tmp_path)
            record_property("color", "red")
            assert narrow == []
            narrow.append(1)
            assert builtins.made_and_torn_down == ["made"]

    def test_runs():
        assert RUNS == ["narrow", "torn down"] * 3
        """,
        "-v",
        f"{pytester.path}",
    )
    result.assert_outcomes(passed=3)
    assert alternatives_passed(result) == 2


def test_a_method_of_a_test_case_is_swept_on_a_new_instance_each_time(run):
    result = run(
        f"""{ASKS}
    import unittest

    @pytest.mark.usefixtures("ours")
    class TestOurs(unittest.TestCase):
        def setUp(self):
            assert not hasattr(self, "seen")
            self.seen = True

        @pytest.fixture
        def ours(self, fake_service):
            self.fake = fake_service

        @pytest.mark.assumption_sweep
        def test_any(self):
            RUNS.append(chosen(self.fake))
            self.assertEqual(ask(self.fake).status_code, 401)

    def test_runs():
        assert RUNS == {EACH}
        """
    )
    result.assert_outcomes(passed=2, failed=1)
    assert labels(result, "FAILED") == ["api.unauthorized=403"]


def test_each_set_of_parameters_is_swept(run):
    result = run(
        f"""{ASKS}
    @pytest.mark.assumption_sweep
    @pytest.mark.parametrize("status", [401, 404])
    def test_any(fake_service, status):
        assert ask(fake_service).status_code in (401, status)
        """
    )
    result.assert_outcomes(passed=2, failed=2)
    result.stdout.fnmatch_lines(["*_ test_any[[]401[]][[]api.unauthorized=403[]] _*"])


def test_async_tests_are_swept_as_their_plugin_runs_them(run):
    result = run(
        f"""{ASKS}
    @pytest.fixture(params=["asyncio", "trio"])
    def anyio_backend(request):
        return request.param

    @pytest.mark.anyio
    @pytest.mark.assumption_sweep
    async def test_any(fake_service):
        async with httpx.AsyncClient(transport=fake_service.transport()) as http:
            assert (await http.patch(fake_service.facts["base_url"] + "/users/u-001")).status_code == 401
        """,
        "-p",
        "anyio.pytest_plugin",
    )
    result.assert_outcomes(passed=2, failed=2)
    assert labels(result, "FAILED") == ["api.unauthorized=403"] * 2


def test_failing_fixture_names_the_alternative(run):
    result = run(
        f"""{ASKS}
    @pytest.fixture
    def asked(fake_service):
        assert ask(fake_service).status_code == 401

    @pytest.mark.assumption_sweep
    def test_any(fake_service, asked):
        pass
        """
    )
    result.assert_outcomes(passed=1, errors=1)
    assert labels(result, "ERROR") == ["api.unauthorized=403"]


WRONG = {
    "'api.unauthorised'": "'api.unauthorised' is not a rule of this fake; did you mean api.unauthorized",
    "'token.refreshed'": "the rule token.refreshed is documented, so it has no alternatives",
    "api='unauthorized'": 'its arguments are rule IDs, such as assumption_sweep("api.unauthorized")',
}


def test_a_wrong_marker_fails_its_test_and_no_other(run):
    tests = [
        f"@pytest.mark.assumption_sweep({rule_ids})\ndef test_{number}(svc): pass"
        for number, rule_ids in enumerate(WRONG)
    ]
    result = run("\n".join(["import pytest", *tests, "def test_other(): pass"]))
    result.assert_outcomes(errors=len(WRONG), passed=1)
    for number, found in enumerate(WRONG.values()):
        assert f"test_{number}, marker assumption_sweep: {found}" in result.stdout.str()


def test_a_fake_that_is_not_new_for_each_run_is_told_so(run):
    result = run(
        f"""{ASKS}
    from fakes import FakeService

    @pytest.fixture(scope="module")
    def fake_service():
        return FakeService.sample()

    @pytest.mark.assumption_sweep
    def test_any(fake_service):
        pass

    def test_other(fake_service):
        pass
        """
    )
    result.assert_outcomes(errors=1, passed=1)
    result.stdout.fnmatch_lines(['*each run needs a new fake, but fake_service has scope="module"*'])


def test_a_marked_test_is_skipped_where_its_session_talks_to_a_server(run):
    source = (
        "import pytest\n@pytest.mark.assumption_sweep\ndef test_any(svc):\n    assert svc.users.read('u-001')"
    )
    result = run(source, "--svckit-target=served", "-rs")
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(
        ["*a new fake for each alternative, which --svckit-target=served does not have*"]
    )


def test_a_marked_test_that_takes_no_fake_is_told_so(run):
    fixtures = ("", "served_fake", "tmp_path")
    tests = [
        f"@pytest.mark.assumption_sweep\ndef test_{number}({each}): pass"
        for number, each in enumerate(fixtures)
    ]
    result = run("\n".join(["import pytest", *tests]))
    result.assert_outcomes(errors=3)
    for number in range(3):
        told = f"test_{number}, marker assumption_sweep: the test must take fake_service or svc"
        assert told in result.stdout.str()

"""Reports of swept tests: failures that name an alternative, reruns, JUnit XML and workers."""

import re
import xml.etree.ElementTree as ET

from .test_sweep_marker import ASKS, alternatives_passed, labels


def test_output_of_other_runs_is_not_repeated(run):
    result = run(
        f"""{ASKS}
    @pytest.mark.assumption_sweep
    def test_any(fake_service):
        status = ask(fake_service).status_code
        print("responded with", status)
        assert status == 401
        """
    )
    assert re.findall(r"responded with (\d+)", result.stdout.str().partition("Captured")[2]) == ["403"]


FAILS_FIRST = f"""{ASKS}
    @pytest.mark.assumption_sweep
    def test_any(fake_service):
        assert ask(fake_service).status_code == 401

    def test_other():
        pass
    """


def test_the_first_failure_ends_the_run_where_that_is_asked_for(run):
    result = run(FAILS_FIRST, "-x")
    result.assert_outcomes(passed=1, failed=1)
    assert alternatives_passed(result) == 0


def test_last_failed_includes_swept_tests(run, pytester):
    run(FAILS_FIRST, "-p", "cacheprovider", "--lf").assert_outcomes(passed=2, failed=1)
    run(FAILS_FIRST, "-p", "cacheprovider", "--lf").assert_outcomes(passed=1, failed=1)


def test_a_machine_readable_report_has_a_case_for_each_alternative(run, pytester):
    run(FAILS_FIRST, "--junitxml=report.xml")
    cases = ET.parse(pytester.path / "report.xml").getroot().iter("testcase")
    told = {
        (case.get("name"), found.get("value") if (found := case.find(".//property")) is not None else None): [
            part.tag for part in case if part.tag == "failure"
        ]
        for case in cases
    }
    assert told == {
        ("test_any", None): [],
        ("test_any", "api.unauthorized=403"): ["failure"],
        ("test_any", "api.error-body=oauth2"): [],
        ("test_other", None): [],
    }


def test_workers_sweep_too(run):
    result = run(FAILS_FIRST, "-p", "xdist.plugin", "-n", "1", process=True)
    result.assert_outcomes(passed=2, failed=1)
    assert labels(result, "FAILED") == ["api.unauthorized=403"]
    assert alternatives_passed(result) == 1

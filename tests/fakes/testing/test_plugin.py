"""The pytest plugin: its fixtures, its options, and what it adds to the report of a failed test."""

import re
import subprocess
import sys

import pytest

from fakes import FakeService

from .conftest import PLUGINS

pytest_plugins = ["pytester"]

HEAVY = re.compile(r"(pandas|httpx|httpx2|ipywidgets|jupyter\w*|IPython|nbformat|pydantic|typer|requests)$")
MOST = 50_000  # microseconds


SESSION = """
    import pytest

    @pytest.mark.parametrize("turn", [1, 2])
    def test_update(svc, turn):
        before = svc.users.read("u-001").nick_name
        assert before != "Other"
        assert svc.users.update("u-001", nick_name="Other").nick_name == "Other"
    """


@pytest.mark.parametrize("target", ["fake", "served"])
def test_a_session_talks_to_the_target_and_each_test_finds_it_as_new(run, target):
    run(SESSION, f"--svckit-target={target}").assert_outcomes(passed=2)


@pytest.mark.parametrize("target", ["fake", "served"])
def test_a_session_shares_its_fake_with_the_test_wherever_it_is(run, target):
    result = run(
        """
        import pytest

        @pytest.fixture
        def seen(fake_service):
            return fake_service

        def test_after(svc, fake_service):
            assert svc.fake is fake_service

        def test_before(fake_service, svc):
            assert svc.fake is fake_service

        def test_through_a_fixture(seen, svc):
            assert svc.fake is seen
        """,
        f"--svckit-target={target}",
    )
    result.assert_outcomes(passed=3)


def test_fake_beside_a_real_service_is_skipped(run, real_service):
    source = """
        def test_both(svc, fake_service): pass
        def test_session(svc): assert svc.local_fake is None  # its profile says that it is a fake
        def test_fake(fake_service): assert fake_service.journal is not None
        """
    result = run(source, "--svckit-target=real", "--svckit-profile=work", "-rs")
    result.assert_outcomes(passed=2, skipped=1)
    result.stdout.fnmatch_lines(["*with --svckit-target=real it talks to none*"])


@pytest.mark.parametrize("plugin", PLUGINS)
def test_a_run_without_one_of_the_plugins_goes_on_without_it(run, plugin):
    result = run("def test_other(): pass", without=plugin)
    result.assert_outcomes(passed=1)


def test_a_session_without_the_plugin_of_the_fakes_says_what_to_load(run):
    result = run("def test_any(svc): pass", without="svckit.fakes_plugin")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*svc needs the plugin svckit.fakes_plugin*add -p svckit.fakes_plugin*"])


def test_a_served_fake_is_one_server_with_a_new_state_for_each_test(run):
    result = run(
        """
        import httpx
        import pytest

        urls = set()

        @pytest.mark.parametrize("turn", [1, 2])
        def test_fresh(served_fake, turn):
            answer = httpx.post(served_fake.facts["webhooks"][0], json={"body": {"text": "hello"}}, timeout=60)
            assert answer.headers["RateLimit-Used"] == "1"
            assert len(served_fake.fake.journal) == 1
            urls.add(served_fake.url)
            assert len(urls) == 1
        """
    )
    result.assert_outcomes(passed=2)


@pytest.fixture
def real_service(monkeypatch):
    """A fake served from here, which stands in for the real service of the profile ``work``."""
    monkeypatch.setitem(sys.modules, "keyring", None)  # the machine's does not concern it
    fake = FakeService.sample()
    with fake.serve() as served:
        for name in (
            "base_url",
            "auth_url",
            "upload_url",
            "webhook_url",
            "client_id",
            "redirect_uri",
            *SIGN_IN,
        ):
            monkeypatch.setenv(f"SVCKIT_WORK_{name.upper()}", served.facts[name])
        monkeypatch.setenv("SVCKIT_WORK_SCOPES", "user,file")
        monkeypatch.setenv("SVCKIT_WORK_FAKE", "true")
        yield fake


def test_profile_of_a_real_service_signs_in_once(run, real_service):
    source = SESSION.replace('assert before != "Other"', "")
    result = run(source, "--svckit-target=real", "--svckit-profile=work")
    result.assert_outcomes(passed=2)
    assert [entry.operation for entry in real_service.journal].count("auth.login") == 1


SIGN_IN = ("client_secret", "login_id", "password")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--svckit-target=real"], "needs --svckit-profile=NAME"),
        (["--svckit-profile=work"], "needs --svckit-target=real"),
        (["--svckit-target=moon"], "invalid choice: 'moon'"),
        (["--svckit-target=real", "--svckit-profile=wrok"], "no profile 'wrok'"),
    ],
)
def test_options_that_do_not_go_together_are_explained(run, options, words):
    result = run("def test_nothing(): pass", *options)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert words in result.stdout.str() + result.stderr.str()
    assert "Traceback" not in result.stdout.str() + result.stderr.str()


def test_the_report_of_a_failed_test_ends_with_the_last_requests(run):
    result = run(
        """
        import httpx

        def test_fails(fake_service):
            with httpx.Client(transport=fake_service.transport()) as http:
                for number in range(12):
                    http.post(fake_service.facts["webhooks"][0], json={"body": {"text": "hello"}})
                http.patch(
                    fake_service.facts["base_url"] + "/users/u-001", json={},
                    headers={"Authorization": "Bearer " + fake_service.access_token()},
                )
            assert False

        def test_passes(fake_service):
            pass
        """
    )
    result.assert_outcomes(failed=1, passed=1)
    output = result.stdout.str()
    assert "fake_service: the last 10 of 13 requests" in output
    report = output.partition("the last 10 of 13 requests")[2]
    entries = re.findall(r"^ *(\d+)  200  (\w+) +(\S+)", report, re.MULTILINE)
    assert [int(number) for number, _, _ in entries] == list(range(4, 14))
    assert entries[0][1:] == ("POST", "https://hooks.fake.test/message/***")
    assert entries[-1][1:] == ("PATCH", "https://api.fake.test/users/u-001")
    assert not re.search(r"\b(at|wh)_[0-9a-f]{20}", report)


@pytest.mark.parametrize(
    ("fixtures", "target"),
    [("served_fake", "fake"), ("svc", "served"), ("svc", "fake"), ("svc, fake_service", "fake")],
)
def test_a_fake_behind_an_argument_is_reported_once_and_by_that_name(run, fixtures, target):
    fixture = fixtures.partition(",")[0]
    result = run(
        f"""
        import httpx

        def test_fails({fixtures}):
            httpx.Client(transport={fixture}.fake.transport()).get("https://api.fake.test/nowhere")
            raise ValueError
        """,
        f"--svckit-target={target}",
    )
    names = re.findall(r"(\w+): the last \d+ of \d+ requests", result.stdout.str())
    assert names == [fixture]
    result.stdout.fnmatch_lines(
        ["*401  GET *https://api.fake.test/nowhere*assumed: api.unmatched-bearer, api.unauthorized*"]
    )


@pytest.mark.parametrize("target", ["fake", "served"])
def test_session_follows_the_clock_of_its_fake(run, target):
    result = run(
        """
        def test_day_after(svc):
            svc.fake.clock.advance(hours=25)
            assert svc.users.read("u-003").user_id == "u-003"
            assert [entry.operation for entry in svc.fake.journal][-2:] == ["auth.token", "users.update"]
            for _ in range(121):
                svc.notify("hello", wait=True)
        """,
        f"--svckit-target={target}",
    )
    result.assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("source", "name"),
    [
        (
            """
            import pytest

            @pytest.fixture
            def prepared(svc):
                svc.users.read("u-001")
                raise ValueError

            def test_any(prepared):
                pass
            """,
            "svc",
        ),
        (
            """
            import httpx
            from fakes import FakeService

            def test_own():
                mine = FakeService.sample()
                asking(mine)

            def asking(fake):
                httpx.Client(transport=fake.transport()).get("https://api.fake.test/nowhere")
                raise ValueError
            """,
            "mine",
        ),
    ],
    ids=["a fixture that fails", "a fake of the test's own"],
)
def test_other_fakes_of_a_failed_test_are_reported_too(run, source, name):
    shown = run(source).stdout.str()
    assert re.findall(r"(\w+): the last \d+ of \d+ requests", shown) == [name]


def test_without_what_serves_it_a_served_fake_says_what_to_install(run, monkeypatch):
    monkeypatch.delitem(sys.modules, "fakes.doors.served")
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    shown = run("def test_any(served_fake): pass").stdout.str()
    told = "fake.serve() needs uvicorn, of the extra serve: pip install 'path/to/clone[serve]'"
    assert shown.splitlines().count(told) == 1, shown  # beside the summary, which CI shows whole
    assert len(shown.splitlines()) < 20


def test_a_fake_that_was_asked_nothing_is_not_reported(run):
    result = run("def test_fails(fake_service):\n    raise ValueError")
    assert ": the last " not in result.stdout.str()


def test_an_unrelated_run_pays_next_to_nothing():
    """pytest itself loads plugins past what -X importtime sees, so they are imported by name, after it."""
    code = f"import sys, pytest; import {', '.join(PLUGINS)}; print(*sys.modules)"
    finished = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", code], capture_output=True, text=True, check=True
    )
    assert [name for name in finished.stdout.split() if HEAVY.match(name)] == []
    times = {
        name: int(microseconds) for microseconds, name in re.findall(r"\| +(\d+) \| +(\S+)", finished.stderr)
    }
    assert sum(times[name] for name in ("svckit", *PLUGINS)) < MOST


def test_an_unrelated_run_loads_nothing_more(run):
    run(
        "import re, sys\n\ndef test_modules():\n"
        "    assert 'svckit.pytest_plugin' in sys.modules\n"
        f"    assert not [name for name in sys.modules if re.match({HEAVY.pattern!r}, name)]\n",
        process=True,
    ).assert_outcomes(passed=1)

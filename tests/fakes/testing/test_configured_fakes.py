"""The fake of a test is what its markers, the settings or a conftest ask for; sessions and sweeps use that fake."""

import pytest

pytest_plugins = ["pytester"]

USERS = """
    import pytest

    def users(fake):
        return len(fake.directory)
    """
TESTS = """
    def test_fake(fake_service):
        assert users(fake_service) == 3
        assert fake_service.clock.now().isoformat() == "2026-12-01T09:00:00+09:00"
        assert fake_service.rules["api.unauthorized"].chosen == "403"

    def test_session(svc):
        assert users(svc.fake) == 3
        assert svc.users.read("u-003").user_id == "u-003"

    def test_served(served_fake):
        assert users(served_fake.fake) == 3
        assert len(served_fake.facts["users"]) == 3

    def test_other(svc):
        svc.users.update("u-001", nick_name="Other")

    def test_fresh(svc):
        assert svc.users.read("u-001").nick_name != "Other"

    @pytest.mark.assumption_sweep("api.unauthorized")
    def test_swept(fake_service):
        assert users(fake_service) == 3
    """
MARKED = 'pytestmark = pytest.mark.fake(users=3, now="2026-12-01T09:00:00+09:00", assume={"api.unauthorized": "403"})'
SETTINGS = {
    "pytest.ini": """
        [pytest]
        svckit_fake =
            users = 3
            now = "2026-12-01T09:00:00+09:00"
            assume.api.unauthorized = "403"
        """,
    "tox.ini": """
        [pytest]
        svckit_fake =
            users = 3
            now = 2026-12-01T09:00:00+09:00
            assume = {"api.unauthorized" = "403"}
        """,
    "pyproject.toml": """
        [tool.pytest.ini_options]
        svckit_fake = ["users = 3", 'now = "2026-12-01T09:00:00+09:00"', 'assume.api.unauthorized = "403"']
        """,
}


@pytest.mark.parametrize("target", ["fake", "served"])
def test_a_marker_configures_the_fake(run, target):
    result = run(f"{USERS}\n    {MARKED}\n{TESTS}", f"--svckit-target={target}")
    result.assert_outcomes(passed=6)


@pytest.mark.parametrize("target", ["fake", "served"])
@pytest.mark.parametrize("file", SETTINGS)
def test_a_setting_configures_every_fake(run, pytester, file, target):
    (pytester.path / file).write_text(SETTINGS[file].replace("\n        ", "\n"))
    run(USERS + TESTS, f"--svckit-target={target}").assert_outcomes(passed=6)


@pytest.mark.parametrize("target", ["fake", "served"])
def test_a_conftest_that_overrides_the_fixture_configures_the_fake(run, pytester, target):
    pytester.makeconftest(
        """
        import pytest
        from fakes import FakeService

        @pytest.fixture
        def fake_service():
            fake = FakeService.sample(3, now="2026-12-01T09:00:00+09:00", assume={"api.unauthorized": "403"})
            assert len(fake.journal) == 0
            return fake
        """
    )
    source = USERS + TESTS.replace("def test_served(served_fake)", "def no_test(served_fake)")
    run(source, f"--svckit-target={target}").assert_outcomes(passed=5)


@pytest.mark.parametrize("target", ["fake", "served"])
def test_a_conftest_may_build_on_the_fixture_it_overrides(run, pytester, target):
    pytester.makeconftest(
        """
        import pytest

        @pytest.fixture
        def fake_service(fake_service):
            fake_service.clock.advance(hours=1)
            return fake_service
        """
    )
    result = run(
        """
        def test_any(svc, fake_service):
            assert svc.fake is fake_service
            assert svc.fake.clock.now().isoformat() == "2026-06-01T10:00:00+09:00"
        """,
        f"--svckit-target={target}",
    )
    result.assert_outcomes(passed=1)


def test_fixture_named_fake_service_is_not_the_target(run, pytester, monkeypatch):
    pytester.makeconftest("import pytest\n@pytest.fixture\ndef fake_service(): return None")
    for name in ("base_url", "auth_url", "upload_url", "webhook_url", "client_id", "redirect_uri"):
        monkeypatch.setenv(f"SVCKIT_WORK_{name.upper()}", "https://service.test/x")
    monkeypatch.setenv("SVCKIT_WORK_SCOPES", "user")
    result = run(
        "def test_any(fake_service, svc): pass", "--svckit-target=real", "--svckit-profile=work", "-rs"
    )
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(["*with --svckit-target=real it talks to none*"])


def test_a_marker_on_a_test_that_takes_no_fake_is_told_so(run):
    result = run(
        """
        import pytest

        pytestmark = pytest.mark.fake(seed=5)

        @pytest.mark.fake(users=3)
        def test_marked(): pass

        def test_other(): pass
        """
    )
    result.assert_outcomes(errors=1, passed=1)
    result.stdout.fnmatch_lines(
        ["*test_marked, marker fake: the test must take fake_service, served_fake, svc or svckit_world*"]
    )


def test_the_nearest_marker_counts_and_assumptions_are_merged(run):
    result = run(
        f"""{USERS}
    pytestmark = pytest.mark.fake(users=3, seed=5, assume={{"api.unauthorized": "403"}})

    @pytest.mark.fake(users=4, assume={{"api.unmatched": "501"}})
    class TestInner:
        @pytest.mark.fake(users=5)
        def test_innermost(self, fake_service):
            assert users(fake_service) == 5
            assert fake_service.snapshot() == FakeService.sample(
                5, 5, NOW, assume={{"api.unauthorized": "403", "api.unmatched": "501"}}
            ).snapshot()

    from fakes import FakeService
    NOW = "2026-06-01T09:00:00+09:00"
        """
    )
    result.assert_outcomes(passed=1)


def test_a_sweep_tries_what_a_configured_fake_has_not_chosen(run):
    result = run(
        f"""{USERS}
    import httpx

    @pytest.mark.fake(users=3, assume={{"api.unauthorized": "403"}})
    @pytest.mark.assumption_sweep
    def test_any(svc):
        assert users(svc.fake) == 3
        with httpx.Client(transport=svc.fake.transport()) as http:
            assert http.patch(svc.fake.facts["base_url"] + "/users/u-001").status_code == 403
        """
    )
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*_ test_any[[]api.unauthorized=401[]] _*"])


@pytest.mark.parametrize("target", ["fake", "served"])
def test_session_reads_events_of_a_configured_fake(run, target):
    result = run(
        """
        import pytest
        from svckit.events import Receiver

        @pytest.mark.fake(assume={"callback.signature": "hmac-sha1"})
        def test_any(svc):
            inbox = Receiver(svc.bot_secret, on=svc)
            svc.fake.callbacks.connect("bot-1", inbox)
            assert svc.fake.callbacks.send("bot-1", "u-001", {"type": "text", "text": "hello"}).delivered
        """,
        f"--svckit-target={target}",
    )
    result.assert_outcomes(passed=1)


def test_a_marker_that_runs_the_clock_with_the_system(run):
    result = run(
        """
        import pytest

        @pytest.mark.fake(now=None)
        def test_any(svc):
            assert not svc.fake.clock.standing
        """
    )
    result.assert_outcomes(passed=1)


WRONG = [
    ("user = 3", "'user' is not an argument of FakeService.sample; did you mean users?"),
    ('users = "3"', "users should be a valid integer; given '3'"),
    ("users = 0", "a domain must have 1 to 1000000 users; given 0"),
    ('now = "noon"', "'noon' is not an instant; write it like 2026-06-01T09:00:00+09:00"),
    ('assume.api.unauthorised = "403"', "'api.unauthorised' is not a rule of this fake; did you mean api.unauthorized"),
    ('assume.api.unauthorized = "402"', "'402' is not an alternative of api.unauthorized; choose from: 401, 403"),
    ("assume.api.unauthorized = 403", "assume.api.unauthorized should be a valid string; given 403"),
    ('assumptions = "deny"', "assumptions should be 'allow', 'refuse' or 'refuse-unobserved'; given 'deny'"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "told"),
    [
        *WRONG,
        ("assumptions = refuse", "it is not TOML: "),
        ("users", "write one argument per line, with text in quotes: users = 3, now = "),
    ],
)
def test_a_wrong_setting_ends_the_run_and_teaches(run, pytester, line, told):
    result = run("def test_other(): pass", "-o", f"svckit_fake={line}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    shown = result.stderr.str()
    assert shown.startswith("ERROR: svckit_fake, in the options: ")
    assert told in shown
    assert len(shown.strip().splitlines()) == 1


def test_a_wrong_setting_is_told_with_its_file(run, pytester):
    pytester.makeini("[pytest]\nsvckit_fake =\n    users = many\n")
    result = run("def test_other(): pass")
    assert f"svckit_fake, in {pytester.path / 'tox.ini'}: it is not TOML" in result.stderr.str()


WRONG_MARKERS = {
    "user=3": "'user' is not an argument of FakeService.sample; did you mean users?",
    "3": "it takes keyword arguments, such as fake(users=3); given 3",
    "users='3'": "users should be a valid integer; given '3'",
    "assume='403'": "assume should be a valid dictionary; given '403'",
    "now=7": "now should be a valid string or a valid datetime; given 7",
}


@pytest.mark.parametrize("fixture", ["fake_service", "svc", "served_fake"])
def test_a_wrong_marker_fails_its_test_and_no_other(run, fixture):
    tests = [
        f"@pytest.mark.fake({arguments})\ndef test_{number}({fixture}): pass"
        for number, arguments in enumerate(WRONG_MARKERS)
    ]
    result = run("\n".join(["import pytest", *tests, f"def test_other({fixture}): pass"]))
    result.assert_outcomes(errors=len(tests), passed=1)
    shown = result.stdout.str()
    for number, told in enumerate(WRONG_MARKERS.values()):
        assert f"::test_{number}, marker fake: {told}" in shown
    assert "Traceback" not in shown


@pytest.mark.parametrize("options", [(), ("--svckit-assume-from=assumptions.toml",)])
def test_measured_assumptions_apply_to_every_fake(run, pytester, options):
    (pytester.path / "assumptions.toml").write_text(
        'version = 1\n[rules."api.unauthorized"]\nresult = "alternative"\nvalue = "403"\nseen = 1\n'
    )
    if not options:
        (pytester.path / "pytest.ini").write_text(
            '[pytest]\nsvckit_fake = assume_from = "assumptions.toml"\n'
        )
    tests = """
    def test_fake(fake_service, svc):
        for fake in (fake_service, svc.fake):
            assert fake.rules["api.unauthorized"].provenance == "observed"
    """
    run(tests, *options).assert_outcomes(passed=1)


def test_missing_file_of_measured_assumptions_ends_the_run(run):
    result = run("def test_other(): pass", "--svckit-assume-from=nothing.toml")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "nothing.toml; `svckit observe` writes one" in result.stderr.str()

"""Profiles in svckit.toml and in the environment: which counts, and what is wrong."""

import os
import re
from pathlib import Path

import pytest

from svckit.errors import UnusableProfile
from svckit.profiles import toml_file
from svckit.profiles.profiles import Profile
from svckit.profiles.toml_file import find_project_file, user_file

from ..canaries import shown
from .settings import VARIABLES, WORK, load, write


def test_a_profile_of_a_file() -> None:
    write(WORK)
    assert load().names == ["work"]
    assert load().profile("work") == Profile(
        name="work",
        base_url="https://api.example.com/v1",
        auth_url="https://auth.example.com",
        upload_url="https://files.example.com",
        webhook_url="https://hooks.example.com",
        client_id="client-1",
        redirect_uri="http://127.0.0.1:8731/callback",
        scopes=("user", "file"),
        webhooks=("alerts",),
    )


def test_a_profile_of_the_environment_alone() -> None:
    configuration = load(**VARIABLES, SVCKIT_PROFILE="ci", SVCKIT_FAKE="yes", SVCKIT_HEADER_WORD="ACME")
    assert (configuration.chosen, configuration.names) == ("ci", ["ci"])
    profile = configuration.profile("ci")
    assert (profile.client_id, profile.scopes) == ("client-2", ("user", "file"))
    assert (profile.is_fake, profile.header_word) == (True, "ACME")


def test_a_profile_of_variables_that_name_it() -> None:
    own = {name.replace("SVCKIT_", "SVCKIT_MY_TEAM_"): value for name, value in VARIABLES.items()}
    configuration = load(**own)
    assert configuration.profile("my-team").client_id == "client-2"
    assert configuration.chosen == "fake"


def test_what_stands_nearer_counts() -> None:
    """Environment, the profile's own variable first; then the project's file; then the user's; key by key."""
    write(
        WORK.replace("client-1", "of-the-user") + 'domain = "of-the-user"\nheader_word = "USER"', user_file()
    )
    write('[work]\nclient_id = "of-the-project"\nscopes = ["of-the-project"]')
    configuration = load(SVCKIT_CLIENT_ID="for-all", SVCKIT_WORK_CLIENT_ID="for-work", SVCKIT_SCOPES="")
    profile = configuration.profile("work")
    assert (profile.client_id, profile.scopes, profile.header_word) == (
        "for-work",
        ("of-the-project",),
        "USER",
    )
    sources = {key: entry.source for key, entry in configuration.entries("work").items()}
    assert sources["client_id"] == "environment variable SVCKIT_WORK_CLIENT_ID"
    assert sources["scopes"] == f"{Path('svckit.toml').resolve()}: [work]"
    assert sources["base_url"] == f"{user_file()}: [work]"


def test_the_nearest_file_is_taken_up_to_the_root_of_the_repository(tmp_path: Path) -> None:
    inner = tmp_path / "project" / "a" / "b"
    inner.mkdir(parents=True)
    home = tmp_path / "home"
    outside = write(WORK, tmp_path / "svckit.toml")
    assert find_project_file(inner, home) is None
    (tmp_path / "project" / ".git").mkdir()
    assert find_project_file(inner, home) is None
    root = write(WORK, tmp_path / "project" / "svckit.toml")
    assert find_project_file(inner, home) == root
    nearest = write(WORK, tmp_path / "project" / "a" / "svckit.toml")
    assert find_project_file(inner, home) == nearest
    assert find_project_file(tmp_path, home) == outside


def test_below_the_home_folder_it_is_looked_for_up_to_there(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "a").mkdir(parents=True)
    found = write(WORK, home / "svckit.toml")
    assert find_project_file(home / "a", home) == found


def test_a_name_that_is_not_there_tells_the_nearest() -> None:
    write(WORK)
    with pytest.raises(
        UnusableProfile, match=r"no profile 'wrok'; did you mean work\? there are: fake, work"
    ):
        load().profile("wrok")
    with pytest.raises(UnusableProfile, match="no profile 'wrok'"):
        load(**VARIABLES).profile("wrok")  # variables for all make up no profile by themselves


def test_all_that_is_wrong_is_said_at_once() -> None:
    path = write(
        """
        [work]
        base_ulr = "https://api.example.com"
        auth_url = "auth.example.com"
        upload_url = "http://files.example.com"
        webhook_url = "https://hooks.example.com?x=1"
        client_id = 7
        scopes = []
        fake = "no"
        webhooks = ["alerts", "url"]
        """
    )
    with pytest.raises(UnusableProfile) as caught:
        load(SVCKIT_WORK_FAKE="perhaps").profile("work")
    problems = "\n".join(caught.value.problems)
    for expected in [
        f"{path}: [work] base_ulr: no such key; did you mean base_url?",
        f"{path}: [work] client_id: takes a quoted string; given a whole number",
        f"{path}: [work] scopes: is empty",
        f"{path}: [work] fake: takes true or false; given a string",
        f"{path}: [work] webhooks: takes names of webhook URLs",
        "environment variable SVCKIT_WORK_FAKE: fake takes true or false",
        "base_url is missing (URL of the resource API); set it in svckit.toml under [work], or as SVCKIT_WORK_BASE",
        f"{path}: [work] auth_url: it is not an absolute http or https URL",
        f"{path}: [work] upload_url: secrets would be sent unencrypted",
        f"{path}: [work] webhook_url: a URL of a profile has no query",
    ]:
        assert expected in problems


@pytest.mark.parametrize("name", ["serve", "Serve"])
def test_the_variables_of_svckit_serve_leave_no_profile_its_name(name: str) -> None:
    write(WORK.replace("[work]", f"[{name}]"))
    with pytest.raises(
        UnusableProfile, match=f"the name '{name}' is taken: variables that start with SVCKIT_SERVE_"
    ):
        load().profile(name)


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:8000/api", "http://localhost:8000", "http://[::1]:8000"]
)
def test_this_machine_is_reached_without_tls(address: str) -> None:
    write(WORK.replace("https://api.example.com/v1", address))
    assert load().profile("work").base_url == address


SERVED = WORK.replace("https://api.example.com/v1", "http://fake:8000")


def test_a_served_fake_may_be_elsewhere() -> None:
    write(SERVED)
    assert load(SVCKIT_WORK_FAKE="true").profile("work").is_fake
    write("[work]\nfake = true", user_file())
    assert load().profile("work").is_fake
    write(SERVED + "fake = true", user_file())
    Path("svckit.toml").unlink()
    assert load().profile("work").is_fake


@pytest.mark.parametrize("variables", [{}, {"SVCKIT_FAKE": "true"}])
@pytest.mark.parametrize("line", ["fake = true", "fake = false"])
def test_project_file_cannot_declare_a_remote_fake(line: str, variables: dict[str, str]) -> None:
    """Else it would have a program sign in there, and secrets travel without TLS."""
    path = write(SERVED + line)
    problems = load(**variables).problems("work")
    fake = [
        problem
        for problem in problems
        if "lead beyond this machine, so only you can say that the service is a fake" in problem
    ]
    assert len(fake) == (line == "fake = true" or bool(variables))
    assert all("set SVCKIT_WORK_FAKE=true" in problem for problem in problems)
    assert f"{path}: [work] base_url: secrets would be sent unencrypted" in "".join(problems)
    write(WORK + line)
    assert load(**variables).problems("work") == [problem.replace(SERVED, WORK) for problem in fake]


def test_a_projects_file_may_describe_a_fake_on_this_machine() -> None:
    write(re.sub(r'(_ur[l]) = ".*"', r'\1 = "http://127.0.0.1:8000"', WORK) + "fake = true")
    assert load().profile("work").is_fake


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        ('client_secret = "canary"', "SVCKIT_WORK_CLIENT_SECRET"),
        ('password = "canary"', "SVCKIT_WORK_PASSWORD"),
        ('Client-Secret = "canary"', "SVCKIT_WORK_CLIENT_SECRET"),
        ('access_token = "canary"', "svckit login"),
        ('token = "canary"', "svckit login"),
        (
            'webhooks = { alerts = "https://hooks.example.com/message/canary" }',
            "SVCKIT_WORK_WEBHOOK_<NAME>",
        ),
        ('webhooks = ["https://hooks.example.com/message/canary"]', "environment or the keyring"),
        (
            'webhook_url = "https://hooks.example.com/message/canary"',
            "the URLs of a profile end before that",
        ),
    ],
)
def test_a_file_holds_no_secret(line: str, advice: str) -> None:
    path = write(f"[work]\n{line}")
    with pytest.raises(UnusableProfile) as caught:
        load().profile("work")
    assert f"{path}: [work] {line.split(' = ', 1)[0]}: " in str(caught.value)
    assert advice in str(caught.value)
    assert "canary" not in shown(caught.value)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"[work\n", "cannot be read"),
        (b'[work]\nclient_secret = "canary\n', "cannot be read"),
        (b"\xff\xfe", "cannot be read"),
        (b"#" * 1_000_001, "larger than a megabyte"),
        (b'base_url = "https://api.example.com"', "is outside a section"),
        (b'client_secret = "canary"', "do not put secrets in a file"),
    ],
)
def test_a_file_that_cannot_be_read(content: bytes, words: str) -> None:
    Path("svckit.toml").write_bytes(content)
    with pytest.raises(UnusableProfile, match=words) as caught:
        load()
    assert str(Path("svckit.toml").resolve()) in str(caught.value)
    assert "canary" not in shown(caught.value)


@pytest.mark.parametrize("name", ["fake", "my work", "-x"])
def test_a_name_that_no_profile_can_have(name: str) -> None:
    write(WORK.replace("[work]", f'["{name}"]'))
    problems = load().problems(name)
    assert any("letters, digits, - and _" in problem for problem in problems)


def test_a_key_that_is_refused_is_not_said_to_be_missing() -> None:
    path = write(WORK.replace('"https://files.example.com/"', "3"))
    problems = load(SVCKIT_WORK_WEBHOOK_URL="", SVCKIT_WORK_SCOPES=",").problems("work")
    assert problems == [
        f"{path}: [work] upload_url: takes a quoted string; given a whole number",
        "environment variable SVCKIT_WORK_SCOPES: scopes is empty",
    ]


@pytest.mark.parametrize("word", ["my word", "WORK:", "É"])
def test_a_header_word_that_no_header_can_hold(word: str) -> None:
    path = write(WORK + f'header_word = "{word}"')
    words = "takes the product word in header names, such as SERVICE in X-SERVICE-Signature, with up to 100 characters"
    assert load().problems("work") == [f"{path}: [work] header_word: {words}"]


@pytest.mark.parametrize(
    ("key", "default", "variable", "line", "value"),
    [
        ("renew_on", (401,), "401, 403", "[401, 403]", (401, 403)),
        ("time_zone", "UTC", "Asia/Tokyo", '"Asia/Tokyo"', "Asia/Tokyo"),
        ("signature", "hmac-sha256", "hmac-sha1", '"hmac-sha1"', "hmac-sha1"),
    ],
)
def test_a_key_with_a_default_is_read_from_variables_and_files(
    key: str, default: object, variable: str, line: str, value: object
) -> None:
    write(WORK)
    assert getattr(load().profile("work"), key) == default
    assert getattr(load(**{f"SVCKIT_WORK_{key.upper()}": variable}).profile("work"), key) == value
    write(f"{WORK}{key} = {line}")
    assert getattr(load().profile("work"), key) == value


@pytest.mark.parametrize(
    ("value", "given"),
    [("[]", "none"), ("[503]", "503"), ("[401, 403.5]", "403.5"), ('["401"]', "'401'"), ("[true]", "True")],
)
def test_statuses_that_no_refusal_has(value: str, given: str) -> None:
    path = write(WORK + f"renew_on = {value}")
    words = "takes one or more statuses from 400 to 499, such as 401 and 403; given"
    assert load().problems("work") == [f"{path}: [work] renew_on: {words} {given}"]


@pytest.mark.parametrize("name", ["JST+9", "Asia", "../UTC", "Asia/Tokio"])
def test_a_time_zone_that_there_is_not(name: str) -> None:
    path = write(WORK + f'time_zone = "{name}"')
    words = f"takes the name of a time zone, such as Asia/Tokyo; given {name!r}"
    assert load().problems("work") == [f"{path}: [work] time_zone: {words}"]


def test_statuses_that_are_not_a_list() -> None:
    path = write(WORK + "renew_on = 403")
    words = "takes a list of numbers such as [401, 403]; given a whole number"
    assert load().problems("work") == [f"{path}: [work] renew_on: {words}"]
    words = "renew_on takes one or more statuses from 400 to 499, such as 401 and 403; given '4O3'"
    assert load(SVCKIT_WORK_RENEW_ON="4O3").problems("work")[-1].endswith(words)


@pytest.mark.parametrize("kind", ["a folder", "a pipe, a socket or a device"])
@pytest.mark.parametrize("is_users", [False, True])
def test_what_is_no_file_is_refused_by_name(kind: str, is_users: bool) -> None:
    path = user_file() if is_users else Path("svckit.toml").resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.mkdir() if kind == "a folder" else os.mkfifo(path)
    with pytest.raises(UnusableProfile, match=f"svckit.toml is {kind}, not a file with profiles") as caught:
        load()
    assert str(path) in str(caught.value)


def test_incomplete_profile_names_unread_files(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Path(".git").mkdir()
    outer = write(WORK)
    write('[school]\nclient_id = "x"', Path("a/b/svckit.toml"))
    write("[work]", Path("a/svckit.toml"))
    hidden = f"Not read, because only the nearest svckit.toml of a project is: {outer}"
    monkeypatch.chdir("a")
    assert load().problems("work")[-1] == hidden
    monkeypatch.chdir("b")
    with pytest.raises(UnusableProfile) as caught:
        load().profile("work")
    assert hidden.replace(str(outer), f"{outer.parent / 'a' / 'svckit.toml'}, {outer}.") in str(caught.value)
    write(WORK.replace("[work]", "[school]"))
    assert load().problems("school") == []


def test_file_of_another_user_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = write(WORK)
    monkeypatch.setattr(toml_file, "owner", lambda file: 4242 if file == path else 0)
    monkeypatch.setattr("os.getuid", lambda: 1000, raising=False)
    with pytest.raises(UnusableProfile, match="belongs to another user"):
        load()
    monkeypatch.setattr("os.getuid", lambda: 4242, raising=False)
    assert load().names == ["work"]
    monkeypatch.setattr("os.getuid", lambda: 1000, raising=False)
    monkeypatch.setattr(toml_file, "owner", lambda _: 4242)  # as where a folder is mounted
    assert load().names == ["work"]


@pytest.mark.parametrize("other", ["sha1", "HMAC-SHA256", "my.module:verify"])
def test_a_signature_that_no_file_can_name(other: str) -> None:
    path = write(WORK + f'signature = "{other}"')
    words = "takes hmac-sha256 or hmac-sha1; a verifying function can be given in Python only"
    assert load().problems("work") == [f"{path}: [work] signature: {words}"]


def test_where_profiles_are_described_is_said_with_an_example() -> None:
    with pytest.raises(UnusableProfile, match="no profile 'wrok'; there is: fake") as caught:
        load().check_known("wrok")
    said = str(caught.value)
    assert str(Path("svckit.toml").resolve()) in said
    assert str(user_file()) in said
    assert '[work]\nbase_url = "https://api.example.com/v1"' in said
    assert "svckit profiles" not in said

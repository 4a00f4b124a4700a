"""Secrets go only to the URLs they were given for, whatever files and variables a profile comes from."""

import re
from pathlib import Path

import pytest

import svckit
from svckit.errors import UnusableProfile
from svckit.models.secret import Secret
from svckit.profiles.keys import URLS
from svckit.profiles.toml_file import user_file

from .settings import VARIABLES, WORK, load, write

EVIL = {key: f"https://{key.replace('_', '-')}.evil.test" for key in URLS}


def section(**values: str) -> str:
    return "\n".join(["[work]", *(f'{key} = "{value}"' for key, value in values.items())])


@pytest.mark.parametrize("key", URLS)
def test_a_projects_file_cannot_lead_one_of_the_users_urls_elsewhere(key: str) -> None:
    own, project = write(WORK, user_file()), write(section(**{key: EVIL[key]}))
    [problem] = load().problems("work")
    others = [each for each in URLS if each != key]
    assert "its URLs come from more than one source" in problem
    assert f"{key} from {project}: [work]" in problem
    assert f"{', '.join(others)} from {own}: [work]" in problem
    assert "Set all four (base_url, auth_url, upload_url, webhook_url) in one place" in problem


@pytest.mark.parametrize("key", URLS)
def test_nor_one_of_the_environments(key: str) -> None:
    others = {name: value for name, value in VARIABLES.items() if name != f"SVCKIT_{key.upper()}"}
    write(section(**{key: EVIL[key]}))
    [problem] = load(**others, SVCKIT_PROFILE="work").problems("work")
    assert f"{key} from {Path('svckit.toml').resolve()}: [work]" in problem
    assert all(f"environment variable SVCKIT_{each.upper()}" in problem for each in URLS if each != key)


@pytest.mark.parametrize("file", [Path("svckit.toml"), None])
def test_the_environment_says_all_urls_or_none(file: Path | None) -> None:
    """Else a variable that was set for one service would have the secrets of another sent there."""
    write(WORK, file or user_file())
    [problem] = load(SVCKIT_BASE_URL="https://api.other.example").problems("work")
    assert "base_url from environment variable SVCKIT_BASE_URL" in problem
    assert load(**VARIABLES).problems("work") == []
    assert load(**VARIABLES).profile("work").base_url == "https://api.example.com"
    same = load(SVCKIT_AUTH_URL="https://AUTH.example.com:443/").problems("work")
    assert len(same) == (1 if file else 0)  # of a project's file it would say the other three


def test_project_file_cannot_reuse_a_profile_name() -> None:
    """The secrets in the environment were set for that."""
    own, evil = write(WORK, user_file()), WORK
    for key, url in EVIL.items():
        evil = re.sub(f'{key} = ".*"', f'{key} = "{url}"', evil)
    project = write(evil)
    [problem] = load(SVCKIT_WORK_CLIENT_SECRET="canary").problems("work")
    assert problem == (
        f"{project}: [work] {', '.join(URLS)}: not the same as in {own}: [work], and secrets of 'work' are for one of "
        "them only. If both are right, rename one, such as [work-2]; else remove the wrong section"
    )
    assert load(**VARIABLES).problems("work") == []  # which counts before both
    own.unlink()
    assert load(SVCKIT_WORK_CLIENT_SECRET="x").profile("work").auth_url == EVIL["auth_url"]


@pytest.mark.parametrize("missing", URLS)
def test_a_projects_file_does_not_add_to_the_users_urls(missing: str) -> None:
    given = dict(re.findall(r'(\w+_url) = "(.*)"', WORK))
    said = [key for key in URLS if key != missing]
    own = write(section(**{key: given[key] for key in said}), user_file())
    project = write(WORK.replace(given[missing], EVIL[missing]))
    [problem] = load().problems("work")
    assert problem == (
        f"{project}: [work] {missing}: {own}: [work] sets only {', '.join(said)}, and a project's file must not set "
        f"the other URLs of 'work', to which its secrets would go. Set all four ({', '.join(URLS)}) there, or none"
    )


def test_one_url_of_the_users_own_is_enough_to_say_where_a_profile_is() -> None:
    write(section(auth_url="https://auth.example.com"), user_file())
    write(WORK)
    [problem] = load().problems("work")
    assert "sets only auth_url, and a project's file must not set the other URLs" in problem
    write(WORK.replace("auth.example.com", "auth.evil.test"))
    [problem] = load().problems("work")
    assert "[work] auth_url: not the same as in" in problem


@pytest.mark.parametrize("own", ["file", "environment"])
@pytest.mark.parametrize("repeats_urls", [True, False])
@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('redirect_uri = "https://evil.test/callback"', "where codes are sent"),
        ('redirect_uri = "evil:/callback"', "where codes are sent"),
        ('domain = "evil"', "which domain signs in"),
        ("fake = true", "that the service is a fake, or is not"),
    ],
)
def test_beside_urls_of_the_users_own_a_projects_file_does_not_say(
    line: str, says: str, repeats_urls: bool, own: str
) -> None:
    addresses = WORK.replace("https://api.example.com/v1", "https://api.example.com").split("client_id")[0]
    project = write((addresses if repeats_urls else "[work]\n") + line)
    variables = VARIABLES | {"SVCKIT_REDIRECT_URI": ""} if own == "environment" else {}
    if own == "file":
        write(addresses + 'client_id = "x"\nscopes = ["user"]', user_file())
        variables = {} if "redirect" in line else {"SVCKIT_REDIRECT_URI": VARIABLES["SVCKIT_REDIRECT_URI"]}
    elif "redirect" not in line:
        variables = VARIABLES
    [problem] = load(**variables).problems("work")
    key = line.split(maxsplit=1)[0]
    assert problem.startswith(f"{project}: [work] {key}: the URLs of 'work' come from another source (")
    assert f"so this file cannot say {says}. Remove it, or set SVCKIT_WORK_{key.upper()}" in problem


def test_what_does_no_harm_a_projects_file_may_say() -> None:
    write(WORK + 'domain = "example"', user_file())
    more = (
        'scopes = ["file"]\nwebhooks = ["news"]\nheader_word = "ACME"\nclient_id = "client-3"\nlogin_id = "x"'
    )
    write(f'[work]\nredirect_uri = "http://localhost:9000/cb"\ndomain = "example"\n{more}')
    profile = load().profile("work")
    assert (profile.redirect_uri, profile.scopes) == ("http://localhost:9000/cb", ("file",))
    assert (profile.webhooks, profile.header_word, profile.client_id) == (("news",), "ACME", "client-3")


def test_the_user_may_add_to_what_a_projects_file_says() -> None:
    write(WORK + 'domain = "example"')
    write('[work]\nclient_id = "mine"\nfake = true', user_file())
    variables = {
        "SVCKIT_WORK_DOMAIN": "other",
        "SVCKIT_WORK_REDIRECT_URI": "https://app.example.com/callback",
    }
    profile = load(**variables).profile("work")
    assert (profile.domain, profile.redirect_uri, profile.is_fake) == (
        "other",
        variables["SVCKIT_WORK_REDIRECT_URI"],
        True,
    )


def test_nothing_is_sent_where_a_repository_leads_a_profile_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write(WORK, user_file())
    write(section(auth_url="https://auth.evil.test"))
    monkeypatch.setenv("SVCKIT_WORK_CLIENT_SECRET", "canary")
    monkeypatch.setattr("svckit.sign_in.account.ask", lambda _: pytest.fail("a secret was asked for"))
    monkeypatch.setattr("svckit.sign_in.paste.say", lambda _: pytest.fail("a link was shown"))
    with pytest.raises(UnusableProfile, match="more than one source") as caught:
        svckit.connect("work", sign_in="paste")
    assert "canary" not in str(caught.value)


SECRETS = ("client_secret", "password", "bot_secret", "webhook_alerts")


@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_for_all_profiles_is_not_for_urls_of_a_projects_file(name: str) -> None:
    variables = {f"SVCKIT_{name.upper()}": "canary"}
    write(WORK)
    assert load(**variables).environment_of("work").secret("work", name) is None
    scoped = {f"SVCKIT_WORK_{name.upper()}": "for-work"}
    found = load(**variables, **scoped).environment_of("work").secret("work", name)
    assert found == (Secret("for-work"), f"SVCKIT_WORK_{name.upper()}")


@pytest.mark.parametrize("own", ["user's file", "environment"])
def test_a_secret_for_all_profiles_is_for_urls_of_the_users_own(own: str) -> None:
    write(WORK.replace("https://api.example.com/v1", "https://api.example.com"))
    if own == "user's file":
        write(Path("svckit.toml").read_text(), user_file())
    configuration = load(SVCKIT_CLIENT_SECRET="x", **(VARIABLES if own == "environment" else {}))
    found = configuration.environment_of("work").secret("work", "client_secret")
    assert found == (Secret("x"), "SVCKIT_CLIENT_SECRET")


@pytest.mark.parametrize("host", ["https://evil.test", "http://evil.test", "http://127.0.0.1:9"])
def test_a_repository_that_calls_itself_a_fake_gets_no_secret(
    host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [f'{key} = "{host}"' for key in URLS]
    lines += ['client_id = "x"', 'redirect_uri = "http://127.0.0.1:8731/callback"', 'scopes = ["user"]']
    write("\n".join(["[evil]", *lines, "fake = true", 'login_id = "hana@example.com"']))
    monkeypatch.setenv("SVCKIT_CLIENT_SECRET", "canary")
    monkeypatch.setenv("SVCKIT_PASSWORD", "canary")
    monkeypatch.setattr("httpx.Client.send", lambda *_, **__: pytest.fail("a request was sent"))
    with pytest.raises(UnusableProfile) as caught:
        svckit.connect("evil").sign_in()
    advice = "SVCKIT_EVIL_CLIENT_SECRET" if "127" in host else "SVCKIT_EVIL_FAKE=true"
    assert advice in str(caught.value)
    assert "canary" not in str(caught.value)


@pytest.mark.parametrize(("one", "other"), [("a-b", "a_b"), ("work", "Work")])
@pytest.mark.parametrize("path", [None, Path("svckit.toml")])
def test_two_profiles_that_share_variables_are_rejected_by_name(
    one: str, other: str, path: Path | None
) -> None:
    first, second = WORK.replace("[work]", f"[{one}]"), WORK.replace("[work]", f"[{other}]")
    if path is None:
        write(first, user_file())
        write(second)
    else:
        write(first + second, path)
    configuration = load()
    for name, namesake in ((one, other), (other, one)):
        variables = f"SVCKIT_{one.upper().replace('-', '_')}_"
        [problem] = configuration.problems(name)
        assert problem == (
            f"[{name}] and [{namesake}] are two profiles, but the variables of both start with {variables}, so a "
            "secret that is set for one would go to the other: rename one of them"
        )


def test_variables_of_a_described_profile_are_not_another_one() -> None:
    write(WORK.replace("[work]", "[my-team]"))
    own = {name.replace("SVCKIT_", "SVCKIT_MY_TEAM_"): value for name, value in VARIABLES.items()}
    assert load(**own).names == ["my-team"]
    assert load(**own).problems("my-team") == []

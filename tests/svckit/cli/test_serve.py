"""`svckit serve` as another program sees it: one ready line, a clean end, and a state that stays."""

import os
import signal
import socket
import subprocess
import sys

import httpx
import pytest

from ...loopback import PATIENCE, bind, find_five_ports, local_client
from .serving import authorization, refused, serving, serving_process

NOW = "2026-06-01T09:00:00+09:00"
KEYS = [
    *(
        "base_url",
        "auth_url",
        "upload_url",
        "webhook_url",
        "admin_url",
        "admin_key",
        "client_id",
        "client_secret",
    ),
    *("redirect_uri", "domain_id", "login_id", "password", "user_id", "bot_id", "bot_secret", "channel_id"),
    *("webhooks", "users", "now", "signature", "header_word", "deviations"),
]


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_one_ready_line_and_a_clean_end(how):
    with serving_process("--now", NOW, "--users", 3, "--seed", 7) as running:
        assert list(running.facts) == KEYS
        assert running.facts["now"] == NOW
        assert running.facts["users"] == ["u-001", "u-002", "u-003"]
        body = {"body": {"text": "hello"}}
        with local_client() as http:
            assert http.post(running.facts["webhooks"][0], json=body).status_code == 200
            code, rest, errors = running.stop(how)
    assert (code, rest) == (0, "")
    assert "Ctrl-C stops it" in errors
    assert "Traceback" not in errors


def test_admin_key_is_random_unless_it_is_set():
    with serving() as one, serving() as other, serving(SVCKIT_ADMIN_KEY="my-key") as mine:
        assert one.facts["admin_key"] != other.facts["admin_key"]
        assert one.facts["client_secret"] == other.facts["client_secret"]
        assert mine.facts["admin_key"] == "my-key"
        for running in (one, other, mine):
            assert running.admin("GET", "/clock").status_code == 200
        one.facts["admin_key"] = "my-key"
        assert one.admin("GET", "/clock").status_code == 401


def test_other_machines_are_let_in_with_a_warning_and_a_key_only():
    code, said = refused("--host", "0.0.0.0", SVCKIT_ADMIN_KEY="")
    assert code == 2
    assert "set SVCKIT_ADMIN_KEY to an admin key of your own" in said
    assert "Warning" not in said
    with serving("--host", "0.0.0.0", SVCKIT_ADMIN_KEY="my-key") as running:
        assert running.admin("GET", "/clock").status_code == 200
        assert "Warning: other machines can reach 0.0.0.0" in running.stop()[1]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--now", "tomorrow"), "Invalid value for --now: 'tomorrow' is not an instant"),
        (("--users", 0), "Invalid value for '--users': "),
        (("--port", 99999), "Invalid value for '--port': "),
        (("--seed", "x"), "Invalid value for '--seed': "),
        (("--assume", "api.unauthorized"), "not written as RULE=ALTERNATIVE"),
        (
            ("--assume", "api.unautorized=403"),
            "Invalid value for --assume: 'api.unautorized' is not a rule of this fake",
        ),
        (("--assume", "nosuch=1"), "see fake.rules or the reference page “Rules”"),
        (("--assume", "api.unauthorized=404"), "Invalid value for --assume: '404' is not an alternative"),
        (
            ("--header-word", "MY ACME"),
            "Invalid value for '--header-word': 'MY ACME' is not valid in a header's name; give the product",
        ),
        (("--deviate", "file.stored"), "not written as NAME=VALUE, such as file.stored=200"),
        (("--deviate", "file.stored=201"), "Invalid value for --deviate: '201' is not a value"),
        (("--deviate", "file.stored=200", "--refuse-assumptions"), "choose one or the other"),
        (("--auto-login", "nobody"), "Invalid value for --auto-login: there is no user 'nobody'"),
        (("--host", "nohost.invalid"), "Invalid value for --host: 'nohost.invalid' is not a known host"),
        (("--host", "[::1]"), "Invalid value for --host: '[::1]' is not a known host"),
        (
            ("--origins", "--port", 65532),
            "Invalid value for --port: five ports are needed for an origin for each",
        ),
        (("--base-path", "v1.0"), "Invalid value for --base-path: the base path must start with /"),
        (
            ("--base-path", "/auth"),
            "Invalid value for --base-path: the base path '/auth' is below /auth, which is",
        ),
        (("--cors", "localhost:3000"), "Invalid value for --cors: 'localhost:3000' is not an origin"),
        (("--redirect-uri", "/callback"), "must be a redirect URL, which is absolute and has no fragment"),
        (("--tls-cert", __file__), "set both or neither"),
        (("--tls-cert", "missing.pem", "--tls-key", "missing.pem"), "does not exist"),
        (("--state", __file__), "is not a state file of a fake"),
        (("--state", "/nonexist/x"), "there is no folder /nonexist; create it first"),
    ],
)
def test_what_cannot_be_served_is_said(options, said):
    code, words = refused(*options)
    assert code == 2
    assert said in words


def test_a_deviation_whose_extra_is_missing_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "jwt", None)
    code, words = refused("--deviate", "token.id-token=issued")
    assert code == 2
    assert "Invalid value for --deviate: the deviation token.id-token needs jwt, of the extra jwt" in words


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--state", "/proc/fake.db"), "the state file /proc/fake.db cannot be opened: "),
        (
            ("--tls-cert", __file__, "--tls-key", __file__),
            f"{__file__} and {__file__} are not a certificate and its key",
        ),
    ],
)
def test_what_the_system_refuses_is_said_with_its_cause(options, said):
    code, words = refused("--port", 0, *options)
    assert code == 1
    assert said in words
    assert "_ssl.c" not in words


def test_a_key_that_is_another_certificate_s_is_said(tmp_path):
    import trustme

    authority = trustme.CA()
    for name in ("one", "other"):
        authority.issue_cert(f"{name}.example").private_key_and_cert_chain_pem.write_to_path(tmp_path / name)
    code, words = refused("--port", 0, "--tls-cert", tmp_path / "one", "--tls-key", tmp_path / "other")
    assert code == 1
    assert (
        f"the key in {tmp_path / 'other'} does not belong to the certificate in {tmp_path / 'one'}" in words
    )


def test_a_ready_line_that_nobody_reads_is_said():
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "svckit", "serve", "--port", "0"],
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    os.close(writing)
    assert done.returncode == 1
    assert done.stderr.startswith("Nothing is served: ")
    assert len(done.stderr.splitlines()) == 1


def test_key_that_no_header_can_carry_is_refused():
    assert refused(SVCKIT_ADMIN_KEY="my key")[0] == 2


def test_options_override_assumptions_of_a_file(tmp_path):
    file = tmp_path / "fake.db"

    def response(*options):
        with serving("--state", file, *options) as running:
            url = running.facts["base_url"] + "/users/u-001"
            code = httpx.patch(url, json={}, trust_env=False, timeout=PATIENCE)
        return code.status_code, code.headers.get("X-Fake-Assumed"), "ASSUMPTION_REFUSED" in code.text

    assumed = "api.unauthorized, api.error-body"
    assert response() == (401, assumed, False)
    assert response("--assume", "api.unauthorized=403") == (403, assumed, False)
    assert response("--refuse-assumptions") == (500, None, True)


def test_what_is_chosen_is_in_the_ready_line():
    urls = ["https://a.example/callback", "http://localhost:1/callback"]
    options = ["--header-word=ACME", "--deviate=file.stored=200", "--deviate=file.step1-id=sent"]
    with serving(*options, *(f"--redirect-uri={url}" for url in urls)) as running:
        assert running.facts["header_word"] == "ACME"
        assert running.facts["deviations"] == {"file.stored": "200", "file.step1-id": "sent"}
        assert running.facts["redirect_uri"] == urls[0]


def test_a_user_is_logged_in_without_a_login_screen():
    with serving("--auto-login", "u-002") as running, local_client() as http:
        url = running.facts["auth_url"] + "/oauth2/v2.0/authorize"
        response = http.get(url, params=authorization(running.facts))
    assert response.status_code == 302
    assert response.headers["Location"].startswith(running.facts["redirect_uri"] + "?code=")


def test_ports_in_use_are_said():
    first = find_five_ports()
    with bind(first + 4) as taken:
        taken.listen()
        code, said = refused("--origins", "--port", first)
    assert code == 1
    assert (
        f"port {first + 4} is in use; the areas need the ports {first} to {first + 4} (--port 0 takes" in said
    )


def test_port_in_use_is_said():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        code, said = refused("--port", taken.getsockname()[1])
    assert code == 1
    assert "cannot be served" in said
    assert "--port 0 takes any free port" in said


def test_state_goes_on_where_it_was(tmp_path):
    options = ("--state", tmp_path / "fake.db", "--now", NOW, "--users", 5)
    with serving(*options) as running:
        running.admin("POST", "/clock", {"advance": 60})
        running.admin("PUT", "/bots/bot-1/callback", {"url": "http://127.0.0.1:9/callback"})
        before = running.admin("GET", "/snapshot").json()
        assert running.stop()[0] == 0
    with serving(*options) as running:
        assert running.admin("GET", "/snapshot").json() == before
        assert running.facts["now"] == "2026-06-01T09:01:00+09:00"
        message = {"botId": "bot-1", "userId": "u-001", "content": {"type": "text", "text": "hello"}}
        assert "the receiver failed" in running.admin("POST", "/messages", message).json()["error"]
        code, said = refused("--port", 0, *options)
        assert (code, "in use by another process" in said) == (1, True)
        assert running.admin("POST", "/reset").status_code == 204
    with serving("--state", tmp_path / "fake.db") as running:
        assert running.facts["now"] == NOW
        assert len(running.facts["users"]) == 5
    code, said = refused("--state", tmp_path / "fake.db", "--users", 6)
    assert (code, "was created with --users 5" in said) == (2, True)


def test_a_clock_for_a_state_that_began_without_is_refused_in_words(tmp_path):
    with serving("--state", tmp_path / "fake.db"):
        pass
    code, said = refused("--state", tmp_path / "fake.db", "--now", NOW)
    assert code == 2
    assert f"the state file was created without --now, but --now {NOW} was given" in said


def test_tls(certified):
    (certificate, key), trusting = certified
    with serving("--tls-cert", certificate, "--tls-key", key) as running:
        assert running.facts["base_url"].startswith("https://127.0.0.1:")
        body = {"body": {"text": "hello"}}
        with local_client(verify=trusting) as client:
            assert client.post(running.facts["webhooks"][0], json=body).status_code == 200


def test_data_of_your_own(tmp_path):
    people = tmp_path / "people.csv"
    people.write_text(
        "\ufeffuserId,email,userName.lastName\nmina,mina@company.example,Sato\n", encoding="utf-8"
    )
    with serving("--data", people) as running:
        assert running.facts["users"] == ["mina"]
        assert (running.facts["user_id"], running.facts["login_id"]) == ("mina", "mina@company.example")
    people.write_text("email,nickname\nmina@company.example,Mi\n", encoding="utf-8")
    code, said = refused("--data", people)
    assert code == 2
    assert "--data" in said
    assert "line 2: userName is required" in said
    assert "did you mean nickName?" in said
    code, said = refused("--data", tmp_path / "nothing.json")
    assert (code, "there is no file" in said) == (2, True)


def test_measured_assumptions_are_observed_and_kept_in_the_file(tmp_path):
    measured = tmp_path / "assumptions.toml"
    measured.write_text(
        'version = 1\n[rules."api.unauthorized"]\nresult = "alternative"\nvalue = "403"\nseen = 1\n'
    )

    def response(*options):
        with serving("--state", tmp_path / "fake.db", *options) as running:
            url = running.facts["base_url"] + "/users/u-001"
            code = httpx.patch(url, json={}, trust_env=False, timeout=PATIENCE)
        return code.status_code, code.headers.get("X-Fake-Observed")

    assert response("--assume-from", measured) == (403, "api.unauthorized")
    assert response() == (403, "api.unauthorized")
    measured.write_text("version = 2")
    assert "assumptions.toml: this svckit reads version 1" in refused("--assume-from", measured)[1]

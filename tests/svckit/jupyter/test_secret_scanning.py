"""What people write into cells is looked through for secrets and for what ties it to one machine."""

import pytest

from svckit.jupyter.rules import find_problems
from svckit.jupyter.secret_scanning import cover, cover_forms

from ...work import ratio
from .test_rules import a_notebook, shown

PEM = "-----BEGIN RSA PRIVATE KEY-----"


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("x = 1\npassword = 'hunter2hunter2'", "line 2: password = '***"),
        ('os.environ["SVCKIT_WORK_BOT_SECRET"] = "kq93hd"', '["SVCKIT_WORK_BOT_SECRET"] = "***'),
        ("g='ghp_abcdefghijklmnopqrstuvwxyz0123456789'", "g='***"),
        (f"key = '''{PEM}\nMIIE'''", "key = '''***"),
    ],
)
def test_a_secret_in_the_source_is_told(source: str, told: str) -> None:
    (found,) = find_problems(a_notebook(source=source))
    assert found.message.startswith("a secret in the source, line ")
    assert found.message.endswith(told)


FORMS = [
    *["AKIAIOSFODNN7EXAMPLE", "ASIAIOSFODNN7EXAMPLE"],
    *[f"{prefix}_{'a1B2' * 9}" for prefix in ("ghp", "gho", "ghu", "ghs", "ghr", "npm")],
    *[f"github_pat_{'a1_' * 7}Z", f"glpat-{'a-_9' * 5}"],
    *[f"xox{kind}-12345-abcD" for kind in "abeprs"],
    *[f"sk-{'a1-_' * 8}", f"AIza{'a1-_Z' * 7}", f"pypi-{'a1-_Z' * 10}"],
    *[f"-----BEGIN {kind}PRIVATE KEY-----" for kind in ("", "RSA ", "OPENSSH ")],
    "eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.a-b_c1d2e3",
]


@pytest.mark.parametrize("text", FORMS)
def test_a_secret_is_known_by_its_form(text: str) -> None:
    assert cover_forms(f"x = ({text})") == "x = (***)"


@pytest.mark.parametrize("text", FORMS)
def test_shorter_text_is_not_a_secret(text: str) -> None:
    assert cover_forms(f"x = ({text[:-1]})") == f"x = ({text[:-1]})"


@pytest.mark.parametrize(
    "name",
    [
        *["secret", "password", "pass_word", "passwd", "pwd", "passphrase", "credential", "credentials"],
        *["token", "api_key", "api-key", "apikey", "access_key", "private_key", "admin_key"],
        *["secret_key", "my_secret", "PASSWORD", "password2", "password_2", "token12"],
    ],
)
def test_a_string_is_a_secret_by_the_name_it_is_given(name: str) -> None:
    assert cover(f"{name} = 'a1b2'") == f"{name} = '***'"
    assert cover(f'data["{name}"] = "a1b2"') == f'data["{name}"] = "***"'


@pytest.mark.parametrize(
    "assigned",
    [
        "password = '{}'",
        "password='{}'",
        'password = "{}"',
        "password: str = '{}'",
        "{{'password': '{}'}}",
        "if password == '{}':",
        *[f"password = {prefix}'{{}}'" for prefix in ("b", "f", "r", "u", "rb")],
        "Secret('{}')",
        'Secret( "{}")',
        "https://h/x?token={}",
        "'a=1&client_secret={}'",
        "data='password={}'",
        "!export MY_TOKEN={}",
        "%env TOKEN={}",
        "%env TOKEN {}",
        "%set_env TOKEN={}",
        "%set_env TOKEN = {}",
        "'https://mina:{}@h/x'",
    ],
)
def test_a_secret_is_found_however_it_is_written(assigned: str) -> None:
    assert cover(assigned.format("a1b2")) == assigned.format("***")
    assert cover(assigned.format("a1b")) == assigned.format("a1b")  # three characters are too few


@pytest.mark.parametrize(
    "value", ["<x1>", "{x1}", "$x12", "a{x1}", "https://h1", "----", "your-token", "BadSecret", "xxxx"]
)
def test_placeholder_is_not_a_secret(value: str) -> None:
    assert cover(f"password = '{value}'") == f"password = '{value}'"


@pytest.mark.parametrize("word", ["expired", "a" * 15])
def test_a_word_is_no_token_but_may_be_a_password(word: str) -> None:
    assert cover(f"token = '{word}'") == f"token = '{word}'"
    assert cover(f"token = '{word}1'") == "token = '***'"
    assert cover(f"token = '{'a' * 16}'") == "token = '***'"
    assert cover(f"password = '{'a' * 15}'") == "password = '***'"


def test_secrets_of_other_services_are_told_in_outputs_too() -> None:
    (found,) = find_problems(a_notebook(shown("AKIAIOSFODNN7EXAMPLE")))
    assert found.message == "a secret in text/plain, line 1: ***"


@pytest.mark.parametrize(
    "source",
    [
        "svc.sign_in(password=password, token=read('token.txt'))",
        "secret = fake.facts['bot_secret']",
        "svckit.events.parse(headers, body, secret=fake.facts['bot_secret'])",
        "password = getpass('Password: ')",
        "token = os.environ['SVCKIT_TOKEN']",
        "{'grant_type': 'password', 'token_type': 'Bearer'}",
        "names = {'token': 'access_token', 'password': 'your-password'}",
        "client_secret = 'YOUR_CLIENT_SECRET'",
        "svc.sign_in(client_secret=read('id'))",
        "headers = {'Authorization': f'Bearer {token}'}",
        "url = f'https://h/x?access_token={token}'",
        "fake.faults.status('auth.token', 503)",
        "frame[['token', 'secret', 'password']]",
        "svc.users.update('u-001', nick_name='Mina')",
        "'172.15.0.1 172.32.0.1 192.169.0.1 11.0.0.1 10.0.0 1.10.0.0.1 10.0.0.0.1'",
        "httpx.get(f'{base}/home/x'); '/users/u-001'; 'https://h/home/mina'; version = '10.1.2'",
    ],
)
def test_code_that_only_names_secrets_is_fine(source: str) -> None:
    assert find_problems(a_notebook(source=source)) == []


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("p='/home/mina/data/x.csv'", "a path of this machine in the source"),
        ("%cd /Users/mina", "a path of this machine in the source"),
        ("p = 'file:///home/mina/x'", "a path of this machine in the source"),
        (r"p=r'C:\Users\mina\x'", "a path of this machine in the source"),
        ("p='http://192.168.1.20:8000/x'", "an address of a private network in the source"),
        *[
            (f"p='{address}'", "an address of a private network in the source")
            for address in ("10.0.0.1", "192.168.0.1", "172.16.0.3", "172.20.0.3", "172.29.0.3", "172.31.0.3")
        ],
    ],
)
def test_what_ties_the_source_to_a_machine_is_told(source: str, told: str) -> None:
    assert [each.message for each in find_problems(a_notebook(source=source))] == [told]


@pytest.mark.long
@pytest.mark.parametrize(
    "part", ["password", "token=", "://a:", "eyJaaaaaaaaaa.", "secret ", "export a", "_"]
)
def test_the_time_grows_with_the_length(part: str) -> None:
    short, long = (part * times for times in (5_000, 20_000))
    assert ratio(lambda: cover(long), lambda: cover(short), at_most=6) <= 6  # quadratic work makes it 16

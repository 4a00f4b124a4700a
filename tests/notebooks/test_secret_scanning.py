"""What people write into cells is looked through for secrets and for what ties it to one machine."""

import time

import pytest
from nbformat import v4

from svckit.notebook_bar import problems
from svckit.secret_scanning import cover

from .store import NOTEBOOKS
from .test_bar import a_notebook, shown

PEM = "-----BEGIN RSA PRIVATE KEY-----"


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("client_secret='s3cr3tS3cr3t99'", "client_secret='***"),
        ("x = 1\npassword = 'hunter2hunter2'", "line 2: password = '***"),
        ("data={'client_secret': 'Zx81kLmQ0vT7'}", "data={'client_secret': '***"),
        ("data={'password': 'Tr0ub4dor&3'}", "data={'password': '***"),
        ('os.environ["SVCKIT_WORK_BOT_SECRET"] = "kq93hd"', '["SVCKIT_WORK_BOT_SECRET"] = "***'),
        ('API_KEY: str = "a1b2c3d4"', 'API_KEY: str = "***'),
        ('if token == "zz91ab":', 'if token == "***'),
        ('Secret("kq93hd")', 'Secret("***'),
        ("password = 'letmein'", "password = '***"),
        ("!export SVCKIT_TOKEN=a1b2c3d4", "!export SVCKIT_TOKEN=***"),
        ("%env MY_TOKEN=a1b2c3d4", "%env MY_TOKEN=***"),
        ("url = 'https://h/x?access_token=a1b2c3d4'", "access_token=***"),
        ("'postgres://mina:hunter2@db/x'", "'postgres://mina:***"),
        ("AWS='AKIAIOSFODNN7EXAMPLE'", "AWS='***"),
        ("g='ghp_abcdefghijklmnopqrstuvwxyz0123456789'", "g='***"),
        (f"key = '''{PEM}\nMIIE'''", "key = '''***"),
    ],
)
def test_a_secret_in_the_source_is_told(source: str, told: str) -> None:
    (found,) = problems(a_notebook(source=source))
    assert found.message.startswith("a secret in the source, line ")
    assert found.message.endswith(told)


def test_secrets_of_other_services_are_told_in_outputs_too() -> None:
    (found,) = problems(a_notebook(shown("AKIAIOSFODNN7EXAMPLE")))
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
        "client_secret = '<client secret>'",
        "client_secret = '***'",
        "client_secret = 'YOUR_CLIENT_SECRET'",
        "token = 'expired'",
        "svc.sign_in(client_secret=read('id'))",
        "headers = {'Authorization': f'Bearer {token}'}",
        "url = f'https://h/x?access_token={token}'",
        "fake.faults.status('auth.token', 503)",
        "frame[['token', 'secret', 'password']]",
        "svc.users.update('u-001', nick_name='Mina')",
        "httpx.get(f'{base}/home/x'); '/users/u-001'; 'https://h/home/mina'; version = '10.1.2'",
    ],
)
def test_code_that_only_names_secrets_is_fine(source: str) -> None:
    assert problems(a_notebook(source=source)) == []


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("p='/home/mina/data/x.csv'", "a path of this machine in the source"),
        ("%cd /Users/mina", "a path of this machine in the source"),
        ("p = 'file:///home/mina/x'", "a path of this machine in the source"),
        (r"p=r'C:\Users\mina\x'", "a path of this machine in the source"),
        ("p='http://192.168.1.20:8000/x'", "an address of a private network in the source"),
        ("p='172.20.0.3'", "an address of a private network in the source"),
    ],
)
def test_what_ties_the_source_to_a_machine_is_told(source: str, told: str) -> None:
    assert [each.message for each in problems(a_notebook(source=source))] == [told]


def test_the_projects_own_words_are_covered_nowhere() -> None:
    texts = [path.read_text(encoding="utf-8") for path in sorted(NOTEBOOKS.glob("*.ipynb"))]
    sources = [cell.source for text in texts for cell in v4.reads(text).cells]
    assert sources
    assert [source for source in sources if cover(source) != source] == []


@pytest.mark.parametrize(
    "part", ["password", "token=", "://a:", "eyJaaaaaaaaaa.", "secret ", "export a", "_"]
)
def test_the_time_grows_with_the_length(part: str) -> None:
    def seconds(times: int) -> float:
        began = time.process_time()
        cover(part * times)
        return time.process_time() - began

    assert seconds(20_000) < 100 * (seconds(1_000) + 0.01)

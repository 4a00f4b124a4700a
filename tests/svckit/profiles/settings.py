"""A profile for tests, in a file and in the environment."""

from dataclasses import replace
from pathlib import Path

from svckit.profiles.environment import Environment
from svckit.profiles.resolution import Configuration

WORK = """
[work]
base_url = "https://api.example.com/v1"
auth_url = "https://auth.example.com"
upload_url = "https://files.example.com/"
webhook_url = "https://hooks.example.com"
client_id = "client-1"
redirect_uri = "http://127.0.0.1:8731/callback"
scopes = ["user", "file"]
webhooks = ["alerts"]
"""


VARIABLES = {
    "SVCKIT_BASE_URL": "https://api.example.com",
    "SVCKIT_AUTH_URL": "https://auth.example.com",
    "SVCKIT_UPLOAD_URL": "https://files.example.com",
    "SVCKIT_WEBHOOK_URL": "https://hooks.example.com",
    "SVCKIT_CLIENT_ID": "client-2",
    "SVCKIT_REDIRECT_URI": "http://127.0.0.1:8731/callback",
    "SVCKIT_SCOPES": "user,file",
}


def write(text: str, path: Path = Path("svckit.toml")) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path.resolve()


def load(**variables: str) -> Configuration:
    return replace(Configuration.load(), environment=Environment(variables))

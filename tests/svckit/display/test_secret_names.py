"""Each name of a secret field is masked by itself, wherever it stands."""

import re

import pytest

from svckit.display.masking import is_secret_name, mask

NAMES = (
    *(
        "access_token",
        "refresh_token",
        "id_token",
        "client_secret",
        "bot_secret",
        "admin_key",
        "login_ticket",
    ),
    *("password", "assertion", "code_verifier", "code_challenge", "code"),
)


@pytest.mark.parametrize("name", [*NAMES, "refreshToken", "botSecret", "codeVerifier", "codeChallenge"])
def test_each_name_is_masked_alone(name: str) -> None:
    # Nothing else in the text has a sign of a secret, so that each name is found by itself.
    assert is_secret_name(name)
    assert is_secret_name(name.replace("_", "").upper())
    variable = re.sub(r"(?<!^)(?=[A-Z])", "_", name).upper()
    for text in ("{}=x4n4ry", "a=1&{}=x4n4ry&b=2", "{}%3Dx4n4ry", '{{"{}":"x4n4ry"}}', "{{'{}': 'x4n4ry'}}"):
        assert mask(text.format(name)) == text.format(name).replace("x4n4ry", "***")
    assert mask(f"{name}=${variable} ") == f"{name}=${variable} "


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("other", ["x{}", "{}x", "{}_method", "my_{}"])
def test_only_whole_names_are_secret(name: str, other: str) -> None:
    assert not is_secret_name(other.format(name))
    assert not is_secret_name("")

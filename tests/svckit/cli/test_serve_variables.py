"""The environment variables that set the options of `svckit serve`."""

import httpx
import pytest

from ...loopback import PATIENCE
from .serving import refused, serving

NOW = "2026-06-01T09:00:00+09:00"


def test_each_option_can_be_set_in_the_environment():
    variables = {"SEED": "7", "USERS": "3", "NOW": NOW, "ASSUME": "api.unauthorized=403 api.not-found=400"}
    variables |= {"REFUSE_ASSUMPTIONS": "true", "STATE": ""}  # an empty one counts as not set
    variables |= {"ORIGINS": "1", "CORS": "http://a.example http://b.example", "BASE_PATH": "/v1.0"}
    with serving(**{f"SVCKIT_SERVE_{name}": value for name, value in variables.items()}) as running:
        assert (running.facts["users"], running.facts["now"]) == (["u-001", "u-002", "u-003"], NOW)
        chosen = {rule["id"]: rule["chosen"] for rule in running.admin("GET", "/rules").json()["rules"]}
        assert (chosen["api.unauthorized"], chosen["api.not-found"]) == ("403", "400")
        response = httpx.patch(
            running.facts["base_url"] + "/users/u-001", json={}, trust_env=False, timeout=PATIENCE
        )
        assert response.json()["code"] == "ASSUMPTION_REFUSED"
        assert running.facts["base_url"].endswith("/v1.0")
        assert not running.facts["auth_url"].endswith("/auth")
        page = {"Origin": "http://b.example"}
        response = httpx.get(
            running.facts["admin_url"] + "/health", headers=page, trust_env=False, timeout=PATIENCE
        )
        assert response.headers["Access-Control-Allow-Origin"] == "http://b.example"
    with serving("--seed", 8, SVCKIT_SERVE_SEED="7") as given, serving("--seed", 8) as plain:
        assert given.facts["client_secret"] == plain.facts["client_secret"]


@pytest.mark.parametrize(
    ("variable", "said"),
    [
        (
            {"SVCKIT_SERVE_PROT": "1"},
            "SVCKIT_SERVE_PROT sets no option of svckit serve; did you mean SVCKIT_SERVE_PO",
        ),
        (
            {"SVCKIT_SERVE_X": "1"},
            "sets no option of svckit serve; `svckit serve --help` names those that do",
        ),
        (
            {"SVCKIT_SERVE_PORT": "x"},
            "; the environment variable SVCKIT_SERVE_PORT is 'x'",
        ),
        ({"SVCKIT_SERVE_ORIGINS": "maybe"}, "; the environment variable SVCKIT_SERVE_ORIGINS is 'maybe'"),
        ({"SVCKIT_SERVE_ASSUME": "api.unauthorized=403 x"}, "'x' is not written as RULE=ALTERNATIVE"),
    ],
)
def test_a_variable_that_sets_nothing_or_is_wrong_is_said(variable, said):
    code, words = refused(**variable)
    assert code == 2
    assert said in words


def test_an_option_that_is_wrong_is_not_said_to_be_a_variable():
    code, words = refused("--seed", "x", SVCKIT_SERVE_SEED="7")
    assert code == 2
    assert "Invalid value for '--seed': " in words
    assert "SVCKIT_SERVE_SEED" not in words

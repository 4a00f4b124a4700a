"""Two standard clients of OpenID Connect, in an environment of their own, sign a user in with settings alone."""

from pathlib import Path

import pytest

from ..generated_clients.environment import Environment
from ..svckit.cli.serving import serving

pytestmark = pytest.mark.long

HERE = Path(__file__).parent / "openid"
OPTIONS = (
    "--auto-login=u-002",
    "--deviate=token.id-token=issued",
    "--deviate=token.expires-in=number",
    "--deviate=token.client-auth=form-or-basic",
    "--assume=auth.pkce=checked",
    "--stubs=common",
)


@pytest.fixture(scope="module")
def environment(request):
    return Environment(request.config.cache.mkdir("openid-clients"), HERE)


@pytest.fixture
def variables():
    with serving(*OPTIONS) as running:
        names = ("client_id", "client_secret", "redirect_uri")
        yield {name.upper(): running.facts[name] for name in names} | {"ISSUER": running.facts["auth_url"]}


def test_authlib_signs_in(environment, variables):
    assert environment.python(HERE / "app.py", cwd=environment.node_folder, **variables) == "u-002\n"


def test_openid_client_signs_in_and_revokes(environment, variables):
    assert environment.node(HERE / "app.mjs", **variables) == "u-002\n"

"""The HTML pages of the authorization server, login and error; all values are escaped."""

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["get_environment", "render_error", "render_login"]


@cache
def get_environment() -> "Environment":
    """Return the template environment, which escapes all values."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("fakes.http"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def render_login(*, client_id: str, scopes: list[str], action: str, ticket: str) -> bytes:
    """Render the login page: a form that posts login_id, password and the request's ticket to ``action``."""
    page = get_environment().get_template("login.html.j2")
    return page.render(
        title="Log in", client_id=client_id, scopes=scopes, action=action, ticket=ticket
    ).encode()


def render_error(description: str) -> bytes:
    """Render the error page."""
    page = get_environment().get_template("error.html.j2")
    return page.render(title="This did not work", description=description).encode()

"""The HTML pages of the authorization server, login and error; all values are escaped."""

from functools import cache
from pathlib import Path
from string import Template

from markupsafe import Markup, escape

__all__ = ["render_error", "render_login"]


def render_login(*, client_id: str, scopes: list[str], action: str, ticket: str) -> bytes:
    """Render the login page: a form that posts login_id, password and the request's ticket to ``action``."""
    main = _render("login.html", client_id=client_id, scopes=", ".join(scopes), action=action, ticket=ticket)
    return _render("base.html", title="Log in", main=main).encode()


def render_error(description: str) -> bytes:
    """Render the error page."""
    main = _render("error.html", description=description)
    return _render("base.html", title="This did not work", main=main).encode()


def _render(name: str, **values: str) -> Markup:
    """Fill in a template. Jinja2 would take longer to load than all else that a sign-in does."""
    filled = _load(name).substitute({key: escape(value) for key, value in values.items()})
    return Markup(filled)  # noqa: S704 - escaped


@cache
def _load(name: str) -> Template:
    return Template((Path(__file__).parent / "templates" / name).read_text("utf-8").strip())

"""The operations of the service as one table, and the calls of the admin interface."""

from functools import partial
from typing import NoReturn

from fakes.handlers import auth, directory, error_formats, files, notifications
from fakes.handlers.admin_routes import ADMIN_ROUTES
from fakes.handlers.context import CallContext
from fakes.handlers.error_formats import Dialect
from fakes.handlers.routing import Body, Handler, Route, Router
from fakes.http.addresses import Area
from fakes.parts.sign_in.auth import AUTHORIZE
from svckit.models.lifecycle import RETIREMENTS, Retirement
from svckit.models.paths import DOWNLOAD_PLACES, UPLOAD_PLACES

__all__ = ["AUTHORIZE", "DIALECTS", "ROUTER", "ROUTES", "TOKEN"]

TOKEN = "/oauth2/v2.0/token"  # noqa: S105 - a path
UPLOAD = "/uploads/{address}"
USER = "/users/{userId}"
STATUSES = USER + "/user-profile-statuses"

TOKENS = "Endpoints › Token endpoints"
TRANSFER = "Endpoints › File transfer"
DIRECTORY = "Endpoints › Directory"
NOTIFICATION = "Endpoints › Incoming notification endpoint"
VERSIONING = "Versioning"

DIALECTS: dict[Area, Dialect] = {
    "api": error_formats.format_resource_error,
    "storage": error_formats.format_resource_error,
    "auth": error_formats.format_authorization_error,
    "hooks": error_formats.format_notification_error,
    "admin": error_formats.format_admin_error,
}
"""The error format of each area, unless a route has its own."""


def refuse_calls_of(item: Retirement) -> Handler:
    """Return a handler that refuses all calls of a retired feature, with or without a token."""
    return partial(_refuse, item)


def _refuse(item: Retirement, call: CallContext) -> NoReturn:
    raise call.state.lifecycle.make_refusal(item)


def make_route(
    method: str,
    area: Area,
    template: str,
    operation: str,
    handler: Handler,
    section: str,
    *,
    body: Body = "json",
    dialect: Dialect | None = None,
    exclusive: str | None = None,
    retirement: Retirement | None = None,
) -> Route:
    """Return a route with the error format of its area, unless another one is given."""
    return Route(
        method,
        area,
        template,
        operation,
        handler,
        dialect or DIALECTS[area],
        section,
        body=body,
        exclusive=exclusive,
        retirement=retirement,
    )


ROUTES = (
    make_route("GET", "auth", AUTHORIZE, "auth.authorize", auth.authorize, TOKENS),
    make_route("POST", "auth", AUTHORIZE, "auth.login", auth.log_in, TOKENS, body="form"),
    make_route(
        "POST",
        "auth",
        TOKEN,
        "auth.token",
        auth.issue_token,
        TOKENS,
        body="form",
        dialect=error_formats.format_token_error,
    ),
    make_route("PATCH", "api", USER, "users.update", directory.update_user, DIRECTORY, exclusive="userId"),
    make_route("POST", "api", STATUSES, "users.set_status", directory.register_status, DIRECTORY),
    *(
        make_route("POST", "api", at.template, f"upload.{at.key}", files.upload_step(at), TRANSFER)
        for at in UPLOAD_PLACES
    ),
    *(
        make_route("GET", "api", at.template, f"download.{at.key}", files.download_step(at), TRANSFER)
        for at in DOWNLOAD_PLACES
    ),
    make_route("POST", "storage", UPLOAD, "storage.receive", files.receive, TRANSFER, body="multipart"),
    make_route("PUT", "storage", UPLOAD, "storage.receive_raw", files.receive_raw, TRANSFER, body="content"),
    make_route("GET", "storage", "/downloads/{address}", "storage.send", files.send, TRANSFER),
    make_route(
        "POST", "hooks", "/message/{webhookId}", "notifications.post", notifications.notify, NOTIFICATION
    ),
    *(
        make_route(
            method,
            "api",
            path,
            f"retired.{item.key}",
            refuse_calls_of(item),
            VERSIONING,
            retirement=item,
        )
        for item in RETIREMENTS
        for method, path in item.operations
    ),
    *ADMIN_ROUTES,
)

ROUTER = Router(ROUTES)

"""The operations of the service as one table, and the calls of the admin interface."""

from functools import partial
from typing import NoReturn

from fakes.handlers import auth, directory, error_formats, files, notifications
from fakes.handlers.admin_routes import ADMIN_ROUTES
from fakes.handlers.context import CallContext
from fakes.handlers.error_formats import Dialect
from fakes.handlers.routing import Handler, Route, Router
from fakes.http.addresses import Area
from fakes.parts.sign_in.auth import AUTHORIZE
from svckit.models.lifecycle import RETIREMENTS, Retirement
from svckit.models.paths import DOWNLOAD_PLACES, UPLOAD_PLACES

__all__ = ["AUTHORIZE", "DIALECTS", "ROUTER", "ROUTES", "TOKEN"]

TOKEN = "/oauth2/v2.0/token"  # noqa: S105 - a path
UPLOAD = "/uploads/{address}"
USER = "/users/{userId}"

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


ROUTES = (
    Route(
        "GET",
        "auth",
        AUTHORIZE,
        "auth.authorize",
        auth.authorize,
        error_formats.format_authorization_error,
        TOKENS,
    ),
    Route(
        "POST",
        "auth",
        AUTHORIZE,
        "auth.login",
        auth.log_in,
        error_formats.format_authorization_error,
        TOKENS,
        "form",
    ),
    Route(
        "POST",
        "auth",
        TOKEN,
        "auth.token",
        auth.issue_token,
        error_formats.format_token_error,
        TOKENS,
        "form",
    ),
    Route(
        "PATCH",
        "api",
        USER,
        "users.update",
        directory.update_user,
        error_formats.format_resource_error,
        DIRECTORY,
        exclusive="userId",
    ),
    Route(
        "POST",
        "api",
        USER + "/user-profile-statuses",
        "users.set_status",
        directory.register_status,
        error_formats.format_resource_error,
        DIRECTORY,
    ),
    *(
        Route(
            "POST",
            "api",
            at.template,
            f"upload.{at.key}",
            files.upload_step(at),
            error_formats.format_resource_error,
            TRANSFER,
        )
        for at in UPLOAD_PLACES
    ),
    *(
        Route(
            "GET",
            "api",
            at.template,
            f"download.{at.key}",
            files.download_step(at),
            error_formats.format_resource_error,
            TRANSFER,
        )
        for at in DOWNLOAD_PLACES
    ),
    Route(
        "POST",
        "storage",
        UPLOAD,
        "storage.receive",
        files.receive,
        error_formats.format_resource_error,
        TRANSFER,
        "multipart",
    ),
    Route(
        "PUT",
        "storage",
        UPLOAD,
        "storage.receive_raw",
        files.receive_raw,
        error_formats.format_resource_error,
        TRANSFER,
        "content",
    ),
    Route(
        "GET",
        "storage",
        "/downloads/{address}",
        "storage.send",
        files.send,
        error_formats.format_resource_error,
        TRANSFER,
    ),
    Route(
        "POST",
        "hooks",
        "/message/{webhookId}",
        "notifications.post",
        notifications.notify,
        error_formats.format_notification_error,
        NOTIFICATION,
    ),
    *(
        Route(
            method,
            "api",
            path,
            f"retired.{item.key}",
            refuse_calls_of(item),
            error_formats.format_resource_error,
            VERSIONING,
            retirement=item,
        )
        for item in RETIREMENTS
        for method, path in item.operations
    ),
    *ADMIN_ROUTES,
)

ROUTER = Router(ROUTES)

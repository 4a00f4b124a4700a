"""The operations of the service as one table, and the calls of the admin interface."""

from fakes import dialects
from fakes.addresses import Area
from fakes.admin_routes import ADMIN_ROUTES
from fakes.dialects import Dialect
from fakes.handlers import auth, directory, files, notifications
from fakes.handlers.retired import retired
from fakes.routing import Route, Router
from svckit.models.lifecycle import RETIREMENTS
from svckit.models.paths import DOWNLOAD_PLACES, UPLOAD_PLACES

__all__ = ["AUTHORIZE", "DIALECTS", "ROUTER", "ROUTES", "TOKEN"]

AUTHORIZE = "/oauth2/v2.0/authorize"
TOKEN = "/oauth2/v2.0/token"  # noqa: S105 - a path
UPLOAD = "/uploads/{address}"
USER = "/users/{userId}"

TOKENS = "Endpoints › Token endpoints"
TRANSFER = "Endpoints › File transfer"
DIRECTORY = "Endpoints › Directory"
NOTIFICATION = "Endpoints › Incoming notification endpoint"
VERSIONING = "Versioning"

DIALECTS: dict[Area, Dialect] = {
    "api": dialects.resource,
    "storage": dialects.resource,
    "auth": dialects.authorization,
    "hooks": dialects.notification,
    "admin": dialects.admin,
}
"""How each area words a refusal, unless a route of it says otherwise."""

ROUTES = (
    Route("GET", "auth", AUTHORIZE, "auth.authorize", auth.authorize, dialects.authorization, TOKENS),
    Route("POST", "auth", AUTHORIZE, "auth.login", auth.log_in, dialects.authorization, TOKENS, "form"),
    Route("POST", "auth", TOKEN, "auth.token", auth.token, dialects.token, TOKENS, "form"),
    Route(
        "PATCH",
        "api",
        USER,
        "users.update",
        directory.update_user,
        dialects.resource,
        DIRECTORY,
        exclusive="userId",
    ),
    Route(
        "POST",
        "api",
        USER + "/user-profile-statuses",
        "users.set_status",
        directory.register_status,
        dialects.resource,
        DIRECTORY,
    ),
    *(
        Route(
            "POST", "api", at.template, f"upload.{at.key}", files.upload_step(at), dialects.resource, TRANSFER
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
            dialects.resource,
            TRANSFER,
        )
        for at in DOWNLOAD_PLACES
    ),
    Route(
        "POST", "storage", UPLOAD, "storage.receive", files.receive, dialects.resource, TRANSFER, "multipart"
    ),
    Route(
        "PUT",
        "storage",
        UPLOAD,
        "storage.receive_raw",
        files.receive_raw,
        dialects.resource,
        TRANSFER,
        "content",
    ),
    Route("GET", "storage", "/downloads/{address}", "storage.send", files.send, dialects.resource, TRANSFER),
    Route(
        "POST",
        "hooks",
        "/message/{webhookId}",
        "notifications.post",
        notifications.notify,
        dialects.notification,
        NOTIFICATION,
    ),
    *(
        Route(method, "api", path, f"retired.{item.key}", retired(item), dialects.resource, VERSIONING)
        for item in RETIREMENTS
        for method, path in item.operations
    ),
    *ADMIN_ROUTES,
)

ROUTER = Router(ROUTES)

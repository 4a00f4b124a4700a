"""The operations of the service as one table."""

from fakes import dialects
from fakes.addresses import Area
from fakes.dialects import Dialect
from fakes.handlers import auth, directory, files, notifications
from fakes.routing import Route, Router
from svckit.models.paths import DOWNLOAD_PLACES, UPLOAD_PLACES

__all__ = ["DIALECTS", "ROUTER", "ROUTES"]

AUTHORIZE = "/oauth2/v2.0/authorize"
UPLOAD = "/uploads/{address}"

ROUTES = (
    Route("GET", "auth", AUTHORIZE, "auth.authorize", auth.authorize, dialects.authorization),
    Route("POST", "auth", AUTHORIZE, "auth.log-in", auth.log_in, dialects.authorization),
    Route("POST", "auth", "/oauth2/v2.0/token", "auth.token", auth.token, dialects.token),
    Route("PATCH", "api", "/users/{userId}", "users.update", directory.update_user, dialects.resource),
    Route(
        "POST",
        "api",
        "/users/{userId}/user-profile-statuses",
        "users.register-status",
        directory.register_status,
        dialects.resource,
    ),
    *(
        Route(
            "POST", "api", place.template, f"upload.{place.key}", files.upload_step(place), dialects.resource
        )
        for place in UPLOAD_PLACES
    ),
    *(
        Route(
            "GET",
            "api",
            place.template,
            f"download.{place.key}",
            files.download_step(place),
            dialects.resource,
        )
        for place in DOWNLOAD_PLACES
    ),
    Route("POST", "storage", UPLOAD, "storage.receive", files.receive, dialects.resource, "multipart"),
    Route("PUT", "storage", UPLOAD, "storage.receive-raw", files.receive_raw, dialects.resource, "content"),
    Route("GET", "storage", "/downloads/{address}", "storage.send", files.send, dialects.resource),
    Route(
        "POST",
        "hooks",
        "/message/{webhookId}",
        "notifications.post",
        notifications.notify,
        dialects.notification,
    ),
)

ROUTER = Router(ROUTES)

DIALECTS: dict[Area, Dialect] = {
    "api": dialects.resource,
    "storage": dialects.resource,
    "auth": dialects.authorization,
    "hooks": dialects.notification,
    "admin": dialects.resource,
}
"""How each area words the refusal of a request that matches no operation."""

"""The operations of the service as one table, and the router, which has the calls of the admin interface too."""

from collections.abc import Iterable
from functools import lru_cache, partial
from typing import NoReturn

from fakes.handlers import auth, directory, error_formats, files, notifications
from fakes.handlers.context import CallContext
from fakes.handlers.error_formats import Dialect
from fakes.handlers.routing import Route, Router
from fakes.http.addresses import Area
from fakes.parts.sign_in.auth import AUTHORIZE
from svckit.models.files import UploadRequest, UploadResult, UploadTicket
from svckit.models.lifecycle import RETIREMENTS, Retirement
from svckit.models.notification import Notification, NotificationReply
from svckit.models.paths import DOWNLOAD_PLACES, UPLOAD_PLACES
from svckit.models.status import StatusRegistration, UserProfileStatus
from svckit.models.token import TokenSet
from svckit.models.user import User, UserChange

__all__ = ["AUTHORIZE", "DIALECTS", "LONG_URL", "ROUTER", "ROUTES", "TOKEN", "resolve"]

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


def refuse(item: Retirement, call: CallContext) -> NoReturn:
    """Refuse a call of a retired feature, with or without a token."""
    raise call.state.lifecycle.make_refusal(item)


_auth = partial(Route, "auth", DIALECTS["auth"])
_api = partial(Route, "api", DIALECTS["api"])
_storage = partial(Route, "storage", DIALECTS["storage"])
_hooks = partial(Route, "hooks", DIALECTS["hooks"])

ROUTES = (
    _auth("GET", AUTHORIZE, "auth.authorize", auth.authorize, TOKENS),
    _auth("POST", AUTHORIZE, "auth.login", auth.log_in, TOKENS, body="form"),
    Route(
        "auth",
        error_formats.format_token_error,
        "POST",
        TOKEN,
        "auth.token",
        auth.issue_token,
        TOKENS,
        body="form",
        returns=TokenSet,
    ),
    _api(
        "PATCH",
        USER,
        "users.update",
        directory.update_user,
        DIRECTORY,
        exclusive="userId",
        takes=UserChange,
        returns=User,
    ),
    _api(
        "POST",
        STATUSES,
        "users.set_status",
        directory.register_status,
        DIRECTORY,
        takes=StatusRegistration,
        returns=UserProfileStatus,
    ),
    *(
        _api(
            "POST",
            at.template,
            f"upload.{at.key}",
            files.upload_step(at),
            TRANSFER,
            takes=UploadRequest,
            returns=UploadTicket,
            does=f"Request a URL to upload to: {at.purpose}",
        )
        for at in UPLOAD_PLACES
    ),
    *(
        _api(
            "GET",
            at.template,
            f"download.{at.key}",
            files.download_step(at),
            TRANSFER,
            does=f"Request the URL of a download: {at.purpose}",
        )
        for at in DOWNLOAD_PLACES
    ),
    _storage(
        "POST", UPLOAD, "storage.receive", files.receive, TRANSFER, body="multipart", returns=UploadResult
    ),
    _storage(
        "PUT",
        UPLOAD,
        "storage.receive_bytes",
        files.receive_bytes,
        TRANSFER,
        body="content",
        returns=UploadResult,
    ),
    _storage("GET", "/downloads/{address}", "storage.send", files.send, TRANSFER),
    _hooks(
        "POST",
        "/message/{webhookId}",
        "notifications.post",
        notifications.notify,
        NOTIFICATION,
        takes=Notification,
        returns=NotificationReply,
    ),
    *(
        _api(
            method,
            path,
            f"retired.{item.key}",
            partial(refuse, item),
            VERSIONING,
            retirement=item,
            does=f"Retired: {item.item}",
        )
        for item in RETIREMENTS
        for method, path in item.operations
    ),
)


def _load_admin_routes() -> Iterable[Route]:
    from fakes.handlers.admin_routes import ADMIN_ROUTES  # few clients call them

    return ADMIN_ROUTES


ROUTER = Router(ROUTES, _load_admin_routes)
resolve = lru_cache(maxsize=1024)(ROUTER.resolve)
"""The same as `Router.resolve`, cached: clients call the same URLs again and again."""
LONG_URL = 2048
"""URLs from this length on are not cached, as they would fill the cache."""

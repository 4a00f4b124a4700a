"""The two steps of a transfer as deviations allow them, beyond the description."""

from collections.abc import Callable
from typing import Any

from pydantic_core import to_json

from fakes import rulebook
from fakes.handlers.context import CallContext
from fakes.http.errors import Refusal
from fakes.parts.bearers import needs_no_bearer
from fakes.parts.uploads import AS_DESCRIBED, Asked
from fakes.rulebook import deviations
from svckit.models import paths
from svckit.models.files import UploadRequest
from svckit.models.problems import shorten

__all__ = ["authorize_storage", "read_upload_request"]

BEHIND_REDIRECT = (
    "a download URL needs it too, and a client that follows the redirect itself drops the bearer token on the way to "
    "another host: request the Location URL with Authorization yourself"
)
"""Why a download has lost its bearer token, and what helps."""

NULLS = (rulebook.api.NULL, rulebook.api.NULL_OPTIONAL)
BOT = "bot"
"""The store of bot content."""


def read_upload_request(place: paths.TransferPath, call: CallContext) -> tuple[UploadRequest, Asked]:
    """Return the body of the first step of an upload, and what it asks for beyond the description.

    Raises:
        Refusal: the body is not valid.
    """
    read = _read_deviating if call.state.rules.deviations.chosen else _read_as_described
    try:
        return read(place, call)
    except Refusal as refusal:
        if place.store == BOT and refusal.kind == "missing" and _name_fields(refusal) == ["fileSize"]:
            refusal.remedy = deviations.REQUEST.recommend()
        raise


def _name_fields(refusal: Refusal) -> list[str]:
    return [problem.field for problem in refusal.problems]


def _read_as_described(_: paths.TransferPath, call: CallContext) -> tuple[UploadRequest, Asked]:
    return call.json(UploadRequest, rulebook.files.REQUEST, nulls=NULLS), AS_DESCRIBED


def _read_deviating(place: paths.TransferPath, call: CallContext) -> tuple[UploadRequest, Asked]:
    call.check_json_head()
    rules, sent = call.state.rules, dict(call.json_object())
    may_resume = rules.deviations.get(deviations.STEP1_OFFSET) is not None
    resume: Any = sent.pop("resume", False) if may_resume else False
    if not isinstance(resume, bool):
        rules.deviate(deviations.STEP1_OFFSET)
        raise Refusal("invalid", f"resume must be true or false; given {shorten(to_json(resume).decode())}")
    is_unsized = (
        place.store == BOT and "fileSize" not in sent and rules.deviate(deviations.REQUEST) is not None
    )
    if is_unsized:
        sent["fileSize"] = 0
    request = call.read_object(sent, UploadRequest, rulebook.files.REQUEST, nulls=NULLS)
    if resume:
        rules.deviate(deviations.STEP1_OFFSET)
    return request, Asked(is_unsized, resume, rules.deviate(deviations.STEP1_ID) is not None)


def authorize_storage(call: CallContext, scope: str, find_user: Callable[[], str | None]) -> str:
    """Return the ID of the user for whom a second step acts.

    Args:
        call: the call.
        scope: the scope that the operation needs, if operations are assumed to need one.
        find_user: finds the user who requested the URL, if it was issued.

    Raises:
        Refusal: the bearer credential is not valid, or is missing and needed.
    """
    if needs_no_bearer(call.head, call.state.rules):
        call.state.rules.deviate(deviations.STORAGE_BEARER)
        return find_user() or ""
    try:
        return call.authorize(scope).user_id
    except Refusal as refusal:
        if call.head.header("Authorization"):
            raise
        hint = "an upload URL needs it too" if call.head.method in ("POST", "PUT") else BEHIND_REDIRECT
        remedy = deviations.STORAGE_BEARER.recommend()
        raise Refusal(refusal.kind, f"{refusal.description}; {hint}", remedy=remedy) from None

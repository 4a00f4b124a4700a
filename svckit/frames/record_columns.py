"""The columns of all frames but those of users: statuses, files, messages, events, the journal and more.

`svckit.frames.column.Column` explains its arguments, and the notation of paths such as ``mentions[joined]``.
"""

from collections.abc import Mapping, Sequence
from typing import get_args

from svckit.frames.column import DAY, TIME, Column, Record
from svckit.models.event import MINIMUM_CLIENT_VERSION
from svckit.models.status import ProfileStatusId, ScheduleType

__all__ = ["OUTCOMES", "RECORD_FRAMES"]

CONTENT_TYPES = tuple(MINIMUM_CLIENT_VERSION)
OUTCOMES = ("delivered", "rejected", "failed", "timed-out", "not-sent")
STAGES = ("planned", "retires", "retired")

REPLY = "autoReplyMail"
STATUSES = (
    Column("user_id", "string", "the user, as named in the request"),
    Column("schedule_type", "category", "current, or reserved for later", categories=get_args(ScheduleType)),
    Column("profile_status_id", "category", "kind of status", categories=get_args(ProfileStatusId)),
    Column("profile_status_name", "string", "name of the status"),
    Column("status_message", "string", "message shown beside it"),
    Column("start_time", TIME, "start; missing if immediate"),
    Column("end_time", TIME, "end; missing if open"),
    Column(
        "reply_internal",
        "string",
        "automatic reply to mail from inside the domain",
        f"{REPLY}.internal.content",
    ),
    Column(
        "reply_internal_to_me",
        "boolean",
        "only to mail addressed directly to the user",
        f"{REPLY}.internal.sentDirectlyToMe",
    ),
    Column("reply_external", "string", "automatic reply to mail from outside", f"{REPLY}.external.content"),
    Column(
        "reply_external_to_me",
        "boolean",
        "only to mail addressed directly to the user",
        f"{REPLY}.external.sentDirectlyToMe",
    ),
    Column("icon_url", "string", "URL of the icon"),
    Column("user_profile_status_id", "string", "ID of this entry"),
)

FILES = (
    Column("place", "string", "where it is stored"),
    Column("file_id", "string", "file ID"),
    Column("file_name", "string", "file name"),
    Column("content_type", "string", "media type as sent"),
    Column("file_size", "Int64", "size in bytes"),
    Column("revision", "Int64", "number of the revision, from 1"),
    Column("created_time", TIME, "when it was stored"),
    Column("modified_time", TIME, "update time as the client gave it"),
    Column("owner", "string", "ID of the user who stored it"),
)

REVISIONS = (
    Column("place", "string", "where the file is stored"),
    Column("file_id", "string", "file ID"),
    Column("number", "Int64", "which revision of the file, from 1; the newest is the last"),
    Column("revision_id", "string", "ID of the revision, for a download"),
    Column("newest", "boolean", "true for the newest revision"),
    Column("file_name", "string", "file name"),
    Column("content_type", "string", "media type as sent"),
    Column("file_size", "Int64", "size in bytes"),
    Column("stored_time", TIME, "when it was stored"),
    Column("modified_time", TIME, "update time as the client gave it"),
)

MESSAGES = (
    Column("sent_at", TIME, "when it was accepted"),
    Column("channel_id", "string", "the chat room"),
    Column("title", "string", "title shown"),
    Column("text", "string", "text as sent, mention markup included"),
    Column("mentions", "string", "user IDs mentioned in the text, separated by commas", "mentions[joined]"),
    Column("mention_count", "Int64", "number of mentions", "mentions[count]"),
    Column("button_label", "string", "label of the link button", "button.label"),
    Column("button_url", "string", "URL of the link button", "button.url"),
    Column("webhook", "string", "fingerprint of the webhook (its ID is secret)"),
)

EVENTS = (
    Column("number", "Int64", "number of the event, from 1"),
    Column("issued_time", TIME, "when the event was issued"),
    Column("bot_id", "string", "ID of the receiving bot, from the request header"),
    Column("user_id", "string", "ID of the sender", "source.userId"),
    Column("channel_id", "string", "ID of the chat room; missing for a one-to-one room", "source.channelId"),
    Column("domain_id", "Int64", "domain of the sender", "source.domainId"),
    Column("type", "category", "type of the event", categories=("message",)),
    Column("content_type", "category", "type of the content", "content.type", CONTENT_TYPES),
    Column("text", "string", "content of a text message", "content.text"),
    Column("postback", "string", "data of the action that sent a text message", "content.postback"),
    Column("address", "string", "address of a location", "content.address"),
    Column("latitude", "Float64", "latitude of a location, in degrees", "content.latitude"),
    Column("longitude", "Float64", "longitude of a location, in degrees", "content.longitude"),
    Column("package_id", "string", "package of a sticker", "content.packageId"),
    Column("sticker_id", "string", "ID of a sticker in its package", "content.stickerId"),
    Column("file_id", "string", "ID of an image or a file, for a download", "content.fileId"),
    Column("json", "string", "the whole event as JSON, whatever its type"),
)

DELIVERIES = (
    Column("at", TIME, "when the event was issued"),
    Column("bot_id", "string", "ID of the receiving bot"),
    Column("user_id", "string", "ID of the sender"),
    Column("channel_id", "string", "ID of the chat room; missing for a one-to-one room"),
    Column("type", "category", "type of the message, or of another event", categories=CONTENT_TYPES),
    Column("outcome", "category", "outcome of the delivery", categories=OUTCOMES),
    Column("status", "Int64", "HTTP status of the receiver's response; missing without one"),
    Column("error", "string", "why it was not delivered"),
    Column("latency", "Float64", "seconds from the event to the response"),
    Column("assumed", "string", "IDs of the assumptions that it depends on", "assumed[joined]"),
    Column("injected", "string", "injected fault; missing without one"),
)

JOURNAL = (
    Column("number", "Int64", "number of the request, from 1"),
    Column("at", TIME, "when the response was sent"),
    Column("operation", "string", "name of the operation"),
    Column("method", "category", "HTTP method", categories=("GET", "POST", "PUT", "PATCH", "DELETE")),
    Column("url", "string", "URL, secrets masked"),
    Column("status", "Int64", "HTTP status"),
    Column("user_id", "string", "ID of the user, from the access token; missing without a valid one"),
    Column("injected", "string", "injected fault; missing without one"),
    Column(
        "rules", "string", "IDs of the rules that the response used, separated by commas", "rules[joined]"
    ),
    Column("assumed", "string", "those rules that are assumptions", "assumed[joined]"),
    Column("observed", "string", "those rules that were measured", "observed[joined]"),
    Column("deviations", "string", "deviations that shaped the response", "deviations[joined]"),
    Column("ignored", "string", "parameters and fields of the request that were ignored", "ignored[joined]"),
    Column("request_bytes", "Int64", "size of the request body"),
    Column("response_bytes", "Int64", "size of the response body; missing if streamed"),
    Column("rate_used", "Int64", "notifications counted so far, from the response header", "rateLimit.used"),
    Column("rate_limit", "Int64", "the limit", "rateLimit.limit"),
    Column("rate_remaining", "Int64", "the number left", "rateLimit.remaining"),
    Column("rate_reset", "Int64", "seconds until the count resets", "rateLimit.reset"),
    Column("reason", "string", "why the request was refused; missing if it was not"),
    Column("remedy", "string", "the choices that would have allowed it; missing if none is known"),
    Column("section", "string", "section of the service's description that refused it"),
    Column("webhook", "string", "fingerprint of the webhook that was called (its ID is secret)"),
)

CREDENTIALS = (
    Column(
        "credential", "category", "kind of credential", categories=("code", "access token", "refresh token")
    ),
    Column("user_id", "string", "ID of the user who signed in"),
    Column("scope", "string", "granted scopes"),
    Column("state", "category", "state", categories=("valid", "used", "expired")),
    Column("issued_time", TIME, "when it was issued"),
    Column("end_time", TIME, "when it expires"),
    Column("as_of", TIME, "time of this information"),
)


def stage(record: Record) -> str | None:
    """Return the stage of a feature: its end is planned without a date, or with one, or it is retired.

    Examples:
        >>> [stage({"status": status}) for status in ("planned", "retires in 1 day", "retired")]
        ['planned', 'retires', 'retired']
    """
    status = record.get("status")
    return status and status.partition(" ")[0]


LIFECYCLE = (
    Column("key", "string", "short stable name"),
    Column("item", "string", "feature that retires, or value that changes"),
    Column("status", "string", "planned if undecided, retires in N days, or retired"),
    Column(
        "stage", "category", "status without the days, in chronological order", "status", STAGES, derive=stage
    ),
    Column("days_left", "Int64", "days until then, negative afterwards; missing while undecided"),
    Column("date", DAY, "day on which it retires; missing while undecided"),
    Column("date_wording", "string", "the day as worded in the description"),
    Column("replacement", "string", "what comes after; missing if none is named"),
)

RULES = (
    Column("id", "string", "area and behavior"),
    Column(
        "provenance",
        "category",
        "documented, assumed, or observed if it was measured; a deviation if one is chosen",
        categories=("documented", "assumed", "observed", "deviation"),
    ),
    Column("section", "string", "section of the service's description that states it, or leaves it open"),
    Column("text", "string", "behavior of the fake; for an assumption, the default"),
    Column(
        "alternatives",
        "string",
        "plausible alternatives of an assumption, the default first",
        "alternatives[joined]",
    ),
    Column("chosen", "string", "chosen alternative of an assumption"),
    Column("used", "Int64", "number of responses that used it"),
)

RECORD_FRAMES: Mapping[str, Sequence[Column]] = {
    "statuses": STATUSES,
    "files": FILES,
    "revisions": REVISIONS,
    "messages": MESSAGES,
    "events": EVENTS,
    "deliveries": DELIVERIES,
    "journal": JOURNAL,
    "credentials": CREDENTIALS,
    "lifecycle": LIFECYCLE,
    "rules": RULES,
}
"""The columns of each frame."""

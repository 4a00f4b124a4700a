"""The columns of all frames but those of users: statuses, files, messages, events, the journal and more."""

from typing import get_args

from svckit.frames.column import Column, Record
from svckit.models.event import MINIMUM_CLIENT_VERSION
from svckit.models.status import ProfileStatusId, ScheduleType

__all__ = [
    "CREDENTIALS",
    "DELIVERIES",
    "EVENTS",
    "FILES",
    "JOURNAL",
    "LIFECYCLE",
    "MESSAGES",
    "REVISIONS",
    "RULES",
    "STATUSES",
]

CONTENT_TYPES = tuple(MINIMUM_CLIENT_VERSION)
OUTCOMES = ("delivered", "rejected", "failed", "timed-out", "not-sent")
STAGES = ("planned", "retires", "retired")

REPLY = "autoReplyMail"
STATUSES = (
    Column("user_id", "string", "userId", "the user, as named in the request"),
    Column(
        "schedule_type", "category", "scheduleType", "current, or reserved for later", get_args(ScheduleType)
    ),
    Column("profile_status_id", "category", "profileStatusId", "kind of status", get_args(ProfileStatusId)),
    Column("profile_status_name", "string", "profileStatusName", "name of the status"),
    Column("status_message", "string", "statusMessage", "message shown beside it"),
    Column("start_time", "datetime64[us, UTC]", "startTime", "start; missing if immediate"),
    Column("end_time", "datetime64[us, UTC]", "endTime", "end; missing if open"),
    Column(
        "reply_internal",
        "string",
        f"{REPLY}.internal.content",
        "automatic reply to mail from inside the domain",
    ),
    Column(
        "reply_internal_to_me",
        "boolean",
        f"{REPLY}.internal.sentDirectlyToMe",
        "only to mail addressed directly to the user",
    ),
    Column("reply_external", "string", f"{REPLY}.external.content", "automatic reply to mail from outside"),
    Column(
        "reply_external_to_me",
        "boolean",
        f"{REPLY}.external.sentDirectlyToMe",
        "only to mail addressed directly to the user",
    ),
    Column("icon_url", "string", "iconUrl", "URL of the icon"),
    Column("user_profile_status_id", "string", "userProfileStatusId", "ID of this entry"),
)

FILES = (
    Column("place", "string", "place", "where it is stored"),
    Column("file_id", "string", "fileId", "file ID"),
    Column("file_name", "string", "fileName", "file name"),
    Column("content_type", "string", "contentType", "media type as sent"),
    Column("file_size", "Int64", "fileSize", "size in bytes"),
    Column("revision", "Int64", "revision", "number of the revision, from 1"),
    Column("created_time", "datetime64[us, UTC]", "createdTime", "when it was stored"),
    Column("modified_time", "datetime64[us, UTC]", "modifiedTime", "update time as the client gave it"),
    Column("owner", "string", "owner", "ID of the user who stored it"),
)

REVISIONS = (
    Column("place", "string", "place", "where the file is stored"),
    Column("file_id", "string", "fileId", "file ID"),
    Column("number", "Int64", "number", "which revision of the file, from 1; the newest is the last"),
    Column("revision_id", "string", "revisionId", "ID of the revision, for a download"),
    Column("newest", "boolean", "newest", "true for the newest revision"),
    Column("file_name", "string", "fileName", "file name"),
    Column("content_type", "string", "contentType", "media type as sent"),
    Column("file_size", "Int64", "fileSize", "size in bytes"),
    Column("stored_time", "datetime64[us, UTC]", "storedTime", "when it was stored"),
    Column("modified_time", "datetime64[us, UTC]", "modifiedTime", "update time as the client gave it"),
)

MESSAGES = (
    Column("sent_at", "datetime64[us, UTC]", "sentAt", "when it was accepted"),
    Column("channel_id", "string", "channelId", "the chat room"),
    Column("title", "string", "title", "title shown"),
    Column("text", "string", "text", "text as sent, mention markup included"),
    Column("mentions", "string", "mentions[joined]", "user IDs mentioned in the text, separated by commas"),
    Column("mention_count", "Int64", "mentions[count]", "number of mentions"),
    Column("button_label", "string", "button.label", "label of the link button"),
    Column("button_url", "string", "button.url", "URL of the link button"),
    Column("webhook", "string", "webhook", "fingerprint of the webhook (its ID is secret)"),
)

EVENTS = (
    Column("number", "Int64", "number", "number of the event, from 1"),
    Column("issued_time", "datetime64[us, UTC]", "issuedTime", "when the event was issued"),
    Column("bot_id", "string", "botId", "ID of the receiving bot, from the request header"),
    Column("user_id", "string", "source.userId", "ID of the sender"),
    Column("channel_id", "string", "source.channelId", "ID of the chat room; missing for a one-to-one room"),
    Column("domain_id", "Int64", "source.domainId", "domain of the sender"),
    Column("type", "category", "type", "type of the event", ("message",)),
    Column("content_type", "category", "content.type", "type of the content", CONTENT_TYPES),
    Column("text", "string", "content.text", "content of a text message"),
    Column("postback", "string", "content.postback", "data of the action that sent a text message"),
    Column("address", "string", "content.address", "address of a location"),
    Column("latitude", "Float64", "content.latitude", "latitude of a location, in degrees"),
    Column("longitude", "Float64", "content.longitude", "longitude of a location, in degrees"),
    Column("package_id", "string", "content.packageId", "package of a sticker"),
    Column("sticker_id", "string", "content.stickerId", "ID of a sticker in its package"),
    Column("file_id", "string", "content.fileId", "ID of an image or a file, for a download"),
    Column("json", "string", "json", "the whole event as JSON, whatever its type"),
)

DELIVERIES = (
    Column("at", "datetime64[us, UTC]", "at", "when the event was issued"),
    Column("bot_id", "string", "botId", "ID of the receiving bot"),
    Column("user_id", "string", "userId", "ID of the sender"),
    Column("channel_id", "string", "channelId", "ID of the chat room; missing for a one-to-one room"),
    Column("type", "category", "type", "type of the message, or of another event", CONTENT_TYPES),
    Column("outcome", "category", "outcome", "outcome of the delivery", OUTCOMES),
    Column("status", "Int64", "status", "HTTP status of the receiver's response; missing without one"),
    Column("error", "string", "error", "why it was not delivered"),
    Column("latency", "Float64", "latency", "seconds from the event to the response"),
    Column("assumed", "string", "assumed[joined]", "IDs of the assumptions that it depends on"),
    Column("injected", "string", "injected", "injected fault; missing without one"),
)

JOURNAL = (
    Column("number", "Int64", "number", "number of the request, from 1"),
    Column("at", "datetime64[us, UTC]", "at", "when the response was sent"),
    Column("operation", "string", "operation", "name of the operation"),
    Column("method", "category", "method", "HTTP method", ("GET", "POST", "PUT", "PATCH", "DELETE")),
    Column("url", "string", "url", "URL, secrets masked"),
    Column("status", "Int64", "status", "HTTP status"),
    Column(
        "user_id", "string", "userId", "ID of the user, from the access token; missing without a valid one"
    ),
    Column("injected", "string", "injected", "injected fault; missing without one"),
    Column(
        "rules", "string", "rules[joined]", "IDs of the rules that the response used, separated by commas"
    ),
    Column("assumed", "string", "assumed[joined]", "those rules that are assumptions"),
    Column("observed", "string", "observed[joined]", "those rules that were measured"),
    Column("deviations", "string", "deviations[joined]", "deviations that shaped the response"),
    Column("ignored", "string", "ignored[joined]", "parameters and fields of the request that were ignored"),
    Column("request_bytes", "Int64", "requestBytes", "size of the request body"),
    Column("response_bytes", "Int64", "responseBytes", "size of the response body; missing if streamed"),
    Column("rate_used", "Int64", "rateLimit.used", "notifications counted so far, from the response header"),
    Column("rate_limit", "Int64", "rateLimit.limit", "the limit"),
    Column("rate_remaining", "Int64", "rateLimit.remaining", "the number left"),
    Column("rate_reset", "Int64", "rateLimit.reset", "seconds until the count resets"),
    Column("reason", "string", "reason", "why the request was refused; missing if it was not"),
    Column("remedy", "string", "remedy", "the choices that would have allowed it; missing if none is known"),
    Column("section", "string", "section", "section of the service's description that refused it"),
    Column("webhook", "string", "webhook", "fingerprint of the webhook that was called (its ID is secret)"),
)

CREDENTIALS = (
    Column(
        "credential",
        "category",
        "credential",
        "kind of credential",
        ("code", "access token", "refresh token"),
    ),
    Column("user_id", "string", "userId", "ID of the user who signed in"),
    Column("scope", "string", "scope", "granted scopes"),
    Column("state", "category", "state", "state", ("valid", "used", "expired")),
    Column("issued_time", "datetime64[us, UTC]", "issuedTime", "when it was issued"),
    Column("end_time", "datetime64[us, UTC]", "endTime", "when it expires"),
    Column("as_of", "datetime64[us, UTC]", "asOf", "time of this information"),
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
    Column("key", "string", "key", "short stable name"),
    Column("item", "string", "item", "feature that retires, or value that changes"),
    Column("status", "string", "status", "planned if undecided, retires in N days, or retired"),
    Column(
        "stage",
        "category",
        "status",
        "status without the days, in chronological order",
        STAGES,
        derive=stage,
    ),
    Column("days_left", "Int64", "daysLeft", "days until then, negative afterwards; missing while undecided"),
    Column("date", "datetime64[us]", "date", "day on which it retires; missing while undecided"),
    Column("date_wording", "string", "dateWording", "the day as worded in the description"),
    Column("replacement", "string", "replacement", "what comes after; missing if none is named"),
)

RULES = (
    Column("id", "string", "id", "area and behavior"),
    Column(
        "provenance",
        "category",
        "provenance",
        "documented, assumed, or observed if it was measured; a deviation if one is chosen",
        ("documented", "assumed", "observed", "deviation"),
    ),
    Column(
        "section",
        "string",
        "section",
        "section of the service's description that states it, or leaves it open",
    ),
    Column("text", "string", "text", "behavior of the fake; for an assumption, the default"),
    Column(
        "alternatives",
        "string",
        "alternatives[joined]",
        "plausible alternatives of an assumption, the default first",
    ),
    Column("chosen", "string", "chosen", "chosen alternative of an assumption"),
    Column("used", "Int64", "used", "number of responses that used it"),
)

"""The columns of what the fake and the session keep: files, room messages, bot events, the journal, credentials."""

from svckit.frames.column import Column
from svckit.models.event import MINIMUM_CLIENT_VERSION

__all__ = ["CREDENTIALS", "DELIVERIES", "EVENTS", "FILES", "JOURNAL", "MESSAGES", "REVISIONS"]

CONTENT_TYPES = tuple(MINIMUM_CLIENT_VERSION)
OUTCOMES = ("delivered", "rejected", "failed", "timed-out", "not-sent")


FILES = (
    Column("place", "string", "place", "where it is stored"),
    Column("file_id", "string", "fileId", "file ID"),
    Column("file_name", "string", "fileName", "file name"),
    Column("content_type", "string", "contentType", "media type as sent"),
    Column("file_size", "Int64", "fileSize", "size in bytes"),
    Column("revision", "Int64", "revision", "number of the revision, from 1"),
    Column("created_time", "datetime64[us, UTC]", "createdTime", "when it was stored"),
    Column("modified_time", "datetime64[us, UTC]", "modifiedTime", "update time as the client gave it"),
    Column("owner", "string", "owner", "user ID of whoever stored it"),
)

REVISIONS = (
    Column("place", "string", "place", "where the file is stored"),
    Column("file_id", "string", "fileId", "file ID"),
    Column("number", "Int64", "number", "which revision of the file, from 1; the newest is the last"),
    Column("revision_id", "string", "revisionId", "what a download names it by"),
    Column("newest", "boolean", "newest", "whether it is the file's newest"),
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
    Column("mentions", "string", "mentions[joined]", "user IDs mentioned in the text, with commas between"),
    Column("mention_count", "Int64", "mentions[count]", "how many"),
    Column("button_label", "string", "button.label", "label of the link button"),
    Column("button_url", "string", "button.url", "address of the link button"),
    Column("webhook", "string", "webhook", "fingerprint of the webhook (its id is secret)"),
)

EVENTS = (
    Column("number", "Int64", "number", "number of the event among all that came, from 1"),
    Column("issued_time", "datetime64[us, UTC]", "issuedTime", "when the event was made"),
    Column("bot_id", "string", "botId", "the bot it was sent to, as the request's header says"),
    Column("user_id", "string", "source.userId", "who sent the message"),
    Column("channel_id", "string", "source.channelId", "the chat room; missing for a one-to-one room"),
    Column("domain_id", "Int64", "source.domainId", "domain of the sender"),
    Column("type", "category", "type", "type of the event", ("message",)),
    Column("content_type", "category", "content.type", "type of the content", CONTENT_TYPES),
    Column("text", "string", "content.text", "of a text, what it says"),
    Column("postback", "string", "content.postback", "of a text, data of the action that sent it"),
    Column("address", "string", "content.address", "of a location, in words"),
    Column("latitude", "Float64", "content.latitude", "of a location, in degrees"),
    Column("longitude", "Float64", "content.longitude", "of a location, in degrees"),
    Column("package_id", "string", "content.packageId", "of a sticker, its package"),
    Column("sticker_id", "string", "content.stickerId", "of a sticker, its ID there"),
    Column("file_id", "string", "content.fileId", "of an image or a file, what to download it by"),
    Column("json", "string", "json", "the whole event as JSON, whatever its type"),
)

DELIVERIES = (
    Column("at", "datetime64[us, UTC]", "at", "when the event was made"),
    Column("bot_id", "string", "botId", "the bot it was for"),
    Column("user_id", "string", "userId", "who sent the message"),
    Column("channel_id", "string", "channelId", "the chat room; missing for a one-to-one room"),
    Column("type", "category", "type", "type of the message, or of an event that is none", CONTENT_TYPES),
    Column("outcome", "category", "outcome", "what became of it", OUTCOMES),
    Column("status", "Int64", "status", "HTTP status the receiver answered; missing where it did not"),
    Column("error", "string", "error", "why it was not delivered"),
    Column("latency", "Float64", "latency", "seconds from the event to the answer"),
    Column("assumed", "string", "assumed[joined]", "ids of the assumptions it rests on"),
    Column("injected", "string", "injected", "the fault that was injected; missing where none was"),
)

JOURNAL = (
    Column("number", "Int64", "number", "number of the exchange, from 1"),
    Column("at", "datetime64[us, UTC]", "at", "when it was answered"),
    Column("operation", "string", "operation", "name of the operation"),
    Column("method", "category", "method", "HTTP method", ("GET", "POST", "PUT", "PATCH", "DELETE")),
    Column("url", "string", "url", "address, secrets masked"),
    Column("status", "Int64", "status", "HTTP status"),
    Column("user_id", "string", "userId", "who called, by the access token; missing where none was taken"),
    Column("injected", "string", "injected", "the fault that was injected; missing where none was"),
    Column("rules", "string", "rules[joined]", "ids of the rules the answer used, with commas between"),
    Column("assumed", "string", "assumed[joined]", "those of them that are assumptions"),
    Column("ignored", "string", "ignored[joined]", "fields of the request that were ignored"),
    Column("request_bytes", "Int64", "requestBytes", "size of the request's body"),
    Column("response_bytes", "Int64", "responseBytes", "size of the answer's body; missing where streamed"),
    Column(
        "rate_used", "Int64", "rateLimit.used", "notifications counted so far, as the answer's header says"
    ),
    Column("rate_limit", "Int64", "rateLimit.limit", "how many are allowed"),
    Column("rate_remaining", "Int64", "rateLimit.remaining", "how many are left"),
    Column("rate_reset", "Int64", "rateLimit.reset", "seconds until the count begins anew"),
)

CREDENTIALS = (
    Column("credential", "category", "credential", "what it is", ("code", "access token", "refresh token")),
    Column("user_id", "string", "userId", "who signed in"),
    Column("scope", "string", "scope", "scopes it is for"),
    Column("state", "category", "state", "where it stands", ("valid", "used", "ended")),
    Column("issued_time", "datetime64[us, UTC]", "issuedTime", "when it was issued"),
    Column("end_time", "datetime64[us, UTC]", "endTime", "when it ends"),
    Column("as_of", "datetime64[us, UTC]", "asOf", "when that was looked up"),
)

"""The descriptions of the fields and path parameters of the admin calls."""

from collections.abc import Mapping

from fakes.openapi.provenance import Described

__all__ = ["PATH_PARAMETERS", "describe_fields"]

PATH_PARAMETERS: Mapping[str, str] = {
    "userId": "ID of a user; to read one, also what else addresses users in paths.",
    "channelId": "ID of a room.",
    "botId": "ID of a bot.",
    "clientId": "ID of an application.",
    "worldName": "Name of a world.",
}

FIELDS: Mapping[str, Mapping[str, str]] = {
    "AdminError": {"code": "The kind of error.", "description": "What was wrong."},
    "CallbackURL": {"url": "The URL of the receiver; null disconnects the bot."},
    "Choices": {
        "assume": "The alternatives by rule ID; other rules stay as they are.",
        "assumptions": "What to do with a response that would rest on an assumption.",
        "deviations": "The values by the ID of the deviation; null turns one off. Others stay as they are.",
    },
    "Deviation": {
        "id": "ID of the deviation, which may be that of a documented rule.",
        "departsFrom": "IDs of the documented rules that it departs from.",
        "section": "The section of the description that it departs from.",
        "text": "The behavior if it is chosen, in words.",
        "need": "The clients that need it.",
        "values": "The values to choose from.",
        "chosen": "The value that applies; null if it is off.",
        "used": "Number of responses that it shaped.",
    },
    "DomainSettings": {
        "domainId": "ID of the domain, which cannot be changed.",
        "domainName": "Name of the domain, which sign-in sends under single sign-on.",
        "profileStatusEnabled": "Whether users can have profile statuses.",
        "singleSignOn": "Whether sign-in requires the domain's name.",
        "advancedPlan": "Whether the domain has the advanced plan.",
        "forbiddenEmailWords": "Words that an e-mail for external chats must not contain.",
        "customProperties": "The definitions of the users' custom properties.",
        "propertyRestrictions": "The restrictions of the management settings, by property.",
        "headerWord": "The word that stands for the product in the header names of events, as in X-SERVICE-Signature.",
        "apiCallsPerMinute": "The limit of the rule api.rate-limit; null means 6000 if a limit is assumed.",
        "retirementDates": "The days on which features retire and values change, by the key of the retirement.",
    },
    "JournalEntry": {
        "number": "Number of the request, from 1.",
        "at": "When the request arrived, by the fake's clock.",
        "operation": "Name of the operation.",
        "method": "The HTTP method.",
        "url": "The URL, with secrets masked.",
        "status": "Status of the response; null if a fault broke the connection before it.",
        "userId": "The caller, by the access token; null if it was not needed or not valid.",
        "rules": "IDs of all rules that the response used.",
        "assumed": "IDs of the assumptions that the response rested on.",
        "observed": "IDs of the measured rules that the response rested on.",
        "deviations": "The deviations that shaped the response, such as file.stored=200.",
        "ignored": "Names of the request's ignored parameters, and paths of its ignored fields.",
        "requestBytes": "Size of the whole request body.",
        "responseBytes": "Size of the whole response body; null if it was streamed.",
        "rateLimit": "Usage of the notification rate after this request; null without its headers.",
        "injected": "Effect of a fault, in words; null without a fault.",
        "reason": "Why the request was refused; null if it was not.",
        "remedy": "The choices that would have allowed what was refused; null if none is known.",
        "section": "Section of the service's description that refused the request; null if none did.",
        "webhook": "Fingerprint of the webhook that was called; null for other operations.",
        "parts": "The parts of a multipart body, as far as it was read.",
    },
    "MemberMessage": {
        "botId": "ID of the bot.",
        "userId": "ID of the member.",
        "content": "The content of the event, with its type.",
        "channelId": "ID of the room.",
        "clientVersion": "Version of the member's client.",
    },
    "Message": {
        "title": "Title, or that of the webhook.",
        "text": "Text, as sent.",
        "button": "The button's label and url; null without one.",
        "mentions": "IDs of the users whom the text mentions.",
        "webhookId": "The secret part of the webhook's URL.",
        "sentAt": "When it was posted, by the fake's clock.",
    },
    "Move": {"advance": "Seconds to move by.", "to": "Instant to move to."},
    "NewKey": {"publicKey": "An RSA public key of at least 2048 bits, as PEM."},
    "NewBot": {
        "botId": "ID of the bot; without it, one is issued.",
        "callbackUrl": "The URL of the receiver; null for none.",
    },
    "NewFile": {
        "place": "The path of the place, as for an upload; an ID after it is a folder's.",
        "name": "The file name.",
        "text": "The content, if it is text.",
        "content": "The content in base64, instead of text.",
        "type": "The media type; by default that of plain text or of any bytes.",
        "fileId": "ID of the file, which replaces a file with that ID; without it, one is issued.",
    },
    "NewWebhook": {
        "title": "Title of its messages that have no title.",
        "channelId": "ID of the room.",
        "url": "URL of an earlier entry, to restore it.",
    },
    "PropertyRestriction": {
        "settable": "Whether updates can change the property.",
        "readable": "Whether responses have the property.",
    },
    "Measurement": {
        "result": "Whether the default fits, another alternative does, or none.",
        "value": "The alternative that fits; null if none does.",
        "seen": "Number of requests that decided it.",
        "statuses": "Statuses of their responses.",
        "source": "The traffic that it was measured with.",
        "date": "Day of the newest request.",
    },
    "RateLimit": {
        "used": "Calls since the reference time.",
        "limit": "Calls allowed until the reset.",
        "remaining": "Calls left until the reset.",
        "reset": "Seconds until the reset.",
    },
    "NewWorld": {
        "name": "Name of the world, which its URLs have; without it, one is made up.",
        "users": "Number of sample users; without data here, instead of all of the server's own data that have users.",
        "seed": "Determines the users, IDs and secrets; without one here or of the server, the secrets are random.",
        "now": "Instant at which the clock stands until moved.",
        "assume": "Alternatives for assumptions, by rule ID.",
        "data": "Data of your own: a list of users, or an object of users, files and rooms.",
    },
    "Registration": {"redirectUri": "The redirect URL of the application."},
    "Rule": {
        "id": "ID of the rule.",
        "provenance": "Whether the service's description shows the behavior, or a measurement of a real service.",
        "section": "The section of the description that it comes from or fills a gap in.",
        "text": "The behavior, in words.",
        "alternatives": "The names of the alternatives, the default first; empty if it is documented.",
        "chosen": "The alternative that applies; null if it is documented.",
        "used": "Number of times that it was used.",
        "observed": "What was measured of it; null if nothing was.",
    },
    "SignIn": {
        "url": "The URL of the authorization request.",
        "userId": "User ID or login ID of the user who signs in.",
    },
    "StubRecord": {
        "method": "The method.",
        "path": "The path below the URL of its area; {groupId} in it is a parameter.",
        "area": "The part of the service: api for base_url, auth for auth_url.",
        "bearer": "Whether a call in the area api needs a valid access token.",
        "status": "The status.",
        "headers": "The headers.",
        "json": "The body; {groupId} in its texts is replaced by that parameter.",
        "then": "The responses to the next calls; the last one is repeated.",
        "used": "Number of calls that it responded to.",
        "function": "Whether a function in Python makes a response.",
    },
    "StubResponse": {"status": "The status.", "headers": "The headers.", "json": "The body."},
    "TokenRequest": {"userId": "The user for whom the token acts.", "scope": "The scopes of the token."},
    "Webhook": {
        "url": "Its URL; the last part is secret.",
        "title": "Title of its messages that have no title.",
        "channelId": "ID of the room that it posts to.",
    },
}
FAULT: Mapping[str, str] = {
    "kind": "The kind of fault.",
    "target": "An operation, a path or *, the default; for a callback, the bot's ID.",
    "times": "Number of times it applies; null for always. The default is 1.",
    "used": "Number of times it has applied.",
    "skip": "Number of matching requests or callbacks that get through first.",
    "left": "Number of times it still applies; null for always.",
    "label": "The fault in words.",
    "status": "An error status; by default 503.",
    "retryAfter": "Seconds for a Retry-After header.",
    "seconds": "Length of the delay; for a slow body, of that before each piece, by default 0.1.",
    "chunk": "Bytes of each piece; by default 1024.",
    "afterBytes": "Bytes of the body that arrive; `after` of `fake.faults.truncate`.",
    "applied": "Whether the request takes effect first.",
}
"""The fields of all kinds of faults."""


def describe_fields(name: str, schema: Described) -> Described:
    """Return a schema whose fields have descriptions, before what they say already, such as their defaults.

    Args:
        name: the name of the schema.
        schema: the schema.
    """
    words = FAULT if name.endswith("Fault") else FIELDS.get(name, {})
    fields: Described = {
        field: inner | {"description": " ".join(filter(None, (words.get(field), inner.get("description"))))}
        for field, inner in schema.get("properties", {}).items()
    }
    return schema | {"properties": fields} if fields else schema

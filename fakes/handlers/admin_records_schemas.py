"""Schemas of the journal's entries, of rules, deviations and faults, as admin calls return them."""

from collections.abc import Mapping

from fakes.handlers.admin_schemas import (
    COUNT,
    COUNT_OR_NULL,
    INSTANT,
    TEXT,
    TEXT_OR_NULL,
    TEXTS,
    Schema,
    add_named,
    describe,
    make_list,
    make_object,
    refer_to_schema,
)
from svckit.models.notification import RATE_HEADERS

__all__ = ["FAULT", "JOURNAL", "JOURNAL_QUERY", "RULES"]

JOURNAL_QUERY: Mapping[str, Schema] = {
    "bodies": describe(
        {"type": "string", "enum": ["true", "false"]},
        "Whether to include the bodies of requests and responses, cut at 64 KiB.",
    ),
    "operation": describe(TEXT, "Only requests of this operation, or of those that match a pattern."),
    "status": describe(COUNT, "Only requests whose response has this status."),
    "since": describe(COUNT, "Only requests after the one with this number."),
    "latest": describe(COUNT, "Only so many of these requests, the latest; 0 for none."),
}
"""The query parameters of the journal."""

RATE_LIMIT = add_named(
    "RateLimit",
    make_object(
        **{
            name.removeprefix("RateLimit-").lower(): describe(COUNT, words)
            for name, words in RATE_HEADERS.items()
        }
    ),
)
ENTRY = make_object(
    number=describe(COUNT, "Number of the request, from 1."),
    at=describe(INSTANT, "When the request arrived, by the fake's clock."),
    operation=describe(TEXT_OR_NULL, "Name of the operation."),
    method=describe(TEXT, "The HTTP method."),
    url=describe(TEXT, "The URL, with secrets masked."),
    status=describe(COUNT_OR_NULL, "Status of the response; null if a fault broke the connection before it."),
    userId=describe(TEXT_OR_NULL, "The caller, by the access token; null if it was not needed or not valid."),
    rules=describe(TEXTS, "IDs of all rules that the response used."),
    assumed=describe(TEXTS, "IDs of the assumptions that the response rested on."),
    observed=describe(TEXTS, "IDs of the measured rules that the response rested on."),
    deviations=describe(TEXTS, "The deviations that shaped the response, such as file.stored=200."),
    ignored=describe(TEXTS, "Names of the request's ignored parameters, and paths of its ignored fields."),
    requestBytes=describe(COUNT_OR_NULL, "Size of the whole request body."),
    responseBytes=describe(COUNT_OR_NULL, "Size of the whole response body; null if it was streamed."),
    rateLimit=describe(
        {"anyOf": [RATE_LIMIT, {"type": "null"}]},
        "Usage of the notification rate after this request; null without its headers.",
    ),
    injected=describe(TEXT_OR_NULL, "Effect of a fault, in words; null without a fault."),
    reason=describe(TEXT_OR_NULL, "Why the request was refused; null if it was not."),
    remedy=describe(
        TEXT_OR_NULL, "The choices that would have allowed what was refused; null if none is known."
    ),
    section=describe(
        TEXT_OR_NULL, "Section of the service's description that refused the request; null if none did."
    ),
    webhook=describe(TEXT_OR_NULL, "Fingerprint of the webhook that was called; null for other operations."),
    parts=describe(
        make_list(make_object(name=TEXT, fileName=TEXT_OR_NULL, contentType=TEXT_OR_NULL)),
        "The parts of a multipart body, as far as it was read.",
    ),
)
ENTRY["properties"] |= {
    "requestBody": describe(TEXT, "Only with bodies=true."),
    "responseBody": describe(TEXT, "Only with bodies=true."),
}
JOURNAL = make_object(
    exchanges=make_list(add_named("JournalEntry", ENTRY)),
    count=describe(COUNT, "Number of all requests that the journal has."),
    number=describe(COUNT, "Number of the latest request; 0 if there was none since the start or a reset."),
    dropped=describe(COUNT, "Number of the latest request that made room for later ones; 0 if none did."),
)

MEASUREMENT = add_named(
    "Measurement",
    make_object(
        result=describe(
            {"enum": ["confirmed", "alternative", "refuted"]},
            "Whether the default fits, another alternative does, or none.",
        ),
        value=describe(TEXT_OR_NULL, "The alternative that fits; null if none does."),
        seen=describe(COUNT, "Number of requests that decided it."),
        statuses=describe(make_list(COUNT), "Statuses of their responses."),
        source=describe(TEXT, "The traffic that it was measured with."),
        date=describe(TEXT, "Day of the newest request."),
    ),
)
RULE = add_named(
    "Rule",
    make_object(
        id=describe(TEXT, "ID of the rule."),
        provenance=describe(
            {"enum": ["documented", "assumed", "observed"]},
            "Whether the service's description shows the behavior, or a measurement of a real service.",
        ),
        section=describe(TEXT, "The section of the description that it comes from or fills a gap in."),
        text=describe(TEXT, "The behavior, in words."),
        alternatives=describe(
            TEXTS, "The names of the alternatives, the default first; empty if it is documented."
        ),
        chosen=describe(TEXT_OR_NULL, "The alternative that applies; null if it is documented."),
        used=describe(COUNT, "Number of times that it was used."),
        observed=describe(
            {"anyOf": [MEASUREMENT, {"type": "null"}]}, "What was measured of it; null if nothing was."
        ),
    ),
)
DEVIATION = add_named(
    "Deviation",
    make_object(
        id=describe(TEXT, "ID of the deviation, which may be that of a documented rule."),
        departsFrom=describe(TEXTS, "IDs of the documented rules that it departs from."),
        section=describe(TEXT, "The section of the description that it departs from."),
        text=describe(TEXT, "The behavior if it is chosen, in words."),
        need=describe(TEXT, "The clients that need it."),
        values=describe(TEXTS, "The values to choose from."),
        chosen=describe(TEXT_OR_NULL, "The value that applies; null if it is off."),
        used=describe(COUNT, "Number of responses that it shaped."),
    ),
)
RULES = make_object(rules=make_list(RULE), deviations=make_list(DEVIATION))

FAULT = refer_to_schema("Fault")
"""One of all kinds of faults, whose models `fakes.openapi.admin` describes."""

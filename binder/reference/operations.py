"""The page of the service's operations, from the OpenAPI document."""

from collections.abc import Iterable, Iterator
from typing import Any

from binder.reference.examples import VARIABLES, write_curl, write_response
from binder.reference.markdown import code, codes, fence, page, prose, rule_link, table
from binder.site.menu import begin_upper
from fakes.openapi import openapi
from fakes.openapi.document import TAGS
from svckit.models.lifecycle import RETIREMENTS

Found = tuple[str, str, str, dict[str, Any]]

INTRO = """\
The operations of the service as the fake implements them: an example of each, with its response, then the status of
each response, the cases in which it comes, and the [rules](rules.md) that decide for it. A case is *documented* only if
the description of the service shows all of it, body included, otherwise *assumed*. [One table](matrix.md) has all
operations, [another](statuses.md) all errors by their status, and `svckit openapi` writes an OpenAPI document, with the
schemas of all bodies. In a fault or in `svckit.explain` an operation has the name of its heading.

For a call that has no method in the session, use `svc.request("GET", "/users/u-001/photo")`, which renews the
token and raises the toolkit's errors, or `svc.http`, an `httpx.Client` that sends the access token to the API and
the file storage only.
"""
EXAMPLES = """\
The examples run in a POSIX shell against `svckit serve`, with the fake's sample users, and these variables:
"""
RETIRED = """\
Each responds with 404 from the day on which it retires, and with 501 before that day or while it is undecided, unless a
[stub](../how-to/make-the-fake-look-like-your-service.ipynb) responds then; see {} and {}. The setting
`retirement_dates` has the days, for [tests of a migration](../how-to/replace-custom-fields.ipynb). The descriptions
that the fake sends also name the feature, the day and the replacement.
"""
ALIKE = frozenset({"upload", "download"})
"""The tags whose operations respond alike, so that their responses are described once."""


def write() -> str:
    """Return the page."""
    document = openapi()
    blocks = [
        INTRO,
        EXAMPLES,
        table(("variable", "value"), [(code(f"${name}"), words) for name, words in VARIABLES.items()]),
    ]
    for tag, title in TAGS.items():
        blocks.append(f"## {title}")
        found = [each for each in list_operations(document) if each[3]["tags"] == [tag]]
        if tag == "retired":
            blocks += describe_retired(found)
        elif tag in ALIKE:
            blocks += [*describe_alike(found), *map(describe_request, found)]
        else:
            blocks += [
                part for each in found for part in (describe_request(each), describe_response(each[3]))
            ]
    return page("Operations", *blocks)


def describe_retired(found: list[Found]) -> Iterator[str]:
    """Yield the parts of the page about the retired operations, which all respond alike."""
    yield RETIRED.format(*map(rule_link, ("lifecycle.ended", "lifecycle.not-described")))
    yield from write_response(found[0][3], "501", "Response before the day")
    yield from write_response(found[0][3], "404", "Response from the day on")
    for feature in filter(lambda feature: feature.operations, RETIREMENTS):
        name = f"retired.{feature.key}"
        own = [each for each in found if each[3]["operationId"].startswith(f"{name}.")]
        yield f"### {name}"
        replacement = f" Replacement: {feature.replacement}." if feature.replacement else ""
        yield f"{begin_upper(feature.item)}, *{feature.date_wording}*.{replacement}"
        yield fence("\n".join(write_curl(*each) for each in own), "bash")


def list_operations(document: dict[str, Any]) -> Iterator[Found]:
    """Yield the method, the path and the area of each operation, and the operation itself."""
    for path, item in document["paths"].items():
        area = item.get("servers", document["servers"])[0]["description"]
        yield from ((method, path, area, item[method]) for method in item if method != "servers")


def describe_alike(found: Iterable[Found]) -> Iterator[str]:
    """Yield the responses of operations, those that several have once."""
    owners: dict[str, list[str]] = {}
    for *_, operation in found:
        owners.setdefault(describe_response(operation), []).append(operation["operationId"])
    for response, names in owners.items():
        yield f"Responses of {codes(names)}:"
        yield response


def describe_request(found: Found) -> str:
    """Return the part of the page about one operation, with an example of it."""
    method, path, area, operation = found
    shown = operation["x-provenance"]
    about = f"*{shown['provenance'].capitalize()}*, section “{shown['section']}”."
    if not operation["security"]:
        about += " Needs no access token."
    if "requestBody" in operation:
        (media,) = operation["requestBody"]["content"]
        schema = operation["requestBody"]["content"][media]["schema"]
        names = [each["$ref"].rpartition("/")[2] for each in schema.get("oneOf", [schema])]
        about += f" Body: {code(media)}, {' or '.join(map(code, names))}."
    return "\n\n".join(
        [
            f"### {operation['operationId']}",
            f"{code(f'{method.upper()} {path}')} of the {area}: {prose(operation['summary'])}.",
            about,
            fence(write_curl(*found), "bash"),
        ]
    )


def describe_response(operation: dict[str, Any]) -> str:
    """Return the part of the page about the responses of one operation."""
    rows = [
        (
            code(status),
            prose(case["when"]),
            case["provenance"],
            ", ".join(map(rule_link, case["rules"])),
        )
        for status, response in operation["responses"].items()
        for case in response["x-provenance"]["cases"]
    ]
    return "\n\n".join([*write_response(operation), table(("status", "when", "provenance", "rules"), rows)])

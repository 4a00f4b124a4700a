"""The page of the service's operations, from the OpenAPI document."""

from collections.abc import Iterable, Iterator
from typing import Any

from binder.reference.examples import VARIABLES, write_curl, write_response
from binder.reference.markdown import code, codes, fence, page, prose, rule_link, table
from fakes.openapi import openapi
from fakes.openapi.document import TAGS

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
            blocks.append(describe_retired(found))
        elif tag in ALIKE:
            blocks += [*describe_alike(found), *map(describe_request, found)]
        else:
            blocks += [
                part for each in found for part in (describe_request(each), describe_response(each[3]))
            ]
    return page("Operations", *blocks)


def describe_retired(found: Iterable[Found]) -> str:
    """Return the part of the page about the retired operations, which all respond alike."""
    rows = [
        (
            code(f"{method.upper()} {path}"),
            code(each["operationId"].rpartition(".")[0]),
            prose(each["summary"]),
        )
        for method, path, _, each in found
    ]
    ended, open_ = rule_link("lifecycle.ended"), rule_link("lifecycle.not-described")
    words = f"Each responds with 404 once it is retired, and until then with 501; see {ended} and {open_}. "
    words += "Faults and the journal use the names of the second column."
    return f"{words}\n\n{table(('operation', 'name', 'feature'), rows)}"


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

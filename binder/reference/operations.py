"""The page of the service's operations, from the OpenAPI document."""

from collections.abc import Iterable, Iterator
from typing import Any

from binder.reference.markdown import code, codes, page, prose, rule_link, table
from fakes.openapi import openapi
from fakes.openapi.document import TAGS

Found = tuple[str, str, str, dict[str, Any]]

INTRO = """\
The operations of the service as the fake implements them, with the status of each response, the cases in
which it comes, and the [rules](rules.md) that decide for it. A case is *documented* only if the description of
the service shows all of it, body included, otherwise *assumed*. Paths are relative to the base URL of their area.
`svckit openapi` writes the same as an OpenAPI document, with the schemas of all bodies; in a fault or in
`svckit.explain` an operation has the name of its heading.

For a call that has no method in the session, use `svc.request("GET", "/users/u-001/photo")`, which renews the
token and raises the toolkit's errors, or `svc.http`, an `httpx.Client` that sends the access token to the API and
the file storage only.
"""


def write() -> str:
    """Return the page."""
    document = openapi()
    blocks = [INTRO]
    for tag, title in TAGS.items():
        blocks.append(f"## {title}")
        found = [each for each in list_operations(document) if each[3]["tags"] == [tag]]
        if tag == "retired":
            blocks.append(describe_retired(found))
        else:
            blocks += [describe(*each) for each in found]
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


def describe(method: str, path: str, area: str, operation: dict[str, Any]) -> str:
    """Return the part of the page about one operation."""
    shown = operation["x-provenance"]
    lines = [
        f"### {operation['operationId']}",
        f"{code(f'{method.upper()} {path}')} of the {area}: {prose(operation['summary'])}.",
        f"*{shown['provenance'].capitalize()}*, section “{shown['section']}”."
        + (" Needs an access token." if operation["security"] else " Needs no access token."),
    ]
    if "requestBody" in operation:
        (media,) = operation["requestBody"]["content"]
        schema = operation["requestBody"]["content"][media]["schema"]
        names = [each["$ref"].rpartition("/")[2] for each in schema.get("oneOf", [schema])]
        lines.append(f"Body: {code(media)}, {' or '.join(map(code, names))}.")
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
    lines.append(table(("status", "when", "provenance", "rules"), rows))
    headers = sorted({name for each in operation["responses"].values() for name in each.get("headers", ())})
    if headers:
        lines.append(f"Headers of responses: {codes(headers)}.")
    return "\n\n".join(lines)

"""Requests made up by schemathesis from our own OpenAPI document, and what the fake's ASGI app answers held to it.

    python3 binder/run.py python -m tests.fakes.openapi.fuzzing            20,000 requests, which takes minutes
    python3 binder/run.py python -m tests.fakes.openapi.fuzzing 2000       fewer

Every second request is made to break its schema. Of four requests of an operation, one goes as it was made up, one with
the bearer of a user, and two with ids, addresses and credentials that are there as well, or hardly any would get past
them; these two come first. The clock moves on by a tenth of a second with each, and at the end to where what is
planned to end has ended.
"""

import re
import sys
from collections import Counter
from itertools import count
from math import ceil

import httpx
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.specs.openapi import checks

from fakes import FakeService
from fakes.handlers.routes import ROUTES
from fakes.handlers.routing import BODY_LIMITS
from fakes.http.addresses import BaseURLs

from ...conformance.header_fields import malformed
from ..caller import make
from .settling import Settling

BASE = "http://testserver"
CHECKS = [
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
]
RETIRED = "retired"
AFTER_ALL_ENDS = "2027-01-01T00:00:00+09:00"


def documents(fake):
    """Our document, one part for each server: schemathesis has one address for a whole document."""
    whole = fake.openapi(BaseURLs.under(BASE))
    parts = {server["url"]: {} for server in whole["servers"]}
    for path, item in whole["paths"].items():
        (server,) = item.get("servers", whole["servers"])
        calls = {name: part for name, part in item.items() if name != "servers"}
        parts.setdefault(server["url"], {})[path] = calls
    for url, paths in parts.items():
        yield whole | {"servers": [{"url": url}], "paths": paths}


def listed(document):
    """The rules of each operation and status; operations that are retired together share a name in the journal."""
    found = {}
    for item in document["paths"].values():
        for operation in (part for name, part in item.items() if name != "servers"):
            name = ".".join(operation["operationId"].split(".")[:2])
            for status, answer in operation["responses"].items():
                rules = found.setdefault((name, int(status)), set(operation["x-provenance"]["rules"]))
                rules.update(rule for case in answer["x-provenance"]["cases"] for rule in case["rules"])
    return found


class Campaign:
    """So many requests to each operation, to retired ones before and after their end, and what they were answered."""

    def __init__(self, each, each_retired):
        self.fake = make()
        self.each = each
        self.each_retired = each_retired
        self.answers = Counter()
        self._turns = count()
        self._settling = Settling(self.fake)

    def run(self):
        self.rules = listed(self.fake.openapi())
        attacked = [
            operation for document in documents(self.fake) for operation in self._operations(document)
        ]
        for operation in attacked:
            self._attack(operation)
        self.fake.clock.to(AFTER_ALL_ENDS)
        for operation in attacked:
            if name_of(operation).startswith(RETIRED):
                self._attack(operation)
        self._overload()
        self._settling.http.close()
        return self

    def _overload(self):
        """Send a body that is too large to each operation, which schemathesis does not make up."""
        areas = self.fake.base_urls
        with httpx.Client(transport=self.fake.transport()) as http:
            taking = (route for route in ROUTES if BODY_LIMITS[route.body])
            for route in (route for route in taking if route.method not in ("GET", "DELETE")):
                url = getattr(areas, route.area) + re.sub(r"{\w+}", "x", route.template)
                http.request(route.method, url, content=bytes(BODY_LIMITS[route.body] + 1))
                self._count(self.fake.journal[-1])

    def _operations(self, document):
        schema = schemathesis.openapi.from_dict(document)
        schema.app = self.fake.asgi
        return [operation.ok() for operation in schema.get_all_operations()]

    @property
    def unreached(self):
        """The responses that the document lists, and no request has had."""
        return sorted(set(self.rules) - set(self.answers))

    def _attack(self, operation):
        self._settling.become()
        self._turns = count(2)  # so that an operation is sent the same whichever others there are
        most = self.each_retired if name_of(operation).startswith(RETIRED) else self.each
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):

            @settings(
                max_examples=most // 2,
                deadline=None,
                database=None,
                derandomize=True,
                phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
            )
            @given(case=operation.as_strategy(generation_mode=mode))
            def attack(case):
                self._send(case)

            attack()

    def _send(self, case):
        """One request, held to the document; the response of a retired operation that is not described is a 501."""
        turn = next(self._turns)
        operation = name_of(case.operation)
        if turn % 4 == 1:
            case.headers.update(self._settling.bearer)
        elif turn % 4:
            self._settling.settle(case, operation)
        self.fake.clock.advance(seconds=0.1)
        response = case.call()
        sent = [(name, value) for name, values in response.headers.items() for value in values]
        assert malformed(sent) == [], (operation, malformed(sent))
        assert response.status_code < 500 or operation.startswith(RETIRED), response.content
        case.validate_response(response, checks=CHECKS)
        self._count(self.fake.journal[-1])

    def _count(self, entry):
        """Note what an operation responded with, and hold that to the document."""
        self.answers[entry.operation, entry.status] += 1
        if entry.operation != "unmatched":
            unlisted = set(entry.rules) - self.rules[entry.operation, entry.status]
            assert not unlisted, (entry, unlisted)


def name_of(operation):
    """The name of an operation in our document."""
    return operation.definition.raw["operationId"]


def operations():
    document = FakeService.sample().openapi()
    return sum(len(item.keys() - {"servers"}) for item in document["paths"].values())


def main(requests):
    each = 2 * ceil(requests / operations() / 2)
    campaign = Campaign(each, each).run()
    for (operation, status), number in sorted(campaign.answers.items()):
        print(f"{operation:<32} {status}  {number:>6}")
    for operation, status in campaign.unreached:
        print(f"{operation:<32} {status}   never")
    print(f"{campaign.answers.total()} requests, each answered as the document says")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)

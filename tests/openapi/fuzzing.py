"""Requests made up by schemathesis from our own OpenAPI document, and what the fake's ASGI app answers held to it.

    python3 binder/run.py python tests/openapi/fuzzing.py            20,000 requests, which takes minutes
    python3 binder/run.py python tests/openapi/fuzzing.py 2000       fewer

Every second request is made to break its schema. Ids, addresses and credentials are those of the sample in two of three
requests, or hardly any would get past them; the clock moves on by a tenth of a second with each.
"""

import sys
from collections import Counter
from itertools import count
from math import ceil
from urllib.parse import urlsplit

import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.specs.openapi import checks

from fakes import FakeService
from fakes.addresses import Addresses

NOW = "2026-06-01T09:00:00+09:00"
BASE = "http://testserver"
CHECKS = [
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
]
SAMPLE = {
    "userId": "u-003",
    "botId": "bot-1",
    "formId": "form-1",
    "responseId": "response-1",
    "attachmentId": "attachment-1",
}
RETIRED = "retired"


def documents(fake):
    """Our document, one part for each server: schemathesis has one address for a whole document."""
    whole = fake.openapi(Addresses.under(BASE))
    for server in whole["servers"]:
        paths = {
            path: {name: part for name, part in item.items() if name != "servers"}
            for path, item in whole["paths"].items()
            if item["servers"] == [server]
        }
        yield whole | {"servers": [server], "paths": paths}


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
    """So many requests to each operation, and what they were answered."""

    def __init__(self, each):
        self.fake = FakeService.sample(now=NOW)
        self.each = each
        self.answers = Counter()
        self._turns = count()

    def run(self):
        self.rules = listed(self.fake.openapi())
        for document in documents(self.fake):
            schema = schemathesis.openapi.from_dict(document)
            schema.app = self.fake.asgi
            for operation in schema.get_all_operations():
                self._attack(operation.ok())
        return self

    def _attack(self, operation):
        self.bearer = self.fake.access_token()
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):

            @settings(
                max_examples=self.each // 2,
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
        """One request, held to the document; the answer of a retired operation that is not described is a 501."""
        turn = next(self._turns)
        operation = case.operation.definition.raw["operationId"]
        if turn % 3:
            self._settle(case, operation)
        self.fake.clock.advance(seconds=0.1)
        response = case.call()
        self.answers[operation.partition(".")[0], response.status_code] += 1
        assert response.status_code < 500 or operation.startswith(RETIRED), response.content
        case.validate_response(response, checks=CHECKS)
        entry = self.fake.journal[-1]
        if entry.operation != "unmatched":
            unlisted = set(entry.rules) - self.rules[entry.operation, entry.status]
            assert not unlisted, (entry, unlisted)

    def _settle(self, case, operation):
        """Put in what is known to be there."""
        known = case.path_parameters or {}
        known |= {name: value for name, value in SAMPLE.items() if name in known}
        if "webhookId" in known:
            known["webhookId"] = urlsplit(self.fake.facts["webhooks"][0]).path.rpartition("/")[2]
        if "address" in known:
            known["address"] = self._address(operation)
        if operation == "auth.token" and isinstance(case.body, dict):
            case.body |= {name: self.fake.facts[name] for name in ("client_id", "client_secret")}
        case.headers["Authorization"] = f"Bearer {self.bearer}"

    def _address(self, operation):
        """A fresh address of the file storage."""
        import httpx

        headers = {"Authorization": f"Bearer {self.bearer}"}
        with httpx.Client(
            transport=self.fake.transport(), headers=headers, base_url="https://api.fake.test"
        ) as http:
            if operation == "storage.send":
                location = http.get("/audits/logs/download").headers["Location"]
            else:
                upload = {"fileName": "a", "fileSize": 0}
                location = http.post("/users/u-001/drive/files", json=upload).json()["uploadUrl"]
        return location.rpartition("/")[2]


def operations():
    document = FakeService.sample().openapi()
    return sum(len(item) - 1 for item in document["paths"].values())


def main(requests):
    tally = Campaign(2 * ceil(requests / operations() / 2)).run().answers
    for (family, status), number in sorted(tally.items()):
        print(f"{family:<14} {status}  {number:>6}")
    print(f"{tally.total()} requests, each answered as the document says")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)

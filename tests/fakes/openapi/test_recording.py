"""The recorded table is what a new run records, and no case of the document claims more than that."""

import pytest

from fakes.openapi.recorded import TABLE, name_family, read_rules
from fakes.parts.logs import LOGGED

from ..caller import make
from .recording import record, write

NOT_SEEN = {
    ("auth.login", "auth.redirect-status"),  # its default fits the description, so no response names it
    ("retired", "api.bearer-form"),
    ("storage.receive", "file.overwrite"),
    ("storage.receive", "file.size-limit"),
    ("storage.receive_raw", "file.name"),
    ("storage.receive_raw", "file.overwrite"),
    ("storage.receive_raw", "file.size-limit"),
    ("users.set_status", "api.text-limit"),
} | {("storage.send", rule.id) for rule in LOGGED}
"""What the document claims without a call that shows it: a log may rest on what any earlier call rested on."""


@pytest.fixture(scope="module")
def recorded():
    return record()


def test_the_table_is_what_a_new_run_records(recorded):
    """If it is not, record it again, as `recording.py` says, and look at what changed."""
    assert TABLE.read_text(encoding="utf-8") == write(recorded)


def test_no_case_claims_a_rule_that_no_response_rested_on():
    claimed, document = set(), make().openapi()
    for item in document["paths"].values():
        for operation in (part for name, part in item.items() if name != "servers"):
            family = name_family(operation["operationId"])
            claimed |= {(family, rule) for rule in operation["x-provenance"]["rules"]}
    shown = {(operation, rule) for operation, rules in read_rules().items() for rule in rules}
    assert claimed - shown == NOT_SEEN - shown

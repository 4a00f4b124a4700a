"""Which cases of a real run tell the alternatives of an assumption apart, and how they fail under them.

The table is ``told_apart.json``, which `telling` writes: by rule, then by the alternative that a case shows not to be
the service's, then by symptom, the cases. An assumption that is not there, or one of its alternatives, no real run
can confirm.
"""

import json
from pathlib import Path

from .symptom import Symptom

TABLE = Path(__file__).with_suffix(".json")


def read(text):
    """The table in a text: the symptom by rule, alternative and case."""
    return {
        rule_id: {
            alternative: {
                case: Symptom(each["statement"], each["status"])
                for each in symptoms
                for case in each["cases"]
            }
            for alternative, symptoms in alternatives.items()
        }
        for rule_id, alternatives in json.loads(text).items()
    }


def written(table):
    """The text of a table."""
    listed = {
        rule_id: {alternative: list(by_symptom(cases)) for alternative, cases in alternatives.items()}
        for rule_id, alternatives in table.items()
    }
    return json.dumps(listed, indent=1) + "\n"


def by_symptom(cases):
    """The cases of an alternative as they are written."""
    for symptom in dict.fromkeys(cases.values()):
        alike = [case for case in cases if cases[case] == symptom]
        yield {"statement": symptom.statement, "status": symptom.status, "cases": alike}


TOLD_APART = read(TABLE.read_text(encoding="utf-8"))

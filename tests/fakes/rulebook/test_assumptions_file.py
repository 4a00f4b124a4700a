"""The file of measured assumptions: written as it is read, and rejected with what to do."""

import pytest

from fakes.rulebook.assumptions_file import Measured, MeasuredDeviation, MeasuredRule, read_measured

TEXT = """\
version = 1
source = "HAR, 214 requests"
date = "2026-06-01"

[rules."token.error-body"]
result = "alternative"
value = "code-description"
seen = 3
statuses = [400, 401]

[rules."api.not-found"]
result = "refuted"
seen = 1

[deviations."token.expires-in"]
value = "number"
seen = 1
"""


def test_written_as_read(tmp_path):
    path = tmp_path / "assumptions.toml"
    path.write_text(TEXT, encoding="utf-8")
    measured = read_measured(path)
    assert measured == Measured(
        source="HAR, 214 requests",
        date="2026-06-01",
        rules={
            "token.error-body": MeasuredRule(
                result="alternative", value="code-description", seen=3, statuses=[400, 401]
            ),
            "api.not-found": MeasuredRule(result="refuted", seen=1),
        },
        deviations={"token.expires-in": MeasuredDeviation(value="number", seen=1)},
    )
    assert measured.to_toml() == TEXT
    assert measured.chosen == {"token.error-body": "code-description"}


def test_missing_file_says_what_writes_one(tmp_path):
    with pytest.raises(FileNotFoundError, match="`svckit observe` writes one"):
        read_measured(tmp_path / "assumptions.toml")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[", "is not TOML"),
        ("", "reads version 1; it gives none"),
        ("version = 2", "reads version 1; given version 2; measure again"),
        ('version = 1\n[rules."file.rwa"]\nresult = "refuted"\nseen = 1', "did you mean file.raw"),
        ('version = 1\n[rules."api.bearer"]\nresult = "refuted"\nseen = 1', "is documented"),
        ('version = 1\n[rules."file.raw"]\nresult = "confirmed"\nvalue = "yes"\nseen = 1', "choose from: refused"),
        ('version = 1\n[rules."file.raw"]\nresult = "confirmed"\nvalue = "accepted"\nseen = 1', "'alternative' then"),
        ('version = 1\n[rules."file.raw"]\nresult = "confirmed"\nseen = 1', "'refuted' then"),
        ('version = 1\n[rules."file.raw"]\nresult = "refuted"', "rules.file.raw.seen: Field required"),
        ('version = 1\n[deviations."file.stored"]\nvalue = "201"\nseen = 1', "choose from: 200"),
        ("version = 1\nrules = 7", "rules: Input should be"),
    ],
)  # fmt: skip
def test_rejected_with_what_to_do(text, said, tmp_path):
    path = tmp_path / "assumptions.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"^assumptions\.toml") as rejected:
        read_measured(path)
    assert said in str(rejected.value)
    assert str(tmp_path) not in str(rejected.value)

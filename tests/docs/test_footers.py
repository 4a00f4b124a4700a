"""The end of a notebook says what it needs and rests on; `tests/notebooks` compares it with a run of each."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest

from binder.footers import COMMAND, find_footer, list_extras, put_footer, recording, write_footer

ROOT = Path(__file__).parents[2]
PROGRAM = """
import svckit
svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
svc.users.read("hana.nakamura.001@example.com")
svckit.frames.users(svc)
"""


def make_page(*texts: str) -> SimpleNamespace:
    """Return a notebook of text."""
    return SimpleNamespace(cells=[SimpleNamespace(cell_type="markdown", source=text) for text in texts])


def test_a_process_writes_down_what_it_rests_on(tmp_path: Path) -> None:
    variables = {**os.environ, **recording(tmp_path / "records")}
    subprocess.run([sys.executable, "-c", PROGRAM], cwd=ROOT, env=variables, check=True)
    assert write_footer(tmp_path / "records", Path("how-to/page.ipynb")) == (
        "This page needs the extra `lab`; its responses rest on an assumption: "
        "[`user.addressing`](../reference/rules.md#useraddressing)."
    )


def test_many_assumptions_are_counted(tmp_path: Path) -> None:
    (tmp_path / "assumed.txt").write_text("\n".join(f"rule.{number}" for number in range(10)), "utf-8")
    footer = write_footer(tmp_path, Path("page.ipynb"))
    assert footer.startswith(
        "This page needs no extra; its responses rest on 10 assumptions: [`rule.0`](reference/"
    )
    assert footer.endswith(" and 2 more.")


@pytest.mark.parametrize(
    ("packages", "extras"),
    [
        ([], []),
        (["typer"], ["lab"]),
        (["typer", "uvicorn"], ["serve"]),
        (["nbformat", "pandas"], ["lab"]),
        (["nbclient", "nbformat", "typer"], ["check"]),
    ],
)
def test_no_extra_is_named_without_need(packages: Sequence[str], extras: Sequence[str]) -> None:
    assert list_extras(packages) == extras


@pytest.mark.parametrize("following", ["Next: [more](more.ipynb).", "**Next:** more."])
def test_the_paragraph_is_replaced(following: str) -> None:
    page = make_page("# Title", f"## Try it\n\nThis page needs luck.\n\n{following}")
    for footer in ("This page needs a.", "This page needs b."):
        put_footer(page, footer)
        assert find_footer(page) == footer
    assert page.cells[1].source == f"## Try it\n\nThis page needs b.\n\n{following}"


def test_the_command_is_documented() -> None:
    assert COMMAND in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")

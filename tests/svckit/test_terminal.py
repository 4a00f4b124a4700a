"""Text that a terminal shows and does not obey: every control character, and everywhere that text goes to one."""

import json
import re
import shutil
import subprocess
from unicodedata import bidirectional, category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svckit import errors, places
from svckit.cli.profile_report import ProfileReport, ReportRow
from svckit.display.card import render_card, render_table
from svckit.display.sequence_diagram import label
from svckit.display.terminal import (
    escape_controls,
    json_text,
    on_one_line,
    quote_for_shell,
)
from svckit.edits import Changes
from svckit.http.error_responses import read_error
from svckit.http.explain import explain
from svckit.http.messages import Response
from svckit.jupyter.finding import Finding
from svckit.models import UploadResult
from svckit.models.problems import Problem
from svckit.operations import files, users
from svckit.operations.batch import Outcome, Outcomes
from svckit.widgets.base.html_text import columns

EVIL = "Mina\x1b]0;x\x07\x1b[2J\x9b2J\b\r\x7f\u202eoniM\u2066\u2028\ud800"
OBEYED = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


@given(st.text(st.characters(codec=None)))
def test_nothing_that_a_terminal_obeys_is_left(text: str) -> None:
    shown = escape_controls(text)
    kinds = {category(mark) for mark in shown if mark not in "\n\t"}
    assert kinds.isdisjoint({"Cc", "Cs", "Zl", "Zp"})
    reordering = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    assert {bidirectional(mark) for mark in shown}.isdisjoint(reordering)
    assert escape_controls(shown) == shown
    assert not {"\n", "\t"}.intersection(on_one_line(text))
    assert shown == text or "\\" in shown


@given(st.text(st.characters(codec="utf-8")))
def test_json_is_the_same_data(text: str) -> None:
    written = json_text({"name": text})
    assert json.loads(written) == {"name": text}
    assert OBEYED.search(written) is None


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
def test_a_shell_reads_what_was_quoted() -> None:
    text = "it's \\ \x1b[2J\x9b\u202e\r\x07 $HOME `id`"
    assert OBEYED.search(quote_for_shell(text)) is None
    command = ["bash", "-c", f"printf %s {quote_for_shell(text)}"]
    environment = {"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"}
    assert subprocess.run(command, capture_output=True, check=True, env=environment).stdout.decode() == text


def errors_with(text: str) -> list[Exception]:
    given = {"code": "NOT_FOUND", "description": text}
    return [
        errors.ServiceError(text),
        errors.InvalidInput(text),
        errors.UnusableProfile(text),
        errors.Cancelled(text),
        errors.SignInStopped("refused", text),
        errors.Unreachable(text, operation="notify", request="POST /"),
        read_error(Response(404, {}, json.dumps(given).encode(), "users.read", "GET /")),
    ]


def renderings(text: str) -> dict[str, str]:
    whole = text.replace("\ud800", "")
    call = users.update("u-001", nick_name=whole)
    upload = files.upload(b"x", to=places.drive("u-001"), name=f"{whole}.txt")
    explained = explain(upload, {"uploadUrl": "https://storage.example/1"})
    shown = {
        "card": render_card(text, [(text, text)], badge=text)[1],
        "table": render_table(text, (text,), [(text,)])[1],
        "title": render_table(text, (text,), [])[1],
        "record": repr(UploadResult(file_id=text, file_name=text, file_size=3, statuses=[text])),
        "outcomes": repr(Outcomes(text, [Outcome(text, error=OSError(text))])),
        "changes": repr(Changes([], [Problem(text, text)])),
        "problem": str(Problem(text, text)),
        "finding": str(Finding(text, "stored", 1, text, remedy=text)),
        "report": str(ProfileReport("work", True, False, (ReportRow("client_id", text, text),), (text,))),
        "diagram": label(text),
        "columns": "".join(columns([(text, text)])),
        "request": repr(explain(call)),
        "upload": repr(explained),
        "curl": explained.curl,
        "place": repr(places.drive("u-001").file(whole)),
    }
    return shown | {type(error).__name__: str(error) for error in errors_with(text)}


def test_no_rendering_obeys_a_name() -> None:
    shown = renderings(EVIL)
    assert {name for name, text in shown.items() if OBEYED.search(text)} == set()
    assert all("x1b" in text or "u001b" in text for text in shown.values())


def test_what_is_no_command_stays() -> None:
    name = "田中　美奈 é 👩‍💻 עברית"
    assert all(name.split(maxsplit=1)[0] in text for text in renderings(name).values())
    assert name in render_card("x", [("name", name)])[1]
    assert str(errors.InvalidInput("two\nlines")) == "two\nlines"

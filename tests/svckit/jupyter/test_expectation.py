"""`svckit.expect`: an error that a notebook means to show is a card; anything else fails."""

import asyncio
import subprocess
import sys

import pytest

import svckit
from svckit.errors import RateLimited


def limited() -> None:
    raise RateLimited(
        "notifications.post failed: too many\n<b>Wait</b> for https://h/message/Zk3", status=429
    )


def test_the_message_is_printed_with_secrets_masked(capsys: pytest.CaptureFixture[str]) -> None:
    with svckit.expect(RateLimited) as expected:
        limited()
    assert capsys.readouterr().out == (
        "RateLimited, as expected\n"
        "  notifications.post failed: too many\n"
        "  <b>Wait</b> for https://h/message/***\n"
    )
    assert expected.error.status == 429
    assert expected.error.__traceback__ is None


def test_notes_are_part_of_the_message(capsys: pytest.CaptureFixture[str]) -> None:
    error = svckit.Conflict("it is there")
    error.add_note("since Monday")
    with svckit.expect(svckit.NotFound, svckit.Conflict):
        raise error
    assert capsys.readouterr().out == "Conflict, as expected\n  it is there\n  since Monday\n"


def test_a_class_stands_for_those_below_it(capsys: pytest.CaptureFixture[str]) -> None:
    with svckit.expect(svckit.ServiceError):
        limited()
    assert capsys.readouterr().out.startswith("RateLimited, as expected\n")


def test_another_error_is_raised_on_and_says_what_was_expected(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ZeroDivisionError) as raised, svckit.expect(RateLimited, svckit.Conflict):
        1 / 0  # noqa: B018
    assert raised.value.__notes__ == [
        "RateLimited or Conflict was expected, but the block raised ZeroDivisionError"
    ]
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit, asyncio.CancelledError])
def test_a_stop_is_no_error(stop: type[BaseException]) -> None:
    with pytest.raises(stop) as raised, svckit.expect(Exception):
        raise stop
    assert not hasattr(raised.value, "__notes__")


@pytest.mark.parametrize(
    "given", [(), (RateLimited("x"),), ("RateLimited",), (BaseException,), (RateLimited, 3)]
)
def test_only_classes_of_errors_can_be_expected(given: tuple[type[Exception], ...]) -> None:
    with pytest.raises(TypeError, match=r"takes classes of errors, such as svckit\.RateLimited; given "):
        svckit.expect(*given)


def test_in_a_notebook_it_is_shown_as_text_and_as_html() -> None:
    code = """
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
import svckit
shell = InteractiveShell.instance()
with capture_output() as captured:
    with svckit.expect(ValueError):
        raise ValueError("a < b\\nc")
[output] = captured.outputs
print(output.data)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(
        {
            "text/plain": "ValueError, as expected\n  a < b\n  c",
            "text/html": "<p><strong>ValueError, as expected</strong></p><pre>a &lt; b\nc</pre>",
        }
    )

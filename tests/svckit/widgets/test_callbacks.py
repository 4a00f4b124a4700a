"""What a front end asks for fails in the widget, and is not cleared by what goes on beside it."""

import pytest

from svckit.widgets.base import callbacks
from svckit.widgets.base.callbacks import show_errors


class Widget:
    error = ""

    @show_errors
    def fail(self) -> None:
        raise ValueError("no access_token=s3cr3t")

    @show_errors
    def begin(self) -> None:
        self.fail()

    @show_errors
    def work(self) -> None:
        """Do nothing that could fail."""


@pytest.fixture
def widget(monkeypatch: pytest.MonkeyPatch) -> Widget:
    monkeypatch.setattr(callbacks, "reraise", False)
    return Widget()


def test_a_failure_is_shown_masked_until_the_next_call(widget: Widget) -> None:
    widget.fail()
    assert widget.error == "ValueError: no access_token=***"
    widget.work()
    assert widget.error == ""


def test_a_failure_is_logged_masked_with_its_frames(widget: Widget, caplog: pytest.LogCaptureFixture) -> None:
    widget.fail()
    (record,) = caplog.records
    assert record.levelname == "ERROR"
    assert record.getMessage().startswith("Widget.fail failed\nTraceback (most recent call last):\n")
    assert record.getMessage().endswith("ValueError: no access_token=***\n")
    assert "s3cr3t" not in record.getMessage().partition("ValueError: ")[2]


def test_what_fails_while_a_call_goes_on_stays_shown(widget: Widget) -> None:
    widget.begin()
    assert "ValueError" in widget.error

"""What nobody else would handle is shown in the widget and logged, and is not cleared by what goes on beside it."""

import pytest

from svckit.widgets.base.callbacks import clear_error, showing_errors


class Widget:
    error = ""

    def fail(self) -> None:
        with showing_errors(self):
            raise ValueError("no access_token=s3cr3t")

    @clear_error
    def begin(self) -> None:
        self.fail()

    @clear_error
    def work(self) -> None:
        """Do nothing that could fail."""


@pytest.fixture
def widget(as_in_a_notebook: None) -> Widget:
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
    assert record.getMessage().startswith("Widget failed\nTraceback (most recent call last):\n")
    assert record.getMessage().endswith("ValueError: no access_token=***\n")
    assert "s3cr3t" not in record.getMessage().partition("ValueError: ")[2]


def test_what_fails_while_a_call_goes_on_stays_shown(widget: Widget) -> None:
    widget.begin()
    assert "ValueError" in widget.error

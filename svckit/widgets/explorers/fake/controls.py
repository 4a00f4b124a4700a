"""Base class of explorers that control an in-process fake, and say why if there is none."""

from typing import Any, ClassVar

from svckit.display.masking import mask
from svckit.display.python_code import write_call
from svckit.errors import InvalidInput
from svckit.widgets.explorers.explorer import Draft, Explorer
from svckit.widgets.explorers.fake.rules_view import OFF

__all__ = ["FakeControls"]

REAL = "This is the real service, of which {} cannot be controlled. svckit.connect() creates a fake."
ELSEWHERE = (
    "This fake is not in this process, so {} cannot be controlled here. In a session from svckit.connect(), use {} "
    "instead."
)


class FakeControls(Explorer[Draft]):
    """An explorer whose actions change an in-process fake, each of which says what it did."""

    controlled: ClassVar[str]
    """What it controls, in words."""
    instead: ClassVar[str]
    """What does the same for a fake elsewhere, in code."""
    _done = _code = ""
    _opened = 0
    """The number of times a form was opened other than by hand."""

    @property
    def code(self) -> str:
        """The Python that does what the latest action did, secrets masked; empty before the first."""
        return self._code

    @property
    def _note(self) -> str:
        """The reason why nothing can be controlled; empty if it can."""
        if self.svc.is_fake and self.svc.local_fake is not None:
            return ""
        return (ELSEWHERE if self.svc.is_fake else REAL).format(self.controlled, self.instead)

    @property
    def _fake(self) -> Any:
        if self._note:
            raise InvalidInput(f"nothing was done: {self._note}")
        return self.svc.local_fake

    def _report(self, done: str, code: str) -> None:
        """Show what an action did, the code that does the same, and what has changed with it."""
        self._done, self._code = done, mask(code)
        self._refresh()

    def _deviate(self, deviation_id: str, value: str | None) -> None:
        """Choose the value of a deviation, for all responses from now on; None turns it off."""
        self._fake.rules.choose({}, deviations={deviation_id: value})
        code = write_call("svc.fake.rules.choose", {}, deviations={deviation_id: value})
        self._report(f"The deviation {deviation_id} is now {value or f'off: {OFF}'}.", code)

    def _make_view(self) -> dict[str, Any]:
        return super()._make_view() | {"note": self._note}

    def _view(self) -> dict[str, Any]:
        if self._note:
            return {}
        own = {"done": self._done, "code": [("Python", self.code)], "opened": self._opened}
        return own | self._view_fake()

    def _view_fake(self) -> dict[str, Any]:
        """Return the data of the template, if there is a fake to control."""
        raise NotImplementedError

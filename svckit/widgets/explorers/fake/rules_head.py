"""The head of the rules explorer: a rule with its alternatives, and a sweep over all that a check relies on."""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

import traitlets

from svckit import places
from svckit.display.card import quantity
from svckit.display.python_code import write_call
from svckit.errors import InvalidInput
from svckit.session.connect import connect
from svckit.session.session import Session
from svckit.widgets.base.callbacks import button, clear_error
from svckit.widgets.explorers.fake.controls import FakeControls
from svckit.widgets.explorers.fake.rules_view import build_outcome_row, build_rule, list_rules
from svckit.widgets.explorers.working_explorer import WorkingExplorer
from svckit.widgets.form.field_names import check_names

__all__ = ["RulesDraft", "RulesHead", "Test"]

Test = Callable[[Any], object]
"""A test of a sweep: it takes a fake, and raises if it fails."""


def _transfer(svc: Session) -> None:
    drive = places.drive(svc.fake.facts["user_id"])
    stored = svc.files.upload(b"hello", to=drive, name="hello.txt", progress=False)
    svc.files.download(drive.file(str(stored.file_id)), progress=False)


CHECKS: Final[Mapping[str, tuple[str, Callable[[Session], object]]]] = {
    "transfer": ("Upload a file and download it", _transfer),
    "read": ("Read a user by e-mail address", lambda svc: svc.users.read(svc.fake.facts["login_id"])),
    "status": ("Set a status", lambda svc: svc.users.set_status(svc.fake.facts["user_id"], "BUSY")),
    "notify": ("Post a notification", lambda svc: svc.notify("Posted by a sweep")),
}
"""Ready checks for a sweep, each with its words; they run after a sign-in."""


@dataclass(frozen=True, slots=True)
class RulesDraft:
    """The chosen rule, or the deviation with that ID, and the chosen check."""

    rule: str = ""
    deviation: bool = False
    check: str = "transfer"


class RulesHead(FakeControls[RulesDraft], WorkingExplorer[RulesDraft]):
    """A rule with its alternatives, and a sweep; a part of ``RulesExplorer``.

    Attributes:
        records: all rules and deviations as they are now.
        outcomes: the outcomes of the latest sweep so far.
    """

    template = "widgets/explorers/fake/rules_head.html"
    make_draft: ClassVar[type[RulesDraft]] = RulesDraft
    controlled = "the rules"
    endpoints = "GET /rules and PATCH /rules"

    records: Any = traitlets.List()

    def __init__(self, svc: Session) -> None:
        self.outcomes: list[Any] = []
        self._swept = ""  # what the latest sweep tries, in words
        super().__init__(svc)
        self._show()

    @clear_error
    def write(self, check: str) -> None:
        """Choose a ready check without running it."""
        check_names([check], CHECKS, what="check")
        self._keep(replace(self.draft, check=check))

    @clear_error
    def select(self, rule_id: str, *, deviation: bool = False) -> None:
        """Show a rule with its alternatives.

        Args:
            rule_id: its ID.
            deviation: whether to show the deviation with that ID.

        Raises:
            InvalidInput: there is no in-process fake.
            KeyError: no such rule or deviation.
        """
        build_rule(self._fake, rule_id, deviation=deviation)
        self._done = self._code = ""
        self._keep(replace(self.draft, rule=rule_id, deviation=deviation))

    @clear_error
    def choose(self, rule_id: str, alternative: str) -> None:
        """Choose an alternative of an assumption, for all responses from now on.

        Args:
            rule_id: the ID of the assumption.
            alternative: one of its alternatives.

        Raises:
            InvalidInput: there is no in-process fake.
            KeyError, ValueError: no such assumption or alternative.
        """
        rules = self._fake.rules
        before = rules[rule_id].chosen
        rules.choose({rule_id: alternative})
        code = write_call("svc.fake.rules.choose", {rule_id: alternative})
        self._report(f"{rule_id} is now {alternative}; it was {before}.", code)

    @clear_error
    def deviate(self, deviation_id: str, value: str | None) -> None:
        """Choose the value of a deviation, for all responses from now on.

        Args:
            deviation_id: its ID.
            value: one of its values; None turns it off.

        Raises:
            InvalidInput: there is no in-process fake.
            ValueError: no such deviation or value, or assumptions are refused.
        """
        self._deviate(deviation_id, value)

    @button
    def sweep(self, test: Test | str | None = None) -> None:
        """Run a test under each alternative it relies on, in the background, on copies of the fake.

        Args:
            test: a function that is called with a fake, and raises if it fails; or a ready check: ``transfer``,
                ``read``, ``status`` or ``notify``. By default the one chosen in the browser.

        Raises:
            InvalidInput: this is not a test, there is no in-process fake, or another sweep is running.
        """
        name = self.draft.check if test is None else test
        if isinstance(name, str):
            check_names([name], CHECKS, what="check")
            words, check = CHECKS[name]
            test = _after_sign_in(check)
        elif callable(name):
            words, test = getattr(name, "__name__", "test"), name
        else:
            raise InvalidInput(
                f"a sweep takes a function that is called with a fake, or one of {', '.join(CHECKS)}; given {name!r}"
            )
        if self._running:
            raise InvalidInput("another sweep is still running; wait until it is done, or stop it")
        self.outcomes, self._swept = [], words
        # The fake may be changed while the sweep runs.
        self._start(self._steps(test, self._fake.fork()))

    def _steps(self, test: Test, fake: Any) -> Generator[None, None, None]:
        for outcome in fake.sweep_steps(test):
            self.outcomes.append(outcome)
            self._show()
            yield

    def _write(self, name: str, entry: str | bool) -> None:
        chosen, draft = str(entry), self.draft
        if name == "check":
            self.write(chosen)
        elif draft.deviation:
            self.deviate(draft.rule, chosen or None)
        else:
            self.choose(draft.rule, chosen)

    def _do_select(self, number: int) -> None:
        self.select(self.outcomes[number - 1].rule_id)

    def _show(self) -> None:
        super()._show()
        if self.svc.local_fake is not None:
            self.records = list_rules(self.svc.local_fake)

    def _view_fake(self) -> dict[str, Any]:
        draft = self.draft
        return {
            "rule": build_rule(self._fake, draft.rule, deviation=draft.deviation) if draft.rule else None,
            "checks": [(name, words) for name, (words, _) in CHECKS.items()],
            "running": self._running,
            "swept": self._describe_sweep(),
            "outcomes": [
                build_outcome_row(number, outcome) for number, outcome in enumerate(self.outcomes, 1)
            ],
        }

    def _describe_sweep(self) -> str:
        """Return what was swept, and with what result; empty before the first sweep."""
        if not self._swept:
            return ""
        broke = sum(outcome.broke_with is not None for outcome in self.outcomes)
        so_far = " so far" if self._running else ""
        return f"{self._swept}: {quantity(len(self.outcomes), 'alternative')} tried{so_far}, {broke} broke it"


def _after_sign_in(check: Callable[[Session], object]) -> Test:
    """Return a check of a session as a test of a fake."""

    def test(fake: Any) -> None:
        with connect(fake) as svc:
            check(svc)

    return test

"""The rules of a fake: all of them in a table, one with its alternatives, and sweeps."""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, Literal

import traitlets

from svckit import places
from svckit.display.card import quantity
from svckit.display.python_code import write_call
from svckit.errors import InvalidInput
from svckit.session.connect import connect
from svckit.session.session import Session
from svckit.widgets.base.argument_checks import check_names, check_session
from svckit.widgets.base.callbacks import button, clear_error
from svckit.widgets.explorers.explorer import WorkingExplorer
from svckit.widgets.explorers.explorer_box import ExplorerBox, on_head
from svckit.widgets.explorers.fake.controls import FakeControls
from svckit.widgets.explorers.fake.rules_view import build_outcome_row, build_rule, list_rules
from svckit.widgets.explorers.records_table import make_table

__all__ = ["RulesExplorer"]

COLUMNS = {
    "id": "Rule",
    "provenance": "Provenance",
    "chosen": "Chosen",
    "used": "Used",
    "section": "Section",
    "text": "Text",
}
SOURCE = (
    "svckit.frames.rules([*(rule.record() for rule in svc.fake.rules), "
    "*(deviation.record_as_rule() for deviation in svc.fake.rules.deviations)])"
)


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
    instead = "svc.fake.rules"

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


class RulesExplorer(ExplorerBox):
    """An explorer for the rules of an in-process fake: what is documented, what is assumed, and what else is plausible.

    The table lists all rules and deviations, with the chosen alternative and how often each was used. Select one to
    read it, and choose another alternative while the fake runs. A sweep runs a check on copies of the fake under each
    alternative that it relies on. For a real service or a fake in another process, it says why that is not possible.

    A new explorer for the same session replaces the earlier one.

    Args:
        svc: a session.

    Attributes:
        head: the selected rule and the sweep.
        table: all rules and deviations, a `svckit.widgets.PagedTable`, or a plain one without pandas; None
            without an in-process fake.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> explorer = RulesExplorer(svc)
        >>> explorer.filter(provenance="assumed", section="Errors", text="token")
        >>> explorer.table.rows["id"].tolist()
        ['api.unauthorized', 'token.error-body', 'token.error-status']
        >>> explorer.select("api.unauthorized")
        >>> explorer.choose("api.unauthorized", "403")
        >>> explorer.head
        Selected rule [FAKE]
        api.unauthorized is now 403; it was 401.
        api.unauthorized
        assumed, used 0 times; section Errors › Other operations
        A call without a valid access token gets 401.
        Chosen for this fake: 403
        >>> print(explorer.code)
        svc.fake.rules.choose({"api.unauthorized": "403"})
        >>> explorer.deviate("file.stored", "200")
        >>> explorer.deviate("file.stored", None)
        >>> explorer.sweep("read")
        >>> explorer.wait()
        >>> [(outcome.alternative, outcome.broke_with is None) for outcome in explorer.outcomes]
        [('id-only', False), ('me', True)]
        >>> explorer.stop()
        >>> explorer.refresh()
        >>> explorer.close()
    """

    head: RulesHead

    def __init__(self, svc: Session) -> None:
        check_session(svc, type(self).__name__)
        self.svc = svc
        self.head = RulesHead(svc)
        self.table: Any = None
        if svc.local_fake is not None:
            self.table = make_table(
                "rules", self.head, COLUMNS, self._pick, source=SOURCE, caption="Rules", key="id"
            )
        super().__init__(filter(None, (self.table, self.head)), classes=("svckit-rules",))

    @property
    def code(self) -> str:
        """The Python that does what the latest action did; empty before the first."""
        return self.head.code

    @property
    def outcomes(self) -> list[Any]:
        """The outcomes of the latest sweep: ``rule_id``, ``alternative``, and ``broke_with``, None if it passed."""
        return self.head.outcomes

    def filter(
        self,
        *,
        provenance: Literal["documented", "assumed", "observed", "deviation"] | None = None,
        section: str | None = None,
        text: str = "",
        used: bool | None = None,
    ) -> None:
        """Show only some rules; what is left out does not restrict them.

        Args:
            provenance: ``documented``, ``assumed``, ``observed`` or ``deviation``.
            section: words of the section of the service's description.
            text: words to search for.
            used: whether a response has rested on it.

        Raises:
            InvalidInput: there is no in-process fake.
        """
        table = self.table
        if table is None:
            raise InvalidInput(self.head.view["note"])
        table.filter("provenance", choices=None if provenance is None else [provenance])
        table.filter("section", contains=section)
        table.filter("used", low=1 if used else None, high=0 if used is False else None)
        table.search(text)

    select: Final = on_head(RulesHead.select)
    choose: Final = on_head(RulesHead.choose)
    deviate: Final = on_head(RulesHead.deviate)
    sweep: Final = on_head(RulesHead.sweep)
    stop: Final = on_head(RulesHead.stop)
    wait: Final = on_head(RulesHead.wait)
    refresh: Final = on_head(RulesHead.refresh)

    def _pick(self, record: Mapping[str, Any]) -> None:
        """Show the rule of the selected row."""
        self.head.select(record["id"], deviation=record["provenance"] == "deviation")

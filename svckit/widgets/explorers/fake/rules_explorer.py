"""The rules of a fake: all of them in a table, one with its alternatives, and sweeps."""

from collections.abc import Mapping
from typing import Any, Final, Literal

from svckit.errors import InvalidInput
from svckit.session.session import Session
from svckit.widgets.explorers.explorer_box import ExplorerBox, on_head
from svckit.widgets.explorers.fake.rules_head import RulesHead
from svckit.widgets.explorers.records_table import make_table
from svckit.widgets.form.session_check import check_session

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
    "*(each.record_as_rule() for each in svc.fake.rules.deviations)])"
)


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
        >>> [(each.alternative, each.broke_with is None) for each in explorer.outcomes]
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

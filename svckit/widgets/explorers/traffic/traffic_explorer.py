"""Traffic: requests and responses, live, with the rules behind each response; sent again, edited, and exported."""

import json
from collections.abc import Callable, Generator
from dataclasses import replace
from gzip import compress
from typing import Any, ClassVar

from svckit.display.har import format_har
from svckit.display.suggestions import NoSuchKey
from svckit.errors import InvalidInput
from svckit.http.python_calls import write_python
from svckit.session.session import Session
from svckit.widgets.base.callbacks import button, clear_error
from svckit.widgets.explorers.explorer import WorkingExplorer
from svckit.widgets.explorers.traffic import sequence
from svckit.widgets.explorers.traffic.details import (
    AREA_NAMES,
    COLUMNS,
    build_detail,
    build_row,
    describe_fault,
    get_sort_key,
    list_choices,
    name_columns,
)
from svckit.widgets.explorers.traffic.draft import FILTERS, TrafficDraft
from svckit.widgets.explorers.traffic.messages import (
    JournalSource,
    Only,
    TraceSource,
    TrafficMessage,
    draw_diagram,
    mark_transfers,
)
from svckit.widgets.explorers.traffic.resending import FIELDS, EditedRequest

__all__ = ["TrafficExplorer"]

SHOWN = 100  # the number of matching requests listed
DRAWN = 20  # the number of those in the diagram


class TrafficExplorer(WorkingExplorer[TrafficDraft]):
    """A live view of requests and responses: filter and sort them, inspect one, send it again, export them as HAR.

    With an in-process fake it shows the journal, which has the rules that each response used. Otherwise it shows the
    requests of this session since the explorer or its panel was created. Secrets are masked. The two steps of a
    transfer are grouped; see `svckit.widgets.explorers.traffic.messages.mark_transfers`.

    Args:
        svc: a session.
        trace: the session's requests recorded so far, used when there is no journal.
        visit: shows another explorer of the same fake, given its name, and returns it; without it, nothing leads to
            rules, faults and stubs.

    Attributes:
        draft: the filter.
        selected: the number of the request shown in detail, or None.
        error: the error of the last request, or an empty string.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> explorer = TrafficExplorer(svc)
        >>> user = svc.users.update("u-001", nick_name="Mina")
        >>> explorer.filter(text="patch")
        >>> explorer.select(4)
        >>> len(explorer.messages)
        1
        >>> explorer
        Traffic [FAKE]
        The fake's journal: the requests of all clients, with the rules each response used.
        1 of 4 requests
        Requests
             No.  Time              Method  URL                                Status  Operation     Assumed  Size
          >  4    2026-06-01 09:00  PATCH   https://api.fake.test/users/u-001  200 OK  users.update           1,654 B
        Request 4: users.update
        PATCH https://api.fake.test/users/u-001: 200 OK, 2026-06-01T09:00:00+09:00, 1,654 B
        - api.bearer documented
        - user.partial documented
        >>> print(explorer.curl())
        curl -X PATCH https://api.fake.test/users/u-001 \\
          -H 'Content-Type: application/json' \\
          -H "Authorization: Bearer $ACCESS_TOKEN" \\
          --data '{"nickName":"Mina"}'
        >>> print(explorer.python())
        svc.users.update("u-001", nick_name="Mina")
        >>> explorer.resend(4, body='{"nickName":"Min"}')
        >>> explorer.wait()
        >>> explorer.refresh()
        >>> len(explorer.messages), svc.users.read("u-001").nick_name
        (2, 'Min')
        >>> len(explorer.to_har()["log"]["entries"])
        2
        >>> explorer.replay(4)
        >>> explorer.wait()
        >>> explorer.sort("Size", ascending=False)
        >>> explorer.clear()
        >>> explorer.messages
        []
        >>> explorer.close()
    """

    template = "widgets/explorers/traffic/traffic.html"
    make_draft: ClassVar[type[TrafficDraft]] = TrafficDraft

    def __init__(
        self, svc: Session, trace: TraceSource | None = None, visit: Callable[[str], Any] | None = None
    ) -> None:
        self._visit = visit
        self.selected: int | None = None
        self._all: list[TrafficMessage] = []  # the filter shows some of them
        # None before `__init__` is done, and once closed.
        self._source: JournalSource | TraceSource | None = None
        super().__init__(svc)
        self._source = trace or (TraceSource(svc) if svc.local_fake is None else JournalSource(svc))
        self._refresh()

    @property
    def messages(self) -> list[TrafficMessage]:
        """The requests that match the filter, oldest first."""
        return self.draft.filter(self._all)

    @clear_error
    def filter(
        self,
        *,
        text: str | None = None,
        area: str | None = None,
        only: Only | None = None,
        method: str | None = None,
        status: str | None = None,
        operation: str | None = None,
    ) -> None:
        """Show the requests that match; arguments left out stay unchanged, and empty text matches all.

        Args:
            text: words that must all occur in the operation, method, URL, status, fault, rules or bodies.
            area: ``api``, ``auth``, ``storage``, ``hooks`` or ``elsewhere``.
            only: ``failed``, or ``assumed`` for responses based on assumptions.
            method: an HTTP method.
            status: a class of statuses, such as ``4xx``, or ``none`` for no response.
            operation: the name of an operation, such as ``users.update``.

        Raises:
            ValueError: no such area, no such class of statuses, or no such value for `only`.
        """
        given = {"text": text, "area": area, "only": only}
        given |= {"method": method, "status": status, "operation": operation}
        changes: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        self._keep(replace(self.draft, **changes))
        self._refresh()

    @clear_error
    def select(self, number: int | None) -> None:
        """Show the details of a request.

        Args:
            number: its number; None for no request.

        Raises:
            KeyError: no request with that number, or it is no longer kept.
        """
        self._refresh()
        if number is not None:
            edited = EditedRequest.of(self._find(number).request)
            self.draft = replace(self.draft, edited=edited)
        self.selected = number
        self._show()

    @clear_error
    def sort(self, column: str, *, ascending: bool = True) -> None:
        """Sort the requests by a column; at first the newest come last.

        Args:
            column: the column's heading, such as ``No.``, ``Status`` or ``Size``.
            ascending: whether the smallest value comes first.

        Raises:
            ValueError: no such column.
        """
        if column not in COLUMNS:
            raise ValueError(f"column must be one of {', '.join(COLUMNS)}; given {column!r}")
        self._keep(replace(self.draft, sort=column, ascending=ascending))

    @button
    def clear(self) -> None:
        """Forget the requests so far; that of an in-process fake clears its journal."""
        if self._source is not None:
            self._source.clear()
        self._refresh()

    @button
    def replay(self, number: int) -> None:
        """Send a request again, in the background, with the session's own access token.

        Args:
            number: its number.

        Raises:
            KeyError: no request with that number is kept.
            InvalidInput: its body was not kept, or a secret in it is masked. Nothing was sent.
        """
        self.resend(number)

    @clear_error
    def resend(
        self,
        number: int,
        *,
        method: str | None = None,
        url: str | None = None,
        headers: str | None = None,
        body: str | None = None,
    ) -> None:
        """Send an edited request, in the background, with the session's own access token; a real service asks first.

        Args:
            number: the number of the request to edit.
            method: another HTTP method.
            url: another URL.
            headers: other headers, one per line.
            body: another body.

        Raises:
            KeyError: no request with that number is kept.
            InvalidInput: its body was not kept, or a secret in it is masked. Nothing was sent.
        """
        given = {"method": method, "url": url, "headers": headers, "body": body}
        self._send_edited(EditedRequest.of(self._find(number).request).replace(given))

    def to_har(self) -> dict[str, Any]:
        """Return the requests that match the filter as a HAR 1.2 archive, ready for ``json.dumps``, secrets masked."""
        return format_har(message.source.to_har() for message in self.messages)

    def _refresh(self) -> None:
        """Show what has changed since, the new requests; the filter and the selection stay."""
        if self._source is None:  # the explorer was closed
            return
        now = mark_transfers(self._source.read_messages())
        # Also without any: the first view was made before there was a source.
        if [(m.number, m.outcome) for m in now] != [(m.number, m.outcome) for m in self._all] or not now:
            self._all = now
            if self._selected_message is None:  # no longer kept, or nothing is selected
                self.selected = None
            self._show()

    def python(self) -> str:
        """Return the selected request, or else all that match, as Python, ready to run where ``svc`` is a session."""
        return write_python(*(message.request for message in self._chosen_or_all()))

    def curl(self) -> str:
        """Return the selected request, or else all that match, as curl commands; secrets are variables."""
        return "\n\n".join(message.request.curl for message in self._chosen_or_all())

    def _chosen_or_all(self) -> list[TrafficMessage]:
        selected = self._selected_message
        return self.messages if selected is None else [selected]

    def _end(self) -> None:
        """Stop recording the session's requests."""
        if self._source is not None:
            self._source.close()
            self._source = None
        self._all = []
        super()._end()

    @property
    def _selected_message(self) -> TrafficMessage | None:
        return self._look_up(self.selected)

    def _look_up(self, number: int | None) -> TrafficMessage | None:
        return next((message for message in self._all if message.number == number), None)

    def _find(self, number: int | None) -> TrafficMessage:
        found = self._look_up(number)
        if found is None:
            raise NoSuchKey(f"no request {number} is kept")
        return found

    def _send_edited(self, edited: EditedRequest) -> None:
        edited.check()
        self._ask_first(f"Send {edited.method} {edited.url}", lambda: self._start(self._steps(edited)))

    def _steps(self, edited: EditedRequest) -> Generator[None, None, None]:
        before = {message.number for message in self._all}
        edited.send(self.svc)
        self._refresh()
        new = [message for message in self._all if message.number not in before]
        sent = [message for message in new if edited.is_sent_as(message)] or new
        self.select(sent[-1].number if sent else None)
        if self.draft.part == "Edit":
            self._do_part("Response")
        yield

    def _do_sort(self, column: str) -> None:
        self.sort(column, ascending=column != self.draft.sort or not self.draft.ascending)

    def _do_select(self, number: int | None) -> None:
        self.select(None if number == self.selected else number)

    def _do_close(self) -> None:
        self.select(None)

    def _do_part(self, name: str) -> None:
        self._keep(replace(self.draft, part=name))

    def _do_show_all(self) -> None:
        self.filter(**dict[str, Any](dict.fromkeys(FILTERS, "")))

    def _do_rule(self, rule: str) -> None:
        rules = self._lead("rules")
        rules.filter(text=rule)
        rules.select(rule)

    def _do_inject(self) -> None:
        self._lead("time").propose(**describe_fault(self._find(self.selected)))

    def _do_stub(self) -> None:
        message = self._find(self.selected)
        self._lead("fake").propose_stub(message.method, message.request.path.partition("?")[0])

    def _lead(self, name: str) -> Any:
        if self._visit is None:
            raise InvalidInput(f"only the panel of a fake in this process, svc.explore(), leads to {name}")
        return self._visit(name)

    def _do_send(self) -> None:
        self._send_edited(self.draft.edited)

    def _do_export(self, view: str) -> None:
        head = {"file": "traffic.har", "type": "application/json", "view": view}
        self.send(head, [compress(json.dumps(self.to_har()).encode(), mtime=0)])

    def _write(self, name: str, entry: str | bool) -> None:
        match name, entry:
            case _, str(text) if name in FILTERS:
                self.filter(**dict[str, Any]({name: text}))
            case "live", bool(live):
                self._keep(replace(self.draft, live=live))
            case _, str(text) if name in FIELDS:
                self._keep(replace(self.draft, edited=self.draft.edited.replace({name: text})))
            case _:
                raise ValueError(f"a traffic explorer has no field {name!r} that takes {entry!r}")

    def _view(self) -> dict[str, Any]:
        """Return the data of the template."""
        draft, messages, chosen = self.draft, self.messages, self._selected_message
        in_order = draft.ascending and draft.sort in ("No.", "Time")
        ordered = sorted(messages, key=get_sort_key(draft.sort), reverse=not draft.ascending)
        shown = ordered[-SHOWN:] if in_order else ordered[:SHOWN]
        drawn, columns = self._choose_drawn(messages, chosen), name_columns(self._all)
        return {
            "note": "" if self._source is None else self._source.about,
            "watched": draft.live,
            "areas": [("", "all"), *AREA_NAMES.items()],
            "choices": {
                name: list_choices(self._all, name, getattr(draft, name))
                for name in ("method", "status", "operation")
            },
            "results": [("", "all"), ("failed", "failed"), ("assumed", "based on assumptions")],
            "count": f"{len(messages):,} of {_count_requests(len(self._all))}"
            + (f", {'newest' if in_order else 'first'} {SHOWN} shown" if len(messages) > SHOWN else ""),
            "columns": columns,
            "rows": [build_row(message, len(columns), selected=message is chosen) for message in shown],
            "detail": None if chosen is None else build_detail(chosen, self.svc.local_fake, draft.part),
            "links": self._visit is not None,
            "total": len(self._all),
            "in_order": in_order,
            "diagram": sequence.lay_out(drawn),
            "mermaid": draw_diagram(drawn).source,
        }

    def _choose_drawn(
        self, messages: list[TrafficMessage], chosen: TrafficMessage | None
    ) -> list[TrafficMessage]:
        """Return the requests of the diagram: the selected one with its transfer, or else the newest."""
        if chosen is None:
            return messages[-DRAWN:]
        if chosen.transfer is None:
            return [chosen]
        return [message for message in self._all if message.transfer == chosen.transfer]


def _count_requests(count: int) -> str:
    return f"{count:,} request{'' if count == 1 else 's'}"

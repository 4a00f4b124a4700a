"""Traffic: requests and responses, live, with the rules behind each response, as curl and as a sequence diagram."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from svckit.display.suggestions import NoSuchKey
from svckit.http.python_calls import write_python
from svckit.http.trace import AREAS, ELSEWHERE
from svckit.session.session import Session
from svckit.widgets.base import plain
from svckit.widgets.base.assets import script, style
from svckit.widgets.base.callbacks import clear_error, show_errors
from svckit.widgets.explorers import sequence
from svckit.widgets.explorers.explorer import Explorer
from svckit.widgets.explorers.traffic import (
    JournalSource,
    Only,
    TraceSource,
    TrafficMessage,
    draw_diagram,
    filter_messages,
    mark_transfers,
)

__all__ = ["TrafficExplorer"]

SHOWN = 100  # the number of matching requests listed, the newest
DRAWN = 20  # the number of those in the diagram
DIAGRAM = "Sequence diagram of the requests shown"
AREA_NAMES = {area or ELSEWHERE: name for area, name in AREAS.items()}


@dataclass(frozen=True, slots=True)
class TrafficDraft:
    """The filter."""

    text: str = ""
    area: str = ""
    only: Only = ""


class TrafficExplorer(Explorer[TrafficDraft]):
    """A live view of requests and responses: filter them, inspect one, copy it as curl.

    With an in-process fake it shows the journal, which has the rules that each response used. Otherwise it shows the
    requests of this session since the explorer or its panel was created. Secrets are masked. The two steps of a
    transfer are grouped; see `svckit.widgets.explorers.traffic.mark_transfers`.

    Args:
        svc: a session.
        trace: the session's requests recorded so far, used when there is no journal.

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
        Traffic [FAKE]: 1 of 4 requests
            no.  method  URL                                status  operation
          > 4    PATCH   https://api.fake.test/users/u-001  200 OK  users.update
        >>> print(explorer.curl())
        curl -X PATCH https://api.fake.test/users/u-001 \\
          -H 'Content-Type: application/json' \\
          -H "Authorization: Bearer $ACCESS_TOKEN" \\
          --data '{"nickName":"Mina"}'
        >>> print(explorer.python())
        svc.users.update("u-001", nick_name="Mina")
        >>> explorer.close()
    """

    _esm = script(
        "base/entries.js",
        "base/takeover.js",
        "explorers/explorer.js",
        "base/rows.js",
        "base/sequence.js",
        "explorers/traffic_explorer.js",
    )
    _css = style("explorers/explorer.css", "base/rows.css", "explorers/traffic_explorer.css")
    template = "widgets/explorers/traffic.html"
    make_draft = TrafficDraft

    def __init__(self, svc: Session, trace: TraceSource | None = None) -> None:
        self.selected: int | None = None
        self._all: list[TrafficMessage] = []
        self._source: JournalSource | TraceSource | None = None
        super().__init__(svc)
        self._source = trace or (TraceSource(svc) if svc.fake is None else JournalSource(svc))
        self._refresh()

    @property
    def messages(self) -> list[TrafficMessage]:
        """The requests that match the filter, oldest first."""
        draft = self.draft
        return filter_messages(self._all, text=draft.text, area=draft.area, only=draft.only)

    @clear_error
    def filter(self, *, text: str | None = None, area: str | None = None, only: Only | None = None) -> None:
        """Show the requests that match; arguments left out stay unchanged, and empty text matches all.

        Args:
            text: words that must all occur in the operation, method, URL, status, fault or rules.
            area: ``api``, ``auth``, ``storage``, ``hooks`` or ``elsewhere``.
            only: ``failed``, or ``assumed`` for responses based on assumptions.

        Raises:
            ValueError: no such area, or no such value for `only`.
        """
        if area and area not in AREA_NAMES:
            raise ValueError(f"area must be one of {', '.join(AREA_NAMES)}, or empty; given {area!r}")
        if only and only not in ("failed", "assumed"):
            raise ValueError(f"only must be failed, assumed or empty; given {only!r}")
        was = self.draft
        self._keep(
            TrafficDraft(
                was.text if text is None else text,
                was.area if area is None else area,
                was.only if only is None else only,
            )
        )
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
        if number is not None and all(message.number != number for message in self._all):
            raise NoSuchKey(f"no request {number} is kept")
        self.selected = number
        self._show()

    def _refresh(self) -> None:
        """Show what has changed since, the new requests; the filter and the selection stay."""
        if self._source is None:  # the explorer was closed
            return
        now = mark_transfers(self._source.read_messages())
        if [(m.number, m.outcome) for m in now] != [(m.number, m.outcome) for m in self._all] or not now:
            self._all = now
            if all(message.number != self.selected for message in now):
                self.selected = None
            self._show()

    def python(self) -> str:
        """Return the selected request, or else all that match, as Python, ready to run where ``svc`` is a session."""
        return write_python(*(message.request for message in self._chosen_or_all()))

    def curl(self) -> str:
        """Return the selected request, or else all that match, as curl commands; secrets are variables."""
        return "\n\n".join(message.request.curl for message in self._chosen_or_all())

    def _chosen_or_all(self) -> list[TrafficMessage]:
        return [self._selected] if self._selected else self.messages

    def _html(self) -> str:
        drawing = self.view["diagram"]
        return super()._html() + (sequence.to_html(drawing, DIAGRAM) if drawing["arrows"] else "")

    def _end(self) -> None:
        """Stop recording the session's requests."""
        if self._source is not None:
            self._source.close()
            self._source = None
        self._all = []
        super()._end()

    @property
    def _selected(self) -> TrafficMessage | None:
        return next((message for message in self._all if message.number == self.selected), None)

    @show_errors
    def _receive(self, _widget: object, content: Mapping[str, Any], _buffers: object) -> None:
        """Handle a message from the browser."""
        match content:
            case {"do": "write", "field": "text", "text": str(text)}:
                self.filter(text=text)
            case {"do": "write", "field": "area", "text": str(area)}:
                self.filter(area=area)
            case {"do": "write", "field": "only", "text": "" | "failed" | "assumed" as only}:
                self.filter(only=only)
            case {"do": "select", "number": int() | None as number}:
                self.select(number)
            case _:
                raise ValueError(f"a traffic explorer does not understand {content!r}")

    def _view(self) -> dict[str, Any]:
        """Return the data for the live view, HTML and text."""
        messages, chosen = self.messages, self._selected
        newest = messages[-SHOWN:]
        drawn = [chosen] if chosen and not chosen.transfer else messages[-DRAWN:]
        if chosen and chosen.transfer:
            drawn = [message for message in self._all if message.transfer == chosen.transfer]
        return {
            "badge": self.badge,
            "about": "" if self._source is None else self._source.about,
            "draft": asdict(self.draft),
            "areas": [{"area": area, "name": name} for area, name in AREA_NAMES.items()],
            "count": f"{len(messages)} of {_count_requests(len(self._all))}"
            + (f", newest {SHOWN} shown" if len(messages) > SHOWN else ""),
            "rows": [self._build_row(message) for message in newest],
            "detail": None if chosen is None else self._build_detail(chosen),
            "diagram": sequence.lay_out(
                [
                    {
                        "area": AREA_NAMES[message.area or ELSEWHERE],
                        "request": f"{message.method} {message.path}",
                        "response": message.outcome,
                        "failed": message.is_failed,
                    }
                    for message in drawn
                ]
            ),
            "mermaid": draw_diagram(drawn).source,
            "asking": "",
        }

    def _build_row(self, message: TrafficMessage) -> dict[str, Any]:
        first = message.transfer in (None, message.number)
        return {
            "number": message.number,
            "at": message.at,
            "method": message.method,
            "url": message.url,
            "outcome": message.outcome,
            "operation": message.operation,
            "assumed": len(message.assumed),
            "injected": message.injected,
            "failed": message.is_failed,
            "step": "" if message.transfer is None else "step 1" if first else "step 2",
            "selected": message.number == self.selected,
        }

    def _build_detail(self, message: TrafficMessage) -> dict[str, Any]:
        return {
            "title": f"Request {message.number}: {message.operation}",
            "at": message.at,
            "request": message.request.text,
            "response": message.response,
            "curl": message.request.curl,
            "injected": message.injected,
            "rules": [self._build_rule(rule, message) for rule in message.rules or message.assumed],
        }

    def _build_rule(self, rule_id: str, message: TrafficMessage) -> dict[str, str]:
        fake = self.svc.fake
        is_assumed = rule_id in message.assumed
        rule = None if fake is None else fake.rules[rule_id]
        return {
            "id": rule_id,
            "kind": f"assumed: {rule.chosen}"
            if rule and is_assumed
            else "assumed"
            if is_assumed
            else "documented",
            "text": "" if rule is None else str(rule.text),
            "others": ", ".join(each for each in rule.alternatives if each != rule.chosen) if rule else "",
        }

    def _text(self) -> str:
        view = self.view
        rows = [("", "no.", "method", "URL", "status", "operation")]
        for row in view["rows"]:
            mark = ">" if row["selected"] else ""
            step = f" ({row['step']})" if row["step"] else ""
            rows.append(
                (mark, str(row["number"]), row["method"], row["url"], row["outcome"], row["operation"] + step)
            )
        lines = [f"  {line}" for line in plain.columns(rows, widest=60)]
        return "\n".join([f"Traffic [{view['badge']}]: {view['count']}", *lines])


def _count_requests(count: int) -> str:
    return f"{count:,} request{'' if count == 1 else 's'}"

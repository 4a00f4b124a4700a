"""A form for an operation: live, as static HTML and as text."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, tzinfo
from typing import Any, ClassVar, Final, TypeVar

from svckit.errors import InvalidInput
from svckit.http.messages import Operation
from svckit.http.trace import TraceEntry
from svckit.models.fields import FieldSpec
from svckit.models.phrases import describe_given
from svckit.session.session import Session
from svckit.widgets.base.argument_checks import check_session
from svckit.widgets.base.callbacks import button, clear_error
from svckit.widgets.base.labels import full_label
from svckit.widgets.base.takeover import REPLACED, TakeoverWidget
from svckit.widgets.base.untyped import AnyWidget
from svckit.widgets.form.entry import State
from svckit.widgets.form.model import FormModel
from svckit.widgets.form.view import describe_state, in_groups, list_entries, view_field

__all__ = ["Form"]

Sent = TypeVar("Sent")

_LOCAL: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2})?")
"""A time as a picker has it, without an offset."""

MANY: Final = 9
"""A form with more fields has a search."""


class Form(TakeoverWidget, AnyWidget, internal="resume"):
    """Fields to leave, set or clear, with the problems and the request preview beside them.

    A new form for the same user and session takes over the entries of the old one and replaces it, so that a cell can
    be run again; see `svckit.widgets.base.takeover`. A request to a real service needs a confirmation.

    Args:
        svc: the session.
        user_id: the user.

    Raises:
        TypeError: the session is of another kind, or the user ID is not text.

    Attributes:
        svc: the session.
        user_id: the user.
        model: the engine, a `svckit.widgets.form.model.FormModel`.
        result: the result of the last request, else ``None``.
        error: the error of the last request, or empty text.

    Examples:
        >>> import svckit
        >>> form = svckit.widgets.UserForm(svckit.connect(now="2026-06-01T09:00:00+09:00"), "u-002")
        >>> form.set_state("task", "clear")
        >>> form.add("alias_emails")
        >>> form.remove("alias_emails[0]")
        >>> form.values, form.problems
        ({'task': None}, ())
        >>> form.reset()
        >>> form.enter("nick_name", "Mina")
        >>> print(form.code)
        svc.users.update("u-002", nick_name="Mina")
        >>> form.submit()
        >>> form.result.nick_name, form.response
        ('Mina', '200 OK at 2026-06-01T09:00:00+09:00')
        >>> form.search("mobile telephone")
        >>> [field["path"] for field in form.view["fields"]]
        ['cell_phone']
        >>> form.cancel()
        >>> form.confirm()
        Traceback (most recent call last):
        ...
        ValueError: there is nothing to confirm: nothing was asked, or something was edited since
        >>> form.close()
    """

    template = "widgets/form/form.html"

    replaced_text = REPLACED.format("form for the same user")

    field_specs: ClassVar[Iterable[FieldSpec]]
    """The fields, as of the operation."""
    title: ClassVar[str]
    verb: ClassVar[str]
    left: ClassVar[str] = "Leave out"
    """The label for a field that is neither set nor cleared."""
    shared: ClassVar[bool] = True
    """Whether only one form per user and session is open at a time; one in an explorer belongs to it alone."""

    def __init__(self, svc: Session, user_id: str) -> None:
        check_session(svc, "a form")
        if not isinstance(user_id, str):
            raise TypeError(
                f"a form takes a session and the ID of a user, such as 'u-001'; given {describe_given(user_id)}"
            )
        self.svc = svc
        self.user_id = user_id
        self.model: FormModel = self._make_model()
        self.result: Any = None
        self.outcome: str = ""
        self._sent: TraceEntry | None = None  # the last request, with its status
        # A required field that is empty is a problem only once somebody has typed in it, or tried to send.
        self._touched: set[str] = set()
        self._tried = False
        # The field that somebody types in; what is wrong there is said once it is left.
        self._typing: str | None = None
        self._code: Sequence[tuple[str, str]] = ()  # of what was sent, until something is edited
        before = self._predecessor
        if before is not None:
            self.model = before.model
            before.model = self._make_model()  # so that the two do not share the entries
        self._take_over(before)
        super().__init__(view=self._make_view())
        self._open[self._key] = self

    @property
    def values(self) -> dict[str, Any]:
        """The fields that are set or cleared, by Python name."""
        return self.model.values()

    @property
    def response(self) -> str:
        """The status of the last request, and when it was sent, on the session's clock; empty text before."""
        return f"{self._sent.outcome} at {self._sent.at.isoformat()}" if self._sent else ""

    @property
    def problems(self) -> tuple[str, ...]:
        """The current problems of the form."""
        return tuple(problem.message for problem in self.model.check().problems)

    @property
    def code(self) -> str:
        """The svckit call that sends the form as it is now; empty while it has problems."""
        return dict(self.model.check().code).get("Python", "")

    @clear_error
    def enter(self, path: str, text: str) -> None:
        """Type text into a field, which sets the field.

        Args:
            path: the field by its Python names, such as ``user_name.last_name`` or ``alias_emails[0]``.
            text: the text.

        Raises:
            KeyError: there is no such field.
            ValueError: the field holds fields of its own.
        """
        self.model.enter(path, text)
        self._touched.add(path)
        self._update()

    @button
    def set_state(self, path: str, state: State) -> None:
        """Switch a field to another state.

        Args:
            path: the field by its Python names, such as ``user_name.last_name`` or ``alias_emails[0]``.
            state: ``leave``, ``set`` or ``clear``.

        Raises:
            KeyError: there is no such field.
            ValueError: the field cannot have that state.
        """
        self.model.set_state(path, state)
        self._update()

    @button
    def add(self, path: str) -> None:
        """Add an item to a list.

        Args:
            path: the list by its Python names, such as ``alias_emails``.
        """
        self.model.add(path)
        self._update()

    @button
    def remove(self, path: str) -> None:
        """Remove an item from its list.

        Args:
            path: the item, such as ``alias_emails[0]``.
        """
        self.model.remove(path)
        self._update()

    @button
    def reset(self) -> None:
        """Discard all entries."""
        self._restart()
        self._update()

    def resume(self, model: FormModel) -> None:
        """Resume the entries of another form for the same user, by its engine."""
        self.model = model
        self._update()

    @button
    def submit(self) -> None:
        """Send the form; for a real service, only ask for confirmation, and :meth:`confirm` sends.

        Raises:
            InvalidInput: the form has problems. Nothing was sent.
            ServiceError: the service refused the request; the entries stay.
        """
        if self.model.is_empty or self.model.check().problems:
            self._perform()
        else:
            self._ask_first("This goes to", self._perform)

    @clear_error
    def search(self, query: str) -> None:
        """Show only the fields that contain all words of the query in their labels, names or help.

        Args:
            query: the words, in any case; empty text shows all fields.
        """
        self.model.query = query
        self._show()

    @property
    def _key(self) -> tuple[str, int, str]:
        return self.title, id(self.svc if self.shared else self), self.user_id

    def _make_model(self) -> FormModel:
        return FormModel(self.field_specs, self._make_operation, on=self.svc.profile)

    def _make_operation(self, values: Mapping[str, Any]) -> Operation[Any]:
        """Return the operation that sends these values."""
        raise NotImplementedError

    def _accept(self, result: Any) -> str:
        """Accept the result, and return a message that says what was done."""
        raise NotImplementedError

    def _list_option_names(self) -> Mapping[str, str]:
        """Return the names of options, which are shown beside them."""
        return {}

    def _request(self, send: Callable[[], Sent]) -> Sent:
        """Send something, and note the status of the response, and the session's time."""
        with self.svc.trace() as trace:
            try:
                return send()
            finally:
                self._sent = next(reversed([*trace]), None)
                self._show()

    def _perform(self) -> None:
        check = self.model.check()
        if check.problems:
            self._tried = True
            self._show()
            raise InvalidInput("; ".join(["nothing was sent", *self.problems]), check.problems)
        if self.model.is_empty:
            raise InvalidInput("nothing was sent: set or clear a field first")
        operation = self.model.operation(self.model.values())
        code = self.view["code"]
        self.result = self._request(lambda: self.svc.run(operation))
        self._restart()
        self._update(outcome=self._accept(self.result), code=code)

    def _restart(self) -> None:
        self.model.reset()
        self._touched.clear()
        self._tried, self._typing = False, None

    def _is_pending(self, path: str) -> bool:
        """Return whether a required field is still untouched, which is not an error."""
        entry = self.model.entries.get(path)
        asked = entry is not None and entry.spec.required and entry.is_blank
        return asked and not self._tried and path not in self._touched

    def _update(self, outcome: str = "", code: Sequence[tuple[str, str]] = ()) -> None:
        """Show a change of the form, which also voids a pending confirmation."""
        self._asking, self._question = None, ""
        self.outcome, self._code = outcome, code
        self._show()

    def _write(self, name: str, entry: str | bool) -> None:
        text = str(entry)
        if name == "search":
            self.search(text)
            return
        if self.model.entry(name).spec.kind == "time" and _LOCAL.fullmatch(text):
            text = datetime.fromisoformat(text).replace(tzinfo=self._zone).isoformat()
        # What was wrong before says so until it is right.
        self._typing = None if any(problem["path"] == name for problem in self.view["wrong"]) else name
        self.enter(name, text)

    def _do_leave(self, field: str) -> None:
        if self._typing == field:
            self._typing = None
            self._show()

    @property
    def _zone(self) -> tzinfo | None:
        """The zone of the session's clock, in which times are picked."""
        return getattr(self.svc.clock, "zone", None) or self.svc.clock.now().tzinfo

    def _view(self) -> dict[str, Any]:
        check, changed = self.model.check(), self.model.values()
        found: dict[str, str] = {}
        for problem in check.problems:
            at = self.model.nearest(problem.path)
            found[at] = "; ".join(filter(None, [found.get(at), problem.message]))
        pending = {path: full_label(path) for path in found if self._is_pending(path)}
        wrong = {path: words for path, words in found.items() if path not in (*pending, self._typing)}
        known = bool(self.model.record)
        fields = [
            view_field(
                path, depth, entry, changed=changed, known=known, problem=wrong.get(path, ""), zone=self._zone
            )
            for path, depth, entry in self.model.shown(wrong)
        ]
        return {
            "title": f"{self.title} {self.user_id}",
            "locale": str(self.model.record.get("locale") or ""),
            "verb": self.verb,
            "left": self.left,
            "names": self._list_option_names(),
            "searches": len(self.model.entries) > MANY,
            "query": self.model.query,
            "fields": fields,
            "groups": in_groups(fields),
            "entries": [*((label, "required") for label in pending.values()), *list_entries(self.model)],
            "wrong": [{"path": p, "words": full_label(p) if p else words} for p, words in wrong.items()],
            "problems": list(wrong.values()),
            "outcome": self.outcome,
            "status": describe_state(changed, pending.values(), wrong),
            "disabled": not changed or bool(found),
            "code": check.code if check.code and changed else self._code,
            "response": self._sent.outcome if self._sent else "",
            "at": self._sent.at.isoformat() if self._sent else "",
        }

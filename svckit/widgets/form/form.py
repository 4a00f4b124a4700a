"""A form for an operation: live, as static HTML and as text."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import anywidget

from svckit.display.card import TEMPLATES
from svckit.display.masking import mask
from svckit.edits.changes import format_value
from svckit.errors import InvalidInput
from svckit.models.base import wire_name
from svckit.models.phrases import describe_given
from svckit.session.session import Session
from svckit.widgets.base import plain
from svckit.widgets.base.assets import script, style
from svckit.widgets.base.callbacks import clear_error, show_errors
from svckit.widgets.base.labels import full_label, label
from svckit.widgets.base.takeover import REPLACED, TakeoverWidget
from svckit.widgets.form.entry import FormField, State
from svckit.widgets.form.model import FormModel
from svckit.widgets.form.session_check import check_session

__all__ = ["Form"]


class Form(TakeoverWidget, anywidget.AnyWidget, internal="resume"):
    """Fields to leave, set or clear, with the problems and the request preview beside them.

    A new form for the same user and session takes over the entries of the old one and replaces it, so that a cell can
    be run again; see `svckit.widgets.base.takeover`. A request to a real service needs a confirmation.

    Args:
        svc: the session.
        user_id: the user.
        make: makes the engine for a session.

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
        ({'alias_emails': [], 'task': None}, ())
        >>> form.reset()
        >>> form.enter("nick_name", "Mina")
        >>> print(form.code)
        svc.users.update("u-002", nick_name="Mina")
        >>> form.submit()
        >>> form.result.nick_name
        'Mina'
        >>> form.cancel()
        >>> form.confirm()
        Traceback (most recent call last):
        ...
        ValueError: there is nothing to confirm: press the form's button first, and check the request preview
        >>> form.close()
    """

    _esm = script("base/entries.js", "base/takeover.js", "form/form_line.js", "form/form.js")
    _css = style("form/form.css")

    replaced_text = REPLACED.format("form for the same user")

    title: ClassVar[str]
    verb: ClassVar[str]
    left: ClassVar[str] = "Leave out"
    """The label for a field that is neither set nor cleared."""
    shared: ClassVar[bool] = True
    """Whether only one form per user and session is open at a time; one in an explorer belongs to it alone."""

    def __init__(self, svc: Session, user_id: str, make: Callable[[Session], FormModel]) -> None:
        check_session(svc, "a form")
        if not isinstance(user_id, str):
            raise TypeError(
                f"a form takes a session and the ID of a user, such as 'u-001'; given {describe_given(user_id)}"
            )
        self.svc = svc
        self.user_id = user_id
        self.model = make(svc)
        self.result: Any = None
        self.outcome = ""
        self._asking = False
        self._touched: set[str] = set()
        self._tried = False
        before = self._predecessor
        if before is not None:
            self.model = before.model
            before.model = make(svc)
        self._take_over(before)
        super().__init__(view=self._view())
        self._open[self._key] = self
        self.on_msg(self._hear)

    @property
    def values(self) -> dict[str, Any]:
        """The fields that are set or cleared, by Python name."""
        return self.model.values()

    @property
    def problems(self) -> tuple[str, ...]:
        """The current problems of the form."""
        return tuple(problem.message for problem in self.model.check().problems)

    @property
    def code(self) -> str:
        """The svckit call that sends the form as it is now; empty while it has problems."""
        preview = self.model.check().preview
        return preview.python if preview else ""

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

    @clear_error
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

    @clear_error
    def add(self, path: str) -> None:
        """Add an item to a list.

        Args:
            path: the list by its Python names, such as ``alias_emails``.
        """
        self.model.add(path)
        self._update()

    @clear_error
    def remove(self, path: str) -> None:
        """Remove an item from its list.

        Args:
            path: the item, such as ``alias_emails[0]``.
        """
        self.model.remove(path)
        self._update()

    @clear_error
    def reset(self) -> None:
        """Discard all entries."""
        self._restart()
        self._update()

    def resume(self, model: FormModel) -> None:
        """Resume the entries of another form for the same user, by its engine."""
        self.model = model
        self._update()

    @clear_error
    def submit(self) -> None:
        """Send the form; for a real service, only ask for confirmation, and :meth:`confirm` sends.

        Raises:
            InvalidInput: the form has problems. Nothing was sent.
            ServiceError: the service refused the request; the entries stay.
        """
        if self.svc.is_fake or self.model.is_empty or not self.model.check().preview:
            self._perform()
        else:
            self._asking = True
            self._show()

    @clear_error
    def confirm(self) -> None:
        """Send the request that :meth:`submit` asked about.

        Raises:
            ValueError: :meth:`submit` did not ask, or the form was edited since.
        """
        if not self._asking:
            raise ValueError(
                "there is nothing to confirm: press the form's button first, and check the request preview"
            )
        self._perform()

    @clear_error
    def cancel(self) -> None:
        """Cancel the request that :meth:`submit` asked about; the entries stay."""
        self._asking = False
        self._show()

    def _html(self) -> str:
        still = {"lines": self._set_lines(), "problems": self._list_problems(), "status": self._status()}
        return TEMPLATES.get_template("widgets/form/form.html").render(self.view | still)

    @property
    def _key(self) -> tuple[str, int, str]:
        return self.title, id(self.svc if self.shared else self), self.user_id

    def _accept(self, result: Any) -> str:
        """Accept the result, and return a message that says what was done."""
        raise NotImplementedError

    def _perform(self) -> None:
        self._asking = False
        check = self.model.check()
        if check.problems:
            self._tried = True
            self._show()
            raise InvalidInput("; ".join(["nothing was sent", *self.problems]), check.problems)
        if self.model.is_empty:
            raise InvalidInput("nothing was sent: set or clear a field first")
        try:
            self.result = self.svc.run(self.model.operation(self.model.values()))
        finally:
            self._show()
        self._restart()
        self._update(outcome=self._accept(self.result))

    def _restart(self) -> None:
        self.model.reset()
        self._touched.clear()
        self._tried = False

    def _is_pending(self, path: str) -> bool:
        """Return whether a required field is still untouched, which is not an error."""
        entry = self.model.entries.get(path)
        asked = entry is not None and entry.spec.required and entry.is_blank
        return asked and not self._tried and path not in self._touched

    def _update(self, outcome: str = "") -> None:
        """Show a change of the form, which also voids a pending confirmation."""
        self._asking = False
        self.outcome = outcome
        self._show()

    @show_errors
    def _receive(self, _widget: object, content: Mapping[str, Any], _buffers: object) -> None:
        """Handle a request from the browser."""
        match content:
            case {"do": "enter", "path": str(path), "text": str(text)}:
                self.enter(path, text)
            case {"do": "turn", "path": str(path), "state": "leave" | "set" | "clear" as state}:
                self.set_state(path, state)
            case {"do": "add", "path": str(path)}:
                self.add(path)
            case {"do": "remove", "path": str(path)}:
                self.remove(path)
            case {"do": "reset" | "submit" | "confirm" | "cancel" as step}:
                getattr(self, step)()
            case _:
                raise ValueError(f"a form does not understand {content!r}")

    def _make_replaced_view(self) -> dict[str, Any]:
        return {"title": f"{self.title} {self.user_id}"} | super()._make_replaced_view()

    def _view(self) -> dict[str, Any]:
        check = self.model.check()
        found: dict[str, str] = {}
        for problem in check.problems:
            at = self.model.nearest(problem.path)
            found[at] = "; ".join(filter(None, [found.get(at), problem.message]))
        visible = {path: words for path, words in found.items() if not self._is_pending(path)}
        fields = [self._field(path, depth, entry, visible) for path, depth, entry in self.model.walk()]
        real = f"This goes to {self.svc.profile.name} ({self.svc.profile.base_url}), which is REAL."
        return {
            "title": f"{self.title} {self.user_id}",
            "badge": self.badge,
            "verb": self.verb,
            "fields": fields,
            "problems": [problem.message for problem in check.problems],
            "wrong": [{"path": p, "words": full_label(p) if p else words} for p, words in visible.items()],
            "awaited": [full_label(path) for path in found if path not in visible],
            "left": self.left,
            "empty": self.model.is_empty,
            "json": check.preview.json if check.preview else "",
            "curl": check.preview.curl if check.preview else "",
            "asking": real if self._asking else "",
            "outcome": self.outcome,
        }

    def _field(self, path: str, depth: int, entry: FormField, visible: Mapping[str, str]) -> dict[str, Any]:
        spec = entry.spec
        count = len(entry.text) if spec.kind == "text" else len(entry.items)
        return {
            "path": path,
            "depth": depth,
            "label": label(path),
            "name": full_label(path),
            "kind": spec.kind,
            "help": spec.help,
            "limits": spec.limits,
            "state": entry.state,
            "states": entry.states,
            "item": entry.is_item,
            "text": entry.text,
            "choices": spec.choices,
            "counted": spec.kind in ("text", "list") and spec.most is not None,
            "count": count,
            "most": spec.most,
            "current": self._current(path) if not depth else "",
            "problem": visible.get(path, ""),
        }

    def _current(self, path: str) -> str:
        """Return the field's current value in the service, if known."""
        record, name = self.model.current, wire_name(path)
        if not record:
            return ""
        value = record.get(name)
        return "empty" if value is None else mask(value if isinstance(value, str) else format_value(value))

    def _list_problems(self) -> list[str]:
        """List the problems, except for required fields that are still untouched."""
        of_fields = [field["problem"] for field in self.view["fields"] if field["problem"]]
        return of_fields + [each["words"] for each in self.view["wrong"] if not each["path"]]

    def _status(self) -> str:
        """Return the status line."""
        view = self.view
        if view["outcome"] or view["empty"]:
            return view["outcome"] or "Nothing to send"
        return f"Required: {', '.join(view['awaited'])}" if view["awaited"] else "Not sent yet"

    def _set_lines(self) -> list[tuple[str, str]]:
        """Return the fields that are set or cleared, as labels and values."""
        lines = []
        for path, depth, entry in self.model.walk():
            if self._is_pending(path):
                lines.append(("  " * depth + label(path), "required"))
            elif entry.state == "set" and (entry.is_typed or entry.is_item or not depth):
                lines.append(("  " * depth + label(path), mask(entry.text) if entry.is_typed else ""))
            elif entry.state == "clear":
                lines.append(("  " * depth + label(path), "null"))
        return lines

    def _text(self) -> str:
        view = self.view
        lines = [f"{view['title']} [{view['badge']}]"]
        lines += [f"  {line}" for line in plain.columns(self._set_lines(), widest=72)]
        lines += [f"! {problem}" for problem in self._list_problems()]
        lines += [f"? {view['asking']}"] if view["asking"] else []
        return "\n".join([*lines, self._status()])

"""Applying changes to users, and the outcomes."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from typing import Any, Literal

from pydantic_core import to_json

from svckit.display.card import quantity, render_table
from svckit.display.progress import Advance, progress_bar
from svckit.edits.changes import Changes, UserEdit, diff_field, format_value
from svckit.edits.comparison import UNIQUE
from svckit.edits.fields import compare_fields
from svckit.errors import Conflict, InvalidInput
from svckit.extras import needing
from svckit.http.messages import Operation, Request
from svckit.models.base import wire_name
from svckit.models.phrases import describe_given
from svckit.models.problems import Problem
from svckit.models.user import User, UserChange
from svckit.operations import checks, users
from svckit.operations.batch import (
    Batch,
    Cancel,
    Job,
    Outcome,
    Outcomes,
)
from svckit.operations.checks import check_flags
from svckit.operations.journals import Entry, Journal, JournalPath

__all__ = ["Applied", "ApplyRun", "OnError"]

OnError = Literal["continue", "stop"]
SHOWN = 10


class Applied(Outcomes[User]):
    """The outcomes of changes by user, in the order of the changes; an outcome's label is the user's ID.

    Attributes:
        changes: the changes to apply.
        skipped: the problems whose fields or users were left out, because of ``skip_problems``.
        dry_run: whether the users were only read, and nothing was changed.
    """

    def __init__(
        self,
        changes: Changes,
        outcomes: list[Outcome[User]],
        *,
        dry_run: bool,
        skipped: Sequence[Problem] = (),
    ) -> None:
        title = "dry run of users.apply" if dry_run else "users.apply"
        left_out = f" ({quantity(len(skipped), 'problem')} skipped)" if skipped else ""
        super().__init__(f"{title}{left_out}", outcomes)
        self.changes = changes
        self.skipped: tuple[Problem, ...] = tuple(skipped)
        self.dry_run = dry_run
        self._done = "would be sent" if dry_run else "done"

    @property
    def remaining(self) -> Changes:
        """The changes that were not made; pass them to ``svc.users.apply`` to continue."""
        if self.dry_run:
            return self.changes
        left = (edit for edit, outcome in zip(self.changes, self, strict=True) if outcome.state != "ok")
        return self.changes.select(left)

    @property
    def inverse(self) -> Changes:
        """The changes that undo those that were made; pass them to ``svc.users.apply``, with ``check=True``.

        Examples:
            >>> import svckit
            >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
            >>> done = svc.users.apply(svc.users.diff({"user_id": "u-002", "nick_name": "Mina"}))
            >>> done.inverse
            Changes: 1 field of 1 user
              user_id  field      before  after
              u-002    nick_name  "Mina"  "Petra"
            >>> svc.users.apply(done.inverse, check=True)
            users.apply: 1 of 1 done
        """
        pairs = [] if self.dry_run else list(zip(self.changes, self, strict=True))
        found = [
            compare_fields(edit.user_id, outcome.value.to_wire(), edit.before)
            for edit, outcome in pairs
            if outcome.value is not None
        ]
        edits = (edit for edit, _ in found if edit is not None)
        return Changes(edits, [problem for _, problems in found for problem in problems])

    def problems_frame(self) -> Any:
        """Return a row per skipped problem, and per user whose change was not made, as ``Changes.problems_frame``.

        Examples:
            >>> import svckit
            >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
            >>> changes = svc.users.diff({"user_id": "u-002", "nick_name": "Mina"})
            >>> fault = svc.fake.faults.status("users.update", 500)
            >>> svc.users.apply(changes).problems_frame()["user_id"].tolist()
            ['u-002']
        """
        left = [Problem(outcome.label, f"{outcome.label}: {_explain(outcome)}") for outcome in self.failed]
        problems = [*self.skipped, *([] if self.dry_run else left)]
        return Changes(self.changes, problems, sheet=self.changes.sheet).problems_frame()

    def frame(self) -> Any:
        """Return a row per user: ``user_id``, ``state`` (ok, failed, not begun), ``status``, ``why``, ``sent``."""
        with needing("frame()"):
            import pandas as pd

        rows = [
            (
                outcome.label,
                outcome.state,
                getattr(outcome.error, "status", None),
                self._record(outcome)["why"],
                _json(edit),
            )
            for edit, outcome in zip(self.changes, self, strict=True)
        ]
        frame = pd.DataFrame(rows, columns=["user_id", "state", "status", "why", "sent"], dtype="object")
        texts = dict.fromkeys(("user_id", "state", "why", "sent"), "string")
        return frame.astype({**texts, "status": "Int64"})

    def _render(self) -> tuple[str, str]:
        html, plain = super()._render()
        if not self.dry_run:
            return html, plain
        good = [edit for edit, outcome in zip(self.changes, self, strict=True) if outcome.state == "ok"]
        rows = [
            ("" if number else edit.user_id, part)
            for edit in good[:SHOWN]
            for number, part in enumerate(_preview(edit))
        ]
        if len(good) > SHOWN:
            rows.append((f"and {len(good) - SHOWN} more", ""))
        if not rows:
            return html, plain
        more_html, more_plain = render_table("What would be sent", ("user", "body"), rows)
        return f"{html}\n{more_html}", f"{plain}\n{more_plain}"


class ApplyRun:
    """A run that applies changes: the jobs, one per user, and their outcomes as a result.

    Raises:
        InvalidInput: the changes have problems, or the argument is not changes, or an option is invalid.
    """

    def __init__(
        self,
        changes: Changes,
        *,
        dry_run: bool = False,
        check: bool = False,
        on_error: OnError = "continue",
        resume: Applied | None = None,
        cancel: Cancel | None = None,
        skip_problems: bool = False,
        journal: JournalPath | None = None,
    ) -> None:
        if not isinstance(changes, Changes):
            raise InvalidInput(
                f"users.apply takes the changes that svc.users.diff gives; given {describe_given(changes)}"
            )
        check_flags("users.apply did not start", dry_run=dry_run, check=check, skip_problems=skip_problems)
        self._skipped = changes.problems if skip_problems else ()
        changes = changes.sendable if skip_problems else changes
        changes.raise_for_problems("users.apply did not start: ")
        _check(changes)
        if journal is not None and dry_run:
            raise InvalidInput("users.apply did not start: a dry run changes nothing, so it takes no journal")
        self._journal = None if journal is None else Journal(journal, "users.apply", keeps_results=True)
        if resume is not None and not isinstance(resume, Applied):
            raise InvalidInput(
                f"resume takes the result of an earlier users.apply; given {describe_given(resume)}"
            )
        if on_error not in ("continue", "stop"):
            raise InvalidInput(f"on_error is 'continue' or 'stop'; given {on_error!r}")
        done = {} if resume is None or resume.dry_run else {outcome.label: outcome for outcome in resume.ok}
        done |= {} if self._journal is None else _read_done(self._journal, changes)
        self._changes, self._is_dry_run, self._done = changes, dry_run, done
        self._stops = on_error == "stop"
        self._digests = {} if journal is None else {edit.user_id: _digest(edit) for edit in changes}
        self._advance: Advance = lambda _: None
        left = [edit for edit in changes if edit.user_id not in done]
        jobs = [_job(edit, check=check, dry_run=dry_run) for edit in left]
        self.batch: Batch[User] = Batch(jobs, cancel=cancel, on_settled=self._take_outcome)

    @contextmanager
    def progress(self, shown: bool | None) -> Iterator[None]:
        """Show a progress bar that advances user by user; see `svckit.display.progress.progress_bar`."""
        check_flags("users.apply did not start", progress=shown)
        with progress_bar("users.apply", len(self.batch), unit="items", shown=shown) as self._advance:
            yield

    def result(self) -> Applied:
        """Return the outcomes so far, even if not all jobs have started."""
        settled = self._done | {outcome.label: outcome for outcome in self.batch.outcomes}
        outcomes = [settled[edit.user_id] for edit in self._changes]
        applied = Applied(self._changes, outcomes, dry_run=self._is_dry_run, skipped=self._skipped)
        if self._journal is not None and not self.batch.was_cut_short:
            self._journal.remove()  # what failed differs when it is compared again
        return applied

    def _take_outcome(self, outcome: Outcome[User]) -> None:
        self._advance(1)
        if outcome.state == "ok" and self._journal is not None:  # which a dry run does not have
            Entry(self._journal, outcome.label).finish(self._digests[outcome.label])
        if self._stops and outcome.error is not None:
            self.batch.stop()


def _explain(outcome: Outcome[User]) -> str:
    return "not sent" if outcome.error is None else str(outcome.error)


def _read_done(journal: Journal, changes: Changes) -> dict[str, Outcome[User]]:
    """Return the outcomes of the users whose changes a journal has as done."""
    done = {name: entry.get("result") for name, entry in journal.entries.items() if entry}
    return {
        edit.user_id: Outcome(edit.user_id) for edit in changes if done.get(edit.user_id) == _digest(edit)
    }


def _digest(edit: UserEdit) -> str:
    return sha256(to_json(edit.body)).hexdigest()


def _check(changes: Changes) -> None:
    """Check changes by the rules of ``svc.users.diff``; they may have been written by hand.

    Raises:
        InvalidInput: a field cannot be changed in this way, or a user occurs twice, by one name or by two.
    """
    problems = [problem for edit in changes for problem in _problems(edit)]
    Changes((), problems).raise_for_problems("users.apply did not start: ")
    names = Counter(edit.user_id for edit in changes)
    twice = [user_id for user_id, count in names.items() if count > 1]
    if twice:
        raise InvalidInput(
            f"users.apply did not start: {', '.join(twice)} would be changed more than once, and in parallel; "
            "give each user once, with all fields"
        )
    kinds = {_kind(user_id): user_id for user_id in names}
    if len(kinds) > 1:
        raise InvalidInput(
            f"users.apply did not start: {' and '.join(kinds.values())} may be two names of one user, who would be "
            f"changed twice in parallel; name all users in the same way, here by {' or '.join(kinds)}"
        )


def _problems(edit: UserEdit) -> list[Problem]:
    user_id, after, before = edit.user_id, edit.after, edit.before
    found = [users.explain_unknown(name) for name in after if name not in users.WRITABLE]
    found += [
        Problem(name, f"{name}: before does not have its value") for name in after if name not in before
    ]
    known = {name: value for name, value in after.items() if name in users.WRITABLE}
    try:
        checks.quote_id("user_id", user_id)
        checks.validate(UserChange, known, operation="users.apply")
    except InvalidInput as wrong:
        found += [Problem(problem.path, problem.message) for problem in wrong.problems] or [
            Problem("user_id", str(wrong))
        ]
    return [Problem(f"{user_id}.{problem.path}", f"{user_id}: {problem.message}") for problem in found]


def _kind(user_id: str) -> str:
    """Return how a user is named (the service's description, section "Directory", shows user IDs only)."""
    if user_id.startswith("externalKey:"):
        return "external key"
    return "login e-mail" if "@" in user_id else "user ID"


def _job(edit: UserEdit, *, check: bool, dry_run: bool) -> Job[User]:
    return Job(edit.user_id, lambda _: _change(edit, check=check, dry_run=dry_run))


def _change(edit: UserEdit, *, check: bool, dry_run: bool) -> Operation[User]:
    """Send one user's change, or only check it as far as possible; its values were checked on creation."""
    if check or dry_run:
        user = yield from users.read(edit.user_id)
        _check_unchanged(edit, user)
        if dry_run:
            return user
    response = yield Request(
        operation="users.apply",
        method="PATCH",
        target=f"/users/{checks.quote_id('user_id', edit.user_id)}",
        json=edit.body,
        # The same fields set twice are set; but a user named by the field that changes may have no such name any more.
        repeatable=_kind(edit.user_id) == "user ID" or edit.after.keys().isdisjoint(UNIQUE),
    )
    return checks.read(User, response)


def _check_unchanged(edit: UserEdit, user: User) -> None:
    """Check that the fields to change still have the values that they were compared with.

    Raises:
        Conflict: somebody has changed one meanwhile.
    """
    left, _ = compare_fields(edit.user_id, user.to_wire(), edit.after)
    for name, now in left.before.items() if left else ():  # the others already have their new values
        if now != edit.before[name]:
            raise Conflict(
                f"users.apply did not change {edit.user_id}: {name} is {format_value(now)} now, and was "
                f"{format_value(edit.before[name])} when it was compared. Compare again with svc.users.diff",
                operation="users.apply",
            )


def _preview(edit: UserEdit) -> list[str]:
    """Return the body that would be sent; if it is too long to show, only the parts that differ."""
    whole = format_value(edit.body)
    if len(_json(edit)) <= len(whole):
        return [whole]
    return [
        f"{path}: {format_value(after)}"
        for name, value in edit.after.items()
        for path, _, after in diff_field(wire_name(name), edit.before[name], value)
    ]


def _json(edit: UserEdit) -> str:
    return to_json(edit.body).decode()

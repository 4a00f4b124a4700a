"""Mutants that no test can catch, or need not, each with the reason."""

EXPLAINED: dict[tuple[str, str, str], str] = {
    ("fakes/parts/files.py", "self._next_turn = 0", "0 → 1"): "The numbers of turns are only compared.",
    ("fakes/faults/injection.py", "__tracebackhide__ = True", "True → False"): "It only shortens tracebacks.",
    (
        "svckit/events/inbox.py",
        "def wait(self, count: int = 1, timeout: float | None = 10) -> tuple[Event, ...]:",
        "10 → 11",
    ): "To tell a wait of 10 seconds from one of 11, a test would have to wait.",
    (
        "fakes/parts/receivers.py",
        'host, slash, path = re.split("[?#]", rest, maxsplit=1)[0].partition("/")',
        "1 → 2",
    ): "Only what is before the first split is taken.",
    (
        "fakes/handlers/admin_records.py",
        'raise Refusal("invalid", "target must be text: the name of an operation, a path, or *")',
        "\"invalid\" → 'invalidx'",
    ): "The admin interface responds with 400 to every kind of refusal that it does not list.",
    (
        "svckit/fakes_plugin.py",
        'for name, fake in fakes_of(chain(getattr(item, "funcargs", {}).items(), variables)):',
        (
            'chain(getattr(item, "funcargs", {}).items(), variables) → '
            "chain(variables, getattr(item, 'funcargs', {}).items())"
        ),
    ): "The arguments of a test are also the first variables of its frame.",
    (
        "svckit/operations/copies.py",
        "file.seek(0)",
        "file.seek(0) → pass",
    ): "The copy that is read again would stand behind the original in the temporary file, and is compared by hash.",
}
"""By file, the line before the change, and the change."""

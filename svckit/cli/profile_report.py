"""The report of `svckit profiles`: each profile, key by key, with sources and missing keys."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, astuple, dataclass
from textwrap import fill
from typing import Any

from svckit.display.terminal import on_one_line
from svckit.models.base import wire_name
from svckit.profiles.keyring_store import KeyringStore
from svckit.profiles.profiles import Profile
from svckit.profiles.readiness import ReadinessStep, check_readiness
from svckit.profiles.resolution import FAKE, Configuration
from svckit.profiles.secret_sources import SecretSources
from svckit.sign_in.account import choose
from svckit.sign_in.prompt import ask

__all__ = ["ProfileReport", "ReportRow", "report_profiles"]

HIDDEN = "***"
ABSENT = "none"
LONG, NARROW = 120, 60
"""A source longer than this is wrapped, to lines of so many characters."""


@dataclass(frozen=True, slots=True)
class ReportRow:
    """One key of a profile, or one secret, whose value is never shown.

    Attributes:
        key: the name.
        value: the value; for a secret ``***``, or ``none`` if it was not found.
        source: the source of the value, or where to set it.
    """

    key: str
    value: str
    source: str


@dataclass(frozen=True, slots=True)
class ProfileReport:
    """The report on one profile.

    Attributes:
        name: the name of the profile.
        chosen: whether it is used when no profile is named.
        is_fake: whether the service is a fake.
        rows: the keys, then the secrets.
        problems: the reasons why it cannot be used; for the in-process fake, settings that have no effect.
        webhook_problems: the reasons why webhook URLs cannot be used.
        steps: what makes it ready for the real service, and what is missing.
    """

    name: str
    chosen: bool
    is_fake: bool
    rows: tuple[ReportRow, ...] = ()
    problems: tuple[str, ...] = ()
    webhook_problems: tuple[str, ...] = ()
    steps: tuple[ReadinessStep, ...] = ()

    @property
    def is_usable(self) -> bool:
        """True if a session can be opened, which is always so for the in-process fake."""
        return self.name == FAKE or not self.problems

    def to_json(self) -> dict[str, Any]:
        """Return the report as JSON data."""
        return {wire_name(name): value for name, value in asdict(self).items()} | {"usable": self.is_usable}

    def __str__(self) -> str:
        marks = ["FAKE" if self.is_fake else "REAL", *(["chosen"] if self.chosen else [])]
        heading = f"{self.name} [{', '.join(marks)}]{'' if self.is_usable else ' cannot be used'}"
        cells = [[*map(on_one_line, astuple(row))] for row in self.rows]
        widths = [max((len(row[column]) for row in cells), default=0) for column in range(2)]
        rows = [
            wrap_line(f"  {key:<{widths[0]}}  {value:<{widths[1]}}  {source}", sum(widths) + 6)
            for key, value, source in cells
        ]
        problems = [f"  problem: {on_one_line(text)}" for text in (*self.problems, *self.webhook_problems)]
        steps = [
            wrap_line(f"  {'done' if step.done else 'to do':<5}  {on_one_line(str(step))}", 9)
            for step in self.steps
        ]
        title = ["  steps to the real service:"] if steps else []
        return "\n".join([heading, *rows, *title, *steps, *problems])


def wrap_line(line: str, column: int) -> str:
    """Wrap the last column of a line if it is a long sentence."""
    if len(line) - column <= LONG:
        return line.rstrip()
    return fill(
        line,
        width=column + NARROW,
        subsequent_indent=" " * column,
        break_long_words=False,
        break_on_hyphens=False,  # such as in commands to copy
    )


def report_profiles(
    configuration: Configuration, names: Iterable[str] | None = None
) -> Iterator[ProfileReport]:
    """Report on profiles.

    Args:
        configuration: the described profiles.
        names: the names of the profiles; if omitted, all of them and the chosen one.

    Raises:
        UnusableProfile: a name is not that of a profile.
    """
    if names is None:
        names = dict.fromkeys([FAKE, *configuration.names, configuration.chosen])
    store = KeyringStore()
    for name in names:
        chosen = name == configuration.chosen
        if name == FAKE:
            row = ReportRow("service", "in process", "created by svckit; needs no credentials and no network")
            problems = tuple(configuration.list_fake_problems())
            yield ProfileReport(FAKE, chosen, is_fake=True, rows=(row,), problems=problems)
        else:
            yield _report_profile(configuration, name, chosen, store)


def _report_profile(
    configuration: Configuration, name: str, chosen: bool, store: KeyringStore
) -> ProfileReport:
    configuration.check_known(name)
    entries = configuration.entries(name)
    rows = [ReportRow(key, _format_value(entry.value), entry.source) for key, entry in entries.items()]
    problems = configuration.problems(name, missing="webhook_url" not in entries)
    webhook_problems: list[str] = []
    if not problems:
        profile = configuration.profile(name)
        if profile.is_fake and "login_id" not in entries:
            rows.append(ReportRow("login_id", ABSENT, configuration.environment.variable(name, "login_id")))
        sources = SecretSources(profile, configuration.environment_of(name), store, ask)
        rows += _report_secrets(profile, sources)
        webhook_problems = [wrong for hook in profile.webhooks if (wrong := sources.check_webhook(hook))]
        rows.append(_report_way(profile))
    is_fake = "fake" in entries and entries["fake"].value is True
    steps = tuple(check_readiness(name, configuration, store))
    return ProfileReport(
        name,
        chosen,
        is_fake=is_fake,
        rows=tuple(rows),
        problems=tuple(problems),
        webhook_problems=tuple(webhook_problems),
        steps=steps,
    )


def _report_secrets(profile: Profile, sources: SecretSources) -> Iterator[ReportRow]:
    names = [] if profile.missing else ["client_secret", "password", "bot_secret"]
    wanted = {name: name for name in names if name != "password" or profile.is_fake}
    wanted |= {f"webhook_{name}": f"webhook {name}" for name in profile.webhooks}
    for name, label in wanted.items():
        source = sources.find_origin(name)
        prompt = "" if name in ("password", "bot_secret") else "; or svckit asks for it"
        unused = sources.explain_unused(name)
        advice = f"{sources.describe_places(name)}{prompt}{f'; {unused}' if unused else ''}"
        yield ReportRow(label, HIDDEN if source else ABSENT, source or advice)


def _report_way(profile: Profile) -> ReportRow:
    if profile.missing:
        advice = f"{', '.join(profile.missing)} missing; it can post notifications only"
        return ReportRow("sign-in", ABSENT, advice)
    return ReportRow("sign-in", choose(profile), "what works here")


def _format_value(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(value)
    return str(value).lower() if isinstance(value, bool) else str(value)

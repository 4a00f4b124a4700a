"""The e-mail addresses of a user: what may be wrong with them, and which of them is the external chat-link ID."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from fakes import rulebook
from fakes.parts.settings import DomainSettings
from fakes.rulebook.rules import Rules
from svckit.models.problems import Problem

__all__ = ["EmailChange", "choose_by_case", "email_problems", "has_address_form"]

ALIAS_LIMIT = 10


def choose_by_case(rules: Rules, *, ignored: bool, distinct: bool) -> bool:
    """Return one of two outcomes, by what is assumed of addresses that differ in capitals only.

    Args:
        rules: what is chosen; where both outcomes are the same, nothing rests on it.
        ignored: the outcome where they are the same address.
        distinct: the outcome where they are two.
    """
    if ignored != distinct and rules.choice(rulebook.directory.EMAIL_CASE) == "distinct":
        return distinct
    return ignored


def email_problems(sent: Mapping[str, Any], rules: Rules) -> list[Problem]:
    """What is wrong with the addresses in a change, by what is assumed of them.

    Examples:
        >>> rules = Rules({"user.email-form": "address"})
        >>> [str(problem) for problem in email_problems({"email": "mina", "aliasEmails": ["a@b.test"]}, rules)]
        ["email is no e-mail address; given 'mina'"]
    """
    problems = []
    odd = [(path, given) for path, given in _list_addresses(sent) if not has_address_form(given)]
    if odd and rules.choice(rulebook.directory.EMAIL_FORM) == "address":
        problems += [
            Problem(path, f"{path} is no e-mail address; given {given!r}", given) for path, given in odd
        ]
    aliases = sent.get("aliasEmails", [])
    folded = _find_duplicates(map(str.lower, aliases)) if len(aliases) > 1 else []
    exactly = _find_duplicates(aliases) if folded else []
    distinct = rules.look_up(rulebook.directory.EMAIL_CASE) == "distinct"
    if (exactly if distinct else folded) and rules.choice(rulebook.directory.ALIAS_DUPLICATE) == "refused":
        choose_by_case(rules, ignored=True, distinct=bool(exactly))
        twice = ", ".join(exactly if distinct else folded)
        problems.append(Problem("aliasEmails", f"aliasEmails has more than once {twice}"))
    return problems


def has_address_form(text: str) -> bool:
    """Return whether there is something before and after a single @, without spaces; quick however long it is."""
    local, _, domain = text.partition("@")
    return bool(local and domain) and "@" not in domain and text.split(None, 1) == [text]


def _find_duplicates(texts: Iterable[str]) -> list[str]:
    """Return the texts that are there more than once, in order."""
    return sorted(text for text, times in Counter(texts).items() if times > 1)


def _list_addresses(sent: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Each address with its path."""
    for name in ("email", "privateEmail"):
        if sent.get(name) is not None:
            yield name, sent[name]
    for at, alias in enumerate(sent.get("aliasEmails", ())):
        yield f"aliasEmails[{at}]", alias
    for at, organization in enumerate(sent.get("organizations", ())):
        if "email" in organization:
            yield f"organizations[{at}].email", organization["email"]


class EmailChange:
    """What an update does to the addresses of one user.

    Args:
        record: the user as it is.
        sent: the fields to be written.
        link_id: the sub e-mail address that is the external chat-link ID; None where the login e-mail is.
        settings: those of the domain.
        rules: what is chosen.
    """

    def __init__(
        self,
        record: Mapping[str, Any],
        sent: dict[str, Any],
        link_id: str | None,
        settings: DomainSettings,
        rules: Rules,
    ) -> None:
        self._sent = sent
        self._link_id = link_id
        self._settings = settings
        self._rules = rules
        self._old: str = record["email"]
        self._new: str = sent.get("email", self._old)
        self._aliases: list[str] = sent.get("aliasEmails", record["aliasEmails"])

    def problems(self) -> Iterator[Problem]:
        """Yield what is wrong with the addresses."""
        yield from email_problems(self._sent, self._rules)
        link_id = self._next_link_id()
        if self._link_id is not None and "aliasEmails" in self._sent and self._settings.advanced_plan:
            self._rules.follow(rulebook.directory.ADVANCED_ALIAS)
            if self._loses(link_id):
                yield Problem(
                    "aliasEmails",
                    f"aliasEmails must keep {link_id}, which is the user's external chat-link ID",
                )
        if self._adds_alias() and len(self._aliases) >= ALIAS_LIMIT:
            message = (
                f"email {self._new!r} contains a forbidden word, so {self._old} would become a sub e-mail address, "
                f"and the user has {ALIAS_LIMIT} of them, which is the most"
            )
            yield Problem("email", message, self._new)

    def follow(self) -> tuple[list[str] | None, str | None]:
        """Return the sub e-mail addresses, where the old e-mail becomes one of them, and the link ID after the change.

        None stands for addresses that stay as they are, and for a link ID that is the login e-mail.
        """
        link_id = self._next_link_id()
        if self._new != self._old:
            self._rules.follow(rulebook.directory.LINK_ID)
        if self._is_forbidden():
            self._rules.follow(rulebook.directory.FORBIDDEN_WORD)
        aliases = [*self._aliases, self._old] if self._adds_alias() else None
        if self._loses(link_id) and self._rules.choice(rulebook.directory.LINK_ID_REMOVED) == "email":
            link_id = None
        return aliases, link_id

    def _next_link_id(self) -> str | None:
        """The link ID as a change of the e-mail leaves it."""
        if self._new == self._old:
            return self._link_id
        follows = self._old if self._is_forbidden() else None
        if self._link_id is None or self._link_id == (follows or self._new):
            return follows
        kept = self._rules.choice(rulebook.directory.LINK_ID_KEPT) == "kept"
        return self._link_id if kept else follows

    def _is_forbidden(self) -> bool:
        """Whether the e-mail changes to one with a forbidden word."""
        old, new, words = self._old, self._new, self._settings.forbidden_email_words
        if new == old or not words:
            return False
        folded = any(word.lower() in new.lower() for word in words)
        return choose_by_case(
            self._rules,
            ignored=folded and new.lower() != old.lower(),
            distinct=any(word in new for word in words),
        )

    def _adds_alias(self) -> bool:
        """Whether the old e-mail has to become a sub e-mail address, and is not one yet."""
        return self._is_forbidden() and not self._is_among(self._old, self._aliases)

    def _loses(self, link_id: str | None) -> bool:
        """Whether the update takes a link ID out of the user's addresses."""
        if link_id is None or "aliasEmails" not in self._sent or self._link_id is None:
            return False
        return not self._is_among(link_id, [*self._sent["aliasEmails"], self._new, self._old])

    def _is_among(self, address: str, addresses: Iterable[str]) -> bool:
        listed = list(addresses)
        folded = address.lower() in [each.lower() for each in listed]
        return choose_by_case(self._rules, ignored=folded, distinct=address in listed)

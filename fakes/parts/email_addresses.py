"""The e-mail addresses of a user: their problems, and which of them is the external chat-link ID."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from fakes import rulebook
from fakes.parts.settings import DomainSettings
from fakes.rulebook.rules import Rules
from svckit.models.problems import Problem
from svckit.models.spelling import with_meant

__all__ = ["EmailChange", "choose_by_case", "find_email_problems", "has_address_form"]

ALIAS_LIMIT = 10
ADDRESS = r"[^@\s]+@[^@\s]+\Z"


def choose_by_case(rules: Rules, *, ignored: bool, distinct: bool) -> bool:
    """Return one of two outcomes, by the assumption about addresses that differ in case only.

    Args:
        rules: the chosen alternatives; if both outcomes are the same, nothing rests on them.
        ignored: the outcome if they are the same address.
        distinct: the outcome if they are two addresses.
    """
    if ignored != distinct and rules.apply(rulebook.directory.EMAIL_CASE) == "distinct":
        return distinct
    return ignored


def find_email_problems(sent: Mapping[str, Any], rules: Rules) -> list[Problem]:
    """Return the problems of the addresses in a change, by the assumptions about them.

    Examples:
        >>> rules = Rules({"user.email-form": "address"})
        >>> [str(problem) for problem in find_email_problems({"email": "mina", "aliasEmails": ["a@b.test"]}, rules)]
        ["email is not an e-mail address; given 'mina'"]
        >>> print(*find_email_problems({"email": " hana@example.com"}, rules))
        email is not an e-mail address; given ' hana@example.com'; did you mean hana@example.com?
    """
    problems = []
    malformed = [(path, given) for path, given in _list_addresses(sent) if not has_address_form(given)]
    if malformed and rules.apply(rulebook.directory.EMAIL_FORM) == "address":
        problems += [
            Problem(
                path, f"{path} is not an e-mail address; given {given!r}{with_meant(given, ADDRESS)}", given
            )
            for path, given in malformed
        ]
    aliases = sent.get("aliasEmails", [])
    folded = _find_duplicates(map(str.lower, aliases)) if len(aliases) > 1 else []
    exactly = _find_duplicates(aliases) if folded else []
    distinct = rules.look_up(rulebook.directory.EMAIL_CASE) == "distinct"
    if (exactly if distinct else folded) and rules.apply(rulebook.directory.ALIAS_DUPLICATE) == "refused":
        choose_by_case(rules, ignored=True, distinct=bool(exactly))
        duplicates = ", ".join(exactly if distinct else folded)
        problems.append(Problem("aliasEmails", f"aliasEmails has duplicates: {duplicates}"))
    return problems


def has_address_form(text: str) -> bool:
    """Return whether a text has the form of an e-mail address: one @ with text on both sides, no spaces."""
    local, _, domain = text.partition("@")
    return bool(local and domain) and "@" not in domain and text.split(None, 1) == [text]


def _find_duplicates(texts: Iterable[str]) -> list[str]:
    """Return the texts that occur more than once, sorted."""
    return sorted(text for text, times in Counter(texts).items() if times > 1)


def _list_addresses(sent: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield each address with its path."""
    for name in ("email", "privateEmail"):
        if sent.get(name) is not None:
            yield name, sent[name]
    for at, alias in enumerate(sent.get("aliasEmails", ())):
        yield f"aliasEmails[{at}]", alias
    for at, organization in enumerate(sent.get("organizations", ())):
        if "email" in organization:
            yield f"organizations[{at}].email", organization["email"]


class EmailChange:
    """The effect of an update on the addresses of one user.

    Args:
        record: the user as it is.
        sent: the fields to write.
        link_id: the sub e-mail address that is the external chat-link ID; None if it is the login e-mail.
        settings: the settings of the domain.
        rules: the chosen alternatives.
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

    def find_problems(self) -> Iterator[Problem]:
        """Yield the problems of the addresses."""
        yield from find_email_problems(self._sent, self._rules)
        link_id = self._find_next_link_id()
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
                f"and the user already has the most allowed, {ALIAS_LIMIT}"
            )
            yield Problem("email", message, self._new)

    def follow(self) -> tuple[list[str] | None, str | None]:
        """Return the sub e-mail addresses and the link ID after the change.

        None stands for unchanged addresses, and for a link ID that is the login e-mail.
        """
        link_id = self._find_next_link_id()
        if self._new != self._old:
            self._rules.follow(rulebook.directory.LINK_ID)
        if self._is_forbidden():
            self._rules.follow(rulebook.directory.FORBIDDEN_WORD)
        aliases = [*self._aliases, self._old] if self._adds_alias() else None
        if self._loses(link_id) and self._rules.apply(rulebook.directory.LINK_ID_REMOVED) == "email":
            link_id = None
        return aliases, link_id

    def _find_next_link_id(self) -> str | None:
        """Return the link ID after a change of the e-mail."""
        if self._new == self._old:
            return self._link_id
        follows = self._old if self._is_forbidden() else None
        if self._link_id is None or self._link_id == (follows or self._new):
            return follows
        kept = self._rules.apply(rulebook.directory.LINK_ID_KEPT) == "kept"
        return self._link_id if kept else follows

    def _is_forbidden(self) -> bool:
        """Return whether the e-mail changes to one with a forbidden word."""
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
        """Return whether the old e-mail must be added to the sub e-mail addresses."""
        return self._is_forbidden() and not self._is_among(self._old, self._aliases)

    def _loses(self, link_id: str | None) -> bool:
        """Return whether the update removes the link ID from the user's addresses."""
        if link_id is None or "aliasEmails" not in self._sent or self._link_id is None:
            return False
        return not self._is_among(link_id, [*self._sent["aliasEmails"], self._new, self._old])

    def _is_among(self, address: str, addresses: Iterable[str]) -> bool:
        listed = list(addresses)
        folded = address.lower() in [other.lower() for other in listed]
        return choose_by_case(self._rules, ignored=folded, distinct=address in listed)

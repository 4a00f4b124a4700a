"""What may be wrong with the e-mail addresses of a user, of whose form nothing is shown."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from fakes import rulebook
from fakes.rules import Rules
from svckit.models.problems import Problem

__all__ = ["email_problems"]

ADDRESS = re.compile(r"[^@\s]+@[^@\s]+")


def email_problems(sent: Mapping[str, Any], rules: Rules) -> list[Problem]:
    """What is wrong with the addresses in a change, by what is assumed of them.

    Examples:
        >>> rules = Rules({"user.email-form": "address"})
        >>> [str(problem) for problem in email_problems({"email": "mina", "aliasEmails": ["a@b.test"]}, rules)]
        ["email is no e-mail address; given 'mina'"]
    """
    problems = []
    odd = [(path, given) for path, given in _addresses(sent) if not ADDRESS.fullmatch(given)]
    if odd and rules.choice(rulebook.directory.EMAIL_FORM) == "address":
        problems += [
            Problem(path, f"{path} is no e-mail address; given {given!r}", given) for path, given in odd
        ]
    aliases = [alias.lower() for alias in sent.get("aliasEmails", ())]
    twice = sorted({alias for alias in aliases if aliases.count(alias) > 1})
    if twice and rules.choice(rulebook.directory.ALIAS_DUPLICATE) == "refused":
        problems.append(Problem("aliasEmails", f"aliasEmails has more than once {', '.join(twice)}"))
    return problems


def _addresses(sent: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Each address with its path."""
    for name in ("email", "privateEmail"):
        if sent.get(name) is not None:
            yield name, sent[name]
    for at, alias in enumerate(sent.get("aliasEmails", ())):
        yield f"aliasEmails[{at}]", alias
    for at, organization in enumerate(sent.get("organizations", ())):
        if "email" in organization:
            yield f"organizations[{at}].email", organization["email"]

"""Lesson 00: mention somebody who works in an org unit."""

from typing import Any

from svckit.models import UserOrganization, mention
from svckit.session.session import Session

__all__ = ["SOLUTIONS"]


def known(svc: Session) -> list[Any]:
    return list(svc.users.list_known())


def find_unit(user: Any) -> str:
    name: str = user.organizations[0].org_units[0].org_unit_name
    return name


def is_in(organization: UserOrganization, unit: str) -> bool:
    return any(each.org_unit_name == unit for each in organization.org_units or [])


def solution_returns(svc: Session, unit: str) -> None:
    """Stop at the first person who works there."""
    for user in known(svc):
        if find_unit(user) == unit:
            svc.notify(f"{mention(user.user_id)} Who has the figures for May?")
            return


def solution_reads(svc: Session, unit: str) -> None:
    """Read each person, collect who works there, and write the markup by hand."""
    read = [svc.users.read(user.user_id) for user in known(svc)]
    staff = [user for user in read for o in user.organizations or [] if is_in(o, unit)]
    svc.notify(f'Hello <m userId="{staff[-1].user_id}">, please call me.', title="Question")


SOLUTIONS = (solution_returns, solution_reads)

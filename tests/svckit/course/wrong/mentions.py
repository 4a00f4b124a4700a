"""Lesson 00: what learners write, by the sentence that each of them gets."""

from collections.abc import Callable
from typing import Any

from svckit.models import mention
from svckit.session.session import Session


def known(svc: Session) -> list[Any]:
    return list(svc.users.list_known())


def find_unit(user: Any) -> str:
    name: str = user.organizations[0].org_units[0].org_unit_name
    return name


def make(write: Callable[[Any], str]) -> Callable[[Session, str], None]:
    """Return a `mention_somebody` that differs from a solution in how it writes who is meant."""

    def mention_somebody(svc: Session, unit: str) -> None:
        user = next(user for user in known(svc) if find_unit(user) == unit)
        svc.notify(f"{write(user)} Who has the figures for May?")

    return mention_somebody


misspells_markup = make(lambda user: f"<m userid='{user.user_id}'>")


leaves_quotes_out = make(lambda user: f"<m userId={user.user_id}>")


writes_at = make(lambda user: f"@{user.user_id}")


writes_name = make(lambda user: f"{user.user_name.first_name},")


mentions_name = make(lambda user: mention(str(user.user_name.first_name)))


mentions_address = make(lambda user: mention(str(user.email)))


def changes(svc: Session, unit: str) -> None:
    for user in known(svc):
        if find_unit(svc.users.update(user.user_id, task="?")) == unit:
            svc.notify(mention(user.user_id))
            return


def stops_before(svc: Session, unit: str) -> None:
    for each in known(svc):
        if find_unit(svc.users.read(each.user_id)) == unit:
            mention(each.user_id)


def never_fits(svc: Session, unit: str) -> None:
    for each in known(svc):
        user = svc.users.read(each.user_id)
        if str(user.organizations) == unit:
            svc.notify(mention(each.user_id))


def repeats(svc: Session, unit: str) -> None:
    for user in known(svc):
        if find_unit(user) == unit:
            svc.notify(f"{mention(user.user_id)} Who has the figures for May?")


def repeats_for_everybody(svc: Session, unit: str) -> None:
    for user in known(svc):
        svc.notify(f"{mention(user.user_id)} Do you work in {unit}?")


def mentions_everybody(svc: Session, unit: str) -> None:
    everybody = " ".join(mention(user.user_id) for user in known(svc))
    svc.notify(f"{everybody} Who of you works in {unit}?")


def mentions_unit(svc: Session, unit: str) -> None:
    staff = [user for user in known(svc) if find_unit(user) == unit]
    svc.notify(" ".join(mention(user.user_id) for user in staff))


def mentions_in_title(svc: Session, unit: str) -> None:
    user = next(user for user in known(svc) if find_unit(user) == unit)
    svc.notify("Who has the figures for May?", title=mention(user.user_id))


def mentions_unit_name(svc: Session, unit: str) -> None:
    svc.notify(f"{mention(unit)} Who has the figures for May?")


def mentions_fixed(svc: Session, unit: str) -> None:
    svc.notify(f"{mention('u-011')} Who has the figures for May?")


def ignores_unit(svc: Session, unit: str) -> None:
    user = next(user for user in known(svc) if find_unit(user) == "Finance")
    svc.notify(f"{mention(user.user_id)} Who has the figures for May?")


def mentions_first(svc: Session, unit: str) -> None:
    svc.notify(f"{mention(known(svc)[0].user_id)} Who has the figures for May?")


WRONG = {
    "changing": (changes,),
    "not posted": (stops_before, never_fits),
    "several messages": (repeats, repeats_for_everybody),
    "everybody": (mentions_everybody, mentions_unit),
    "in the title": (mentions_in_title,),
    "markup": (misspells_markup, leaves_quotes_out, writes_at),
    "no markup": (writes_name,),
    "name": (mentions_name, mentions_address, mentions_unit_name),
    "another unit": (mentions_fixed, ignores_unit, mentions_first),
}

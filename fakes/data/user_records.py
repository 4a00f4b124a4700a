"""Users of your own: their records are checked against the model and the limits, and completed."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

from pydantic import ValidationError

from fakes.data.population import Population
from fakes.data.read_only_names import fill_names
from fakes.data.sample_values import DOMAIN_ID
from fakes.http.json_text import find_unknown_fields, has_half_character
from svckit.display.suggestions import did_you_mean
from svckit.models.custom_properties import PropertyDefinition, property_problems
from svckit.models.lifecycle import NEW_MESSENGER, OLD_MESSENGER
from svckit.models.long_arrays import ENOUGH
from svckit.models.phrases import describe_given
from svckit.models.problems import HALF_CHARACTER, Problem, list_problems, shorten
from svckit.models.user import User

__all__ = ["GivenUser", "check_user", "check_users"]

Record = dict[str, Any]
LOCALE = {"locale": "ja_JP", "timeZone": "Asia/Tokyo"}
"""The values of fields that have no default in the description and cannot be null."""
INSTEAD = {"name": "userName", "phone": "telephone", "mobile": "cellPhone"}
"""What people write, and the field that they mean, where another name is more alike."""
USER_NAME = dict.fromkeys(("lastName", "firstName", "phoneticLastName", "phoneticFirstName"))


class GivenUser(NamedTuple):
    """A record as it was given, and where: ``line 7``, or ``users[5]``."""

    where: str
    record: object


@cache
def list_defaults() -> Mapping[str, Any]:
    """Return the values of the fields that a record leaves out: null, false or empty, if the service allows that."""
    defaults: Record = {}
    for name, value in Population(1).record(1).items():
        match value:
            case bool():
                defaults[name] = False
            case list() | dict():
                defaults[name] = type(value)()
            case _:
                defaults[name] = None
    leave = {"startTime": None, "endTime": None, "isLeaveOfAbsence": False}
    return defaults | LOCALE | {"searchable": True, "leaveOfAbsence": leave, "userName": USER_NAME}


def check_user(
    given: object, definitions: Iterable[PropertyDefinition] = ()
) -> tuple[Record | None, list[Problem]]:
    """Return a record with all fields, and its problems; None if it has any.

    A record needs ``email`` and ``userName``, which the service's description requires in responses. ``domainId`` may
    be left out, and so may be all other fields.

    Args:
        given: the record, with wire names.
        definitions: the custom properties that the domain defines; without any, all are allowed.

    Examples:
        >>> record, _ = check_user({"email": "mina@example.com", "userName": {"lastName": "Sato"}, "isPending": True})
        >>> record["userName"]["firstName"], record["isPending"], record["isDeleted"], record["aliasEmails"]
        (None, True, False, [])
        >>> [str(problem) for problem in check_user({"email": "mina@example.com", "nickname": "Mina"})[1]]
        ['nickname is not a field of a user; did you mean nickName?', 'userName is required']
    """
    if not isinstance(given, Mapping):
        return None, [Problem("", f"must be an object; given {describe_given(given)}")]
    names = User.wire_names()
    problems = [
        Problem(path, f"{path} is not a field of a user{did_you_mean(INSTEAD.get(path, path), names)}")
        for path in map(shorten, islice((str(name) for name in given if name not in names), ENOUGH))
    ]
    known = {"domainId": DOMAIN_ID} | {name: value for name, value in given.items() if name in names}
    if isinstance(known.get("organizations"), list | tuple):
        known["organizations"] = [
            {"domainId": DOMAIN_ID} | unit if isinstance(unit, dict) else unit
            for unit in known["organizations"]
        ]
    try:
        sent = User.from_wire(known).to_wire()
    except ValidationError as invalid:
        return None, [*problems, *list_problems(invalid)]
    nested = islice(find_unknown_fields(known, sent), ENOUGH)
    problems += [Problem(path, f"{path} is not a field of a user") for path in nested]
    if sent["domainId"] != DOMAIN_ID:
        problems.append(Problem("domainId", f"domainId must be {DOMAIN_ID}; given {sent['domainId']}"))
    if sent.get("userId") == "":
        problems.append(
            Problem("userId", "userId must have a length of at least 1; leave it out to have one")
        )
    if has_half_character(sent):
        problems.append(Problem("", f"has {HALF_CHARACTER} in a text, which cannot be sent"))
    definitions = list(definitions)
    if definitions:
        problems += property_problems(sent.get("customProperties", {}), definitions)
    return (None, problems) if problems else (complete(sent), [])


def complete(sent: Record) -> Record:
    """Return a valid record with all fields, in the order in which the service has them."""
    fill_names(sent)
    defaults = list_defaults()
    record = {**defaults, **sent}
    for name in ("userName", "leaveOfAbsence"):
        record[name] = {**defaults[name], **record[name]}
    if record["messenger"]:
        protocol = record["messenger"]["protocol"]
        now = NEW_MESSENGER if protocol == OLD_MESSENGER else protocol
        record["messenger"] = record["messenger"] | {"protocol": now}
    return record


def check_users(
    given: Iterable[GivenUser], definitions: Iterable[PropertyDefinition] = ()
) -> tuple[list[tuple[str, Record]], list[str]]:
    """Return complete records, each with where it was given, and all problems, each with where it is.

    No two users may have the same ID, e-mail address in any case, or external key. Users without an ID get
    ``user-001``, ``user-002`` and so on, by their position. Custom properties are checked if any are defined.

    Examples:
        >>> mina = {"email": "mina@example.com", "userName": {}}
        >>> [record["userId"] for _, record in check_users([GivenUser("users[0]", mina)])[0]]
        ['user-001']
        >>> check_users([GivenUser("line 2", mina), GivenUser("line 3", mina)])[1]
        ["line 3: email 'mina@example.com' is also that of line 2"]
    """
    records, problems = [], []
    seen: dict[tuple[str, str], str] = {}
    for position, (where, row) in enumerate(given, 1):
        record, found = check_user(row, definitions)
        problems += [f"{where}: {problem}" for problem in found]
        for name, value in _list_keys(row):
            folded = value.lower() if name == "email" else value
            if (first := seen.setdefault((name, folded), where)) != where:
                problems.append(f"{where}: {name} {shorten(value)!r} is also that of {first}")
        if record is not None:
            records.append((where, record, position))
    taken = Counter(record["userId"] for _, record, _ in records)
    for _, record, position in records:
        if record["userId"] is None:
            record["userId"] = choose_id(position, taken)
    return [(where, record) for where, record, _ in records], problems


def _list_keys(row: object) -> Iterator[tuple[str, str]]:
    """Yield the values of a record, valid or not, that no two users share."""
    for name in ("userId", "email", "userExternalKey"):
        value = row.get(name) if isinstance(row, Mapping) else None
        if isinstance(value, str) and value:
            yield name, value


def choose_id(position: int, taken: Counter[str]) -> str:
    """Return an ID for a user by position, that no other user has."""
    user_id = f"user-{position:03d}"
    while user_id in taken:
        user_id += "-2"
    taken[user_id] += 1
    return user_id

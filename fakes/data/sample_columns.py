"""The sample users by columns: what `Population.record` draws for each of them, drawn for thousands at once.

Each user has a random generator of their own, seeded with text, as `random.Random` does it: a Mersenne Twister, whose
state is mixed from the text and its SHA-512. Here each step of the mixing is made for all users at once, with numpy.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha512
from itertools import groupby
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from pydantic_core import to_json

from fakes.data.population import (
    ALL_IN_FEW_STATES,
    FIRST_NAMES,
    LAST_NAMES,
    LEAVE_STARTS,
    LEVELS,
    LOCALES,
    MAIL_DOMAIN,
    MOST_USERS,
    ORG_UNITS,
    POSITIONS,
    REASONS,
    STATES,
    TASKS,
    WORKPLACES,
    Population,
    list_native_names,
)

__all__ = ["draw_columns"]

Values = tuple[Sequence[Any], Any]
"""Different values, and for each user the index of theirs."""
Parts = tuple[Values | str, ...]
"""A column: its values, or the texts that are joined to each of them."""
Words = npt.NDArray[np.uint32]

SIZE, SHIFT = 624, 397
"""The words of a generator's state, and the distance of those that make a number."""
POST = "organizations[primary]"
UNIT = f"{POST}.orgUnits[primary]"
MARK = "\0"
MARKED = re.compile(r'"?\\u0000"?')
DIGITS, UNITS = "0123456789", [f"{number:03d}" for number in range(1000)]
MOST_THOUSANDS = MOST_USERS // 1000 + 1
DRAWN = 96
"""Many more numbers than are drawn for any user, of whom most need 28."""


def _first_state() -> list[Words]:
    """Return the state of the generator before a seed is mixed into it."""
    state = [19650218]
    for place in range(1, SIZE):
        state.append((1812433253 * (state[-1] ^ (state[-1] >> 30)) + place) & 0xFFFFFFFF)
    return [*np.array(state, np.uint32).reshape(SIZE, 1)]


FIRST_STATE = _first_state()
PLACES = [*np.arange(SIZE, dtype=np.uint32).reshape(SIZE, 1)]
TOP, ONE, MIXING, MIXING_AGAIN = (np.array(each, np.uint32) for each in (30, 1, 1664525, 1566083941))


def _make_keys(seeds: Sequence[bytes]) -> Words:
    """Return the words of seeds of the same length, one column for each."""
    text = b"".join([seed + sha512(seed).digest() for seed in seeds])
    octets = np.frombuffer(text, np.uint8).reshape(len(seeds), -1)
    keys = np.zeros((len(seeds), -(-octets.shape[1] // 4) * 4), np.uint8)
    keys[:, : octets.shape[1]] = octets[:, ::-1]  # the last word comes first
    return keys.view("<u4").T.astype(np.uint32, order="C")


def _seed_states(keys: Words) -> Words:
    """Return the states of generators with these seeds, one column for each."""
    width, count = keys.shape
    keys += np.arange(width, dtype=np.uint32)[:, None]
    states = np.empty((SIZE, count), np.uint32)
    states[0] = FIRST_STATE[0]
    rows: list[Any] = [*states]
    row = np.empty(count, np.uint32)

    def mix(before: Any, now: Any, place: int, factor: Any) -> Any:
        # With arrays as arguments; numpy takes longer for a Python number than for the row.
        np.right_shift(before, TOP, row)
        np.bitwise_xor(row, before, row)
        np.multiply(row, factor, row)
        np.bitwise_xor(row, now, rows[place])
        return rows[place]

    for place in range(1, SIZE):
        np.add(
            mix(rows[place - 1], FIRST_STATE[place], place, MIXING), keys[(place - 1) % width], rows[place]
        )
    np.add(mix(rows[-1], rows[1], 1, MIXING), keys[(SIZE - 1) % width], rows[1])
    for place in (*range(2, SIZE), 1):
        np.subtract(mix(rows[place - 1 or -1], rows[place], place, MIXING_AGAIN), PLACES[place], rows[place])
    states[0] = 0x80000000
    return states


def _generate(states: Words) -> Any:
    """Return the first numbers of generators, of 32 bits, one column for each."""
    pair = (states[:DRAWN] & 0x80000000) | (states[1 : DRAWN + 1] & 0x7FFFFFFF)
    drawn: Any = states[SHIFT : SHIFT + DRAWN] ^ (pair >> 1) ^ ((pair & ONE) * np.uint32(0x9908B0DF))
    drawn ^= drawn >> 11
    drawn ^= (drawn << 7) & 0x9D2C5680
    drawn ^= (drawn << 15) & 0xEFC60000
    drawn ^= drawn >> 18
    return drawn


class Chances:
    """The random generators of many users, which draw in turn as `random.Random` does.

    Args:
        seed: the seed of the sample.
        numbers: the users.

    Examples:
        >>> from random import Random
        >>> chances = Chances(0, [98, 99, 100])
        >>> chances.below(18).tolist(), [Random(f"0:{number}").randrange(18) for number in (98, 99, 100)]
        ([0, 0, 2], [0, 0, 2])
    """

    def __init__(self, seed: int, numbers: Sequence[int]) -> None:
        seeds = [b"%d:%d" % (seed, number) for number in numbers]
        groups = [_generate(_seed_states(_make_keys([*group]))) for _, group in groupby(seeds, len)]
        self._drawn = np.concatenate(groups, axis=1)
        self._all = np.arange(len(numbers))
        self._next = np.zeros(len(numbers), np.intp)

    def below(self, limit: int, only: Any = None) -> Any:
        """Draw a number below a limit for each user; 0 for those who are left out."""
        found, left = np.zeros(len(self._all), np.intp), self._all if only is None else self._all[only]
        while len(left):
            drawn = self._draw(left) >> np.uint32(32 - limit.bit_length())
            fits = drawn < limit
            found[left[fits]] = drawn[fits]
            left = left[~fits]
        return found

    def occur(self, chance: float) -> Any:
        """Draw for each user whether something happens, by its probability."""
        high, low = self._draw(self._all) >> np.uint32(5), self._draw(self._all) >> np.uint32(6)
        return (high * 67108864.0 + low) / 9007199254740992.0 < chance

    def _draw(self, users: Any) -> Any:
        drawn = self._drawn[self._next[users], users]
        self._next[users] += 1
        return drawn


def draw_columns(people: Population, numbers: Sequence[int]) -> dict[str, Parts]:
    """Return the fields of sample users by their paths, as columns of a frame have them.

    Examples:
        >>> columns = draw_columns(Population(20), [1, 2, 3])
        >>> prefix, (thousands, _), (units, places) = columns["userId"]
        >>> [prefix + thousands[0] + units[place] for place in places]
        ['u-001', 'u-002', 'u-003']
    """
    same = np.zeros(len(numbers), np.intp)
    fields: dict[str, Parts] = {
        path: (([value], same),) for path, value in _flatten(people.record(numbers[-1]))
    }
    every = np.array(numbers)
    fields |= _number_columns(every) | _state_columns(every) | _drawn_columns(people.seed, numbers, every)
    relations = [_write(people.record(number)["relations"]) for number in (1, 2)]
    return fields | {
        "relations[json]": ((relations, (every != 1).astype(np.intp)),),
        "organizations[json]": tuple(_join_organizations(people, fields)),
    }


def _write(value: Any) -> str:
    return to_json(value).decode()


def _join_organizations(people: Population, fields: Mapping[str, Parts]) -> Iterator[Values | str]:
    """Yield the parts of the posts as JSON: what all users share, and the values of the fields between."""
    (post,) = people.record(1)["organizations"]
    (unit,) = post["orgUnits"]
    post |= {name: f"{MARK}{POST}.{name}{MARK}" for name in post}
    post["orgUnits"] = [{name: f"{MARK}{UNIT}.{name}{MARK}" for name in unit}]
    first, *others = MARKED.split(_write([post]))
    yield first
    for path, text in zip(others[::2], others[1::2], strict=True):
        parts = fields[path]
        if len(parts) > 1:
            yield from ('"', *parts, '"')
        else:
            values, which = cast("Values", parts[0])
            yield [_write(value) for value in values], which
        yield text


def _flatten(fields: Mapping[str, Any], parent: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the fields of a record with their paths; of lists their lengths, and the one post and its org unit."""
    for name, value in fields.items():
        path = f"{parent}{name}"
        if isinstance(value, list) or name == "customProperties":
            yield f"{path}[count]", len(value)
            yield f"{path}[json]", _write(value)
        if name in ("organizations", "orgUnits"):
            yield from _flatten(value[0], f"{path}[primary].")
        elif isinstance(value, dict):
            yield from _flatten(value, f"{path}.")
        elif not isinstance(value, list):
            yield path, value
    if not parent:
        yield "organizations.orgUnits[count]", 1


def _number_columns(every: Any) -> dict[str, Parts]:
    """Return the columns that have the users' numbers in them."""
    thousands, units = every // 1000, _units(every)
    at_least_five = ([f"{number:02d}" for number in range(MOST_THOUSANDS)], thousands), units
    is_first = [False, True], (every == 1).astype(np.intp)
    return {
        "userId": ("u-", _thousands(every), units),
        "userExternalKey": ("emp-", *at_least_five),
        "organizations[primary].userExternalKey": ("emp-", *at_least_five),
        "employeeNumber": ("E", *at_least_five),
        "telephone": ("+81-3-5555-", _last_thousands(every), units),
        "isAdministrator": (is_first,),
        "organizations[primary].executive": (is_first,),
        "relations[count]": (([1, 0], is_first[1]),),
    }


def _thousands(every: Any) -> Values:
    return ["", *map(str, range(1, MOST_THOUSANDS))], every // 1000


def _last_thousands(every: Any) -> Values:
    return DIGITS, every // 1000 % 10


def _units(every: Any) -> Values:
    return UNITS, every % 1000


def _state_columns(every: Any) -> dict[str, Parts]:
    """Return the columns that follow from the users' states, as `population.find_state` finds them."""
    words = ["suspended", "active", *(state for state, _ in STATES), "active"]
    shares = [every % 17 == 0, every <= ALL_IN_FEW_STATES, *(every % share == 0 for _, share in STATES)]
    states = np.select(shares, range(len(shares)), len(shares))
    return {
        "isPending": (([word == "pending" for word in words], states),),
        "isAwaiting": (([word == "awaiting" for word in words], states),),
        "isSuspended": (([word in REASONS for word in words], states),),
        "isDeleted": (([word == "deleted" for word in words], states),),
        "suspendedReason": (([REASONS.get(word) for word in words], states),),
        "leaveOfAbsence.isLeaveOfAbsence": (([word == "leave" for word in words], states),),
        "leaveOfAbsence.startTime": (
            ([LEAVE_STARTS if word == "leave" else None for word in words], states),
        ),
    }


def _drawn_columns(seed: int, numbers: Sequence[int], every: Any) -> dict[str, Parts]:
    """Return the columns that are drawn, in the order in which `Population.record` draws them."""
    chances = Chances(seed, numbers)
    last, first = chances.below(len(LAST_NAMES)), chances.below(len(FIRST_NAMES))
    locale = chances.below(len(LOCALES))
    hired = _draw_days(chances, 2008, 2025)
    has_nick_name, has_alias = chances.occur(0.5), chances.occur(0.3)
    unit, position = chances.below(len(ORG_UNITS)), chances.below(len(POSITIONS), every != 1)
    level, has_cell_phone = chances.below(len(LEVELS), every != 1), chances.occur(0.6)
    location, task = chances.below(len(WORKPLACES)), chances.below(len(TASKS))
    birthday = _draw_days(chances, 1965, 2003)
    names = [f"{one[0]}.{other[0]}.".lower() for one in FIRST_NAMES for other in LAST_NAMES]
    native = [list_native_names(one, other) for one in FIRST_NAMES for other in LAST_NAMES]
    name = first * len(LAST_NAMES) + last
    emails = (names, name), _thousands(every), _units(every), f"@{MAIL_DOMAIN}"
    given = [None, *(each[0] for each in FIRST_NAMES)]
    aliases = [None, *(each[0].lower() for each in FIRST_NAMES)]
    short = [*map(str, range(1000)), *UNITS], np.where(every < 1000, every, every % 1000 + 1000)
    cell_phones = [None, "+81-90-5555-"], has_cell_phone.astype(np.intp)
    return {
        "email": emails,
        "userName.lastName": _pick(LAST_NAMES, 0, last),
        "userName.firstName": _pick(FIRST_NAMES, 0, first),
        "userName.phoneticLastName": _pick(LAST_NAMES, 1, last),
        "userName.phoneticFirstName": _pick(FIRST_NAMES, 1, first),
        "i18nNames[count]": (([len(each) for each in native], name),),
        "i18nNames[json]": (([*map(_write, native)], name),),
        "nickName": ((given, np.where(has_nick_name, first + 1, 0)),),
        "aliasEmails[joined]": (
            (aliases, np.where(has_alias, first + 1, 0)),
            _thousands(every),
            short,
            f"@{MAIL_DOMAIN}",
        ),
        "aliasEmails[count]": (([0, 1], has_alias.astype(np.intp)),),
        "organizations[primary].email": emails,
        "organizations[primary].levelId": _pick(LEVELS, 0, level),
        "organizations[primary].levelName": _pick(LEVELS, 1, level),
        f"{UNIT}.orgUnitId": _pick(ORG_UNITS, 0, unit),
        f"{UNIT}.orgUnitName": _pick(ORG_UNITS, 1, unit),
        f"{UNIT}.orgUnitEmail": (([f"{each[2]}@{MAIL_DOMAIN}" for each in ORG_UNITS], unit),),
        f"{UNIT}.positionId": _pick(POSITIONS, 0, position),
        f"{UNIT}.positionName": _pick(POSITIONS, 1, position),
        f"{UNIT}.isManager": (([each[0] == "pos-lead" for each in POSITIONS], position),),
        "cellPhone": (cell_phones, _last_thousands(every), _units(every)),
        "location": ((WORKPLACES, location),),
        "task": ((TASKS, task),),
        "birthday": ((_list_days(1965, 2003), birthday),),
        "locale": _pick(LOCALES, 0, locale),
        "timeZone": _pick(LOCALES, 1, locale),
        "hiredDate": ((_list_days(2008, 2025), hired),),
        "activationDate": ((_list_days(2008, 2025), hired), "T09:00:00+09:00"),
    }


def _pick(words: Sequence[Sequence[Any]], part: int, drawn: Any) -> Parts:
    return (([word[part] for word in words], drawn),)


def _draw_days(chances: Chances, first: int, last: int) -> Any:
    """Draw days of these years, as their indices in `_list_days`."""
    year, month, day = chances.below(last - first + 1), chances.below(12), chances.below(28)
    return (year * 12 + month) * 28 + day


@cache
def _list_days(first: int, last: int) -> list[str]:
    """Return the days of these years that are drawn: the first 28 of each month."""
    years, months, days = range(first, last + 1), range(1, 13), range(1, 29)
    return [f"{year}-{month:02d}-{day:02d}" for year in years for month in months for day in days]

"""Correct ways to write the exercise of lesson 12."""

import asyncio
from functools import partial, wraps

import svckit
from svckit.frames import users


def tidy(value, field):
    if not isinstance(value, str):
        return None
    value = value.strip()
    if field == "location":
        return value.replace("Tokio", "Tokyo")
    return None if value in {"-", "n/a"} else value.replace("&", "and")


def apply_rest(svc, people):
    left = [problem.path.partition(".")[0] for problem in svc.users.diff(people).problems]
    svc.users.apply(svc.users.diff(people[~people.user_id.isin(left)]))
    return left


def plain(fake):
    svc = svckit.connect(fake)
    people = users(svc)
    people["location"] = people["location"].str.strip().str.replace("Tokio", "Tokyo", regex=False)
    people["task"] = people["task"].str.strip().replace({"-": None, "n/a": None}).str.replace("&", "and")
    return apply_rest(svc, people)


def mapped(fake):
    svc = svckit.connect(fake)
    people = users(svc)
    for field in ("task", "location"):
        people[field] = people[field].astype(object).map(partial(tidy, field=field))
    return set(apply_rest(svc, people))


def catching(fake):
    svc, left = svckit.connect(fake), set()
    for user in svc.users.list_known():
        changes = {}
        for field in ("task", "location"):
            value = getattr(user, field)
            if value is not None and tidy(value, field) != value:
                changes[field] = tidy(value, field)
        try:
            if changes:
                svc.users.update(user.user_id, **changes)
        except svckit.errors.InvalidInput:
            left.add(user.user_id)
    return left


class Tidier:
    def __call__(self, fake):
        with svckit.connect(fake) as svc:
            people = users(svc)
            people[["task", "location"]] = (
                people[["task", "location"]]
                .astype(object)
                .apply(lambda column: column.map(partial(tidy, field=column.name)))
            )
            return apply_rest(svc, people)


async def coroutine(fake):
    return await asyncio.to_thread(mapped, fake)


async def async_session(fake):
    left = []
    async with svckit.connect_async(fake) as svc:
        for user in svc.users.list_known():
            values = {field: getattr(user, field) for field in ("task", "location")}
            changes = {f: tidy(v, f) for f, v in values.items() if v is not None and tidy(v, f) != v}
            if any(len(value or "") > 100 for value in changes.values()):
                left.append(user.user_id)
            elif changes:
                await svc.users.update(user.user_id, **changes)
    return left


def connected(function):
    @wraps(function)
    def wrapper(fake):
        return function(svckit.connect(fake))

    return wrapper


@connected
def decorated(svc):
    people = users(svc)
    people["task"] = [tidy(value, "task") for value in people["task"]]
    people["location"] = [tidy(value, "location") for value in people["location"]]
    return apply_rest(svc, people)


VARIANTS = {
    "plain": plain,
    "mapped": mapped,
    "object": Tidier(),
    "coroutine": coroutine,
    "async session": async_session,
    "decorated": decorated,
    "lambda": lambda fake: catching(fake),
}

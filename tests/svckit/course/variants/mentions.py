"""Correct ways to write the exercise of lesson 00."""

import asyncio
from functools import partial, wraps
from threading import Thread

from svckit.models import mention


def unit_of(user):
    return user.organizations[0].org_units[0].org_unit_name


def plain(svc, unit):
    for user in svc.users.list_known():
        if unit_of(user) == unit:
            svc.notify(f"{mention(user.user_id)} Good morning!")
            break


def functional(svc, unit):
    first = next(filter(lambda user: unit_of(user) == unit, svc.users.list_known()))
    return svc.notify("Hello " + mention(first.user_id))


class Mentioner:
    def __init__(self, text):
        self.text = text

    def __call__(self, svc, unit):
        matching = [user for user in svc.users.list_known() if unit_of(user) == unit]
        svc.notify(f"{mention(matching[-1].user_id)} {self.text}")


class WorksOnCreation:
    def __init__(self, svc, unit):
        self.svc, self.unit = svc, unit
        self.svc.notify(mention(self.find()))

    def find(self):
        return next(user.user_id for user in self.svc.users.list_known() if unit_of(user) == self.unit)


async def coroutine(svc, unit):
    await asyncio.sleep(0)
    plain(svc, unit)


def in_thread(svc, unit):
    thread = Thread(target=plain, args=(svc, unit))
    thread.start()
    thread.join()


def greeting(text):
    def decorate(function):
        @wraps(function)
        def wrapper(svc, unit):
            return svc.notify(f"{mention(function(svc, unit))} {text}")

        return wrapper

    return decorate


@greeting("Good evening!")
def decorated(svc, unit):
    return [user.user_id for user in svc.users.list_known() if unit_of(user) == unit][0]


def with_text(text, svc, unit):
    chosen = {unit_of(user): user for user in svc.users.list_known()}[unit]
    svc.notify(f"{mention(chosen.user_id)} {text}")


VARIANTS = {
    "plain": plain,
    "functional": functional,
    "object": Mentioner("Good night!"),
    "class": WorksOnCreation,
    "coroutine": coroutine,
    "thread": in_thread,
    "decorated": decorated,
    "partial": partial(with_text, "Could you help?"),
    "lambda": lambda svc, unit: svc.notify(
        mention([user.user_id for user in svc.users.list_known() if unit_of(user) == unit].pop())
    ),
}

"""Fakes with deviations, and the marks that these leave."""

from fakes.rulebook.deviations import DEVIATIONS

from .caller import make


def on(*deviation_ids):
    """A fake with these deviations."""
    return make(deviations={each: DEVIATIONS[each].values[0] for each in deviation_ids})


def deviates(response):
    """The deviations that a response is marked with, which its journal entry has as well."""
    return response.headers.get("X-Fake-Deviates", "")


def check_marked(fake, response, deviation_id):
    """The response is marked, in the journal too, which does not list the rules that it departed from."""
    deviation = DEVIATIONS[deviation_id]
    marks = tuple(deviates(response).split(", "))
    assert f"{deviation_id}={deviation.values[0]}" in marks
    assert fake.journal[-1].deviations == marks
    assert fake.journal[-1].record()["deviations"] == list(marks)
    assert f"deviates: {', '.join(marks)}" in repr(fake.journal[-1])
    assert not set(deviation.departs_from) & set(fake.journal[-1].rules)
    assert fake.rules.deviations[deviation_id].used

"""A refusal rests on each assumption that another alternative, alone or with one of another, changes."""

from contextlib import suppress

import pytest

from fakes import AssumptionRefused
from fakes.http.errors import Refusal
from fakes.rulebook import api, notifications
from fakes.rulebook.rules import Rules

from ..caller import calling, make, named

NULL, OTHER_FIELDS = "api.null", "notification.other-fields"
WRONG_TWICE = {"body": {"text": "t", "x": 1}, "title": None}
BOTH = {NULL: "as-absent", OTHER_FIELDS: "ignored"}


def post(me, body):
    return me.http.post(me.facts["webhooks"][0], json=body)


@pytest.mark.parametrize(
    ("assume", "status", "assumptions"),
    [
        ({}, 400, {NULL, OTHER_FIELDS}),
        ({NULL: "as-absent"}, 400, {OTHER_FIELDS}),
        ({OTHER_FIELDS: "ignored"}, 400, {NULL}),
        (BOTH, 200, {NULL, OTHER_FIELDS}),
    ],
)
def test_two_assumptions_that_are_each_enough_are_both_named(assume, status, assumptions):
    with calling(make(assume=assume)) as me:
        response = post(me, WRONG_TWICE)
        assert (response.status_code, named(response)) == (status, assumptions)


def test_their_refusal_does_not_pass_where_assumptions_are_refused():
    with calling(make(assumptions="refuse")) as me, pytest.raises(AssumptionRefused):
        post(me, WRONG_TWICE)


def test_the_choices_that_allow_it_are_named_together(me):
    post(me, WRONG_TWICE)
    remedy = 'assume={"api.null": "as-absent", "notification.other-fields": "ignored"}'
    assert me.fake.journal[-1].remedy == remedy
    me.fake.rules.choose(BOTH)
    assert post(me, WRONG_TWICE).status_code == 200


@pytest.mark.parametrize("body", [{}, {"body": {"text": 5}, "image": "cat.png"}, {"body": {}}])
def test_a_refusal_that_no_choice_changes_names_none(body):
    with calling(make(assumptions="refuse")) as me:
        assert (post(me, body).status_code, named(post(me, body))) == (400, set())


def test_a_message_that_two_assumptions_refuse_rests_on_both():
    content = {"type": "image", "fileId": "nothing", "more": 1}
    choices = {"callback.file-id": "checked"}
    with pytest.raises(AssumptionRefused):
        make(assume=choices, assumptions="refuse").callbacks.send("bot-1", "u-001", content)
    fake = make(assume=choices)
    with pytest.raises(Refusal, match=r"content\.more is not a field .* content\.fileId is not the ID"):
        fake.callbacks.send("bot-1", "u-001", content)
    assert fake.rules["callback.file-id"].used == fake.rules["callback.other-content"].used == 1


class Judge:
    """Refuses if one of these assumptions does, and counts how often it is asked."""

    def __init__(self, rules, *assumptions, refuse=True):
        self.rules, self.assumptions, self.refuse, self.asked = rules, assumptions, refuse, 0

    def __call__(self):
        self.asked += 1
        if "refused" in [self.rules.apply(rule) for rule in self.assumptions] and self.refuse:
            raise ValueError("refused")


REFUSED = {api.EXTRA_FIELDS: "refused", api.QUERY: "refused", notifications.EMPTY_TEXT: "refused"}


@pytest.mark.parametrize(
    ("number", "refuse", "asked", "named"),
    [
        (0, True, 1, []),
        (1, True, 2, ["api.extra-fields"]),
        (2, True, 4, ["api.extra-fields", "api.query"]),
        (3, True, 7, []),
        (3, False, 4, []),
    ],
)
def test_how_often_it_is_tried(number, refuse, asked, named):
    rules = Rules({rule.id: refused for rule, refused in REFUSED.items()})
    judge = Judge(rules, *list(REFUSED)[:number], refuse=refuse)
    with rules.recording() as used, suppress(ValueError):
        rules.weigh(judge)
    assert (judge.asked, [rule.id for rule in used]) == (asked, named)

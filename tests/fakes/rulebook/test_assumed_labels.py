"""A response names an assumption if, and only if, an alternative would have changed it, or what comes of it."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fakes.rulebook.rule import RULEBOOK
from fakes.rulebook.rules import Rules

from ..caller import make
from ..calls_at_random import AREAS, NOTIFYING, OTHERS, REAL_TIME, SEQUENCES, STEPS
from ..player import Player
from ..scenarios import SCENARIOS
from .test_assumptions import BESIDE_ANY_EXCHANGE, UNMARKED

UNLABELLED = {*BESIDE_ANY_EXCHANGE, *UNMARKED, REAL_TIME}
"""Rules that no response or event names."""
CHOOSING = "token.inactive-user"
"""Its scenario chooses another alternative itself, so that whatever else is chosen makes no difference."""
ASSUMED = {
    rule.id: rule.alternatives
    for rule in RULEBOOK.values()
    if rule.alternatives and rule.id not in UNLABELLED
}
OTHERS_OF = {rule_id: alternatives[1:] for rule_id, alternatives in ASSUMED.items()}
ALTERNATIVES = [(rule_id, each) for rule_id, others in OTHERS_OF.items() for each in others]
SEARCH = settings(deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))


def played(steps, **options):
    """What the service sends."""
    return Player(make(**options)).play(steps)


def stored(fake):
    """What is stored, without the choice among alternatives."""
    state = fake.snapshot()
    del state["rules"]
    return state


def first_difference(seen, other):
    """Where two lists part; None where they are the same."""
    parted = (at for at, (one, two) in enumerate(zip(seen, other, strict=False)) if one != two)
    return next(parted, None if len(seen) == len(other) else min(len(seen), len(other)))


# An alternative that changes a response is named in it


def hold_to_labels(steps, rule_id, alternative):
    seen, other = played(steps), played(steps, assume={rule_id: alternative})
    at = first_difference(seen, other)
    assert at is None or rule_id in seen[at].assumed, (at, seen[at], other[at])
    return at


SHOWN_BESIDE = {
    "user.link-id-kept",
    "user.link-id-removed",
    "status.transition",
    "notification.empty-title",
    "notification.mention-form",
}
"""What the scenarios of these show is not in a response; others of their calls are below."""


@pytest.mark.parametrize(("rule_id", "alternative"), ALTERNATIVES)
def test_the_first_response_that_an_alternative_changes_names_it(rule_id, alternative):
    at = hold_to_labels([SCENARIOS[rule_id]], rule_id, alternative)
    assert (at is None) == (rule_id in SHOWN_BESIDE)


@st.composite
def sequences_for_an_alternative(draw):
    rule_id, alternative = draw(st.sampled_from(ALTERNATIVES))
    area, own = AREAS[rule_id.partition(".")[0]], st.just(SCENARIOS[rule_id])
    return rule_id, alternative, draw(st.lists(area | area | OTHERS | own | own, min_size=1, max_size=8))


@settings(SEARCH, max_examples=120)
@given(sequences_for_an_alternative())
def test_of_any_calls_the_first_that_an_alternative_changes_names_it(drawn):
    rule_id, alternative, steps = drawn
    hold_to_labels(steps, rule_id, alternative)


@pytest.mark.long
@settings(SEARCH, max_examples=4000)
@given(sequences_for_an_alternative())
def test_first_changed_call_of_very_many_names_it(drawn):
    rule_id, alternative, steps = drawn
    hold_to_labels(steps, rule_id, alternative)


# Two assumptions that are each enough for a refusal are both named


def look(steps, **assume):
    """What the service sends, and the other alternatives of the assumptions that are looked at for it."""
    looked_at = set()

    def noting(read):
        def choose(rules, rule):
            looked_at.add(rule.id)
            return read(rules, rule)

        return choose

    with pytest.MonkeyPatch.context() as patch:
        for name in ("apply", "look_up"):
            patch.setattr(Rules, name, noting(getattr(Rules, name)))
        seen = played(steps, **assume)
    return seen, [each for each in ALTERNATIVES if each[0] in looked_at]


def hold_pairs_to_labels(steps):
    """Hold what only two alternatives together change to naming both, or one of them if it is not a refusal."""
    seen, looked_at = look(steps)
    same = {}
    for one in looked_at:
        other, then_looked_at = look(steps, assume=dict([one]))
        if other == seen:
            same[one] = then_looked_at
    pairs = {
        frozenset((one, two))
        for one, then_looked_at in same.items()
        for two in then_looked_at
        if one[0] != two[0] and (two in same or two not in looked_at)
    }
    for pair in sorted(pairs, key=sorted):
        at = first_difference(seen, played(steps, assume=dict(pair)))
        if at is not None:
            named = {rule_id for rule_id, _ in pair} & seen[at].assumed
            assert len(named) == 2 or (named and seen[at].content[2] < 400), (pair, at, seen[at])


@settings(SEARCH, max_examples=25)
@given(NOTIFYING)
def test_notification_names_both_of_a_pair(step):
    hold_pairs_to_labels([step])


@settings(SEARCH, max_examples=25)
@given(STEPS)
def test_of_any_call_what_only_two_alternatives_change_names_both(step):
    hold_pairs_to_labels([step])


@pytest.mark.long
@settings(SEARCH, max_examples=2000)
@given(st.lists(STEPS | NOTIFYING, min_size=1, max_size=2))
def test_very_many_calls_name_both_of_a_pair(steps):
    hold_pairs_to_labels(steps)


# An assumption that is named would have changed something


def hold_to_changes(steps):
    """Under some alternative the response would be another, or else what the call leaves behind.

    It may take an alternative of another assumption that is named, too.
    """
    me = Player(make())
    seen = []
    for number, step in enumerate(steps, 1):
        before, me = me, me.on(me.fake.fork())
        responses = me.play([step])
        state, seen = stored(me.fake), [*seen, *responses]
        named = {each for response in responses for each in response.assumed} & ASSUMED.keys()
        for rule_id in named:
            assert (
                decides(before, step, rule_id, {}, (responses, state))
                or decided(steps[:number], rule_id, seen)
                or any(
                    decides(before, step, rule_id, beside, lead(before, step, beside))
                    for other in named - {rule_id}
                    for beside in vary(other)
                )
            )


def vary(rule_id):
    return [{rule_id: alternative} for alternative in OTHERS_OF[rule_id]]


def lead(before, step, choices):
    """What a step leads to under other alternatives."""
    me = before.on(before.fake.fork())
    me.fake.rules.choose(choices)
    return me.play([step]), stored(me.fake)


def decides(before, step, rule_id, beside, outcome):
    """Whether an alternative changes what a step leads to, beside what else is chosen."""
    return any(lead(before, step, beside | choice) != outcome for choice in vary(rule_id))


def decided(steps, rule_id, seen):
    """Whether an alternative changes what steps lead to, as it has changed what the last of them is about."""
    return any(played(steps, assume=choice) != seen for choice in vary(rule_id))


@pytest.mark.parametrize("rule_id", [rule_id for rule_id in ASSUMED if rule_id != CHOOSING])
def test_scenarios_name_only_what_matters(rule_id):
    hold_to_changes([SCENARIOS[rule_id]])


@settings(SEARCH, max_examples=30)
@given(SEQUENCES)
def test_any_calls_name_only_what_matters(steps):
    hold_to_changes(steps)


@pytest.mark.long
@settings(SEARCH, max_examples=1000)
@given(SEQUENCES)
def test_very_many_calls_name_only_what_matters(steps):
    hold_to_changes(steps)

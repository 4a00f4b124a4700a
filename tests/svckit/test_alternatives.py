"""The toolkit under every alternative of every assumption: what it asks for works, or the service refuses it."""

from types import ModuleType

import pytest

from fakes.rulebook.rule import RULEBOOK

from .scenario import later, messages, people, sign_in, transfers
from .scenario.story import STEPS, Story

pytestmark = pytest.mark.filterwarnings("ignore::svckit.lifecycle.ServiceDeprecationWarning")

WHOLE = (people, transfers, messages, sign_in, later)
PARTS: dict[str, tuple[ModuleType, ...]] = {
    "auth": (sign_in, later),
    "callback": (messages,),
    "drive": (transfers,),
    "file": (transfers, later),
    "lifecycle": (people, later),
    "notification": (messages,),
    "status": (people, later),
    "token": (sign_in, later),
    "user": (people, later),
}
"""The parts of the story that the rules of an area shape; those of any other area may shape all of it."""

ASSUMED = [rule for rule in RULEBOOK.values() if rule.provenance == "assumed"]
ALTERNATIVES = [(rule.id, alternative) for rule in ASSUMED for alternative in rule.alternatives[1:]]
EVERY_ALTERNATIVE = pytest.mark.parametrize(("rule_id", "alternative"), ALTERNATIVES)

BEYOND_THE_TOOLKIT = {
    "api.bearer-form": "it writes the header as it is described",
    "auth.redirect-status": "no response rests on it",
    "notification.refused-headers": "no response rests on its default",
    "auth.screen-reuse": "it asks for a new screen for each attempt",
    "file.download-validity": "it asks for each URL itself, and fetches it at once",
    "auth.repeated-parameter": "it sends no parameter twice",
    "auth.scope-names": "the story asks for the scopes user and file",
    "auth.unknown-parameter": "it sends only parameters that are described",
    "token.code-reuse": "it sends no code twice",
    "callback.timeout": "its receiver takes no time",
    "token.client-credentials": "it signs in as a user",
    "token.jwt-bearer": "it signs in as a user",
    "auth.pkce": "it sends no challenge and no verifier",
    "token.content-type": "it sends a form as a form",
    "token.redirect-uri": "it sends none with a code",
    "token.refresh-scope": "it asks for no other scope when it renews",
    "token.delegated-user": "it signs in as a user",
    "api.ready-stubs": "it calls what is described",
}
BEYOND_THE_TOOLKIT |= {
    rule.id: "it signs in as a user" for rule in ASSUMED if rule.id.startswith("token.assertion-")
}
"""Assumptions that no request of the toolkit meets, and why."""


def play(parts: tuple[ModuleType, ...], **assume: str) -> Story:
    """Play these parts of the story, in order, on a fake with these alternatives."""
    story = Story.begin(assume=assume)
    with story.svc:
        for part in parts:
            for step in STEPS:
                if step.__module__ == part.__name__:
                    story.play(step)
    return story


@pytest.fixture(scope="module")
def story() -> Story:
    """The whole story under the defaults."""
    return play(WHOLE)


def test_by_default_all_works_but_what_should_not(story: Story) -> None:
    assert story.outcomes == {step.__name__: outcome for step, outcome in STEPS.items()}


def test_the_story_meets_nearly_every_assumption(story: Story) -> None:
    missed = [rule.id for rule in ASSUMED if not story.fake.rules[rule.id].used]
    unexplained = [rule_id for rule_id in missed if rule_id not in BEYOND_THE_TOOLKIT]
    assert len(unexplained) <= len(ASSUMED) // 20, f"give the story steps that rest on these: {unexplained}"


@EVERY_ALTERNATIVE
def test_what_the_toolkit_asks_for_works_or_is_refused_by_the_service(rule_id: str, alternative: str) -> None:
    story = play(PARTS.get(rule_id.partition(".")[0], WHOLE), **{rule_id: alternative})
    assert "works" in story.outcomes.values()


@pytest.mark.long
@EVERY_ALTERNATIVE
def test_the_whole_story_holds_under_every_alternative(rule_id: str, alternative: str) -> None:
    story = play(WHOLE, **{rule_id: alternative})
    assert len(story.outcomes) == len(STEPS)

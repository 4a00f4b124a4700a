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

REFUSED_BY_DEFAULT = {
    "reads_nobody": 404,
    "takes_the_email_of_another": 409,
    "moves_a_user": 400,
    "updates_what_is_restricted": 400,
    "gives_an_undefined_property": 400,
    "updates_at_the_same_time": 409,
    "breaks_a_limit": 400,
    "calls_what_there_is_not": 404,
    "calls_what_has_ended": 404,
    "calls_what_will_end": 501,
    "reserves_a_status_that_ends_before_it_starts": 400,
    "sets_a_status_that_has_ended": 400,
    "reserves_a_status_without_an_end": 400,
    "sets_the_status_of_nobody": 404,
    "sets_a_wrong_status_while_they_are_off": 400,
    "downloads_from_another_place": 404,
    "downloads_what_is_not_there": 404,
    "resumes_an_upload_of_which_the_answer_was_lost": 404,
    "notifies_at_length": 400,
    "notifies_with_what_no_app_sends": 400,
    "notifies_nothing": 400,
    "notifies_too_often": 429,
    "notifies_nothing_too_often": 429,
    "opens_a_webhook": 400,
    "notifies_a_webhook_that_there_is_not": 400,
    "signs_in_with_a_wrong_password": 401,
    "signs_in_as_an_unknown_application": 400,
    "signs_in_with_a_wrong_secret": 401,
    "signs_in_as_a_suspended_user": 401,
    "signs_in_to_another_domain": 400,
    "redeems_a_made_up_code": 400,
    "calls_with_a_made_up_token": 401,
    "calls_what_there_is_not_with_a_made_up_token": 401,
    "renews_with_the_token_of_another_application": 400,
    "uploads_a_day_after_it_asked": 404,
    "uses_a_value_that_has_ended": 400,
    "calls_what_may_have_ended": 501,
}
SKIPPED_BY_DEFAULT = {"receives_an_event_of_another_type"}
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
    assert len(story.outcomes) == len(STEPS)
    found = {name: outcome for name, outcome in story.outcomes.items() if outcome != "works"}
    refused = {name: f"refused with {status}" for name, status in REFUSED_BY_DEFAULT.items()}
    assert found == refused | dict.fromkeys(SKIPPED_BY_DEFAULT, "skipped")


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

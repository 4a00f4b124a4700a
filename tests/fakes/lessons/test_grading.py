"""Grading: what a run shows, and the feedback on it."""

import contextlib
import signal
import socket
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from threading import Event, Lock
from typing import Any

import httpx
import pytest

from fakes import FakeService
from fakes.lessons import Exercise, Feedback, Options, Run, Said, Words, grade, run, said, say_first
from fakes.lessons.functions import find_code


def prepare(fake: FakeService, options: Options) -> list[object]:
    http = httpx.Client(transport=fake.transport())
    http.post(fake.facts["webhooks"][0], json={"body": {"text": "before"}})
    return [http, fake.facts["webhooks"][0], options["count"]]


WORDS = Words(
    {
        "function": "post",
        "title": "Post some",
        "variants": [{"words": "two", "count": 2}, {"words": "three messages", "count": 3}],
        "solved": "{count} posted",
        "checks": {
            "all": {
                "goal": "all are posted",
                "twice": ["{count} requests were sent.", "Why?", "Look.", "See “Here”."],
            },
            "accepted": {"goal": "nothing is refused"},
            "clock": {"goal": "the clock is read"},
        },
    }
)


def posts_all(run: Run) -> bool | Said:
    if len(run.entries) > run.arguments[2]:
        return said("twice", count=len(run.entries))
    return len(run.sent("notifications.post", 200)) == run.arguments[2]


EXERCISE = Exercise(
    words=WORDS,
    prepare=prepare,
    checks={
        "all": posts_all,
        "accepted": lambda run: not run.sent("notifications.post", 400),
        "clock": lambda run: None,
    },
    summarize=lambda run: {"count": len(run.entries)},
    calls=30,
)


def post(http: httpx.Client, webhook: str, count: int) -> None:
    for number in range(count):
        http.post(webhook, json={"body": {"text": f"{number}"}})


def give(*steps: Callable[..., Any], seed: int = 0) -> Feedback:
    def function(*arguments: Any) -> None:
        for step in steps:
            step(*arguments)

    return grade(EXERCISE, function, seed)


def test_a_success_is_a_fact() -> None:
    feedback = grade(EXERCISE, post)
    assert feedback.solved
    assert (feedback.happened, feedback.hint, feedback.mistake) == ("2 posted", "", "")
    assert repr(feedback).splitlines() == [
        "Post some: solved",
        "  done      all are posted",
        "  done      nothing is refused",
        "  not seen  the clock is read",
        "  2 posted",
    ]


def test_a_goal_that_only_other_data_show_is_done_in_the_end() -> None:
    def sees_three(run: Run) -> bool | None:
        return len(run.entries) == 3 if run.arguments[2] == 3 else None

    feedback = grade(replace(EXERCISE, checks=EXERCISE.checks | {"clock": sees_three}), post)
    assert [state.reached for state in feedback.goals] == [True, True, True]


def test_the_journal_starts_with_the_first_request_of_the_function() -> None:
    assert [entry.number for entry in grade(EXERCISE, post).journal] == [1, 2]


def test_where_nothing_is_sent_no_goal_is_reached() -> None:
    feedback = give()
    assert [goal.reached for goal in feedback.goals] == [False] * 3
    assert feedback.mistake == "nothing sent"


def test_hints_get_clearer_with_each_repetition() -> None:
    hints = [
        grade(EXERCISE, lambda *a: [post(*a), post(*a)], 0, ["twice"] * times).hint for times in range(5)
    ]
    assert hints == ["Why?", "Look.", "See “Here”.", "See “Here”.", "See “Here”."]


def test_other_mistakes_do_not_make_a_hint_clearer() -> None:
    assert grade(EXERCISE, lambda *a: [post(*a), post(*a)], 0, ["raised", "endless"]).hint == "Why?"


def test_other_data_are_named() -> None:
    feedback = grade(EXERCISE, lambda http, webhook, count: post(http, webhook, 2))
    assert not feedback.solved
    assert feedback.happened.startswith(
        "With the data shown, it works. Then it was called with other data: three messages."
    )


def test_an_error_names_its_line_and_how_far_it_came() -> None:
    def broken(http: httpx.Client, webhook: str, count: int) -> None:
        post(http, webhook, 1)
        {}["nothing"]  # here

    feedback = grade(EXERCISE, broken)
    assert feedback.mistake == "raised"
    assert "raised KeyError (line " in feedback.happened
    assert '{}["nothing"]  # here' in feedback.happened
    assert "after 1 request." in feedback.happened


@pytest.mark.parametrize("client", ["httpx", "requests"])
def test_a_client_of_ones_own_does_not_reach_the_fake(client: str) -> None:
    send = pytest.importorskip(client).post
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))  # and does not listen
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        feedback = grade(EXERCISE, lambda http, webhook, count: send(url))
    assert (feedback.mistake, feedback.hint) == ("raised", "With what does that line send its request?")
    assert "Only what it is called with reaches the fake" in feedback.happened


def test_secrets_in_an_error_are_masked() -> None:
    def broken(http: httpx.Client, webhook: str, count: int) -> None:
        raise ValueError(f"cannot post to {webhook}")

    assert "/message/***" in grade(EXERCISE, broken).happened


def test_a_refusal_without_a_mistake_of_its_own_gives_the_reason() -> None:
    feedback = give(lambda http, webhook, _: http.post(webhook, json={"text": "no body"}))
    assert feedback.mistake == "refused"
    assert "Request 1 (POST /message/***) was refused with 400: " in feedback.happened
    assert feedback.happened.endswith("(Errors › Notification endpoint).")


def test_a_loop_of_requests_ends() -> None:
    def endless(http: httpx.Client, webhook: str, count: int) -> None:
        while True:
            with contextlib.suppress(Exception):
                http.post(webhook, json={})

    feedback = grade(EXERCISE, endless)
    assert (feedback.mistake, len(feedback.journal)) == ("twice", 30)
    feedback = grade(replace(EXERCISE, checks={"clock": lambda run: False}), endless)
    assert feedback.mistake == "endless"
    assert feedback.happened.startswith("Request 1 (POST /message/***) was refused with 400: ")
    assert feedback.happened.endswith("Your function was stopped after 30 requests: it would not have ended.")


@pytest.mark.parametrize("handler", [signal.default_int_handler, signal.SIG_IGN], ids=["shown", "ignored"])
def test_idle_loop_ends_despite_ignored_interrupts(handler: Any) -> None:
    def endless(http: httpx.Client, webhook: str, count: int) -> None:
        while True:
            time.sleep(1)

    before = signal.signal(signal.SIGINT, handler)
    try:
        feedback = grade(replace(EXERCISE, seconds=0.2), endless)
    finally:
        signal.signal(signal.SIGINT, before)
    assert feedback.mistake == "too slow"
    assert "time.sleep(1)" in feedback.happened


def test_a_loop_that_catches_everything_is_abandoned() -> None:
    ended = Event()

    def stubborn(http: httpx.Client, webhook: str, count: int) -> None:
        while not ended.is_set():
            with contextlib.suppress(BaseException):
                post(http, webhook, count)

    found = grade(EXERCISE, stubborn), grade(replace(EXERCISE, seconds=0.2), lambda *_: stubborn(*_[:2], 0))
    ended.set()  # else it would go on beside all later tests
    assert (len(found[0].journal), found[1].mistake) == (EXERCISE.calls, "too slow")


def test_a_wait_that_nothing_ends_is_abandoned() -> None:
    def waiting(http: httpx.Client, webhook: str, count: int) -> None:
        locked = Lock()
        with locked:
            locked.acquire(timeout=30)

    feedback = grade(replace(EXERCISE, seconds=0.2), waiting)
    assert feedback.mistake == "too slow"
    assert "locked.acquire(timeout=30)), where it waited for the real clock" in feedback.happened


def test_sleeping_moves_the_clock() -> None:
    def sleepy(http: httpx.Client, webhook: str, count: int) -> None:
        time.sleep(3_600)
        post(http, webhook, count)

    assert run(EXERCISE, sleepy, EXERCISE.variants[0]).waited.total_seconds() == 3_600


def test_sleeping_for_a_text_is_the_error_that_it_is_elsewhere() -> None:
    def sleepy(http: httpx.Client, webhook: str, count: int) -> None:
        time.sleep("60")  # type: ignore[arg-type]

    with pytest.raises(TypeError) as raised:
        time.sleep("60")  # type: ignore[arg-type]
    assert str(run(EXERCISE, sleepy, EXERCISE.variants[0]).error) == str(raised.value)


def test_a_call_instead_of_a_function_is_explained() -> None:
    with pytest.raises(TypeError, match="without parentheses; given None"):
        grade(EXERCISE, None)  # type: ignore[arg-type]


def test_other_seeds_have_other_secrets() -> None:
    webhooks = {run(EXERCISE, post, EXERCISE.variants[0], seed).arguments[1] for seed in range(3)}
    assert len(webhooks) == 3


def test_the_card_is_a_status_with_a_list() -> None:
    html = grade(EXERCISE, lambda *_: None)._repr_html_()
    assert '<section role="status" aria-label="Post some">' in html
    assert "<li>not yet: all are posted</li>" in html


def test_an_exercise_may_play_a_function_more_than_once() -> None:
    def play(function: Callable[..., Any], arguments: Any, fake: FakeService, options: Options) -> list[Any]:
        return [function(number) for number in range(options["count"])]

    def doubles(run: Run) -> bool | Said:
        return run.result == [0, 2, 4][: len(run.result)] or said("twice", count=1)

    exercise = replace(
        EXERCISE,
        play=play,
        shows=lambda run: run.error is None,
        checks={"all": doubles},
        summarize=lambda run: {"count": len(run.result)},
    )

    assert grade(exercise, lambda number: 2 * number).happened == "2 posted"
    assert grade(exercise, lambda number: number).mistake == "twice"
    assert grade(exercise, lambda number: number / 0).mistake == "raised"


def test_a_function_without_a_module_is_a_learners() -> None:
    def double(number: int) -> int:
        return 2 * number

    double.__module__ = None  # type: ignore[assignment]
    assert double in find_code(partial(max, key=double))


async def awaits(http: Any, webhook: str, count: int) -> None:
    await http.post(webhook, json={"body": {"text": "hello"}})


async def opens(http: Any, webhook: str, count: int) -> None:
    async with http:
        pass


async def iterates(http: Any, webhook: str, count: int) -> None:
    async for _ in http.get(webhook):
        pass


@pytest.mark.parametrize("function", [awaits, opens, iterates])
def test_a_client_that_is_awaited_gets_a_hint(function: Callable[..., Any]) -> None:
    feedback = grade(EXERCISE, function, 0, ["raised"])
    assert feedback.mistake == "raised"
    assert "without await" in feedback.hint


class Poster:
    def __init__(self, http: Any, webhook: str, count: int) -> None:
        self.http, self.webhook, self.count = http, webhook, count


def test_a_class_that_keeps_its_arguments_gets_a_hint() -> None:
    feedback = grade(EXERCISE, Poster, 0, ["nothing sent"])
    assert feedback.happened.endswith("It returned a Poster.")
    assert "Calling a class keeps its arguments" in feedback.hint


def test_a_sentence_knows_its_request_the_data_and_the_end_of_the_run() -> None:
    sentence = "Of {wanted}, {request} ({call}) with {body} got {status}. {count:request|requests}; {ending}."
    checks = {"all": {"goal": "all are posted", "one": [sentence, "Is {wanted} enough?"]}}
    data = {"words": "one of two", "count": 1, "wanted": 2}
    exercise = replace(
        EXERCISE,
        words=Words(
            WORDS.content | {"checks": checks, "solved": "{wanted} wanted", "variants": [data, data]}
        ),
        checks={"all": lambda run: said("one", run.entries[0])},
        summarize=lambda run: {},
    )

    def returns(http: httpx.Client, webhook: str, count: int) -> list[str]:
        http.post(webhook, content=b"{}")
        return ["https://storage.fake.test/1"]

    feedback = grade(exercise, returns)
    assert feedback.happened == ("Of 2, 1 (POST /message/***) with {} got 400. 1 request; ['https://…'].")
    assert feedback.hint == "Is 2 enough?"

    def raises(*arguments: Any) -> None:
        post(*arguments)
        raise KeyError("id")

    assert "; KeyError (line " in grade(exercise, raises).happened
    solved = grade(replace(exercise, checks={"all": lambda run: True}), post)
    assert solved.happened == "2 wanted"


def test_lesson_data_win_over_values_of_the_run() -> None:
    checks = {"all": {"goal": "all are posted", "one": ["{text} is not {count}.", "Why?"]}}
    data = {"words": "a text", "count": 3, "text": "Hello"}
    exercise = replace(
        EXERCISE,
        words=Words(WORDS.content | {"checks": checks, "solved": "{text}, {count}", "variants": [data]}),
        checks={"all": lambda run: False if run.error else said("one")},
        summarize=lambda run: {},
    )
    assert grade(exercise, post).happened == "Hello is not 3."
    raised = grade(exercise, lambda *given: [post(*given[:2], 1), {}["id"]]).happened
    assert "after 1 request. It says: 'id'" in raised
    assert grade(replace(exercise, checks={"all": lambda run: True}), post).happened == "Hello, 3"


def test_a_function_cannot_change_the_data_that_checks_look_at() -> None:
    data = {"words": "names", "names": ["Ada", "Theo"]}
    exercise = replace(
        EXERCISE,
        words=Words(WORDS.content | {"variants": [data]}),
        prepare=lambda fake, options: [httpx.Client(transport=fake.transport()), (options["names"],)],
        checks={"all": lambda run: run.options["names"] == ["Ada", "Theo"]},
        shows=lambda run: True,
    )
    assert grade(exercise, lambda http, given: given[0].clear()).solved
    assert data["names"] == ["Ada", "Theo"]


def test_a_check_may_yield_what_it_sees() -> None:
    sentence = said("twice", count=2)
    for seen, reached, mistake in (
        ([], None, "not reached"),
        ([None, True], True, ""),
        ([True, False], False, "not reached"),
        ([False, sentence, 1 / 2], False, "twice"),
    ):
        checks = {"all": lambda run, seen=seen: iter(seen)}
        feedback = grade(replace(EXERCISE, checks=checks), post)
        assert (feedback.goals[0].reached, feedback.mistake) == (reached, mistake)


def test_the_first_sentence_that_is_true_is_said() -> None:
    mistakes = {"early": 0, "late": 1, "twice": True}
    assert say_first(mistakes, minutes=3) == said("late", minutes=3)
    assert say_first({"early": 0}) is None


def test_the_fake_follows_the_alternatives_of_a_variant() -> None:
    variant = {"words": "another", "count": 1, "assume": {"api.invalid": "422"}}
    tried = run(EXERCISE, post, variant)
    assert tried.fake.rules["api.invalid"].chosen == "422"


def test_a_result_is_shown_only_if_a_sentence_names_it() -> None:
    class Odd:
        def __repr__(self) -> str:
            raise ValueError("no words")

    assert grade(EXERCISE, lambda *given: (post(*given), Odd())[1]).solved
    assert grade(EXERCISE, lambda http, webhook, count: Odd()).happened.endswith("It returned a Odd.")

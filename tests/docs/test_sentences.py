"""Sentences of pages that no cell of theirs shows."""

import re
from pathlib import Path

import httpx
import pandas as pd
import pytest

import svckit
from binder.reference.statuses import choose_status
from fakes import FakeService, observe
from fakes.handlers.routes import ROUTES
from fakes.openapi.outcomes import list_all_outcomes
from svckit.course.catalogue import LESSONS

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
NOW = "2026-06-01T09:00:00+09:00"
ROW = re.compile(r"\| (\d\d) [^|]*\| (\d+) ")


def test_a_service_that_knows_only_ids_finds_no_row_by_its_key() -> None:
    """How to apply an HR sheet, on `user.addressing`."""
    people = pd.DataFrame({"user_id": ["externalKey:emp-00001", "externalKey:emp-00002"], "task": "Sales"})
    found = {}
    for choice in ("id-email-key", "id-only"):
        svc = svckit.connect(FakeService.sample(now=NOW, assume={"user.addressing": choice}))
        found[choice] = len(svc.users.diff(people, against="fresh").problems)
    assert found == {"id-email-key": 0, "id-only": 2}


def test_a_class_takes_three_to_five_minutes_more_than_one_person() -> None:
    """The trainer's page, of the lessons in its table."""
    table = (NOTEBOOKS / "course" / "TRAINER.md").read_text("utf-8").partition("## Set up")[0]
    planned = {number: int(minutes) for number, minutes in ROW.findall(table) if number != "13"}
    alone = {lesson.number: lesson.minutes for lesson in LESSONS}
    assert len(planned) == 7
    assert all(3 <= minutes - alone[number] <= 5 for number, minutes in planned.items())


@pytest.mark.parametrize("area", ["base_url", "auth_url", "upload_url", "webhook_url"])
def test_a_path_that_no_operation_has_says_what_is_wrong(area: str) -> None:
    """How to use the fake beside other mocks."""
    fake = FakeService.sample(now=NOW)
    with fake.httpx():
        response = httpx.get(f"{fake.facts[area]}/nowhere")
    assert response.is_error
    assert "/nowhere" in response.headers["X-Fake-Reason"]


def test_the_journal_has_no_json_of_a_long_body() -> None:
    """How to test by looking at traffic."""
    fake = FakeService.sample(now=NOW)
    with fake.httpx():
        for length in (60_000, 70_000):
            httpx.post(fake.facts["webhooks"][0], json={"body": {"text": "x" * length}})
    short, long = fake.journal
    assert short.json
    assert long.json is None


def test_what_a_recording_decides_of_a_status() -> None:
    """How to measure a real service, under "Try it"."""
    svc = svckit.connect(now=NOW)
    with svc.trace() as trace:
        svc.users.read("u-001")
        svc.users.set_status("u-001", "AWAY", message="Lunch")
    assert {found.id for found in observe(trace) if found.value} == {"status.icon", "status.name"}


def test_a_notification_never_gets_409() -> None:
    """Errors by their status; 413 is an assumption."""
    (route,) = (each for each in ROUTES if each.operation == "notifications.post")
    outcomes = [each for each in list_all_outcomes(route) if each.kind]
    assert {choose_status(route, each) for each in outcomes} == {400, 413, 429}

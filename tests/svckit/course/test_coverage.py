"""The course as a whole: it uses what the description shows, and two thirds of all rules."""

from fakes.rulebook.rule import RULEBOOK
from svckit.course.coverage import Coverage, measure_coverage

MOST_LEFT_OUT = 3
LEAST = 2 / 3


def test_solved_lessons_use_the_rules_of_the_service() -> None:
    coverage = measure_coverage()
    assert len(coverage.unused_documented) <= MOST_LEFT_OUT
    assert len(coverage.rules) >= LEAST * len(RULEBOOK)


def test_the_report_names_documented_rules_without_a_lesson() -> None:
    report = str(Coverage({"00": {"api.bearer"}})).splitlines()
    assert report[0] == "lesson 00: 1 rule"
    assert report[1].startswith("all lessons: 1 of ")
    assert report[2].startswith("documented rules without a lesson: auth.parameters, ")

"""Resumable uploads to a service that responds to ranges in ways of its own."""

from typing import Any

import httpx
import pytest

from svckit.errors import Refused

from ..conftest import Face, Scripted
from .ranges import CONTENT, SOURCES, broken, upload

Answer = tuple[int, dict[str, Any]]


def on_uploads(scripted: Scripted, *answers: Answer) -> list[str]:
    """Answer the requests to an upload address one by one; returns their ranges as they come."""
    left, sent = list(answers), []

    def response(request: httpx.Request) -> httpx.Response:
        sent.append(request.headers["content-range"])
        status, body = left.pop(0)
        return httpx.Response(status, json=body)

    scripted.on_upload(response)
    return sent


def took(offset: int | None = None, status: int = 200) -> Answer:
    return status, {} if offset is None else {"offset": offset}


DONE = (201, {"fileId": "f-1"})


@pytest.mark.parametrize(
    ("answers", "sent"),
    [
        ([took(), took(), DONE], ["0-4095", "4096-8191", "8192-10239"]),
        ([took(status=308), took(status=201), DONE], ["0-4095", "4096-8191", "8192-10239"]),
        ([took(1000), took(5000), took(9096), DONE], ["0-4095", "1000-5095", "5000-9095", "9096-10239"]),
        ([took(4096), took(8192), took(9000), DONE], ["0-4095", "4096-8191", "8192-10239", "9000-10239"]),
    ],
)
@pytest.mark.parametrize("source", SOURCES)
def test_the_service_may_say_where_to_go_on(
    answers: list[Answer], sent: list[str], on_script: Face, scripted: Scripted, source: str
) -> None:
    asked = on_uploads(scripted, *answers)
    assert upload(on_script, SOURCES[source]()).file_id == "f-1"
    assert asked == [f"{each}/10240" for each in sent]


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        ([took(0)], "it says that 0 bytes have arrived, after the bytes 0 to 4095"),
        ([took(5000)], "it says that 5000 bytes have arrived"),
        ([took(), took(), took()], "all 10240 bytes have arrived, but it does not say that they are stored"),
    ],
)
def test_answers_that_make_no_sense(
    answers: list[Answer], why: str, on_script: Face, scripted: Scripted
) -> None:
    on_uploads(scripted, *answers)
    error = broken(on_script, CONTENT)
    assert why in str(error)
    assert error.upload is None


def test_a_refused_range_is_not_guessed_about(on_script: Face, scripted: Scripted) -> None:
    """Only where a response was lost can a refusal mean that the range is there."""
    asked = on_uploads(scripted, took(), (400, {"description": "the quota is used up"}))
    error = broken(on_script, CONTENT, Refused)
    assert error.upload is None
    assert len(asked) == 2


@pytest.mark.parametrize(
    ("offset", "resumed", "after"),
    [(6000, "6000-10095/10240", [took(10_096), DONE]), (8192, "8192-10239/10240", [DONE])],
)
def test_a_refusal_may_say_how_much_of_a_lost_range_arrived(
    offset: int, resumed: str, after: list[Answer], on_script: Face, scripted: Scripted
) -> None:
    asked = on_uploads(scripted, took(), (503, {}), (400, {"offset": offset}), *after)
    upload(on_script, CONTENT)
    assert asked[3] == resumed


def test_a_refusal_that_names_the_start_of_a_lost_range_is_raised(
    on_script: Face, scripted: Scripted
) -> None:
    on_uploads(scripted, took(), (503, {}), (400, {"offset": 4096, "description": "the quota is used up"}))
    assert "the quota is used up" in str(broken(on_script, CONTENT, Refused))

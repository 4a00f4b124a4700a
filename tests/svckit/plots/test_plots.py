"""Plots: the facts they show, in each of their faces; escaped, accessible, and the same from run to run."""

import os
import re
import subprocess
import sys
from base64 import b64decode
from collections.abc import Callable
from datetime import date
from html import unescape
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
import pytest

import svckit
from fakes import FakeService
from svckit import frames, plots
from svckit.display import drawn_text
from svckit.errors import RateLimited
from svckit.plots import Figure
from svckit.session.session import Session

from ..conftest import connect_over_tcp

NOW = "2026-06-01T09:00:00+09:00"
EVIL = '<script>alert(1)</script>"&\x00\x1b[31m'
AVERAGES = (
    "Shared by 1 to 5 URLs, the limit is 120, 60, 40, 30 or 24 a minute for each on average; "
    "only the total is limited."
)
SVG = "{http://www.w3.org/2000/svg}"


def marks(figure: Figure) -> list[str]:
    """What the marks and spans of a picture say when pointed at."""
    titles = [title.text or "" for title in ElementTree.fromstring(figure.svg).iter(f"{SVG}title")]
    return titles[1:]


def links_of_images(html: str) -> list[tuple[str, str]]:
    """The images of a page that is not trusted, where no other picture is left: their SVG, and what is read instead."""
    images = re.findall(r'<img src="data:image/svg\+xml;base64,([^"]+)" alt="([^"]*)"', html)
    return [(b64decode(data).decode(), unescape(alt)) for data, alt in images]


DRAWN: dict[str, Callable[[Session], Figure]] = {
    "rate": plots.rate_window,
    "deliveries": plots.deliveries,
    "credentials": plots.credentials,
    "retirements": plots.retirements,
    "statuses": lambda svc: frames.statuses(svc).svc.timeline(),
    "journal": lambda svc: frames.journal(svc).svc.timeline(),
}


@pytest.fixture
def busy(svc: Session) -> Session:
    """A session in which something has happened."""
    fake = svc.fake
    fake.callbacks.connect("bot-1", lambda headers, body: 200 if b"good" in body else 500)
    for text in ("good", "bad"):
        fake.callbacks.send("bot-1", "u-002", {"type": "text", "text": text})
        svc.notify(text)
        fake.clock.advance(seconds=20)
    svc.users.set_status("u-002", "BUSY", message=EVIL[:40], end="2026-06-01T18:00:00+09:00")
    return svc


@pytest.mark.parametrize("name", DRAWN)
def test_a_picture_is_whole_named_and_described(name: str, busy: Session) -> None:
    figure = DRAWN[name](busy)
    root = ElementTree.fromstring(figure.svg)
    assert root.tag == f"{SVG}svg"
    assert root.attrib["role"] == "img"
    assert root.attrib["aria-label"] == root[0].text == figure.title
    assert root[1].tag == f"{SVG}desc"
    assert root[1].text == figure.description
    assert "background: #fff" in figure.svg  # legible on any page
    assert not [word for word in ("href", "src=", "<script", "url(", "@import") if word in figure.svg]
    assert repr(figure).startswith(figure.title)
    assert repr(figure).endswith(figure.description)
    image = links_of_images(figure._repr_html_())
    assert image == [(figure.svg, f"{figure.title}. {figure.description}")]
    assert figure.svg == DRAWN[name](busy).svg
    assert len(figure.svg) < 12_000


def test_a_session_that_cannot_know_of_deliveries_says_so() -> None:
    fake = FakeService.sample(now=NOW)
    fake.callbacks.send("bot-1", "u-002", {"type": "text", "text": "hello"})
    assert plots.deliveries(fake).description == "1 delivery: 1 not-sent."
    with connect_over_tcp(fake) as svc:
        told = "There are no deliveries to show; only a fake in this process lists them."
        assert plots.deliveries(svc).description == told
        with pytest.raises(
            ValueError, match="no admin call lists all deliveries; a fake elsewhere has users, "
        ):
            plots.deliveries(svc.fake)
        for kind in ("messages", "events", "deliveries", "journal", "rules"):
            assert getattr(frames, kind)(svc).empty  # as the page of the frames says
        assert len(frames.journal(svc.fake)) == len(fake.journal) > 0
        assert len(frames.rules(svc.fake)) == len(fake.rules)


@pytest.mark.parametrize("name", DRAWN)
def test_nothing_to_draw_is_said(name: str) -> None:
    kind = {"rate": "journal", "retirements": "lifecycle"}.get(name, name)
    empty = getattr(frames, kind)([])
    plot = {"rate": "rate_window", "statuses": "timeline", "journal": "timeline"}.get(name, name)
    figure = getattr(plots, plot)(empty)
    assert figure.description in figure.svg
    assert "nan" not in figure.svg.lower()


def test_the_rate_is_that_of_the_headers(svc: Session) -> None:
    for _ in range(120):
        svc.notify("x")
    for _ in range(2):
        with pytest.raises(RateLimited):
            svc.notify("x")
    svc.fake.clock.advance(seconds=61)
    svc.notify("x")
    figure = plots.rate_window(svc)
    assert (
        figure.description == f"121 counted, at most 120 of 120 in one window; 2 refused with 429. {AVERAGES}"
    )
    assert marks(figure) == [
        "120 of 120 from 2026-06-01 09:00:00 to 2026-06-01 09:01:00",
        "1 of 120 from 2026-06-01 09:01:01 to 2026-06-01 09:02:01",
        "2 refused with 429 at 2026-06-01 09:00:00",
    ]
    texts = [text.text for text in ElementTree.fromstring(figure.svg).iter(f"{SVG}text")]
    assert AVERAGES.partition(";")[0] in texts


def test_rate_window_of_the_last_response_alone(svc: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = svc.fake
    monkeypatch.setattr(svc, "fake", None)
    assert plots.rate_window(svc).description == "No response has reported the notification rate."
    svc.notify("x")
    svc.notify("x")
    figure = plots.rate_window(svc)
    assert figure.description == (
        "2 counted, at most 2 of 120 in one window; 0 refused with 429. Only the last response is known. "
        f"{AVERAGES}"
    )
    assert marks(figure) == ["2 of 120 from 2026-06-01 09:00:00 to 2026-06-01 09:01:00"]
    fake.faults.status("notifications.post", 429)
    with pytest.raises(RateLimited):
        svc.notify("x")
    assert "1 refused with 429" in plots.rate_window(svc).description


def test_a_trace_of_a_session_shows_its_rate(svc: Session) -> None:
    with svc.trace() as trace:
        svc.notify("x")
    assert "1 counted, at most 1 of 120" in plots.rate_window(trace).description


def test_deliveries_differ_in_shape(busy: Session) -> None:
    figure = plots.deliveries(busy)
    assert figure.description == "2 deliveries: 1 delivered, 1 rejected."
    paths = [path.attrib["d"] for path in ElementTree.fromstring(figure.svg).iter(f"{SVG}path")]
    assert len(set(paths)) == 2


def test_marks_in_one_place_are_one_that_says_how_many() -> None:
    record = {"at": "2026-06-01T00:00:00.000Z", "outcome": "delivered", "userId": "u-1", "type": "text"}
    figure = plots.deliveries(frames.deliveries([record] * 5_000))
    assert [words for words in marks(figure) if "from here on" in words] == [
        "5000 from here on; the first: text of u-1, 2026-06-01 00:00:00: delivered"
    ]
    assert len(figure.svg) < 5_000
    assert "and 4980 more" in repr(figure)
    assert ">5000</text>" in figure.svg


BEGIN = pd.Timestamp("2026-06-01T00:00Z")
OUTCOMES = ("delivered", "rejected", "failed", "timed-out", "not-sent")


def at(number: int, seconds: float) -> str:
    return (BEGIN + pd.Timedelta(seconds=number * seconds)).isoformat()


def counted(number: int) -> dict[str, object]:
    """A response in a window of 150 calls, of which 30 are refused."""
    used = number % 150 + 1
    told = {"rateLimit": {"used": used, "limit": 120, "remaining": 120 - used, "reset": 60 - used // 3}}
    response = {"at": at(number, 0.4), "operation": "notify", "status": 200 if used <= 120 else 429}
    return response | told if used <= 120 else response


def lifetime(number: int) -> dict[str, object]:
    return {
        "credential": ("code", "access token")[number % 2],
        "userId": f"u-{number}-{'佐藤' * 40}",
        "state": ("expired", "valid")[number % 2],
        "issuedTime": at(number, 60),
        "endTime": at(number, 90),
        "asOf": at(0, 0),
    }


MANY: dict[str, Callable[[int], Figure]] = {
    "rate": lambda count: plots.rate_window(frames.journal(map(counted, range(count)))),
    "windows": lambda count: plots.rate_window(
        frames.journal(counted(0) | {"at": at(number, 61)} for number in range(count))
    ),
    "deliveries": lambda count: plots.deliveries(
        frames.deliveries(
            {"at": at(n, 13), "outcome": OUTCOMES[n % 5], "error": EVIL * 9, "type": "text"}
            for n in range(count)
        )
    ),
    "credentials": lambda count: plots.credentials(frames.credentials(map(lifetime, range(count)))),
    "retirements": lambda count: plots.retirements(
        frames.lifecycle(
            {"item": "x" * 500, "date": "2026-12-05", "daysLeft": n, "status": "planned"}
            for n in range(count)
        )
    ),
    "spans": lambda count: plots.timeline(
        frames.statuses(
            {
                "userId": "u-1",
                "profileStatusId": "BUSY",
                "startTime": at(n, 60),
                "endTime": at(n % 97 + n, 61),
            }
            for n in range(count)
        )
    ),
}


@pytest.mark.parametrize("count", [1, 2, 31, 3_000])
@pytest.mark.parametrize("name", MANY)
def test_a_picture_is_small_however_much_there_is(name: str, count: int) -> None:
    figure = MANY[name](count)
    root = ElementTree.fromstring(figure.svg)
    assert len(figure.svg) < 120_000
    assert "nan" not in figure.svg.lower().replace("nand", "")
    for text in root.iter(f"{SVG}text"):
        anchor, across = text.attrib.get("text-anchor", "start"), drawn_text.width(text.text or "")
        left = float(text.attrib["x"]) - {"start": 0, "middle": across / 2, "end": across}[anchor]
        assert left > -20
        assert left + across < 800 + 20


def test_of_very_many_credentials_those_that_are_valid_are_drawn() -> None:
    figure = MANY["credentials"](100)
    assert figure.description.endswith("; of 100 lanes the first 30 are drawn.")
    assert "valid, " in figure.svg
    assert ">expired<" not in figure.svg


def test_long_names_are_cut_to_the_room_there_is_and_said_whole() -> None:
    svg = MANY["credentials"](1).svg
    (first, second) = [
        text
        for text in ElementTree.fromstring(svg).iter(f"{SVG}text")
        if (text.text or "").startswith(("code", "u-0"))
    ]
    assert first.text == "code,"
    assert (second.text or "").endswith("佐…")
    assert drawn_text.width(second.text or "") <= 300
    assert first[0].text == second[0].text == f"code, {lifetime(0)['userId']}"


def test_names_that_are_long_have_two_lines() -> None:
    svg = plots.retirements(svckit.lifecycle.table(date(2026, 6, 1))).svg
    assert "…" not in svg
    assert ">Feature<" in svg
    assert ">Day, 20" in svg


def test_a_picture_is_saved_as_svg_alone(svc: Session, tmp_path: Path) -> None:
    figure = plots.credentials(svc)
    figure.save(tmp_path / "plot.svg")
    assert (tmp_path / "plot.svg").read_bytes() == figure.svg.encode()
    with pytest.raises(ValueError, match=r"must end in \.svg; given 'plot\.png'"):
        figure.save("plot.png")


def test_numbers_of_windows_stand_apart() -> None:
    root = ElementTree.fromstring(MANY["windows"](90).svg)
    places = [float(text.attrib["x"]) for text in root.iter(f"{SVG}text") if text.text == "1"]
    assert len(places) > 10
    assert all(right - left >= 26 for left, right in pairwise(places))


def test_what_was_not_answered_in_time_is_hollow() -> None:
    style = MANY["deliveries"](5).svg
    assert style.index(".hollow {") > style.index(".bad {")


def test_credentials_of_a_real_service_have_only_an_end() -> None:
    with connect_over_tcp(FakeService.sample(now=NOW)) as svc:
        assert plots.credentials(svc).description.startswith("2 of 2 credentials are valid")


def test_the_calendar_stands_on_the_clock_s_day() -> None:
    before, after = (
        plots.retirements(svckit.lifecycle.table(day)) for day in (date(2026, 12, 4), date(2026, 12, 5))
    )
    assert "retires in 1 day" in before.svg
    assert "retired 2026-12-05" in after.svg
    assert after.description == "On 2026-12-05, 10 are retired, 0 have a planned date, and 2 are undecided."


@pytest.mark.parametrize("name", ["user_id", "profile_status_id"])
def test_whatever_users_write_is_text(name: str) -> None:
    frame = pd.DataFrame(
        {
            "user_id": ["u-1"],
            "profile_status_id": ["BUSY"],
            "start_time": pd.to_datetime(["2026-06-01"], utc=True),
            "end_time": pd.to_datetime(["2026-06-09"], utc=True),
        }
    )
    figure = plots.timeline(frame.assign(**{name: EVIL}))
    ElementTree.fromstring(figure.svg)
    assert "<script" not in figure._repr_html_()
    assert "\x1b" not in repr(figure)


def test_a_frame_that_is_something_else_is_refused() -> None:
    with pytest.raises(
        ValueError, match=r"not a frame of deliveries: it has no column at; use svckit\.frames"
    ):
        plots.deliveries(frames.rules([]))


def test_the_bytes_do_not_depend_on_the_process() -> None:
    expression = (
        f"svckit.plots.credentials(FakeService.sample(now={NOW!r})).svg"
        f" + svckit.plots.retirements(FakeService.sample(now={NOW!r})).svg"
    )
    drawn = subprocess.run(
        [sys.executable, "-c", f"import svckit; from fakes import FakeService; print(ascii({expression}))"],
        capture_output=True,
        check=True,
        text=True,
        env=os.environ | {"PYTHONHASHSEED": "1", "TZ": "Asia/Tokyo"},
    ).stdout
    fake = FakeService.sample(now=NOW)
    assert drawn.strip() == ascii(plots.credentials(fake).svg + plots.retirements(fake).svg)


@pytest.mark.parametrize(
    ("kind", "columns"),
    [
        ("statuses", "start_time end_time user_id profile_status_id"),
        ("credentials", "issued_time end_time credential state"),
        ("journal", "at operation status"),
        ("messages", "sent_at channel_id title"),
        ("revisions", "stored_time place file_name"),
        ("files", "created_time place file_name"),
        ("lifecycle", "date stage item"),
    ],
)
def test_each_frame_with_times_has_a_timeline(kind: str, columns: str, svc: Session) -> None:
    svc.users.set_status("u-001", "BUSY", start="2026-06-02T08:00:00Z", end="2026-06-02T09:00:00Z")
    svc.notify("hello")
    _, header, *_ = str(getattr(frames, kind)(svc).svc.timeline()).splitlines()
    assert header.replace(" (UTC)", "").split() == columns.split()
    assert ("(UTC)" in header) == (kind != "lifecycle")  # days have no zone


def test_a_plot_of_a_session_is_in_the_zone_of_its_clock(svc: Session) -> None:
    lines = repr(plots.credentials(svc)).splitlines()
    assert "issued (+09:00)" in lines[1]
    assert "2026-06-01 09:00:00" in lines[2]
    assert lines[-1].endswith("on 2026-06-01 09:00:00 +09:00.")
    assert "Time (+09:00), 2026-06-01 09:00:00 to " in plots.credentials(svc).svg


@pytest.mark.parametrize(
    ("zone", "at"), [("Asia/Tokyo", "2026-06-02 08:30:00"), ("UTC", "2026-06-01 23:30:00")]
)
def test_a_plot_of_a_frame_keeps_its_zone_and_names_it(zone: str, at: str, svc: Session) -> None:
    svc.users.set_status("u-001", "BUSY", start="2026-06-02T08:30:00+09:00", end="2026-06-02T09:00:00+09:00")
    figure = plots.timeline(frames.in_zone(frames.statuses(svc), zone))
    _, header, row, *_ = repr(figure).splitlines()
    assert f"start_time ({zone})" in header
    assert at in row
    assert f"Time ({zone}), {at}" in figure.svg


def test_a_span_with_both_ends_has_round_corners(svc: Session) -> None:
    svc.users.set_status("u-001", "BUSY", end="2026-06-02T09:00:00Z")
    svc.users.set_status("u-002", "BUSY", start="2026-06-02T08:00:00Z", end="2026-06-02T09:00:00Z")
    spans = ElementTree.fromstring(frames.statuses(svc).svc.timeline().svg).iter(f"{SVG}rect")
    assert sorted(span.get("rx", "") for span in spans if span.get("class") == "span") == ["0", "3"]

"""A trace is a frame with a row per request."""

from fakes import FakeService

from ..conftest import Face
from ..http.test_trace import DRIVE, traced


def test_a_trace_is_a_frame(on_fake: Face, fake: FakeService) -> None:
    frame = traced(
        on_fake, lambda svc: svc.users.read("u-001"), lambda svc: svc.files.upload(b"x", to=DRIVE, name="x")
    ).frame()
    assert frame["operation"].tolist() == ["users.read", "files.upload", "files.upload"]
    assert frame["status"].tolist() == [200, 200, 201]
    assert frame["request_bytes"].isna().tolist() == [False, False, True]
    assert set(frame["at"]) == {fake.clock.now()}
    assert frame["assumed"][1].split(",")[0].strip() == fake.journal[-2].record()["assumed"][0]

"""The sequence diagram of a trace, as JupyterLab draws it."""

from urllib.parse import unquote

import pytest
from playwright.sync_api import expect

from .conftest import CONNECT, OpenNotebook

TRACED = """
svc.fake.faults.status("users.update", 503)
with svc.trace() as t:
    svc.users.read("u-001")
    svc.http.get("/a;b%%{init}%3Cimg%20src=x%3E#end")
t.diagram()
"""


@pytest.mark.long
def test_a_trace_is_drawn(open_notebook: OpenNotebook) -> None:
    page = open_notebook(CONNECT, TRACED)
    picture = page.locator(".jp-RenderedMermaid img")
    expect(picture).to_be_visible()
    drawn = unquote(picture.get_attribute("src") or "").replace("\xa0", " ")
    for text in (
        "resource API",
        "PATCH /users/u-001",
        "503 Service Unavailable",
        "the session waits 0.5 s: the service responded with 503; users.read is sent again",
        "200 OK",
        "GET /a;b%%",
    ):
        assert text in drawn, text
    assert "<img" not in drawn

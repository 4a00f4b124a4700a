"""The card of a fake, as a notebook shows it."""

import pytest

import svckit
from fakes import FakeService
from svckit.session.steps import SystemClock


def test_it_lists_the_parts_of_the_fake():
    fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
    fake.faults.status("users.update", 503)
    card = fake._repr_html_()
    for shown in ("standing at 2026-06-01T09:00:00+09:00", "20 users", "1 fault", "0 requests", "documented"):
        assert shown in card


def test_it_shows_where_the_fake_is_served():
    fake = FakeService.sample()
    assert "not served" in fake._repr_html_()
    with fake.serve() as first, fake.serve() as second:
        assert first.url in fake._repr_html_()
        assert second.url in fake._repr_html_()
    assert "not served" in fake._repr_html_()


@pytest.mark.parametrize(
    ("show", "part"),
    [
        (lambda svc: svc.fake.webhooks, "channel-1"),
        (lambda svc: svc.fake.directory, "of which these are the first 10"),
        (lambda svc: svc.fake.clock, "stands until moved"),
        (lambda svc: svc.fake.settings, "header word"),
        (lambda svc: svc.profile, "https://api.fake.test"),
        (lambda svc: svc.rate, "limit"),
        (lambda svc: svc.fake.snapshot(), "20 users, 1 file"),
        (lambda svc: svc.notify("Build is green"), "success"),
        (lambda svc: SystemClock(), "UTC"),
    ],
)
def test_what_a_notebook_shows_of_a_fake_and_its_session(show, part):
    svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
    html = show(svc)._repr_html_()
    assert part in html
    secrets = [
        svc.fake.facts["client_secret"],
        *(url.rpartition("/")[2] for url in svc.fake.facts["webhooks"]),
    ]
    assert [secret for secret in secrets if secret in html] == []

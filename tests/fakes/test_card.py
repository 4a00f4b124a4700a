"""The card of a fake, as a notebook shows it."""

from fakes import FakeService


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

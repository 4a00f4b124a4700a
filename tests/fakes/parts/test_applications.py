"""Further applications: registered with an address to return to, and kept with the rest of the state."""

import pytest

from fakes.http.errors import Refusal


@pytest.mark.parametrize("uri", ["", "/callback", "other.example/cb", "https:///cb", "https://a.example/#x"])
def test_a_redirect_url_is_an_absolute_address(fake, uri):
    before = fake.snapshot()
    with pytest.raises(Refusal, match="absolute and has no fragment"):
        fake.auth.register(uri)
    assert fake.snapshot() == before


def test_an_application_is_in_a_snapshot_and_goes_with_a_reset(fake):
    other = fake.auth.register("https://other.example/callback")
    forked = fake.fork()
    forked.auth.check_client(other.client_id, other.client_secret)
    assert forked.auth.register("https://third.example/callback").client_id == "client-3"
    fake.reset()
    with pytest.raises(Refusal):
        fake.auth.check_client(other.client_id, other.client_secret)

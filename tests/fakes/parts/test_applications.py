"""Further applications: registered with an address to return to, and kept with the rest of the state."""

import pytest

from fakes.http.errors import Refusal


def test_an_application_is_in_a_snapshot_and_goes_with_a_reset(fake):
    other = fake.auth.register("https://other.example/callback")
    forked = fake.fork()
    forked.auth.check_client(other.client_id, other.client_secret)
    assert forked.auth.register("https://third.example/callback").client_id == "client-3"
    fake.reset()
    with pytest.raises(Refusal):
        fake.auth.check_client(other.client_id, other.client_secret)

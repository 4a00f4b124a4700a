"""Limits that are not lengths of a single field."""

import pytest

from svckit.models import NOTIFICATIONS_PER_MINUTE, WEBHOOKS_PER_DOMAIN, average_per_url

DESCRIBED = {1: 120, 2: 60, 3: 40, 4: 30, 5: 24}


def test_the_averages_of_each_url_are_those_described():
    assert {urls: average_per_url(urls) for urls in range(1, WEBHOOKS_PER_DOMAIN + 1)} == DESCRIBED
    assert all(urls * each == NOTIFICATIONS_PER_MINUTE for urls, each in DESCRIBED.items())


def test_the_averages_follow_the_limit_that_is_applied():
    assert [average_per_url(urls, 240) for urls in (1, 2, 5)] == [240, 120, 48]


@pytest.mark.parametrize("urls", [0, 6, -1])
def test_a_domain_has_one_to_five_urls(urls):
    with pytest.raises(ValueError, match=f"1 to 5 webhook URLs .* given {urls}"):
        average_per_url(urls)

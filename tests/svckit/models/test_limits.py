"""Limits that are not lengths of a single field."""

import pytest

from svckit.models import average_per_url


def test_the_averages_follow_the_limit_that_is_applied():
    assert [average_per_url(urls, 240) for urls in (1, 2, 5)] == [240, 120, 48]


@pytest.mark.parametrize("urls", [0, 6, -1])
def test_a_domain_has_one_to_five_urls(urls):
    with pytest.raises(ValueError, match=f"1 to 5 webhook URLs .* given {urls}"):
        average_per_url(urls)

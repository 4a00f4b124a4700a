"""The limits of the service that are not lengths of a single field.

From the service's description, section "Limits". Lengths, counts and patterns of fields are defined with the fields.
"""

from datetime import timedelta
from typing import Final

__all__ = [
    "ACCESS_TOKEN_LIFETIME",
    "AUTHORIZATION_CODE_LIFETIME",
    "CURRENT_STATUSES_PER_USER",
    "NOTIFICATIONS_PER_MINUTE",
    "REFRESH_TOKEN_LIFETIME",
    "RESERVED_STATUSES_PER_USER",
    "WEBHOOKS_PER_DOMAIN",
    "average_per_url",
]

AUTHORIZATION_CODE_LIFETIME: Final = timedelta(minutes=10)
"""The lifetime of an authorization code, which can be exchanged once."""

ACCESS_TOKEN_LIFETIME: Final = timedelta(hours=24)
"""The lifetime of an access token."""

REFRESH_TOKEN_LIFETIME: Final = timedelta(days=90)
"""The lifetime of a refresh token."""

WEBHOOKS_PER_DOMAIN: Final = 5
"""The maximum number of webhook URLs of a domain."""

NOTIFICATIONS_PER_MINUTE: Final = 120
"""The maximum number of notifications of a domain in a minute, over all its webhook URLs."""

CURRENT_STATUSES_PER_USER: Final = 1
"""The maximum number of current profile statuses of a user."""

RESERVED_STATUSES_PER_USER: Final = 1
"""The maximum number of reserved profile statuses of a user."""


def average_per_url(urls: int, limit: int = NOTIFICATIONS_PER_MINUTE) -> int:
    """Return the average number of notifications a minute for each URL.

    The service's description (section "Limits") gives these averages. They follow from sharing the limit. The fake
    holds only the domain as a whole to it, so one URL may post more while the others post less.

    Args:
        urls: the number of webhook URLs that share the limit, from 1 to 5.
        limit: notifications a minute of the whole domain, as ``RateLimit-Limit`` says.

    Raises:
        ValueError: a domain cannot have that many URLs.

    Examples:
        >>> [average_per_url(urls) for urls in (1, 2, 3, 4, 5)]
        [120, 60, 40, 30, 24]
    """
    if not 1 <= urls <= WEBHOOKS_PER_DOMAIN:
        raise ValueError(
            f"a domain has 1 to {WEBHOOKS_PER_DOMAIN} webhook URLs (section Limits of the service's description); "
            f"given {urls}"
        )
    return limit // urls

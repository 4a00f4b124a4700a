"""The limits of the service that are not lengths of a single field.

From the service's description, section "Limits". Lengths, counts and patterns of fields stand with the fields.
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
]

AUTHORIZATION_CODE_LIFETIME: Final = timedelta(minutes=10)
"""How long an authorization code can be exchanged, once."""

ACCESS_TOKEN_LIFETIME: Final = timedelta(hours=24)
"""How long an access token opens the resource API."""

REFRESH_TOKEN_LIFETIME: Final = timedelta(days=90)
"""How long a refresh token renews an access token."""

WEBHOOKS_PER_DOMAIN: Final = 5
"""How many notification URLs a domain may have."""

NOTIFICATIONS_PER_MINUTE: Final = 120
"""How many notifications a domain may post in a minute, over all its notification URLs together."""

CURRENT_STATUSES_PER_USER: Final = 1
"""How many profile statuses of a user can be current."""

RESERVED_STATUSES_PER_USER: Final = 1
"""How many profile statuses of a user can be reserved."""

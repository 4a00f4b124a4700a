"""The requests for a download URL, on which its use may depend."""

from collections.abc import Mapping
from datetime import datetime

from fakes import rulebook
from fakes.http.errors import Refusal
from fakes.parts.uploads import LIFETIME
from fakes.rulebook.rules import Rules

__all__ = ["check_requester"]


def check_requester(requested: Mapping[str, datetime], user_id: str, now: datetime, rules: Rules) -> None:
    """Check that a user requested the download URL, and in time, if that is assumed to matter.

    Args:
        requested: when each user requested it last.
        user_id: the user who uses it.
        now: the time of the use.
        rules: decide what matters.

    Raises:
        Refusal: the URL is another user's, or has expired.
    """
    late = all(now - at > LIFETIME for at in requested.values())
    another = user_id not in requested
    if not late and not another:
        return
    chosen = rules.choice(rulebook.files.DOWNLOAD_VALIDITY)
    if another and chosen == "same-user":
        raise Refusal(
            "not_found", "this download URL was issued to another user; request one from the file's endpoint"
        )
    if late and chosen == "24h":
        raise Refusal(
            "no_file", "this download URL expired after 24 hours; request a new one from the file's endpoint"
        )

"""Users as paths name them: by ID, login e-mail or external key, or as the caller."""

from fakes import rulebook
from fakes.handlers.context import CallContext
from fakes.http.errors import Refusal
from fakes.http.messages import RequestHead
from fakes.parts.bearers import read_bearer
from fakes.parts.state import State
from fakes.parts.tokens import Token
from fakes.rulebook.refusing import describe_choices

__all__ = ["find_user", "look_up_user"]

ME = "me"
"""The user of the access token in a path, and the alternative of the rule ``user.addressing`` that accepts it."""


def find_user(call: CallContext, caller: Token, key: str) -> str:
    """Return the ID of the user that a path names; ``me`` is the caller, if that is assumed.

    Raises:
        Refusal: the user is not found.
    """
    users, rules = call.state.users, call.state.rules
    if key == ME and key not in users and rules.choice(rulebook.directory.ADDRESSING) == ME:
        return caller.user_id
    try:
        return users.resolve(key)
    except Refusal as refusal:
        if key == ME:
            refusal.remedy = describe_choices({rulebook.directory.ADDRESSING.id: ME})
        raise


def look_up_user(state: State, head: RequestHead, key: str) -> str:
    """Return the ID of the user that a path names, or the name if it is unknown, without using a rule."""
    if key == ME and ME not in state.users and state.rules.look_up(rulebook.directory.ADDRESSING) == ME:
        return state.tokens.get_user(read_bearer(head, state.rules)) or ME
    is_id = "@" not in key and ":" not in key  # as most are
    return key if is_id else state.users.look_up(key) or key

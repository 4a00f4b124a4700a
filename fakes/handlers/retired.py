"""Operations that are retired, or planned to be retired and not described."""

from functools import partial
from typing import NoReturn

from fakes.handlers.context import CallContext
from fakes.handlers.routing import Handler
from svckit.models.lifecycle import Retirement

__all__ = ["refuse_calls_of"]


def refuse_calls_of(item: Retirement) -> Handler:
    """Return a handler that refuses all calls of a retired feature, with or without a token."""
    return partial(_refuse, item)


def _refuse(item: Retirement, call: CallContext) -> NoReturn:
    raise call.state.lifecycle.make_refusal(item)

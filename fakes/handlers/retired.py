"""Operations that have ended, or are planned to end and are not described."""

from functools import partial
from typing import NoReturn

from fakes.handlers.context import CallContext
from fakes.handlers.routing import Handler
from svckit.models.lifecycle import Retirement

__all__ = ["refuse_calls_of"]


def refuse_calls_of(item: Retirement) -> Handler:
    """A handler of the operations of a retired feature; whoever calls, with a token or without, is told the same."""
    return partial(_refuse, item)


def _refuse(item: Retirement, call: CallContext) -> NoReturn:
    raise call.state.lifecycle.make_refusal(item)

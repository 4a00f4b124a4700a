"""The order of refusals: a bearer credential that is not valid, or what else is wrong with a call."""

from fakes import rulebook
from fakes.handlers.context import CallContext
from fakes.http.addresses import Area
from fakes.http.errors import Refusal
from fakes.parts.bearers import BEFORE_BEARER, needs_no_bearer, read_bearer
from fakes.rulebook.deviations import STORAGE_BEARER

__all__ = ["check_bearer_first"]


def check_bearer_first(call: CallContext, refusal: Refusal, area: Area) -> Refusal:
    """Return the refusal to report: this one, or that of a wrong bearer credential if it comes first."""
    rules = call.state.rules
    if (
        refusal.kind not in BEFORE_BEARER
        or area not in ("api", "storage")
        or call.state.tokens.is_valid(read_bearer(call.head, rules))
    ):
        return refusal
    rule, first = rulebook.api.BEARER_ORDER, "bearer-first"
    if refusal.kind == "unmatched":
        rule, first = rulebook.api.UNMATCHED_BEARER, "checked"
    if rules.look_up(rule) == first:
        if area == "storage" and needs_no_bearer(call.head, rules):
            rules.deviate(STORAGE_BEARER)
            return refusal
        rules.begin_again()  # whatever decided the other refusal
    if rules.apply(rule) != first:
        return refusal
    try:
        call.authenticate()
    except Refusal as unauthorized:
        if refusal.kind == "unmatched":  # the client has to know both
            description = f"{unauthorized.description}; besides, {refusal.description}"
            return Refusal(unauthorized.kind, description, remedy=unauthorized.remedy)
        return unauthorized
    return refusal

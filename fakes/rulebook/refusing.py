"""Refused assumptions, and assumptions under which calls are refused that others of their alternatives allow."""

import json
from collections.abc import Mapping
from typing import Literal, get_args

from fakes.rulebook.rule import Rule

__all__ = [
    "Policy",
    "check_policy",
    "describe_allowing",
    "describe_choices",
    "describe_refused",
    "is_refusing",
]

Policy = Literal["allow", "refuse", "refuse-unobserved"]
"""What happens to a response that would rest on an assumption; the last refuses those that were not measured."""

REFUSING: Mapping[str, tuple[str, ...]] = {
    "api.bearer-form": ("exact",),
    "api.content-type": ("refused",),
    "api.duplicate-key": ("refused",),
    "api.extra-fields": ("refused",),
    "api.permission": ("self-or-administrator",),
    "api.query": ("refused",),
    "api.rate-limit": ("per-minute",),
    "api.ready-stubs": ("not-described",),
    "api.scope": ("file-and-user",),
    "api.text-limit": ("refused",),
    "auth.domain-name": ("checked",),
    "auth.inactive-user": ("refused",),
    "auth.login-id-case": ("exact",),
    "auth.pkce": ("checked",),
    "auth.repeated-parameter": ("refused",),
    "auth.scope-names": ("user-and-file",),
    "auth.scope-separator": ("comma-only",),
    "auth.unknown-parameter": ("refused",),
    "file.containers": ("refused",),
    "file.download-reuse": ("single-use",),
    "file.download-validity": ("same-user", "24h"),
    "file.empty-name": ("refused",),
    "file.modified-time": ("date-time",),
    "file.parent": ("refused",),
    "file.part-name": ("Filedata-only",),
    "file.photo": ("refused",),
    "file.place": ("own-place",),
    "file.query": ("refused",),
    "file.range-unit": ("refused",),
    "file.raw": ("refused",),
    "file.same-name": ("refused",),
    "file.size": ("checked",),
    "file.size-limit": ("413", "400"),
    "file.upload-lifetime": ("24h",),
    "file.upload-reuse": ("single-use",),
    "file.upload-user": ("bound",),
    "status.open-end": ("refused",),
    "status.order": ("refused",),
    "status.past": ("refused",),
    "status.replaced": ("refused",),
    "token.client-bound": ("refused",),
    "token.client-credentials": ("refused",),
    "token.code-reuse": ("ends-tokens",),
    "token.content-type": ("refused",),
    "token.earlier-access": ("ended",),
    "token.jwt-bearer": ("refused",),
    "token.last-instant": ("excluded",),
    "token.redirect-uri": ("checked",),
    "token.refresh-reuse": ("single-use",),
    "user.concurrent": ("409",),
    "user.inactive": ("not-found",),
    "user.not-settable": ("400", "403"),
}
"""By rule, the alternatives that refuse every call that depends on them. The others of the rule allow it.

A rule is not here if an alternative refuses only some of these calls, or if another refuses some of them too. Nor is
one that is only weighed, where all alternatives are tried; see `Rules.weigh`.
"""


def check_policy(policy: str, deviations: str, *, measured: bool) -> None:
    """Check a policy and the deviations chosen with it, of which only measured ones go with refusing the unobserved.

    Raises:
        ValueError: it is another policy, or contradicts the deviations.

    Examples:
        >>> check_policy("refuse-unobserved", "file.stored=200", measured=True)
        >>> check_policy("none", "", measured=True)
        Traceback (most recent call last):
        ...
        ValueError: assumptions must be "allow", "refuse" or "refuse-unobserved"; given 'none'
    """
    if policy not in get_args(Policy):
        raise ValueError(f'assumptions must be "allow", "refuse" or "refuse-unobserved"; given {policy!r}')
    if deviations and (policy == "refuse" or (policy == "refuse-unobserved" and not measured)):
        raise ValueError(
            f'assumptions="{policy}" keeps to what the service\'s description says, and deviations depart from it: '
            f"choose one or the other; the deviations are {deviations}"
        )


def describe_refused(rule: Rule) -> str:
    """Return why a response that would rest on an assumption is refused, and what to do.

    Examples:
        >>> from fakes.rulebook import files
        >>> describe_refused(files.RAW)[:52]
        'this response would rest on the assumption file.raw '
    """
    return (
        f"this response would rest on the assumption {rule.id} ({rule.text}), which section {rule.section} of the "
        'service\'s description does not show; allow it with assumptions="allow" (of a served fake: PATCH /rules), or '
        "keep to documented behavior"
    )


def describe_allowing(rule: Rule, chosen: Mapping[str, str]) -> str:
    """Return the settings that allow what the chosen alternative of a rule refuses; empty if it refuses nothing.

    Examples:
        >>> from fakes.rulebook import files
        >>> describe_allowing(files.RAW, {"file.raw": "refused"})
        'assume={"file.raw": "accepted"}'
        >>> describe_allowing(files.RAW, {"file.raw": "accepted"})
        ''
    """
    if not is_refusing(rule, chosen.get(rule.id, "")):
        return ""
    allowing = (alternative for alternative in rule.alternatives if not is_refusing(rule, alternative))
    return " or ".join(describe_choices({rule.id: alternative}) for alternative in allowing)


def is_refusing(rule: Rule, alternative: str) -> bool:
    """Return whether an alternative refuses every call that depends on it.

    Examples:
        >>> from fakes.rulebook import directory
        >>> is_refusing(directory.NOT_SETTABLE, "403"), is_refusing(directory.NOT_SETTABLE, "ignored")
        (True, False)
    """
    return alternative in REFUSING.get(rule.id, ())


def describe_choices(choices: Mapping[str, str]) -> str:
    """Return the setting that chooses alternatives.

    Args:
        choices: the alternatives by rule ID.

    Examples:
        >>> describe_choices({"file.raw": "accepted"})
        'assume={"file.raw": "accepted"}'
    """
    return f"assume={json.dumps(dict(choices))}"

"""The facts that configure a client of a fake."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self, overload

from fakes.http.addresses import FACTS, BaseURLs
from fakes.http.unpicklable import Unpicklable
from fakes.parts.state import CHANNEL_ID, State
from fakes.parts.user_store import UserStore
from fakes.rulebook import callbacks
from svckit.display.masking import MASK, mask
from svckit.display.suggestions import UnknownName, did_you_mean
from svckit.display.tab import PublicNames

__all__ = ["Facts", "SecretText", "UserIds"]

MOST_LISTED = 10_000
"""The most users whose IDs JSON lists."""
FIRST_LISTED = 100
"""The number of IDs that it lists of more users."""
SHOWN = 20
"""The number of IDs that the repr of all shows."""
SECRET = frozenset({"admin_key", "client_secret", "password", "bot_secret", "private_key"})


class SecretText(Unpicklable, str):
    """Text like any other, whose repr is masked: in failed assertions, tracebacks with variables, and notebooks.

    Text that is made of it is plain, such as the header ``f"Bearer {key}"``; ``str(key)`` is for what accepts nothing
    but `str`, such as YAML.

    Examples:
        >>> key = SecretText("my-admin-key")
        >>> key, f"Bearer {key}"
        ('***', 'Bearer my-admin-key')
    """

    __slots__ = ()
    is_shown_masked = True  # for `svckit.fakes_plugin`, which explains a comparison

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _memo: object) -> Self:
        return self

    def __repr__(self) -> str:
        masked = mask(self)
        return repr(MASK if masked == self else masked)


class UserIds(Sequence[str]):
    """The IDs of all users of a domain: the sample by number, then the others in the order in which they were added.

    It follows the domain, and costs nothing until it is read. It equals a list with the same IDs; `list` makes one,
    such as for JSON, and a copy, a pickle or a sum is one.

    Args:
        users: the users.

    Examples:
        >>> from fakes import FakeService
        >>> ids = FakeService.sample(users=1_000_000, now="2026-06-01T09:00:00+09:00").facts["users"]
        >>> len(ids), ids[0], ids[-1], ids[1:3], "u-020" in ids
        (1000000, 'u-001', 'u-1000000', ['u-002', 'u-003'], True)
    """

    def __init__(self, users: UserStore) -> None:
        self._users = users

    def __len__(self) -> int:
        return len(self._users)

    def __contains__(self, user_id: object) -> bool:
        return user_id in self._users

    def __iter__(self) -> Iterator[str]:
        return iter(self._users)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        places = range(len(self))[index]
        if isinstance(places, int):
            return self._users.ids_at(range(places, places + 1))[0]
        return self._users.ids_at(places)

    def __add__(self, others: list[str]) -> list[str]:
        return [*self, *others]

    def __radd__(self, others: list[str]) -> list[str]:
        return [*others, *self]

    def __reduce__(self) -> tuple[type[list[str]], tuple[list[str]]]:
        return list, ([*self],)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, list | UserIds):
            return NotImplemented
        return len(self) == len(other) and [*self] == [*other]

    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # as of a list

    def __repr__(self) -> str:
        more = len(self) - SHOWN
        return repr(self[:SHOWN]) if more <= 0 else f"{self[:SHOWN]!r} and {more:,} more"


class Facts(PublicNames, Unpicklable, Mapping[str, Any], internal="of"):
    """A mapping with the keys of a served fake's ready line; its repr masks secrets.

    Keys: base_url, auth_url, upload_url, webhook_url, admin_url, admin_key, client_id, client_secret, redirect_uri,
    domain_id, login_id, password, user_id, bot_id, bot_secret, channel_id, webhooks (URLs), users (IDs), now,
    signature (how events are signed, under the alternatives now chosen), header_word (the product word in their
    headers), deviations (the values now chosen, by ID). Where the rule
    ``token.jwt-bearer`` lets service accounts sign in, service_account has the client_id, client_secret and private_key
    (PEM) of one, and the login_id of a user for whom it may ask. With more than 10,000 users there is also user_count,
    and JSON has only the first 100 users; in process ``users`` is always a sequence of all of them.

    Examples:
        >>> from fakes import FakeService
        >>> facts = FakeService.sample(users=50_000, now="2026-06-01T09:00:00+09:00").facts
        >>> facts["users"][-1], facts["user_count"], len(facts.to_wire()["users"])
        ('u-50000', 50000, 100)
    """

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = _mark_secrets(values)
        if "webhooks" in values:
            self._values["webhooks"] = [SecretText(url) for url in values["webhooks"]]
        if "service_account" in values:
            self._values["service_account"] = _mark_secrets(values["service_account"])

    @classmethod
    def of(cls, state: State, base_urls: BaseURLs) -> "Facts":
        """Return the facts of a state, with the base URLs of a door."""
        application, bot = state.auth.application, next(iter(state.callbacks.bots.values()))
        first, users = state.users.first, UserIds(state.users)
        return cls(
            {
                **{key: getattr(base_urls, area) for key, area in FACTS.items()},
                "admin_key": state.admin_key,
                "client_id": application.client_id,
                "client_secret": application.client_secret,
                "redirect_uri": application.redirect_uri,
                "domain_id": state.settings.domain_id,
                "login_id": state.users.record(first)["email"],
                "password": state.auth.password(first),
                "user_id": first,
                "bot_id": bot.bot_id,
                "bot_secret": bot.secret,
                "channel_id": next(iter(state.webhooks.by_room), CHANNEL_ID),
                "webhooks": [f"{base_urls.hooks}/message/{w.webhook_id}" for w in state.webhooks.all()],
                "users": users,
                **({"user_count": len(users)} if len(users) > MOST_LISTED else {}),
                "now": state.clock.now().isoformat(),
                "signature": state.rules.look_up(callbacks.SIGNATURE),
                "header_word": state.settings.header_word,
                "deviations": dict(state.rules.deviations.chosen),
                **_describe_service_account(state, first),
            }
        )

    def to_wire(self) -> dict[str, Any]:
        """Return the facts as plain data for JSON: of many users, only the first."""
        users: Sequence[str] = self["users"]
        listed = [*users] if len(users) <= MOST_LISTED else users[:FIRST_LISTED]
        plain = {key: str(value) if key in SECRET else value for key, value in self.items()}
        if "service_account" in self:
            plain["service_account"] = {key: str(value) for key, value in self["service_account"].items()}
        return {**plain, "webhooks": [str(url) for url in self["webhooks"]], "users": listed}

    def __getitem__(self, key: str) -> Any:
        if key not in self._values:
            raise UnknownName("fact", key, self._values)
        return self._values[key]

    if not TYPE_CHECKING:  # or type checkers would accept any name

        def __getattr__(self, name: str) -> Any:
            __tracebackhide__ = True
            # Private names are looked up by programs, also in a copy that has no values yet.
            facts = {} if name.startswith("_") else self._values
            key, near = (name, "") if name in facts else ("base_url", did_you_mean(name, facts))
            raise AttributeError(f"Facts has no attribute {name!r}; read a fact as facts[{key!r}]{near}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        items = (
            f"{key}={MASK if key in SECRET else mask(str(value))}" for key, value in self._values.items()
        )
        return f"Facts({', '.join(items)})"


def _mark_secrets(values: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: SecretText(value) if key in SECRET and isinstance(value, str) else value
        for key, value in values.items()
    }


def _describe_service_account(state: State, user_id: str) -> dict[str, Any]:
    account = state.auth.service_account
    if account is None:
        return {}
    from fakes.parts.sign_in.service_account import make_key_pair

    pair = make_key_pair()
    return {
        "service_account": {
            "client_id": account.client_id,
            "client_secret": account.client_secret,
            "private_key": pair.private if pair else "",
            "login_id": state.users.record(user_id)["email"],
        }
    }

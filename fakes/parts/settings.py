"""The settings of the domain in a fake."""

from collections import Counter
from typing import Annotated, Any, ClassVar, Self

from pydantic import AfterValidator, ConfigDict, Field, ValidationError, field_validator

from svckit.display.card import render_fields
from svckit.display.suggestions import nearest
from svckit.models.base import Flag, Integer, WireModel, wire_name
from svckit.models.custom_properties import PropertyDefinition
from svckit.models.lifecycle import RETIREMENTS, SWITCHES
from svckit.models.problems import join_problems, list_problems
from svckit.models.signature import HEADER_WORD, describe_bad_word, is_header_word
from svckit.models.times import WireDate
from svckit.models.user import User

__all__ = ["DomainSettings", "PropertyRestriction"]

Text = Annotated[str, Field(min_length=1)]


def _check_word(word: str) -> str:
    if not is_header_word(word):
        raise ValueError(describe_bad_word(word))
    return word


Word = Annotated[str, AfterValidator(_check_word)]


ALWAYS_SHOWN = ("domainId", "userId", "email", "userName")
"""The properties that identify the user of a response; the description requires all but ``userId``."""


class PropertyRestriction(WireModel):
    """The restriction of one user property by the management settings, for every caller."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    settable: Flag = Field(default=True, description="Whether updates can change the property.")
    readable: Flag = Field(default=True, description="Whether responses have the property.")


class DomainSettings(WireModel):
    """The settings of the service's administrator screen. Assign to change one; assignments are checked.

    Attributes:
        domain_id: the domain's ID, which cannot be changed.
        domain_name: the domain's name, which sign-in sends under single sign-on.
        profile_status_enabled: whether users can have profile statuses.
        single_sign_on: whether the domain uses single sign-on, so that sign-in requires the domain's name.
        advanced_plan: whether the domain has the advanced plan, under which the e-mail for external chats must be
            among the user's ``aliasEmails``.
        forbidden_email_words: words that an e-mail for external chats must not contain.
        custom_properties: the definitions of the users' custom properties.
        property_restrictions: the restrictions of the management settings, by the wire names of properties, such as
            ``{"birthday": {"readable": False}}``; other properties are readable and, unless read-only, settable.
        header_word: the word that stands for the product in the header names of callback events, ``SERVICE`` in
            ``X-SERVICE-Signature``.
        api_calls_per_minute: the limit of the assumption ``api.rate-limit``; None means 6000 if a limit is assumed.
        retirement_dates: not in the screen: the days on which features retire and values change, by the keys of
            `svckit.models.lifecycle`, such as ``{"custom-fields": date(2026, 12, 1)}``.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> svc.fake.settings.profile_status_enabled = False
        >>> svc.users.set_status("u-001", "BUSY")
        Traceback (most recent call last):
        ...
        svckit.errors.Refused: users.set_status failed: The status must be enable: ...
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(validate_assignment=True, extra="forbid")

    domain_id: int = Field(
        default=10000001, frozen=True, description="ID of the domain, which cannot be changed."
    )
    domain_name: Text = Field(
        default="example", description="Name of the domain, which sign-in sends under single sign-on."
    )
    profile_status_enabled: Flag = Field(default=True, description="Whether users can have profile statuses.")
    single_sign_on: Flag = Field(default=False, description="Whether sign-in requires the domain's name.")
    advanced_plan: Flag = Field(default=False, description="Whether the domain has the advanced plan.")
    forbidden_email_words: list[Text] = Field(
        default=[], description="Words that an e-mail for external chats must not contain."
    )
    custom_properties: list[PropertyDefinition] = Field(
        default=[], description="The definitions of the users' custom properties."
    )
    property_restrictions: dict[str, PropertyRestriction] = Field(
        default={}, description="The restrictions of the management settings, by property."
    )
    header_word: Word = Field(
        default=HEADER_WORD,
        description="The word that stands for the product in the header names of events, as in X-SERVICE-Signature.",
    )
    api_calls_per_minute: Annotated[Integer, Field(ge=1)] | None = Field(
        default=None,
        description="The limit of the rule api.rate-limit; null means 6000 if a limit is assumed.",
    )
    retirement_dates: dict[str, WireDate] = Field(
        default={},
        description="The days on which features retire and values change, by the key of the retirement.",
    )

    def _repr_html_(self) -> str:
        return render_fields(self, type(self).model_fields)

    def __dir__(self) -> list[str]:
        return sorted(type(self).model_fields)

    def __setattr__(self, name: str, value: Any) -> None:
        """Change a setting.

        Raises:
            AttributeError: there is no such setting.
            ValueError: the value is not valid, or the setting cannot be changed.
        """
        if name not in type(self).model_fields:
            raise AttributeError(f"there is no setting {name!r}; {nearest(name, type(self).model_fields)}")
        try:
            super().__setattr__(name, value)
        except ValidationError as invalid:
            problems = list_problems(invalid, spelled=lambda path: path.replace(wire_name(name), name, 1))
            raise ValueError(f"the setting was not changed: {join_problems(problems)}") from None

    @field_validator("custom_properties")
    @classmethod
    def _check_names(cls, definitions: list[PropertyDefinition]) -> list[PropertyDefinition]:
        names = Counter(definition.name for definition in definitions)
        duplicates = sorted(name for name, count in names.items() if count > 1)
        if duplicates:
            raise ValueError(f"two custom properties have the name {', '.join(duplicates)}")
        return definitions

    @field_validator("property_restrictions")
    @classmethod
    def _check_restrictions(
        cls, restrictions: dict[str, PropertyRestriction]
    ) -> dict[str, PropertyRestriction]:
        unknown = sorted(restrictions.keys() - User.wire_names())
        if unknown:
            raise ValueError(
                f"must have user properties as keys; {nearest(unknown[0], sorted(User.wire_names()))}"
            )
        hidden = [name for name in ALWAYS_SHOWN if name in restrictions and not restrictions[name].readable]
        if hidden:
            raise ValueError(f"cannot make {', '.join(hidden)} unreadable, as every response has them")
        return restrictions

    @field_validator("retirement_dates")
    @classmethod
    def _check_dates(cls, dates: dict[str, WireDate]) -> dict[str, WireDate]:
        keys = [item.key for item in (*RETIREMENTS, *SWITCHES)]
        unknown = sorted(dates.keys() - keys)
        if unknown:
            raise ValueError(f"must have the keys {', '.join(keys)}; given {', '.join(unknown)}")
        return dates

    def dump(self) -> Self:
        """Return the settings for a snapshot."""
        return self.model_copy(deep=True)

    def load(self, data: Self) -> None:
        """Replace the settings with saved ones."""
        for name, field in type(self).model_fields.items():
            if not field.frozen:
                setattr(self, name, getattr(data, name))

"""The settings of the one domain a fake holds."""

from pydantic import ConfigDict, Field

from svckit.models.base import WireModel
from svckit.models.custom_properties import PropertyDefinition

__all__ = ["DomainSettings"]


class DomainSettings(WireModel):
    """What the administrator screen of the service would set. Assign to change; an assignment is checked."""

    model_config = ConfigDict(validate_assignment=True)

    domain_id: int = Field(default=10000001, frozen=True)
    domain_name: str = "example"
    profile_status_enabled: bool = True
    single_sign_on: bool = False
    advanced_plan: bool = False
    forbidden_email_words: list[str] = Field(default=[])
    custom_properties: list[PropertyDefinition] = Field(default=[])

"""Limits of the length of texts.

The service's description does not say what it counts. Of what it may count, a text has the fewest graphemes, which are
the characters that readers see: an emoji of a family is one, of seven code points. So a text is refused here only if it
has too many graphemes; the service counts what it counts.
"""

from typing import Any, NamedTuple

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema
from pydantic_core.core_schema import (
    chain_schema,
    no_info_plain_validator_function,
    str_schema,
    union_schema,
)

__all__ = ["AtMost", "count_graphemes"]

LONGEST_GRAPHEME = 64
"""The code points of a grapheme in use; a text of longer ones is too long without counting them."""


def count_graphemes(text: str, most: int) -> int:
    """Return the number of characters that readers see, or of one that is far too long, some number beyond the limit.

    Examples:
        >>> count_graphemes("e\\u0301te\\u0301", 100), count_graphemes("ete", 2)
        (3, 3)
    """
    if text.isascii() or len(text) > most * LONGEST_GRAPHEME:
        return len(text)
    from wcwidth import iter_graphemes  # its tables are large, and few texts need them

    return sum(1 for _ in iter_graphemes(text))


class AtMost(NamedTuple):
    """An annotation that limits a text: ``Annotated[str, AtMost(100)]``.

    Examples:
        >>> from svckit.models.user import UserChange
        >>> len(UserChange(nick_name="e\\u0301" * 100).nick_name)
        200
    """

    most: int

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        # Nearly all texts have few enough code points, so no Python is called for them.
        short_enough = union_schema(
            [str_schema(max_length=self.most), no_info_plain_validator_function(self._check)],
            mode="left_to_right",
            custom_error_type="string_too_long",
            custom_error_context={"max_length": self.most},
        )
        return chain_schema([short_enough, handler(source)])

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        text: Any = schema
        return {**handler(text["steps"][-1]), "maxLength": self.most}

    def _check(self, value: Any) -> Any:
        """Return a text of few enough graphemes, or a value of another type, which is checked next."""
        if isinstance(value, bytes) or (
            isinstance(value, str) and count_graphemes(value, self.most) > self.most
        ):
            raise ValueError
        return value

"""A type for secrets.

No repr, log line, traceback, exported file or pickle may show a secret.
"""

import hmac
from typing import Any, Never, Self, SupportsIndex

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, PydanticKnownError, core_schema

from svckit.display.masking import MASK

__all__ = ["Secret"]


class Secret:
    """A string that does not show itself; immutable and hashable.

    It masks itself in ``repr``, ``str``, ``format`` and JSON. Only :meth:`reveal` returns the text. Two
    secrets are compared in constant time; a secret never equals a plain string.

    Examples:
        >>> token = Secret("wJalrXUtnFEMI")
        >>> token, str(token), f"Bearer {token}"
        (Secret('***'), '***', 'Bearer ***')
        >>> token.reveal()
        'wJalrXUtnFEMI'
        >>> token == Secret("wJalrXUtnFEMI"), token == "wJalrXUtnFEMI"
        (True, False)
    """

    __slots__ = ("_text",)
    _text: str

    def __init__(self, text: "str | Secret") -> None:
        object.__setattr__(self, "_text", text._text if isinstance(text, Secret) else text)

    def reveal(self) -> str:
        """Return the text itself. Call this only where the text is sent."""
        return self._text

    def __repr__(self) -> str:
        return f"Secret('{MASK}')"

    def __str__(self) -> str:
        return MASK

    def __format__(self, spec: str) -> str:
        return format(MASK, spec)

    def __bool__(self) -> bool:
        return bool(self._text)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Secret):
            return NotImplemented
        return hmac.compare_digest(
            self._text.encode(errors="surrogatepass"), other._text.encode(errors="surrogatepass")
        )

    def __hash__(self) -> int:
        return hash((Secret, self._text))

    def __setattr__(self, name: str, value: object) -> Never:
        raise AttributeError("a Secret cannot be changed; make a new one")

    def __delattr__(self, name: str) -> Never:
        raise AttributeError("a Secret cannot be changed; make a new one")

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce_ex__(self, protocol: SupportsIndex) -> Never:
        raise TypeError(
            "a Secret is not pickled, because the pickle would hold it in the clear; "
            "store secrets in the environment or a keyring and read them again"
        )

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.json_or_python_schema(
            json_schema=core_schema.no_info_after_validator_function(cls, core_schema.str_schema()),
            python_schema=core_schema.no_info_plain_validator_function(cls._from_python),
            serialization=core_schema.plain_serializer_function_ser_schema(
                str, when_used="json-unless-none", return_schema=core_schema.str_schema()
            ),
        )

    @classmethod
    def _from_python(cls, value: Any) -> Self:
        if not isinstance(value, str | Secret):
            raise PydanticKnownError("string_type")
        return cls(value)

"""The names that Tab shows of an object, which are those that people use."""

from typing import Any, ClassVar

__all__ = ["PublicNames"]


class PublicNames:
    """An object of which Tab does not show the ``internal`` names, which only other modules of the package use.

    Examples:
        >>> class Counter(PublicNames, internal="dump load"):
        ...     def count(self): ...
        ...     def dump(self): ...
        >>> [name for name in dir(Counter()) if not name.startswith("_")]
        ['count']
    """

    __slots__ = ()
    _internal: ClassVar[frozenset[str]] = frozenset()

    def __init_subclass__(cls, *, internal: str = "", **options: Any) -> None:
        super().__init_subclass__(**options)
        cls._internal |= {*internal.split()}

    def __dir__(self) -> list[str]:
        return sorted(name for name in object.__dir__(self) if name not in self._internal)

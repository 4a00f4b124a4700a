"""A base class for objects that hold secrets in the clear, and so must not be pickled."""

from typing import Never

__all__ = ["Unpicklable"]


class Unpicklable:
    """A base class that prevents pickling.

    Examples:
        >>> import pickle
        >>> class Login(Unpicklable):
        ...     password = "wJalrXUtnFEMI"
        >>> pickle.dumps(Login())
        Traceback (most recent call last):
        ...
        TypeError: Login holds secrets in the clear, so it cannot be pickled; copy the values you need, ...
    """

    __slots__ = ()

    def __reduce__(self) -> Never:
        raise TypeError(
            f"{type(self).__name__} holds secrets in the clear, so it cannot be pickled; copy the values you need, "
            "or save the whole fake as JSON with fake.snapshot()"
        )

"""What holds a secret in the clear, as the service itself must, and therefore is not pickled."""

from typing import Never

__all__ = ["Unpicklable"]


class Unpicklable:
    """A base of what holds secrets.

    Examples:
        >>> import pickle
        >>> class Login(Unpicklable):
        ...     password = "wJalrXUtnFEMI"
        >>> pickle.dumps(Login())
        Traceback (most recent call last):
        ...
        TypeError: Login holds secrets in the clear, so it is not pickled; take from it what you need, ...
    """

    __slots__ = ()

    def __reduce__(self) -> Never:
        raise TypeError(
            f"{type(self).__name__} holds secrets in the clear, so it is not pickled; take from it what you need, "
            "or save the whole fake as JSON with fake.snapshot()"
        )

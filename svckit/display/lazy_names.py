"""Names of packages that load on first use, so that an import costs nothing."""

import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from svckit.display.suggestions import no_attribute
from svckit.extras import importing_many, needing

__all__ = ["load_name"]


def load_name(package: str, name: str, homes: Mapping[str, str]) -> Any:
    """Load a name of a package on first use: for its ``__getattr__``.

    Args:
        package: the name of the package.
        name: the name to load.
        homes: the module of each name, which may be that module itself.

    Raises:
        AttributeError: the package has no such name; suggests the nearest.
        ModuleNotFoundError: a package is missing.

    Examples:
        >>> load_name("svckit", "Secret", {"Secret": "svckit.models.secret"})
        <class 'svckit.models.secret.Secret'>
    """
    if name not in homes:
        raise no_attribute(package, name, homes)
    with needing(f"{package}.{name}"), importing_many():
        module = import_module(homes[name])
    found = module if module.__name__ == f"{package}.{name}" else getattr(module, name)
    setattr(sys.modules[package], name, found)
    return found

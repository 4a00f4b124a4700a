"""Profiles as people write them: in ``svckit.toml`` and in the environment.

Nothing here reads or holds a secret; where those come from is `svckit.secret_sources`.
"""

from svckit.configuration.environment import Environment
from svckit.configuration.keys import Entry
from svckit.configuration.resolution import FAKE, Configuration

__all__ = ["FAKE", "Configuration", "Entry", "Environment"]

"""A ring that leads programs to a fake although their hosts are literals: a proxy, a certificate, an environment.

`NamedHosts` serves a fake under the names of its hosts; `Command` runs a program whose requests reach it.
"""

from fakes.proxy.command import Command
from fakes.proxy.environment import make_environment
from fakes.proxy.named_hosts import NamedHosts, check_names

__all__ = ["Command", "NamedHosts", "check_names", "make_environment"]

"""The served application of the tests of signing in, and their bare machine."""

from ...sign_in.conftest import bare_machine, fake, memory_keyring, profile, served

__all__ = ["bare_machine", "fake", "memory_keyring", "profile", "served"]

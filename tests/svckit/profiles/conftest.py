"""Profiles are found on a bare machine, with a keyring that forgets."""

from ..bare_machine import bare_machine, memory_keyring, profile

__all__ = ["bare_machine", "memory_keyring", "profile"]

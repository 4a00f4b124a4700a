"""What holds for all tests: no example of a property is held to a time, which on a busy machine says nothing of it."""

from hypothesis import settings

settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")

"""Every rule of the fake, one module for each area of the service."""

from fakes.rulebook import (
    api,
    auth,
    callbacks,
    directory,
    drive,
    files,
    lifecycle,
    notifications,
    statuses,
    text,
    tokens,
)

__all__ = [
    "api",
    "auth",
    "callbacks",
    "directory",
    "drive",
    "files",
    "lifecycle",
    "notifications",
    "statuses",
    "text",
    "tokens",
]

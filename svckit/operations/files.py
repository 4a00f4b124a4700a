"""The operations of files: what `svc.files` runs, and what can be explained without being run."""

from svckit.operations.downloads import copy, download, into, save
from svckit.operations.uploads import resume, upload

__all__ = ["copy", "download", "into", "resume", "save", "upload"]

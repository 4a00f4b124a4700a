"""The operations of files: what `svc.files` runs, and what can be explained without being run."""

from svckit.operations.downloads import copy, download, download_to, save
from svckit.operations.uploads import resume, upload

__all__ = ["copy", "download", "download_to", "resume", "save", "upload"]

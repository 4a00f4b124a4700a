"""The file operations, which ``svc.files`` runs and `svckit.explain` shows without running them."""

from svckit.operations.copies import copy
from svckit.operations.downloads import download, download_to, save, write
from svckit.operations.uploads import resume, upload

__all__ = ["copy", "download", "download_to", "resume", "save", "upload", "write"]

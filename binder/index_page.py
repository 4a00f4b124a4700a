"""Write what a package index shows: the README, with links that work there, and the URLs of the project.

The build runs this (`[tool.hatch.metadata.hooks.custom]` in `pyproject.toml`). Links in the README are relative, and a
page of an index has nothing that they could lead to.
"""

import re
import tomllib
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

PICTURE = re.compile(r"!\[([^]]*)\]\((?!\w+:)([^)]+)\)\n*")
LINK = re.compile(r"\[([^]]+)\]\((?!\w+:|#)([^)]+)\)")


class IndexPage(MetadataHookInterface):
    """Adds the fields `readme` and `urls` to the metadata."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set both fields, as `[tool.svckit] repository` names the repository or not."""
        root = Path(self.root)
        project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
        repository = project["tool"]["svckit"]["repository"].rstrip("/")
        readme = (root / "README.md").read_text(encoding="utf-8")
        tag = f"v{metadata['version']}"
        metadata["readme"] = {"content-type": "text/markdown", "text": rewrite(readme, repository, tag)}
        metadata["urls"] = list_urls(repository)


def rewrite(readme: str, repository: str, tag: str) -> str:
    """Return the README with links to the files of a tag; without a repository, as plain text without the picture."""
    if not repository:
        return LINK.sub(r"\1", PICTURE.sub("", readme))
    linked = PICTURE.sub(rf"![\1]({repository}/raw/{tag}/\2)\n\n", readme)
    return LINK.sub(rf"[\1]({repository}/blob/{tag}/\2)", linked)


def list_urls(repository: str) -> dict[str, str]:
    """Return the URLs of the project by their names; none without a repository."""
    if not repository:
        return {}
    return {
        "Changelog": f"{repository}/blob/HEAD/CHANGELOG.md",
        "Documentation": f"{repository}/tree/HEAD/notebooks",
        "Issues": f"{repository}/issues",
        "Repository": repository,
    }

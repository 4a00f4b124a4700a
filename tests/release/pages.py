"""The workflows that the page on CI shows: the copyable ones that its cells run, and the one with a container."""

import ast
import re
from pathlib import Path

import nbformat

PAGE = Path(__file__).parents[2] / "notebooks" / "how-to" / "run-the-fake-in-ci.ipynb"
FENCED = re.compile(r"^```yaml\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def read_workflows(host: str) -> list[str]:
    """The workflows of the page for a host: in the variable of that name, and for GitHub those in the text."""
    found = []
    for cell in nbformat.read(PAGE, as_version=4).cells:
        if cell.cell_type == "markdown" and host == "github":
            found += FENCED.findall(cell.source)
        elif cell.cell_type == "code":
            for statement in ast.parse(cell.source).body:
                match statement:
                    case ast.Assign([ast.Name(name)], ast.Constant(str(text))) if name == host:
                        found.append(text)
    return found

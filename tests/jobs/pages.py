"""The programs on the how-to pages, as a reader would copy them."""

import json
import re

from .conftest import ROOT


def copy_program(page, name):
    """Return the block of a page that begins with a comment `# NAME`."""
    cells = json.loads((ROOT / "notebooks" / "how-to" / f"{page}.ipynb").read_text("utf-8"))["cells"]
    text = "\n".join("".join(cell["source"]) for cell in cells)
    (block,) = re.findall(rf"```python\n(# {re.escape(name)}\n.*?)```", text, re.DOTALL)
    return block

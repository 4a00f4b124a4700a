"""In the panel the styles of all views are on one page, so that each names only what is its own."""

import re
from collections import defaultdict

from svckit.widgets.base.assets import WIDGETS

CLASS_ALONE = re.compile(r"^\.(svckit[\w-]*)(?= \{|,$)", re.MULTILINE)


def test_a_class_is_styled_by_one_file() -> None:
    files: dict[str, set[str]] = defaultdict(set)
    for file in WIDGETS.rglob("*.css"):
        for name in CLASS_ALONE.findall(file.read_text("utf-8")):
            files[name].add(file.name)
    assert {name: sorted(where) for name, where in files.items() if len(where) > 1} == {}

"""In the panel the styles of all views are on one page, so that each names only what is its own."""

import re
from collections import defaultdict

from svckit.widgets.base.assets import WIDGETS

SHARED = ("explorer.css", "explorer_panel.css")
CLASS_ALONE = re.compile(r"^\.(svckit[\w-]*)(?= \{|,$)", re.MULTILINE)


def test_a_class_is_styled_by_one_file() -> None:
    files: dict[str, set[str]] = defaultdict(set)
    for file in WIDGETS.rglob("*.css"):
        for name in CLASS_ALONE.findall(file.read_text("utf-8")):
            files[name].add(file.name)
    assert {name: sorted(where) for name, where in files.items() if len(where) > 1} == {}


def test_each_view_nests_its_styles_in_one_rule() -> None:
    for file in WIDGETS.rglob("*.css"):
        if file.parent.name != "base" and file.name not in SHARED:
            outside = [line for line in file.read_text("utf-8").splitlines() if line and line[0] not in " }"]
            assert [bool(CLASS_ALONE.match(line)) for line in outside] == [True], (file.name, outside)

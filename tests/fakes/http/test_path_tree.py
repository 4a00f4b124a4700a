"""A tree of path templates finds what trying all of them finds."""

import re
from random import Random
from urllib.parse import unquote

import pytest

from fakes.http.path_tree import PathTree

SEGMENTS = ("a", "b", "{x}", "{y}", "")
PATHS = ("/a", "/b", "/a/b", "/a/", "/", "", "/c/a", "/a/c/b", "/a%2Fb/b", "/b/a/b/a", "a", "/{x}")


def search(templates: dict[str, int], path: str) -> tuple[str, dict[str, str]] | None:
    """Return the template with the fewest parameters, of those the first that was added, and the parameters."""
    found = []
    for template, number in templates.items():
        pattern = re.sub(r"\{(\w)\}", r"(?P<\1>[^/]+)", template)
        if match := re.fullmatch(pattern, path):
            params = {name: unquote(value) for name, value in match.groupdict().items()}
            found.append((len(params), number, template, params))
    return min(found)[2:] if found else None


@pytest.mark.parametrize("seed", range(30))
def test_the_tree_finds_what_trying_all_finds(seed: int) -> None:
    chance, tree, templates = Random(seed), PathTree(), {}
    for number in range(40):
        segments = [chance.choice(SEGMENTS) for _ in range(chance.randint(1, 4))]
        if segments.count("{x}") > 1 or segments.count("{y}") > 1:
            continue
        template = "/" + "/".join(segments)
        same = [each for each in templates if re.sub(r"\w}", "}", each) == re.sub(r"\w}", "}", template)]
        assert tree.put(template, template) == (same[0] if same else None)
        for each in same:
            del templates[each]
        templates[template] = number
        if chance.random() < 0.3:
            gone = chance.choice([*templates])
            tree.remove(gone)
            del templates[gone]
        for path in PATHS:
            assert tree.find(path) == search(templates, path)
    for template in templates:
        tree.remove(template)
    assert (tree._root.fixed, tree._root.parameter) == ({}, None), "what is removed leaves nothing"

"""Requests of a view are handled in the order they were made, though JupyterLab sends them to two threads."""

from itertools import permutations

import pytest

from svckit.widgets import NotificationsExplorer

TYPED = [
    {"do": "write", "field": "text", "text": "Build is green"},
    {"do": "write", "field": "user", "text": "u-003"},
    {"do": "mention"},
]
MENTIONING = 'Build is green <m userId="u-003">'


@pytest.fixture
def explorer(svc):
    return NotificationsExplorer(svc)


def numbered(view):
    return [{**request, "entry": f"{view} {number}"} for number, request in enumerate(TYPED, 1)]


@pytest.mark.parametrize("order", [*permutations(range(3))])
def test_a_request_that_is_early_waits_for_those_made_before(explorer, order):
    requests = numbered("view-1")
    for number in order:
        explorer._handle_custom_msg(requests[number], [])
    assert (explorer.draft.text, explorer.error) == (MENTIONING, "")
    assert explorer.heard == "view-1 3"


def test_views_of_one_widget_do_not_wait_for_each_other(explorer):
    explorer._handle_custom_msg(numbered("view-1")[1], [])
    for request in numbered("view-2"):
        explorer._handle_custom_msg(request, [])
    assert explorer.draft.text == MENTIONING


@pytest.mark.usefixtures("as_in_a_notebook")
def test_a_request_that_fails_holds_up_none_that_comes_after_it(explorer):
    failing = {"do": "mention", "entry": "view-1 1"}
    for request in ({**TYPED[0], "entry": "view-1 2"}, failing):
        explorer._handle_custom_msg(request, [])
    assert explorer.draft.text == "Build is green"
    assert explorer.heard == "view-1 2"

"""Explorers that were closed leave nothing behind, however often they are opened."""

import threading

import pytest
from ipywidgets.widgets.widget import _instances

from svckit.session.session import Session
from svckit.widgets.explorers.explorer_panel import EXPLORERS, open_explorer

TIMES = 5


@pytest.mark.parametrize("name", EXPLORERS)
def test_it_is_opened_and_closed_many_times(svc: Session, name: str) -> None:
    widgets, threads = set(_instances), set(threading.enumerate())
    for _ in range(TIMES):
        explorer = open_explorer(name, svc)
        explorer.to_html()
        explorer.close()
    assert set(_instances) == widgets
    assert set(threading.enumerate()) <= threads


def test_the_panel_with_all_of_them_is_opened_and_closed_again(svc: Session) -> None:
    widgets, threads = set(_instances), set(threading.enumerate())
    for _ in range(5):
        for name in EXPLORERS:
            panel = svc.explore(name)
        panel.close()
    assert set(_instances) == widgets
    assert set(threading.enumerate()) <= threads

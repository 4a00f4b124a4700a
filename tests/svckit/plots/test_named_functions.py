"""The functions of frames and plots that a session's repr names."""

import re
from importlib import import_module

import pytest

from svckit.session.session import Session


@pytest.mark.parametrize("module", ["frames", "plots"])
def test_the_functions_that_a_session_names_are_there(module: str, svc: Session) -> None:
    line = next(line for line in repr(svc).splitlines() if f"  svckit.{module} " in line)
    names = re.findall(r"(\w+),", line)
    assert len(names) == 4
    assert set(names) <= set(dir(import_module(f"svckit.{module}")))

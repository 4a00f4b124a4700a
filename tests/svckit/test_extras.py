"""What a missing package's error says to do, which depends on where Python runs."""

import sys

import pytest

from svckit.extras import needing


def explain(package: str) -> str:
    with pytest.raises(ModuleNotFoundError) as caught, needing("svckit.frames"):
        raise ModuleNotFoundError(f"No module named {package!r}", name=package)
    assert caught.value.name == package
    return str(caught.value)


def test_elsewhere_it_names_the_command_that_installs_the_extra() -> None:
    message = "svckit.frames needs pandas, of the extra lab: pip install 'path/to/clone[lab]'"
    assert explain("pandas") == message


@pytest.mark.parametrize("package", ["pandas", "uvicorn"])
def test_in_a_browser_it_does_not_say_to_install_anything(
    package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "emscripten")
    message = explain(package)
    assert message.startswith(f"svckit.frames needs {package}, which this site does not have for the browser")
    assert "in JupyterLab on a computer" in message
    assert "pip" not in message
    assert ("--mirror" in message) == (package == "pandas")


def test_a_package_of_no_extra_keeps_the_error_of_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "emscripten")
    assert explain("colour") == "No module named 'colour'"

"""The configuration of the hub: a world for each learner, and the names that it takes."""

import re
import runpy
import sys
from types import SimpleNamespace

import yaml

from fakes.worlds.folder import NAME

from .conftest import ROOT

FILES = ROOT / "binder" / "hub"
PASSWORD = "of the trainer"


class Configuration(SimpleNamespace):
    """A configuration as JupyterHub passes it to a file: sections, each with the settings that were made."""

    def __getattr__(self, section):
        setattr(self, section, SimpleNamespace(environment={}))
        return getattr(self, section)


def configure(name, monkeypatch):
    """Run a file of the hub's configuration; what it defines, and the configuration."""
    monkeypatch.setenv("SVCKIT_TRAINER_PASSWORD", PASSWORD)
    authenticator = SimpleNamespace(FirstUseAuthenticator=object)  # installed where the hub is
    monkeypatch.setitem(sys.modules, "firstuseauthenticator", authenticator)
    monkeypatch.delenv("SVCKIT_ADMIN_URL", raising=False)
    configuration = Configuration()
    defined = runpy.run_path(str(FILES / name), {"get_config": lambda: configuration})
    return defined, configuration


HANGUL = "\ud64d\uae38\ub3d9" * 5
NAMES = [
    "ada",
    "Ada",
    "ada lovelace",
    "-ada",
    "_",
    "x5f_",
    "\ud64d\uae38\ub3d9",
    HANGUL,
    HANGUL + "\ud64d",
    "\u6d69" * 60,
    "a" * 63,
    "a" * 64,
    "a" * 300,
]


def test_learners_have_valid_worlds(monkeypatch):
    name_world = configure("worlds.py", monkeypatch)[0]["name_world"]
    worlds = [name_world(name) for name in NAMES]
    assert [name for name, world in zip(NAMES, worlds, strict=True) if not NAME.fullmatch(world)] == []
    assert len(set(worlds)) == len(NAMES)
    assert worlds[0] == "ada"


def test_names_never_share_a_world(monkeypatch):
    name_world = configure("worlds.py", monkeypatch)[0]["name_world"]
    given = name_world(HANGUL)
    for end in range(len(given)):  # as if the start were escaped characters, and the rest typed as it is
        letters = re.sub("x([0-9a-f]+)_", lambda found: chr(int(found[1], 16)), given[:end]) + given[end:]
        assert name_world(letters) != given


def test_long_name_is_refused_at_login(monkeypatch):
    configuration = configure("jupyterhub_config.py", monkeypatch)[1]
    allowed = re.compile(configuration.Authenticator.username_pattern).match  # as the hub does
    longest = "\U0001f600" * 60
    assert allowed("ada")
    assert allowed(longest)
    assert len(longest.encode()) <= 255
    assert not allowed("a" * 61)
    assert not allowed("a" * 300)
    assert "60 characters" in configuration.JupyterHub.template_vars["announcement_login"]


def test_values_are_those_of_the_chart():
    values = yaml.safe_load((FILES / "values.yaml").read_text("utf-8"))
    assert set(values) <= {"hub", "singleuser"}
    for name in ("worlds.py", "jupyterhub_config.py"):
        compile((FILES / name).read_text("utf-8"), name, "exec")
    compile(values["hub"]["extraConfig"]["learner"], "learner", "exec")

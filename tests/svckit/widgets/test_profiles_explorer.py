"""The profiles explorer: what is done, what is left, and never a secret."""

import pytest

import svckit
from svckit.widgets import ProfilesExplorer

SECRET = "s3cr3t-value"


@pytest.fixture
def work(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "svckit.toml").write_text(
        '[work]\nbase_url = "https://api.example.com"\nwebhooks = ["alerts"]\n'
    )
    monkeypatch.setenv("SVCKIT_WORK_CLIENT_SECRET", SECRET)
    monkeypatch.setenv("SVCKIT_WORK_REFRESH_TOKEN", SECRET)
    monkeypatch.setenv("SVCKIT_WORK_WEBHOOK_ALERTS", f"https://api.example.com/message/{SECRET}")


def hear(explorer, **content):
    explorer._receive(explorer, content, [])


def test_what_is_missing_comes_with_what_to_do(work):
    explorer = ProfilesExplorer()
    hear(explorer, do="write", field="profile", text="work")
    first = explorer.view["steps"][0]
    assert (explorer.profile, first["name"], first["done"]) == ("work", "URLs", False)
    assert "svckit.toml" in first["remedy"]
    assert "Something is left to do." in repr(explorer)
    explorer.close()


def test_no_secret_is_shown(work):
    explorer = ProfilesExplorer("work")
    assert SECRET not in f"{explorer!r} {explorer.to_html()} {explorer.html} {explorer.view}"
    explorer.close()


def test_a_step_that_was_done_meanwhile_is_seen_at_a_refresh(work, tmp_path):
    explorer = ProfilesExplorer("work")
    urls = "".join(
        f'{name}_url = "https://api.example.com"\n' for name in ("base", "auth", "upload", "webhook")
    )
    (tmp_path / "svckit.toml").write_text(f"[work]\n{urls}")
    hear(explorer, do="refresh")
    assert explorer.view["steps"][0]["done"]
    explorer.close()


def test_an_unknown_profile_is_named(work):
    explorer = ProfilesExplorer()
    with pytest.raises(svckit.UnusableProfile, match="no profile 'wrok'"):
        explorer.choose("wrok")
    explorer.close()

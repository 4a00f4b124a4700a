"""A text in Han characters has the language of its record, live and in documents, so that it is drawn as there."""

import re

import pandas as pd
import pytest

from fakes import FakeService
from svckit import connect, frames
from svckit.session.session import Session
from svckit.widgets import PagedTable, RecordView, UserForm, UsersExplorer

LOCALES = ("ja_JP", "ko_KR", "zh_CN", "zh_TW")


@pytest.fixture
def svc() -> Session:
    """A session in which users of different locales have the same name."""
    svc = connect(FakeService.sample(users=5, seed=0, now="2026-06-01T09:00:00+09:00"))
    for number, locale in enumerate(LOCALES, 1):
        svc.users.update(f"u-00{number}", locale=locale, user_name={"last_name": "直海"}, task="骨")
    return svc


def faces(widget: PagedTable | RecordView | UserForm) -> list[str]:
    return [widget.html, widget.to_html()]


def test_each_row_has_its_own_language(svc: Session) -> None:
    table = PagedTable(frames.users(svc), columns=["user_id", "last_name", "task"], key="user_id")
    for html in faces(table):
        cells = re.findall(r"<t[hd]([^>]*)>([^<]+)<", html)
        named = [re.findall(r'lang="([\w-]+)"', attributes) for attributes, text in cells if text == "骨"]
        assert named == [["ja-JP"], ["ko-KR"], ["zh-CN"], ["zh-TW"]]
        assert not any("lang" in attributes for attributes, text in cells if text.isascii())


def test_rows_of_a_frame_without_locales_have_none() -> None:
    table = PagedTable(pd.DataFrame({"name": ["直海"]}))
    assert not any("lang=" in html for html in faces(table))


@pytest.mark.parametrize("locale", ['ja"><script>', "", None, "ja"])
def test_invalid_locale_is_not_marked(locale: str | None) -> None:
    table = PagedTable(pd.DataFrame({"name": ["直海"], "locale": [locale]}))
    assert not any("lang=" in html for html in faces(table))


def test_record_marks_the_language_of_each_name(svc: Session) -> None:
    names = [{"language": "ko_KR", "last_name": "김", "first_name": "Ken"}]
    svc.users.update("u-001", i18n_names=names)
    explorer = UsersExplorer(svc)
    explorer.select("u-001")
    for html in faces(explorer.record):
        assert re.search(r'<td lang="ja-JP"[^>]*>骨<', html)
        assert re.search(r'<td lang="ko-KR"[^>]*>김<', html)
        assert re.search(r'<strong[^>]* lang="ja-JP"[^>]*>直海', html)
        assert not re.search(r"<td lang[^>]*>(u-001|Ken)<", html)


def test_fields_of_a_form_have_the_language_of_the_record(svc: Session) -> None:
    form = UserForm(svc, "u-001")
    assert re.search(r'data-field="task" data-leaves lang="ja-JP"', form.html)
    form.enter("task", "営業")
    assert re.search(r'<td lang="ja-JP"[^>]*>営業<', form.to_html())
    form.submit()
    for html in faces(form):
        assert re.search(r'<td lang="ja-JP"[^>]*>骨</td><td lang="ja-JP"[^>]*>営業<', html)

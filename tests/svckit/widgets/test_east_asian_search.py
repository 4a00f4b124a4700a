"""Names are found as people of Japan, Korea and China type them, and sorted as they expect it."""

from typing import Any

import pandas as pd
import pytest

from svckit.widgets.base.folding import fold_all
from svckit.widgets.table import column
from svckit.widgets.table.code import code_of
from svckit.widgets.table.model import TableModel

PEOPLE = pd.DataFrame(
    {
        "last_name": ["佐藤", "김", "髙﨑", "葛󠄀西", "田\u200b中", "İstanbul", "Mori", "安部"],
        "first_name": ["太郎", "철수", "花", None, None, None, "Mina", None],
        "display_name": [
            "佐藤 太郎",
            "김철수",
            "髙﨑 花",
            "葛󠄀西",
            "田\u200b中",
            "İstanbul",
            "Mori Mina",
            "安部",
        ],
        "phonetic_last_name": ["サトウ", None, "タカサキ", "カサイ", "ﾀﾅｶ", None, None, "アベ"],
        "phonetic_first_name": ["タロウ", None, "ハナ", None, None, None, None, None],
    }
).astype("string")


def found(table: TableModel) -> list[str]:
    """The names in a view, which its code gives too."""
    space: dict[str, Any] = {"frame": table.frame}
    exec(code_of(table), space)
    assert list(space["rows"].index) == list(table.rows().index)
    return table.rows()["display_name"].tolist()


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("佐藤太郎", ["佐藤 太郎"]),
        ("太郎佐藤", ["佐藤 太郎"]),
        ("太郎\u3000佐藤", ["佐藤 太郎"]),
        ("サトウタロウ", ["佐藤 太郎"]),
        ("さとう", ["佐藤 太郎"]),
        ("ｻﾄｳ", ["佐藤 太郎"]),
        ("김철수", ["김철수"]),
        ("김 철수", ["김철수"]),
        ("高崎", ["髙﨑 花"]),
        ("葛西", ["葛󠄀西"]),
        ("葛\U000e0101西", ["葛󠄀西"]),
        ("田中", ["田\u200b中"]),
        ("たなか", ["田\u200b中"]),
        ("istanbul", ["İstanbul"]),
        ("minamori", []),
    ],
)
def test_a_search_finds_a_name_however_it_is_typed(query: str, names: list[str]) -> None:
    table = TableModel(PEOPLE)
    table.search(query)
    assert found(table) == names
    table.search("")
    table.filter("display_name", contains=query)
    assert found(table) == names


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("emile", ["Émile Nguyễn", "e\u0301mile"]),
        ("Émil", ["Émile Nguyễn", "emil", "e\u0301mile"]),
        ("nguyen", ["Émile Nguyễn"]),
        ("zoe x", ["Zoë X\u0302"]),
        ("カキ", []),  # a mark of kana makes another letter
        ("ガキ", ["ガキ"]),
        ("и", []),
        ("й", ["Чайка"]),
        ("η", []),
    ],
)
def test_only_latin_letters_are_found_without_their_marks(query: str, names: list[str]) -> None:
    words = ["Émile Nguyễn", "emil", "e\u0301mile", "Zoë X\u0302", "ガキ", "Чайка", "ή"]
    table = TableModel(pd.DataFrame({"display_name": pd.array(words, dtype="string")}))
    table.search(query)
    assert found(table) == names
    table.search("")
    table.filter("display_name", contains=query)
    assert found(table) == names


def test_names_are_sorted_by_their_phonetic_form() -> None:
    table = TableModel(PEOPLE)
    table.sort("display_name")
    expected = ["İstanbul", "Mori Mina", "安部", "葛󠄀西", "佐藤 太郎", "髙﨑 花", "田\u200b中", "김철수"]
    assert found(table) == expected
    table.sort("display_name", ascending=False)
    assert found(table) == expected[::-1]


def test_only_columns_that_have_changed_are_folded_again(monkeypatch: pytest.MonkeyPatch) -> None:
    before, folded = TableModel(PEOPLE), []
    before.search("さとう")
    before.sort("display_name")
    changed = PEOPLE.copy()
    changed.loc[0, "first_name"] = "花子"
    changed.loc[7, "phonetic_last_name"] = "ヤスベ"
    monkeypatch.setattr(column, "fold_all", lambda texts: folded.append(texts) or fold_all(texts))
    after = TableModel(changed)
    after.resume(before)
    after.search("ヤスベ")
    assert len(folded) == 4  # the names and the phonetic form of the family name; not that of the given name
    assert found(after) == ["安部"]
    after.search("さとう")
    assert found(after) == ["佐藤 太郎"]

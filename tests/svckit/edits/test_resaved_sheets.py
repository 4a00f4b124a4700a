"""Sheets that a spreadsheet has saved again: what it changed by itself is not an edit, and is never sent."""

# ruff: noqa: RUF001 - full-width characters are tested

import csv
import re
from datetime import datetime
from io import BytesIO, StringIO
from unicodedata import normalize

import openpyxl
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import svckit
from fakes import FakeService
from svckit import frames
from svckit.edits import Changes

from .test_sheets import make_book

NOW = "2026-06-01T09:00:00+09:00"
WINDOWS = str.maketrans("\u301c\u2212\u2016", "\uff5e\uff0d\u2225")


def convert_cell(text):
    """Return what Excel makes of a text in a CSV file."""
    if day := re.fullmatch(r"([0-9]{4})-([0-9]{2})-([0-9]{2})", text):
        return f"{day[1]}/{int(day[2])}/{int(day[3])}"
    if text in ("true", "false"):
        return text.upper()
    if re.fullmatch("[0-9]+", text):
        number = str(int(text))
        return number if len(number) < 12 else re.sub(r"\.?0*E", "E", f"{int(text):.5E}")
    return text


def resave(content, encoding="utf-8-sig", separator=",", convert=convert_cell):
    """Return a CSV file of ours as Excel saves it again."""
    rows = csv.reader(StringIO(content.decode("utf-8-sig"), newline=""))
    file = StringIO(newline="")
    csv.writer(file, delimiter=separator).writerows([convert(cell) for cell in row] for row in rows)
    text = file.getvalue()
    return (
        text.translate(WINDOWS).encode(encoding, "replace") if encoding == "cp932" else text.encode(encoding)
    )


def resave_xlsx(content):
    file = BytesIO()
    openpyxl.load_workbook(BytesIO(content)).save(file)
    return file.getvalue()


def write(source, kind="csv"):
    file = BytesIO()
    frames.write_users(source, file, format=kind)
    return file.getvalue()


def compare(records, content, **options):
    return frames.read_users(BytesIO(content), **options).svc.changes(against=records)


def list_bodies(changes):
    return {edit.user_id: edit.body for edit in changes}


texts = st.one_of(
    st.text(st.characters(codec="utf-8"), min_size=1, max_size=8),
    st.text("0123456789", min_size=1, max_size=20),
    st.text("\u301c\u2212ガカ\u3099é?한𠮷👍\u3000 a", min_size=1, max_size=8),
    st.sampled_from(["true", "2021-09-06", "03-1234-5678", "=1+1"]),
)
records = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(("nickName", "task", "location", "telephone", "employeeNumber"), texts),
        "userName": st.fixed_dictionaries({"lastName": texts, "phoneticLastName": texts}),
        "birthday": st.dates().map(str),
        "hiredDate": st.dates().map(str),
        "searchable": st.booleans(),
        "domainId": st.integers(1, 10**15),
        "aliasEmails": st.lists(st.emails(), max_size=2),
        "activationDate": st.just("2026-06-01T00:00:00+09:00"),
    },
)


@settings(deadline=None, max_examples=30)
@given(st.lists(records, min_size=2, max_size=3), st.sampled_from(["csv", "tab", "cp932", "xlsx"]))
def test_any_record_survives_excel_and_an_edit_beside_it_counts(people, kind):
    people = [{"userId": f"u-{number}", **person} for number, person in enumerate(people)]
    content, options = write(people, "xlsx" if kind == "xlsx" else "csv"), {}
    if kind == "xlsx":
        content = resave_xlsx(content)
    elif kind == "tab":
        content = resave(content, "utf-16", "\t")
    else:
        options = {"encoding": "cp932"} if kind == "cp932" else {}
        content = resave(content, options.get("encoding", "utf-8-sig"))
    changes = compare(people, content, **options)
    assert (list(changes), changes.problems) == ([], ())
    people[1]["nickName"] = "before"
    people[1].pop("aliasEmails", None)
    changes = compare(people, content, **options)
    assert {edit.user_id for edit in changes} <= {"u-1"}


PERSON = {
    "userId": "u-001",
    "telephone": "0312345678",
    "employeeNumber": "123456789012",
    "nickName": "José 한국 👍",
    "task": "9:00\u301c",
    "location": "3-1",
    "birthday": "1990-02-03",
    "hiredDate": "2021-09-06",
    "searchable": True,
}


def read_cells(**cells):
    """Return the changes of a sheet with some cells for the one person."""
    return compare([PERSON], write(pd.DataFrame([{"user_id": "u-001", **cells}])))


@pytest.mark.parametrize("day", ["2021/9/6", "2021/09/06", "2021年9月6日", "２０２１/９/６"])
def test_a_day_with_its_year_first_is_that_day(day):
    assert len(read_cells(hired_date=day)) == 0
    (edit,) = read_cells(birthday=day)
    assert edit.body == {"birthday": "2021-09-06"}


@pytest.mark.parametrize("day", ["6/9/2021", "R3.9.6", "令和3年9月6日", "soon"])
def test_another_day_is_a_problem_beside_the_good_edits(day):
    for column in ("hired_date", "birthday"):
        changes = read_cells(**{column: day, "nick_name": "Mina"})
        assert list_bodies(changes) == {"u-001": {"nickName": "Mina"}}
        assert [problem.path for problem in changes.problems] == [f"u-001.{column}"]


@pytest.mark.parametrize(
    ("column", "cell"),
    [
        ("telephone", "312345678"),
        ("employee_number", "1.23457E+11"),
        ("location", "3月1日"),
        ("location", "3/1"),
        ("task", "9:00～"),
        ("nick_name", "Jos? ?? ?"),
    ],
)
def test_what_a_spreadsheet_wrote_is_a_notice_with_both_values(column, cell):
    encoding = "cp932" if column == "task" else "utf-8"
    content = f"user_id,{column},private_email\nu-001,{cell},m@example.com\n".encode(encoding)
    changes = compare([PERSON], content, encoding=encoding)
    assert (list_bodies(changes), changes.problems) == ({"u-001": {"privateEmail": "m@example.com"}}, ())
    (notice,) = changes.notices
    assert notice.path == f"u-001.{column}"
    assert cell in notice.message
    assert "1 cell not edited, but changed by a spreadsheet" in repr(changes)


@pytest.mark.parametrize(
    ("before", "cell"),
    [
        ("3-1", "2026-03-01"),
        ("1-2-3", "2001/2/3"),
        ("30-1-1", "1930/1/1"),
        ("00:30", "0:30"),
        ("3-1", "03월 01일"),
        ("3-1", "1-Mar"),
        ("2021-09", "Sep-21"),
        ("12-34", "Dec-34"),
        ("1,000", "1000"),
        ("50%", "0.5"),
        ("Jan 5", "5-Jan"),
        ("Jan 5", "2026-01-05"),
        ("12345678901234567", "12345678901234568"),  # a double of LibreOffice
    ],
)
def test_rewriting_by_spreadsheets_is_no_edit(before, cell):
    changes = compare([{"userId": "u-001", "location": before}], f"user_id,location\nu-001,{cell}\n".encode())
    assert (len(changes), len(changes.notices)) == (0, 1)


@pytest.mark.parametrize(
    ("before", "cell"),
    [
        ("1-2-3", "2011/2/3"),
        ("a?b", "a??b"),
        ("é a?", "é a??"),
        ("May", "MAY"),
        ("50%", "50"),
        ("Jan 5", "Jan 6"),
    ],
)
def test_what_no_spreadsheet_makes_of_a_text_is_an_edit(before, cell):
    changes = compare([{"userId": "u-001", "location": before}], f"user_id,location\nu-001,{cell}\n".encode())
    assert list_bodies(changes) == {"u-001": {"location": cell}}


def test_a_csv_file_saved_as_xlsx_keeps_days_and_long_numbers():
    person = {"userId": "u-001", "location": "3-1", "employeeNumber": "1234567890123456789", "task": "x"}
    cells = [datetime(2026, 3, 1), 1.23456789012345e18, "y"]
    file = make_book(["user_id", "location", "employee_number", "task"], ["u-001", *cells])
    changes = compare([person], file.getvalue())
    assert list_bodies(changes) == {"u-001": {"task": "y"}}
    assert "is 1234567890123450000 in the sheet" in changes.notices[1].message + changes.notices[0].message


@pytest.mark.parametrize("encoding", ["cp932", "cp949", "gb18030", "euc_jp"])
def test_a_wave_dash_survives_each_encoding(encoding):
    content = "user_id,task\nu-001,9:00\u301c\n".encode(encoding, "replace")
    changes = compare([PERSON], content, encoding=encoding)
    assert (len(changes), changes.problems) == (0, ())


def test_a_sign_of_a_formula_that_an_encoding_lacks_is_kept():
    person = {"userId": "u-001", "task": "－1 東京"}
    content = resave(write([person])).decode("utf-8-sig").encode("euc_jp", "replace")
    assert "'?1 東京".encode("euc_jp") in content
    changes = compare([person], content, encoding="euc_jp")
    assert (len(changes), changes.problems, len(changes.notices)) == (0, (), 1)


@pytest.mark.parametrize(
    ("column", "before", "cell"),
    [
        ("telephone", "03-1234-5678", "０３－１２３４－５６７８"),
        ("private_email", "hana@example.com", "ｈａｎａ＠example.com"),
        ("phonetic_last_name", "ナガタ", "ﾅｶﾞﾀ"),
    ],
)
def test_only_corrected_width_is_an_edit(column, before, cell):
    def person(text):
        fields = {"telephone": text, "privateEmail": text, "userName": {"phoneticLastName": text}}
        return {"userId": "u-001", **fields}

    assert compare([person(before)], write(pd.DataFrame([{"user_id": "u-001", column: cell}]))) == Changes()
    assert len(compare([person(cell)], write(pd.DataFrame([{"user_id": "u-001", column: before}])))) == 1


def test_unencodable_character_is_a_problem():
    content = "user_id,location,nick_name,task\nu-001,?田,,営業\n".encode("cp932")
    changes = compare([PERSON], content, encoding="cp932", blank="keep")
    assert list_bodies(changes) == {"u-001": {"task": "営業"}}
    assert "has a ?, as cp932 writes what it does not have, 3-1 in the record" in changes.problems[0].message


def test_other_digits_are_edits_and_shortened_ones_problems():
    assert list_bodies(read_cells(telephone="312345679")) == {"u-001": {"telephone": "312345679"}}
    changes = read_cells(employee_number="9.9E+11")
    (problem,) = changes.problems
    assert "shortened, 123456789012 in the record" in problem.message
    assert len(changes) == 0


def test_characters_that_an_encoding_lacks_are_kept():
    content = "user_id,nick_name,task\nu-001,Jos? ?? ?,営業\n".encode("cp932")
    changes = compare([PERSON], content, encoding="cp932")
    assert list_bodies(changes) == {"u-001": {"task": "営業"}}
    assert "as cp932 writes José 한국 👍" in changes.notices[0].message
    changes = compare([PERSON], content.replace(b" ?? ?", b" Mori ??"), encoding="cp932")
    assert "has a ?, as cp932 writes what it does not have" in changes.problems[0].message


@pytest.mark.parametrize(("encoding", "name"), [("euc_jp", "佐藤"), ("gb18030", "用户一"), ("big5", "陳")])
def test_another_east_asian_encoding_is_noticed(encoding, name):
    content = f"user_id,nick_name\nu-001,{name}\n".encode(encoding)
    assert content.decode("cp932")
    with pytest.raises(ValueError, match=f"hardly cp932.* such as .*{encoding}"):
        frames.read_users(BytesIO(content), encoding="cp932")


@pytest.mark.parametrize("encoding", ["cp932", "shift_jis"])
def test_half_width_katakana_alone_is_not_another_encoding(encoding):
    content = "user_id,phonetic_last_name\nu-001,ｻﾄｳ\nu-002,ﾅｶﾑﾗ\n".encode(encoding)
    people = frames.read_users(BytesIO(content), encoding=encoding)
    assert people["phonetic_last_name"].tolist() == ["ｻﾄｳ", "ﾅｶﾑﾗ"]


@pytest.mark.parametrize(
    ("encoding", "wrong"),
    [
        ("utf-8", "cp932"),
        ("utf-8", "gb18030"),
        ("utf-8", "cp949"),
        ("euc_jp", "cp932"),
        ("cp932", "shift_jis"),
    ],
)
def test_a_file_in_another_encoding_names_those_that_fit(encoding, wrong):
    content = "user_id,nick_name\nu-001,髙橋 一郎\n".encode(encoding, "replace")
    with pytest.raises(ValueError, match=f"(not in the encoding|hardly) {wrong}.*{encoding}"):
        frames.read_users(BytesIO(content), encoding=wrong)


def test_the_encodings_of_excel_are_named():
    with pytest.raises(ValueError, match=r"cp932 .*cp949 .*gb18030 or big5"):
        frames.read_users(BytesIO("user_id,task\nu-001,영업\n".encode("cp949")))


@pytest.mark.parametrize(("encoding", "separator"), [("utf-16", "\t"), ("utf-8-sig", ";"), ("utf-8", "\t")])
def test_separators_and_marks_are_recognized(encoding, separator, tmp_path):
    text = '"user\n_id",nick_name,task\r\nu-001,"佐藤,太郎,,",a\r\n'
    (tmp_path / "people.txt").write_bytes(resave(text.encode(), encoding, separator))
    people = frames.read_users(tmp_path / "people.txt")
    assert people.to_numpy().tolist() == [["u-001", "佐藤,太郎,,", "a"]]


@pytest.mark.parametrize(("number", "is_edit"), [(312345679, False), (1001, True)])
def test_a_long_telephone_number_of_excel_may_lack_a_zero(number, is_edit):
    content = write(
        pd.DataFrame({"user_id": ["u-001"], "telephone": pd.Series([number], dtype=object)}), "xlsx"
    )
    changes = compare([PERSON], content)
    assert (len(changes), len(changes.problems)) == ((1, 0) if is_edit else (0, 1))


def test_a_key_without_its_zeros_is_a_problem_with_a_suggestion(svc):
    svc.users.update("u-002", user_external_key="00042")
    sheet = "user_external_key,task\n42,a\n1.2E+11,b\n"
    changes = svc.users.diff(frames.read_users(StringIO(sheet), key="user_external_key"))
    first, second = [problem.message for problem in changes.problems]
    assert "did you mean externalKey:00042, whose zeros a spreadsheet removes?" in first
    assert "a spreadsheet has shortened the number" in second


@pytest.mark.parametrize("key", ["ｕ－００１", normalize("NFD", "ガ")])
def test_a_key_stored_in_another_form_is_found_as_it_is_exported(svc, key):
    svc.users.update("u-001", user_external_key=key)
    svc.users.update("u-002", user_external_key="K-2")
    sheet = f"user_external_key,task\n{key},a\nＫ－２,b\nK-2,c\nＫ－３,d\n"
    changes = svc.users.diff(frames.read_users(StringIO(sheet), key="user_external_key"))
    assert list_bodies(changes) == {"u-001": {"task": "a"}, "u-002": {"task": "b"}}
    assert "externalKey:Ｋ－３: no such user, nor externalKey:K-3" in repr(changes)
    assert changes.problems_frame()["row"].tolist() == [5, 3, 4]


def test_keys_and_headings_may_be_in_full_width_and_have_blanks():
    text = '"社員\n番号　","ｶﾞ番号 ",ｎｉｃｋ＿ｎａｍｅ\nｕ－００１　,営業,Mina\n'
    names = {"社員番号": "user_id", "ガ番号": "task"}
    people = frames.read_users(StringIO(text), columns=names, key="user_id")
    assert people.to_dict("records") == [{"user_id": "u-001", "task": "営業", "nick_name": "Mina"}]
    decomposed = {normalize("NFD", heading): column for heading, column in names.items()}
    assert len(frames.read_users(StringIO(text), columns=decomposed, key="user_id")) == 1


@pytest.mark.parametrize(
    ("cell", "flag"), [("はい", True), ("いいえ", False), ("ＴＲＵＥ", True), ("아니요", False)]
)
def test_flags_in_the_words_of_the_sheet(cell, flag):
    people = frames.read_users(StringIO(f"user_id,searchable\nu-001,{cell}\n"))
    assert people["searchable"].tolist() == [flag]


def test_a_blank_of_full_width_is_a_blank():
    assert list_bodies(read_cells(location="\u3000")) == {"u-001": {"location": None}}
    assert list_bodies(read_cells(location="3-1\u3000")) == {}
    assert list_bodies(read_cells(location="4-1\u3000")) == {"u-001": {"location": "4-1"}}


def test_composed_and_decomposed_text_is_equal():
    person = {"userId": "u-001", "nickName": "ガ", "userName": {"phoneticLastName": "ナガタ"}}
    decomposed = normalize("NFD", "ガ")
    names = {"user_name": {"phonetic_last_name": normalize("NFD", "ナガタ")}}
    sheet = pd.DataFrame([{"user_id": "u-001", "nick_name": decomposed, "phonetic_last_name": "ﾅｶﾞﾀ"}])
    assert len(compare([person], write(sheet))) == 0
    sheet["task"], sheet["phonetic_last_name"] = decomposed, normalize("NFD", "ガトウ")
    (edit,) = compare([person], write(sheet))
    assert edit.body == {"task": "ガ", "userName": {"phoneticLastName": "ガトウ"}}
    svc = svckit.connect(FakeService.sample(users=1, now=NOW))
    svc.users.update("u-001", nick_name="ガ", user_name={"phonetic_last_name": "ナガタ"})
    assert len(svc.users.diff({"user_id": "u-001", "nick_name": decomposed, **names})) == 0


def test_external_keys_that_look_the_same_are_not_two(svc):
    svc.users.update("u-001", user_external_key="ガ")
    changes = svc.users.diff({"user_id": "u-002", "user_external_key": normalize("NFD", "ガ")})
    assert [problem.path for problem in changes.problems] == ["u-002.user_external_key"]

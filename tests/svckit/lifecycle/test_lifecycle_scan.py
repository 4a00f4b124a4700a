"""`svckit lifecycle scan` finds a path that one expression puts together, and nothing that is only alike."""

from datetime import date
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbformat import v4, writes

from svckit.lifecycle.scan import scan
from svckit.models.lifecycle import RETIREMENTS

DAY = date(2026, 12, 5)


def found(folder: Path, code: str) -> list[tuple[int, str]]:
    """The lines and keys of the uses in a Python file, of which the first line is empty."""
    file = folder / "client.py"
    file.write_text(dedent(code), encoding="utf-8")
    return [(use.line, use.feature.key) for use in scan([file], DAY)]


def found_in(folder: Path, *cells: str, language: str = "python") -> list[tuple[int | None, int, str]]:
    """The cells, lines and keys of the uses in a notebook."""
    notebook = v4.new_notebook(cells=[v4.new_code_cell(dedent(each).strip("\n")) for each in cells])
    notebook.metadata["kernelspec"] = {"name": "k", "display_name": "K", "language": language}
    file = folder / "lesson.ipynb"
    file.write_text(writes(notebook), encoding="utf-8")
    return [(use.cell, use.line, use.feature.key) for use in scan([file], DAY)]


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ('get("/directory/custom-fields")', "custom-fields"),
        ('patch(f"{base}/directory/custom-fields/{field_id}")', "custom-fields"),
        ('post("/sharedrives/%s/permissions/enable" % drive)', "shared-drive-permissions"),
        ('get("/directory/employment-types/external-keys?count=1")', "employment-types"),
        ('get(f"/users/{user}/mail/vipmailfolders")', "vip-mail-folders"),
        ('get("/users/" + str(user) + "/mail/vipmailfolders")', "vip-mail-folders"),
        ("get('/users/'+user+f'/mail/vipmailfolders')", "vip-mail-folders"),
        ('get("directory/custom-fields")', "custom-fields"),
        ('http.delete(f"{base}/users/{user}/mail")', "mail-bulk-delete"),
        ('get("/boards/1/posts/2/comments/3/attachment")', "board-comment-attachment"),
        ('url = comment + "/attachment"\nget(url)', "board-comment-attachment"),
        ('messenger={"protocol": "MSGR_C_OLD"}', "messenger-old-value"),
        ('protocol = "MSGR_C" + "_OLD"', "messenger-old-value"),
        ('get(urljoin("https://api.test/directory/", "custom-fields"))', "custom-fields"),
        ('get("{1}/{0}".format("custom-fields", "/directory"))', "custom-fields"),
        ('get("{}/users/{user}/mail/{}".format(base, "vipmailfolders", user=me.id))', "vip-mail-folders"),
        ('http.request(method="DELETE", url=f"/users/{user}/mail")', "mail-bulk-delete"),
        ('requests.get(url=base + "/directory" + "/custom-fields", params={"count": 1})', "custom-fields"),
        ('requests.request("GET", f"{base}/directory/custom-fields")', "custom-fields"),
        ('print(decoded(get(f"{base}/directory/custom-fields")).json())', "custom-fields"),
        ('@router.get("/directory/custom-fields")\ndef answer(): ...', "custom-fields"),
    ],
)
def test_uses_are_found(tmp_path: Path, line: str, key: str) -> None:
    assert found(tmp_path, f"import http\n{line}") == [(2, key)]


@pytest.mark.parametrize("item", [item for item in RETIREMENTS if item.operations], ids=lambda item: item.key)
def test_every_retired_operation_is_found(tmp_path: Path, item) -> None:
    lines = [f'call("{method}", "{path}")\n\n' for method, path in item.operations]
    assert found(tmp_path, "\n".join(lines)) == [(1 + 3 * number, item.key) for number in range(len(lines))]


def test_a_method_may_stand_on_the_line_before(tmp_path: Path) -> None:
    assert found(tmp_path, 'request("DELETE",\n        f"/users/{user}/mail")') == [(2, "mail-bulk-delete")]


OVER_LINES = {
    "a sum": (
        """
        get(
            base
            + "/users/"
            + user
            + "/mail/vipmailfolders"
        )
        """,
        6,
    ),
    "an f-string": (
        """
        get(
            f"{base}/users/"
            f"{user}"
            f"/mail/vipmailfolders"
        )
        """,
        5,
    ),
    "an f-string in triple quotes": (
        '''
        text = f"""
        {base}
        GET /users/{user}/mail/vipmailfolders
        """
        ''',
        4,
    ),
}


@pytest.mark.parametrize(("code", "line"), OVER_LINES.values(), ids=OVER_LINES)
def test_the_line_is_told_at_which_it_is_complete(tmp_path: Path, code: str, line: int) -> None:
    assert [each for each, _ in found(tmp_path, code)] == [line]


def test_each_use_in_one_literal_has_its_line(tmp_path: Path) -> None:
    code = 'text = """\\\nif old == "MSGR_C_OLD":\n    new = "MSGR_C_OLD"\n"""'
    assert [line for line, _ in found(tmp_path, code)] == [2, 3]


ALIKE = {
    "goes on": 'get("/directory/custom-fields" + "-v2")',
    "begins before": 'get("my-directory/custom-fields")',
    "another method": 'http.get(base + "/sharedrives/x/permissions/enable")',
    "another method by name": 'http.request("GET", "/sharedrives/x/permissions/enable")',
    "a part of it": 'get(f"/boards/1/posts/2/attachments/{attachment}")',
    "the value now": 'messenger={"protocol": "MSGR_C"}',
    "a longer name": "MSGR_C_OLDER = 1",
    "goes on in an f-string": 'get(f"{base}/directory/{kind}")',
    "goes on in a format": 'get("/directory/custom-fields{}".format("-v2"))',
    "other parts": 'get("/".join(["directory", "custom", "fields"]))',
    "the mail that is read": 'http.get(f"{base}/users/{user}/mail")  # delete it by hand',
    "the mail that is sent": 'url = f"{base}/users/{user}/mail"\nhttp.post(url)\ncache.delete(key)',
    "a deletion two lines before": 'cache.delete(key)\nlog(key)\nurl = f"{base}/users/{user}/mail"',
    "a parameter": 'root = "/directory"\ndef fields(root):\n    return get(root + "/custom-fields")',
    "a division": "ratio = directory / fields",
    "a plural": 'post(comment + "/attachment" + "s")',
    "another value": 'protocol = "MSGR_C" + "_OLDER"',
    "a name": 'root = "/directory"\nget(root + "/custom-fields")',
    "an empty f-string": 'get(urljoin(f"", "/custom-fields"))',
    "a field of another digit": 'get("{²}/custom-fields".format(1))',
    "a single brace": 'get("{/custom-fields".format(1))',
    "numbers": 'rest = "%d/%d" % (1, 2) + "/3" * 4',
}


@pytest.mark.parametrize("code", ALIKE.values(), ids=ALIKE)
def test_what_is_only_alike_is_no_use(tmp_path: Path, code: str) -> None:
    assert found(tmp_path, code) == []


CELLS = {
    "a command": ("!curl https://api.test/directory/custom-fields", [(1, 1)]),
    "a command over lines": ("x = 1\n!curl -X DELETE \\\n  -H a \\\n  $BASE/users/$ME/mail", [(1, 4)]),
    "a command whose answer is kept": ("out = !curl $BASE/directory/custom-fields", [(1, 1)]),
    "bash": ('%%bash\ncurl "$BASE"/directory/custom-fields', [(1, 2)]),
    "bash that reads": ("%%bash\ncurl $BASE/users/u-1/mail", []),
    "bash that deletes": ('%%bash\ncurl --request DELETE "$BASE/users/u-1/mail"', [(1, 2)]),
    "below a magic": ("%%time\nget('/directory' + '/custom-fields')", [(1, 2)]),
    "after a magic": ("%time get('/directory' + '/custom-fields')", [(1, 1)]),
    "beside a magic": ("%matplotlib inline\nget?\nget('/directory' + '/custom-fields')", [(1, 3)]),
    "other text": ("%%html\n<a href='/directory/custom-fields'>", [(1, 2)]),
    "no Python": ("get('/directory/custom-fields'", [(1, 1)]),
}


@pytest.mark.parametrize(("cell", "places"), CELLS.values(), ids=CELLS)
def test_cells_are_read_as_what_they_are(tmp_path: Path, cell: str, places: list[tuple[int, int]]) -> None:
    assert [(number, line) for number, line, _ in found_in(tmp_path, cell)] == places


def test_cells_of_another_language_are_read_by_line(tmp_path: Path) -> None:
    cells = ('fetch("/directory" + path)', "// ?\nfetch(`${base}/directory/custom-fields`)")
    assert found_in(tmp_path, *cells, language="javascript") == [(2, 2, "custom-fields")]


PARTS = st.lists(st.sampled_from(["users", "u-1", "{user}", "mail", "directory", "v2"]), max_size=4)


@given(before=PARTS, pieces=st.integers(1, 6), data=st.data())
def test_a_path_is_found_wherever_it_is_cut(tmp_path_factory, before, pieces, data) -> None:
    path = "/" + "/".join([*before, "directory", "custom-fields"])
    cuts = sorted(data.draw(st.lists(st.integers(0, len(path)), min_size=pieces - 1, max_size=pieces - 1)))
    parts = [path[start:end] for start, end in zip([0, *cuts], [*cuts, len(path)], strict=True)]
    between = data.draw(st.sampled_from([" + ", "\n    ", " +\n    "]))
    code = f"get({between.join(map(repr, parts))})"
    assert {key for _, key in found(tmp_path_factory.mktemp("cut"), code)} == {"custom-fields"}

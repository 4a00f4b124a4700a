"""Links and images lead somewhere, and images say what they show."""

from pathlib import Path

import pytest
from nbformat import NotebookNode, v4

from svckit.jupyter.links import find_broken_links
from svckit.jupyter.rules import find_problems


def a_notebook(markdown: str, **cell: object) -> NotebookNode:
    cells = [
        v4.new_markdown_cell("# Set *up* `it`\n\n<a id='there'></a>", id="a"),
        v4.new_markdown_cell(markdown, id="b", **cell),
    ]
    return v4.new_notebook(cells=cells)


def showing(kind: str, content: str, **output: object) -> NotebookNode:
    data = {kind: content, **output.pop("beside", {})}
    cell = v4.new_code_cell("show()", id="b", execution_count=1)
    cell.outputs = [v4.new_output("display_data", data=data, **output)]
    return v4.new_notebook(cells=[v4.new_markdown_cell("# Title", id="a"), cell])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "my file.csv").touch()
    (tmp_path / "b.svg").touch()
    inner = tmp_path / "inner"
    inner.mkdir()
    return inner


@pytest.mark.parametrize(
    "markdown",
    [
        "[a](../data/my%20file.csv), [b](<../data/my file.csv>), [folder](../data/) and [again][1]\n\n[1]: ../b.svg",
        "![A bar chart](../b.svg) <img src='../b.svg' alt=''> <img src='../b.svg' aria-hidden='true'>",
        "[up](#Set-up-it), [up](#set-up-it), [top](#), [there](#there) and [in a file](../b.svg#x)",
        "[web](https://example.com/nothing), [mail](mailto:a@b.test), [same](//example.com/x), <https://example.com>",
        "`[code](nothing)`\n\n```\n![code](nothing)\n```\n\n    [code](nothing)",
        "![A dot](data:image/png;base64,iVBORw0KGgo=)",
        "<!-- <img src='nothing'> -->",
    ],
)
def test_what_leads_somewhere_is_fine(markdown: str, folder: Path) -> None:
    assert find_broken_links(a_notebook(markdown), folder) == []
    assert find_problems(a_notebook(markdown)) == []


@pytest.mark.parametrize(
    ("markdown", "told"),
    [
        ("[a](data/my%20file.csv)", "a link to data/my%20file.csv, which does not exist"),
        ("[a][1]\n\n[1]: nothing.ipynb#x", "a link to nothing.ipynb#x, which does not exist"),
        ("| a |\n| - |\n| [b](nothing?x=1) |", "a link to nothing?x=1, which does not exist"),
        ("![A chart](c.svg)", "an image from c.svg, which does not exist"),
        ("<img src='c.svg' alt='A chart'>", "an image from c.svg, which does not exist"),
        ("<p>\n<a href='c.csv'>C</a></p>", "a link to c.csv, which does not exist"),
        ("[a](/data/a.csv)", "a link to /data/a.csv, which is not relative"),
        ("[a](C:/data/a.csv)", "a link to C:/data/a.csv, which is not relative"),
        ("[a](#nowhere)", "a link to #nowhere, which is not a heading"),
        ("![A dot](attachment:dot.png)", "an image from attachment:dot.png, which the cell does not have"),
        ("<a href='http://[x'>x</a>", "a link to http://[x, which cannot be read"),
    ],
)
def test_what_leads_nowhere_is_told_with_its_cell(markdown: str, told: str, folder: Path) -> None:
    (found,) = find_broken_links(a_notebook(markdown), folder)
    assert str(found) == f"cell 2 (b): {told}; {found.remedy}"
    assert found.remedy


def test_an_attachment_belongs_to_its_cell(folder: Path) -> None:
    picture = {"my dot.png": {"image/png": "iVBORw0KGgo="}}
    notebook = a_notebook("![A dot](attachment:my%20dot.png)", attachments=picture)
    assert find_broken_links(notebook, folder) == []


def test_what_a_notebook_is_meant_to_leave_may_be_linked(folder: Path) -> None:
    notebook = a_notebook("[a](results/report.csv) and [b](./c.csv)")
    notebook.metadata["svckit"] = {"leaves": ["results/", "*.csv"]}
    assert find_broken_links(notebook, folder) == []


@pytest.mark.parametrize("kind", ["text/html", "text/markdown"])
def test_links_in_outputs_are_followed_too(kind: str, folder: Path) -> None:
    (found,) = find_broken_links(showing(kind, "<a href='c.csv'>C</a> <a href='../b.svg'>B</a>"), folder)
    assert found.message == "a link to c.csv, which does not exist"


@pytest.mark.parametrize(
    ("markdown", "image"),
    [
        ("![](../b.svg)", "../b.svg"),
        ("![ ](../b.svg 'A title')", "../b.svg"),
        ("<img src='../b.svg'>", "../b.svg"),
        ("<div>\n<img src='../b.svg' title='B'/>\n</div>", "../b.svg"),
        ("<img>", "without a source"),
    ],
)
def test_an_image_without_alternative_text_is_told(markdown: str, image: str) -> None:
    (found,) = find_problems(a_notebook(markdown))
    assert str(found) == f"cell 2 (b): an image without alternative text, {image}; {found.remedy}"


def test_an_image_in_an_output_needs_alternative_text_too() -> None:
    (found,) = find_problems(showing("text/html", "<img src='data:image/png;base64,iVBORw0KGgo='>"))
    assert found.message.startswith("an image without alternative text, data:image/png")
    assert len(found.message) < 120


SVG = "<svg xmlns='http://www.w3.org/2000/svg'>{}<path d='M0 0'/></svg>"


@pytest.mark.parametrize(
    "notebook",
    [
        showing("image/svg+xml", SVG.format("<title>Sales by month</title>")),
        showing("image/svg+xml", SVG.format("").replace("<svg", "<svg role='img' aria-label='Sales'")),
        showing("image/svg+xml", SVG.format(""), metadata={"image/svg+xml": {"alt": "Sales by month"}}),
        showing("image/svg+xml", SVG.format(""), beside={"text/plain": "Sales by month: 3, 4, 5"}),
        showing("image/svg+xml", SVG.format(""), beside={"text/html": "<table><tr><td>3</td></tr></table>"}),
    ],
)
def test_a_picture_that_says_what_it_shows_is_fine(notebook: NotebookNode) -> None:
    assert find_problems(notebook) == []


@pytest.mark.parametrize(
    "notebook",
    [
        showing("image/svg+xml", SVG.format("")),
        showing("image/svg+xml", SVG.format("<title></title>")),
        showing("image/svg+xml", SVG.format(""), beside={"text/plain": "<Figure size 640x480 with 1 Axes>"}),
    ],
)
def test_a_picture_that_does_not_is_told(notebook: NotebookNode) -> None:
    (found,) = find_problems(notebook)
    assert str(found) == f"cell 2 (b): a picture without alternative text; {found.remedy}"

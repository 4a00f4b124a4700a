"""The pages of the site as Markdown, with a list of them, `llms.txt`, for readers that are programs."""

import re
from pathlib import Path

from nbconvert.exporters import MarkdownExporter

__all__ = ["write_markdown"]

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"(\]\([^)\s:]+)\.ipynb(?=[)#])")
TITLE = re.compile(r"^# (.+)$|^(\S.*)\n=+$", re.MULTILINE)
AS_TEXT = {"NbConvertBase": {"display_data_priority": ["text/plain"]}}


def write_markdown(folder: Path, text: Path, groups: dict[str, list[tuple[str, str]]]) -> None:
    """Write each page beside its HTML, and `llms.txt`.

    Args:
        folder: the site.
        text: where Sphinx wrote the pages of docstrings as text.
        groups: the groups of the menu, each with the short titles and the names of its pages.
    """
    lines = [f"# svckit\n\n> {read_summary(write_page(folder, text, 'README'))}"]
    for group, pages in groups.items():
        lines.append(f"\n## {group}\n")
        for _, page in pages:
            content = write_page(folder, text, page)
            heading = TITLE.search(content)
            title = (heading[1] or heading[2]) if heading else page
            lines.append(f"- [{title}]({page}.md): {read_summary(content)}")
    (folder / "llms.txt").write_text("\n".join(lines) + "\n", "utf-8")


def write_page(folder: Path, text: Path, page: str) -> str:
    """Write a page as Markdown, and return that."""
    source = next(file for suffix in (".ipynb", ".md", ".rst") if (file := ROOT / f"{page}{suffix}").exists())
    if source.suffix == ".ipynb":
        content, _ = MarkdownExporter(config=AS_TEXT).from_filename(str(source))
    elif source.suffix == ".rst":
        content = (text / f"{page}.txt").read_text("utf-8")
    else:
        content = source.read_text("utf-8")
    content = LINK.sub(r"\1.md", content)
    (folder / f"{page}.md").write_text(content, "utf-8")
    return content


def read_summary(content: str) -> str:
    """Return the first sentence of a page, without the targets of its links."""
    paragraphs = re.split(r"\n\s*\n", content.strip())
    words = next((each for each in paragraphs if each[:1].isalpha() and not TITLE.match(each)), "")
    plain = re.sub(r"\[([^]]+)\]\([^)]+\)", r"\1", " ".join(words.split()))
    return re.split(r"(?<=\.) (?=[A-Z])", plain)[0]

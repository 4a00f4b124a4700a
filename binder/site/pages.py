"""Additions to the pages of the site, and the targets of their references."""

import re
import shutil
import sys
from importlib import import_module
from types import FunctionType, ModuleType
from typing import Any

from docutils.nodes import Element, document, raw
from sphinx.addnodes import index, pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.pycode import ModuleAnalyzer
from sphinx.util.nodes import make_refnode

import svckit.models
from binder.site.menu import KEYWORDS, UNSEARCHED, write_menu
from binder.site.ways import write_ways
from svckit.models import WireModel
from svckit.models.fields import FieldSpec, list_fields

__all__ = ["NOT_LINKED", "setup"]

API = "binder/site/api"
WORD = re.compile(r'<span class="pre">([\w.=*:\'"[\](),&;]+)</span>', re.ASCII)
"""Words of code that Sphinx keeps on one line, and that have no place to break anyway."""

ANCHOR = re.compile(r'<a id="([\w-]+)">')
NOT_LINKED = [
    # Types in signatures are often of other projects, or not public.
    (r"py:(class|data|exc|func|meth)", r".*"),
    # Arguments; modules, and what is not public.
    (r"py:obj", r"[a-z_]+"),
    (r"py:obj", r"(svckit|fakes)(\.[a-z_]+)+|BrokenConnection|(asyncio|requests|threading|time)\..*"),
]
"""References that lead nowhere on the site."""


def add_menu(_: Sphinx, name: str, source: list[str]) -> None:
    """Add the menu to the home page."""
    if name == "README":
        source[0] += write_menu()


def add_data(_: Sphinx, name: str, source: list[str]) -> None:
    """Add the constants and types of a module, with the words below them where they are defined."""
    folder, _, module = name.rpartition("/")
    if folder == API:
        package = import_module(module)
        found = ((each, getattr(package, each)) for each in package.__all__)
        data = [
            each
            for each, value in found
            if not isinstance(value, type | FunctionType | ModuleType)
            and (module == "svckit.models" or getattr(svckit.models, each, None) is not value)  # on that page
        ]
        homes = {each: find_home(module, each) for each in data}
        lines = [
            f".. autodata:: {home}.{each}\n   :no-value:\n" for each, home in homes.items() if home != module
        ]
        source[0] += "\n".join(["", *lines])


def find_home(package: str, name: str) -> str:
    """Return the module that defines and describes a name of a package: the package itself, or one below it."""
    root, value = package.partition(".")[0], getattr(import_module(package), name)
    below = sorted(
        each
        for each, module in sys.modules.items()
        if each.startswith(f"{root}.") and vars(module).get(name) is value
    )
    for module in (package, *below):
        analyzer = ModuleAnalyzer.for_module(module)
        analyzer.analyze()
        if ("", name) in analyzer.attr_docs:
            return module
    return package


def add_anchors(app: Sphinx, tree: document) -> None:
    """Let links lead to the rows of a table, whose anchors are HTML."""
    slugs = app.env.metadata[app.env.docname].setdefault("myst_slugs", {})  # MyST's own are those of headings
    for node in tree.findall(raw):
        if found := ANCHOR.match(node.astext()):
            slugs[found[1]] = (0, found[1], found[1])


def add_keywords(app: Sphinx, tree: document) -> None:
    """Add a page's keywords to what the search finds, or leave the page out of it."""
    page = app.env.docname
    if page in UNSEARCHED:
        app.env.metadata[page]["no-search"] = ""
    entries = [("single", word, "", "main", None) for word in KEYWORDS.get(page, ())]
    tree += index(entries=entries)


def complete_page(_: Sphinx, page: str, __: str, context: dict[str, Any], ___: Any) -> None:
    """Add the ways to open a page, and what the theme's menu lacks."""
    source = context.get("sourcename", "")
    if context.get("body") and source:
        context["body"] = WORD.sub(r"\1", context["body"]) + write_ways(page, source, context)
    # The theme names no level for the headings of its menu.
    menu = context.get("furo_navigation_tree", "")
    context["furo_navigation_tree"] = menu.replace('role="heading"', 'role="heading" aria-level="2"')


def add_fields(app: Sphinx, what: str, _: str, found: Any, __: Any, lines: list[str]) -> None:
    """Add the fields of a model to its docstring, from the model."""
    if (
        what == "class"
        and issubclass(found, WireModel)
        and found is not WireModel
        and "Attributes:" not in lines
    ):
        fields = list_fields(found)
        lines += ["Attributes:", *(f"    {field.name}: {describe_field(field)}" for field in fields), ""]
    app.env.temp_data["svckit_lines"] = list(lines)


def describe_field(field: FieldSpec) -> str:
    """Return the meaning and the limits of a field."""
    limits = "; ".join(filter(None, (field.limits, ", ".join(field.choices))))
    words = f"{field.help or field.kind}{f' ({limits})' if limits else ''}"
    return words.replace("\\", r"\\").replace("*", r"\*")


def keep_sentence(app: Sphinx, what: str, _: str, __: Any, ___: Any, lines: list[str]) -> None:
    """Undo what napoleon makes of a property's docstring: it takes words before a colon for a type."""
    if what in {"attribute", "data", "property"}:
        lines[:] = app.env.temp_data["svckit_lines"]


def skip_member(app: Sphinx, _: str, name: str, found: Any, skip: bool, __: Any) -> bool | None:
    """Leave out what every model has, what Tab does not show, and what classes inherit from other projects."""
    about = app.env.temp_data
    owner = getattr(import_module(about["autodoc:module"]), about.get("autodoc:class") or "", None)
    if name == "model_config" or name in getattr(owner, "_internal", ()):
        return True
    function = getattr(found, "fget", None) or getattr(found, "func", None) or found
    is_ours = (getattr(function, "__module__", None) or "").startswith(("svckit", "fakes"))
    return True if isinstance(owner, type) and name not in vars(owner) and not is_ours else None


def find_target(app: Sphinx, env: BuildEnvironment, node: pending_xref, content: Element) -> Element | None:
    """Link a name of ours that is given without its module, or with the module that it is defined in."""
    target = node["reftarget"]
    names = target.split(".")
    if node.get("refdomain") != "py" or not (names[0] in ("svckit", "fakes") or names[0][:1].isupper()):
        return None
    first = next((number for number, name in enumerate(names) if name[:1].isupper()), None)
    if first is None:
        return None
    suffix = "." + ".".join(names[first:])
    python = env.domains.python_domain
    for name, entry in sorted(python.objects.items()):
        if name.endswith(suffix):
            return make_refnode(app.builder, node["refdoc"], entry.docname, entry.node_id, content, name)
    return None


def add_home(app: Sphinx, failed: Exception | None) -> None:
    """Make the home page the one of the folder, and leave out what no page uses.

    The sources are kept only of notebooks, as the other pages are there as Markdown.
    """
    if failed is None and app.builder.name == "html":
        shutil.copyfile(app.outdir / "README.html", app.outdir / "index.html")
        for file in (*(app.outdir / "_sources").rglob("*"), *(app.outdir / "_static").rglob("*.map")):
            if file.suffix in {".md", ".rst", ".map"}:
                file.unlink()


def setup(app: Sphinx) -> None:
    """Connect what is added to Sphinx's events."""
    app.connect("source-read", add_menu)
    app.connect("source-read", add_data)
    app.connect("doctree-read", add_anchors)
    app.connect("doctree-read", add_keywords)
    app.connect("html-page-context", complete_page, priority=900)  # after the theme
    app.connect("build-finished", add_home)
    app.connect("missing-reference", find_target)
    app.connect("autodoc-skip-member", skip_member)
    app.connect("autodoc-process-docstring", add_fields, priority=100)  # before napoleon
    app.connect("autodoc-process-docstring", keep_sentence, priority=900)  # after it

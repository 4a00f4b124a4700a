"""What ``?`` shows in a notebook: each name has its arguments, its result and an example, which runs as a test."""

import ast
import functools
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

import fakes
import svckit
from fakes import FakeService
from svckit.models import UserChange
from svckit.models.fields import FieldSpec, list_fields

PARTS = (
    "auth", "callbacks", "clock", "directory", "facts", "faults", "files", "journal", "rules", "settings", "statuses",
    "webhooks",
)  # fmt: skip
"""The parts of a fake."""

SECTION = re.compile(r"^(Args|Returns|Yields|Raises|Examples):\n((?:    .*\n|\n)*)", re.MULTILINE)
CODE = re.compile(r"^ *(?:>>>|\.\.\.) (.*)$", re.MULTILINE)
PROPERTY = property | functools.cached_property
GIVES = re.compile(r"(^|; |, |\band )(return|yield|iterate)s?\b", re.IGNORECASE)


def owners() -> dict[str, Any]:
    fake = FakeService.sample(users=1, now="2026-06-01T09:00:00+09:00")
    svc = svckit.connect(fake)
    return {
        "svckit": svckit,
        **{
            f"svckit.{name}": getattr(svckit, name)
            for name in ("events", "frames", "lifecycle", "models", "places", "plots", "widgets")
        },
        **{
            f"svckit.operations.{name}": getattr(svckit.operations, name)
            for name in svckit.operations.__all__
        },
        **{
            f"svckit.{name}.{each.__name__}": each
            for name in ("events", "lifecycle", "models", "widgets")
            for each in classes(getattr(svckit, name))
        },
        **{f"svckit.{each.__name__}": each for each in classes(svckit)},
        "svc": svc,
        "svc.users": svc.users,
        "svc.files": svc.files,
        "fakes": fakes,
        "fake": fake,
        **{f"fake.{name}": getattr(fake, name) for name in PARTS},
    }


def classes(module: Any) -> Iterator[type]:
    """Yield the public classes of a module."""
    yield from (own for own in (getattr(module, name) for name in module.__all__) if inspect.isclass(own))


def members(owner: Any) -> Iterator[tuple[str, Any]]:
    """Yield the functions and properties that Tab shows of a module, a class or an object."""
    for name in owner.__all__ if inspect.ismodule(owner) else dir(owner):
        if name.startswith("_") or name in getattr(owner, "_internal", ()):
            continue
        own = inspect.getattr_static(owner if inspect.isclass(owner) else type(owner), name, None)
        if inspect.isclass(owner) and not is_ours(own):
            continue
        if not isinstance(own, PROPERTY):
            own = getattr(owner, name)
        if (isinstance(own, PROPERTY) or inspect.isroutine(own)) and is_ours(own):
            yield name, own


def is_ours(own: Any) -> bool:
    """Return whether a function or property is of this project, not inherited from a library."""
    return (getattr(unwrap(own), "__module__", None) or "").partition(".")[0] in {"svckit", "fakes"}


def unwrap(own: Any) -> Any:
    """Return the function of a property, or the function itself."""
    return getattr(own, "fget", None) or getattr(own, "func", None) or inspect.unwrap(own)


def sections(doc: str) -> dict[str, str]:
    return dict(SECTION.findall(f"{doc}\n"))


def is_used(name: str, owner: Any) -> bool:
    """Return whether the examples of an owner's class, or of a class it inherits from, use a name."""
    docs = map(inspect.getdoc, inspect.getmro(owner if inspect.isclass(owner) else type(owner)))
    examples = (sections(doc or "").get("Examples", "") for doc in docs)
    return any(re.search(rf"\.{name}\b", line) for each in examples for line in CODE.findall(each))


def find_lacks(own: Any) -> Iterator[str]:
    """Yield what a docstring lacks, but for examples."""
    doc = inspect.getdoc(own) or ""
    if not doc:
        yield "a docstring"
    if isinstance(own, PROPERTY):
        return
    found, signature = sections(doc), inspect.signature(own)
    named = re.findall(r"^    (\S[^:\n]*):", found.get("Args", ""), re.MULTILINE)
    known = {each.strip(" *") for names in named for each in names.split(",")}
    for name in signature.parameters.keys() - known - {"self"}:
        if not name.startswith("_"):
            yield f"the argument {name}"
    if not any(each.kind is each.VAR_KEYWORD for each in signature.parameters.values()):
        for name in known - signature.parameters.keys() - {"changes"}:
            yield f"an argument for its section on {name}"
    gives = found.keys() & {"Returns", "Yields"} or GIVES.search(doc.partition("\n\n")[0])
    if not gives and signature.return_annotation is not None and not is_place(own):
        yield "what it returns"


def find_raised(own: Any) -> Iterator[type[BaseException]]:
    """Yield the exceptions that a function raises itself, not those of what it calls."""
    function = unwrap(own)
    todo: list[ast.AST] = [*ast.parse(textwrap.dedent(inspect.getsource(function))).body[0].body]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            continue
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            name = ast.unparse(node.exc.func)
            raised = None if name.startswith("self.") else eval(name, function.__globals__)
            if inspect.isclass(raised):  # otherwise a function or method that makes an error
                yield raised
        todo += ast.iter_child_nodes(node)


def names_one_of(doc: str, raised: type[BaseException]) -> bool:
    """Return whether a docstring says that an exception, or one that it is a kind of, is raised."""
    kinds = [each.__name__ for each in raised.__mro__ if each not in (Exception, BaseException, object)]
    return any(re.search(rf"\b{kind}\b", sections(doc).get("Raises", "")) for kind in kinds)


def test_docstrings_name_what_is_raised() -> None:
    problems = [
        f"{title}.{name}? does not say that it raises {raised.__name__}"
        for title, owner in owners().items()
        for name, own in members(owner)
        for raised in find_raised(own)
        if not names_one_of(inspect.getdoc(own) or "", raised)
    ]
    assert problems == []


def is_place(own: Callable[..., Any]) -> bool:
    """Return whether a function is named for the place it returns."""
    return inspect.getmodule(own) is svckit.places


def test_docstrings_are_complete() -> None:
    problems = []
    for title, owner in owners().items():
        for name, own in members(owner):
            problems += [f"{title}.{name}? lacks {what}" for what in find_lacks(own)]
            examples = sections(inspect.getdoc(own) or "").get("Examples", "")
            if ">>>" not in examples and not is_used(name, owner):
                problems.append(f"{title}.{name}? lacks an example, and so does the class")
    assert not problems, "\n".join(["", *problems])


def test_tab_hides_names_that_exist() -> None:
    stale = [
        f"{title}.{name}"
        for title, owner in owners().items()
        for name in getattr(owner, "_internal", ())
        if name not in (dir(owner) if inspect.isclass(owner) else object.__dir__(owner))
    ]
    assert stale == []


def describe_kind(field: FieldSpec) -> str:
    """Describe the type of a field's value."""
    if field.choices:
        return (", " if len(field.choices) > 2 else " or ").join(f"``{each}``" for each in field.choices)
    if field.item is not None and field.item.kind == "object":
        return f"list of {describe_kind(field.item).replace('object', 'objects', 1)}"
    if field.fields:
        return f"object with {', '.join(each.name for each in field.fields)}"
    return {"flag": "``True`` or ``False``", "json": "object"}.get(field.kind, field.kind)


def describe(field: FieldSpec) -> str:
    """Describe a field as `svc.users.update` does."""
    kind = describe_kind(field)
    limits = "; ".join(filter(None, [f"{kind} or ``None``" if field.nullable else kind, field.limits]))
    return f"{field.name}: {field.help} {limits[0].upper()}{limits[1:]}."


def test_update_says_what_each_field_is() -> None:
    doc = " ".join((inspect.getdoc(svckit.operations.users.update) or "").split())
    wanted = [describe(field) for field in list_fields(UserChange)]
    assert [each for each in wanted if each not in doc] == []

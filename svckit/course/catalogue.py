"""The lessons, in order, and the paths through them."""

import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from traceback import extract_tb
from types import ModuleType
from typing import TYPE_CHECKING, Any

from svckit.display.suggestions import NoSuchKey
from svckit.extras import check_fakes
from svckit.jupyter.bundled import own_notebooks

if TYPE_CHECKING:
    from fakes.lessons import Exercise

__all__ = ["COURSE", "LESSONS", "PATHS", "PROJECT", "Lesson", "describe_error", "find_lesson", "list_lessons"]

GROUP = "svckit.lessons"
"""The group of entry points for the modules of other lessons."""
NEEDED = {"function", "title", "minutes", "variants", "solved", "checks"}
"""Keys that the words of every lesson have."""


@dataclass(frozen=True)
class Lesson:
    """A lesson: a notebook with one exercise, or the project.

    Attributes:
        words: the file of its words. The notebook is beside it, under the same name; the project has a folder instead.
    """

    words: Path

    @cached_property
    def content(self) -> Mapping[str, Any]:
        """The content of the file of words.

        Raises:
            ValueError: it is not TOML, lacks what every lesson has, or has minutes or variants in another form.
        """
        import tomllib

        try:
            content = tomllib.loads(self.words.read_text("utf-8"))
        except tomllib.TOMLDecodeError as error:
            raise ValueError(f"{self.words} is not TOML: {error}") from None
        if missing := sorted(name for name in NEEDED if not content.get(name)):
            raise ValueError(f"{self.words} lacks {', '.join(missing)}")
        if not isinstance(content["minutes"], int):
            raise ValueError(f"{self.words} has minutes that are not a whole number: {content['minutes']!r}")
        if not isinstance(content.get("refused", {}), dict):
            raise ValueError(f"{self.words} has a 'refused' that is not a table: {content['refused']!r}")
        for variant in content["variants"]:
            if not (isinstance(variant, dict) and isinstance(variant.get("words"), str)):
                raise ValueError(
                    f"{self.words} has a variant without words, such as {{words = 'two rooms'}}: {variant!r}"
                )
        return content

    @property
    def number(self) -> str:
        """Its number: that of its words, or the beginning of their name."""
        return str(self.content.get("number", self.words.stem.partition("-")[0]))

    @property
    def function(self) -> str:
        """The name of the function that its exercise asks for."""
        return str(self.content["function"])

    @property
    def title(self) -> str:
        """Its title."""
        return str(self.content["title"])

    @property
    def minutes(self) -> int:
        """The minutes that it takes."""
        return int(self.content["minutes"])

    @property
    def goals(self) -> int:
        """The number of its goals, including those of a project's tests."""
        return sum("goal" in check for check in self.content["checks"].values())

    @property
    def notebook(self) -> Path:
        """Its notebook."""
        return self.words.with_suffix(".ipynb")

    @property
    def place(self) -> str:
        """The way to the lesson, in words."""
        return "with svckit course start" if self.words == PROJECT.words else f"in {self.notebook.name}"

    @property
    def translations(self) -> dict[str, Path]:
        """Its notebooks in other languages, by the language's code."""
        return {
            path.stem.rpartition(".")[2]: path
            for path in sorted(self.words.parent.glob(f"{self.words.stem}.*.ipynb"))
        }

    def load(self) -> "Exercise":
        """Make the exercise of the lesson: of its words, and of its module, which has a function for each check.

        It also has ``prepare``, and may have ``summarize``, ``play`` and ``shows``, as `Exercise` does.

        Raises:
            ValueError: the module raises an error, or lacks ``prepare`` or the function of a check.
        """
        names = vars(self.module)
        looks = () if self == PROJECT else self.content["checks"]  # some of the project's are about tests
        if missing := [name for name in ("prepare", *looks) if name not in names]:
            raise ValueError(f"the module of {self.words.name} lacks {', '.join(missing)}")
        from fakes.lessons import Exercise, Words

        checks = {name: names[name] for name in self.content["checks"] if name in names}
        parts = {name: names[name] for name in ("prepare", "summarize", "play", "shows") if name in names}
        words = Words.read(self.words)
        return Exercise(words=words, checks=checks, **parts)

    def load_solutions(self) -> tuple[Callable[..., Any], ...]:
        """Import the solutions of its exercise: the functions of its module whose names begin with ``solution``."""
        names = vars(self.module)
        return tuple(names[name] for name in names if name.startswith("solution"))

    @cached_property
    def module(self) -> ModuleType:
        """The module of the lesson: the one that its words name, or the file beside them.

        Raises:
            ValueError: there is no such file, or it raises an error.
        """
        check_fakes()
        if name := self.content.get("module"):
            return import_module(name)
        path = self.words.with_suffix(".py")
        spec = spec_from_file_location(str(path), path)  # a name that nothing else has
        if spec is None or spec.loader is None or not path.is_file():
            raise ValueError(f"{self.words} names no module, and there is no {path.name} beside it")
        module = sys.modules[spec.name] = module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
        except Exception as error:
            raise ValueError(describe_error(error, path.parent)) from error
        return module


def describe_error(error: Exception, folder: Path) -> str:
    """Say where in a file of a lesson an error was raised; an error about its words says so itself."""
    frames = [frame for frame in extract_tb(error.__traceback__) if Path(frame.filename).parent == folder]
    if type(error) is LookupError or (type(error) is ValueError and not frames):
        return str(error)
    place = f"{Path(frames[-1].filename).name}, line {frames[-1].lineno}: " if frames else ""
    return f"{place}{type(error).__name__}: {error}"


FOLDER = own_notebooks() / "course"
LESSONS = tuple(Lesson(path) for path in sorted(FOLDER.glob("*.toml")) if "." not in path.stem)
"""The lessons of svckit that are notebooks."""

PROJECT = Lesson(FOLDER / "project" / "words.toml")
"""The last lesson: a folder that a learner copies, and works in with an editor and pytest."""

COURSE = (*LESSONS, PROJECT)
"""All lessons of svckit."""

PATHS = {
    "explorer": ("00", "04", "05", "08", "11", "12"),
    "developer": ("00", "01", "02", "03", "04", "06", "07", "08", "09", "10", "13"),
}
"""Lessons of svckit by the kind of reader. A trainer takes the developer's path and reads TRAINER.md."""


def list_lessons() -> list[Lesson]:
    """Return all lessons: svckit's, those of packages, and those in the current folder.

    A lesson consists of a notebook, a file of words and a module of the same name. Packages name the module as an
    entry point of the group ``svckit.lessons``. A lesson that asks for a function that one of svckit's asks for, such
    as a copy with other words, takes its place.

    Raises:
        ValueError: the words of a lesson are not in order, or an entry point is not.
    """
    here = (
        path.with_suffix(".toml").resolve() for path in sorted(Path().glob("*.ipynb")) if "." not in path.stem
    )
    own = [Lesson(words) for words in (*_find_installed(), *here) if words.is_file()]
    return list({lesson.function: lesson for lesson in (*COURSE, *own)}.values())


@cache
def _find_installed() -> tuple[Path, ...]:
    """Return the words of lessons in packages, by number; their modules are not imported for that."""
    from importlib.metadata import entry_points

    return tuple(_find_words(point.name, point.value) for point in entry_points(group=GROUP))


def _find_words(name: str, module: str) -> Path:
    """Return the words beside the module that an entry point names.

    Raises:
        ValueError: there is no such module, or it has none.
    """
    with suppress(ModuleNotFoundError):
        if (spec := find_spec(module)) and spec.origin:
            words = Path(spec.origin).with_suffix(".toml")
            if words.is_file():
                return words
    raise ValueError(f"the entry point {name} names {module}: there is no such module, or no words beside it")


def find_lesson(number: str) -> Lesson:
    """Return the lesson of a number, with or without its leading zero.

    Raises:
        NoSuchKey: no lesson has it; the message lists the numbers.
    """
    lessons = {lesson.number: lesson for lesson in list_lessons()}
    if number.zfill(2) not in lessons:
        raise NoSuchKey(f"there is no lesson {number!r}; they are {', '.join(lessons)}")
    return lessons[number.zfill(2)]

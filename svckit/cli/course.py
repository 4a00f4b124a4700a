"""`svckit course`: the lessons, the learner's progress, and the grading of a class."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from svckit.cli.layout import make_app
from svckit.cli.reporting import require_extra, show
from svckit.course.catalogue import LESSONS, PATHS, PROJECT, Lesson, find_lesson, list_lessons
from svckit.course.learners import FILE
from svckit.display.suggestions import NoSuchKey
from svckit.jupyter import hub

__all__ = ["app"]

NO_PROGRESS = (
    'no progress here yet: run course.learner("your name") in a lesson; progress is kept beside the lessons'
)

app: typer.Typer = make_app(
    no_args_is_help=True,
    help="Take the course, or grade a class.",
    epilog="Example: svckit course list",
)


@app.command("list", epilog="Example: svckit course list --path explorer")
def list_all(
    path: Annotated[str | None, typer.Option(help=f"Only the lessons for: {', '.join(PATHS)}.")] = None,
) -> None:
    """List the lessons, with their minutes."""
    if path is not None and path not in PATHS:
        raise typer.BadParameter(
            f"{path!r} is not a path; choose from: {', '.join(PATHS)}", param_hint="--path"
        )
    chosen = [lesson for lesson in list_lessons() if path is None or lesson.number in PATHS[path]]
    for lesson in chosen:
        show(f"{lesson.number}  {lesson.minutes:>3} min  {lesson.title}")
    show(f"{len(chosen)} lessons, {sum(lesson.minutes for lesson in chosen)} minutes")


@app.command("open", epilog="Example: svckit course open 08")
def open_lesson(
    number: Annotated[str, typer.Argument(help="The number of a lesson.")],
    language: Annotated[
        str, typer.Option(help="Its language, such as ja; English if it is not translated.")
    ] = "en",
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Only print the URL.")] = False,
    in_class: Annotated[
        bool,
        typer.Option("--class", help="Take part in a class: asks for its link, or reads SVCKIT_INVITATION."),
    ] = False,
) -> None:
    """Open a lesson in JupyterLab. On a JupyterHub, print the link to it instead."""
    from svckit.cli.lab import lab

    lesson = _find(number)
    if lesson == PROJECT:
        raise typer.BadParameter(
            f"lesson {lesson.number} is not a notebook; svckit course start DIR copies it to a folder",
            param_hint="NUMBER",
        )
    notebook = lesson.translations.get(language, lesson.notebook)
    if notebook == lesson.notebook and language != "en":
        show(f"lesson {lesson.number} is not translated into {language}; this is the English one", err=True)
    if in_class:
        from svckit.course.invitations import accept, ask_for_link

        os.environ.update(accept(ask_for_link()))
    lab(notebook, check=False, app=False, no_browser=no_browser, port=None)
    if hub.find_folder() and lesson == LESSONS[0]:
        from svckit.course.scoreboard import put_board
        from svckit.jupyter.lab import find_copy

        put_board(find_copy(notebook))


@app.command(epilog="Example: svckit course invite mina ada")
def invite(
    names: Annotated[
        list[str], typer.Argument(metavar="NAME", help="A name for each learner, as worlds have.")
    ],
) -> None:
    """Print a link for each learner of a class, which `svckit course open 00 --class` asks them for.

    SVCKIT_ADMIN_URL and SVCKIT_ADMIN_KEY are those of `svckit serve --worlds`. A link has the key of the learner's own
    world, which opens nothing else; it is a secret.
    """
    from svckit.course.invitations import invite as make_link
    from svckit.course.trainer import connect_to_worlds

    call = connect_to_worlds()
    for name in names:
        show(f"{name}: {make_link(call, name)}")


@app.command(epilog="Example: svckit course start hr-sync")
def start(folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new folder.")]) -> None:
    """Copy the project of lesson 13 to a folder, to work on it with an editor and pytest."""
    with require_extra("svckit course start", "check"):
        from svckit.course.project import start_project
    files = start_project(folder)
    show(f"Written to {folder}: {', '.join(path.name for path in files)}")
    show(f"Begin with README.md. Check your work with: svckit course check {folder}")
    if hub.find_folder():
        with suppress(ValueError):  # outside the folder that it shows
            show(hub.make_link(folder / "README.md"))


@app.command(epilog="Example: svckit course check hr-sync")
def check(
    folder: Annotated[
        Path,
        typer.Argument(metavar="DIR|NUMBER", help="The folder of the project, or the number of a lesson."),
    ],
) -> None:
    """Check the project of lesson 13, or whether a lesson can be taught.

    Of the project, it checks the client by what it sends, and its tests with broken clients; of a lesson, the words,
    the starter and the solutions.

    The code and its tests run in processes of their own, without a network. This is not a sandbox. The exit code is
    0 if the project is solved, or the lesson in order, otherwise 1.
    """
    if not folder.exists():
        _check_lesson(_find(str(folder)))
        return
    with require_extra("svckit course check", "check"):
        from svckit.course.project import check_project
    with require_extra("svckit course check", "serve"):  # one of the fakes is served
        import uvicorn  # noqa: F401
    feedback = check_project(folder)
    show(feedback)
    if not feedback.solved:
        raise typer.Exit(1)


@app.command(epilog="Example: svckit course board class/*.json")
def board(
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="FILE", help="Files of progress.", show_default=FILE)
    ] = None,
) -> None:
    """Show the progress of a learner, or of a class: one line for each."""
    from svckit.course.progress import read_progress
    from svckit.course.scoreboard import Board

    if not files and not Path(FILE).is_file():
        raise typer.BadParameter(NO_PROGRESS, param_hint="FILE")
    tables = [Board(read_progress(path)) for path in _check_files(files or [Path(FILE)])]
    if len(tables) == 1:
        show(repr(tables[0]))
        return
    for table in tables:
        show(
            f"{table.progress.name or '(no name)'}: {table.solved} of {len(table.lessons)} solved. {table.next_step}"
        )


@app.command("next", epilog="Example: svckit course next")
def show_next() -> None:
    """Show the lesson to do next, and how to get there."""
    from svckit.course.scoreboard import board

    show(board().next_step)


@app.command(epilog="Example: svckit course grade submissions/*.ipynb --group spring")
def grade(
    notebooks: Annotated[list[Path], typer.Argument(metavar="NOTEBOOK", help="Submitted notebooks.")],
    group: Annotated[str, typer.Option(help="The name of the class.")] = "",
    seconds: Annotated[
        int, typer.Option("--timeout", min=1, metavar="SECONDS", help="Time limit for each exercise.")
    ] = 60,
    out: Annotated[Path, typer.Option(help="The folder for the table and the pages.")] = Path("grades"),
) -> None:
    """Grade submitted notebooks, with data that nobody has seen.

    Only cells tagged "exercise" are run, each exercise in a new process, without a network or your variables, and apart
    from what grades it. This is not a sandbox: the code can read files. Grade strangers' code in a container. Exit code
    1 means that a file, or an exercise in it, could not be graded.
    """
    from svckit.course.submissions import grade_class, write_grades

    grades = []
    for found in grade_class(_check_files(notebooks), group, seconds):
        if found.exercise:
            show(f"{found.learner}: {found.exercise}: {found.feedback.verdict}")
        else:
            show(found.feedback.happened, err=True)
        grades.append(found)
    show(f"Written: {write_grades(grades, out)}, and a page for each learner beside it")
    if not all(found.exercise for found in grades):
        raise typer.Exit(1)


@app.command(epilog="Example: svckit course coverage")
def coverage() -> None:
    """Run all lessons with their exercises solved, and count the rules of the fake that they use."""
    from svckit.course.coverage import measure_coverage

    show(measure_coverage())


def _find(number: str) -> Lesson:
    try:
        return find_lesson(number)
    except NoSuchKey as error:
        raise typer.BadParameter(str(error), param_hint="NUMBER") from None


def _check_lesson(lesson: Lesson) -> None:
    from svckit.course.proofreading import find_problems

    problems = find_problems(lesson)
    for problem in problems:
        show(problem)
    if problems:
        raise typer.Exit(1)
    show(f"lesson {lesson.number}, {lesson.title}: in order, and all its solutions solve it")


def _check_files(paths: list[Path]) -> list[Path]:
    for path in paths:
        if not path.is_file():
            raise typer.BadParameter(f"{str(path)!r} is not a file")
    return paths

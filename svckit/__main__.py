"""`python -m svckit` is the `svckit` command."""

import sys

__all__ = ["main"]


def main() -> None:
    """Run the `svckit` command, or say what to install for it."""
    try:
        from svckit.cli import main as run
    except ModuleNotFoundError as missing:
        if missing.name != "typer":
            raise
        sys.exit(str(missing))
    run()


if __name__ == "__main__":
    main()

"""`python -m svckit` is the `svckit` command."""

from svckit.cli import main

main()

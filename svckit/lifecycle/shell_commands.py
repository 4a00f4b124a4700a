"""The commands of shell code, each on one line, with its variables substituted."""

import re
from collections.abc import Iterator, Mapping, Sequence

__all__ = ["commands"]

ASSIGNMENT = re.compile(r"""^\s*(?:export\s+)?(\w+)=("[^"]*"|'[^']*'|[^\s;&|]*)\s*;?\s*$""")
VARIABLE = re.compile(r"\$\{(\w+)\}|\$(\w+)|\{(\w+)\}")
QUOTES = str.maketrans("", "", "\"'")


def commands(lines: Sequence[str], known: Mapping[str, str]) -> Iterator[tuple[int, int, str]]:
    """Yield each command, without quotes, with the numbers of its first and last line, from 1.

    Args:
        lines: the code; a line that ends with a backslash continues on the next.
        known: variables that are already set.

    Examples:
        >>> list(commands(["BASE=https://api.test", 'curl "$BASE/users/u-1" \\\\', "  -d '{}'"], {}))[1]
        (2, 3, 'curl https://api.test/users/u-1   -d {}')
    """
    variables = dict(known)
    first, parts = 1, []
    for number, line in enumerate(lines, 1):
        parts.append(line.rstrip().removesuffix("\\"))
        if line.rstrip().endswith("\\") and number < len(lines):
            continue
        text = VARIABLE.sub(lambda found: _substitute(found, variables), " ".join(parts))
        if assigned := ASSIGNMENT.match(text):
            variables[assigned[1]] = assigned[2].translate(QUOTES)
        yield first, number, text.translate(QUOTES)
        first, parts = number + 1, []


def _substitute(found: re.Match[str], variables: Mapping[str, str]) -> str:
    return variables.get(found[1] or found[2] or found[3], found[0])

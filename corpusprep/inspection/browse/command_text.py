"""Writes commands that give what a page shows, as a shell takes them."""

import shlex
from collections.abc import Sequence

#: Characters of a line of a command.
COMMAND_WIDTH = 62


def command_lines(parts: Sequence[Sequence[str]]) -> str:
    """Returns a command line as a shell takes it, on lines of up to COMMAND_WIDTH characters if its parts allow it."""
    lines = [""]
    for part in map(shlex.join, parts):
        if lines[-1] and len(lines[-1]) + len(part) + 3 > COMMAND_WIDTH:
            lines[-1] += " \\"
            lines.append("   ")
        lines[-1] += f" {part}" if lines[-1] else part
    return "\n".join(lines)

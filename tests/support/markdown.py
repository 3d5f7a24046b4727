"""Reads the code blocks of Markdown pages."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
_NOT_RUN = re.compile(r"<!-- not run by the test: [^>]+ -->\n\Z")


@dataclass(frozen=True)
class Snippet:
    """A fenced code block.

    Attributes:
        kind: sh, python, yaml, text, …
        text: its lines.
        output: the lines of the `text` block that follows it, before any other block; empty if there is none.
        run: whether the page lets the test run it.
    """

    kind: str
    text: str
    output: str
    run: bool


def snippets(page: Path) -> Iterator[Snippet]:
    """Yields the fenced code blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    found = list(_FENCE.finditer(text))
    for block, after in zip(found, [*found[1:], None], strict=True):
        output = after[3] if after is not None and after[2] == "text" and block[2] != "text" else ""
        yield Snippet(block[2], block[3], output, _NOT_RUN.search(text[: block.start()]) is None)


def command_lines(page: Path) -> Iterator[str]:
    """Yields the command lines of a page: of `sh` blocks and of indented blocks; continued lines are joined."""
    text = page.read_text(encoding="utf-8").replace("\\\n", " ")
    for block in _FENCE.finditer(text):
        if block[2] == "sh":
            yield from block[3].splitlines()
    yield from (line.strip() for line in _FENCE.sub("", text).splitlines() if line.startswith("    "))


def lines(text: str) -> Iterator[str]:
    """Yields the lines with something in them, white space folded."""
    return (" ".join(line.split()) for line in text.splitlines() if line.strip())


def missing(shown: str, printed: str) -> list[str]:
    """Returns the lines of an output on a page that were not printed, in this order; `…` stands for anything."""
    rest = iter(lines(printed))
    return [
        line
        for line in lines(shown)
        if not any(re.fullmatch(re.escape(line).replace("…", ".*"), other) for other in rest)
    ]

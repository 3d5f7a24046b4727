"""Prints concordances: aligned on the keyword for a terminal, or for other programs: TSV, JSON, CSV."""

import csv
import dataclasses
import io
import json
from collections.abc import Callable, Iterable, Iterator

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from corpusprep._native.unicode import visible
from corpusprep.inspection.concordance import ConcordanceLine, HitCounts
from corpusprep.io.readable import printable
from corpusprep.io.sheets import guarded

#: Columns of the host, and of the month or the reason, before each line.
HOST, NOTE = 15, 9
#: Hosts that the summary names.
HOSTS = 10
_GAP = 1
_FIELDS = tuple(field.name for field in dataclasses.fields(ConcordanceLine))


def show(lines: Iterable[ConcordanceLine], console: Console) -> None:
    """Prints lines aligned on the keyword, each with host, and month or the reason of the removal."""
    for line in lines:
        console.print(aligned(line, console.width), no_wrap=True, crop=True, overflow="ignore", soft_wrap=True)


def aligned(line: ConcordanceLine, width: int) -> Text:
    """Returns a line of `width` columns with the keyword in the middle of its text."""
    note = line.reason or line.date[:7]
    room = width - HOST - NOTE - 2 * _GAP
    # The keyword and what is right of it get more: the eye reads on from the keyword.
    before = room * 2 // 5
    keyword = first(clean(line.keyword), room - before)
    left = last(clean(line.left), before)
    right = first(clean(line.right), room - before - cell_len(keyword))
    aligned_text = Text()
    aligned_text.append(padded(first(clean(line.host), HOST), HOST), style="dim").append(" " * _GAP)
    aligned_text.append(padded(first(clean(note), NOTE), NOTE), style="red" if line.reason else "dim").append(
        " " * _GAP
    )
    aligned_text.append(" " * (before - cell_len(left)) + left)
    aligned_text.append(keyword, style="bold red" if line.reason else "bold green")
    return aligned_text.append(right)


def clean(text: str) -> str:
    """Returns text from the crawl as it may be printed on one line: without characters that nobody sees."""
    return printable(visible(text).replace("\n", " ").replace("\t", " "), len(text) + 1)


def first(text: str, width: int) -> str:
    """Returns the first characters of a text that fit into so many columns.

    >>> first("日本語", 5)
    '日本'
    """
    return "".join(_fitting(text, width))


def last(text: str, width: int) -> str:
    """Returns the last characters of a text that fit into so many columns.

    >>> last("日本語", 5)
    '本語'
    """
    return "".join(_fitting(reversed(text), width))[::-1]


def _fitting(characters: Iterable[str], width: int) -> Iterator[str]:
    for character in characters:
        width -= cell_len(character)
        if width < 0:
            return
        yield character


def padded(text: str, width: int) -> str:
    """Returns a text with spaces up to a number of columns."""
    return text + " " * (width - cell_len(text))


def summary(counts: HitCounts, *, hosts: int = HOSTS) -> str:
    """Returns what was counted in a few lines: hits, by host, and by reason if any were removed."""
    rate = f", {1e6 * counts.hits / counts.tokens:,.1f} per million" if counts.tokens else ""
    lines = [f"{counts.hits:,} hits in {counts.tokens:,} tokens{rate}"]
    if counts.hits:
        ordered = sorted(counts.hosts.items(), key=lambda item: (-item[1], item[0]))
        named = [f"{clean(host) or '(no host)'} {number:,}" for host, number in ordered[:hosts]]
        rest = len(ordered) - len(named)
        lines.append("by host: " + ", ".join(named) + (f", and {rest:,} more hosts" if rest > 0 else ""))
    if set(counts.reasons) - {("", "")}:
        by_reason = sorted(counts.reasons.items(), key=lambda item: (-item[1], item[0]))
        reasons = [f"{f'{stage}: {reason}' if stage else 'kept'} {number:,}" for (stage, reason), number in by_reason]
        lines.append("by fate: " + ", ".join(reasons))
    return "\n".join(lines)


def tab_separated(lines: Iterable[ConcordanceLine], write: Callable[[str], object]) -> None:
    """Writes a header and a row per line."""
    write("\t".join(_FIELDS) + "\n")
    for line in lines:
        write("\t".join(clean(str(getattr(line, name))) for name in _FIELDS) + "\n")


def json_lines(lines: Iterable[ConcordanceLine], write: Callable[[str], object]) -> None:
    """Writes a JSON object per line."""
    for line in lines:
        write(json.dumps(dataclasses.asdict(line)) + "\n")


def comma_separated(lines: Iterable[ConcordanceLine], write: Callable[[str], object]) -> None:
    """Writes a header and a row per line for spreadsheets; no cell is a formula that they would run."""
    row = io.StringIO()
    writer = csv.writer(row, lineterminator="\n")
    writer.writerow(_FIELDS)
    for line in lines:
        writer.writerow([guarded(clean(str(getattr(line, name)))) for name in _FIELDS])
        write(row.getvalue())
        row.seek(0)
        row.truncate()
    write(row.getvalue())


#: Form for other programs -> what writes lines in it.
FORMS = {"tsv": tab_separated, "json": json_lines, "csv": comma_separated}

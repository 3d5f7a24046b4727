"""Writes the table of tokens and sentences on treebanks in docs/measurements/treebanks.md.

    bench treebanks peers.tsv ours.tsv

The tables are those of `corpusprep studies treebanks`. Cells that are empty in a table, as those of programs that were
not installed, are taken from the tables before it.
"""

import csv
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import page_tables
import running

from corpusprep.languages.descriptions import describe
from studies.treebanks.agreement import COLUMNS
from studies.treebanks.peers import SEGMENTERS, TOKENIZERS

PAGE = running.REPOSITORY / "docs" / "measurements" / "treebanks.md"
#: Points of F1 behind the best peer that are named.
BEHIND = {"tokens": 0.5, "sentences": 1.0}
PEERS: Mapping[str, Iterable[str]] = {"tokens": TOKENIZERS, "sentences": SEGMENTERS}
HEAD = "treebank | sentences | ours | syntok | pysbd | sentencex | ICU | tokens | ours | sacremoses | spaCy | ICU"
#: Languages that a model has with others.
_NAMES = {"hr": "Croatian", "sr": "Serbian"}

Row = Mapping[str, str]


def main(prog: str, arguments: Sequence[str]) -> None:
    """Replaces the table and the summary of the page."""
    parser = running.parser(prog, __doc__)
    parser.add_argument("tables", type=Path, nargs="+")
    parser.add_argument("--page", type=Path, default=PAGE)
    options = parser.parse_args(arguments)
    measured = merged(options.tables)
    page_tables.replace(options.page, {"summary": f"\n{summary(measured)}\n", "treebanks": f"\n{table(measured)}\n"})


def merged(paths: Iterable[Path]) -> list[Row]:
    """Returns one row per treebank, by the name of its language.

    Raises:
        CommandError: a file is no such table.
    """
    rows: dict[str, dict[str, str]] = {}
    for path in paths:
        try:
            with path.open(encoding="utf-8", newline="") as file:
                reader = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
                if tuple(reader.fieldnames or ()) != COLUMNS:
                    raise running.CommandError(f"{path}: no table of corpusprep studies treebanks")
                for row in reader:
                    rows.setdefault(row["treebank"], {}).update({key: cell for key, cell in row.items() if cell})
        except (OSError, UnicodeDecodeError) as error:
            raise running.CommandError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    return sorted(rows.values(), key=name)


def name(row: Row) -> str:
    """Returns the language and the treebank: English EWT."""
    language = _NAMES.get(row["language"]) or describe(row["language"]).name
    return f"{language} {row['treebank'].partition('-ud-')[0].partition('_')[2].upper()}"


def behind(row: Row, kind: str) -> float:
    """Returns how far the F1 of `tokens` or `sentences` is below that of the best peer; below 0 if it is above."""
    scores = [float(row[f"f1_{kind}_{peer}"]) for peer in PEERS[kind] if f"f1_{kind}_{peer}" in row]
    return round(max(scores, default=0) - float(row[f"f1_{kind}"]), 2)


def summary(rows: Sequence[Row]) -> str:
    """Returns how many treebanks are behind a peer, and names those that are far behind."""
    languages = len({name(row).rpartition(" ")[0] for row in rows})
    lines = [f"{len(rows)} treebanks of {languages} languages."]
    for kind, least in BEHIND.items():
        gaps = {name(row): behind(row, kind) for row in rows}
        far = [f"{title} ({gap:.1f})" for title, gap in gaps.items() if gap > least]
        best = sum(gap <= 0 for gap in gaps.values())
        lines.append(
            f"{kind.capitalize()}: no peer is better in {best}; one is better by more than {least:g}"
            f" points in {len(far)}{': ' if far else ''}{', '.join(far)}."
        )
    return "\n".join(textwrap.fill(f"* {line}", 120, subsequent_indent="  ", break_on_hyphens=False) for line in lines)


def table(rows: Iterable[Row]) -> str:
    """Returns F1 of each treebank: of sentences, and of tokens as they are and without conventions."""
    lines = [f"| {HEAD} |", "|---|" + "---:|" * HEAD.count(" | ")]
    for row in rows:
        cells = [f"{int(row['sentences']):,}", _score(row, "f1_sentences")]
        cells += [_score(row, f"f1_sentences_{peer}") for peer in SEGMENTERS]
        cells += [f"{int(row['tokens']):,}"]
        for peer in ("", *(f"_{peer}" for peer in TOKENIZERS)):
            cells.append(f"{_score(row, f'f1_tokens{peer}')} / {_score(row, f'f1_tokens_without_conventions{peer}')}")
        lines.append(f"| {name(row)} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _score(row: Row, key: str) -> str:
    return f"{float(row[key]):.1f}" if key in row else "–"

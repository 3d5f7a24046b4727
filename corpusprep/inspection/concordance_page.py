"""Renders concordances before and after cleaning as one page (Pomikálek 2011, figure 1.1 and appendix A).

Each word has six, as the figures A.1 to A.6 for `search`: the first lines, shuffled lines, and the middle of all lines
sorted by the right context, each before and after cleaning. In sorted lines, what stands on many pages lines up: menus
and notices before cleaning, duplicates before de-duplication.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from corpusprep.inspection.concordance import ConcordanceLine, HitCounts, in_order, search
from corpusprep.inspection.concordance_text import clean
from corpusprep.inspection.query import literal
from corpusprep.inspection.search_texts import CORPUS, CRAWL, tokenizer_of
from corpusprep.io import tsv
from corpusprep.io.readable import thousands
from corpusprep.report.rendering import environment
from corpusprep.tables.batch_files import corpus_file

#: The word of the thesis. Where the crawl has it less often than a figure has lines, so many words that are typical of
#: its boilerplate are shown, too.
WORD, WORDS = "search", 3
#: Lines of each concordance, as in the thesis.
LINES = 25
#: The most lines that are sorted; of more hits, so many are drawn at random.
SORTED = 20_000
_TITLES = {CRAWL: "before cleaning", CORPUS: "after cleaning"}
_FIRST, _SHUFFLED, _MIDDLE = "the first lines", "shuffled", "the middle of the lines sorted by the right context"


@dataclass(frozen=True, slots=True)
class Figure:
    """A concordance: what it shows, how many hits there were, and its lines."""

    title: str
    hits: str
    tokens: str
    lines: tuple[ConcordanceLine, ...]


def typical_words(corpus_dir: Path, number: int = WORDS) -> list[str]:
    """Returns the words that are most typical of boilerplate and that the corpus has, too, as patterns.

    The statistics count what stands between white space. Of that, only what is one token can be found.

    Raises:
        StageFileError: the corpus has no statistics, or a file of it is missing or damaged.
    """
    tokenizer = tokenizer_of(corpus_dir)
    rows = tsv.read(corpus_file(corpus_dir, "removed_words"), ("stage", "word", "count_kept"))
    words = (row["word"] for row in rows if row["stage"] == "boilerplate" and row["count_kept"] != "0")
    return [literal(word) for word in words if len(tokenizer.tokenize(word)) == 1][:number]


def figures(corpus_dir: Path, pattern: str, lines: int = LINES, seed: int = 0) -> list[Figure]:
    """Returns the six concordances of a pattern, of `lines` hits each, in the order of the figures A.1 to A.6.

    Raises:
        PatternError: the pattern is wrong.
        StageFileError: a file of the corpus is missing or damaged.
    """
    by_kind: dict[str, list[Figure]] = {_FIRST: [], _SHUFFLED: [], _MIDDLE: []}
    for side, title in _TITLES.items():
        counts = HitCounts()
        drawn = list(search(corpus_dir, pattern, stage=side, sample=max(SORTED, lines), seed=seed, counts=counts))
        ordered = in_order(drawn, "right")
        middle = max(0, (len(ordered) - lines) // 2)
        kinds = {
            _FIRST: search(corpus_dir, pattern, stage=side, limit=lines),
            _SHUFFLED: drawn[:lines],
            _MIDDLE: ordered[middle : middle + lines],
        }
        for kind, shown in kinds.items():
            numbers = thousands(counts.hits), thousands(counts.tokens)
            by_kind[kind].append(Figure(f"{title}, {kind}", *numbers, tuple(shown)))
    return [figure for kind in by_kind.values() for figure in kind]


def render(corpus_dir: Path, patterns: Sequence[str], lines: int = LINES, seed: int = 0) -> str:
    """Returns the page; without patterns, for WORD, and for typical words of boilerplate if WORD is rare."""
    made = environment("corpusprep.inspection")
    made.filters["clean"] = clean
    if not patterns:
        occurrences = sum(1 for _ in search(corpus_dir, WORD, stage=CRAWL, limit=lines))
        typical = typical_words(corpus_dir) if occurrences < lines else []
        patterns = [*([WORD] if occurrences else []), *(word for word in typical if word != WORD)]
    shown = [(pattern, figures(corpus_dir, pattern, lines, seed)) for pattern in patterns]
    return made.get_template("concordances.html.j2").render(name=corpus_dir.resolve().name, shown=shown)

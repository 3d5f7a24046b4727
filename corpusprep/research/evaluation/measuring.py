"""Measures every algorithm on every page of a gold set: counts of words, and of characters of text nodes."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from corpusprep import languages
from corpusprep.errors import StageFileError
from corpusprep.io import tsv
from corpusprep.research.evaluation import json_files, sets
from corpusprep.research.evaluation.configurations import CONFIGURATIONS
from corpusprep.research.evaluation.decisions import decide, segment
from corpusprep.research.evaluation.gold import GoldPage, GoldSet
from corpusprep.research.evaluation.node_scores import RELIABILITIES, Nodes
from corpusprep.research.evaluation.scores import Counts
from corpusprep.research.evaluation.words import compare, words_of

_COLUMNS = ("algorithm", "measure", "page", "true_positives", "false_positives", "false_negatives")


@dataclass(slots=True, frozen=True)
class Measured:
    """Counts of a set's pages, in their order, by algorithm and measure.

    The measures are `words` (without non-ASCII characters) and `words_all` (all characters), or `words_<gold>` if there
    are several gold standards; `nodes_100` and `nodes_0` (characters of text nodes from this annotation reliability).
    """

    counts: dict[tuple[str, str], list[Counts]]

    def of(self, algorithm: str, measure: str) -> list[Counts] | None:
        """Returns the counts per page, or None if this was not measured."""
        return self.counts.get((algorithm, measure))


@dataclass(slots=True, frozen=True)
class SetFacts:
    """Facts about a gold set.

    Attributes:
        name: its name on the command line.
        title: its name in tables.
        pages: number of pages.
        cases: special cases and how often each occurred.
        data: SHA-256 of its files and of what counts in them.
        present: whether the data was found.
    """

    name: str
    title: str
    pages: int
    cases: dict[str, int]
    data: str
    present: bool


def measure_set(data: Path, name: str, output: Path) -> SetFacts:
    """Measures every algorithm on a gold set; writes `<name>.tsv` (counts) and `<name>.json`, the facts it returns.

    A set whose data is absent gives an empty table, and facts that say so.

    Args:
        data: the folder of the gold sets.
        name: of the set.
        output: the folder to write to.

    Raises:
        ConfigError: there is no set of that name.
        GoldError: its files are damaged.
    """
    found = sets.read(name, data)
    gold_set = found or GoldSet(name, sets.title(name), [])
    write(output / f"{name}.tsv", gold_set, measure(gold_set))
    cases = dict(sorted(gold_set.cases.items()))
    facts = SetFacts(name, gold_set.title, len(gold_set.pages), cases, gold_set.data, found is not None)
    json_files.write(output / f"{name}.json", asdict(facts))
    return facts


def measure(gold_set: GoldSet) -> Measured:
    """Runs every algorithm of CONFIGURATIONS on the pages; site algorithms only if sites have several pages."""
    counts: dict[tuple[str, str], list[Counts]] = {}
    order = {page.name: number for number, page in enumerate(gold_set.pages)}
    found: dict[tuple[str, str], dict[int, Counts]] = {}
    codes = sorted({page.language for page in gold_set.pages})
    # Evert's option -a suits English. A set with other languages is scored with all characters.
    ascii_only = {"words": True, "words_all": False} if codes == ["en"] else {"words": False}
    for code in codes:
        pages = [page for page in gold_set.pages if page.language == code]
        for algorithm, name, rows in _of_language(pages, code, gold_set.markup, ascii_only):
            place = found.setdefault((algorithm, name), {})
            place.update(zip((order[page.name] for page in pages), rows, strict=True))
    for key, rows_by_page in found.items():
        counts[key] = [rows_by_page[number] for number in sorted(rows_by_page)]
    return Measured(counts)


def write(path: Path, gold_set: GoldSet, measured: Measured) -> None:
    """Writes a table with one row per algorithm, measure and page."""
    rows = (
        (algorithm, name, page.name, *counts)
        for (algorithm, name), pages in measured.counts.items()
        for page, counts in zip(gold_set.pages, pages, strict=True)
    )
    tsv.write(path, _COLUMNS, rows)


def read(path: Path) -> Measured:
    """Reads what `write` wrote.

    Raises:
        StageFileError: it is missing or damaged.
    """
    counts: dict[tuple[str, str], list[Counts]] = {}
    for row in tsv.read(path, _COLUMNS):
        try:
            values = Counts(*(int(row[name]) for name in _COLUMNS[3:]))
        except ValueError:
            raise StageFileError(f"{path}: not a table of counts; run `corpusprep evaluation measure` again") from None
        counts.setdefault((row["algorithm"], row["measure"]), []).append(values)
    return Measured(counts)


def _of_language(
    pages: list[GoldPage], code: str, markup: bool, measures: dict[str, bool]
) -> Iterator[tuple[str, str, list[Counts]]]:
    """Yields algorithm, measure and counts per page, of pages in one language; `measures`: name -> only ASCII."""
    model = languages.get(code)
    blocks = segment(pages, model.stop_words, model.characters_per_word)
    spaced = model.characters_per_word == 0
    golds = {
        (measure.replace("words", f"words_{name}" if name else "words"), ascii_only): [
            words_of(page.gold[name], ascii_only=ascii_only, markup=markup, spaced=spaced) for page in pages
        ]
        for name in pages[0].gold
        for measure, ascii_only in measures.items()
    }
    several = len({page.site for page in pages}) < len(pages)
    nodes = Nodes(pages) if all(page.nodes is not None for page in pages) else None
    for configuration in CONFIGURATIONS:
        algorithm = configuration.make()
        if algorithm.needs_references and not several:
            continue
        spans, good = decide(algorithm, blocks, [page.site for page in pages])
        texts = [spans.page_text(page, good) for page in range(len(pages))]
        words = {only: [words_of(text, ascii_only=only, spaced=spaced) for text in texts] for only in measures.values()}
        for (name, only), gold in golds.items():
            yield configuration.title, name, [compare(*pair) for pair in zip(words[only], gold, strict=True)]
        if nodes is not None:
            chosen = good[nodes.spans(spans)]
            for least in RELIABILITIES:
                yield configuration.title, f"nodes_{least}", nodes.counts(chosen, least)

"""Measures every algorithm on every page of a gold set: counts of words, and of characters of text nodes."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from corpusprep import languages
from corpusprep.errors import LanguageError, StageFileError
from corpusprep.gold import json_files, sets
from corpusprep.gold.pages import GoldPage, GoldSet
from corpusprep.gold.scores import Counts
from corpusprep.gold.words import compare, snippets, words_of
from corpusprep.io import tsv
from studies.evaluation.configurations import CONFIGURATIONS, unlisted
from studies.evaluation.decisions import decide, marked, marked_texts, segment, segment_for
from studies.evaluation.node_scores import RELIABILITIES, Nodes

_COLUMNS = ("algorithm", "measure", "page", "true_positives", "false_positives", "false_negatives")


@dataclass(slots=True, frozen=True)
class Measured:
    """Counts of a set's pages, in their order, by algorithm and measure.

    The measures are `words` (without non-ASCII characters) and `words_all` (all characters), or `words_<gold>` if there
    are several gold standards; `words_marked` (all characters, and the markers of segments as words, where the gold has
    them) and `words_elements` (the same with the markers that the names of elements say, where an algorithm predicts
    markers); `nodes_100` and `nodes_0` (characters of text nodes from this annotation reliability);
    `snippets` (found, wrongly found and missing ones).
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
    stored = sets.read(name, data)
    gold_set = stored or GoldSet(name, sets.title(name), [])
    write(output / f"{name}.tsv", gold_set, measure(gold_set))
    cases = dict(sorted(gold_set.cases.items()))
    facts = SetFacts(name, gold_set.title, len(gold_set.pages), cases, gold_set.data, stored is not None)
    json_files.write(output / f"{name}.json", asdict(facts))
    return facts


def measure(gold_set: GoldSet, measures: Collection[str] | None = None) -> Measured:
    """Runs every algorithm of CONFIGURATIONS on the pages; site algorithms only if sites have several pages.

    `measures`: those that are counted; None: all.
    """
    return by_language(gold_set, _of_language, measures)


def by_language(gold_set: GoldSet, run: "Run", measures: Collection[str] | None = None) -> Measured:
    """Measures the pages of each language on their own, and returns the counts in the order of the set.

    What was measured in some of the languages only is left out: a site algorithm, where most sites have one page.
    """
    counts: dict[tuple[str, str], list[Counts]] = {}
    order = {page.name: number for number, page in enumerate(gold_set.pages)}
    by_page: dict[tuple[str, str], dict[int, Counts]] = {}
    codes = sorted({page.language for page in gold_set.pages})
    for code in codes:
        pages = [page for page in gold_set.pages if page.language == code]
        scorer = Scorer(gold_set, pages, code, only_english=codes == ["en"], measures=measures)
        for algorithm, name, rows in run(pages, code, scorer):
            place = by_page.setdefault((algorithm, name), {})
            place.update(zip((order[page.name] for page in pages), rows, strict=True))
    for key, rows_by_page in by_page.items():
        if len(rows_by_page) == len(order):
            counts[key] = [rows_by_page[number] for number in sorted(rows_by_page)]
    return Measured(counts)


class Scorer:
    """Compares cleaned texts of a set's pages in one language with their gold: words, or snippets."""

    def __init__(
        self,
        gold_set: GoldSet,
        pages: Sequence[GoldPage],
        code: str,
        *,
        only_english: bool,
        measures: Collection[str] | None = None,
    ) -> None:
        """A scorer for these pages, with these measures, or all.

        Evert's option -a suits English; sets with other languages keep all characters.
        """
        self.gold_set = gold_set.name
        self._measures = measures
        self._snippets = [(page.wanted, page.unwanted) for page in pages]
        of_words = {"words": True, "words_all": False} if only_english else {"words": False}
        self._spaced = kit(code)[1] == 0
        self._golds: dict[tuple[str, bool], list[list[str]]] = {}
        self._marked: list[list[str]] = []
        self._has_snippets = any(page.wanted for page in gold_set.pages)
        if self._has_snippets:
            return
        self._golds = {
            (title, ascii_only): [
                words_of(page.gold[name], ascii_only=ascii_only, markup=gold_set.markup, spaced=self._spaced)
                for page in pages
            ]
            for name in pages[0].gold
            for measure, ascii_only in of_words.items()
            if self.counts_by(title := measure.replace("words", f"words_{name}" if name else "words"))
        }
        texts = [page.gold.get("", "") for page in pages] if gold_set.markup and self.counts_by("words_marked") else []
        self._marked = [words_of(marked(text), spaced=self._spaced) for text in texts]

    def counts_by(self, measure: str) -> bool:
        """Whether this measure is counted."""
        return self._measures is None or measure in self._measures

    @property
    def has_markers(self) -> bool:
        """Whether the gold texts have markers of segments."""
        return bool(self._marked)

    def of_marked(self, texts: Sequence[str]) -> list[Counts]:
        """Returns the counts per page of texts with markers."""
        words = (words_of(marked(text), spaced=self._spaced) for text in texts)
        return [compare(*pair) for pair in zip(words, self._marked, strict=True)]

    def counts(self, texts: Sequence[str]) -> Iterator[tuple[str, list[Counts]]]:
        """Yields each measure with its counts per page, for the texts that a system kept."""
        if self._has_snippets:
            yield "snippets", [snippets(text, *both) for text, both in zip(texts, self._snippets, strict=True)]
        words: dict[bool, list[list[str]]] = {}
        for (name, only), gold in self._golds.items():
            if only not in words:
                words[only] = [words_of(text, ascii_only=only, spaced=self._spaced) for text in texts]
            yield name, [compare(*pair) for pair in zip(words[only], gold, strict=True)]


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
            raise StageFileError(
                f"{path}: not a table of counts; run `corpusprep studies evaluation measure` again"
            ) from None
        counts.setdefault((row["algorithm"], row["measure"]), []).append(values)
    return Measured(counts)


def kit(code: str) -> tuple[Collection[str], float]:
    """Returns a language's stop words and characters per word; none for a language that is not built in."""
    try:
        model = languages.get(code)
    except LanguageError:
        return (), 0.0
    return model.stop_words, model.characters_per_word


def _of_language(pages: list[GoldPage], code: str, scorer: Scorer) -> Iterator[tuple[str, str, list[Counts]]]:
    """Yields algorithm, measure and counts per page, of pages in one language."""
    blocks = segment(pages, *kit(code))
    several = len({page.site for page in pages}) < len(pages)
    nodes = Nodes(pages) if all(page.nodes is not None for page in pages) else None
    for configuration in (*CONFIGURATIONS, *unlisted()):
        algorithm = configuration.make()
        if algorithm.side_table is not None and not several:
            continue
        shared = algorithm.block_model is None and not algorithm.cuts_alone
        own = blocks if shared else segment_for(algorithm, pages, *kit(code))
        spans, good = decide(algorithm, own, [page.site for page in pages])
        for name, counts in scorer.counts([spans.page_text(page, good) for page in range(len(pages))]):
            yield configuration.title, name, counts
        if scorer.has_markers and not algorithm.cuts_alone:
            for name, texts in marked_texts(own, spans, good).items():
                yield configuration.title, name, scorer.of_marked(texts)
        if nodes is not None and not algorithm.cuts_alone:  # text of the markup is not divided into nodes
            chosen = good[nodes.spans(spans)]
            for least in (least for least in RELIABILITIES if scorer.counts_by(f"nodes_{least}")):
                yield configuration.title, f"nodes_{least}", nodes.counts(chosen, least)


#: Pages of one language, the language and their scorer -> system, measure, counts per page.
Run = Callable[[list[GoldPage], str, Scorer], Iterator[tuple[str, str, list[Counts]]]]

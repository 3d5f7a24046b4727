"""Makes the tables of chapter 3, each number beside the published one."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from corpusprep.dedup.all_ngrams import DuplicateCounts
from corpusprep.dedup.ngram_keys import NgramKeys
from corpusprep.errors import StageFileError
from corpusprep.io import tsv
from corpusprep.io.times import read_times
from corpusprep.io.tsv import ratio
from corpusprep.report import published
from studies.comparison import Number, Table
from studies.pomikalek_2011.chapter_3 import leftovers, measured, scaling
from studies.pomikalek_2011.chapter_3.grid import CHOSEN, NGRAMS, THRESHOLDS, Left
from studies.pomikalek_2011.chapter_3.judgements import BEST_COLUMNS
from studies.pomikalek_2011.chapter_3.lengths import KINDS, Recurring
from studies.pomikalek_2011.chapter_3.resembling import Above, Remaining
from studies.pomikalek_2011.chapter_3.set_memory import Stored
from studies.pomikalek_2011.chapter_3.spex import Counts

Row = dict[str, str]
#: Figures of acceptance curves.
ACCEPTANCE = ("3.1", "3.2", "3.3")
#: Rows of the table of comparators that are not comparators.
_NO_COMPARATOR = {"none": "no de-duplication", "blocks": "block de-duplication"}
_YES_NO = {True: "yes", False: "no"}
_EXCLUDED = {
    (True, True): "without stop words and punctuation",
    (True, False): "without stop words",
    (False, True): "without punctuation",
    (False, False): "all tokens",
}
#: Resemblances of the table under figure 3.6.
_RESEMBLANCES = (0.0, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9)
#: Sizes of the table under figure 3.4.
_SIZES = (100_000, 1_000_000, 10_000_000, 100_000_000)
_PEAKS_FROM = 1_000_000
#: The text under figure 3.4: bytes at the peak, and the millions of n-grams at which it is, by the length of hashes.
_PEAK = "20"
_PEAKS_AT = {"60 bits": "35"}


@dataclass(slots=True, frozen=True)
class Results:
    """All measurements on a corpus.

    Attributes:
        spex: the iterations.
        lengths: n-grams that recur.
        grid: what each run leaves.
        resemblance: pairs above each resemblance, before and after.
        clusters: what is left without near-identical documents.
        memory: bytes per stored n-gram.
        tokens: tokens before block de-duplication.
        before: instances of duplicate 10-grams of all tokens, before block de-duplication.
        n: words in the n-grams that the corpus is de-duplicated with.
        ngrams_used: distinct duplicate n-grams of that length.
        seconds: CPU seconds of the stage `ngrams`.
        scaling: duplicate 10-grams of made corpora of several sizes.
        comparators: what each comparator leaves.
        judgements: comparators against human judgements; empty without such data.
        acceptance: figure -> its points.
    """

    spex: list[Counts]
    lengths: list[Recurring]
    grid: list[Left]
    resemblance: list[Above]
    clusters: Remaining
    memory: list[Stored]
    tokens: int
    before: int
    n: int
    ngrams_used: int
    seconds: float
    scaling: list[scaling.Measured]
    comparators: list[Row]
    judgements: list[Row]
    acceptance: dict[str, list[Row]]

    @classmethod
    def read(cls, corpus_dir: Path, common: Path, judgements: Path | None = None) -> "Results":
        """Reads the measurements on the corpus, those that are `common` to all corpora, and judgements_best.tsv.

        Raises:
            StageFileError: a file is missing, damaged or of another run.
        """
        folder = corpus_dir / "experiments" / "measured"
        before = DuplicateCounts.read(corpus_dir / "ngrams" / "before" / "duplicates.tsv")
        counted = NgramKeys.open(corpus_dir / "ngrams" / "counted" / "duplicates.keys")
        clusters = measured.read(folder / "clusters.tsv", Remaining)
        if len(clusters) != 1:
            raise StageFileError(f"{folder / 'clusters.tsv'}: not of this experiment; run it again")
        return cls(
            spex=measured.read(folder / "spex.tsv", Counts),
            lengths=measured.read(folder / "lengths.tsv", Recurring),
            grid=[
                row
                for n, stop, punctuation in NGRAMS
                for row in measured.read(folder / "grid" / f"{_YES_NO[stop]}-{_YES_NO[punctuation]}-{n}.tsv", Left)
            ],
            resemblance=measured.read(folder / "resemblance.tsv", Above),
            clusters=clusters[0],
            memory=measured.read(common / "set_memory.tsv", Stored),
            tokens=before.tokens,
            before=before.instances,
            n=counted.n,
            ngrams_used=counted.count,
            seconds=read_times(corpus_dir / "times" / "ngrams").cpu_seconds,
            scaling=scaling.read(),
            comparators=tsv.read(folder / "comparators.tsv", leftovers.COLUMNS),
            judgements=tsv.read(judgements, BEST_COLUMNS) if judgements else [],
            acceptance={name: tsv.read(common / f"figure_{name.replace('.', '_')}.tsv") for name in ACCEPTANCE},
        )

    def write_figures(self, folder: Path) -> None:
        """Writes the data of two figures: figure_3_4.tsv and figure_3_6.tsv."""
        memory = ((row.structure, row.keys, f"{row.bytes_a_key:.3f}") for row in self.memory)
        tsv.write(folder / "figure_3_4.tsv", ("structure", "keys", "bytes_a_key"), memory)
        pairs = [
            (f"{step:.2f}", self.pairs("before", step), self.pairs("after", step))
            for step in sorted({row.threshold for row in self.resemblance})
        ]
        tsv.write(folder / "figure_3_6.tsv", ("resemblance_above", "pairs_before", "pairs_after"), pairs)

    def pairs(self, text: str, threshold: float) -> int:
        """Returns the pairs above a resemblance, before or after de-duplication."""
        return next(row.pairs for row in self.resemblance if row.text == text and row.threshold == threshold)

    def highest(self, text: str) -> float:
        """Returns the highest resemblance of two documents."""
        return next((row.highest for row in self.resemblance if row.text == text), 0.0)

    def at(self, threshold: float) -> Iterator[Left]:
        """Yields the runs at a threshold, in the order of the table."""
        return (row for row in self.grid if row.threshold == threshold)


def tables(results: Results) -> list[Table]:
    """Returns the tables, in the order of the thesis."""
    return [
        _spex(results),
        _scaling(results),
        _lengths(results),
        *(_grid(results, f"3.{number}", threshold) for number, threshold in enumerate(THRESHOLDS, start=4)),
        _resemblance(results),
        _memory(results),
        _comparators(results),
        *([_judgements(results)] if results.judgements else []),
    ]


def _spex(results: Results) -> Table:
    columns = {
        "unique": ("unique", "unique_ngrams"),
        "of these pruned": ("pruned", "pruned_unique"),
        "duplicate types": ("types", "duplicate_types"),
        "duplicate instances": ("instances", "duplicate_instances"),
        "stored": ("stored", "stored"),
    }
    numbers = [
        Number(f"n = {ours.n}", column, theirs[of_theirs], str(getattr(ours, of_ours)))
        for ours, theirs in zip(results.spex, published.table("3.1"), strict=True)
        for column, (of_ours, of_theirs) in columns.items()
    ]
    last = results.spex[-1]
    peak = max(row.stored for row in results.spex)
    share = ratio(100 * peak, last.unique + last.types, 0)
    notes = [
        f"Ours: all {results.tokens:,} tokens of the corpus before block de-duplication; published: the British "
        "National Corpus.",
        "SPEX and the suffix sort of the stage ngrams found the same duplicate 10-grams with the same counts. This was "
        "checked; with any difference this table would not exist.",
        f"The largest iteration stores {share} % as many n-grams as there are distinct 10-grams (published: 39 %).",
    ]
    about = (
        "N-grams of each length. Pruned: unique n-grams that the previous iteration excluded. Stored: n-grams held in "
        "memory at once."
    )
    return Table("3.1", "Iterations of SPEX", about, numbers, notes)


def _scaling(results: Results) -> Table:
    made = {(row.million_words, row.method): row for row in scaling.table(results.scaling)}
    numbers = []
    for theirs in published.table("3.2"):
        words = int(theirs["million_words"])
        of_methods = {method: made[words, method] for method in scaling.METHODS}
        sorting = of_methods["suffix-sort"]
        row = f"{words:,} million words{', ours estimated' if sorting.estimated else ''}"
        numbers += [
            Number(row, "seconds, suffix-sort", theirs["seconds"], sorting.printed),
            Number(row, "seconds, hash", "", of_methods["hash"].printed),
            Number(row, "duplicate types", theirs["duplicate_10gram_types"], str(sorting.types)),
        ]
    about = (
        "Duplicate n-grams by suffix sorting (3.4.2), and by hashing, on made corpora of these sizes. Both methods "
        "find the same n-grams."
    )
    this = (
        f"This corpus, {results.tokens / 1e6:.1f} million tokens: {results.ngrams_used:,} duplicate {results.n}-grams, "
        f"in {results.seconds:.1f} CPU seconds of all jobs of the stage ngrams."
    )
    return Table("3.2", "Finding duplicate n-grams", about, numbers, [this, *scaling.notes(results.scaling)])


def _lengths(results: Results) -> Table:
    theirs = {row["n"]: row for row in published.table("3.3")}
    prefixes = dict(zip(KINDS, ("all", "nopunct", "nopunct_nostop"), strict=True))
    ours = {(row.tokens, row.n): row for row in results.lengths}
    numbers = [
        Number(
            f"n = {n}",
            f"{kind}: {'cross-domain' if part == 'cross' else 'single-domain'}",
            theirs[n][f"{prefixes[kind]}_{part}"],
            str(getattr(ours[kind, int(n)], f"{part}_domain")),
        )
        for n, kind, part in product(theirs, KINDS, ("cross", "single"))
    ]
    about = (
        "Distinct n-grams that occur twice or more, on pages of several hosts (cross-domain) or of one host "
        "(single-domain). From the length where the number of cross-domain n-grams stops falling, n-grams hardly recur "
        "by chance."
    )
    notes = ["Published: 21,776 pages of 2,722 domains from ClueWeb09. Here a domain is the host in the page’s URL."]
    return Table("3.3", "Lengths of n-grams", about, numbers, notes)


def _grid(results: Results, name: str, threshold: float) -> Table:
    theirs = published.table(name)
    by_kind = {(row["exclude_stop"], row["exclude_punct"], row["n"]): row for row in theirs}
    numbers: list[Number] = []
    for ours in results.at(threshold):
        row = by_kind[_YES_NO[ours.exclude_stopwords], _YES_NO[ours.exclude_punctuation], str(ours.n)]
        label = f"{_EXCLUDED[ours.exclude_stopwords, ours.exclude_punctuation]}, n = {ours.n}"
        if ours.choice:
            label = f"{label}: {ours.choice}"
            row = row if ours.choice == "as written" else dict.fromkeys(row, "")
        numbers += _left(results, label, row, ours.ngrams_used, ours.tokens, ours.duplicate_10grams)
    kept = {row["exclude_stop"]: row for row in theirs}
    if name == "3.4":
        clusters = results.clusters
        row = kept["resemblance > 0.9 clusters"]
        numbers += _left(
            results, "resemblance > 0.9, whole documents", row, None, clusters.tokens, clusters.duplicate_10grams
        )
    numbers += _left(
        results, "no de-duplication", kept["no de-duplication"], None, results.tokens, results.before
    )  # fmt: skip
    about = (
        f"What block de-duplication leaves at a threshold of {threshold}, by the kind of n-grams that it uses. "
        "Duplicate 10-grams are made of all tokens; each occurrence counts."
    )
    notes = ["Published: 11.9 million tokens of ClueWeb09.", *_readings(results, threshold)]
    return Table(name, f"De-duplication at {threshold}", about, numbers, notes)


def _readings(results: Results, threshold: float) -> list[str]:
    """Returns what the rows of other choices are, and what the two readings of algorithm 3.1 leave."""
    found = {row.choice: row for row in results.at(threshold) if (row.n, *_kind(row)) == CHOSEN}
    ours, written = found[""], found["as written"]

    def left(row: Left) -> str:
        duplicates = ratio(100 * row.duplicate_10grams, results.before, 2)
        return (
            f"{duplicates} % of the duplicate 10-grams and {ratio(100 * row.tokens, results.tokens, 2)} % of the tokens"
        )

    return [
        "As written: n-grams do not run across blocks, and those of a stub count as seen (as_written: true). This "
        f"leaves {left(written)}; by default, {left(ours)} are left. The published numbers are beside both rows.",
        "Without smoothing: smoothing: false. Whole documents: unit: document. Documents, then blocks: unit: both.",
    ]


def _kind(row: Left) -> tuple[bool, bool]:
    return row.exclude_stopwords, row.exclude_punctuation


def _left(
    results: Results, label: str, theirs: dict[str, str], used: int | None, tokens: int, duplicates: int
) -> list[Number]:
    """Returns the numbers of a row of the grid."""
    cells: list[tuple[str, str, int | None, int]] = [
        ("n-grams used", "ngrams_used", used, results.tokens),
        ("tokens left", "tokens_after", tokens, results.tokens),
        ("duplicate 10-grams left", "duplicate_10grams_after", duplicates, results.before),
    ]
    shares, counts = [], []
    for column, of_theirs, ours, whole in cells:
        share = "" if ours is None else ratio(100 * ours, whole, 2)
        shares.append(Number(label, f"{column}, %", _two(theirs[f"{of_theirs}_pct"]), share))
        counts.append(Number(label, column, theirs[of_theirs], "" if ours is None else str(ours)))
    return [*shares, *counts]


def _resemblance(results: Results) -> Table:
    theirs = {("after", 0.05): "15"}
    numbers = [
        Number(
            f"pairs above {step:g}",
            f"{text} de-duplication",
            theirs.get((text, step), ""),
            str(results.pairs(text, step)),
        )
        for step, text in product(_RESEMBLANCES, ("before", "after"))
    ]
    numbers += [
        Number("highest", f"{text} de-duplication", {"after": "0.09"}.get(text, ""), f"{results.highest(text):.2f}")
        for text in ("before", "after")
    ]
    about = (
        "Pairs of documents whose exact resemblance is greater than each value, before and after block de-duplication "
        "with the corpus’s own settings. Resemblance is computed on 10-grams of tokens without punctuation."
    )
    notes = [
        "The thesis shows the curve before de-duplication only as a figure. It says that there are about ten times as "
        "many pairs above 0.5 as above 0.9. "
        f"Here there are {ratio(results.pairs('before', 0.5), results.pairs('before', 0.9), 1)} times as many.",
        "Some resemblance is left after de-duplication, for two reasons. Copies with fewer counted tokens than an "
        "n-gram are not found (ten tokens that are neither stop words nor punctuation span about twenty tokens). And "
        "blocks stay if n-grams cover less of them than the threshold. In a document of a few dozen words this is a "
        "large share.",
    ]
    return Table("resemblance", "Resemblance of documents", about, numbers, notes)


def _memory(results: Results) -> Table:
    numbers = []
    for structure in dict.fromkeys(row.structure for row in results.memory):
        rows = [row for row in results.memory if row.structure == structure]
        for size in _SIZES:
            nearest = min(rows, key=lambda row: abs(row.keys - size))
            if abs(nearest.keys - size) <= size / 100:
                numbers.append(Number(structure, f"{size:,} n-grams", "", f"{nearest.bytes_a_key:.3f}"))
    notes = [
        "The bitmap has one bit per duplicate n-gram, at the position of its key in the sorted file of keys. That file "
        "is read in order and takes 12 bytes per n-gram on disk, with the counts. Sorted keys in memory would still "
        "need a mark for n-grams already seen.",
    ]
    large = [row for row in results.memory if row.structure.startswith("Judy1") and row.keys >= _PEAKS_FROM]
    peaks = [max((row for row in large if row.structure == name), key=lambda row: row.bytes_a_key)
             for name in dict.fromkeys(row.structure for row in large)]  # fmt: skip
    for row in peaks:
        bits = row.structure.partition(", ")[2]
        numbers.append(Number(row.structure, "peak", _PEAK, f"{row.bytes_a_key:.1f}"))
        numbers.append(Number(row.structure, "peak at (million)", _PEAKS_AT.get(bits, ""), f"{row.keys / 1e6:.1f}"))
    if peaks:
        notes.append(
            "Peaks are those above one million n-grams. Judy1 is a tree with 256 branches per node, so its curve "
            "repeats at about 256 times as many n-grams. Published: figure 3.4 and its text, for up to 10,000 million "
            "n-grams: 6 to 8 bytes beside the peak, which 56 bits reach above 900 million."
        )
    if not any(row.structure.startswith("Judy1") for row in results.memory):
        notes.append("Judy1 is missing: libJudy is not installed (Debian: libjudydebian1).")
    return Table("memory", "Memory of the set of n-grams", "Bytes per stored n-gram.", numbers, notes)


def _comparators(results: Results) -> Table:
    columns = {
        "pairs": "pairs",
        "tokens left, %": "tokens_left_percent",
        "duplicate 10-grams left": "duplicate_10grams_left",
        "duplicate 10-grams left, %": "duplicate_10grams_left_percent",
        "bytes stored": "stored_bytes",
        "peak memory, MB": "peak_memory_mb",
        "CPU seconds": "cpu_seconds",
    }
    numbers = []
    for row in results.comparators:
        label = (
            f"{row['method']}, from {float(row['threshold']):g}" if row["threshold"] else _NO_COMPARATOR[row["method"]]
        )
        numbers += [Number(label, column, "", row[name]) for column, name in columns.items()]
    about = (
        "What each method leaves of the corpus. A method removes all documents of a cluster of near-duplicates except "
        "the first; valid intervals remove shared passages from all documents except the first. Block de-duplication "
        "is shown for comparison. Each method has the parameters of its paper and reads the tokens without punctuation."
    )
    notes = [
        "Resemblance, containment, sketches and super-shingles: Broder 1997 and 2000; simhash: Charikar 2002, with the "
        "settings of Manku, Jain and Das Sarma 2007 (64 bits) and Henzinger 2006 (384); word lists: Pugh and Henzinger "
        "(US patent 7,366,718); hashes of lines: Shivakumar and Garcia-Molina 1998, a block is a line; modular "
        "sampling: Manber 1994; lowest hashes and rarest prefixes: Heintze 1996; super-shingles filtered by simhashes: "
        "Henzinger 2006; winnowing: Schleimer, Wilkerson and Aiken 2003; valid intervals: Kasprzak, Brandejs and "
        "Křipač 2009. n is words in an n-gram.",
        "Bytes stored: what a method keeps of all documents to find its pairs, such as fingerprints, sets of hashes or "
        "an inverted index; for block de-duplication, the bitmap.",
        "Peak memory: of the process that finds a method’s pairs, with the whole corpus in memory; for block "
        "de-duplication, the highest of all jobs of the stages ngrams and blocks.",
        "CPU seconds: the time to find a method’s pairs; for block de-duplication, the time of all jobs of both "
        "stages, with start-up and with reading and writing files.",
    ]
    return Table("comparators", "Methods beside block de-duplication", about, numbers, notes)


def _judgements(results: Results) -> Table:
    numbers = []
    for row in results.judgements:
        held_out = any(
            other["set"] == row["set"] and other["chosen_on"] != other["part"] for other in results.judgements
        )
        if row["part"] == row["chosen_on"] and (held_out or row["part"] != "all"):
            continue
        numbers += [
            Number(row["comparator"], f"{row['set']}: {name}", "", row[column])
            for name, column in (("P", "precision"), ("R", "recall"), ("F1", "f1"))
        ]
        numbers.append(Number(row["comparator"], f"{row['set']}: at", "", f"{float(row['threshold']):g}"))
    about = (
        "Pairs that each method calls duplicates, scored against human judgements: near-duplicate pages and articles "
        "(neardup-dev), and short answers with or without text reuse (clough-stevenson)."
    )
    notes = [
        "For neardup-dev the threshold with the highest F1 is chosen on the same pairs, so all scores are too high to "
        "a similar degree. For clough-stevenson it is chosen on the development part and measured on the rest.",
    ]
    return Table("judgements", "Methods against human judgements", about, numbers, notes)


def _two(value: str) -> str:
    return f"{float(value):.2f}" if value else ""

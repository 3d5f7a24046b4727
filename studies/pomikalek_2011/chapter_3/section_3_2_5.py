"""Makes the tables of the methods of section 3.2: what each leaves of the corpus, and against human judgements."""

from collections.abc import Iterator

from studies.comparison import Number, Table
from studies.pomikalek_2011.chapter_3.results import Results
from studies.study import Study

#: Rows that are not comparators.
_NO_COMPARATOR = {"none": "no de-duplication", "blocks": "block de-duplication"}
_COLUMNS = {
    "pairs": "pairs",
    "tokens left, %": "tokens_left_percent",
    "duplicate 10-grams left": "duplicate_10grams_left",
    "duplicate 10-grams left, %": "duplicate_10grams_left_percent",
    "bytes stored": "stored_bytes",
    "peak memory, MB": "peak_memory_mb",
    "CPU seconds": "cpu_seconds",
}


def make(results: Results) -> Iterator[Table]:
    """Yields the table of what is left, and the table of judgements if there is data for it."""
    yield _comparators(results)
    if results.judgements:
        yield _judgements(results)


def _comparators(results: Results) -> Table:
    numbers = []
    for row in results.comparators:
        label = (
            f"{row['method']}, from {float(row['threshold']):g}" if row["threshold"] else _NO_COMPARATOR[row["method"]]
        )
        numbers += [Number(label, column, "", row[name]) for column, name in _COLUMNS.items()]
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


STUDY = Study(
    "Section 3.2",
    "Methods beside block de-duplication",
    "3.2.5",
    make,
    needs=("a corpus", "neardup-dev", "clough-stevenson"),
)

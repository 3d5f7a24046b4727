"""Measures steps over the whole corpus in one process, and in parts: CPU seconds of both, on the same made data.

    python bench parts [--documents 1M] [--records 1M] [--words 100k] [--batches 32] [--keys 20M] [--parts 8]
        [--corpus FOLDER]

* documents: exact duplicates of made tables (`make-documents`).
* index: made addresses (those of `python bench inspection`), in batches of 50,000 and bundles of 16 batches.
* statistics tables: the words of made batches, drawn from a vocabulary of ten times as many by Zipf's law.
* merge: n-grams whose keys are made; only joining the parts, which copies bytes.
* with a corpus, the keys of the 10-grams of all its tokens, and counting those that occur twice or more.

The tables and keys must be the same bytes, and the counts the same numbers; otherwise it is an error.
"""

import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from time import process_time

import numpy as np
import polars as pl
import running
from deduplication import made_documents
from inspection import made

from corpusprep.archive.batches import MOST_BUNDLED, batch_names
from corpusprep.dedup import all_ngrams, document_parts
from corpusprep.dedup.exact_duplicates import find_duplicates
from corpusprep.dedup.ngram_keys import NgramKeys, join_parts
from corpusprep.inspection import indexing
from corpusprep.io.sizes import parse_size
from corpusprep.statistics import counts_file, large_tables
from corpusprep.statistics.batch_counts import RUNNING_WORDS
from corpusprep.statistics.corpus_folder import CorpusFolder
from corpusprep.statistics.keywords import Keywords
from corpusprep.tables.batch_files import BatchFiles, corpus_file

MEMORY = 2_000_000_000


def timed(work: Callable[[], object]) -> float:
    """Returns the CPU seconds of some work, in all threads of this process."""
    start = process_time()
    work()
    return process_time() - start


def documents(folder: Path, count: int, parts: int) -> Iterator[tuple[str, float]]:
    """Yields the CPU seconds of the stage documents, in one and in its steps."""
    names = made_documents.make(folder, count, batch_documents=-(-count // 4))
    tokens = folder / "tokens"
    yield "documents", timed(lambda: find_duplicates(names, tokens, folder / "one", MEMORY))
    numbered = [{name: number} for number, name in enumerate(names)]
    order, digest = ([folder / f"{kind}-{name}" for name in names] for kind in ("order", "digest"))
    ranks, duplicates = ([folder / f"{kind}-{part}" for part in range(parts)] for kind in ("ranks", "duplicates"))

    def sort() -> None:
        for bundle, by_order, by_digest in zip(numbered, order, digest, strict=True):
            document_parts.sort_documents(bundle, tokens, by_order, by_digest, MEMORY)

    def decide() -> None:
        for part, files in enumerate(zip(ranks, duplicates, strict=True)):
            document_parts.decide_part(order, digest, part, parts, *files, MEMORY)

    def gather() -> None:
        for bundle in numbered:
            document_parts.write_tables(bundle, tokens, ranks, duplicates, folder / "in_parts", MEMORY)

    yield "exact sort", timed(sort)
    yield "exact part", timed(decide)
    yield "exact gather", timed(gather)
    same(*([folder / kind / f"{name}.parquet" for name in names] for kind in ("one", "in_parts")))


def addresses(folder: Path, count: int, parts: int) -> Iterator[tuple[str, float]]:
    """Yields the CPU seconds of the index of addresses, in one and in its steps."""
    made.make_records(folder, count)
    names = batch_names(corpus_file(folder, "plan"))
    bundles = [names[first : first + MOST_BUNDLED] for first in range(0, len(names), MOST_BUNDLED)]
    of_bundles, of_parts = (
        [folder / f"{kind}-{n}" for n in range(m)] for kind, m in (("b", len(bundles)), ("p", parts))
    )

    def sort() -> None:
        for bundle, path in zip(bundles, of_bundles, strict=True):
            indexing.sort_records(folder, bundle, path, MEMORY)

    def gather() -> None:
        for part, path in enumerate(of_parts):
            indexing.write_part(of_bundles, part, parts, path, MEMORY)

    yield "index", timed(lambda: indexing.write_index(folder, names, folder / "whole", MEMORY))
    yield "urls sort", timed(sort)
    yield "urls part, all", timed(gather)
    yield "index joined", timed(lambda: indexing.join_parts(of_parts, folder / "joined"))
    same([folder / "whole"], [folder / "joined"])


def statistics(folder: Path, words: int, batches: int, parts: int) -> Iterator[tuple[str, float]]:
    """Yields the CPU seconds of adding up words, in one and in parts."""
    paths = [folder / "counts" / f"b{number:05d}.parquet" for number in range(batches)]
    for number, path in enumerate(paths):
        path.parent.mkdir(parents=True, exist_ok=True)
        generator = np.random.default_rng(number)
        drawn, counted = np.unique(np.minimum(generator.zipf(1.2, 4 * words), 10 * words), return_counts=True)
        text = pl.Series(drawn * np.int64(2654435761) % np.int64(2**40)).cast(pl.String)
        frame = pl.DataFrame({"key": "w" + text, "count_before": counted, "count_after": counted // 2})
        left = {name: pl.lit(0, pl.Int64) for name in Keywords.numbers[3:]}
        frame = frame.with_columns(boilerplate=pl.col("count_before") - pl.col("count_after"), **left).sort("key")
        totals = frame.select(pl.lit("").alias("key"), *(pl.col(name).sum() for name in Keywords.numbers))
        tables = [(Keywords.name, Keywords.numbers, [frame.select("key", *Keywords.numbers)])]
        counts_file.write(path, [*tables, (RUNNING_WORDS, Keywords.numbers, [totals])])
    rows = "".join(f"{path.stem}\t{path.stem}.warc.gz\t1\n" for path in paths)
    (folder / "batches.tsv").write_text("batch\tarchive\tbytes\n" + rows, encoding="utf-8")
    files = [counts_file.CountsFile.open(path) for path in paths]
    print(f"{sum(file.places[Keywords.name][1] for file in files):,} rows of words")
    running_words = dict.fromkeys(Keywords.numbers, 0)
    for file in files:
        for name, number in (
            dict(file.small({RUNNING_WORDS: Keywords.numbers}))[RUNNING_WORDS].row(0, named=True).items()
        ):
            if name != "key":
                running_words[name] += number
    found: list[pl.DataFrame] = []
    yield (
        "statistics tables",
        timed(lambda: found.append(large_tables.in_one(files, "keywords", running_words, folder))),
    )
    made = [folder / f"{part}.parquet" for part in range(parts)]

    def add_up() -> None:
        for part, path in enumerate(made):
            large_tables.make_part(folder, part, parts, path, MEMORY)

    yield "statistics tables-part", timed(add_up)
    pieces: list[pl.DataFrame] = []
    opened = [counts_file.CountsFile.open(path) for path in made]
    yield "statistics tables joined", timed(lambda: pieces.extend(large_tables.of_parts(opened, "keywords")))
    rest = pl.concat(pieces)
    if not set(found[0]["key"]) <= set(rest["key"]):
        raise running.CommandError("the parts lack words of the whole")


def keys(folder: Path, count: int, parts: int) -> Iterator[tuple[str, float]]:
    """Yields the CPU seconds of joining keys."""
    folder.mkdir()
    made = np.unique(np.random.default_rng(1).integers(0, 2**64, count, np.uint64))
    counts = np.full(len(made), 2, np.uint32)
    NgramKeys.write(folder / "whole", 10, made, counts, ngrams=4 * count, tokens=5 * count)
    cuts = [len(made) * part // parts for part in range(parts + 1)]
    paths = [folder / str(part) for part in range(parts)]
    for path, (start, end) in zip(paths, pairwise(cuts), strict=True):
        NgramKeys.write(path, 10, made[start:end], counts[start:end], ngrams=4 * count, tokens=5 * count)
    yield "merge joined", timed(lambda: join_parts(paths, folder / "joined"))
    same([folder / "whole"], [folder / "joined"])


def ngrams(folder: Path, corpus: Path, parts: int) -> Iterator[tuple[str, float]]:
    """Yields the CPU seconds of counting all 10-grams of a corpus, in one and in parts."""
    folder.mkdir()
    batches = [BatchFiles.of(corpus, name) for name in CorpusFolder.open(corpus).batches]
    verticals, documents = [files.vertical for files in batches], [files.documents for files in batches]
    whole, divided = folder / "1.keys", folder / f"{parts}.keys"
    found: list[all_ngrams.DuplicateCounts] = []

    def count(keys: Path, parts: int) -> None:
        found.extend(
            all_ngrams.count_duplicates([keys], folder, MEMORY, part=part, parts=parts) for part in range(parts)
        )

    yield "statistics runs", timed(lambda: all_ngrams.write_keys(verticals, documents, whole, memory=MEMORY, n=10))
    yield (
        "statistics runs, for parts",
        timed(lambda: all_ngrams.write_keys(verticals, documents, divided, memory=MEMORY, n=10, parts=parts)),
    )
    print(f"{whole.stat().st_size / 1e6:.1f} MB of keys, {divided.stat().st_size / 1e6:.1f} MB for parts")
    yield "statistics merge", timed(lambda: count(whole, 1))
    yield "statistics merge-part, all", timed(lambda: count(divided, parts))
    if found[0] != all_ngrams.added_up(found[1:]):
        raise running.CommandError(f"the parts have {all_ngrams.added_up(found[1:])}, not {found[0]}")


def same(one: Sequence[Path], other: Sequence[Path]) -> None:
    """Raises an error unless the files are the same bytes."""
    for first, second in zip(one, other, strict=True):
        if first.read_bytes() != second.read_bytes():
            raise running.CommandError(f"{second} is not {first}")


def main(prog: str, arguments: Sequence[str]) -> None:
    """Measures and prints a line per step."""
    parser = running.parser(prog, __doc__)
    for name, default, text in (
        ("documents", "1M", "documents of which exact duplicates are found"),
        ("records", "1M", "records whose addresses are indexed"),
        ("words", "100k", "size of a batch's vocabulary, about"),
        ("batches", "32", "batches with words"),
        ("keys", "20M", "keys of duplicate n-grams"),
        ("parts", "8", "number of parts"),
    ):
        parser.add_argument(f"--{name}", type=parse_size, default=default, help=f"{text} (default {default})")
    parser.add_argument("--corpus", type=Path, help="folder of a corpus whose 10-grams are counted")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for step, seconds in documents(folder / "documents", options.documents, options.parts):
            print(f"{step:26} {seconds:8.2f} s   {1e6 * seconds / options.documents:8.3f} s per million documents")
        for step, seconds in addresses(folder / "addresses", options.records, options.parts):
            print(f"{step:26} {seconds:8.2f} s   {1e6 * seconds / options.records:8.3f} s per million records")
        for step, seconds in statistics(folder / "statistics", options.words, options.batches, options.parts):
            print(f"{step:26} {seconds:8.2f} s")
        for step, seconds in keys(folder / "keys", options.keys, options.parts):
            print(f"{step:26} {seconds:8.2f} s   {1e9 * seconds / (12 * options.keys):8.3f} s per gigabyte")
        if options.corpus is not None:
            for step, seconds in ngrams(folder / "ngrams", options.corpus, options.parts):
                print(f"{step:26} {seconds:8.2f} s")
    sys.stdout.flush()

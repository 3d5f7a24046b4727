"""Measures steps over the whole corpus in one process, and in parts, on made data of several sizes.

    python bench parts [--documents 1M] [--records 1M] [--words 100k] [--batches 32] [--keys 400M] [--lists 160]
        [--tokens 10M] [--parts 8] [--times 1] [--only NAME …] [--corpus FOLDER] [--rows FILE] [--page PAGE]

Each is a process of its own: CPU seconds and peak memory, in a table with the growth between the sizes. The rows of
several runs are kept in a file, docs/measurements/parts_measured.tsv; the page is docs/measurements/parts.md.

* documents: exact duplicates of made tables (`make-documents`).
* index: made addresses (those of `python bench inspection`), in batches of 50,000 and bundles of 16 batches.
* words: statistics tables of the words of made batches, drawn from a vocabulary of ten times as many by Zipf's law.
* ngrams: candidates and lexicon, of made keys and lists of words; each part is a process.
* sorted: the merge of the n-grams of made verticals; in parts, with the keys of each bundle.
* merge: n-grams whose keys are made; only joining the parts, which copies bytes.
* with a corpus, the keys of the 10-grams of all its tokens, and counting those that occur twice or more.

The tables and keys must be the same bytes, and the counts the same numbers; otherwise it is an error.
"""

import csv
import math
import os
import resource
import shutil
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np
import page_tables
import polars as pl
import running
from deduplication import made_documents
from inspection import made

from corpusprep._native import ngrams as native
from corpusprep.archive.batches import MOST_BUNDLED, batch_names
from corpusprep.dedup import all_ngrams, document_parts, duplicate_ngrams, ngram_words
from corpusprep.dedup.exact_duplicates import find_duplicates
from corpusprep.dedup.ngram_keys import NgramKeys, join_parts
from corpusprep.inspection import indexing
from corpusprep.io.sizes import parse_size
from corpusprep.statistics import counts_file, large_tables
from corpusprep.statistics.batch_counts import RUNNING_WORDS
from corpusprep.statistics.corpus_folder import CorpusFolder
from corpusprep.statistics.keywords import Keywords
from corpusprep.tables.batch_files import BatchFiles, corpus_file
from parts import made_ngrams

MEMORY = 2_000_000_000
#: Bytes of a key of a duplicate n-gram and its count.
BYTES_PER_DUPLICATE = 12


@dataclass(frozen=True, slots=True)
class Used:
    """What a step used on `units` of what it works on.

    Attributes:
        step: its name.
        unit: what is counted.
        units: their number.
        seconds: of CPU time.
        megabytes: of peak memory.
    """

    step: str
    unit: str
    units: int
    seconds: float
    megabytes: float


def alone(work: Callable[[], object]) -> resource.struct_rusage:
    """Runs some work in a process of its own and returns what it used.

    Raises:
        CommandError: it failed; its traceback is on standard error.
    """
    sys.stdout.flush()
    child = os.fork()  # this process has no threads: it never starts those of polars
    if not child:
        try:
            work()
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        sys.stdout.flush()
        os._exit(0)
    _, status, usage = os.wait4(child, 0)
    if status:
        raise running.CommandError("a step failed; see above")
    return usage


def used(step: str, unit: str, units: int, work: Callable[[], object]) -> Used:
    """Returns what a step used, in a process of its own."""
    usage = alone(work)
    return Used(step, unit, units, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1000)


def documents(folder: Path, count: int, parts: int) -> Iterator[Used]:
    """Yields the stage documents, in one and in its steps."""
    alone(lambda: made_documents.make(folder, count, batch_documents=-(-count // 4)))
    names = batch_names(corpus_file(folder, "plan"))
    tokens = folder / "tokens"
    yield used("documents", "documents", count, lambda: find_duplicates(names, tokens, folder / "one", MEMORY))
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

    yield used("… exact sort", "documents", count, sort)
    yield used("… exact part, all", "documents", count, decide)
    yield used("… exact gather", "documents", count, gather)
    same(*([folder / kind / f"{name}.parquet" for name in names] for kind in ("one", "in_parts")))


def addresses(folder: Path, count: int, parts: int) -> Iterator[Used]:
    """Yields the index of addresses, in one and in its steps."""
    alone(lambda: made.make_records(folder, count))
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

    yield used("index", "records", count, lambda: indexing.write_index(folder, names, folder / "whole", MEMORY))
    yield used("… urls sort", "records", count, sort)
    yield used("… urls part, all", "records", count, gather)
    yield used("… index, joining", "records", count, lambda: indexing.join_parts(of_parts, folder / "joined"))
    same([folder / "whole"], [folder / "joined"])


def _make_counts(folder: Path, words: int, batches: int) -> None:
    """Writes the counts of words of made batches, the list of batches, and the number of all rows."""
    rows_of_words = 0
    (folder / "counts").mkdir(parents=True)
    paths = [folder / "counts" / f"b{number:05d}.parquet" for number in range(batches)]
    for number, path in enumerate(paths):
        generator = np.random.default_rng(number)
        drawn, counted = np.unique(np.minimum(generator.zipf(1.2, 4 * words), 10 * words), return_counts=True)
        text = pl.Series(drawn * np.int64(2654435761) % np.int64(2**40)).cast(pl.String)
        frame = pl.DataFrame({"key": "w" + text, "count_before": counted, "count_after": counted // 2})
        left = {name: pl.lit(0, pl.Int64) for name in Keywords.numbers[3:]}
        frame = frame.with_columns(boilerplate=pl.col("count_before") - pl.col("count_after"), **left).sort("key")
        rows_of_words += frame.height
        totals = frame.select(pl.lit("").alias("key"), *(pl.col(name).sum() for name in Keywords.numbers))
        tables = [(Keywords.name, Keywords.numbers, [frame.select("key", *Keywords.numbers)])]
        counts_file.write(path, [*tables, (RUNNING_WORDS, Keywords.numbers, [totals])])
    rows = "".join(f"{path.stem}\t{path.stem}.warc.gz\t1\n" for path in paths)
    (folder / "batches.tsv").write_text("batch\tarchive\tbytes\n" + rows, encoding="utf-8")
    (folder / "rows").write_text(str(rows_of_words))


def statistics(folder: Path, words: int, batches: int, parts: int) -> Iterator[Used]:
    """Yields adding up words, in one and in parts."""
    alone(lambda: _make_counts(folder, words, batches))
    counted = sorted((folder / "counts").iterdir())
    rows = int((folder / "rows").read_text())
    made = [folder / f"{part}.parquet" for part in range(parts)]
    whole, joined = folder / "whole.parquet", folder / "joined.parquet"

    def in_one() -> None:
        files = [counts_file.CountsFile.open(path) for path in counted]
        totals = dict.fromkeys(Keywords.numbers, 0)
        for file in files:
            row = dict(file.small({RUNNING_WORDS: Keywords.numbers}))[RUNNING_WORDS].row(0, named=True)
            totals = {name: number + row[name] for name, number in totals.items()}
        large_tables.in_one(files, "keywords", totals, folder).write_parquet(whole)

    def add_up() -> None:
        for part, path in enumerate(made):
            large_tables.make_part(folder, part, parts, path, MEMORY)

    def join() -> None:
        pl.concat(
            large_tables.of_parts([counts_file.CountsFile.open(path) for path in made], "keywords")
        ).write_parquet(joined)

    def compare() -> None:
        if not set(pl.read_parquet(whole)["key"]) <= set(pl.read_parquet(joined)["key"]):
            raise running.CommandError("the parts lack words of the whole")

    yield used("statistics tables", "words of batches", rows, in_one)
    yield used("… statistics tables-part, all", "words of batches", rows, add_up)
    yield used("… statistics tables, joining", "words of batches", rows, join)
    alone(compare)


def keys(folder: Path, count: int, parts: int) -> Iterator[Used]:
    """Yields joining the keys of duplicate n-grams, one in 100 of `count`."""
    paths = [folder / str(part) for part in range(parts)]

    def make() -> None:
        folder.mkdir()
        made = np.unique(np.random.default_rng(1).integers(0, 2**64, count // 100, np.uint64))
        counts = np.full(len(made), 2, np.uint32)
        NgramKeys.write(folder / "whole", 10, made, counts, ngrams=4 * count, tokens=5 * count)
        cuts = [len(made) * part // parts for part in range(parts + 1)]
        for path, (start, end) in zip(paths, pairwise(cuts), strict=True):
            NgramKeys.write(path, 10, made[start:end], counts[start:end], ngrams=4 * count, tokens=5 * count)

    alone(make)
    yield used("ngrams merge, joining", "duplicate n-grams", count // 100, lambda: join_parts(paths, folder / "joined"))
    same([folder / "whole"], [folder / "joined"])


def ngrams(folder: Path, keys: int, lists: int, parts: int) -> Iterator[Used]:
    """Yields candidates and lexicon, in one and in parts."""
    whole, joined = folder / "whole", folder / "joined"
    pieces = [folder / f"part-{part}" for part in range(parts)]

    def count(part: int, parts: int, output: Path) -> None:
        duplicate_ngrams.make_candidates(files, output, MEMORY, part=part, parts=parts)

    def merge(part: int, parts: int, output: Path) -> None:
        ngram_words.make_lexicon(files, output, MEMORY, part=part, parts=parts)

    alone(lambda: made_ngrams.keys(folder / "keys", keys))
    files = sorted((folder / "keys").iterdir())
    yield used("ngrams candidates", "n-grams", keys, lambda: count(0, 1, whole))
    shutil.rmtree(folder / "keys")
    alone(lambda: made_ngrams.keys(folder / "keys", keys, parts))
    yield from of_all_parts("… ngrams candidates-part, all", "n-grams", keys, count, pieces)
    yield used(
        "… ngrams candidates, joining", "n-grams", keys, lambda: duplicate_ngrams.join_candidates(pieces, joined)
    )
    same([whole], [joined])
    shutil.rmtree(folder / "keys")
    alone(lambda: made_ngrams.words(folder / "words", lists))
    files = sorted((folder / "words").iterdir())
    rows = lists * made_ngrams.WORDS_PER_LIST
    yield used("ngrams lexicon", "words of batches", rows, lambda: merge(0, 1, whole))
    yield from of_all_parts("… ngrams lexicon-part, all", "words of batches", rows, merge, pieces)
    yield used("… ngrams lexicon, joining", "words of batches", rows, lambda: ngram_words.join_lexicons(pieces, joined))
    same([whole], [joined])


def of_all_parts(
    step: str, unit: str, units: int, work: Callable[[int, int, Path], None], pieces: Sequence[Path]
) -> Iterator[Used]:
    """Yields what all parts of a step used, each in a process of its own: the sum of the times, the most memory."""
    usages = [alone(partial(work, part, len(pieces), piece)) for part, piece in enumerate(pieces)]
    seconds = sum(usage.ru_utime + usage.ru_stime for usage in usages)
    yield Used(step, unit, units, seconds, max(usage.ru_maxrss for usage in usages) / 1000)


def merging(folder: Path, tokens: int, parts: int) -> Iterator[Used]:
    """Yields merging the n-grams of made verticals, bundles: in one, and in parts with the keys of bundles."""
    alone(lambda: made_ngrams.verticals(folder, tokens))
    bundles = sorted(folder.iterdir())
    lexicon, candidates, whole = folder / "lexicon", folder / "candidates", folder / "whole"
    made = [folder / f"{part}.keys" for part in range(parts)]

    def of_bundles(ending: str) -> list[Path]:
        return [path.with_suffix(ending) for path in bundles]

    def prepare() -> None:
        for path, words, ids, keys in zip(
            bundles, of_bundles(".words"), of_bundles(".ids"), of_bundles(".ngrams"), strict=True
        ):
            ngram_words.count_words([path], None, words, MEMORY, tokens=ids, keys=keys, n=10)
        ngram_words.make_lexicon(of_bundles(".words"), lexicon, MEMORY)
        duplicate_ngrams.make_candidates(of_bundles(".ngrams"), candidates, MEMORY)
        for number, ending in ((1, ".1"), (parts, ".many")):
            for ids, runs in zip(of_bundles(".ids"), of_bundles(ending), strict=True):
                duplicate_ngrams.make_stream_runs(ids, lexicon, candidates, runs, memory=MEMORY, n=10, parts=number)

    def merge_parts() -> None:
        for part, path in enumerate(made):
            duplicate_ngrams.merge_duplicates(
                of_bundles(".many"),
                lexicon,
                path,
                MEMORY,
                part=part,
                parts=parts,
                bundles=path.with_suffix(".bundles"),
            )

    alone(prepare)
    entries = sum(run.entries for path in of_bundles(".1") for run in native.read_runs_header(path).runs)
    unit = "sorted n-grams"
    yield used(
        "ngrams merge",
        unit,
        entries,
        lambda: duplicate_ngrams.merge_duplicates(of_bundles(".1"), lexicon, whole, MEMORY),
    )
    yield used("… ngrams merge-part, all", unit, entries, merge_parts)
    alone(lambda: join_parts(made, folder / "joined"))
    same([whole], [folder / "joined"])


def all_tokens(folder: Path, corpus: Path, parts: int) -> Iterator[Used]:
    """Yields counting all 10-grams of a corpus, in one and in parts."""
    folder.mkdir()
    batches = [BatchFiles.of(corpus, name) for name in CorpusFolder.open(corpus).batches]
    verticals, documents = [files.vertical for files in batches], [files.documents for files in batches]
    whole, divided = folder / "1.keys", folder / f"{parts}.keys"

    def write(output: Path, parts: int) -> None:
        all_ngrams.write_keys(verticals, documents, output, memory=MEMORY, n=10, parts=parts)

    def count(keys: Path, parts: int) -> None:
        found = [all_ngrams.count_duplicates([keys], folder, MEMORY, part=part, parts=parts) for part in range(parts)]
        all_ngrams.added_up(found).write(keys.with_suffix(".tsv"))

    tokens = 0
    for name, output, number in (("statistics runs", whole, 1), ("… statistics runs, for parts", divided, parts)):
        usage = alone(partial(write, output, number))
        tokens = tokens or sum(header.tokens for header in [native.read_keys_header(output, all_ngrams=True)])
        yield Used(name, "tokens", tokens, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1000)
    yield used("statistics merge", "tokens", tokens, lambda: count(whole, 1))
    yield used("… statistics merge-part, all", "tokens", tokens, lambda: count(divided, parts))
    same([whole.with_suffix(".tsv")], [divided.with_suffix(".tsv")])


def same(one: Sequence[Path], other: Sequence[Path]) -> None:
    """Raises an error unless the files are the same bytes."""
    for first, second in zip(one, other, strict=True):
        if running.run(["cmp", first, second]) is None:
            raise running.CommandError(f"{second} is not {first}")


def read(path: Path) -> list[Used]:
    """Reads what `write` wrote; nothing if there is no file."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [
            Used(row["step"], row["unit"], int(row["units"]), float(row["seconds"]), float(row["megabytes"]))
            for row in csv.DictReader(file, delimiter="\t")
        ]


def write(path: Path, rows: Iterable[Used]) -> None:
    """Writes rows as a TSV file."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(field.name for field in fields(Used))
        writer.writerows((row.step, row.unit, row.units, f"{row.seconds:.2f}", f"{row.megabytes:.0f}") for row in rows)


def table(rows_of_all: Iterable[Used]) -> str:
    """Returns CPU seconds and memory of each step at each size, the rate at the largest, and the growth to it."""
    found: dict[str, list[Used]] = {}
    for row in sorted(rows_of_all, key=lambda row: row.units):
        found.setdefault(row.step, []).append(row)
    sizes = max(map(len, found.values()))
    head = ["step", "works on", *["CPU s"] * sizes, "s / million", "exponent", *["MB"] * sizes]
    lines = [head, ["---", "---", *["---:"] * (2 * sizes + 2)]]
    for step, rows in found.items():
        last = rows[-1]
        exponent = ""
        if len(rows) > 1 and rows[-2].seconds > 0.2:
            exponent = f"{math.log(last.seconds / rows[-2].seconds) / math.log(last.units / rows[-2].units):.2f}"
        works_on = f"{', '.join(_number(row.units) for row in rows)} {last.unit}"
        seconds, megabytes = (
            [f"{number:.{digits}f}" for number in numbers]
            for digits, numbers in ((2, [row.seconds for row in rows]), (0, [row.megabytes for row in rows]))
        )
        for cells in (seconds, megabytes):
            cells.extend([""] * (sizes - len(rows)))
        lines.append([step, works_on, *seconds, f"{1e6 * last.seconds / last.units:.4f}", exponent, *megabytes])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _number(number: int) -> str:
    """Returns a number with its unit, to three digits."""
    for size, unit in ((10**9, " G"), (10**6, " M"), (10**3, " k")):
        if number >= size:
            return f"{number / size:.3g}{unit}"
    return str(number)


def main(prog: str, arguments: Sequence[str]) -> None:
    """Measures and prints a line per step, then the table."""
    parser = running.parser(prog, __doc__)
    for name, default, text in (
        ("documents", "1M", "documents of which exact duplicates are found"),
        ("records", "1M", "records whose addresses are indexed"),
        ("words", "100k", "size of a batch's vocabulary, about"),
        ("batches", "32", "batches with words"),
        ("keys", "400M", "keys of n-grams; one in 100 is a duplicate where they are joined"),
        ("lists", "160", "lists of words, one per batch"),
        ("tokens", "10M", "tokens whose n-grams are merged"),
        ("parts", "8", "number of parts"),
    ):
        parser.add_argument(f"--{name}", type=parse_size, default=default, help=f"{text} (default {default})")
    parser.add_argument("--times", type=float, nargs="+", default=[1.0], help="sizes, in multiples of those above")
    only = ("documents", "index", "words", "sorted", "merge", "ngrams")
    parser.add_argument("--only", choices=only, nargs="*", default=only, help="what is measured (default: all)")
    parser.add_argument("--rows", type=Path, help="file of rows, which are added to; the table is that of all of them")
    parser.add_argument("--corpus", type=Path, help="folder of a corpus whose 10-grams are counted")
    parser.add_argument("--page", type=Path, help="page whose table `steps` is replaced")
    parser.add_argument("--folder", type=Path, help="where the data is made (default: the folder for temporary files)")
    options = parser.parse_args(arguments)
    found = {(row.step, row.units): row for row in (read(options.rows) if options.rows else ())}
    parts: int = options.parts

    def add(rows: Iterator[Used]) -> None:
        for row in rows:
            found[row.step, row.units] = row
            if options.rows:
                write(options.rows, found.values())
            print(f"{row.step:30} {_number(row.units):>7} {row.seconds:8.2f} s {row.megabytes:6.0f} MB", flush=True)

    for times in sorted(options.times):
        names = ("documents", "records", "batches", "keys", "lists", "tokens")
        size = {name: max(1, round(getattr(options, name) * times)) for name in names}
        made = {
            "documents": partial(documents, count=size["documents"], parts=parts),
            "index": partial(addresses, count=size["records"], parts=parts),
            "words": partial(statistics, words=options.words, batches=size["batches"], parts=parts),
            "merge": partial(keys, count=size["keys"], parts=parts),
            "sorted": partial(merging, tokens=size["tokens"], parts=parts),
            "ngrams": partial(ngrams, keys=size["keys"], lists=size["lists"], parts=parts),
        }
        for make in (made[name] for name in options.only):
            with tempfile.TemporaryDirectory(dir=options.folder) as name:
                add(make(Path(name) / "made"))
    if options.corpus is not None:
        with tempfile.TemporaryDirectory(dir=options.folder) as name:
            add(all_tokens(Path(name) / "made", options.corpus, parts))
    print(table(found.values()))
    if options.page:
        page_tables.replace(options.page, {"steps": table(found.values())})

"""Counts the n-grams of all tokens that occur twice or more (Pomikálek 2011, 3.6.4).

The n-grams are not sorted, unlike the lexicon's (duplicate_ngrams): their keys of 76 bits are partitioned, and
counted partition by partition. In a corpus of 10^12 tokens, fewer than 100 n-grams would have the key of another one.
"""

from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from corpusprep._native import ngrams as native
from corpusprep.dedup import resource_plans as plans
from corpusprep.dedup.ngram_documents import Verticals
from corpusprep.dedup.resource_plans import MERGE_BUFFER, MOST_MERGED
from corpusprep.errors import StageFileError
from corpusprep.io import memory as limits
from corpusprep.io import tsv
from corpusprep.io.files import replacing, scratch
from corpusprep.io.merge_rounds import in_rounds, remove_scratch
from corpusprep.io.progress import track


@dataclass(frozen=True)
class DuplicateCounts:
    """The n-grams of a corpus, or of a part of it, that occur twice or more.

    Attributes:
        n: words in an n-gram.
        tokens: all tokens.
        types: different n-grams.
        instances: sum of their frequencies.
    """

    n: int
    tokens: int
    types: int
    instances: int

    @classmethod
    def read(cls, path: Path) -> "DuplicateCounts":
        """Reads what `write` wrote.

        Raises:
            StageFileError: the file is missing or damaged.
        """
        names = [field.name for field in fields(cls)]
        for row in tsv.read(path, [*names, "checksum"]):
            numbers = [row[name] for name in names]
            if row["checksum"] == _checksum(numbers):
                return cls(*map(int, numbers))
        raise StageFileError(f"{path}: damaged; run `corpusprep step statistics merge` again")

    def write(self, path: Path) -> None:
        """Writes a table of one row, with its checksum: files of parts have no second file beside them."""
        numbers = [*map(str, astuple(self))]
        lines = [[*(field.name for field in fields(self)), "checksum"], [*numbers, _checksum(numbers)]]
        with replacing(path) as temporary:
            temporary.write_text("".join("\t".join(line) + "\n" for line in lines), encoding="utf-8")


def _checksum(cells: Sequence[str]) -> str:
    return f"{native.checksum(' '.join(cells).encode()):016x}"


def write_keys(
    verticals: Sequence[Path],
    documents: Sequence[Path] | None,
    output: Path,
    *,
    memory: int,
    n: int,
    parts: int = 1,
    keys_at_once: int | None = None,
) -> None:
    """Writes the partitioned keys of all n-grams of some batches.

    Args:
        verticals: `tokens/<batch>.vert.zst` of one batch or more.
        documents: `documents/<batch>.parquet` of each; None selects all documents of the verticals.
        output: the file of keys to write.
        memory: limit of the process, in bytes; keys that do not fit are written in parts.
        n: words in an n-gram, 1 to LONGEST_NGRAM.
        parts: number of ranges of keys that are counted apart.
        keys_at_once: the most keys in memory, at least MIN_CAPACITY; None: as many as the memory holds.

    Raises:
        StageFileError: a file is missing or damaged, or a vertical differs from its table.
        ResourceError: `memory` is too little.
    """
    texts = Verticals(verticals, documents)
    least = native.BYTES_PER_LONG_KEY * native.MIN_CAPACITY
    free = limits.budget(memory, least, f"the n-grams of {texts}")
    plan = plans.all_keys(texts.stored, free, memory, keys_at_once)
    plan.announce(output.parent)
    with replacing(output) as temporary:
        partitioner = native.NgramPartitioner(temporary, n, plan.at_once, texts.taken, parts)
        for _ in texts.feed(partitioner):
            pass
        partitioner.finish()


def count_duplicates(
    keys: Sequence[Path],
    folder: Path,
    memory: int,
    *,
    part: int = 0,
    parts: int = 1,
    merged_at_once: int = MOST_MERGED,
    slices: int = 0,
) -> DuplicateCounts:
    """Counts the keys of all bundles that occur twice or more.

    Args:
        keys: what `write_keys` wrote of each bundle, at least one.
        folder: an existing folder for temporary files.
        memory: limit of the process, in bytes.
        part: the range of keys, from 0; the sums of all ranges are the corpus's sums.
        parts: the number of ranges that the keys were written for.
        merged_at_once: the most runs read at once (2 or more).
        slices: how often all keys are read, a slice of them each time; 0: as often as the memory asks for.

    Raises:
        StageFileError: a file is missing or damaged, or was written with other settings.
        ResourceError: `memory` is too little.
    """
    headers = [native.read_keys_header(path, all_ngrams=True) for path in keys]
    if not headers:
        raise StageFileError("no keys to count: the list of batches is empty")
    for path, header in zip(keys, headers, strict=True):
        if (header.n, header.parts) != (headers[0].n, parts):
            raise StageFileError(
                f"{path}: has {header.n}-grams for --parts {header.parts}, not {headers[0].n}-grams for "
                f"--parts {parts}; run `statistics runs` again"
            )
    runs = [run for header in headers for run in header.runs[part::parts]]
    largest = native.largest_partition(runs, part, parts)
    least = 2 * native.RepeatedNgramCounter.bytes_for(largest, plans.MOST_SLICES)
    free = limits.budget(memory, least, f"counting the n-grams of {len(keys)} bundles")
    slices = slices or plans.slices(largest, free)
    counting = native.RepeatedNgramCounter.bytes_for(largest, slices)
    plan = plans.duplicates(sum(run.keys for run in runs), len(runs), free - counting, memory, merged_at_once)
    plan.announce(folder)
    with scratch(folder / f"merged-{part}") as rounds:

        def merge(group: list[native.KeyRun], number: int) -> native.KeyRun:
            merged = rounds / f"{number}.keys"
            native.merge_long_keys(group, merged, MERGE_BUFFER, part, parts)
            remove_scratch(rounds, {Path(run.path) for run in group})
            return native.read_keys_header(merged, all_ngrams=True).runs[0]

        merged_runs = in_rounds(runs, plan.at_once, merge)
        counter = native.RepeatedNgramCounter(merged_runs, MERGE_BUFFER, part, parts, slices)
        for _ in track(iter(counter.advance, False), "statistics merge: counting groups of partitions"):
            pass
    types, instances = counter.totals
    if part:
        return DuplicateCounts(headers[0].n, 0, types, instances)
    # The first part has all tokens, and the instances that were left out: of n-grams that occur twice or more.
    instances += sum(header.left_out for header in headers)
    return DuplicateCounts(headers[0].n, sum(header.tokens for header in headers), types, instances)


def added_up(parts: Sequence[DuplicateCounts]) -> DuplicateCounts:
    """Returns the counts of a corpus from the counts of all its parts."""
    tokens, types, instances = (sum(numbers) for numbers in zip(*(astuple(part)[1:] for part in parts), strict=True))
    return DuplicateCounts(parts[0].n, tokens, types, instances)

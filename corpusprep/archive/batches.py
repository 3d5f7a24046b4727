"""Packs the archives of a corpus, sorted by path, into batches: lists of archives that are processed in one job.

Adding archives leaves most batches unchanged, in name and content, so that finished work stays valid. Two rules ensure
this. First, the name of a batch depends on its content, not on its place. Second, hashes of the paths decide which
neighbours of the sorted archives join one batch first. So batches far from added archives stay: only the batch that
gets new archives changes, and sometimes its neighbours. On average a batch is about three quarters full. The paths of a
batch fit a command line, so jobs get them as options.

A small corpus has batches below the size that is set, so that several cores share the work. Their size is a power of
two that depends on the bytes of all archives, never on the cores of a run. A corpus that would have more batches than
Snakemake plans in a minute has larger ones: the size is doubled until they are few enough.

Short steps, whose files are removed in the end, process several batches per job: a bundle.
"""

import itertools
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from corpusprep.errors import ArchiveError, StageFileError
from corpusprep.io import checksums
from corpusprep.io.files import replacing
from corpusprep.remote.addresses import Address, Status, archive_path

#: Regular expression of batch names.
NAME = "b[0-9a-f]{16}"
#: Regular expression of bundle names. The bundle of a single batch has the name of the batch.
BUNDLE_NAME = "[bg][0-9a-f]{16}"
#: The most batches per bundle, so that its jobs take minutes.
MOST_BUNDLED = 16
#: The most bytes of archives per bundle, as stored, for small corpora: n-grams of 100 MB take seconds.
BUNDLE_BYTES = 100_000_000
#: Bytes of archives up to which a batch of a small corpus is not made smaller: it takes seconds.
LEAST_BATCH_BYTES = 16_777_216
#: A small corpus has at least this many batches, if its archives are small enough.
LEAST_BATCHES = 4
#: The most batches of a corpus: their jobs are planned in 52 s of CPU time and 0.9 GB.
MOST_BATCHES = 4000
#: A large corpus has about this many bundles, if it has as many batches, so that many jobs run at the same time.
LEAST_BUNDLES = 64
#: The most bytes of a batch's paths, with their options: on Linux, a command line may have 128 kB.
PATH_BYTES = 64_000
_OPTION_BYTES = len(" --archive ''")
_PLAN = "batches.tsv"
_COLUMNS = ("batch", "archive", "bytes")
_REMOTE_COLUMNS = (*_COLUMNS, "version")
_BUNDLE_COLUMNS = ("bundle", "batch")


@dataclass(frozen=True, slots=True)
class Batch:
    """The archives of one job; `sizes` are their file sizes in bytes, in the order of `archives`.

    `versions`, of archives on servers: their entity tags, or what servers have in place of them; "" of files.
    """

    name: str
    archives: tuple[Path, ...]
    sizes: tuple[int, ...]
    versions: tuple[str, ...] = ()


def plan(paths: Iterable[Path], batch_bytes: int) -> list[Batch]:
    """Packs archives, in the order of their paths, into batches of up to `batch_bytes` and PATH_BYTES of paths.

    An archive that is larger is a batch of its own. Batches of a small corpus have fewer bytes; those of a corpus that
    would have more than MOST_BATCHES have more.

    Raises:
        ArchiveError: an archive is missing.
    """
    ordered = sorted(paths, key=str)
    sizes = [stored_size(path) for path in ordered]
    ends = [0, *itertools.accumulate(sizes)]  # there are ends[i] bytes before archive i
    most = min(batch_bytes, max(LEAST_BATCH_BYTES, 1 << (ends[-1] // (2 * LEAST_BATCHES)).bit_length()))
    path_ends = [0, *itertools.accumulate(map(_written, ordered))]
    hashes = [_digest([path]) for path in ordered]

    def fits(first: int, end: int) -> bool:
        return ends[end] - ends[first] <= most and path_ends[end] - path_ends[first] <= PATH_BYTES

    ranges = cut(hashes, fits)
    while len(ranges) > MOST_BATCHES and most < ends[-1]:
        most *= 2
        ranges = cut(hashes, fits)
    batches: list[Batch] = []
    for first, end in ranges:
        archives, stored = ordered[first:end], sizes[first:end]
        versions = tuple(map(_version, archives)) if any(map(is_remote, archives)) else ()
        name = batch_name([*archives, *stored, *versions])
        batches.append(Batch(name, tuple(archives), tuple(stored), versions))
    return batches


def cut(hashes: Sequence[str], fits: Callable[[int, int], bool]) -> list[tuple[int, int]]:
    """Cuts a list into parts that fit; no two neighbours fit into one part.

    Parts that follow each other are joined if they fit, first where the later one begins with the highest hash.

    Args:
        hashes: of the items, in their order.
        fits: returns whether the items from `first` up to `end` fit into one part. A single item always does.

    Returns:
        The first item of each part and its end, in order.
    """
    firsts = list(range(len(hashes)))  # of the part that ends with an item
    ends = list(range(1, len(hashes) + 1))  # of the part that begins with an item
    for item in sorted(range(1, len(hashes)), key=lambda item: hashes[item], reverse=True):
        first, end = firsts[item - 1], ends[item]
        if fits(first, end):
            ends[first], firsts[end - 1] = end, first
    ranges: list[tuple[int, int]] = []
    first = 0
    while first < len(hashes):
        ranges.append((first, ends[first]))
        first = ends[first]
    return ranges


def batch_name(parts: Iterable[object]) -> str:
    """Returns the name of a batch that consists of these parts."""
    return f"b{_digest(parts)}"


def _written(path: Path) -> int:
    """The bytes of a path on a command line, where a quote takes five."""
    name = os.fsencode(path)
    return len(name) + 4 * name.count(b"'") + _OPTION_BYTES


def bundles(batches: Sequence[Batch]) -> dict[str, tuple[str, ...]]:
    """Groups successive batches into bundles; returns the names of the batches of each bundle, by its name.

    A bundle has up to MOST_BUNDLED batches. Their archives have up to BUNDLE_BYTES, or 1 / LEAST_BUNDLES of the bytes
    of all archives if that is more. So many or small batches share a job; a few large ones do not.
    """
    most = max(BUNDLE_BYTES, sum(sum(batch.sizes) for batch in batches) // LEAST_BUNDLES)
    parts: list[list[str]] = []
    bundle_size = 0
    for batch in batches:
        size = sum(batch.sizes)
        if not parts or len(parts[-1]) == MOST_BUNDLED or bundle_size + size > most:
            parts.append([])
            bundle_size = 0
        parts[-1].append(batch.name)
        bundle_size += size
    return {part[0] if len(part) == 1 else f"g{_digest(part)}": tuple(part) for part in parts}


def remove_others(names: Iterable[str], folder: Path) -> list[Path]:
    """Removes files of a corpus's `folder` that belong to batches and bundles which are not in `names`.

    Otherwise documents of earlier batches would stay beside the present ones. Folders inside that have batches
    of their own stay: the languages of a crawl.

    Returns:
        The removed files: the name of a batch or bundle is in their name, or in the name of a folder they are in.
    """
    present = set(names)
    named = re.compile(rf"(?:[a-z]+-)*({BUNDLE_NAME})(?:\..+)?")

    def other(path: Path) -> bool:
        matches = map(named.fullmatch, path.relative_to(folder).parts)
        return any(match and match[1] not in present for match in matches)

    inner = {path.parent for path in folder.glob(f"*/{_PLAN}")}
    # Also links to files that are gone.
    files = (path for path in folder.rglob("*") if path.is_symlink() or path.is_file())
    removed = [path for path in files if inner.isdisjoint(path.parents) and other(path)]
    for path in removed:
        path.unlink(missing_ok=True)
    return removed


def write_batches(batches: Iterable[Batch], path: Path) -> None:
    """Writes `batches.tsv`: a header line, then one row per archive (batch, archive, bytes).

    If archives are on servers, there is a fourth column with their versions.
    """
    written = list(batches)
    remote = any(batch.versions for batch in written)
    rows = ["\t".join(_REMOTE_COLUMNS if remote else _COLUMNS)]
    for batch in written:
        versions = batch.versions or [""] * len(batch.archives)
        for archive, size, version in zip(batch.archives, batch.sizes, versions, strict=True):
            rows.append(f"{batch.name}\t{archive}\t{size}" + f"\t{version}" * remote)
    _write("\n".join(rows) + "\n", path)


def read_batches(path: Path) -> list[Batch]:
    """Reads `batches.tsv`.

    Raises:
        StageFileError: the file is missing or is not a table of batches.
    """
    header, *rows = _lines(path)
    groups: dict[str, list[tuple[Path, int, str]]] = {}
    try:
        columns = tuple(header.split("\t"))
        if columns not in (_COLUMNS, _REMOTE_COLUMNS):
            raise ValueError(header)
        for row in rows[:-1]:
            name, archive, size, version = row.split("\t") if columns == _REMOTE_COLUMNS else (*row.split("\t"), "")
            groups.setdefault(name, []).append((archive_path(archive), int(size), version))
    except ValueError:
        raise StageFileError(f"{path}: not a table of batches; run `corpusprep step batches` again") from None
    return [
        Batch(
            name,
            tuple(archive for archive, _, _ in group),
            tuple(size for _, size, _ in group),
            tuple(version for _, _, version in group) if any(version for _, _, version in group) else (),
        )
        for name, group in groups.items()
    ]


def write_bundles(bundled: Mapping[str, Sequence[str]], path: Path) -> None:
    """Writes `bundles.tsv`: a header line, then one row per batch (bundle, batch)."""
    rows = [_BUNDLE_COLUMNS, *((bundle, batch) for bundle, part in bundled.items() for batch in part)]
    _write("".join("\t".join(row) + "\n" for row in rows), path)


def batch_names(path: Path) -> list[str]:
    """Returns the names of the batches in `batches.tsv`, in their order.

    Raises:
        StageFileError: the file is missing or is not a table of batches.
    """
    return [batch.name for batch in read_batches(path)]


def read_bundles(path: Path) -> dict[str, list[str]]:
    """Reads `bundles.tsv`; returns the batches of each bundle, by its name.

    Raises:
        StageFileError: the file is missing or is not a table of batches.
    """
    header, *rows = _lines(path)
    bundled: dict[str, list[str]] = {}
    try:
        if header != "\t".join(_BUNDLE_COLUMNS):
            raise ValueError(header)
        for row in rows[:-1]:
            bundle, batch = row.split("\t")
            bundled.setdefault(bundle, []).append(batch)
    except ValueError:
        raise StageFileError(f"{path}: not a table of bundles; run `corpusprep step batches` again") from None
    return bundled


def batches_of(bundle: str, path: Path) -> list[str]:
    """Returns the batches of a bundle in `bundles.tsv`.

    Raises:
        StageFileError: the file is missing, is not such a table, or has no such bundle.
    """
    bundled = read_bundles(path)
    if bundle not in bundled:
        raise StageFileError(f"{path}: has no bundle {bundle}")
    return bundled[bundle]


def bundle_of(batch: str, path: Path) -> str:
    """Returns the bundle of a batch in `bundles.tsv`.

    Raises:
        StageFileError: the file is missing, is not such a table, or has no such batch.
    """
    for bundle, part in read_bundles(path).items():
        if batch in part:
            return bundle
    raise StageFileError(f"{path}: has no batch {batch}")


def _write(text: str, path: Path) -> None:
    checksums.forget(path)
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8", errors="surrogateescape")
    checksums.store(path)


def _lines(path: Path) -> list[str]:
    try:
        checksums.verify(path)
        return path.read_text(encoding="utf-8", errors="surrogateescape").split("\n")
    except FileNotFoundError:
        if not path.parent.is_dir():
            raise StageFileError(f"{path.parent}: no such folder; give a corpus folder, such as results/news") from None
        raise StageFileError.missing(path) from None


def stored_size(path: Path) -> int:
    """Returns the bytes of an archive as stored.

    Raises:
        ArchiveError: it is not there, or cannot be read.
    """
    if isinstance(path, Address):
        return _status(path).size
    try:
        return path.stat().st_size
    except OSError as error:
        raise ArchiveError(f"cannot read archive {path}: {error.strerror}") from error


def is_remote(path: Path) -> bool:
    """Returns whether an archive is on a server."""
    return isinstance(path, Address)


def _version(path: Path) -> str:
    return " ".join(_status(path).version.split()) if isinstance(path, Address) else ""


def _status(address: Address) -> Status:
    if address.status is None:
        from corpusprep.remote import reading  # with a client of HTTP, which files do without

        (asked,) = reading.with_status([address.url])
        address.status = asked.status
    if address.status is None:
        raise TypeError(address)
    return address.status


def _digest(parts: Iterable[object]) -> str:
    text = "\n".join(map(str, parts))
    return blake2b(os.fsencode(text), digest_size=8).hexdigest()


def make_batches(
    archives: Iterable[Path],
    batch_bytes: int,
    output: Path,
    *,
    bundle_list: Path | None = None,
    others_removed: bool = False,
) -> list[Batch]:
    """Writes the batches of archives to `output` and returns them.

    Args:
        archives: the archives, in any order (patterns.expand).
        batch_bytes: the most bytes of archives per batch.
        output: the table of batches to write.
        bundle_list: the table of bundles to write, if any.
        others_removed: whether to remove files of other batches first, beside the table and in folders there.

    Raises:
        ArchiveError: an archive is missing.
    """
    batches = plan(archives, batch_bytes)
    names = [batch.name for batch in batches]
    bundled = bundles(batches)
    if others_removed:
        remove_others([*names, *bundled], output.parent)
    if bundle_list:
        write_bundles(bundled, bundle_list)
    write_batches(batches, output)
    return batches

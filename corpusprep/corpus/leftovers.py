"""Removes files of a corpus that earlier settings made, in formats or shards that the present ones do not make.

Otherwise an old corpus would stay beside the new one, with pages that the new one has been told to forget.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from corpusprep.archive import batches
from corpusprep.corpus.formats import corpus_formats, output_formats
from corpusprep.corpus.shards import TRAIN, VALIDATION
from corpusprep.io import digests

#: What Snakemake writes into a folder that is an output.
_TIMESTAMP = ".snakemake_timestamp"


def remove_leftovers(
    folder: Path, formats: Sequence[str], *, sharded: bool, with_verticals: bool = False, code: Path = Path()
) -> list[Path]:
    """Removes what the settings do not make from the folders `corpus` and `export` of a corpus.

    Only files with names that corpusprep gives are removed, and `export` if nothing is left in it.

    Args:
        folder: of the corpus.
        formats: names of the formats that the settings make.
        sharded: whether they make `export`, whose writer replaces all of it, and not `corpus`.
        code: the folder of formats of a user's own.
        with_verticals: whether the verticals of batches, which statistics read, are removed if they are not chosen.

    Returns:
        The removed files.
    """
    made = () if sharded else formats
    kept = made if with_verticals else (*made, "vertical")
    removed = list(_in_formats(folder / "corpus", batches.NAME, kept, formats, code))
    if not sharded:
        removed += exported(folder / "export", folder.name, formats, code)
    others = folder / ("corpus" if sharded else "export") / digests.NAME
    removed += [others] if others.is_file() else []
    for path in removed:
        path.unlink(missing_ok=True)
    if removed and not sharded:
        _remove_empty(folder / "export")
    return removed


def remove_quality(folder: Path) -> None:
    """Removes the signals and verdicts of an earlier filter by quality from the folder of a corpus without one."""
    for name in ("quality", "filter_samples"):
        for path in _named(folder / name, batches.NAME, ["parquet"]):
            path.unlink(missing_ok=True)


def foreign(folder: Path, corpus: str, formats: Sequence[str] = (), code: Path = Path()) -> list[Path]:
    """Returns what is in a folder, sorted, but for the files that an export of a corpus writes; see `exported`."""
    made = {*exported(folder, corpus, formats, code), folder / digests.NAME, folder / _TIMESTAMP}
    return sorted(path for path in folder.iterdir() if path not in made) if folder.is_dir() else []


def exported(folder: Path, corpus: str, formats: Sequence[str] = (), code: Path = Path()) -> Iterator[Path]:
    """Yields the files in a folder that an export of the corpus of that name writes, in any format.

    Formats of a user's own are known if they are among `formats`; they are looked for in the folder `code`.
    """
    yield from _in_formats(
        folder, rf"{re.escape(corpus)}(?:-(?:{TRAIN}|{VALIDATION}))?(?:-\d{{5,}})?", (), formats, code
    )


def _in_formats(folder: Path, stem: str, kept: Sequence[str], formats: Sequence[str], code: Path) -> Iterator[Path]:
    """Yields the files of a folder in all formats but those that are kept; users' own are those among `formats`."""
    known = output_formats() | output_formats(formats, code)
    yield from _named(folder, stem, [form.suffix for name, form in known.items() if name not in kept])
    for name, form in (corpus_formats() | corpus_formats(formats, code)).items():
        if name not in kept:
            yield from filter(form.is_made, form.paths(folder))


def _named(folder: Path, stem: str, suffixes: Sequence[str]) -> Iterator[Path]:
    """Yields the files of a folder with such a name."""
    if folder.is_dir():
        pattern = re.compile(rf"{stem}\.(?:{'|'.join(map(re.escape, suffixes))})")
        yield from (path for path in sorted(folder.iterdir()) if pattern.fullmatch(path.name) and path.is_file())


def _remove_empty(folder: Path) -> None:
    """Removes a folder in which nothing is left but the time stamp of Snakemake."""
    if folder.is_dir() and {path.name for path in folder.iterdir()} <= {_TIMESTAMP}:
        (folder / _TIMESTAMP).unlink(missing_ok=True)
        folder.rmdir()

"""Says which columns the vertical of a corpus has."""

from collections.abc import Sequence
from pathlib import Path

from corpusprep.errors import StageFileError
from corpusprep.jobs import finished


def columns_of(corpus_dir: Path, named: Sequence[str] = ()) -> tuple[str, ...]:
    """Returns the names of the columns: those that are named; or `word`, and those that the run's annotator added.

    A corpus whose last run has not ended, or that no run of this package made, has `word` alone.

    Args:
        corpus_dir: the folder of the corpus.
        named: names, the word first; none: those of the corpus.
    """
    if named:
        return tuple(named)
    try:
        added = finished.read(corpus_dir)["settings"].get("annotate.columns") or []
    except StageFileError:
        added = []
    return ("word", *map(str, added))

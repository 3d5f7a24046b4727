"""Which documents and tokens n-grams are made of: what batches must have in common, and a vertical with its table."""

from collections.abc import Sequence
from pathlib import Path

from corpusprep._native import ngrams as native
from corpusprep.errors import StageFileError
from corpusprep.verdicts import KEPT


def selection_digest(count_punctuation: bool, stop_words: Sequence[str]) -> int:
    """A digest of the setting that says which tokens count."""
    return native.checksum("\n".join([str(count_punctuation), *sorted(set(stop_words))]).encode())


def taken_documents(documents: Path | None) -> bytes | None:
    """A byte for each document of the vertical: whether `documents` kept it."""
    if documents is None:
        return None
    import polars as pl  # here, as most steps do without: it is half of their start-up

    from corpusprep import schemas

    table = schemas.read(documents, schemas.DOCUMENTS, ["document", "verdict"]).sort("document")
    if not table["document"].cast(pl.Int64).equals(pl.int_range(len(table), eager=True, dtype=pl.Int64)):
        raise StageFileError(f"{documents}: its documents are not numbered from 0 on; run `documents` again")
    return (table["verdict"] == KEPT).cast(pl.UInt8).to_numpy().tobytes()


def same_documents(vertical: Path, documents: Path | None, seen: int, taken: bytes | None) -> None:
    """Fails where a vertical has not as many documents, `seen`, as its table."""
    if taken is not None and seen != len(taken):
        raise StageFileError(f"{documents}: {len(taken)} documents, but {vertical} has {seen}; run `documents` again")

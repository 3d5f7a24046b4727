"""A small corpus for the experiments, in the form that the stages before `blocks` write."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from support.block_corpora import Document
from support.block_stage import write_batches

from studies.pomikalek_2011.chapter_3.corpus import TokenCorpus, write_tokens

GIGABYTE = 1 << 30


def write(folder: Path, documents: Sequence[Document], batches: Sequence[Sequence[int]]) -> list[str]:
    """Writes the stage files of these documents and the tables of their tokens; returns the names of the batches."""
    folder.mkdir(exist_ok=True)
    write_batches(folder, documents, batches)
    names = [f"b{number:05}" for number in range(len(batches))]
    for name in names:
        for stage in ("tokens", "documents", "boilerplate"):
            (folder / stage).mkdir(exist_ok=True)
            (folder / f"{name}.{stage}.parquet").rename(folder / stage / f"{name}.parquet")
        (folder / f"{name}.vert.zst").rename(folder / "tokens" / f"{name}.vert.zst")
        write_tokens(
            folder / "tokens" / f"{name}.vert.zst",
            folder / "documents" / f"{name}.parquet",
            folder / "experiments" / "tokens" / f"{name}.parquet",
        )
    return names


def read(folder: Path, names: Sequence[str]) -> TokenCorpus:
    """Reads the corpus of these batches."""
    return TokenCorpus.read(folder / "experiments" / "tokens", names, 4 * GIGABYTE)


def ngram_counts(texts: Iterable[Sequence[str]], n: int) -> Counter[tuple[str, ...]]:
    """Counts the n-grams of the texts; n-grams do not cross from one text to the next."""
    return Counter(tuple(text[i : i + n]) for text in texts for i in range(len(text) - n + 1))

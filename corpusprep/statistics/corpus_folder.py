"""The folder of a corpus, with its batches."""

from dataclasses import dataclass
from pathlib import Path

from corpusprep.archive.batches import read_batches


@dataclass(frozen=True)
class CorpusFolder:
    """The folder with the stage files of a corpus.

    Attributes:
        folder: the folder.
        batches: names of the batches, in order.
        archives: number of the archives.
        archive_bytes: size of all archives, as stored.
    """

    folder: Path
    batches: tuple[str, ...]
    archives: int
    archive_bytes: int

    @classmethod
    def open(cls, folder: Path) -> "CorpusFolder":
        """Reads `batches.tsv`.

        Raises:
            StageFileError: the file is missing or not a table of batches.
        """
        batches = read_batches(folder / "batches.tsv")
        sizes = [size for batch in batches for size in batch.sizes]
        return cls(folder, tuple(batch.name for batch in batches), len(sizes), sum(sizes))

    def paths(self, stage: str) -> list[Path]:
        """Returns the paths of a stage's tables, one per batch."""
        return [self.folder / stage / f"{batch}.parquet" for batch in self.batches]

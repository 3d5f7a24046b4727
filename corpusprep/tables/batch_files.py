"""The files of a corpus's folder, by the names that corpusprep.pipeline gives them."""

from pathlib import Path

from corpusprep.errors import PACKED, StageFileError
from corpusprep.pipeline import DECIDING_BEFORE_TOKENS, FILES

#: The vertical of a batch's boilerplate, if the corpus keeps it; beside the vertical, and beside the annotated one
#: (`corpus: {boilerplate: keep}`).
BOILERPLATE_VERTICAL = "{}.boilerplate.vert.zst"


def corpus_file(folder: Path, name: str) -> Path:
    """Returns the path of a file that there is one of per corpus."""
    return folder / FILES[name].pattern


def is_packed(folder: Path) -> bool:
    """Returns whether files of a corpus are packed (jobs.packing)."""
    return (folder / PACKED).is_dir()


def refuse_packed(folder: Path) -> None:
    """Refuses to read or change a corpus whose files are packed.

    Raises:
        StageFileError: they are.
    """
    if is_packed(folder):
        raise StageFileError.packed(folder)


def batch_folder(folder: Path, name: str) -> Path:
    """Returns the folder of the files that there is one of per batch."""
    return (folder / FILES[name].pattern).parent


def bundle_file(folder: Path, name: str, bundle: str, batch: str = "") -> Path:
    """Returns the path of a file that there is one of per bundle; or, in a folder of the bundle, per batch."""
    return folder / FILES[name].pattern.format(bundle=bundle, batch=batch)


def part_file(folder: Path, name: str, part: int) -> Path:
    """Returns the path of a file that there is one of per part of a corpus."""
    return folder / FILES[name].pattern.format(part=part)


def part_files(folder: Path, name: str, parts: int) -> list[Path]:
    """Returns the paths of all of them, in order; none where the corpus has one part only."""
    return [part_file(folder, name, part) for part in range(parts)] if parts > 1 else []


class BatchFiles:
    """The files that the steps write for one batch: attributes with the names that pipeline.FILES gives them."""

    def __init__(self, folder: Path, batch: str) -> None:
        self._folder, self._batch = folder, batch

    @classmethod
    def of(cls, folder: Path, batch: str) -> "BatchFiles":
        """Returns the files of a batch in the folder of its corpus."""
        return cls(folder, batch)

    @property
    def batch(self) -> str:
        """The name of the batch."""
        return self._batch

    @property
    def decided_before_tokens(self) -> list[Path]:
        """The tables of stages that decide about documents between `language` and `tokens`."""
        return [getattr(self, stage) for stage in DECIDING_BEFORE_TOKENS]

    def __getattr__(self, name: str) -> Path:
        """Returns the path of a file.

        Raises:
            AttributeError: there is no such file per batch.
        """
        if name not in FILES or "{batch}" not in FILES[name].pattern or "{bundle}" in FILES[name].pattern:
            raise AttributeError(f"no file of a batch has the name {name}")
        return self._folder / FILES[name].pattern.format(batch=self._batch)

"""The files of a corpus's folder, by the names that corpusprep.pipeline gives them."""

from dataclasses import dataclass, fields
from pathlib import Path

from corpusprep.pipeline import FILES


def corpus_file(folder: Path, name: str) -> Path:
    """Returns the path of a file that there is one of per corpus."""
    return folder / FILES[name].pattern


def batch_folder(folder: Path, name: str) -> Path:
    """Returns the folder of the files that there is one of per batch."""
    return (folder / FILES[name].pattern).parent


def bundle_file(folder: Path, name: str, bundle: str) -> Path:
    """Returns the path of a file that there is one of per bundle."""
    return folder / FILES[name].pattern.format(bundle=bundle)


@dataclass(frozen=True, slots=True)
class BatchFiles:
    """The files that the steps write for one batch; each field has the name of its file in pipeline.FILES."""

    encoding: Path
    references: Path
    boilerplate: Path
    pages: Path
    language: Path
    vertical: Path
    tokens: Path
    documents: Path
    verdicts: Path
    blocks: Path
    corpus_vertical: Path
    counts: Path
    samples: Path

    @classmethod
    def of(cls, folder: Path, batch: str) -> "BatchFiles":
        """Returns the files of a batch in the folder of its corpus."""
        return cls(*(folder / FILES[field.name].pattern.format(batch=batch) for field in fields(cls)))


def matches_file(folder: Path, bundle: str, batch: str) -> Path:
    """Returns the path of the matches of a batch, which are in the folder of its bundle."""
    return folder / FILES["matches"].pattern.format(bundle=bundle, batch=batch)

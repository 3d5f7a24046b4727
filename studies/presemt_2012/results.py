"""What `snakemake languages` measured of encoding detection."""

from functools import cached_property
from pathlib import Path

from corpusprep.io import tsv
from studies.presemt_2012.encodings import CROSS_VALIDATION_COLUMNS


class Results:
    """All measurements. A missing or damaged file is a StageFileError when a table needs it."""

    def __init__(self, folder: Path) -> None:
        """The measurements in a folder."""
        self._folder = folder

    @cached_property
    def encodings(self) -> list[dict[str, str]]:
        """Accuracy by kind of pages, language and encoding."""
        return tsv.read(self._folder / "encodings.tsv", CROSS_VALIDATION_COLUMNS)


def of_folder(results: Path) -> dict[str, Results]:
    """Returns the measurements below the folder of results, under the name ""."""
    return {"": Results(results / "languages")}

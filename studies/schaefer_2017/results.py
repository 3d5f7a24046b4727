"""Everything that `snakemake texrex` measured, each file read when a table needs it."""

from functools import cached_property
from pathlib import Path

from corpusprep.io import tsv
from studies.schaefer_2017 import measuring
from studies.schaefer_2017.classifiers import CLASSIFIERS, file_name
from studies.schaefer_2017.vectors import LANGUAGES

Row = dict[str, str]


class Results:
    """All measurements. A missing or damaged file is a StageFileError when a table needs it."""

    def __init__(self, measured: Path) -> None:
        """The measurements in a folder."""
        self._folder = measured

    @cached_property
    def sizes(self) -> dict[str, Row]:
        """One row per language."""
        return {row["language"]: row for row in tsv.read(self._folder / "sizes.tsv", measuring.SIZE_COLUMNS)}

    @cached_property
    def curves(self) -> dict[str, list[Row]]:
        """Language -> scores by threshold."""
        return {code: tsv.read(self._folder / f"curve_{code}.tsv", measuring.CURVE_COLUMNS) for code in LANGUAGES}

    @cached_property
    def folds(self) -> dict[tuple[str, str], list[Row]]:
        """Language and classifier -> one row per fold."""
        return {
            (code, name): tsv.read(
                self._folder / f"classifier_{code}_{file_name(name)}.tsv", measuring.CLASSIFIER_COLUMNS
            )
            for code in LANGUAGES
            for name in CLASSIFIERS
        }

    @cached_property
    def transfer(self) -> list[Row]:
        """Scores by model, language judged and threshold."""
        return tsv.read(self._folder / "transfer.tsv", measuring.TRANSFER_COLUMNS)

    @cached_property
    def merits(self) -> dict[str, dict[str, float]]:
        """Language -> feature -> merit."""
        tables = {code: tsv.read(self._folder / f"merits_{code}.tsv", measuring.MERIT_COLUMNS) for code in LANGUAGES}
        return {code: {row["feature"]: float(row["merit"]) for row in rows} for code, rows in tables.items()}

    @cached_property
    def gold(self) -> list[Row]:
        """What models of the vectors and of gold pages find in each other's blocks; nothing of sets that are absent."""
        return [
            row
            for name in measuring.GOLD_SETS
            for row in tsv.read(self._folder / f"gold_{name}.tsv", measuring.GOLD_COLUMNS)
        ]

    def baseline(self, language: str) -> float:
        """Returns the share of boilerplate among the blocks of a language."""
        row = self.sizes[language]
        boilerplate, content = int(row["boilerplate_blocks"]), int(row["content_blocks"])
        return boilerplate / (boilerplate + content)

    def at_half(self, language: str) -> Row:
        """Returns the scores of a language at a threshold of 0.5."""
        return next(row for row in self.curves[language] if row["threshold"] == "0.50")


def points(rows: list[Row]) -> list[tuple[float, float]]:
    """Returns the recall and precision of each row, in percent."""
    return [(100 * float(row["recall"]), 100 * float(row["precision"])) for row in rows]


def of_folder(results: Path) -> dict[str, Results]:
    """Returns the measurements below the folder of results, under the name ""."""
    return {"": Results(results / "texrex" / "measured")}

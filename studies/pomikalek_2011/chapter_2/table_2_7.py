"""Makes table 2.7: the configurations of jusText."""

from collections.abc import Iterator

from corpusprep.cleaners.justext import PRESETS
from studies import published
from studies.comparison import Number, Table
from studies.evaluation.results import Results
from studies.study import Study


def make(_: Results) -> Iterator[Table]:
    """Yields the table."""
    numbers = []
    for published_row in published.table("2.7"):
        parameter = published_row["parameter"]
        for preset, thresholds in PRESETS.items():
            value = getattr(thresholds, parameter.lower())
            numbers.append(Number(f"jusText {preset}", parameter, f"{float(published_row[preset]):g}", f"{value:g}"))
    numbers.sort(key=lambda number: number.row)
    yield Table("2.7", "Configurations of jusText", "The presets that the thesis evaluates.", numbers)


STUDY = Study("Table 2.7", "Configurations of jusText", "2.9.6", make, ("2.7",))

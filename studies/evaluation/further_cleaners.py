"""Makes the table and the figure of all cleaners: quality and speed."""

from collections.abc import Iterator

from studies.comparison import Drawing, Table
from studies.evaluation import cleaners, figures, notes
from studies.evaluation.results import Results
from studies.study import Study


def make(results: Results) -> Iterator[Table | Drawing]:
    """Yields the figure and the table."""
    systems = results.cleaners()
    if dots := cleaners.dots(systems):
        drawn = figures.quality_against_speed(dots, "Mean F1 over gold sets")
        yield Drawing(drawn, "All cleaners and public extractors: quality against speed.")
    titles = {name: facts.title for name, facts in results.facts.items()}
    yield cleaners.table(systems, titles, notes.of_extractors(results))


STUDY = Study("", "All cleaners", "", make)

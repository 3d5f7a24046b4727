"""Makes table 2.4: how the parameters of jusText were tuned."""

from collections.abc import Iterator, Sequence

from studies import published
from studies.comparison import Number, Table
from studies.evaluation import notes
from studies.evaluation.numbers import RELIABILITIES, two
from studies.evaluation.results import Results
from studies.study import Study

_PARAMETERS = ("MAX_LINK_DENSITY", "LENGTH_LOW", "STOPWORDS_LOW", "LENGTH_HIGH", "STOPWORDS_HIGH")

_THEIRS = "at the thesis’s parameters"


def make(results: Results) -> Iterator[Table]:
    """Yields the table."""
    canola = results.canola or {}
    at_theirs, frequent = canola.get("published_steps", {}), canola.get("published_steps_default", {})
    own = {step["step"]: step for step in canola.get("tuning", ())}
    numbers = []
    for published_row in published.table("2.4"):
        step = published_row["step"]
        for least, label in RELIABILITIES:
            goal = two(published_row[f"F05_AR{least}"])
            value = at_theirs.get(step, {}).get(least, "")
            numbers.append(Number(step, f"F0.5, {label}, {_THEIRS}", goal, two(value)))
            value = frequent.get(step, {}).get(least, "")
            numbers.append(Number(step, f"F0.5, {label}, the same with frequent words", goal, two(value)))
        if step in own:
            for least, label in RELIABILITIES:
                value = own[step]["f05"][least]
                numbers.append(
                    Number(step, f"F0.5, {label}, at our own", two(published_row[f"F05_AR{least}"]), two(value))
                )
        for name in _PARAMETERS:
            value = own[step][name.lower()] if step in own else ""
            numbers.append(Number(step, name, published_row[name], f"{value:g}" if value != "" else ""))
    about = (
        "Each step sets one parameter to its best value on the development set (2.9.5). F0.5 is shown at the thesis’s "
        "parameters of the step, and at the parameters that the same procedure finds here. The stop list is the "
        "thesis’s, of functional words."
    )
    below = [*notes.of_sets(results, "canola-dev"), notes.CANOLA, *_differences(numbers)]
    yield Table("2.4", "Tuning of jusText", about, numbers, below)


def _differences(numbers: Sequence[Number]) -> Iterator[str]:
    """Yields how far scores at the thesis's parameters are from the published ones, by annotation reliability."""
    for column in dict.fromkeys(number.score for number in numbers if number.score.endswith(_THEIRS)):
        differences = [float(number.difference) for number in numbers if number.score == column and number.difference]
        if differences:
            yield (
                f"{column}: {min(differences):+.2f} to {max(differences):+.2f} points from the published numbers. The "
                "pages are others than the thesis’s, which it does not name; whether that is all of it is unexplained."
            )


STUDY = Study("Table 2.4", "Tuning of jusText", "2.9.5", make, ("2.4",), ("canola",))

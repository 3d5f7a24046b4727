"""Makes the table of the models of vectors and of gold pages, each judged on the blocks of the other."""

from collections.abc import Iterator

from studies.comparison import Number, Table
from studies.schaefer_2017 import measuring
from studies.schaefer_2017.results import Results
from studies.schaefer_2017.vectors import LANGUAGES
from studies.study import Study

_TITLE = "The vectors and the blocks of gold pages"


def make(results: Results) -> Iterator[Table]:
    """Yields the table."""
    about = (
        "Blocks of gold pages, cut and measured by this package; a block is text if half of its words are in the "
        "gold text. Each row is a model and what it judges, at 0.5. A set’s own model is judged on hosts that it "
        "has not seen, in two parts. Baseline: what is right if all blocks are called boilerplate."
    )
    yield Table("gold", _TITLE, about, list(_numbers(results)), list(_notes(results)))


def _numbers(results: Results) -> Iterator[Number]:
    for row in results.gold:
        title = f"{_name(row['learned_from'])} on {_name(row['judged'])}"
        yield Number(title, "blocks", "", row["blocks"])
        for score, column in (("baseline", "baseline"), ("P", "precision"), ("R", "recall"), ("F1", "f1")):
            yield Number(title, score, "", f"{float(row[column]):.3f}")
        yield Number(title, "correct", "", f"{float(row['correct']):.3f}")


def _notes(results: Results) -> Iterator[str]:
    """Yields, per gold set, what part of the errors of the vectors' model is due to other blocks and labels."""
    rows = {(row["learned_from"], row["judged"]): row for row in results.gold}
    for name, title in measuring.GOLD_SETS.items():
        if (name, name) in rows:
            vectors, own = rows[measuring.VECTORS, name], rows[name, name]
            wrong, own_wrong = (1 - float(row["correct"]) for row in (vectors, own))
            yield (
                f"{title}: {float(vectors['baseline']):.1%} of the blocks are boilerplate. The model of the vectors is "
                f"wrong about {wrong:.1%} of them, one of such pages about {own_wrong:.1%}: the difference is due to "
                "what counts as text there, the rest to what the features show."
            )


def _name(source: str) -> str:
    return {measuring.VECTORS: "the vectors", **measuring.GOLD_SETS, **LANGUAGES}[source]


STUDY = Study("", _TITLE, "", make, needs=("texrex-blocks", *measuring.GOLD_SETS))

"""What people said of a sample of the corpus: the numbers of `corpusprep audit score`, as the report shows them."""

from pathlib import Path

from corpusprep.io import tsv
from corpusprep.io.readable import thousands

#: The folder of the files, in the folder of a corpus.
FOLDER = "audit"
SCORES, AGREEMENT = "scores.tsv", "agreement.tsv"
SCORE_COLUMNS = (
    "unit",
    "stage",
    "judged",
    "precision",
    "precision_low",
    "precision_high",
    "recall",
    "recall_low",
    "recall_high",
)
AGREEMENT_COLUMNS = ("annotators", "unit", "units", "agreement_percent", "alpha")
#: In place of a stage or a unit: all of them.
ALL = "all"


def scores(corpus: Path) -> list[tuple[str, list[list[str]]]]:
    """Returns (units, rows) of precision and recall: stage, judged units, precision, recall; empty without an audit.

    Raises:
        StageFileError: the file is damaged.
    """
    path = corpus / FOLDER / SCORES
    by_stage: dict[str, list[list[str]]] = {}
    for row in tsv.read(path, SCORE_COLUMNS) if path.is_file() else ():
        shares = [_share(row, name) for name in ("precision", "recall")]
        stage = "all stages" if row["stage"] == ALL else row["stage"]
        by_stage.setdefault(f"{row['unit']}s", []).append([stage, thousands(row["judged"]), *shares])
    return list(by_stage.items())


def agreements(corpus: Path) -> list[list[str]]:
    """Returns rows of agreement: unit, annotators, units, agreement, alpha; empty without several annotators.

    Raises:
        StageFileError: the file is damaged.
    """
    path = corpus / FOLDER / AGREEMENT
    return [
        [
            "all units" if row["unit"] == ALL else f"{row['unit']}s",
            row["annotators"],
            thousands(row["units"]),
            f"{row['agreement_percent']} %",
            row["alpha"] or "–",
        ]
        for row in (tsv.read(path, AGREEMENT_COLUMNS) if path.is_file() else ())
        if row["agreement_percent"]
    ]


def _share(row: dict[str, str], name: str) -> str:
    return f"{row[name] or '–'} ({row[f'{name}_low']}–{row[f'{name}_high']})"

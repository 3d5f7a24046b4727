"""Turns judgements on a stratified sample into precision and recall of each stage, with 95 % intervals.

The number of good units of a stratum is estimated as its size times the share of the sample that was judged good
(Cochran 1977, *Sampling Techniques*, chapter 5); precision and recall are ratios of sums of such numbers over strata.

Intervals are those that Webber recommends (2013, "Approximate Recall Confidence Intervals", ACM TOIS 31(1)), with more
than two strata: the good units among a stratum's units that nobody judged have a beta-binomial posterior, with the
prior Beta(1/2, 1/2); the interval is that between the 2.5th and the 97.5th percentile of the ratio in draws from all
strata. It holds where all units of a sample are good, too. The words of a stratum count as one sample of the effective
size of Kish (1965, *Survey Sampling*).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpusprep.errors import EmptyCorpusError
from corpusprep.inspection.audit.agreement import Agreement, agreement
from corpusprep.inspection.audit.sheets import JUDGEMENTS, Key, Stratum, find_key, read_judgements, read_key
from corpusprep.io import tsv
from corpusprep.pipeline import DECIDING
from corpusprep.report.audit import AGREEMENT, AGREEMENT_COLUMNS, ALL, FOLDER, SCORE_COLUMNS, SCORES

DRAWS = 20_000
_SEED = 2013
_PRIOR = 0.5


@dataclass(frozen=True, slots=True)
class Share:
    """An estimated share in percent, and its 95 % interval; None where nothing says what it is."""

    value: float | None
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Score:
    """Precision and recall of a stage.

    Attributes:
        unit: block, word or document.
        stage: the stage, or `all`: the whole pipeline.
        judged: number of judged units that reached the stage.
        precision: of what the stage passed on, the share that is good.
        recall: of what is good and reached the stage, the share that it passed on.
    """

    unit: str
    stage: str
    judged: int
    precision: Share
    recall: Share


@dataclass(frozen=True, slots=True)
class Audit:
    """What filled sheets say.

    Attributes:
        annotators: number of sheets.
        sampled: units of the key.
        judged: those that somebody judged.
        unjudged_strata: unit and name of the strata without a judgement.
        scores: by unit and stage.
        agreements: by unit; empty for one annotator.
    """

    annotators: int
    sampled: int
    judged: int
    unjudged_strata: tuple[tuple[str, str], ...]
    scores: tuple[Score, ...]
    agreements: tuple[tuple[str, Agreement], ...]


@dataclass(frozen=True, slots=True)
class _Estimate:
    """A stratum: the number of its judged units, its size, its good units (or words), and draws of that number."""

    stratum: Stratum
    judged: int
    size: float
    good: float
    draws: NDArray[np.float64]


def score(paths: Sequence[Path], key: Path | None = None) -> tuple[Audit, Path]:
    """Returns what filled sheets say, and the key that was used.

    Args:
        paths: the sheets, one per annotator. A unit that several judged counts with the mean of their judgements.
        key: the key; None: that beside the first sheet.

    Raises:
        SheetError: a sheet cannot be read, or the key is not found.
        EmptyCorpusError: no sheet has a judgement.
    """
    key_path = key or find_key(paths)
    sample_key = read_key(key_path)
    return evaluate(sample_key, [read_judgements(path, sample_key) for path in paths], paths[0]), key_path


def evaluate(key: Key, sheets: Sequence[Mapping[str, str]], named: Path | str = "sheet") -> Audit:
    """Returns the judgements of each annotator, by the id of the unit.

    Raises:
        EmptyCorpusError: there is no judgement.
    """
    values = {name: [judged[name] for judged in sheets if name in judged] for name in key.units}
    means = {
        name: float(np.mean([JUDGEMENTS[judgement] for judgement in judged]))
        for name, judged in values.items()
        if judged
    }
    if not means:
        raise EmptyCorpusError(f"{named}: no row has a judgement yet; write good or bad in the column judgement")
    dice = np.random.default_rng(_SEED)
    scores: list[Score] = []
    empty: list[tuple[str, str]] = []
    for unit, weight in (("block", "block"), ("block", "word"), ("document", "document")):
        strata = [stratum for _, stratum in sorted(key.strata.items()) if stratum.unit == unit]
        estimates = [_estimate(key, stratum, means, weight == "word", dice) for stratum in strata]
        if not any(judgement.judged for judgement in estimates):
            continue
        scores += _scores(weight, estimates)
        if weight != "word":
            empty += [(unit, judgement.stratum.name) for judgement in estimates if not judgement.judged]
    agreements = []
    if len(sheets) > 1:
        for unit in ("block", "document"):
            judged = [values[name] for name, judgement in key.units.items() if judgement.unit == unit]
            agreements.append((unit, agreement(judged)))
        agreements.append((ALL, agreement(values.values())))
    return Audit(len(sheets), len(key.units), len(means), tuple(empty), tuple(scores), tuple(agreements))


def _estimate(
    key: Key, stratum: Stratum, means: Mapping[str, float], by_words: bool, dice: np.random.Generator
) -> _Estimate:
    judged = [
        (means[name], float(max(1, unit.words)) if by_words else 1.0)
        for name, unit in sorted(key.units.items())
        if name in means and (unit.unit, unit.stratum) == (stratum.unit, stratum.name)
    ]
    good = np.array([mean for mean, _ in judged], np.float64)
    weights = np.array([weight for _, weight in judged], np.float64)
    size = float(max(stratum.words if by_words else stratum.units, weights.sum()))
    seen, good_weight = float(weights.sum()), float((good * weights).sum())
    share = good_weight / seen if seen else _PRIOR
    effective = seen**2 / float((weights**2).sum()) if seen else 0.0
    shares = dice.beta(_PRIOR + effective * share, _PRIOR + effective * (1 - share), DRAWS)
    unseen = shares * (size - seen) if by_words else dice.binomial(round(size - seen), shares).astype(np.float64)
    return _Estimate(stratum, len(judged), size, share * size, good_weight + unseen)


def _scores(unit: str, estimates: Sequence[_Estimate]) -> list[Score]:
    """Returns the scores of the stages that removed something, and of all together."""
    scores = []
    for stage in (*DECIDING, ALL):
        before = DECIDING.index(stage) if stage != ALL else 0
        reached = [estimate for estimate in estimates if _left(estimate) >= before]
        passed = [
            estimate
            for estimate in reached
            if (not estimate.stratum.stage if stage == ALL else _left(estimate) > before)
        ]
        if len(passed) == len(reached) and stage != ALL:
            continue
        scores.append(
            Score(
                unit,
                stage,
                sum(estimate.judged for estimate in reached),
                _share(
                    sum(estimate.good for estimate in passed),
                    sum(estimate.size for estimate in passed),
                    _sum(passed),
                    np.full(DRAWS, sum(estimate.size for estimate in passed)),
                ),
                _share(
                    sum(estimate.good for estimate in passed),
                    sum(estimate.good for estimate in reached),
                    _sum(passed),
                    _sum(reached),
                ),
            )
        )
    return scores


def _left(estimate: _Estimate) -> int:
    """Returns the number of the stage that removed a stratum; that after the last for the corpus."""
    return DECIDING.index(estimate.stratum.stage) if estimate.stratum.stage else len(DECIDING)


def _sum(estimates: Sequence[_Estimate]) -> NDArray[np.float64]:
    return np.sum([estimate.draws for estimate in estimates], axis=0) if estimates else np.zeros(DRAWS)


def _share(part: float, whole: float, parts: NDArray[np.float64], wholes: NDArray[np.float64]) -> Share:
    drawn = np.divide(parts, wholes, out=np.full(DRAWS, np.nan), where=wholes > 0)
    drawn = drawn[~np.isnan(drawn)]
    if not whole or not len(drawn):
        return Share(None, 0.0, 100.0)
    value = 100 * part / whole
    low, high = np.percentile(100 * drawn, [2.5, 97.5])
    # The estimate can lie outside when all that was judged is good: the interval ends at it then.
    return Share(value, min(float(low), value), max(float(high), value))


def write(audit: Audit, folder: Path) -> None:
    """Writes scores.tsv and, of several annotators, agreement.tsv."""
    tsv.write(folder / SCORES, SCORE_COLUMNS, (score_cells(score) for score in audit.scores))
    rows = [
        (audit.annotators, unit, score.units, _number(score.observed, 100, 1), _number(score.alpha, 1, 3))
        for unit, score in audit.agreements
    ]
    tsv.write(folder / AGREEMENT, AGREEMENT_COLUMNS, rows)


def publish(audit: Audit, folder: Path) -> bool:
    """Writes the tables, and the report of the corpus that the folder is in.

    Returns:
        Whether there is a report, which has the numbers now.

    Raises:
        StageFileError: a file that the report is made from is missing or damaged; the tables are written.
    """
    from corpusprep.report.page import rewrite  # with jinja2 and figures

    write(audit, folder)
    return folder.name == FOLDER and rewrite(folder.parent)


def score_cells(score: Score) -> tuple[str | int, ...]:
    """Returns a row of scores.tsv."""
    shares = [
        _number(value, 1, 1)
        for share in (score.precision, score.recall)
        for value in (share.value, share.low, share.high)
    ]
    return score.unit, score.stage, score.judged, *shares


def _number(value: float | None, times: float, decimals: int) -> str:
    return "" if value is None else f"{value * times:.{decimals}f}"

"""What an audit says, for the terminal."""

from rich import box
from rich.table import Table

from corpusprep.inspection.audit.scoring import Audit, Share
from corpusprep.report.audit import ALL


def score_table(audit: Audit) -> Table:
    """Returns precision and recall by stage, for a terminal of 80 columns."""
    table = Table(title="Precision and recall, in percent (95 % interval)", title_justify="left", box=box.SIMPLE_HEAD)
    table.add_column("of", no_wrap=True)
    table.add_column("stage", no_wrap=True)
    for name in ("judged", "precision", "recall"):
        table.add_column(name, justify="right", no_wrap=True)
    before = ""
    for score in audit.scores:
        if before and score.unit != before:
            table.add_section()
        unit = "" if score.unit == before else f"{score.unit}s"
        before = score.unit
        stage = "all stages" if score.stage == ALL else score.stage
        table.add_row(unit, stage, f"{score.judged:,}", _share(score.precision), _share(score.recall))
    return table


def notes(audit: Audit) -> list[str]:
    """Returns what else there is to say: how much was judged, strata without a judgement, agreement."""
    lines = [f"{audit.judged:,} of {audit.sampled:,} units judged"]
    lines += [
        f"no judgement on a {unit} of the stratum {name!r}: half of it counts as good"
        for unit, name in audit.unjudged_strata
    ]
    if audit.agreements:
        lines.append(f"agreement of {audit.annotators} annotators (Krippendorff's alpha):")
    for unit, agreement in audit.agreements:
        if agreement.observed is None:
            continue
        alpha = "not defined" if agreement.alpha is None else f"{agreement.alpha:.3f}"
        what = "all units" if unit == ALL else f"{unit}s"
        lines.append(
            f"alpha {alpha} on {what}: {100 * agreement.observed:.1f} % of pairs agree ({agreement.units:,} units)"
        )
    return lines


def _share(share: Share) -> str:
    value = "–" if share.value is None else f"{share.value:.1f}"
    return f"{value} ({share.low:.1f}–{share.high:.1f})"

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
    for one in audit.scores:
        if before and one.unit != before:
            table.add_section()
        unit = "" if one.unit == before else f"{one.unit}s"
        before = one.unit
        stage = "all stages" if one.stage == ALL else one.stage
        table.add_row(unit, stage, f"{one.judged:,}", _share(one.precision), _share(one.recall))
    return table


def notes(audit: Audit) -> list[str]:
    """Returns what else there is to say: how much was judged, strata without a judgement, agreement."""
    found = [f"{audit.judged:,} of {audit.sampled:,} units judged"]
    found += [
        f"no judgement on a {unit} of the stratum {name!r}: half of it counts as good"
        for unit, name in audit.unjudged_strata
    ]
    if audit.agreements:
        found.append(f"agreement of {audit.annotators} annotators (Krippendorff's alpha):")
    for unit, one in audit.agreements:
        if one.observed is None:
            continue
        alpha = "not defined" if one.alpha is None else f"{one.alpha:.3f}"
        what = "all units" if unit == ALL else f"{unit}s"
        found.append(f"alpha {alpha} on {what}: {100 * one.observed:.1f} % of pairs agree ({one.units:,} units)")
    return found


def _share(share: Share) -> str:
    value = "–" if share.value is None else f"{share.value:.1f}"
    return f"{value} ({share.low:.1f}–{share.high:.1f})"

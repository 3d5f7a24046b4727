"""`corpusprep studies evaluation`: measures algorithms on gold data and writes the tables and the page."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from corpusprep.commands import options
from corpusprep.commands.group import Group
from corpusprep.commands.new_path import NewPath

_Command = TypeVar("_Command", bound=Callable[..., Any])
_DATA = options.folder("--data", "Folder of the gold sets, each as <name>.tar.xz or unpacked in <name>/.")
_SET = click.option("--set", "name", required=True, metavar="SET", help="Name of the gold set.")
_MEASURED = options.folder("--measured", "Folder that measure, causes, extractors, speed, canola and times wrote to.")
_JSON = options.table_output("JSON file to write.")


def _counts(facts: str) -> Callable[[_Command], _Command]:
    """Makes the option of the folder of a set's counts; `facts`: what stands beside them."""
    text = f"Folder for <set>.tsv (counts per page) and <set>.json ({facts})."
    return click.option("--output", type=NewPath(file_okay=False), required=True, help=text)


@click.group("evaluation", cls=Group)
def command() -> None:
    """Measure boilerplate removal on gold data (thesis, chapter 2)."""


@command.command("measure")
@_DATA
@_SET
@_counts("pages, special cases, hash")
def measure(data: Path, name: str, output: Path) -> None:
    """Run every algorithm on the pages of a gold set, and print what the set's reader leaves out.

    An absent set gives an empty table that says so.
    """
    from studies.evaluation import measuring

    facts = measuring.measure_set(data, name, output)
    if not facts.present:
        click.echo(f"{name}: no data")
        return
    click.echo(f"{name}: {facts.pages:,} pages")
    for case, count in facts.cases.items():
        click.echo(f"{name}: {count:,} {case}")


@command.command("causes")
@_DATA
@_SET
@_JSON
def causes(data: Path, name: str, output: Path) -> None:
    """Measure what explains differences: other stop lists, other pages, other rules, one change at a time."""
    from studies.evaluation import causes as changes

    changes.write(data, name, output)


@command.command("extractors")
@_DATA
@_SET
@_counts("versions of the extractors")
def extractors(data: Path, name: str, output: Path) -> None:
    """Run the shipped models of content, and public extractors (extra [bench]), on the pages of a gold set."""
    from studies.evaluation import extractors as measuring

    measuring.measure_set(data, name, output)


@command.command("metadata")
@_DATA
@options.table_output("Table to write, tab-separated.")
def metadata(data: Path, output: Path) -> None:
    """Measure dates, authors and titles on news pages (fundus-train), beside trafilatura and htmldate."""
    from studies.evaluation import metadata as measuring

    measuring.write(data, output)


@command.command("speed")
@_DATA
@_SET
@click.option(
    "--output", type=NewPath(file_okay=False), required=True, help="Folder for <set>.tsv: CPU time, one row per system."
)
def speed(data: Path, name: str, output: Path) -> None:
    """Time every cleaner, and public extractors (extra [bench]), on pages of a gold set: CPU time from page to text."""
    from studies.evaluation import speed as timing

    timing.measure_set(data, name, output)


@command.command("trained")
@_DATA
@_SET
@click.option(
    "--models",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="Folder of the models that were trained for the tables.",
)
@click.option("--output", type=NewPath(file_okay=False), required=True, help="Folder for <set>.tsv (counts per page).")
def trained(data: Path, name: str, models: Path, output: Path) -> None:
    """Run the systems that the thesis trained, such as Victor, on the pages of a gold set.

    Pages that a model was trained on are cleaned by models that have not seen their host. This needs the extra
    [studies].
    """
    from studies.evaluation import trained_systems

    trained_systems.measure_set(data, name, models, output)


@command.command("canola")
@_DATA
@_JSON
def canola(data: Path, output: Path) -> None:
    """Measure volumes, thresholds, tuning, stop lists and fragments, on Canola only."""
    from studies.evaluation import canola as measures

    measures.write(data, output)


@command.command("times")
@_DATA
@_JSON
def times(data: Path, output: Path) -> None:
    """Measure the processor time of Baisa's systems on CleanEval's development pages and on CleanPortalEval."""
    from studies.evaluation import times as measures

    measures.write(data, output)


@command.command("tables")
@_MEASURED
@options.tables_output
def tables(measured: Path, output: Path) -> None:
    """Write the tables of chapter 2, ours beside the published, and one page with tables and figures.

    gold_f1.tsv is the table that reports of corpora show beside the words kept (corpusprep/statistics/gold_f1.tsv).
    """
    from studies.evaluation import report

    report.write(measured, output)


@command.command("raise-floors")
@_MEASURED
@click.option(
    "--floors",
    type=NewPath(dir_okay=False),
    required=True,
    help="JSON file of floors (tests/studies/evaluation/floors.json); created if it does not exist.",
)
@click.option(
    "--replace",
    multiple=True,
    metavar="SET",
    help="Replace the floors of this gold set if its files, or the pages or text nodes that count, have changed.",
)
def raise_floors(measured: Path, floors: Path, replace: tuple[str, ...]) -> None:
    """Raise the floors of F1 and F0.5 to the measured scores; a floor is never lowered on the same data."""
    from studies.evaluation import floors as gate

    click.echo(f"{gate.raise_to_measured(measured, floors, replace)} floors raised in {floors}")

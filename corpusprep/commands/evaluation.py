"""`corpusprep evaluation`: algorithms measured on gold data, and the tables and page made of it."""

import json
from pathlib import Path

import click

from corpusprep.io import tsv
from corpusprep.io.files import replacing

_DATA = click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="Folder of the gold sets, each as <name>.tar.xz or unpacked in <name>/.",
)
_MEASURED = click.option(
    "--measured",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="Folder that measure and canola wrote to.",
)


@click.group("evaluation")
def command() -> None:
    """Measure boilerplate removal on gold data (thesis, chapter 2)."""


@command.command("measure")
@_DATA
@click.option("--set", "name", required=True, metavar="SET", help="Name of the gold set.")
@click.option(
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="Folder to write <set>.tsv (counts a page) and <set>.json (pages, odd cases, hash) to.",
)
def measure(data: Path, name: str, output: Path) -> None:
    """Run every algorithm on the pages of a gold set; an absent set gives empty tables that say so."""
    from corpusprep.research.evaluation import measuring, sets
    from corpusprep.research.evaluation.gold import GoldSet

    found = sets.read(name, data)
    gold_set = found or GoldSet(name, sets.title(name), [])
    measuring.write(output / f"{name}.tsv", gold_set, measuring.measure(gold_set))
    facts = {
        "name": name,
        "title": gold_set.title,
        "pages": len(gold_set.pages),
        "cases": dict(sorted(gold_set.cases.items())),
        "data": gold_set.data,
        "present": found is not None,
    }
    _write_json(output / f"{name}.json", facts)


@command.command("canola")
@_DATA
@click.option("--output", type=click.Path(path_type=Path, dir_okay=False), required=True, help="JSON file to write.")
def canola(data: Path, output: Path) -> None:
    """Measure what is measured on Canola alone: volumes, thresholds, tuning, stop lists, fragments."""
    from corpusprep.research.evaluation import canola as measures

    _write_json(output, measures.measure(data))


@command.command("tables")
@_MEASURED
@click.option(
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="Folder to write table_*.tsv and report.html to.",
)
def tables(measured: Path, output: Path) -> None:
    """Write the tables of chapter 2, ours beside the published, and one page with tables and figures.

    gold_f1.tsv is the table that reports of corpora show beside words kept (corpusprep/statistics/gold_f1.tsv).
    """
    from corpusprep.research import comparison
    from corpusprep.research.evaluation import page
    from corpusprep.research.evaluation import tables as made

    results = made.Results.read(measured)
    whole = made.tables(results)
    for table in whole:
        comparison.write(output / f"table_{table.name.lower().replace(' ', '_').replace('.', '_')}.tsv", table)
    facts = results.facts.values()
    cases = [(set_.name, case, count) for set_ in facts for case, count in [("pages", set_.pages), *set_.cases.items()]]
    tsv.write(output / "gold_sets.tsv", ("set", "case", "count"), cases)
    if results.canola:
        gold = ((*row[:3], f"{row[3]:.2f}") for row in results.canola["gold_f1"])
        tsv.write(output / "gold_f1.tsv", ("preset", "parameter", "value", "f1"), gold)
    text = page.render(results, whole)
    with replacing(output / "report.html") as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def _write_json(path: Path, value: object) -> None:
    with replacing(path) as temporary:
        temporary.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


@command.command("raise-floors")
@_MEASURED
@click.option(
    "--floors",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="JSON file of floors (tests/research/evaluation/floors.json); made if it is not there.",
)
def raise_floors(measured: Path, floors: Path) -> None:
    """Raise the floors of F1 and F0.5 to what was measured; a floor is never lowered."""
    from corpusprep.research.evaluation import floors as gate
    from corpusprep.research.evaluation.tables import Results

    results = Results.read(measured)
    found = {
        name: gate.of(name, facts.data, results.measured[name])
        for name, facts in results.facts.items()
        if facts.present
    }
    risen = gate.raise_floors(floors, found)
    click.echo(f"{risen} floors raised in {floors}")

"""Renders studies as pages: every study of every source, or those that one target of the workflow measures."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from markupsafe import Markup

from corpusprep.errors import StageFileError
from corpusprep.io.files import replacing
from corpusprep.io.readable import printable, thousands
from corpusprep.report.rendering import environment
from studies import comparison, published
from studies.comparison import FAR, Drawing, Exhibit, Listing, Table
from studies.study import Part, Study, parts

#: What the template draws differently.
_KINDS = {Table: "table", Drawing: "figure", Listing: "listing"}
#: Digits of all numbers of a row that fit the width of a page.
_LINE = 110
_IDENTIFIERS = re.compile(r'(\bid="|href="#|url\(#)')


@dataclass(slots=True, frozen=True)
class Shown:
    """A study with what is shown of it.

    Attributes:
        study: the study.
        anchor: its place on the page.
        exhibits: corpus -> the tables and figures, with their kinds; the corpus is "" if all have the same.
        published: its published tables, where none of ours is shown.
        reason: why nothing is measured; empty if something is.
    """

    study: Study[Any]
    anchor: str
    exhibits: Mapping[str, list[tuple[str, Exhibit]]] = field(default_factory=dict)
    published: tuple[Listing, ...] = ()
    reason: str = ""


def write_report(folder: Path, title: str, about: str, sections: Iterable[tuple[Study[Any], Any]]) -> None:
    """Writes the tables of studies as TSV, the data of their figures, and the page `report.html`.

    Args:
        folder: to write to.
        title: of the page.
        about: what it shows.
        sections: the studies in their order, each with its measurements.

    Raises:
        StageFileError: a measured file is missing or damaged.
    """
    shown = []
    for number, (study, results) in enumerate(sections, start=1):
        anchor = f"study-{number}"
        exhibits = list((study.make or _nothing)(results))
        comparison.write(folder, exhibits)
        if exhibits:
            shown.append(Shown(study, anchor, {"": list(_with_kinds(exhibits, anchor))}))
    _write(folder / "report.html", "target.html.j2", title=title, about=about, shown=shown)


def write_all(results: Path, output: Path) -> int:
    """Writes the page of every study of every source from the measurements that are there.

    Args:
        results: the folder of results.
        output: the page.

    Returns:
        The number of studies that could be measured here, and are not.
    """
    sections = [(part, list(show(part, results))) for part in parts() if part.place]
    _write(output, "index.html.j2", sections=sections, pages=_pages(results, output.parent))
    return sum(bool(shown.reason and shown.study.make) for _, several in sections for shown in several)


def show(part: Part[Any], results: Path) -> Iterator[Shown]:
    """Yields the studies of a part, with what there is of each in a folder of results."""
    measured = part.read(results)
    for number, study in enumerate(part.studies, start=1):
        shown = Shown(study, f"part-{part.place}-{number}", reason=study.missing)
        if study.make:
            shown = _of_corpora(shown, part, results, measured)
        if not shown.exhibits:
            shown = replace(shown, published=tuple(_published(study)))
        yield shown


def _of_corpora(shown: Shown, part: Part[Any], results: Path, measured: Mapping[str, Any]) -> Shown:
    """Returns a study with its tables and figures for each corpus, or the reason why there are none."""
    again = f"`snakemake {part.target}` measures it."
    made: dict[str, list[Exhibit]] = {}
    reason = "" if measured else f"No corpus of these results was measured. {again}"
    for corpus, measurements in measured.items():
        try:
            made[corpus] = list((shown.study.make or _nothing)(measurements))
        except StageFileError as error:
            named = str(error).partition(";")[0].replace(f"{results}/", "")
            reason = f"Not measured: {named}. {again}"
    made = {corpus: exhibits for corpus, exhibits in made.items() if exhibits}
    if made and all(exhibits == next(iter(made.values())) for exhibits in made.values()):
        made = {"": next(iter(made.values()))}
    tables = [exhibit for exhibits in made.values() for exhibit in exhibits if isinstance(exhibit, Table)]
    if not reason and (not made or (tables and not any(table.is_measured for table in tables))):
        reason = f"Not measured: the gold sets lack {', '.join(shown.study.needs)}. {again}"
    exhibits = {
        printable(corpus, 60): list(_with_kinds(several, f"{shown.anchor}-{number}"))
        for number, (corpus, several) in enumerate(made.items(), start=1)
    }
    return replace(shown, exhibits=exhibits, reason=reason)


def _nothing(_: Any) -> Iterable[Exhibit]:
    return ()


def _with_kinds(exhibits: Sequence[Exhibit], anchor: str) -> Iterator[tuple[str, Exhibit]]:
    """Yields each exhibit with its kind; the identifiers in figures start with the anchor."""
    for exhibit in exhibits:
        if isinstance(exhibit, Drawing):
            figure = Markup(_IDENTIFIERS.sub(rf"\g<1>{anchor}-", str(exhibit.figure)))  # a drawn figure
            yield "figure", replace(exhibit, figure=figure)
        else:
            yield _KINDS[type(exhibit)], exhibit


def _published(study: Study[Any]) -> Iterator[Listing]:
    """Yields the published tables of a study as they are stored."""
    for number in study.published:
        rows = published.table(number)
        yield Listing("Published.", tuple(rows[0]), tuple(tuple(row.values()) for row in rows))


def _pages(results: Path, folder: Path) -> list[tuple[str, str]]:
    """Returns the address and name of other pages and tables that the studies have written."""
    patterns = ("evaluation/report.html", "evaluation/metadata.tsv", "texrex/report.html")
    paths = [
        path
        for pattern in (*patterns, "*/experiments/report.html", "*/*/experiments/report.html", "languages/*.tsv")
        for path in sorted(results.glob(pattern))
    ]
    return [(Path(os.path.relpath(path, folder)).as_posix(), path.relative_to(results).as_posix()) for path in paths]


def _digits(table: Table) -> int:
    """Returns the characters of the longest number of a table, ours, published or a difference."""
    texts = (text for number in table.numbers for text in (number.ours, number.published, number.difference))
    return max((len(thousands(text)) for text in texts), default=0)


def _fits_in_lines(table: Table) -> bool:
    """Whether the numbers of a cell have room beside each other."""
    return 3 * len(table.columns) * (_digits(table) + 1) <= _LINE


def _write(path: Path, template: str, **values: Any) -> None:
    shared = {"far": FAR, "digits": _digits, "fits_in_lines": _fits_in_lines}
    page = environment("studies").get_template(template).render(**shared, **values)
    with replacing(path) as temporary:
        temporary.write_text(page, encoding="utf-8", newline="\n")

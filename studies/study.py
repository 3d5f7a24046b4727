"""A table or figure of a source, and the part of a source that it belongs to: found by walking the packages.

A package with a module `part` is a part of the page of all studies. Its modules whose names begin with `table_`,
`figure_`, `section_`, `appendix_` or `further_` have a `STUDY` each; `not_reproduced` has `STUDIES` that nothing
makes.
"""

import importlib
import pkgutil
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

import studies
from studies.comparison import Exhibit

#: The measurements that a study is made from.
R = TypeVar("R")
_OF_STUDIES = re.compile("(table|figure|section|appendix|further)_|not_reproduced$")


@dataclass(slots=True, frozen=True)
class Study(Generic[R]):
    """A table or figure of a source.

    Attributes:
        number: as in the source: `Table 2.8`; empty for what the source does not have.
        title: what it shows.
        section: of the source; empty for what the source does not have.
        make: returns the tables and figures for the measurements: first the one of the source, then further ones. None
            if nothing makes it here.
        published: its published tables, as published.table takes them.
        needs: the data that it is measured on: gold sets, or others.
        missing: the reason why nothing makes it; else empty.
    """

    number: str
    title: str
    section: str
    make: Callable[[R], Iterable[Exhibit]] | None = None
    published: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    missing: str = ""

    @property
    def heading(self) -> str:
        """Its number and title."""
        return f"{self.number}: {self.title}" if self.number else self.title


@dataclass(slots=True, frozen=True)
class Part(Generic[R]):
    """A source, or a chapter of one: studies that are made from the same measurements.

    Attributes:
        place: its place on the page, from 1; 0 for measurements that no source has, which the page leaves out.
        title: the heading.
        reference: the source, as in a bibliography.
        target: the target of Snakemake that measures it.
        read: takes the folder of results, returns corpus -> its measurements; the name is "" where there is no corpus.
        studies: in the order of the source.
    """

    place: int
    title: str
    reference: str
    target: str
    read: Callable[[Path], Mapping[str, R]]
    studies: tuple[Study[R], ...] = field(default=())


def parts() -> list[Part[Any]]:
    """Returns the parts of all sources, in the order of the page, with their studies."""
    names = [module.name for module in pkgutil.walk_packages(studies.__path__, "studies.")]
    packages = [package for package, _, module in (name.rpartition(".") for name in names) if module == "part"]
    return sorted(map(part, packages), key=lambda declared: declared.place)


def part(package: str) -> Part[Any]:
    """Returns the part of a package."""
    declared: Part[Any] = importlib.import_module(f"{package}.part").PART
    return Part(
        declared.place, declared.title, declared.reference, declared.target, declared.read, tuple(of_package(package))
    )


def of_package(package: str) -> list[Study[Any]]:
    """Returns the studies of a package, in the order of their source's sections and numbers."""
    return sorted(_of_modules(package), key=lambda study: (_order(study.section), _order(study.number), study.title))


def _of_modules(package: str) -> Iterator[Study[Any]]:
    for module in pkgutil.iter_modules(importlib.import_module(package).__path__, f"{package}."):
        if _OF_STUDIES.match(module.name.rpartition(".")[2]):
            loaded = importlib.import_module(module.name)
            yield from getattr(loaded, "STUDIES", None) or (loaded.STUDY,)


def _order(number: str) -> list[tuple[bool, int, str]]:
    """Returns a key that sorts `2.9` before `2.10`, numbers before letters, and what has no number last."""
    pieces = re.findall(r"\d+|[A-Za-z]+", number.rpartition(" ")[2])
    return [(not piece.isdigit(), int(piece) if piece.isdigit() else 0, piece) for piece in pieces] or [(True, 1, "")]

"""The steps of the pipeline, declared once: what each reads and writes, how it runs and what it needs.

The rules, the command lines, the forecast, the processing times, the statistics, the report, the benchmarks and the
tests read this declaration. A step is one command; a job is one or more steps that Snakemake runs together, under the
name of its rule. Files are named by patterns relative to the folder of a corpus. What divides a crawl by language is no
step: workflow/rules/crawls.smk. Packages that are installed beside this one may add steps (Extension).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Generic, TypeVar

from corpusprep.errors import CorpusprepError
from corpusprep.pipeline.stages import (
    ALWAYS_DECIDING,
    CRAWL,
    DECIDING,
    DECIDING_BEFORE_TOKENS,
    STAGES,
    Stage,
    deciding_before,
)
from corpusprep.pipeline.steps import OVERVIEW, OWN_FILES, OWN_STEPS, TABLES
from corpusprep.pipeline.terms import Extension, File, Job, Memory, Scope, Settings, Step, unique

__all__ = [
    "ALWAYS_DECIDING",
    "CRAWL",
    "DECIDING",
    "DECIDING_BEFORE_TOKENS",
    "FILES",
    "JOBS",
    "OVERVIEW",
    "STAGES",
    "STEPS",
    "TABLES",
    "Extension",
    "File",
    "Job",
    "Memory",
    "Scope",
    "Settings",
    "Stage",
    "Step",
    "deciding_before",
    "is_temporary",
    "results",
    "writer",
]

_T = TypeVar("_T")


class _Declared(Mapping[str, _T], Generic[_T]):
    """What is declared here and by other packages, by name.

    The packages are read, in 40 ms, when they are first needed: to plan a run, to forecast, never by a step.
    """

    def __init__(self, read: Callable[[], Mapping[str, _T]], known: Mapping[str, _T]) -> None:
        """Names with values from `read`; `known` has those that other packages cannot change."""
        self._read, self._known = read, known

    def __getitem__(self, name: str) -> _T:
        return self._known[name] if name in self._known else self._read()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read())

    def __len__(self) -> int:
        return len(self._read())


@cache
def _extensions() -> tuple[Extension, ...]:
    """Reads the entry points `corpusprep.steps`, in the order of their names.

    Raises:
        CorpusprepError: one of them cannot be loaded, or is no Extension.
    """
    from importlib.metadata import entry_points

    extensions = []
    for point in sorted(entry_points(group="corpusprep.steps"), key=lambda point: point.name):
        place = f"steps {point.name!r} of the package {point.dist.name if point.dist else point.module}"
        try:
            extension = point.load()
        except Exception as error:
            raise CorpusprepError(f"{place} cannot be loaded: {error}") from error
        if not isinstance(extension, Extension):
            raise CorpusprepError(f"{place}: {point.value} is no corpusprep.pipeline.Extension")
        extensions.append(extension)
    return tuple(extensions)


@cache
def _files() -> Mapping[str, File]:
    return dict(_united("file", [OWN_FILES, *(extension.files for extension in _extensions())]))


@cache
def _steps() -> Mapping[str, Step]:
    """Places the steps of other packages among the steps of this one, and adds their files to what steps read."""
    added = [step for extension in _extensions() for step in extension.steps]
    steps = dict(_united("step", [OWN_STEPS, *({step.name: step} for step in added)]))
    order = list(OWN_STEPS)
    for step in added:
        if step.before and step.before not in order:
            raise CorpusprepError(f"step {step.name!r} comes before {step.before!r}, which is no step")
        order.insert(order.index(step.before) if step.before else len(order), step.name)
    for extension in _extensions():
        for reader, names in extension.read_by.items():
            of_all = tuple(name for name in names if name in extension.of_all)
            step = steps[reader]
            steps[reader] = replace(step, reads=step.reads + names, of_all=step.of_all + of_all)
    return {name: steps[name] for name in order}


@cache
def _jobs() -> Mapping[str, Job]:
    steps = _steps().values()
    names = unique(step.job for step in steps)
    return {name: Job(name, tuple(step for step in steps if step.job == name)) for name in names}


def _united(kind: str, parts: Iterable[Mapping[str, _T]]) -> Iterator[tuple[str, _T]]:
    """Yields the items of all parts.

    Raises:
        CorpusprepError: two have the same name.
    """
    names: set[str] = set()
    for part in parts:
        for name, value in part.items():
            if name in names:
                raise CorpusprepError(f"{kind} {name!r} is declared twice, by corpusprep or packages that add steps")
            names.add(name)
            yield name, value


#: With the files of other packages, by name.
FILES: Mapping[str, File] = _Declared(_files, OWN_FILES)
#: With the steps of other packages, by name, in the order of the work.
STEPS: Mapping[str, Step] = _Declared(_steps, {})
#: In the order of their first steps.
JOBS: Mapping[str, Job] = _Declared(_jobs, {})


def is_temporary(step: Step) -> bool:
    """Returns whether all that a step writes is removed in the end."""
    return all(FILES[name].temporary for name in step.writes)


def writer(name: str) -> Step:
    """Returns the step that writes a file."""
    return next(step for step in STEPS.values() if name in step.writes)


def results(settings: Settings) -> tuple[str, ...]:
    """Returns the names of the FILES that a run makes for readers: tables, and what no other step of a corpus reads."""
    steps = [step for step in STEPS.values() if step.runs(settings)]
    read = {name for step in steps for name in (*step.reads, *step.implied)}.difference(TABLES)
    return tuple(name for step in steps for name in step.writes if name not in read and not FILES[name].temporary)

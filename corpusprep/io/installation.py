"""Examines an installation: versions, extras, what the processor and the limits of the machine are, what would fail."""

import hashlib
import importlib
import importlib.metadata
import pkgutil
import platform
import re
import resource
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from corpusprep import __version__, _native, startup
from corpusprep.io import machine, memory, shipped

#: The extras that users need, in the order in which they are shown; the others are for work on the package.
EXTRAS = (
    *("workflow", "report", "slurm", "warc", "crawl", "robots", "annotate"),
    *("languages", "words", "icu", "tokenizers", "domains", "remote", "browse", "train", "studies"),
)
#: Of these, the packages whose answers are in a corpus, if it uses them.
OF_TEXTS = ("robots", "annotate", "languages", "words", "icu")
#: Without these, no run of the workflow ends.
NEEDED = ("workflow", "report")
#: What kernels use where the processor has it; without them they are slower, and the results are the same.
FEATURES = ("ssse3", "popcnt", "bmi1", "bmi2", "avx2")
#: Bytes of memory, and of room on a disk, below which not even small corpora can be built.
LEAST_MEMORY = 1 << 30
LEAST_ROOM = 1 << 30
#: A line of a lock file.
_LOCKED = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)", re.MULTILINE)
_NAME = re.compile(r"[A-Za-z0-9._-]+")
_EXTRA = re.compile(r"extra\s*==\s*['\"]([\w-]+)['\"]")
_SELF = re.compile(r"corpusprep\[([\w,-]+)\]")


@dataclass
class Examination:
    """What was found.

    Attributes:
        lines: what there is, for people.
        faults: what would fail, and what to do, a line each.
        fatal: whether runs of the workflow would fail.
    """

    lines: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    fatal: bool = False


def examine() -> Examination:
    """Examines this installation and this machine, as seen from the current folder."""
    found = Examination()
    found.lines.append(f"corpusprep {__version__} in {Path(__file__).parents[1]}")
    found.lines.append(machine.described())
    _examine_kernels(found)
    needs = requirements()
    lacking = [name for name in needs.get("", ()) if version(name) is None]
    found.lines.append(f"libraries: {_versions(needs.get('', ()))}")
    if lacking:
        found.fatal = True
        found.faults.append(f"every command: {', '.join(lacking)}: {sys.executable} -m pip install {' '.join(lacking)}")
    missing = []
    for extra in EXTRAS:
        names = needs.get(extra, ())
        if absent := [name for name in names if version(name) is None]:
            found.lines.append(f"[{extra}]: lacks {', '.join(absent)}")
            missing.append(extra)
        elif names:
            found.lines.append(f"[{extra}]: {_versions(names)}")
    if fatal := [extra for extra in missing if extra in NEEDED]:
        found.fatal = True
        found.faults.append(f"corpusprep build: {startup.install(*fatal)}")
    if optional := [extra for extra in missing if extra not in NEEDED]:
        found.lines.append(f"optional extras are installed so: {startup.install(*optional)}")
    _examine_machine(found)
    return found


def requirements() -> dict[str, tuple[str, ...]]:
    """Returns the packages that each extra needs, by the metadata of the installation; `` needs them always.

    Extras that are in others stand for their packages.
    """
    declared = importlib.metadata.requires("corpusprep") or []
    plain: dict[str, list[str]] = {}
    inner: dict[str, list[str]] = {}
    for line in declared:
        extra = found[1] if (found := _EXTRA.search(line)) else ""
        if others := _SELF.match(line):
            inner.setdefault(extra, []).extend(others[1].split(","))
        elif name := _NAME.match(line):
            plain.setdefault(extra, []).append(name[0])

    def of(extra: str) -> Iterator[str]:
        for other in inner.get(extra, ()):
            yield from of(other)
        yield from plain.get(extra, ())

    return {extra: tuple(dict.fromkeys(of(extra))) for extra in ("", *sorted({*plain, *inner} - {""}))}


def version(package: str) -> str | None:
    """Returns the version of an installed package, or None."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def software() -> str:
    """Returns the versions that a corpus depends on, and whether the lock file has them, with its digest.

    Packages of extras that can decide about texts are named if they are installed.
    """
    needs = requirements()
    used = dict.fromkeys(name for extra in OF_TEXTS for name in needs.get(extra, ()) if version(name) is not None)
    needed = (*needs.get("", ()), *used)
    words = [f"corpusprep {__version__}", f"Python {platform.python_version()}", _versions(needed)]
    lock = shipped.root() / "envs" / "corpusprep.lock.txt"
    if lock.is_file():
        text = lock.read_text(encoding="utf-8")
        # A package may have several: of older and newer versions of Python.
        locked = {(_normal(name), number) for name, number in _LOCKED.findall(text)}
        others = [name for name in needed if (_normal(name), version(name)) not in locked]
        digest = hashlib.sha256(text.encode()).hexdigest()
        compared = f"not of it: {' '.join(others)}" if others else "as installed"
        words.append(f"lock file sha256:{digest} ({compared})")
    return ", ".join(words)


def _normal(name: str) -> str:
    """Returns the name of a package as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _versions(packages: tuple[str, ...]) -> str:
    return ", ".join(f"{name} {version(name)}" for name in packages)


def _examine_kernels(found: Examination) -> None:
    """Imports every kernel."""
    count = 0
    try:
        for module in pkgutil.iter_modules(_native.__path__):
            importlib.import_module(f"{_native.__name__}.{module.name}")
            count += 1
    except ImportError as error:
        found.fatal = True
        found.faults.append(f"kernels: {error}")
    features = machine.processor_features()
    had = [name for name in FEATURES if name in features]
    slower = "" if len(had) == len(FEATURES) or not features else " (kernels use plain code in place of the others)"
    if features and "avx2" not in features and machine.is_x86():
        found.faults.append(
            "polars: this processor lacks AVX2, so it may end with an illegal instruction:"
            f" {sys.executable} -m pip install 'polars[rtcompat]'"
        )
    found.lines.append(f"kernels: {count}; features of the processor that they use: {' '.join(had) or 'none'}{slower}")


def _examine_machine(found: Examination) -> None:
    """Says what there is of cores, memory and disk."""
    group, space = machine.group_memory(), memory.address_space()
    limits = [f"{memory.format_size(machine.installed_memory())} installed"]
    limits += [f"{memory.format_size(group)} allowed (container or job)"] if group else []
    limits += [f"{memory.format_size(space)} of address space (ulimit -v)"] if space else []
    found.lines.append(f"cores: {machine.cores()}; memory: {', '.join(limits)}")
    if machine.memory() < LEAST_MEMORY:
        found.faults.append(
            f"runs: {memory.format_size(machine.memory())} of memory; at least {memory.format_size(LEAST_MEMORY)}"
            " is needed, and memory: 250M in the config"
        )
    open_files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = "no limit" if open_files == resource.RLIM_INFINITY else f"at most {open_files:,}"
    found.lines.append(f"open files: {most}")
    for name, folder in (("this folder", Path.cwd()), ("temporary files", Path(tempfile.gettempdir()))):
        free = machine.room(folder)
        found.lines.append(f"free for {name} ({folder}): {memory.format_size(free)}")
        if free < LEAST_ROOM:
            found.faults.append(f"{folder}: {memory.format_size(free)} free; make room, or choose another folder")

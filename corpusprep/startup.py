"""Process-wide settings, each with its reason and its measured effect.

Importing the library changes none of them. The commands call `prepare_command` and `loading`, and the workflow calls
`prepare_planning`. Decoding Chinese or Japanese pages for the first time registers error handlers for codecs
(`register_error_handler`): Python finds them by name only. Their names begin with `corpusprep-`.
"""

import codecs
import contextlib
import ctypes
import gc
import os
import re
import resource
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

#: Libraries that the package does without, and the extra of pyproject.toml that installs each.
EXTRAS = {
    "jinja2": "report",
    "lightgbm": "studies",
    "itemadapter": "crawl",  # comes with scrapy
    "markupsafe": "report",  # comes with jinja2
    "matplotlib": "report",
    "obstore": "remote",
    "protego": "robots",
    "publicsuffixlist": "domains",
    "pycrfsuite": "train",  # of python-crfsuite
    "scipy": "studies",  # comes with scikit-learn
    "sklearn": "studies",
    "scrapy": "crawl",
    "snakemake": "workflow",
    "starlette": "browse",
    "tokenizers": "tokenizers",  # counts the tokens of a model (corpus.count_tokens)
    "threadpoolctl": "studies",  # comes with scikit-learn
    "twisted": "crawl",  # comes with scrapy
    "uvicorn": "browse",
    "warcio": "warc",
}

#: Milliseconds for which polars keeps memory that it no longer needs. They save `boilerplate` half of the time that the
#: system takes to clear pages, and `languages split` with 42 languages a quarter of its CPU time, for 10 to 15 MB.
KEPT_MS = 10

#: The end of a line on a package that is missing.
_INSTALLED_BY = re.compile(r": (?P<pip>\S+ -m pip install) (?P<what>.+)\Z")

M_ARENA_MAX = -8  # of glibc's malloc.h
ARENAS = 2

#: Objects that may be made before the garbage collector looks for cycles, while the workflow is planned. Planning makes
#: millions of objects that stay. Python's own threshold (700) makes it a tenth slower.
PLANNING_THRESHOLD = 1_000_000


def prepare_command(kept_ms: int = KEPT_MS) -> None:
    """Sets what polars and NumPy read from the environment when they are loaded.

    Args:
        kept_ms: milliseconds for which polars keeps memory that it no longer needs (pipeline.Stage).
    """
    bound_address_space()
    # No command multiplies large matrices. Starting OpenBLAS's threads would cost every process 50 ms of CPU time.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Replaces any value: a process that has loaded polars, as Snakemake's has, hands polars' own setting down.
    os.environ["_RJEM_MALLOC_CONF"] = f"dirty_decay_ms:{kept_ms},muzzy_decay_ms:0"


def bound_address_space() -> None:
    """Bounds the address space that threads reserve, for sites that limit it (`ulimit -v`, h_vmem).

    glibc reserves 64 to 128 MB for each of up to eight arenas per core; with two arenas, a process that has used polars
    has 0.4 GB in place of 1.3 GB on two cores. Two threads at most use glibc's memory much: the main one, and one that
    reads ahead. Each thread of polars adds 2 MB, so their number is bounded where address space is limited.
    """
    with contextlib.suppress(AttributeError, OSError):  # another C library has no arenas
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, ARENAS)
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY:
        os.environ.setdefault("POLARS_MAX_THREADS", "2")


@contextlib.contextmanager
def loading() -> Iterator[None]:
    """Stops the garbage collector while libraries are loaded, and excludes from it what exists at the end.

    These objects stay: looking through them for cycles, now and when the process ends, costs a job 0.1 s of CPU time.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if collecting:
            gc.enable()


def prepare_planning() -> None:
    """Prepares Snakemake's process for planning, and its jobs for the command line of the same environment."""
    bound_address_space()
    gc.set_threshold(PLANNING_THRESHOLD)
    # Users need not activate the environment that Snakemake runs in.
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])


def register_error_handler(name: str, handler: Callable[[UnicodeError], tuple[str, int]]) -> str:
    """Registers an error handler for codecs under `corpusprep-<name>`, and returns that name."""
    codecs.register_error(f"corpusprep-{name}", handler)
    return f"corpusprep-{name}"


def lacking(extra: str) -> list[str]:
    """Returns one line on the libraries of an extra that are not installed, and how to install it; none if all are."""
    found = [library for library, of_extra in EXTRAS.items() if of_extra == extra and find_spec(library) is None]
    return [f"{extra} needs {', '.join(found)}: {install(extra)}"] if found else []


def install(*extras: str) -> str:
    """Returns the command that installs extras into this environment."""
    return f"{sys.executable} -m pip install 'corpusprep[{','.join(extras)}]'"


def without_executor(name: str) -> str:
    """Returns one line on an executor of Snakemake whose plugin is not installed."""
    wanted = "'corpusprep[slurm]'" if name == "slurm" else f"snakemake-executor-plugin-{name}"
    return f"the executor {name} has no plugin here: {sys.executable} -m pip install {wanted}"


def in_one_command(lines: list[str]) -> list[str]:
    """Returns lines on what is missing. If several end with a command that installs it, one command at the end does it.

    >>> in_one_command(["a: python -m pip install 'corpusprep[icu]'", "b: python -m pip install 'corpusprep[report]'"])
    ['a', 'b', "all of it: python -m pip install 'corpusprep[icu,report]'"]
    """
    found = [match for line in lines if (match := _INSTALLED_BY.search(line))]
    if len({match["what"] for match in found}) < 2:
        return lines
    extras, others = [], []
    for word in dict.fromkeys(match["what"].strip("'") for match in found):
        if extra := re.fullmatch(r"corpusprep\[([\w,]+)\]", word):
            extras.append(extra[1])
        else:
            others.append(word)
    wanted = [*([f"'corpusprep[{','.join(extras)}]'"] if extras else []), *others]
    return [*(_INSTALLED_BY.sub("", line) for line in lines), f"all of it: {found[0]['pip']} {' '.join(wanted)}"]


def what_to_install(error: ImportError) -> str | None:
    """Returns one line that says how to install what could not be imported; None if the package needs it always."""
    if error.name == "corpusprep._native":
        return str(error)
    library = (error.name or "").partition(".")[0]
    if library not in EXTRAS:
        return None
    return f"this needs {library}: {install(EXTRAS[library])}"

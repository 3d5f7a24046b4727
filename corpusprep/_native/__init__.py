"""The C++20 kernels (native/): buffers in, plain values and arrays out.

A clone of the repository has no kernels in this folder. Imports in the root of the clone find the clone first, so the
kernels come from the installed package, which must have the same version.
"""

import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

from corpusprep import __version__


def _has_kernels(folder: str | Path) -> bool:
    """Returns whether the folder has extension modules for this Python."""
    return bool(
        list(Path(folder).glob(f"*{EXTENSION_SUFFIXES[0]}"))
    )  # the iterator is exhausted, so it closes the folder


def _installed_kernels() -> Path:
    """Returns the installed package's folder of kernels.

    Raises:
        ImportError: there is none, or only kernels of other versions. Its `name` is this package's.
    """
    problem = "no installed kernels were found"
    for place in map(Path, sys.path):
        folder = place / "corpusprep" / "_native"
        if _has_kernels(folder):
            if (place / f"corpusprep-{__version__}.dist-info").is_dir():
                return folder
            problem = f"the kernels installed in {place} are not of version {__version__}"
    clone = Path(__file__).resolve().parents[2]
    message = f"{problem}: run `make`, or `{sys.executable} -m pip install .`, in {clone}"
    raise ImportError(message, name=__name__)


if not any(map(_has_kernels, __path__)):
    __path__.append(str(_installed_kernels()))

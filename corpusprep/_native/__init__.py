"""The C++20 kernels (native/): buffers in, plain values and arrays out.

A clone of the repository has no kernels in this folder. Imports in the clone's root find the clone first, so the kernels
come from the installed package, which must have the same version.
"""

import os
import sys
from importlib.machinery import EXTENSION_SUFFIXES

from corpusprep import __version__


def _has_kernels(folder: str) -> bool:
    """Whether the folder has extension modules for this Python."""
    try:
        return any(name.endswith(EXTENSION_SUFFIXES[0]) for name in os.listdir(folder))
    except OSError:
        return False


def _installed_kernels() -> str:
    """Returns the installed package's folder of kernels.

    Raises:
        ImportError: there is none, or only those of other versions. `name` is the name of this package.
    """
    clone = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    problem = "no installed kernels were found"
    for place in sys.path:
        folder = os.path.join(place, "corpusprep", "_native")
        if _has_kernels(folder):
            if os.path.isdir(os.path.join(place, f"corpusprep-{__version__}.dist-info")):
                return folder
            problem = f"the kernels installed in {place} are not of version {__version__}"
    message = f"{problem}: run `make`, or `{sys.executable} -m pip install .`, in {clone}"
    raise ImportError(message, name=__name__)


if not any(map(_has_kernels, __path__)):
    __path__.append(_installed_kernels())

"""The output formats: one module with one writer per format.

A module registers its format as FORMAT (interface.OutputFormat). Adding such a module is all that it takes: the
config's schema, the command line and the workflow's files follow.
"""

import importlib
import pkgutil

from corpusprep.corpus.formats.interface import OutputFormat


def output_formats() -> dict[str, OutputFormat]:
    """Returns all output formats by name, sorted."""
    modules = sorted(module.name for module in pkgutil.iter_modules(__path__))
    found = [getattr(importlib.import_module(f"{__name__}.{module}"), "FORMAT", None) for module in modules]
    return {one.name: one for one in sorted((one for one in found if one), key=lambda one: one.name)}


def names() -> tuple[str, ...]:
    """Returns the names of all output formats, sorted."""
    return tuple(output_formats())

"""The output formats: one module with one writer per format.

A module registers its format as FORMAT: one that holds documents (interface.OutputFormat), or one that describes the
whole corpus (interface.CorpusFormat). Adding such a module is all that it takes: the config's schema, the command line
and the workflow's files follow.
"""

import importlib
import pkgutil

from corpusprep.corpus.formats.interface import CorpusFormat, OutputFormat


def _formats() -> list[OutputFormat | CorpusFormat]:
    modules = sorted(module.name for module in pkgutil.iter_modules(__path__))
    found = [getattr(importlib.import_module(f"{__name__}.{module}"), "FORMAT", None) for module in modules]
    return sorted((one for one in found if one), key=lambda one: one.name)


def output_formats() -> dict[str, OutputFormat]:
    """Returns the formats of documents by name, sorted."""
    return {one.name: one for one in _formats() if isinstance(one, OutputFormat)}


def corpus_formats() -> dict[str, CorpusFormat]:
    """Returns the formats that describe a whole corpus by name, sorted."""
    return {one.name: one for one in _formats() if isinstance(one, CorpusFormat)}


def names() -> tuple[str, ...]:
    """Returns the names of all formats, sorted."""
    return tuple(one.name for one in _formats())

"""The output formats by name: built in, of installed packages, and a user's own.

A format holds documents (interface.OutputFormat), or describes the whole corpus (interface.CorpusFormat). It is
registered by an entry point of the group `corpusprep.formats`. The config's schema, the command line and the workflow's
files read this registry.
"""

from collections.abc import Iterable
from pathlib import Path

from corpusprep.corpus.formats.interface import CorpusFormat, OutputFormat
from corpusprep.errors import ConfigError
from corpusprep.io.plugins import Kind

KIND = Kind(
    group="corpusprep.formats",
    noun="output format",
    built_in={
        name: f"corpusprep.corpus.formats.{name}:FORMAT"
        for name in (
            "blacklab",
            "card",
            "conllu",
            "cqpweb",
            "cwb",
            "frequencies",
            "jsonl",
            "parquet",
            "sketch",
            "tei",
            "text",
            "vertical",
        )
    },
    own="my_module:MY_FORMAT",
)


def load(name: str, code: Path | str = ".") -> OutputFormat | CorpusFormat:
    """Returns the format of a name; one of a user's own is looked for in the folder `code`.

    Raises:
        ConfigError: the name is unknown, its package fails, or it is no format.
    """
    loaded = KIND.load(name, code)
    output_format = loaded() if isinstance(loaded, type) else loaded
    if not isinstance(output_format, (OutputFormat, CorpusFormat)):
        raise ConfigError(
            f"{name}: it is neither an OutputFormat nor a CorpusFormat, but {type(output_format).__name__}"
        )
    return output_format


def output_formats(chosen: Iterable[str] | None = None, code: Path | str = ".") -> dict[str, OutputFormat]:
    """Returns the formats of documents among those that are chosen, by name; None: among all but users' own, sorted."""
    loaded = {name: load(name, code) for name in (KIND.names() if chosen is None else chosen)}
    return {name: output_format for name, output_format in loaded.items() if isinstance(output_format, OutputFormat)}


def corpus_formats(chosen: Iterable[str] | None = None, code: Path | str = ".") -> dict[str, CorpusFormat]:
    """Returns the formats that describe a whole corpus among those that are chosen; arguments as in output_formats."""
    loaded = {name: load(name, code) for name in (KIND.names() if chosen is None else chosen)}
    return {name: corpus_format for name, corpus_format in loaded.items() if isinstance(corpus_format, CorpusFormat)}


def check(chosen: Iterable[str], code: Path | str) -> None:
    """Checks that formats can be loaded, and that their files have different names.

    Raises:
        ConfigError: as `load`, or two formats have files of the same name.
    """
    chosen = list(chosen)
    files = {"vert.zst": "vertical"}  # which is always written
    for name, form in output_formats(chosen, code).items():
        if (other := files.setdefault(form.suffix, name)) != name:
            raise ConfigError(f"{name} and {other} write files of the same name, .{form.suffix}; leave one of them out")
    corpus_formats(chosen, code)

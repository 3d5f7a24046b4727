"""Writes the first config of a user, with comments, and a profile for the machine or the cluster that runs it."""

import json
import re
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

from corpusprep import languages
from corpusprep.config import schema as config_schema
from corpusprep.errors import ConfigError
from corpusprep.io import machine, shipped
from corpusprep.io.files import replacing

#: The settings that a first config shows, with their defaults, as comments.
SHOWN = (
    "memory",
    "batch_bytes",
    "boilerplate.algorithm",
    "rights.refuse",
    "tokens.sentences",
    "annotate.annotator",
    "blocks.threshold",
    "corpus.formats",
    "corpus.licence",
)
#: Of the memory of a machine, the share that jobs are planned into.
SHARE_OF_MEMORY = 0.9
_HEAD = """\
# What `corpusprep build` makes from this folder. Paths are relative to this folder. A setting that is left out has its
# default; `corpusprep build --dry-run` checks the file.
corpora:
"""
#: Of a profile; those of the workflow begin with what they are in a clone.
_PROFILE_HEAD = """\
# Settings of Snakemake for the runs in this folder: `corpusprep build` finds this file. --profile names another one.
"""
_PLACES = "resources:\n  places: 1000\n"


def config_text(name: str, codes: Sequence[str], archives: Sequence[str], others: Sequence[str] = ()) -> str:
    """Returns a config with one corpus, or one crawl that is divided if there are several languages or `all`.

    Args:
        name: of the corpus: its folder in `results`.
        codes: of languages; `all` for all that are built in.
        archives: paths and patterns.
        others: languages that pages of several languages may be in, too.

    Raises:
        LanguageError: a code is not known.
    """
    for code in codes:
        if code != "all":
            languages.describe(code)
    if len(codes) > 1 or codes[0] == "all":
        written = "all" if "all" in codes else json.dumps(list(codes))
        language = f"    languages: {written} # one corpus for each"
    else:
        language = f"    language: {_plain(codes[0])} # languages: [cs, en], or all, divides a crawl by language"
    lines = [
        f"  {_plain(name)}: # the name of its folder in results",
        language,
        *([f"    others: {json.dumps(list(others))} # languages of further pages, without a corpus"] if others else []),
        "    archives: # WARC, ARC, WACZ, HTML files, folders of them, texts; * stands for anything",
        *(f"      - {_plain(archive)}" for archive in archives),
    ]
    return _HEAD + "\n".join([*lines, "", *_comments()]) + "\n"


def _plain(text: str) -> str:
    """Returns a text as YAML: in quotes where it needs them, and always on one line."""
    return text if re.fullmatch(r"(?!(?:no|off|on|yes|null|true|false)\Z)[a-z][\w./-]*", text) else json.dumps(text)


def _comments() -> Iterator[str]:
    yield "# Some settings, with their defaults. To change one, remove the # before it and before its section."
    section = ""
    for key in SHOWN:
        node = config_schema.setting(key)
        about = re.split(r"(?<=[.;:])\s", str(node["description"]))[0].rstrip(";:").rstrip(".")
        outer, _, inner = key.rpartition(".")
        indent = "  " if outer else ""
        if outer != section:
            section = outer
            yield f"# {outer}:"
        yield from textwrap.wrap(about, 110, initial_indent=f"# {indent}# ", subsequent_indent=f"# {indent}# ")
        yield f"# {indent}{inner}: {json.dumps(node['default'])}"


def profile_text(slurm: bool) -> str:
    """Returns a profile of Snakemake: for SLURM, or for this machine with its cores and its memory."""
    folder = shipped.profile("slurm" if slurm else "default")
    if folder is None:
        raise ConfigError(f"{shipped.root()}: the profiles of the workflow are not there; install corpusprep again")
    text = re.sub(r"\A(?:#.*\n)+", _PROFILE_HEAD, (folder / "config.yaml").read_text(encoding="utf-8"))
    if slurm:
        return text
    mem_mb = int(machine.memory() * SHARE_OF_MEMORY / 10**6)
    own = (
        f"{_PLACES}  # Jobs that run at the same time ask for at most this much memory in all.\n  mem_mb: {mem_mb}\n\n"
        "# Processes at the same time; --cores of the command line comes first.\ncores: all\n"
    )
    assert _PLACES in text
    return text.replace(_PLACES, own)


def write(path: Path, text: str) -> None:
    """Writes a new file, with its folders.

    Raises:
        ConfigError: there is such a file.
    """
    if path.exists():
        raise ConfigError(f"{path}: is there already; remove it, or choose another folder")
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")

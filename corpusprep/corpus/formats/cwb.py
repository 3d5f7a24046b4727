"""Writes the script that encodes the verticals for CWB (cwb-encode, cwb-makeall)."""

from collections.abc import Sequence
from pathlib import Path

from corpusprep.corpus.formats.interface import CorpusFormat, FinishedCorpus
from corpusprep.corpus.formats.sketch import corpus_id
from corpusprep.io.files import replacing

_SCRIPT = """#!/bin/sh
# Encodes the corpus {name} for CWB: sh cwb.sh DATA REGISTRY
# DATA: a new folder for the encoded corpus; REGISTRY: the folder of CWB's registry files.
set -eu
if [ $# -ne 2 ]; then echo "usage: sh $0 DATA REGISTRY" >&2; exit 2; fi
folder=$(dirname "$0")
mkdir -p "$1" "$2"
zstd -dcq "$folder"/*.vert.zst | cwb-encode -d "$1" -R "$2/{id}" -c utf8 -xsB \\
{options}    -0 g
cwb-makeall -r "$2" {upper}
"""


def write(corpus: FinishedCorpus, paths: Sequence[Path]) -> None:
    """Writes the script."""
    with replacing(paths[0]) as temporary:
        temporary.write_text(script(corpus), encoding="utf-8")


def script(corpus: FinishedCorpus) -> str:
    """Returns the script of a corpus."""
    from corpusprep.corpus.structures import structures  # with polars, which reading a config does without

    described = structures(corpus.verticals, corpus.block_attributes, corpus.columns)
    options = [f"-P {column}" for column in described.columns]
    options += [f"-S {'+'.join((f'{name}:0', *attributes))}" for name, attributes in described.attributes.items()]
    name = corpus_id(corpus.name)
    lines = "".join(f"    {option} \\\n" for option in options)
    return _SCRIPT.format(name=corpus.name, id=name, upper=name.upper(), options=lines)


FORMAT = CorpusFormat("cwb", ("cwb.sh",), "For CWB, beside the vertical: a script that encodes the corpus.", write)

"""Writes the script that encodes the verticals for CWB (cwb-encode, cwb-makeall)."""

from collections.abc import Sequence
from pathlib import Path

from corpusprep.corpus.formats.interface import CorpusFormat, FinishedCorpus
from corpusprep.corpus.formats.sketch import corpus_id
from corpusprep.io.files import replacing

_SCRIPT = """#!/bin/sh
# Encodes the corpus {name} for {system}: sh {file} DATA REGISTRY
# DATA: a new folder for the encoded corpus; REGISTRY: the folder of CWB's registry files.
set -eu
if [ $# -ne 2 ]; then echo "usage: sh $0 DATA REGISTRY" >&2; exit 2; fi
folder=$(dirname "$0")
mkdir -p "$1" "$2"
zstd -dcq "$folder"/*.vert.zst |{renamed} cwb-encode -d "$1" -R "$2/{id}" -c utf8 -xsB \\
{options}    -0 g
cwb-makeall -r "$2" {upper}
"""


def write(corpus: FinishedCorpus, paths: Sequence[Path]) -> None:
    """Writes the script."""
    with replacing(paths[0]) as temporary:
        temporary.write_text(script(corpus), encoding="utf-8")


def script(corpus: FinishedCorpus, document: str = "doc", system: str = "CWB", file: str = "cwb.sh") -> str:
    """Returns the script of a corpus, for a system that calls a document by this name."""
    from corpusprep.corpus.structures import structures  # with polars, which reading a config does without

    described = structures(corpus.verticals, corpus.block_attributes, corpus.columns, corpus.document_attributes)
    options = [f"-P {column}" for column in described.columns]
    named = {document if name == "doc" else name: attributes for name, attributes in described.attributes.items()}
    options += [f"-S {'+'.join((f'{name}:0', *attributes))}" for name, attributes in named.items()]
    name = corpus_id(corpus.name)
    lines = "".join(f"    {option} \\\n" for option in options)
    renamed = "" if document == "doc" else f" sed 's:^<doc :<{document} :; s:^</doc>$:</{document}>:' |"
    said = {"name": corpus.name, "system": system, "file": file, "renamed": renamed}
    return _SCRIPT.format(id=name, upper=name.upper(), options=lines, **said)


FORMAT = CorpusFormat("cwb", ("cwb.sh",), "For CWB, beside the vertical: a script that encodes the corpus.", write)

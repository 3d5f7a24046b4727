"""Writes what BlackLab needs beside the verticals: its description of their format, and a script that indexes them."""

import json
from collections.abc import Sequence
from pathlib import Path

from corpusprep.corpus.formats.interface import CorpusFormat, FinishedCorpus
from corpusprep.io.files import replacing

#: The name of the format, which its file has.
NAME = "corpusprep"
_FORMAT = """displayName: {name}
description: A vertical of corpusprep. Attributes of doc are metadata, other structures are spans.
fileType: tabular
fileTypeOptions:
  type: tsv
  inlineTags: true
  glueTags: true
documentPath: doc
annotatedFields:
  contents:
    annotations:
{annotations}corpusConfig:
  specialFields:
    pidField: id
    titleField: title
    dateField: date
"""
_ANNOTATION = """    - name: {name}
      valuePath: {number}
      sensitivity: sensitive_insensitive
"""
#: BlackLab takes entities as they stand. In structures only those of `&` are decoded, because `"`, `<` and `>` end
#: values and tags; a token that would then look like a structure stays as it is.
_SCRIPT = r"""#!/bin/sh
# Indexes a corpus with BlackLab: sh blacklab.sh BLACKLAB INDEX
# BLACKLAB: the folder with BlackLab's jar files; INDEX: a new folder for the index.
# The decompressed verticals are in a temporary folder ($TMPDIR) until the end.
set -eu
if [ $# -ne 2 ]; then echo "usage: sh $0 BLACKLAB INDEX" >&2; exit 2; fi
blacklab=$(cd "$1" && pwd)
mkdir -p "$(dirname "$2")"
index=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
cd "$(dirname "$0")"
texts=$(mktemp -d)
trap 'rm -r "$texts"' EXIT
for file in *.vert.zst; do
    zstd -dcq "$file" | sed -e '/^<.*>$/{s/&amp;/\&/g;b' -e '}' -e '/^&lt;.*&gt;$/b' \
        -e 's/&quot;/"/g; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g' > "$texts/${file%.zst}"
done
java -cp "$blacklab/*:$blacklab/lib/*" nl.inl.blacklab.tools.IndexTool create "$index" "$texts" corpusprep
"""


def write(corpus: FinishedCorpus, paths: Sequence[Path]) -> None:
    """Writes the description and the script."""
    for path, text in zip(paths, (description(corpus), _SCRIPT), strict=True):
        with replacing(path) as temporary:
            temporary.write_text(text, encoding="utf-8")


def description(corpus: FinishedCorpus) -> str:
    """Returns the description of the format of a corpus's verticals."""
    from corpusprep.corpus.structures import structures  # with polars, which reading a config does without

    columns = structures(corpus.verticals, columns=corpus.columns).columns
    annotations = (
        _ANNOTATION.format(name=name, number=number) for number, name in enumerate(("word", *columns), start=1)
    )
    return _FORMAT.format(name=json.dumps(corpus.name, ensure_ascii=False), annotations="".join(annotations))


FORMAT = CorpusFormat(
    "blacklab",
    (f"{NAME}.blf.yaml", "blacklab.sh"),
    "For BlackLab, beside the vertical: its description of the format, and a script that indexes the corpus.",
    write,
)

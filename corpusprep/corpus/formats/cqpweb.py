"""Writes the script that encodes the verticals for CQPweb, which calls documents `text` and knows them by `text_id`."""

from collections.abc import Sequence
from pathlib import Path

from corpusprep.corpus.formats import cwb
from corpusprep.corpus.formats.interface import CorpusFormat, FinishedCorpus
from corpusprep.io.files import replacing


def write(corpus: FinishedCorpus, paths: Sequence[Path]) -> None:
    """Writes the script."""
    with replacing(paths[0]) as temporary:
        temporary.write_text(cwb.script(corpus, "text", "CQPweb", "cqpweb.sh"), encoding="utf-8")


FORMAT = CorpusFormat(
    "cqpweb",
    ("cqpweb.sh",),
    "For CQPweb, beside the vertical: a script that encodes the corpus for CWB, with documents as `text`.",
    write,
)

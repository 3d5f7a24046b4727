"""Writes a built corpus with other rules on quality, from the signals that are stored (`corpusprep recut --filter`).

Nothing is measured or de-duplicated again. The files of all steps that do not depend on `quality` go to the folder of
another corpus, and the workflow makes the rest from them.
"""

import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

import polars as pl

from corpusprep.archive.batches import batch_names
from corpusprep.errors import ConfigError
from corpusprep.extraction.recut import copy_models
from corpusprep.io.files import replacing
from corpusprep.io.progress import track
from corpusprep.pipeline import FILES, STEPS
from corpusprep.quality.blocks import left_out, without_blocks
from corpusprep.quality.rules import Rule, decided
from corpusprep.quality.sampling import write_samples
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles, corpus_file
from corpusprep.tables.crawl_files import is_crawl
from corpusprep.tables.reading import read_table
from corpusprep.tables.writing import write_table

#: The names of files that are replaced, never changed: a second name costs no room.
_LINKED = (".parquet", ".zst", ".index", ".keys", ".lex", ".model")


#: Further files: models of the language, and what Snakemake writes into folders that are outputs.
_FURTHER = (r"(?:models|rivals|learned)/.+", r"language\.model", r"(?:documents|blocks)/.*\.snakemake_timestamp")


def _unchanged() -> re.Pattern[str]:
    """Returns what the paths of files are like that do not depend on the rules, and of the times of `quality`."""
    changed = {"quality"}
    patterns = [STEPS["quality"].times.pattern]
    for step in STEPS.values():
        read = {*step.reads, *step.implied}
        if step.name in changed or any(read.intersection(STEPS[name].writes) for name in changed):
            changed.add(step.name)
        else:
            patterns += [*(FILES[name].pattern for name in step.writes), step.times.pattern]
    named = [re.sub(r"\\{\w+\\}", "[^/]+", re.escape(pattern)) for pattern in patterns]
    return re.compile("|".join([*named, *_FURTHER]))


def refilter(corpus: Path, output: Path, applied: Sequence[Rule], section: str = "{}") -> None:
    """Writes the stage files up to `quality` of the corpus in `corpus` with other rules to `output`.

    Args:
        corpus: the folder of the corpus.
        output: the folder to write.
        applied: the rules.
        section: the rules as `rules.section_text` writes them.

    Raises:
        ConfigError: there is a corpus in `output` already, or `corpus` is one language of a crawl.
        StageFileError: a table is missing or damaged.
    """
    if is_crawl(corpus.absolute().parent):
        raise ConfigError(
            f"{corpus}: one language of a crawl of several; write the rules into the config and build again: only"
            " `quality` and what follows are repeated"
        )
    if output.exists():
        raise ConfigError(f"{output}: exists already; choose another folder")
    with replacing(output) as temporary:
        unchanged = _unchanged()
        for path in sorted(corpus.rglob("*")):
            name = path.relative_to(corpus)
            if path.is_file() and unchanged.fullmatch(name.as_posix()):
                (temporary / name).parent.mkdir(parents=True, exist_ok=True)
                _copy(path, temporary / name)
        of_documents = [rule for rule in applied if not rule.of_blocks]
        for batch in track(batch_names(corpus_file(corpus, "plan")), "recut: batches"):
            files = BatchFiles.of(temporary, batch)
            signals = read_table(BatchFiles.of(corpus, batch).quality, schemas.QUALITY).drop(
                "failed", "left_out", "left_out_by", "filter", "verdict"
            )
            rows = without_blocks(decided(signals, of_documents), left_out(files, applied))
            rows = rows.with_columns(filter=pl.lit(section))
            write_table(rows.select(schemas.QUALITY.names()), schemas.QUALITY, files.quality)
            write_samples(files, of_documents)
    copy_models(corpus.absolute().parent / "languages", output.absolute().parent / "languages")


def _copy(source: Path, target: Path) -> None:
    """Gives a file a second name where the system allows it, or copies it; its date stays."""
    if source.name.endswith(_LINKED):
        try:
            os.link(source, target)
        except OSError:
            pass
        else:
            return
    shutil.copy2(source, target)

"""`corpusprep step against`: gather the n-grams of other corpora."""

from pathlib import Path

import click

from corpusprep.commands import options
from corpusprep.dedup.known_text import KnownSettings, write_known
from corpusprep.tables.batch_files import corpus_file


@click.command("against")
@options.new_corpus
@options.model
@click.option(
    "--other",
    "others",
    required=True,
    multiple=True,
    help="Another corpus: the folder of its results, or its files (JSON lines, Parquet, vertical, text). Repeatable.",
)
@options.setting("blocks.threshold")
@options.setting("blocks.unit")
@options.setting("ngrams.n")
@options.setting("ngrams.exclude_punctuation")
@options.setting("ngrams.exclude_stopwords")
@options.settings("tokens", without=("tokenizer",))
@options.own_tokenizer
@options.code
@options.setting("memory")
def command(
    corpus_dir: Path,
    model: str,
    others: tuple[str, ...],
    threshold: float,
    unit: str,
    n: int,
    exclude_punctuation: bool,
    exclude_stopwords: bool,
    unspaced: str,
    words: str | None,
    sentences: bool,
    own: str | None,
    code: Path,
    memory: int,
) -> None:
    """Gather the n-grams of other corpora, whose text the corpus leaves out (`language --against`).

    Their texts are tokenised as the corpus is. The settings decide when a block counts as theirs, and are stored beside
    the n-grams.
    """
    del sentences  # they do not change the tokens
    settings = KnownSettings(
        model=model,
        unspaced=unspaced,
        words=words,
        own=own,
        code=str(code),
        n=n,
        exclude_punctuation=exclude_punctuation,
        exclude_stopwords=exclude_stopwords,
        threshold=threshold,
        unit=unit,
    )
    write_known(others, settings, corpus_file(corpus_dir, "known"), corpus_file(corpus_dir, "known_settings"), memory)

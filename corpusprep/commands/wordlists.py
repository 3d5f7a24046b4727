"""`corpusprep step wordlists`: the word lists that a corpus keeps from its run on."""

from pathlib import Path

import click

from corpusprep.commands import options
from corpusprep.inspection.word_lists import Corpus
from corpusprep.io import tsv
from corpusprep.tables.batch_files import corpus_file


@click.command("wordlists")
@options.new_corpus
@options.setting("words.lists")
@options.setting("annotate.columns")
@options.setting("memory")
@options.threads
def command(corpus_dir: Path, lists: tuple[str, ...], columns: tuple[str, ...], memory: int, threads: int) -> None:
    """Count words and n-grams, for the commands that list them."""
    corpus = Corpus(corpus_dir, ("word", *columns), memory, threads)
    rows = []
    for name in lists:
        attribute, _, ngrams = name.partition(" ")
        path = corpus.words(attribute, int(ngrams or 1)).path
        rows.append((attribute, ngrams or 1, path.name))
    tsv.write(corpus_file(corpus_dir, "word_lists"), ("attribute", "ngrams", "file"), rows)

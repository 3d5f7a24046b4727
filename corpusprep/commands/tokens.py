"""`corpusprep step tokens`: tokenise the good blocks into a vertical."""

from pathlib import Path

import click

from corpusprep import languages
from corpusprep.commands import options
from corpusprep.tables.batch_files import BOILERPLATE_VERTICAL, BatchFiles
from corpusprep.text.listed_words import read_words
from corpusprep.text.made_tokenizer import made_tokenizer
from corpusprep.text.tokens import tokenize_batch, tokenize_boilerplate


@click.command("tokens")
@options.new_corpus
@options.batch
@options.model
@options.settings("tokens", without=("tokenizer",))
@options.own_tokenizer
@options.code
@options.setting("corpus.boilerplate")
def command(
    corpus_dir: Path,
    batch: str,
    model: str,
    unspaced: str,
    sentences: bool,
    words: str | None,
    own: str | None,
    code: Path,
    boilerplate: str,
) -> None:
    """Tokenise the good blocks of a batch's documents into a vertical.

    Takes the documents that `language` kept, in the order of their records. Writes the vertical and one row per
    document, with the digest of its text. Abbreviations and clitics are from the language model. If boilerplate is
    kept, its blocks go into a second vertical beside the first.
    """
    tokenizer = made_tokenizer(languages.get(model), unspaced, own, code, sentences=sentences, words=read_words(words))
    files = BatchFiles.of(corpus_dir, batch)
    tables = files.encoding, files.pages, files.boilerplate, files.language
    tokenize_batch(*tables, tokenizer, files.vertical, files.tokens, files.decided_before_tokens)
    if boilerplate == "keep":
        output = files.vertical.with_name(BOILERPLATE_VERTICAL.format(batch))
        tokenize_boilerplate(files.tokens, files.vertical, files.boilerplate, tokenizer, output)

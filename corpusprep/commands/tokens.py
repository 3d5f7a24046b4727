"""`corpusprep tokens`: tokenise the good blocks into a vertical."""

from pathlib import Path

import click

from corpusprep import languages
from corpusprep.commands import options
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.text.tokenizer import Tokenizer
from corpusprep.text.tokens import tokenize_batch


@click.command("tokens")
@options.corpus_dir
@options.batch
@options.model
@options.settings("tokens")
def command(corpus_dir: Path, batch: str, model: str, unspaced: str) -> None:
    """Tokenise the good blocks of a batch's documents into a vertical.

    Takes the documents that `language` kept, in the order of their records. Writes the vertical and one row per
    document, with the digest of its text. Abbreviations and clitics are those of the language model.
    """
    language = languages.get(model)
    rules = language.abbreviations, language.clitic_prefixes, language.clitic_suffixes
    if unspaced == "icu":
        from corpusprep.text.word_breaking import WordBreakingTokenizer  # with NumPy, which other corpora do without

        tokenizer: Tokenizer = WordBreakingTokenizer(language.code, *rules)
    else:
        tokenizer = Tokenizer(*rules)
    files = BatchFiles.of(corpus_dir, batch)
    tokenize_batch(
        files.encoding, files.pages, files.boilerplate, files.language, tokenizer, files.vertical, files.tokens
    )

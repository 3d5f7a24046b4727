"""`corpusprep step tokens`: tokenise the good blocks into a vertical."""

from pathlib import Path

import click

from corpusprep import languages
from corpusprep.commands import options
from corpusprep.tables.batch_files import BOILERPLATE_VERTICAL, BatchFiles
from corpusprep.text.own_tokenizer import OwnTokenizer
from corpusprep.text.sentences import Sentences
from corpusprep.text.tokenizer import Tokenizer
from corpusprep.text.tokens import tokenize_batch, tokenize_boilerplate


@click.command("tokens")
@options.new_corpus
@options.batch
@options.model
@options.settings("tokens", without=("tokenizer",))
@click.option(
    "--tokenizer",
    "own",
    metavar="NAME|MODULE:FUNCTION",
    help="Another tokeniser, or your own, instead of the built-in one: from a text to its tokens.",
)
@options.code
@options.setting("corpus.boilerplate")
def command(
    corpus_dir: Path,
    batch: str,
    model: str,
    unspaced: str,
    sentences: bool,
    own: str | None,
    code: Path,
    boilerplate: str,
) -> None:
    """Tokenise the good blocks of a batch's documents into a vertical.

    Takes the documents that `language` kept, in the order of their records. Writes the vertical and one row per
    document, with the digest of its text. Abbreviations and clitics are those of the language model. If boilerplate is
    kept, its blocks go into a second vertical beside the first.
    """
    language = languages.get(model)
    rules = language.abbreviations, language.clitic_prefixes, language.clitic_suffixes
    marked = Sentences(language.stop_list, language.code) if sentences else None
    tokenizer: Tokenizer | OwnTokenizer
    if own is not None:
        tokenizer = OwnTokenizer.load(own, code, marked)
    elif unspaced == "icu":
        from corpusprep.text.word_breaking import WordBreakingTokenizer  # with NumPy, which other corpora do without

        tokenizer = WordBreakingTokenizer(language.code, *rules, marked)
    else:
        tokenizer = Tokenizer(*rules, marked)
    files = BatchFiles.of(corpus_dir, batch)
    tables = files.encoding, files.pages, files.boilerplate, files.language
    tokenize_batch(*tables, tokenizer, files.vertical, files.tokens, files.decided_before_tokens)
    if boilerplate == "keep":
        output = files.vertical.with_name(BOILERPLATE_VERTICAL.format(batch))
        tokenize_boilerplate(files.tokens, files.vertical, files.boilerplate, tokenizer, output)

"""`corpusprep tokens`: tokenise the good blocks into a vertical."""

from pathlib import Path

import click

from corpusprep import languages
from corpusprep.text.own_tokenizer import OwnTokenizer
from corpusprep.text.tokenizer import Tokenizer
from corpusprep.text.tokens import UNSPACED, tokenize_batch


@click.command("tokens")
@click.option("--encoding", required=True, type=click.Path(path_type=Path), help="The batch's table of `encoding`.")
@click.option("--pages", required=True, type=click.Path(path_type=Path), help="Its table of pages.")
@click.option("--boilerplate", required=True, type=click.Path(path_type=Path), help="Its table of blocks.")
@click.option("--language-verdicts", required=True, type=click.Path(path_type=Path), help="Its table of `language`.")
@click.option("--model", required=True, help="The corpus language: a .model file or a built-in language's code.")
@click.option(
    "--unspaced",
    type=click.Choice(UNSPACED),
    default=UNSPACED[0],
    show_default=True,
    help="Tokens of scripts that are written without spaces: each character, or words by ICU (needs PyICU).",
)
@click.option(
    "--tokenizer",
    "own",
    metavar="MODULE:FUNCTION",
    help="Your own tokeniser instead of the built-in one: from a text to its tokens.",
)
@click.option(
    "--code", default=".", type=click.Path(path_type=Path), help="Folder with the file of your own tokeniser."
)
@click.option("--vertical", required=True, type=click.Path(path_type=Path), help="Where the vertical goes (.vert.zst).")
@click.option("--output", required=True, type=click.Path(path_type=Path), help="Where the table of documents goes.")
def command(
    encoding: Path,
    pages: Path,
    boilerplate: Path,
    language_verdicts: Path,
    model: str,
    unspaced: str,
    own: str | None,
    code: Path,
    vertical: Path,
    output: Path,
) -> None:
    """Tokenise the good blocks of a batch's documents into a vertical.

    Takes the documents that `language` kept, in the order of their records; writes the vertical and a row a
    document, with the digest of its text. Abbreviations and clitics are those of the language model.
    """
    language = languages.get(model)
    rules = language.abbreviations, language.clitic_prefixes, language.clitic_suffixes
    tokenizer: Tokenizer | OwnTokenizer
    if own is not None:
        tokenizer = OwnTokenizer.load(own, code)
    elif unspaced == "icu":
        from corpusprep.text.word_breaking import WordBreakingTokenizer  # with NumPy, which other corpora do without

        tokenizer = WordBreakingTokenizer(language.code, *rules)
    else:
        tokenizer = Tokenizer(*rules)
    tokenize_batch(encoding, pages, boilerplate, language_verdicts, tokenizer, vertical, output)

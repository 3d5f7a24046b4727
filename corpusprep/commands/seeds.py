"""`corpusprep archive queries` and `urls`: queries for search engines, and lists of addresses."""

from pathlib import Path

import click

from corpusprep.commands.new_path import NewPath
from corpusprep.crawling import seeds, url_lists
from corpusprep.errors import ConfigError
from corpusprep.io.files import replacing

_FILE = click.Path(path_type=Path)


@click.command("queries")
@click.option("--language", help="A built-in language's code: its words, or what --special is compared with.")
@click.option(
    "--text", "texts", multiple=True, type=_FILE, help="Text in the language, in place of --language. Repeatable."
)
@click.option(
    "--special", multiple=True, type=_FILE, help="Text of a subject: queries are of its keywords. Repeatable."
)
@click.option("--count", type=click.IntRange(1), default=100, help="Number of queries.")
@click.option("--size", type=click.IntRange(1, 10), default=seeds.TUPLE, help="Words per query.")
@click.option(
    "--first-rank", type=click.IntRange(1), default=seeds.FIRST_RANK, help="Rank of the most frequent word used."
)
@click.option(
    "--last-rank", type=click.IntRange(1), default=seeds.LAST_RANK, help="Rank of the least frequent word used."
)
@click.option(
    "--letters", type=click.IntRange(1), help="Fewest letters of a word. Default: 5; 2 in scripts without spaces."
)
@click.option("--keywords", type=click.IntRange(1), default=100, help="Keywords of --special that are used.")
@click.option("--site", help="Ask for pages of this domain only, such as cz.")
@click.option("--seed", type=int, default=0, help="Another number gives other queries.")
@click.option("--output", type=NewPath(dir_okay=False), help="File to write. Default: print.")
def queries(
    language: str | None,
    texts: tuple[Path, ...],
    special: tuple[Path, ...],
    count: int,
    size: int,
    first_rank: int,
    last_rank: int,
    letters: int | None,
    keywords: int,
    site: str | None,
    seed: int,
    output: Path | None,
) -> None:
    """Make queries of words of middle frequency (Corpus Factory), or of keywords of a subject (BootCaT).

    Writes one query per line, for any search engine.
    """
    if (language is None) == (not texts):
        raise ConfigError("give the words of a language: either --language CODE or --text FILE")
    frequencies = seeds.of_language(language) if language is not None else seeds.of_texts(texts)
    if special:
        words = seeds.keywords(seeds.of_texts(special), frequencies, keywords, letters)
    else:
        words = seeds.middle_words(frequencies, first_rank, last_rank, letters)
    _write([seeds.quoted(query, site) for query in seeds.queries(words, count, size, seed)], output)


@click.command("urls")
@click.argument("lists", nargs=-1, required=True, metavar="LIST...", type=click.Path())
@click.option("--output", type=NewPath(dir_okay=False), help="File to write. Default: print.")
def urls(lists: tuple[str, ...], output: Path | None) -> None:
    """Clean lists of addresses: one per line, in its usual form, each once, as `corpusprep crawl` reads them.

    Takes plain lists and tables with an address per line; `-` is standard input.
    """
    _write(url_lists.read(lists), output)


def _write(lines: list[str], output: Path | None) -> None:
    text = "".join(f"{line}\n" for line in lines)
    if output is None:
        click.echo(text, nl=False)
        return
    with replacing(output) as temporary:
        temporary.write_text(text, encoding="utf-8")
    click.echo(f"{output}: {len(lines):,} lines")

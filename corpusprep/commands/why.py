"""`corpusprep why`: say why a page is in a corpus, or why not."""

import dataclasses
import io
import json
import sys
from pathlib import Path

import click

from corpusprep.commands import options
from corpusprep.commands.new_path import NewPath
from corpusprep.inspection import why, why_text
from corpusprep.io.console import Console
from corpusprep.io.files import replacing


@click.command("why")
@options.corpus
@click.argument(
    "wanted",
    cls=options.Described,
    metavar="URL|DOCUMENT|ARCHIVE:OFFSET",
    text="Address of the page, identifier of its document, or its record.",
)
@click.option(
    "--format", "form", type=click.Choice(["text", "html", "json"]), default="text", help="Form of the answer."
)
@click.option("--output", type=NewPath(dir_okay=False), help="File to write; without it, standard output.")
@click.option(
    "--sources",
    is_flag=True,
    help="Name the earlier documents that have n-grams of its blocks. Reads the whole corpus: about 30 s per thousand"
    " million tokens and core.",
)
@click.option("--whole", is_flag=True, help="Print the whole text of each block.")
def command(corpus: Path, wanted: str, form: str, output: Path | None, sources: bool, whole: bool) -> None:
    """Say why a page is in a corpus, or why not.

    The page is named by its URL (with or without http://), by the identifier of its document, or by its record:
    ARCHIVE:OFFSET, ARCHIVE:RECORD-ID or BATCH:RECORD. A local page is also named by its path or the name of its file.
    All crawls of a URL are listed. Each block is shown with its numbers and with what became of it. Of a crawl of
    several languages, the corpus that the page went to answers.
    """
    stories = why.explain(corpus, wanted, sources=sources)
    if form == "text":
        printed = io.StringIO() if output else sys.stdout
        why_text.show(stories, Console(file=printed, highlight=False, width=80 if output else None), whole=whole)
        text = printed.getvalue() if isinstance(printed, io.StringIO) else ""
    elif form == "html":
        from corpusprep.inspection import why_page  # with jinja2, which other forms do without

        text = why_page.render(stories)
    else:
        text = json.dumps([dataclasses.asdict(story) for story in stories], indent=2) + "\n"
    if output is None:
        click.echo(text.encode("utf-8", "replace"), nl=False)
    else:
        with replacing(output) as temporary:
            temporary.write_text(text, encoding="utf-8", errors="replace")

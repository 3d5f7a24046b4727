"""`corpusprep extract`: the text of single HTML files, without a workflow."""

import dataclasses
import json
import sys
from pathlib import Path

import click

from corpusprep.cleaners.justext import PRESETS
from corpusprep.cleaners.registry import side_table
from corpusprep.errors import ConfigError, CorpusprepError, OwnCodeError
from corpusprep.extraction.inputs import NoPageError
from corpusprep.extraction.library import Block, Extraction, Reason, explain, extract, extract_site
from corpusprep.extraction.marked_text import marked_lines
from corpusprep.io import named_files
from corpusprep.tables.verdicts import KEPT, RECORD_REASONS

#: Read when its turn comes: a process may have some 1,000 files open at a time.
_PAGE = click.Path(exists=True, dir_okay=False, allow_dash=True)


@click.command("extract")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=_PAGE)
@click.option("--language", help="Code of a built-in language, or path of a .model file; content needs none.")
@click.option(
    "--algorithm",
    metavar="NAME|MODULE:CLASS",
    help="Boilerplate algorithm, or your own cleaner in the current folder; density-site takes all files as one site. "
    "Without it: content, or justext if there is a preset.",
)
@click.option("--preset", type=click.Choice(list(PRESETS)), help="Setting of jusText's thresholds.")
@click.option(
    "--format",
    "output_format",
    default="text",
    type=click.Choice(["text", "json", "cleaneval"]),
    help="text: the good blocks, one per line. json: all blocks with their classes, one array per file and line. "
    "cleaneval: the good blocks with <h>, <l> or <p> before each; of several files, each begins with <doc>.",
)
@click.option(
    "--title", is_flag=True, help="With cleaneval: the page's first heading, or else its <title>, comes first."
)
@click.option(
    "--explain",
    "explained",
    is_flag=True,
    help="All blocks as content scores them, each with the features that moved its score most.",
)
def command(
    files: tuple[str, ...],
    language: str | None,
    algorithm: str | None,
    preset: str | None,
    output_format: str,
    title: bool,
    explained: bool,
) -> None:
    """Print the text of HTML files ("-" is standard input).

    Files without good text are named on standard error, with the reason. If a file is no HTML page, the exit code is 1.
    """
    if title and output_format != "cleaneval":
        raise ConfigError("--title is for --format cleaneval: add that, or leave out --title")
    if explained:
        if output_format == "cleaneval":
            raise ConfigError("--explain prints text or json: leave out --format cleaneval")
        if algorithm not in {None, "content"} or preset is not None:
            raise ConfigError("--explain is for content alone: leave out --algorithm and --preset")
        are_pages = [_print_explained(file, language, output_format) for file in files]
        if not all(are_pages):
            raise click.exceptions.Exit(1)
        return
    if algorithm is not None and side_table(algorithm):
        pages = iter(extract_site([_read(file) for file in files], language, algorithm, preset))
    else:
        pages = (_extract(file, language, algorithm, preset) for file in files)
    refused = False
    for file, blocks in zip(files, pages, strict=True):
        if blocks.verdict != KEPT:
            click.echo(f"{_name(file)}: {blocks.reason}", err=True)
            refused |= blocks.verdict in RECORD_REASONS
        if output_format == "json":
            click.echo(json.dumps([dataclasses.asdict(block) for block in blocks], ensure_ascii=False))
        elif output_format == "cleaneval":
            good = [block for block in blocks if block.label == "good"]
            first = blocks.title if title else ""
            for line in marked_lines(good, first, document=len(files) > 1):
                click.echo(line)
        elif text := blocks.text:
            click.echo(text)
    if refused:
        raise click.exceptions.Exit(1)


def _name(file: str) -> str:
    """Returns what messages call a file."""
    return "<stdin>" if file == "-" else file


def _read(file: str) -> bytes:
    """Reads a file, or standard input."""
    try:
        return sys.stdin.buffer.read() if file == "-" else named_files.read(Path(file))
    except OSError as error:
        raise CorpusprepError(f"{_name(file)}: cannot be read: {error.strerror}") from None


def _print_explained(file: str, language: str | None, output_format: str) -> bool:
    """Prints the blocks of a file with their scores and reasons; returns whether it is an HTML page."""
    page = _read(file)
    try:
        scored = explain(page, language)
        reason, is_page = "" if scored else extract(page, language).reason, True
    except NoPageError as error:
        scored, reason, is_page = [], str(error), error.verdict not in RECORD_REASONS
    except CorpusprepError as error:
        raise CorpusprepError(f"{_name(file)}: {error}") from None
    if reason:
        click.echo(f"{_name(file)}: {reason}", err=True)
    _explain(scored, output_format)
    return is_page


def _explain(blocks: list[tuple[Block, list[Reason]]], output_format: str) -> None:
    """Prints blocks with their scores and reasons."""
    if output_format == "json":
        rows = [
            dataclasses.asdict(block) | {"reasons": [dataclasses.asdict(reason) for reason in reasons]}
            for block, reasons in blocks
        ]
        click.echo(json.dumps(rows, ensure_ascii=False))
        return
    for block, reasons in blocks:
        click.echo(f"{block.score or 0:.3f} {block.label:<4} {block.kind:<7} {block.text}")
        moved = ", ".join(f"{reason.feature} {reason.value} {reason.logits:+.2f}" for reason in reasons)
        click.echo(f"      {block.verdict}; moved most by: {moved}")


def _extract(file: str, language: str | None, algorithm: str | None, preset: str | None) -> Extraction:
    """Extracts the blocks of a file; an error in a user's own cleaner names the file."""
    try:
        return extract(_read(file), language, algorithm, preset)
    except OwnCodeError as error:
        raise error if error.page is None else OwnCodeError(f"{error} ({_name(file)})") from None

"""`corpusprep extract`: the text of HTML files, without a workflow."""

import dataclasses
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from corpusprep.archive.html_files import pages_in
from corpusprep.cleaners.justext import PRESETS
from corpusprep.cleaners.registry import side_table
from corpusprep.commands.new_path import NewPath
from corpusprep.errors import ConfigError, CorpusprepError, OwnCodeError
from corpusprep.extraction.inputs import NoPageError
from corpusprep.extraction.library import Block, Extraction, Reason, explain, extract, extract_many, extract_site
from corpusprep.extraction.writing import FORMATS, Written
from corpusprep.io import named_files
from corpusprep.io.files import replacing
from corpusprep.io.progress import track
from corpusprep.tables.verdicts import KEPT, RECORD_REASONS


@click.command("extract")
@click.argument("files", metavar="PATH...", nargs=-1, required=True)
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
    type=click.Choice(list(FORMATS)),
    help="text: the good blocks, one per line. markdown: with headings, lists, tables and code. json: a line per page, "
    "with its metadata, its text, and all blocks with their classes. tei: a TEI document per page. cleaneval: the good "
    "blocks with <h>, <l> or <p> before each; of several files, each begins with <doc>.",
)
@click.option("--links", is_flag=True, help="With markdown: links, with their addresses.")
@click.option(
    "--title", is_flag=True, help="With cleaneval: the page's first heading, or else its <title>, comes first."
)
@click.option(
    "--output",
    type=NewPath(file_okay=False),
    metavar="FOLDER",
    help="Folder for a file per page, in place of standard output. Pages of a folder keep their places in it.",
)
@click.option("--threads", type=click.IntRange(1), help="Pages extracted at the same time; without it, one per core.")
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
    links: bool,
    title: bool,
    output: Path | None,
    threads: int | None,
    explained: bool,
) -> None:
    """Print the text of HTML files.

    PATH is a file, a folder, which stands for all HTML files in it, `@list` for the paths in a file, one per line, or
    `-` for standard input. Files without good text are named on standard error, with the reason. If a file is no HTML
    page, the exit code is 1.
    """
    for option, wanted in (("--title", "cleaneval" * title), ("--links", "markdown" * links)):
        if wanted not in ("", output_format):
            raise ConfigError(f"{option} is for --format {wanted}: add that, or leave out {option}")
    pages = _pages(files)
    if explained:
        if output_format not in {"text", "json"} or output is not None:
            raise ConfigError("--explain prints text or json: leave out other formats and --output")
        if algorithm not in {None, "content"} or preset is not None:
            raise ConfigError("--explain is for content alone: leave out --algorithm and --preset")
        are_pages = [_print_explained(file, language, output_format) for file, _ in pages]
        if not all(are_pages):
            raise click.exceptions.Exit(1)
        return
    if output is not None:
        _check_places(pages)
    errors: dict[int, str] = {}
    bodies = _bodies(pages, errors)
    if algorithm is not None and side_table(algorithm):
        extracted: Iterator[Extraction] = iter(extract_site(list(bodies), language, algorithm, preset))
    else:
        extracted = extract_many(bodies, language, algorithm, preset, threads=threads, links=links)
    if output is not None:
        extracted = track(extracted, "Extracting pages", len(pages))
    how = Written(title, documents=len(pages) > 1)
    ending, write = FORMATS[output_format]
    refused = False
    for number, ((file, inside), page) in enumerate(zip(pages, extracted, strict=True)):
        if isinstance(page.error, OwnCodeError):
            raise page.error if page.error.page is None else OwnCodeError(f"{page.error} ({_name(file)})")
        if page.verdict != KEPT:
            click.echo(f"{_name(file)}: {errors.get(number, page.reason)}", err=True)
            refused |= page.verdict in RECORD_REASONS or page.error is not None
        text = write(_name(file), page, how)
        if output is None:
            if text:
                click.echo(text)
        elif page.verdict == KEPT or output_format == "json":
            _write(output / f"{inside}{ending}", text)
    if refused:
        raise click.exceptions.Exit(1)


def _pages(paths: Sequence[str]) -> list[tuple[str, str]]:
    """Returns the files that paths stand for, each once, with its place in an output folder.

    Raises:
        ConfigError: a path does not exist, or is a folder without HTML files.
    """
    pages: dict[str, str] = {}
    for path in paths:
        if path == "-":
            pages[path] = "stdin"
        elif path.startswith("@"):
            pages |= dict(_pages(_lines(path[1:])))
        elif Path(path).is_dir():
            found = pages_in(Path(path))
            if not found:
                raise ConfigError(f"{path}: no HTML files in this folder")
            pages |= {str(file): file.relative_to(path).as_posix() for file in found}
        elif Path(path).exists():
            pages.setdefault(path, Path(path).name)
        else:
            raise ConfigError(f"{path}: no such file or folder")
    return list(pages.items())


def _check_places(pages: Sequence[tuple[str, str]]) -> None:
    """Refuses two files with one place in the output folder."""
    places: dict[str, str] = {}
    for file, inside in pages:
        before = places.setdefault(inside, file)
        if before != file:
            raise ConfigError(f"{before} and {file} would be one file in --output; extract them into two folders")


def _lines(path: str) -> list[str]:
    """Returns the paths in a list.

    Raises:
        ConfigError: the list cannot be read, or has no paths.
    """
    try:
        lines = [line for line in map(str.strip, Path(path).read_text(encoding="utf-8").splitlines()) if line]
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: the list of files cannot be read: {error}") from None
    if not lines or any(line.startswith("@") for line in lines):
        raise ConfigError(f"{path}: a list has one path per line, and no other lists")
    return lines


def _bodies(pages: Sequence[tuple[str, str]], errors: dict[int, str]) -> Iterator[bytes]:
    """Yields files as they are needed; one that cannot be read is empty, and has its reason in `errors`."""
    for number, (file, _) in enumerate(pages):
        try:
            yield _read(file)
        except CorpusprepError as error:
            errors[number] = str(error).partition(": ")[2]
            yield b""


def _write(path: Path, text: str) -> None:
    """Writes a page."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as new:
        new.write_text(f"{text}\n", encoding="utf-8")


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

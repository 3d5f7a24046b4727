"""Measures reading, extraction and de-duplication beside other tools: CPU time, what is kept, and quality.

    python bench peers [--data FOLDER] [--crawl NAME] [--gold SET …] [--pages 60] [--words 1M] [--rounds 3]
                       [--output PAGE]

Reading runs on a crawl of the evaluation data in FOLDER ($CORPUSPREP_DATA or ../shared/data), or on an archive.
Extraction runs on pages of gold sets of that data, or of folders of your own with html/ and gold/. De-duplication runs
on made documents with known duplicates. The tools take turns; medians of the rounds count. Tools that are not installed
are left out; onion is measured if it is on the PATH.
Writes the page to --output, or prints it.
"""

import os
import platform
import tempfile
import textwrap
from collections.abc import Iterator, Sequence
from datetime import date
from importlib.metadata import version
from pathlib import Path

import running

from corpusprep.gold.pages import GoldSet
from corpusprep.io.sizes import parse_size
from peers import deduplication, extraction, reading
from peers.made_duplicates import KINDS, Document

#: Sets that no model of the package has learned from.
GOLD = ("cleaneval-final", "l3s-gn1", "cleanportaleval")
LIBRARIES = ("lxml", "numpy", "polars")
WIDTH = 120

_ABOUT = """Reading archives, extraction and de-duplication: for each tool its CPU time, what it keeps, and its
quality. The tools take turns on one input, in one run. CPU time is the median of the rounds, and counts all threads.
`python bench peers` writes this page."""
_READING = f"""From the archive to the bodies of its pages, as bytes. In a copy, one record in {reading.DAMAGED} has a
wrong byte: what a reader gives of the others, up to its error if it ends with one, and what it gives that the archive
does not have."""
_EXTRACTION = """From the decoded page to its text, with the tools' defaults, main content without readers' comments,
stop lists of the language. Precision, recall and F1 are in percent of words, with the 95 % interval of F1; the pages
are a sample. All pages, more sets and more cleaners: [Evaluation](evaluation.md)."""
_DEDUPLICATION = """From the text of documents to the decision what is kept. Writing intermediate files counts, the
start of processes does not. The documents are made: words drawn from an English frequency list. Five kinds of copies
are 7 % of them each: whole pages; whole pages with one word in 50, 20 or 8 replaced; and half of a page's paragraphs
between others. Three in ten longer paragraphs contain a stock passage that many documents share, which is no
duplicate. Of a paragraph and its copy, one is to be removed, whichever it is. Precision is the share of removed words
that are duplicates, recall the share of words of duplicates that are removed; the last columns are recall for each
kind."""
_REMARKS = """MinHash compares whole documents, and its default parameters aim at a resemblance of 0.72 and more. It
does not look for copies of passages, or for copies with more changes. It has the defaults of datatrove (5-grams, 14
buckets of 8 hashes), except for the tokeniser: words between white space in place of spaCy's. `whole documents` is
`blocks: {unit: document}`. Made text shows what a method finds, not how often such copies occur; other methods on real
pages and human judgements: [Methods of finding duplicates](duplicate-methods.md)."""
_NO_ONION = "onion was not on the PATH of this run."


def main(prog: str, arguments: Sequence[str]) -> None:
    """Measures, and writes or prints the page."""
    parser = running.parser(prog, __doc__)
    running.add_data(parser)
    parser.add_argument("--gold", nargs="+", default=GOLD, metavar="SET", help="gold sets, or folders of gold pages")
    parser.add_argument("--crawl", default="docs-0", help="a crawl of the evaluation data, or an archive, to read")
    parser.add_argument("--pages", type=int, default=60, help="at most that many pages per set")
    parser.add_argument("--words", default="1M", help="words of the made documents")
    parser.add_argument("--rounds", type=int, default=3, help="how often each tool runs")
    parser.add_argument("--output", type=Path, help="the page to write, such as docs/measurements/peers.md")
    options = parser.parse_args(arguments)
    if min(options.pages, options.rounds) < 1:
        raise running.CommandError("--pages and --rounds must be at least 1")
    gold_sets = [extraction.read(name, options.data, options.pages) for name in options.gold]
    named = Path(options.crawl)
    archive = named if named.is_file() else running.crawl_archives(options.data, [options.crawl])[0]
    load = os.getloadavg()[0]
    readers = reading.systems()
    with tempfile.TemporaryDirectory() as folder:
        read = reading.measure(archive, Path(folder, "damaged.warc.gz"), options.rounds, readers)
    extractors, tools = extraction.systems(), deduplication.systems()
    found = [(gold_set, extraction.measure(gold_set, options.rounds, extractors)) for gold_set in gold_sets]
    documents, rows = deduplication.measure(parse_size(options.words), options.rounds, tools)
    command = f"python bench peers --crawl {options.crawl} --gold {' '.join(options.gold)} --pages {options.pages}"
    command += f" --words {options.words} --rounds {options.rounds}"
    versions = [
        *(one.version for one in readers),
        *(one.version for one in extractors),
        *(one.version for one in tools),
    ]
    text = page(command, about_machine(versions, load), (archive.name, read), found, documents, rows)
    if options.output is None:
        print(text, end="")
    else:
        options.output.write_text(text, encoding="utf-8")


def page(
    command: str,
    machine: str,
    read: tuple[str, Sequence[reading.Row]],
    found: Sequence[tuple[GoldSet, Sequence[extraction.Row]]],
    documents: Sequence[Document],
    rows: Sequence[deduplication.Row],
) -> str:
    """Returns the page.

    Args:
        command: the command that measured.
        machine: what it ran on.
        read: the name of an archive, with the rows of the readers.
        found: gold sets with the rows of the extractors.
        documents: the made documents.
        rows: the tools of de-duplication.
    """
    parts = ["# Peers, side by side", fill(_ABOUT), f"    {command}", fill(machine)]
    name, readers = read
    parts += ["## Reading", fill(_READING), f"{name}:", "\n".join(reading.table(readers))]
    parts += ["## Extraction", fill(_EXTRACTION), "All sets:", "\n".join(_side_by_side(found))]
    for gold_set, measured in found:
        parts += [f"{gold_set.title}, {len(gold_set.pages)} pages:", "\n".join(_extraction(gold_set, measured))]
    words = sum(len(paragraph.words) for document in documents for paragraph in document)
    parts += ["## De-duplication", fill(_DEDUPLICATION)]
    parts += [f"{len(documents):,} documents, {words:,} words:", "\n".join(deduplication_rows(rows, words))]
    parts += [fill(_REMARKS)]
    if not any(row.system.title.startswith("onion") for row in rows):
        parts.append(_NO_ONION)
    return "\n\n".join(parts) + "\n"


def _side_by_side(found: Sequence[tuple[GoldSet, Sequence[extraction.Row]]]) -> Iterator[str]:
    """Yields the lines of a table of extractors with speed on all sets, and F1 on each."""
    yield f"| extractor | pages per CPU s | {' | '.join(f'F1, {gold_set.title}' for gold_set, _ in found)} |"
    yield "|---|---:|" + "---:|" * len(found)
    pages = sum(len(gold_set.pages) for gold_set, _ in found)
    for rows in zip(*(rows for _, rows in found), strict=True):
        speed = pages / max(sum(row.seconds for row in rows), 1e-6)
        yield f"| {rows[0].system.title} | {speed:,.0f} | {' | '.join(f'{row.scores.f1:.1f}' for row in rows)} |"


def _extraction(gold_set: GoldSet, rows: Sequence[extraction.Row]) -> Iterator[str]:
    """Yields the lines of a table of extractors."""
    yield "| extractor | CPU s | pages per CPU s | words kept | precision | recall | F1 |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    for row in rows:
        title = row.system.title
        if gold_set.name in row.system.trained_on:
            title += " (has learned from this set)"
        speed, (low, high) = len(gold_set.pages) / max(row.seconds, 1e-6), row.interval
        numbers = f"{row.seconds:.2f} | {speed:,.0f} | {row.words:,}"
        quality = " | ".join(f"{share:.1f}" for share in row.scores[:3])
        yield f"| {title} | {numbers} | {quality} ({low:.1f} to {high:.1f}) |"


def deduplication_rows(rows: Sequence[deduplication.Row], words: int) -> Iterator[str]:
    """Yields the lines of the table of de-duplication."""
    columns = ("CPU s", "M words per CPU s", "documents kept", "words kept", "precision", "recall", "F1", *KINDS)
    yield f"| tool | {' | '.join(columns)} |"
    yield "|---|" + "---:|" * len(columns)
    for row in rows:
        speed, found = words / max(row.seconds, 1e-6) / 1e6, row.quality
        numbers = f"{row.seconds:.2f} | {speed:.2f} | {found.documents:,} | {found.words:,}"
        shares = (found.precision, found.recall, found.f1, *found.by_kind.values())
        yield f"| {row.system.title} | {numbers} | {' | '.join(f'{share:.1f}' for share in shares)} |"


def about_machine(versions: Sequence[str], load: float) -> str:
    """Returns the date, the machine, its load at the start (other work makes CPU times longer), and the versions."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    processor = next(models, platform.machine())
    shown = ", ".join(dict.fromkeys([*versions, *(f"{name} {version(name)}" for name in LIBRARIES)]))
    machine = f"{processor}, {os.cpu_count()} CPUs, load average {load:.1f} at the start"
    return f"{date.today()}. {machine}; Python {platform.python_version()}. {shown}."


def fill(text: str) -> str:
    """Returns a paragraph in lines of WIDTH characters."""
    return textwrap.fill(" ".join(text.split()), WIDTH, break_long_words=False, break_on_hyphens=False)

"""Repeats table 3.2 of the thesis: seconds and duplicate 10-grams of corpora of 1 to 1,000 million words.

    make table-3-2 [LARGEST=1000]
    python bench table-3-2 [--data FOLDER] [--largest 1000] [--memory 1500M] [--source FOLDER]

Builds a corpus from the crawl of documentation in FOLDER/crawl ($CORPUSPREP_DATA or ../shared/data), up to the stage
`documents`. Then, for each row: makes a corpus of that size from it (made_corpus.py), measures the steps of `ngrams`
(ngrams.py) and the thesis's method (suffix_sort.py), checks that they find the same n-grams, and removes the corpus.
Stop words and punctuation are left out, as in the thesis (footnote 5). Takes two minutes of CPU time up to 10 million
tokens, ten minutes up to 100 million, and an hour and 10 GB of disk for 1,000 million.

Writes, after each row:

    studies/pomikalek_2011/chapter_3/scaling.tsv    the measurements; rows of sizes that are not measured stay
    docs/measurements/deduplication.md             the table; rows without measurement are estimated
"""

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

import page_tables
import running

from corpusprep.dedup.ngram_keys import NgramKeys
from corpusprep.tables.batch_files import corpus_file
from deduplication import made_corpus, ngrams
from studies import published
from studies.pomikalek_2011.chapter_3 import scaling

PAGE = running.REPOSITORY / "docs" / "measurements" / "deduplication.md"


def build(data: Path, folder: Path) -> Path:
    """Builds the source of the made corpora in one batch, and returns the folder of the results."""
    archives = [str(archive) for archive in running.crawl_archives(data, ["docs-0", "docs-1"])]
    config = {"batch_bytes": "1G", "corpora": {"docs": {"language": "en", "archives": archives}}}
    (folder / "my.json").write_text(json.dumps(config), encoding="utf-8")
    running.run_workflow(folder, ["--cores", "all", "--until", "documents"])
    return folder / "results"


def measure(results: Path, folder: Path, millions: int, memory: str) -> list[scaling.Measured]:
    """Makes a corpus in `folder` and measures both methods on it.

    Raises:
        CommandError: the methods find different n-grams.
    """
    tokens = made_corpus.make(results / "docs", folder, millions * 10**6, seed=1)
    rows, found = [], set()
    for method in scaling.METHODS:
        model = results / "languages" / "en.model"
        times = ngrams.measure(folder, model, memory, sorts_all=method == "suffix-sort")
        path = corpus_file(folder / "measured", "duplicates")
        keys = NgramKeys.open(path)
        found.add(path.read_bytes())
        cpu = round(sum(step.cpu_seconds for step in times), 1)
        peak = round(max(step.peak_megabytes for step in times))
        rows.append(scaling.Measured(millions, method, tokens, keys.tokens, cpu, peak, keys.count))
    if len(found) > 1:
        raise running.CommandError(f"{millions} million words: the methods find different n-grams")
    return rows


def main(prog: str, arguments: Sequence[str]) -> None:
    """Measures row by row, and writes the measurements and the page."""
    parser = running.parser(prog, __doc__)
    running.add_data(parser)
    parser.add_argument("--largest", type=int, default=100, help="million words of the largest corpus")
    parser.add_argument("--memory", default="1500M", help="limit of each process")
    parser.add_argument("--source", type=Path, help="results folder that a run before has built, instead of the crawl")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as scratch:
        results = options.source or build(options.data, Path(scratch))
        for row in published.table("3.2"):
            millions = int(row["million_words"])
            if millions > options.largest:
                continue
            with tempfile.TemporaryDirectory(dir=scratch) as name:
                rows = measure(results, Path(name), millions, options.memory)
            for found in rows:
                print(found, flush=True)
            path = scaling.measured_file()
            others = [found for found in scaling.read(path) if found.million_words != millions] if path.exists() else []
            path.write_text(scaling.as_text([*others, *rows]), encoding="utf-8")
            if len({found.million_words for found in (*others, *rows)}) > 1:
                update(scaling.markdown([*others, *rows]))


def update(table: str) -> None:
    """Replaces the table in the page."""
    page_tables.replace(PAGE, {"table 3.2": table})

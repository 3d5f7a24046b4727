"""Repeats table 3.2 of the thesis: seconds and duplicate 10-grams of corpora of 1 to 1,000 million words.

    make table-3-2 [LARGEST=1000]
    python bench table-3-2 [--data FOLDER] [--largest 1000] [--memory 1500M] [--method hash]

Builds a corpus from the crawl of documentation in FOLDER/crawl ($CORPUSPREP_DATA or ../shared/data), up to the stage
`documents`. Then, for each row: makes a corpus of that size from it (made_corpus.py), measures the steps of `ngrams`
(ngrams.py), prints the row beside the published one and removes the corpus. Takes one minute up to 10 million tokens,
five minutes up to 100 million, and half an hour and 6 GB of disk for 1,000 million. The thesis used ClueWeb09 on one
2.4 GHz machine. Stop words and punctuation are left out there (footnote 5) and here.
"""

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

import running

from corpusprep.dedup.ngram_keys import NgramKeys
from corpusprep.report import published
from corpusprep.tables.batch_files import corpus_file
from deduplication import made_corpus, ngrams

ROW = "{:>8} {:>13} {:>9} {:>9} {:>6} {:>11} | {:>9} {:>12}"


def build(data: Path, folder: Path) -> Path:
    """Builds the source of the made corpora in one batch, and returns the folder of the results."""
    archives = [str(archive) for archive in running.crawl_archives(data, ["docs-0", "docs-1"])]
    config = {"batch_bytes": "1G", "corpora": {"docs": {"language": "en", "archives": archives}}}
    (folder / "my.json").write_text(json.dumps(config), encoding="utf-8")
    running.run_workflow(folder, ["--cores", "all", "--until", "documents"])
    return folder / "results"


def main(prog: str, arguments: Sequence[str]) -> None:
    """Prints the table row by row, as it is measured."""
    parser = running.parser(prog, __doc__)
    running.add_data(parser)
    parser.add_argument("--largest", type=int, default=100, help="million words of the largest corpus")
    parser.add_argument("--memory", default="1500M", help="limit of each process")
    parser.add_argument("--method", choices=["hash", "suffix-sort"], default="hash")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as scratch:
        results = build(options.data, Path(scratch))
        print(ROW.format("million", "tokens", "s", "CPU s", "MB", "10-grams", "thesis s", "10-grams"))
        for row in published.table("3.2"):
            millions = int(row["million_words"])
            if millions > options.largest:
                continue
            with tempfile.TemporaryDirectory(dir=scratch) as name:
                folder = Path(name)
                tokens = made_corpus.make(results / "docs", folder, millions * 10**6, seed=1)
                times = ngrams.measure(folder, results / "languages" / "en.model", options.memory, options.method)
                keys = NgramKeys.open(corpus_file(folder / "measured", "duplicates"))
            wall, cpu = sum(step.wall_seconds for step in times), sum(step.cpu_seconds for step in times)
            peak = max(step.peak_megabytes for step in times)
            print(
                ROW.format(
                    f"{millions:,}", f"{tokens:,}", f"{wall:.1f}", f"{cpu:.1f}", f"{peak:.0f}", f"{keys.count:,}",
                    row["seconds"], f"{int(row['duplicate_10gram_types']):,}",
                ),
                flush=True,
            )  # fmt: skip

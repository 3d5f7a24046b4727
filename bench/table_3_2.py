"""Table 3.2 of the thesis: seconds and duplicate 10-grams of corpora of 1 to 1,000 million words, beside the published.

    make table-3-2 [LARGEST=1000]
    python bench/table_3_2.py [--data FOLDER] [--largest 1000] [--memory 1500M] [--method hash]

Builds a corpus of the crawl of documentation in FOLDER/crawl ($CORPUSPREP_DATA or ../shared/data) up to its documents,
makes each corpus of it (made_corpus.py), measures the steps of `ngrams` on it (measure_ngrams.py) and removes it. A
minute up to 10 million tokens, five up to 100; 1,000 take half an hour and 6 GB of disk. The thesis measured a 2.4 GHz
machine with ClueWeb09, on all tokens; here stop words and punctuation are left out, as by default.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import made_corpus
from measure_ngrams import measure

from corpusprep.dedup.ngram_keys import NgramKeys
from corpusprep.report import published

REPOSITORY = Path(__file__).parents[1]
ROW = "{:>8} {:>13} {:>9} {:>9} {:>6} {:>11} | {:>9} {:>12}"


def build(data: Path, folder: Path) -> Path:
    """Builds the corpus that the others are made of, in one batch, and gives the folder of the results."""
    archives = [str((data / "crawl").resolve() / "docs-*.warc.gz")]
    config = {"batch_bytes": "1G", "corpora": {"docs": {"language": "en", "archives": archives}}}
    (folder / "my.json").write_text(json.dumps(config), encoding="utf-8")
    command = [sys.executable, "-m", "snakemake", "-s", REPOSITORY / "Snakefile", "--cores", "all", "--notemp"]
    subprocess.run(
        [*command, "--configfile", "my.json", "--until", "documents"],
        cwd=folder,
        env={**os.environ, "PYTHONSAFEPATH": "1"},
        stderr=subprocess.DEVNULL,
        check=True,
    )
    return folder / "results"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    data = Path(os.environ.get("CORPUSPREP_DATA") or REPOSITORY.parent / "shared" / "data")
    parser.add_argument("--data", type=Path, default=data, help="folder of the evaluation data")
    parser.add_argument("--largest", type=int, default=100, help="million words of the largest corpus")
    parser.add_argument("--memory", default="1500M", help="limit of each process")
    parser.add_argument("--method", choices=["hash", "suffix-sort"], default="hash")
    options = parser.parse_args()
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
                used = measure(folder, results / "languages" / "en.model", options.memory, options.method)
                keys = NgramKeys.open(folder / "measured" / "ngrams" / "counted" / "duplicates.keys")
            wall, cpu = sum(step.wall_seconds for step in used), sum(step.cpu_seconds for step in used)
            peak = max(step.peak_megabytes for step in used)
            print(
                ROW.format(
                    f"{millions:,}", f"{tokens:,}", f"{wall:.1f}", f"{cpu:.1f}", f"{peak:.0f}", f"{keys.count:,}",
                    row["seconds"], f"{int(row['duplicate_10gram_types']):,}",
                ),
                flush=True,
            )  # fmt: skip


if __name__ == "__main__":
    main()

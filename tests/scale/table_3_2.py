"""Table 3.2 of the thesis: seconds and duplicate 10-grams of corpora of 1 to 1,000 million words, beside the published.

    python tests/scale/table_3_2.py results/docs --model results/languages/en.model [--largest 1000]
        [--memory 1500M] [--method hash]

Makes each corpus of the one in the folder (made_corpus.py), measures the steps of `ngrams` on it
(measure_ngrams.py) and removes it; 1,000 million tokens take 6 GB of disk for half an hour. The thesis measured a
2.4 GHz machine with ClueWeb09, on all tokens; here stop words and punctuation are left out, as by default.
"""

import argparse
import tempfile
from pathlib import Path

import made_corpus
from measure_ngrams import measure

from corpusprep.ngram_keys import NgramKeys
from corpusprep.report import published

ROW = "{:>8} {:>13} {:>9} {:>9} {:>6} {:>11} | {:>9} {:>12}"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path, help="folder of a corpus of one batch")
    parser.add_argument("--model", type=Path, required=True, help="the model of the corpus language")
    parser.add_argument("--largest", type=int, default=1000, help="million words of the largest corpus")
    parser.add_argument("--memory", default="1500M", help="limit of each process")
    parser.add_argument("--method", choices=["hash", "suffix-sort"], default="hash")
    options = parser.parse_args()
    print(ROW.format("million", "tokens", "s", "CPU s", "MB", "10-grams", "thesis s", "10-grams"))
    for row in published.table("3.2"):
        millions = int(row["million_words"])
        if millions > options.largest:
            continue
        with tempfile.TemporaryDirectory(dir=options.source.parent, prefix=".table-3-2.") as scratch:
            folder = Path(scratch)
            tokens = made_corpus.make(options.source, folder, millions * 10**6, seed=1)
            used = measure(folder, options.model, options.memory, options.method)
            keys = NgramKeys.open(folder / "measured" / "duplicates.keys")
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

"""Runs the three steps of `blocks` on a corpus, one process per batch, and prints what they took.

    python bench/measure_blocks.py big --model results/languages/en.model [--memory 1500M] [--threads 2]

The folder needs what made_corpus.py makes, and the duplicate n-grams that measure_ngrams.py leaves in `measured/`. What
the steps write stays there, in `blocks/`.
"""

import argparse
from pathlib import Path

import steps
from measure_ngrams import commands, measured_folder


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--model", type=Path, required=True, help="the model of the corpus language")
    parser.add_argument("--memory", default="1500M", help="limit of each process")
    parser.add_argument("--threads", type=int, default=1, help="threads of the steps that take several")
    options = parser.parse_args()
    out = measured_folder(options.folder)
    given = {"memory": options.memory, "threads": str(options.threads)}
    used = steps.run(commands(out, "blocks", options.model, given), out)
    steps.show(used, steps.tokens_of(options.folder))


if __name__ == "__main__":
    main()

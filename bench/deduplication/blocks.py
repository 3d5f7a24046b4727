"""Runs the three steps of `blocks` on a corpus, one process per job, and prints what they used.

    python bench blocks big --model results/languages/en.model [--memory 1500M] [--threads 2]

The folder needs what `make-corpus` makes, and `measured/ngrams/counted/duplicates.keys`, which `ngrams` leaves there.
The files that the steps write stay in `<folder>/measured/blocks/`.
"""

from collections.abc import Sequence
from pathlib import Path

import running

from deduplication import ngrams, steps


def main(prog: str, arguments: Sequence[str]) -> None:
    """Measures the corpus that the arguments name."""
    parser = running.parser(prog, __doc__)
    parser.add_argument("folder", type=Path, help="folder of the corpus")
    parser.add_argument("--model", type=Path, required=True, help="the model of the corpus language")
    parser.add_argument("--memory", default="1500M", help="limit of each process")
    parser.add_argument("--threads", type=int, default=1, help="threads of the steps that can use several")
    options = parser.parse_args(arguments)
    folder = ngrams.measured_folder(options.folder)
    settings = {"memory": options.memory, "threads": str(options.threads)}
    times = steps.run(ngrams.commands(folder, "blocks", options.model, settings))
    steps.show(times, steps.tokens_of(options.folder))

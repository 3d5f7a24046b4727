"""`corpusprep blocks match|verdicts|apply`: block de-duplication."""

from pathlib import Path

import click

from corpusprep import languages
from corpusprep.archive.batches import files_of_batches
from corpusprep.dedup.block_table import write_blocks
from corpusprep.dedup.decisions import verdicts
from corpusprep.dedup.matches import match
from corpusprep.io import memory as limits
from corpusprep.io.sizes import parse_size

_FILE = click.Path(path_type=Path)


@click.group("blocks")
def command() -> None:
    """Find duplicate blocks (algorithm 3.1 on blocks, then the context-sensitive classification).

    Three steps: `match` (for each batch), `verdicts` (for all together), `apply` (for each batch).
    """


@command.command("match")
@click.option("--vertical", required=True, type=_FILE, help="The batch's vertical (tokens/<batch>.vert.zst).")
@click.option("--documents", required=True, type=_FILE, help="The batch's table of `documents`.")
@click.option("--boilerplate", required=True, type=_FILE, help="The batch's table of `boilerplate`.")
@click.option("--tokens", required=True, type=_FILE, help="The batch's table of `tokens`.")
@click.option("--ngrams", required=True, type=_FILE, help="The corpus's duplicate n-grams (duplicates.keys).")
@click.option("--model", required=True, help="The corpus language: a .model file or a built-in language's code.")
@click.option(
    "--exclude-punctuation/--count-punctuation",
    default=True,
    help="Leave tokens that start with punctuation out of n-grams; as for `ngrams`.",
)
@click.option(
    "--exclude-stopwords/--count-stopwords",
    default=True,
    help="Leave stop words out of n-grams; as for `ngrams`.",
)
@click.option(
    "--memory", default="2G", type=limits.size, help="What the process may use: bytes, or with a unit (500M, 2G)."
)
@click.option(
    "--threads", type=click.IntRange(1), default=1, help="Threads to use; what comes out is the same for any number."
)
@click.option("--output", required=True, type=_FILE, help="Where the batch's matches go.")
def match_command(
    vertical: Path,
    documents: Path,
    boilerplate: Path,
    tokens: Path,
    ngrams: Path,
    model: str,
    exclude_punctuation: bool,
    exclude_stopwords: bool,
    memory: str,
    threads: int,
    output: Path,
) -> None:
    """Find the duplicate n-grams of a batch and sort its documents by their share."""
    match(
        vertical,
        documents,
        boilerplate,
        tokens,
        ngrams,
        output,
        stop_words=sorted(languages.get(model).stop_words) if exclude_stopwords else (),
        count_punctuation=not exclude_punctuation,
        memory=parse_size(memory),
        threads=threads,
    )


@command.command("verdicts")
@click.option(
    "--batches", required=True, type=_FILE, help="The list of batches (batches.tsv) or of bundles (bundles.tsv)."
)
@click.option(
    "--matches",
    required=True,
    type=_FILE,
    help="The folder of the matches: <batch>.matches, with a list of bundles <bundle>/<batch>.matches.",
)
@click.option("--ngrams", required=True, type=_FILE, help="The duplicate n-grams the matches were made with.")
@click.option(
    "--threshold",
    default=0.5,
    type=click.FloatRange(0, 1, min_open=True),
    help="Share of a block's counted tokens from which it is a duplicate.",
)
@click.option("--memory", help="What the process may use. [default: what it needs]")
@click.option("--output", required=True, type=_FILE, help="The folder the batches' verdicts go to.")
def verdicts_command(
    batches: Path, matches: Path, ngrams: Path, threshold: float, memory: str | None, output: Path
) -> None:
    """Decide on every block of the corpus, in one pass over the matches of all batches."""
    limit = None if memory is None else parse_size(memory)
    verdicts(files_of_batches(batches, matches, ".matches"), ngrams, output, threshold=threshold, memory=limit)


@command.command("apply")
@click.option("--verdicts", "decided", required=True, type=_FILE, help="The batch's verdicts.")
@click.option("--matches", required=True, type=_FILE, help="The batch's matches.")
@click.option("--tokens", required=True, type=_FILE, help="The batch's table of `tokens`.")
@click.option("--boilerplate", required=True, type=_FILE, help="The batch's table of `boilerplate`.")
@click.option("--documents", required=True, type=_FILE, help="The batch's table of `documents`.")
@click.option(
    "--memory", default="2G", type=limits.size, help="What the process may use: bytes, or with a unit (500M, 2G)."
)
@click.option("--output", required=True, type=_FILE, help="Where the table of blocks goes.")
def apply_command(
    decided: Path, matches: Path, tokens: Path, boilerplate: Path, documents: Path, memory: int, output: Path
) -> None:
    """Write the batch's table: a row a good block, with its verdict."""
    write_blocks(decided, matches, tokens, boilerplate, documents, output, memory)

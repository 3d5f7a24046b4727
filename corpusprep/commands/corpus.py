"""`corpusprep corpus`: write the corpus."""

from pathlib import Path

import click

from corpusprep.corpus.documents import BatchFiles
from corpusprep.corpus.writing import write_corpus

PATH = click.Path(path_type=Path)


@click.command("corpus")
@click.option("--encoding", required=True, type=PATH, help="The batch's table of `encoding`.")
@click.option("--pages", required=True, type=PATH, help="Its table of pages.")
@click.option("--boilerplate", required=True, type=PATH, help="Its table of blocks.")
@click.option("--language-verdicts", required=True, type=PATH, help="Its table of `language`.")
@click.option("--tokens", required=True, type=PATH, help="Its table of `tokens`.")
@click.option("--vertical", required=True, type=PATH, help="Its vertical, as `tokens` wrote it or a tagger.")
@click.option("--documents", required=True, type=PATH, help="Its table of `documents`.")
@click.option("--blocks", required=True, type=PATH, help="Its table of `blocks`.")
@click.option("--output-vertical", required=True, type=PATH, help="Where the corpus goes as a vertical (.vert.zst).")
@click.option("--output-jsonl", required=True, type=PATH, help="Where it goes as JSON lines (.jsonl.zst).")
@click.option("--output-parquet", required=True, type=PATH, help="Where it goes as Parquet.")
def command(output_vertical: Path, output_jsonl: Path, output_parquet: Path, **files: Path) -> None:
    """Write the corpus: the kept blocks of a batch's documents, with metadata.

    Documents with at least one kept block, as a vertical, as JSON lines and as Parquet. The vertical's lines
    are copied from that of `tokens`, whatever a tagger has added to them.
    """
    write_corpus(BatchFiles(**files), output_vertical, output_jsonl, output_parquet)

"""`corpusprep corpus`: write the corpus."""

from pathlib import Path

import click

from corpusprep.corpus.documents import BatchFiles
from corpusprep.corpus.formats import output_formats
from corpusprep.corpus.writing import write_corpus

PATH = click.Path(path_type=Path)
FORMATS = output_formats()


@click.command("corpus")
@click.option("--encoding", required=True, type=PATH, help="The batch's table of `encoding`.")
@click.option("--pages", required=True, type=PATH, help="Its table of pages.")
@click.option("--boilerplate", required=True, type=PATH, help="Its table of blocks.")
@click.option("--language-verdicts", required=True, type=PATH, help="Its table of `language`.")
@click.option("--tokens", required=True, type=PATH, help="Its table of `tokens`.")
@click.option("--vertical", required=True, type=PATH, help="Its vertical, as `tokens` wrote it or a tagger.")
@click.option("--documents", required=True, type=PATH, help="Its table of `documents`.")
@click.option("--blocks", required=True, type=PATH, help="Its table of `blocks`.")
def command(**options: Path | None) -> None:
    """Write the corpus: the kept blocks of a batch's documents, with metadata.

    Takes documents with at least one kept block, and writes them in each format that an output is given for. The
    vertical's lines are copied from that of `tokens`, whatever a tagger has added to them.
    """
    outputs = {name: path for name in FORMATS if (path := options.pop(f"output_{name}")) is not None}
    if not outputs:
        raise click.UsageError(f"give at least one of {', '.join(f'--output-{name}' for name in FORMATS)}")
    write_corpus(BatchFiles(**{name: path for name, path in options.items() if path is not None}), outputs)


for _format in FORMATS.values():
    _option = click.option(f"--output-{_format.name}", f"output_{_format.name}", type=PATH, help=_format.description)
    command = _option(command)

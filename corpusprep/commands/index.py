"""`corpusprep step index`: index the records of a corpus by their URLs."""

from pathlib import Path

import click

from corpusprep.archive.batches import batch_names
from corpusprep.commands import options
from corpusprep.inspection.indexing import join_parts, write_index
from corpusprep.tables.batch_files import corpus_file, part_files
from corpusprep.tables.crawl_files import refuse_crawl


@click.command("index")
@options.new_corpus
@options.setting("memory")
@options.parts
def command(corpus_dir: Path, memory: int, parts: int) -> None:
    """Index the records of a corpus by their URLs, and its documents by identifier.

    `corpusprep why` looks into the index. It is written after `tokens`, and has all records of all archives that have a
    URL.

    With several --parts, join those that `urls part` has written.
    """
    refuse_crawl(corpus_dir)
    output = corpus_file(corpus_dir, "urls")
    if parts > 1:
        join_parts(part_files(corpus_dir, "url_parts", parts), output)
    else:
        write_index(corpus_dir, batch_names(corpus_file(corpus_dir, "plan")), output, memory)

"""The bodies of the pages that `encoding` kept, read from their archives."""

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from corpusprep.archive.inputs import records
from corpusprep.archive.records import MAX_BYTES
from corpusprep.archive.verticals import chosen_documents
from corpusprep.errors import StageFileError
from corpusprep.tables.verdicts import KEPT


def accepted_pages(encoding: pl.DataFrame) -> Iterator[tuple[int, str, bytes]]:
    """Reads the bodies of the pages that `encoding` kept, archive by archive.

    Args:
        encoding: a batch's rows of `archive`, `record`, `content_type`, `encoding`, `payload_bytes`, `verdict`, in
            record order.

    Yields:
        (record, encoding, body)

    Raises:
        StageFileError: an archive has changed since `encoding` read it.
    """
    for (archive,), rows in encoding.group_by("archive", maintain_order=True):
        first = int(rows["record"][0])
        wanted = {
            record - first: (name, size)
            for record, name, size in rows.filter(verdict=KEPT)
            .select("record", "encoding", "payload_bytes")
            .iter_rows()
        }
        documents = chosen_documents(max(rows["content_type"].unique().drop_nulls().to_list(), default=""))
        # A text may be shorter than what it stands in.
        largest = max((size for _, size in wanted.values()), default=0)
        for record in records(Path(str(archive)), max(largest, MAX_BYTES), documents=documents):
            if record.number in wanted:
                name, size = wanted.pop(record.number)
                if len(record.body) != size:
                    raise StageFileError(f"{archive}: changed since the stage encoding read it; run it again")
                yield first + record.number, name, record.body
        if wanted:
            raise StageFileError(f"{archive}: {len(wanted)} pages that encoding read are missing; run it again")

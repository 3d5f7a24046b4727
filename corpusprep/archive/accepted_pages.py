"""The bodies of the pages that `encoding` kept, read from their archives."""

from collections.abc import Iterator
from typing import NamedTuple

import polars as pl

from corpusprep.archive import plain_text
from corpusprep.archive.inputs import records
from corpusprep.archive.records import MAX_BYTES
from corpusprep.archive.verticals import chosen_documents
from corpusprep.errors import StageFileError
from corpusprep.remote.addresses import archive_path
from corpusprep.tables.verdicts import KEPT


class AcceptedPage(NamedTuple):
    """A page that `encoding` kept.

    Attributes:
        record: its number.
        encoding: the one that it is decoded with.
        body: its bytes.
        plain: whether they are plain text, without markup.
    """

    record: int
    encoding: str
    body: bytes
    plain: bool


def extracted_texts() -> pl.Expr:
    """Returns whether rows of `encoding` are texts that others have extracted, such as WET files have."""
    media_type = pl.col("content_type").fill_null("").str.split(";").list.first()
    return (pl.col("record_type") == plain_text.RECORD_TYPE) & (media_type == plain_text.MEDIA_TYPE)


def accepted_pages(encoding: pl.DataFrame) -> Iterator[AcceptedPage]:
    """Reads the bodies of the pages that `encoding` kept, archive by archive.

    Args:
        encoding: a batch's rows of `archive`, `record`, `content_type`, `encoding`, `payload_bytes`, `verdict`, in
            record order.

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
        for record in records(archive_path(str(archive)), max(largest, MAX_BYTES), documents=documents):
            if record.number in wanted:
                name, size = wanted.pop(record.number)
                if len(record.body) != size:
                    raise StageFileError(f"{archive}: changed since the stage encoding read it; run it again")
                plain = record.content_type == plain_text.MEDIA_TYPE and not plain_text.is_extracted(
                    record.record_type, record.content_type
                )
                yield AcceptedPage(first + record.number, name, record.body, plain)
        if wanted:
            raise StageFileError(f"{archive}: {len(wanted)} pages that encoding read are missing; run it again")

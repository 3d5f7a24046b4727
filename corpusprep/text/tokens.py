"""Stage `tokens`: writes the good blocks of documents in the corpus language as a vertical (Pomikálek 2011, 3.6)."""

import hashlib
import sys
from collections.abc import Sequence
from pathlib import Path

from corpusprep.errors import OwnCodeError
from corpusprep.io.files import zstd_writer
from corpusprep.io.progress import track
from corpusprep.tables import schemas
from corpusprep.tables.good_texts import good_texts, kept_documents, page_texts
from corpusprep.tables.reading import read_table
from corpusprep.tables.writing import RowBuffer, write_table
from corpusprep.text.own_tokenizer import OwnTokenizer
from corpusprep.text.tokenizer import Tokenizer
from corpusprep.text.vertical import DOCUMENT_END, LONGEST_VALUE, DocumentAttributes, read_documents

ID_DIGITS = 16
#: Kinds of tokens for scripts without spaces.
UNSPACED = ("characters", "words", "icu", "jieba", "fugashi", "pythainlp")


def document_id(date: str, url: str, digest: str) -> str:
    """Returns the identifier of a document, which depends only on its date, URL and text (`digest`)."""
    return _md5("\n".join((date, url, digest)))[:ID_DIGITS]


def tokenize_batch(
    encoding: Path,
    pages: Path,
    boilerplate: Path,
    language_verdicts: Path,
    tokenizer: Tokenizer | OwnTokenizer,
    vertical: Path,
    output: Path,
    decided: Sequence[Path] = (),
) -> None:
    """Writes the vertical of a batch and its table (schemas.TOKENS), with one document in memory at a time.

    Only of documents that `language` kept, and the stages with the tables `decided`.

    Raises:
        StageFileError: a stage's file cannot be read, or the files are from different runs.
        OwnCodeError: a user's own tokeniser fails, or gives other tokens than the text's; names the document.
    """
    documents = kept_documents(encoding, pages, language_verdicts, decided)
    texts = good_texts(boilerplate, documents)
    columns = RowBuffer(schemas.TOKENS)
    all_cut = 0
    with zstd_writer(vertical) as stream:
        rows = zip(documents.iter_rows(named=True), texts, strict=True)
        for number, (row, text) in enumerate(track(rows, "tokens: documents", total=documents.height)):
            digest = _md5("\n".join(text.texts))
            attributes, cut = DocumentAttributes.of(document_id(row["date"], row["url"], digest), row)
            all_cut += cut
            try:
                lines, tokens = tokenizer.vertical(text.marked_texts, text.headings, text.blocks)
            except OwnCodeError as error:
                raise OwnCodeError(f"{error} (document {attributes.id}, {row['url']})") from None
            stream.write(attributes.line() + lines + DOCUMENT_END)
            columns.append(
                row["batch"],
                row["record"],
                number,
                attributes.id,
                row["url"],
                row["date"],
                digest,
                row["page_digest"],
                row["encoding"],
                int(_md5(row["record_id"])[:16], 16),
                len(text.blocks),
                row["left_out"],
                sum(text.words),
                sum(tokens),
                cut,
            )
    if all_cut:
        print(f"tokens: {all_cut} titles or URLs were cut to {LONGEST_VALUE} bytes", file=sys.stderr)
    write_table(columns.frame(), schemas.TOKENS, output)


def tokenize_boilerplate(
    tokens: Path, good: Path, boilerplate: Path, tokenizer: Tokenizer | OwnTokenizer, vertical: Path
) -> None:
    """Writes the vertical of the boilerplate of a batch: the same documents, with the same attributes.

    Args:
        tokens: the table of `tokens`.
        good: the vertical of the good blocks.
        boilerplate: the table of blocks.
        tokenizer: as for the good blocks.
        vertical: the output.

    Raises:
        StageFileError: a stage's file cannot be read, or the files are from different runs.
        OwnCodeError: a user's own tokeniser fails, or gives other tokens than the text's; names the document.
    """
    documents = read_table(tokens, schemas.TOKENS, ["record", "document", "id", "left_out"]).sort("document")
    texts = page_texts(boilerplate, documents, label="bad")
    with zstd_writer(vertical) as stream:
        rows = zip(documents["id"], read_documents(good), texts, strict=True)
        for name, document, text in track(rows, "tokens: boilerplate", total=documents.height):
            try:
                lines, _ = tokenizer.vertical(text.marked_texts, text.headings, text.blocks)
            except OwnCodeError as error:
                raise OwnCodeError(f"{error} (document {name})") from None
            stream.write(document.start + lines + DOCUMENT_END)


def _md5(text: str) -> str:
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()

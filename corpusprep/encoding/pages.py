"""Stage `encoding`: writes one row per record, with each page's declared and detected encoding (PRESEMT D3.1, 4)."""

import hashlib
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from corpusprep.archive import plain_text
from corpusprep.archive.accepted_pages import AcceptedPage
from corpusprep.archive.batches import stored_size
from corpusprep.archive.html_files import Addresses
from corpusprep.archive.inputs import records
from corpusprep.archive.local_files import page_of_bytes
from corpusprep.archive.records import Record, host
from corpusprep.encoding import charsets, detection
from corpusprep.encoding.detection import KnownEncodings
from corpusprep.encoding.formats import other_format
from corpusprep.encoding.selection import Selection
from corpusprep.encoding.unknown_language import Candidates
from corpusprep.errors import ConfigError
from corpusprep.io.progress import track
from corpusprep.tables import schemas
from corpusprep.tables.verdicts import KEPT
from corpusprep.tables.writing import RowBuffer

TRUST = ("detected", "declared", "declared-then-detected")
#: A content type; what is none, and those that say nothing, count as missing (WHATWG MIME Sniffing, 4.4 and 7).
_CONTENT_TYPE = re.compile(
    r"(?!\*/\*|(?:unknown|application)/unknown\Z)[!#$%&'*+.^`|~\w-]+/[!#$%&'*+.^`|~\w-]+", re.ASCII
)
# A record without a content type is a page if its first bytes contain an element that opens a page.
_SNIFFED = re.compile(rb"<(?:!doctype\s+html|html|head|body|title|meta|h1|p|div|table)\b", re.IGNORECASE)
_SNIFFED_BYTES = 1024
#: Verdicts of records that have no address to select by.
NOT_RESPONSES = frozenset({"damaged", "record_type", "empty_archive"})
# A body with a larger share of NUL bytes is not text, unless it is UTF-16.
_NUL_SHARE = 0.05
_UTF16_NUL_SHARE = 0.5


@dataclass(slots=True, frozen=True)
class PageRules:
    """Rules for which responses count as pages."""

    status: Collection[int]
    content_types: Collection[str]
    min_bytes: int
    max_bytes: int
    selection: Selection | None = None
    texts: bool = True

    def __post_init__(self) -> None:
        """Raises ConfigError if no size is allowed."""
        if self.min_bytes > self.max_bytes:
            raise ConfigError(f"min_bytes ({self.min_bytes:,}) is over max_bytes ({self.max_bytes:,})")

    def verdict(self, record: Record) -> str:
        """Returns `kept`, or the first of verdicts.RECORD_REASONS that applies to the record."""
        if record.verdict in NOT_RESPONSES:
            return record.verdict
        is_text = plain_text.is_extracted(record.record_type, record.content_type)
        if is_text and not self.texts:
            return "record_type"
        if self.selection is not None and (left_out := self.selection.verdict(record)):
            return left_out
        if record.verdict is not None:
            return record.verdict
        without_http = not record.status and (record.record_type != "response" or record.url[:4].lower() == "ftp:")
        if record.status not in self.status and not without_http:
            return "status"
        body = record.body
        if is_text or record.content_type in self.content_types:
            pass
        elif _CONTENT_TYPE.fullmatch(record.content_type) or (body and not _SNIFFED.search(body, 0, _SNIFFED_BYTES)):
            return "content_type"
        if not body:
            return "empty"
        if len(body) < self.min_bytes:
            return "too_small"
        if len(body) > self.max_bytes:
            return "too_large"
        other = None if is_text else other_format(body)
        return KEPT if other is None else other.verdict


@dataclass(slots=True, frozen=True)
class PageEncodings:
    """The encodings that a page declares, the detected one, and the one it is decoded with; WHATWG names."""

    http: str | None
    meta: str | None
    bom: str | None
    detected: str
    score: float
    trusted: str


def page_encodings(
    body: bytes, http_label: str | None, model: KnownEncodings | Candidates, trust: str, *, plain: bool = False
) -> PageEncodings:
    """Finds the encodings of a page.

    Args:
        body: the page's bytes.
        http_label: the charset in the Content-Type header, if any.
        model: the corpus language; detection chooses among the encodings of its Web. Or the languages that the page
            may be in.
        trust: one of TRUST. A byte order mark always decides. `detected` follows a declaration only where the bytes
            decide nothing. `declared` uses the detected encoding if the page
            declares none; `declared-then-detected` also if the declared encoding cannot decode the whole page.
        plain: whether it is plain text, where markup declares nothing.
    """
    http = charsets.whatwg_name(http_label) if http_label else None
    meta, bom = None if plain else charsets.declared_meta(body), charsets.bom(body)

    def detect() -> tuple[str, float]:
        declared = (http, meta)
        return (
            model.detect(body, declared) if isinstance(model, Candidates) else detection.detect(body, model, declared)
        )

    detected, score = detect()
    if (
        not plain
        and http is None
        and meta is None
        and (detected, score) != ("utf-8", 1.0)
        and (meta := charsets.declared_meta(body, late=True))
    ):
        detected, score = detect()
    declared = bom or http or meta
    trusted = detected
    if bom is not None:
        trusted = bom
    elif declared is not None and (
        trust == "declared" or (trust == "declared-then-detected" and charsets.decode(body, declared)[1] == 0)
    ):
        trusted = declared
    return PageEncodings(http, meta, bom, detected, score, trusted)


def is_text(body: bytes, detected: str) -> bool:
    """Returns whether a body has few NUL bytes, or is UTF-16 (UTF-32, which browsers do not know, has more)."""
    most = _UTF16_NUL_SHARE if detected.startswith("utf-16") else _NUL_SHARE
    return body.count(b"\0") <= most * len(body)


def page_markup(page: AcceptedPage) -> tuple[bytes, int]:
    """Returns the markup of a page in UTF-8, and the number of U+FFFD in it that replace invalid bytes."""
    if not page.plain:
        return charsets.decode_utf8(page.body, page.encoding)
    text, undecodable = charsets.decode(page.body, page.encoding)
    return page_of_bytes(text.encode("utf-8", "replace")), undecodable


def read_archives(
    batch: str,
    archives: Sequence[Path],
    model: KnownEncodings | Candidates,
    rules: PageRules,
    trust: str,
    addresses: Addresses | None = None,
    documents: Collection[str] = (),
) -> pl.DataFrame:
    """Reads the archives of a batch; returns schemas.ENCODING, one row per record, in the order of the archives.

    The encoding of texts that others have extracted is known.

    Raises:
        ArchiveError: an archive cannot be opened or read.
    """
    columns = RowBuffer(schemas.ENCODING)

    def rows() -> Iterator[tuple[Path, Record]]:
        for archive in archives:
            if not stored_size(archive):
                yield archive, Record(0, 0, 0, "", "", "", verdict="empty_archive")
            for record in records(archive, rules.max_bytes, addresses, documents):
                yield archive, record

    for number, (archive, record) in enumerate(track(rows(), "encoding: records")):
        verdict = rules.verdict(record)
        encodings: PageEncodings | None = None
        digest = None
        if verdict == KEPT:
            known = plain_text.is_extracted(record.record_type, record.content_type)
            plain = not known and record.content_type == plain_text.MEDIA_TYPE
            trusted = "declared" if known else trust
            encodings = page_encodings(record.body, record.charset, model, trusted, plain=plain)
            digest = hashlib.md5(record.body, usedforsecurity=False).hexdigest()
            if not is_text(record.body, encodings.detected):
                verdict = "not_text"
        columns.append(
            batch,
            number,
            str(archive),
            record.offset,
            record.length,
            record.record_id or None,
            record.record_type,
            record.url,
            host(record.url),
            record.date,
            record.status or None,
            record.content_type or None,
            record.body_bytes,
            encodings and encodings.http,
            encodings and encodings.meta,
            encodings and encodings.bom,
            encodings and encodings.detected,
            encodings and encodings.score,
            encodings and encodings.trusted,
            digest,
            record.mended,
            record.truncated,
            verdict,
            record.rights or None,
        )
    return columns.frame()

"""Packs the pages of the sample crawl into WARC files, as `crawl.yaml` describes it.

The same sources always give the same bytes: record identifiers are hashes of the URL, and dates come from the manifest.
Every record is a separate gzip member.
"""

import base64
import binascii
import bz2
import gzip
import hashlib
import io
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click
import yaml
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from corpusprep.errors import ConfigError, CorpusprepError
from corpusprep.io.files import replacing

HERE = Path(__file__).parent
MANIFEST = HERE / "crawl.yaml"
REASONS = {200: "OK", 301: "Moved Permanently", 404: "Not Found"}
DAMAGES = ("cut_record", "cut_chunks", "cut_gzip")


@dataclass(frozen=True)
class Exchange:
    """A response of a server, as a record of the manifest describes it.

    The body is `file` (a source under `pages/`, converted from UTF-8 to `encoding`) or `base64`, or else empty. With
    `content_encoding: gzip` it is compressed with gzip; with any other value with bzip2, which no reader knows under
    that name. With `chunk_bytes` it is then sent in chunks of that size.
    """

    url: str
    date: str
    content_type: str | None = None
    file: str | None = None
    encoding: str = "utf-8"
    base64: str | None = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    chunk_bytes: int = 0
    content_encoding: str | None = None
    request: bool = False
    revisit_of: str | None = None  # the date of the response whose payload is repeated
    damage: str | None = None  # one of DAMAGES

    def record_id(self, record_type: str) -> str:
        """Returns the identifier of the record, which depends on its URL, type and date only."""
        return _record_id(f"{self.url}#{record_type} {self.date}")


@dataclass(frozen=True)
class Archive:
    """One WARC file of the crawl: its name, the date of its description, and its records in order."""

    name: str
    date: str
    records: tuple[Exchange, ...]


def load_manifest(path: Path = MANIFEST) -> list[Archive]:
    """Returns the archives that the manifest describes.

    Raises:
        ConfigError: a record has an unknown key or damage, or `cut_record` on a record that is not the last.
    """
    archives = []
    known = {name.name for name in fields(Exchange)}
    for entry in yaml.safe_load(path.read_text(encoding="utf-8"))["archives"]:
        for record in entry["records"]:
            if unknown := sorted(set(record) - known):
                raise ConfigError(f"{path}: {record.get('url')}: unknown keys {', '.join(unknown)}")
            if record.get("damage") not in (None, *DAMAGES):
                raise ConfigError(f"{path}: {record['url']}: damage is one of {', '.join(DAMAGES)}")
        records = tuple(Exchange(**record) for record in entry["records"])
        if any(record.damage == "cut_record" for record in records[:-1]):
            raise ConfigError(f"{path}: {entry['name']}: only the last record can be cut")
        archives.append(Archive(entry["name"], entry["date"], records))
    return archives


def body(exchange: Exchange, pages: Path) -> bytes:
    """Returns the body before compression and chunking.

    Raises:
        ConfigError: the source is missing, or has a character that the encoding lacks.
    """
    if exchange.base64 is not None:
        try:
            return base64.b64decode(exchange.base64, validate=True)
        except binascii.Error as error:
            raise ConfigError(f"{exchange.url}: base64: {error}") from None
    if exchange.file is None:
        return b""
    try:
        return (pages / exchange.file).read_text(encoding="utf-8").encode(exchange.encoding)
    except FileNotFoundError:
        raise ConfigError(f"{exchange.url}: no source {exchange.file} under {pages}") from None
    except UnicodeEncodeError as error:
        character = error.object[error.start]
        raise ConfigError(f"{exchange.file}: no character {character!r} in {exchange.encoding}") from None


def on_the_wire(exchange: Exchange, content: bytes) -> bytes:
    """Returns the body as the server sends it: compressed and chunked if the manifest says so."""
    if exchange.content_encoding == "gzip":
        content = gzip.compress(content, mtime=0)
        if exchange.damage == "cut_gzip":
            content = content[: len(content) // 2]
    elif exchange.content_encoding is not None:
        content = bz2.compress(content)
    if exchange.chunk_bytes:
        starts = range(0, len(content), exchange.chunk_bytes)
        chunks = [content[start : start + exchange.chunk_bytes] for start in starts]
        content = b"".join(b"%x\r\n%b\r\n" % (len(chunk), chunk) for chunk in chunks) + b"0\r\n\r\n"
        if exchange.damage == "cut_chunks":
            content = content[: len(content) // 2]
    return content


def pack(archive: Archive, pages: Path) -> bytes:
    """Returns the bytes of the archive: a warcinfo record, then every response, some with their request."""
    stream = io.BytesIO()
    writer = WARCWriter(stream, gzip=True)
    writer.write_record(_description(writer, archive))
    start = stream.tell()
    for exchange in archive.records:
        start = stream.tell()
        writer.write_record(_response(writer, exchange, body(exchange, pages)))
        if exchange.request:
            writer.write_record(_request(writer, exchange))
    packed = stream.getvalue()
    if archive.records and archive.records[-1].damage == "cut_record":
        packed = packed[: (start + len(packed)) // 2]
    return packed


def _record_id(name: str) -> str:
    return f"<urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, name)}>"


def _description(writer: WARCWriter, archive: Archive) -> Any:
    about = {"software": "corpusprep", "format": "WARC File Format 1.0", "description": "sample crawl"}
    record = writer.create_warcinfo_record(archive.name, about)
    record.rec_headers.replace_header("WARC-Record-ID", _record_id(archive.name))
    record.rec_headers.replace_header("WARC-Date", archive.date)
    return record


def _response(writer: WARCWriter, exchange: Exchange, content: bytes) -> Any:
    sent = on_the_wire(exchange, content)
    headers = [("Server", "example"), *exchange.headers.items()]
    if exchange.content_type is not None:
        headers.append(("Content-Type", exchange.content_type))
    if exchange.content_encoding is not None:
        headers.append(("Content-Encoding", exchange.content_encoding))
    if exchange.chunk_bytes:
        headers.append(("Transfer-Encoding", "chunked"))
    else:
        headers.append(("Content-Length", str(len(sent))))
    status_line = f"{exchange.status} {REASONS.get(exchange.status, 'Other')}"
    http_headers = StatusAndHeaders(status_line, headers, protocol="HTTP/1.1")
    if exchange.revisit_of is None:
        warc_headers = {"WARC-Record-ID": exchange.record_id("response"), "WARC-Date": exchange.date}
        return writer.create_warc_record(
            exchange.url,
            "response",
            payload=io.BytesIO(sent),
            length=len(sent),
            warc_headers_dict=warc_headers,
            http_headers=http_headers,
        )
    digest = base64.b32encode(hashlib.sha1(sent, usedforsecurity=False).digest()).decode("ascii")
    return writer.create_revisit_record(
        exchange.url,
        digest=f"sha1:{digest}",
        refers_to_uri=exchange.url,
        refers_to_date=exchange.revisit_of,
        http_headers=http_headers,
        warc_headers_dict={"WARC-Record-ID": exchange.record_id("revisit"), "WARC-Date": exchange.date},
    )


def _request(writer: WARCWriter, exchange: Exchange) -> Any:
    parts = urlsplit(exchange.url)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    headers = [("Host", parts.netloc), ("User-Agent", "sample crawler"), ("Accept", "text/html")]
    warc_headers = {
        "WARC-Record-ID": exchange.record_id("request"),
        "WARC-Date": exchange.date,
        "WARC-Concurrent-To": exchange.record_id("response"),
    }
    return writer.create_warc_record(
        exchange.url,
        "request",
        warc_headers_dict=warc_headers,
        http_headers=StatusAndHeaders(f"GET {target} HTTP/1.1", headers, is_http_request=True),
    )


@click.command()
@click.option(
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=HERE / "crawl",
    help="Folder for the WARC files (default: crawl, beside this script).",
)
def main(output: Path) -> None:
    """Packs the sample crawl into WARC files; those that are there already stay as they are."""
    try:
        for archive in load_manifest():
            packed = pack(archive, HERE / "pages")
            path = output / archive.name
            if path.is_file() and path.read_bytes() == packed:
                continue  # a new time of change would make the workflow read it again
            with replacing(path) as temporary:
                temporary.write_bytes(packed)
    except CorpusprepError as error:
        raise click.ClickException(str(error)) from None


if __name__ == "__main__":
    main()

"""Packs a folder of files into a WARC file: HTML files and robots.txt as responses, texts as `conversion` records.

The same files give the same bytes: identifiers are made of addresses and content, and dates come from the files, or
one date for all.
"""

import datetime
import hashlib
import io
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from warcio.recordloader import ArcWarcRecord
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from corpusprep import __version__
from corpusprep.archive.html_files import HTML_NAMES, Addresses, saved_from, starts_page
from corpusprep.archive.local_files import parts_of_pages
from corpusprep.crawling.warc_output import record_id
from corpusprep.errors import ConfigError
from corpusprep.io.files import replacing
from corpusprep.io.progress import track

TEXT_NAMES = (".txt",)
_START_BYTES = 4096
#: Addresses of rules for robots.
_ROBOTS = re.compile(r"https?://[^/?#]+/robots\.txt")


@dataclass(slots=True)
class Packed:
    """Numbers of files: pages, texts, rules for robots, and others, which are left out."""

    pages: int = 0
    texts: int = 0
    rules: int = 0
    others: int = 0


def pack(folder: Path, output: Path, addresses: Addresses, date: str | None = None) -> Packed:
    """Packs the files of a folder, and of folders in it, in the order of their paths.

    A file is a page if its content begins as one, or by its name (HTML_NAMES); a text by its name (TEXT_NAMES).
    The robots.txt of a host is no text: it is packed as a response, which `rights.robots_agent` reads. Files and
    folders whose names begin with a full stop are left out.

    Args:
        folder: of the files.
        output: the file to write; it appears when it is complete.
        addresses: rules for the addresses of the files.
        date: of all records, "YYYY-MM-DDThh:mm:ssZ"; None: when each page was saved, if it says so; or else when its
            file was changed last.

    Raises:
        ConfigError: the folder has no page and no text, a folder in it cannot be read, or a text is not UTF-8.
    """
    packed = Packed()
    with replacing(output) as temporary, temporary.open("wb") as file:
        writer = WARCWriter(file, gzip=True, warc_version="1.1")
        about = {"software": f"corpusprep {__version__}", "format": "WARC File Format 1.1"}
        info = writer.create_warcinfo_record(output.name, about)
        info.rec_headers.replace_header("WARC-Record-ID", record_id("warcinfo", output.name))
        info.rec_headers.replace_header("WARC-Date", date or "1970-01-01T00:00:00Z")
        writer.write_record(info)
        for path in track(_files(folder), "pack: files"):
            name = path.name.lower()
            with path.open("rb") as opened:
                start = opened.read(_START_BYTES)
                url, saved = saved_from(start)
                url = addresses.of_file(path, url)
                is_page = starts_page(start) or name.endswith(HTML_NAMES)
                is_rules = not is_page and _ROBOTS.fullmatch(url) is not None
                if not (is_page or is_rules or name.endswith(TEXT_NAMES)):  # it may be a film of any size
                    packed.others += 1
                    continue
                content = start + opened.read()
            fields = {
                "WARC-Record-ID": record_id(url, hashlib.sha256(content).hexdigest()),
                "WARC-Date": date or saved or _changed(path),
            }
            if is_page:
                packed.pages += 1
                record = _response(writer, url, "text/html", content, fields)
            elif is_rules:
                packed.rules += 1
                record = _response(writer, url, "text/plain", content, fields)
            else:
                packed.texts += 1
                record = writer.create_warc_record(
                    url,
                    "conversion",
                    payload=io.BytesIO(_utf8(path, content)),
                    length=len(content),
                    warc_content_type="text/plain",
                    warc_headers_dict=fields,
                )
            writer.write_record(record)
        if not packed.pages + packed.texts:
            raise ConfigError(
                f"{folder}: no HTML file and no text file (.txt) among {packed.others} files; give another"
            )
    return packed


def _response(writer: WARCWriter, url: str, kind: str, content: bytes, fields: dict[str, str]) -> ArcWarcRecord:
    """Returns a record of a file as a server would have sent it."""
    headers = [("Content-Type", kind), ("Content-Length", str(len(content)))]
    return writer.create_warc_record(
        url,
        "response",
        payload=io.BytesIO(content),
        length=len(content),
        warc_headers_dict=fields,
        http_headers=StatusAndHeaders("200 OK", headers, protocol="HTTP/1.1"),
    )


def _files(folder: Path) -> Iterator[Path]:
    """Yields the files of a folder in the order of their paths."""
    for name, folders, files in os.walk(folder, onerror=_refuse):
        parts = parts_of_pages(folders, files)
        folders[:] = sorted(inner for inner in folders if not inner.startswith(".") and inner not in parts)
        for file in sorted(files):
            path = Path(name, file)
            if not file.startswith(".") and path.is_file():
                yield path


def _refuse(error: OSError) -> None:
    """Raises an error for a folder that cannot be read: os.walk would pass over it."""
    raise ConfigError(f"{error.filename}: cannot be read: {error.strerror}") from error


def _changed(path: Path) -> str:
    moment = datetime.datetime.fromtimestamp(path.stat().st_mtime, datetime.UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def _utf8(path: Path, content: bytes) -> bytes:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{path}, line {line}: not UTF-8; convert the file first (iconv -t utf-8)") from None
    return content

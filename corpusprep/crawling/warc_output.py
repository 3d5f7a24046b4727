"""Writes WARC files of what is fetched or packed, by warcio.

A file is written as `<name>.open`, and gets its name when it is complete. What a killed process leaves open is named by
the next one, without a record at its end that is cut short: each record is a gzip member of its own.
"""

import contextlib
import datetime
import io
import os
import uuid
from collections.abc import Mapping
from io import FileIO
from pathlib import Path
from typing import Any, Self

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from corpusprep import __version__
from corpusprep.archive.stored_streams import GzipMember, StoredFile

OPEN = ".open"
#: Bytes of a file, after which the next one begins.
FILE_BYTES = 1_000_000_000

Headers = list[tuple[str, str]]


class _HttpHeaders(StatusAndHeaders):  # type: ignore[misc]  # warcio has no types
    """Headers that are written as they came: warcio would encode a whole value that is not ASCII (`http%3A//`)."""

    def to_ascii_bytes(self, filter_func: Any = None) -> bytes:
        """Returns the bytes of the headers."""
        return bytes(self.to_bytes(filter_func, "latin-1"))


class WarcFiles:
    """A row of WARC files in a folder: `<prefix>-00000.warc.gz` and so on."""

    def __init__(self, folder: Path, prefix: str, about: Mapping[str, str], file_bytes: int = FILE_BYTES) -> None:
        """Goes on after the files that are there.

        Args:
            folder: for the files; it is made.
            prefix: of their names.
            about: the fields of the first record of each file (warcinfo).
            file_bytes: of a file, as stored; a file may exceed it by one exchange.
        """
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._prefix, self._limit = folder, prefix, file_bytes
        self._about = {"software": f"corpusprep {__version__}", "format": "WARC File Format 1.1", **about}
        for left in sorted(folder.glob(f"{prefix}-*.warc.gz{OPEN}")):
            _complete(left)
        numbers = [path.name[len(prefix) + 1 :].partition(".")[0] for path in self.paths()]
        self._number = max((int(number) + 1 for number in numbers if number.isdigit()), default=0)
        self._file: FileIO | None = None
        self._records = io.BytesIO()  # that are not written yet
        self._writer: Any = None
        self._name = ""

    def __enter__(self) -> Self:
        """Returns itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Completes the last file."""
        self.close()

    def exchange(
        self,
        url: str,
        date: str,
        status_line: str,
        headers: Headers,
        body: bytes,
        request: tuple[str, Headers] | None = None,
        address: str = "",
    ) -> None:
        """Writes a response, and the request that asked for it.

        Args:
            url: of both.
            date: "YYYY-MM-DDThh:mm:ssZ".
            status_line: of the response, without its protocol: "200 OK".
            headers: of the response; values are bytes as Latin-1.
            body: as transferred, without chunks.
            request: its first line, and its headers.
            address: of the host (IP), if it is known.
        """
        self._open(date)
        about = {"WARC-Date": date, **({"WARC-IP-Address": address} if address else {})}
        response = self._writer.create_warc_record(
            url,
            "response",
            payload=io.BytesIO(body),
            length=len(body),
            warc_headers_dict=about,
            http_headers=_HttpHeaders(status_line, headers, protocol="HTTP/1.1"),
        )
        self._writer.write_record(response)
        if request is not None:
            line, request_headers = request
            identity = response.rec_headers.get_header("WARC-Record-ID")
            self._writer.write_record(
                self._writer.create_warc_record(
                    url,
                    "request",
                    warc_headers_dict={**about, "WARC-Concurrent-To": identity},
                    http_headers=_HttpHeaders(line, request_headers, is_http_request=True),
                )
            )
        self._next()

    def text(self, url: str, date: str, text: bytes) -> None:
        """Writes a text as a `conversion` record, as WET files have them."""
        self._open(date)
        self._writer.write_record(
            self._writer.create_warc_record(
                url,
                "conversion",
                payload=io.BytesIO(text),
                length=len(text),
                warc_content_type="text/plain",
                warc_headers_dict={"WARC-Date": date},
            )
        )
        self._next()

    def paths(self) -> list[Path]:
        """Returns the files that are complete, in the order of their numbers."""
        return sorted(self._folder.glob(f"{self._prefix}-*.warc.gz"), key=lambda path: (len(path.name), path.name))

    def close(self) -> None:
        """Completes the file that is open."""
        if self._file is not None:
            size = self._file.tell()
            self._file.close()
            _name(Path(str(self._file.name)), size)
            self._file = None

    def _open(self, date: str) -> None:
        self._records.seek(0)
        self._records.truncate()
        if self._file is not None:
            return
        self._name = f"{self._prefix}-{self._number:05}.warc.gz"
        self._number += 1
        self._file = FileIO(self._folder / f"{self._name}{OPEN}", "wb")
        self._writer = WARCWriter(self._records, gzip=True, warc_version="1.1")
        record = self._writer.create_warcinfo_record(self._name, self._about)
        record.rec_headers.replace_header("WARC-Date", date)
        self._writer.write_record(record)

    def _next(self) -> None:
        """Writes the records of an exchange: all of them, or, where the disk is full, none."""
        if self._file is None:
            return
        start = self._file.tell()
        left = memoryview(self._records.getvalue())
        try:
            while left:
                left = left[self._file.write(left) :]
        except OSError:
            self._file.truncate(start)
            self._file.seek(start)
            raise
        if self._file.tell() >= self._limit:
            self.close()


def _complete(path: Path) -> None:
    """Gives a file its name, without a record at its end that is cut short; removes it if it has no other."""
    with contextlib.closing(StoredFile(path)) as stored:
        end = 0
        while end < stored.size:
            member = GzipMember(stored, end)
            while member.read():
                pass
            if not member.ended:
                break
            end = member.position
    os.truncate(path, end)
    _name(path, end)


def _name(path: Path, size: int) -> None:
    """Gives a file of that many bytes its name; removes an empty one."""
    if size:
        path.rename(path.with_suffix(""))
    else:
        path.unlink()


def now() -> str:
    """Returns the time as WARC has it."""
    return as_date(datetime.datetime.now(datetime.UTC))


def as_date(moment: datetime.datetime) -> str:
    """Returns a moment in UTC as WARC has it."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def record_id(*parts: str) -> str:
    """Returns an identifier that depends on these parts only."""
    return f"<urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, ' '.join(parts))}>"

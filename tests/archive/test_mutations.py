"""Mutated files of every kind of input: whatever is in them, each byte gets a verdict, and nothing is raised."""

import gzip
import io
import json
import random
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import brotli
import polars as pl
import pytest
import zstandard

from corpusprep.archive import inputs
from corpusprep.archive.records import first_record, records_from
from corpusprep.crawling import selections
from corpusprep.crawling.selections import Selection
from corpusprep.errors import ConfigError
from corpusprep.tables.verdicts import RECORD_REASONS

MUTATIONS = 1000
#: Marks and numbers that readers take for beginnings, lengths, counts and offsets.
SPLICES = (
    b"\0", b"\0\0\0\0", b"\xff", b"\xff" * 4, b"\xff" * 12, b"\x7f\xff\xff\xff", b"\n", b"\r\n\r\n", b'"', b"{",
    b"<doc>\n", b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"\x5d\x2a\x4d\x18", b"\x37\xa4\x30\xec", b"PK\x01\x02",
    b"PK\x05\x06", b"WARC/1.0\r\n",
)  # fmt: skip
#: Python reads no number of more than 4,300 digits.
NUMBERS = (b"9" * 5000, b"99999999999", b"-1", b"")
#: What of a file changes: more is not its damage but another file.
LONGEST = 400

PAGE = b"<html><p>Some text.</p></html>"
RESPONSES = [
    b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\nWARC-Date: 2024-05-06T07:08:09Z\r\n"
    b"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%b\r\n\r\n"
    % (len(content), content)
    for content in (
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: %b\r\n\r\n%b" % (coding, body)
        for coding, body in (
            (b"identity", PAGE),
            (b"gzip", gzip.compress(PAGE, mtime=0)),
            (b"zstd", zstandard.compress(PAGE)),
            (b"br", brotli.compress(PAGE)),
        )
    )
]
WET = b"".join(
    b"WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: http://a.example/\r\nWARC-Date: 2024-05-06T07:08:09Z\r\n"
    b"Content-Type: text/plain\r\nContent-Length: 9\r\n\r\nTwo\nlines\r\n\r\n"
    for _ in range(3)
)
ARC = b"".join(
    b"http://a.example/ 10.0.0.1 20080430204825 text/html %d\nHTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n%b\n"
    % (len(PAGE) + 44, PAGE)
    for _ in range(3)
)
ROW = {"text": "Two\nlines.", "url": "http://a.example/", "metadata": {"date": "2024-05-06"}, "id": "1"}
JSON = b"".join(json.dumps(ROW).encode() + b"\n" for _ in range(4))
VERTICAL = (
    b'<doc url="http://a.example/" date="2024-05-06" title="&#65;">\n<p heading="1">\na\tDT\n&amp;\tCC\n</p>\n</doc>\n'
) * 3
HTML = b"<!DOCTYPE html><title>T</title><p>Some text.</p>" * 4
EMAIL = (
    b'Received: from a by b\r\nMessage-ID: <1@a.example>\r\nFrom: =?iso-8859-2?Q?Ji=F8=ED?= <j@a>, "B" <b@a>\r\n'
    b"Subject: =?utf-8?B?U29tZSB0aXRsZQ==?=\r\nDate: Mon, 6 May 2024 07:08:09 +0200\r\nMIME-Version: 1.0\r\n"
    b'Content-Type: multipart/alternative; boundary="b1"\r\n\r\n--b1\r\n'
    b"Content-Type: text/plain; charset=iso-8859-2\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    b"U29tZSB0ZXh0Lg==\r\n--b1\r\n"
    b"Content-Type: text/html; charset*=utf-8''utf-8\r\n\r\n<p>Some text.</p>\r\n--b1--\r\n"
)
MHTML = (
    b"From: <Saved by Blink>\r\nSnapshot-Content-Location: http://a.example/x\r\nSubject: =?utf-8?Q?A=20page?=\r\n"
    b"Date: Mon, 6 May 2024 07:08:09 -0000\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n"
    b'\ttype="text/html";\r\n\tboundary="--b-1"\r\n\r\n----b-1\r\nContent-Type: text/html\r\n'
    b"Content-Transfer-Encoding: quoted-printable\r\nContent-Location: http://a.example/x\r\n\r\n"
    b"<p>Some t=C3=A9xt=\r\n.</p>\r\n----b-1\r\n"
    b"Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=\r\n----b-1--\r\n"
)
CDXJ = b'example,a)/ 20240506070809 {"url": "http://a.example/", "filename": "a", "offset": "1", "length": "2"}\n' * 3


def with_dictionary(*, compressed: bool) -> bytes:
    """Records as frames behind the dictionary that they need."""
    dictionary = zstandard.train_dictionary(400, [b"%b %d" % (record, n) for record in RESPONSES for n in range(40)])
    stored = zstandard.compress(dictionary.as_bytes()) if compressed else dictionary.as_bytes()
    frames = b"".join(map(zstandard.ZstdCompressor(dict_data=dictionary).compress, RESPONSES))
    return b"\x5d\x2a\x4d\x18" + len(stored).to_bytes(4, "little") + stored + frames


def wacz() -> bytes:
    """A WACZ with two archives."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("datapackage.json", "{}")
        for name in ("a", "b"):
            archive.writestr(f"archive/{name}.warc.gz", b"".join(map(gzip.compress, RESPONSES)), zipfile.ZIP_STORED)
        archive.writestr("indexes/index.cdx.gz", "x")
    return file.getvalue()


def table(rows: list[dict[str, Any]], compression: Literal["uncompressed", "zstd"]) -> bytes:
    """A table of several row groups."""
    file = io.BytesIO()
    pl.DataFrame(rows).write_parquet(file, compression=compression, row_group_size=3)
    return file.getvalue()


WHOLE: dict[str, Callable[[], bytes]] = {
    "plain.warc": lambda: b"".join(RESPONSES),
    "members.warc.gz": lambda: b"".join(map(gzip.compress, RESPONSES)),
    "frames.warc.zst": lambda: b"".join(map(zstandard.compress, RESPONSES)),
    "dictionary.warc.zst": lambda: with_dictionary(compressed=False),
    "compressed_dictionary.warc.zst": lambda: with_dictionary(compressed=True),
    "one_member.arc.gz": lambda: gzip.compress(ARC),
    "plain.arc": lambda: ARC,
    "plain.wacz": wacz,
    "plain.wet": lambda: WET,
    "plain.parquet": lambda: table([ROW] * 7, "uncompressed"),
    "zstd.parquet": lambda: table([ROW] * 7, "zstd"),
    "plain.jsonl": lambda: JSON,
    "one_frame.jsonl.zst": lambda: zstandard.compress(JSON),
    "plain.vert": lambda: VERTICAL,
    "one_member.vert.gz": lambda: gzip.compress(VERTICAL),
    "plain.html": lambda: HTML,
    "one_member.html.gz": lambda: gzip.compress(HTML),
    "one_frame.html.zst": lambda: zstandard.compress(HTML),
    "plain.txt": lambda: b"Some text of\nlines.\n\nMore.\n" * 3,
    "utf16.txt": lambda: "\ufeffSome text.\n\nMore.\n".encode("utf-16-le"),
    "plain.eml": lambda: EMAIL,
    "one_member.eml.gz": lambda: gzip.compress(EMAIL, mtime=0),
    "plain.mhtml": lambda: MHTML,
}


def mutated(data: bytes, chance: random.Random) -> bytes:
    """One to three changes: bytes are flipped, lost, added, repeated or replaced, or the end or a number is another."""
    changed = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 3))):
        place = chance.randrange(max(1, len(changed)))
        end = min(len(changed), place + chance.choice((1, 2, 4, 40, LONGEST)))
        splice = chance.choice(SPLICES)
        match chance.randrange(7):
            case 0 if changed:
                changed[place] ^= 1 << chance.randrange(8)
            case 1:
                del changed[place:end]
            case 2:
                changed[place:place] = splice
            case 3:
                changed[place : place + len(splice)] = splice
            case 4:
                changed[place:place] = changed[place:end]
            case 5:
                del changed[place:]
            case 6 if numbers := list(re.finditer(rb"[0-9]+", changed)):
                number = chance.choice(numbers)
                changed[number.start() : number.end()] = chance.choice(NUMBERS)
    return bytes(changed)


@pytest.mark.parametrize("name", WHOLE)
def test_a_mutated_file_gets_verdicts(name: str, tmp_path: Path) -> None:
    """Its records tile it. An archive can be read from any of them on."""
    chance = random.Random(name)
    whole = WHOLE[name]()
    path = tmp_path / name
    path.write_bytes(whole)
    assert {record.verdict for record in inputs.records(path) if record.record_type != "wacz"} == {None}
    for number in range(MUTATIONS):
        path.write_bytes(mutated(whole, chance))
        size = path.stat().st_size
        found = list(inputs.records(path, 5000))
        ends = [0, *(record.offset + record.length for record in found)]
        assert [record.offset for record in found] == ends[:-1], number
        assert ends[-1] == size, number
        assert [record.number for record in found] == list(range(len(found))), number
        assert {record.verdict for record in found} <= {None, *RECORD_REASONS}, number
        if (".warc" in name or ".arc" in name) and found:
            start = first_record(path, found[-1].offset, size)
            assert start is None or sum(record.length for record in records_from(path, start)) == size - start, number


@pytest.mark.parametrize("name", ["x.cdxj", "x.parquet"])
def test_a_mutated_index_is_named(name: str, tmp_path: Path) -> None:
    """Records that it does not name would be missing: an index that is not whole is an error of one line."""
    row = {"url": "http://a.example/", "warc_filename": "a", "warc_record_offset": 1, "warc_record_length": 2}
    whole = CDXJ if name == "x.cdxj" else table([row] * 7, "zstd")
    chance = random.Random(name)
    path = tmp_path / name
    for _ in range(MUTATIONS):
        path.write_bytes(mutated(whole, chance))
        try:
            selections.is_index(path)
            selections.select([path], Selection())
        except ConfigError as error:
            message = str(error)
        else:
            continue
        assert message.startswith(str(path))
        assert "\n" not in message

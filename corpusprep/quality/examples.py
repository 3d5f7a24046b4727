"""Reads the documents that a classifier of quality learns from: a folder of good ones, and one of bad ones."""

import contextlib
import hashlib
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from corpusprep._native.quality import text_features
from corpusprep.archive import html_files, inputs, plain_text
from corpusprep.archive.records import host
from corpusprep.archive.stored_streams import StoredFile
from corpusprep.errors import ArchiveError

#: Kinds of files whose records are texts; a text file is one document.
_TEXTS, _TEXT = frozenset({"json", "parquet", "vertical"}), "text"
_PARAGRAPH = re.compile(r"<(?:p|h2)>(.*)</(?:p|h2)>")
_ADDRESS = re.compile(r"URL:[ \t]*(\S+)[^\n]*\n?")
_LIMIT = 200_000_000


class Example(NamedTuple):
    """A document.

    Attributes:
        digest: of its text.
        name: its address, or the name of its file.
        host: of its address; else the name of its file before the first `_`.
        good: whether it is one of the good ones.
        features: those of its text, uint32, ascending.
        counts: how often it has each, int64.
    """

    digest: str
    name: str
    host: str
    good: bool
    features: NDArray[np.uint32]
    counts: NDArray[np.int64]


def read_examples(good: Path, bad: Path) -> tuple[list[Example], int, int]:
    """Returns the documents in an order that depends on their texts alone, each text once.

    A text that is among the good and the bad ones is left out. Of an address that has several texts, all stay.

    Args:
        good: the folder, or file, of good documents: JSON lines, Parquet, verticals, texts (`.txt`).
        bad: that of bad ones.

    Returns:
        The documents, the number of texts that were there before, and of those that are both good and bad.

    Raises:
        ArchiveError: a file cannot be read, or is none of these.
    """
    by_digest: dict[str, Example | None] = {}
    repeated = 0
    for folder, is_good in ((good, True), (bad, False)):
        for name, of_host, text in _texts(folder):
            digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
            if digest in by_digest:
                before = by_digest[digest]
                if before is None or before.good != is_good:
                    by_digest[digest] = None
                    continue
                repeated += 1
                if (before.name, before.host) <= (name, of_host):
                    continue
            features, counts = np.unique(text_features(text), return_counts=True)
            by_digest[digest] = Example(digest, name, of_host, is_good, features, counts.astype(np.int64))
    both = sum(example is None for example in by_digest.values())
    examples = [example for _, example in sorted(by_digest.items()) if example is not None and len(example.features)]
    return examples, repeated, both


def _texts(folder: Path) -> Iterator[tuple[str, str, str]]:
    """Yields the name, the host and the text of each document."""
    for path in inputs.archives_in(folder) if folder.is_dir() else [folder]:
        kind = inputs.kind(path)
        if kind == _TEXT:
            text = _whole(path)
            address = _ADDRESS.match(text)
            of_name = path.name.partition("_")[0].removesuffix(".txt")
            if address is None:
                yield path.name, of_name, text
            else:
                yield address[1], host(address[1]) or of_name, text[address.end() :]
        elif kind in _TEXTS:
            for record in inputs.records(path, _LIMIT):
                if record.record_type == plain_text.RECORD_TYPE and record.verdict is None:
                    lines = _PARAGRAPH.findall(record.body.decode("utf-8", "replace"))
                    name = record.url or f"{path.name}:{record.offset}"
                    yield name, host(record.url) or path.name, "\n".join(map(unescape, lines))
                elif record.verdict == "damaged":
                    raise ArchiveError(f"{path}: damaged at byte {record.offset:,}; write or fetch it again")
        else:
            raise ArchiveError(
                f"{path}: no texts to learn from; give JSON lines, Parquet, verticals or texts (.txt), as `corpusprep"
                " extract` and `corpusprep export` write them"
            )


def _whole(path: Path) -> str:
    with contextlib.closing(StoredFile(path)) as stored:
        data, verdict = html_files.content(stored, _LIMIT)
    if verdict is not None:
        raise ArchiveError(f"{path}: {verdict.replace('_', ' ')}; write it again, or leave it out")
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise ArchiveError(f"{path}: not UTF-8; convert the file first (iconv -t utf-8)") from None

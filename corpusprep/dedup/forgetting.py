"""Documents that a corpus forgets: those that a list names by address, host, prefix or digest.

They are left out before exact duplicates are found. So duplicates that they had suppressed return, and all that follows
is as if they had never been there.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import polars as pl

from corpusprep import __version__
from corpusprep.archive.records import host
from corpusprep.errors import ConfigError
from corpusprep.io.entries import entries
from corpusprep.io.files import replacing
from corpusprep.tables import schemas
from corpusprep.tables.reading import TablePieces, read_table

#: The columns of `tokens` that entries are compared with.
COLUMNS = ("url", "digest", "page_digest", "id")
#: The receipt: what was left out, by which entry, and where it is.
RECEIPT = ("entry", "id", "url", "date", "text_digest", "page_digest", "archive", "offset", "record_id", "batch")
_DIGEST = re.compile(r"[0-9a-f]{32}|[0-9a-f]{16}")
#: The address of an HTML file without a rule (archive.html_files).
_FILE = re.compile(r"file:/*[^\s/].*")
_HOST = re.compile(r"[^\s/:@*]+\.[^\s/:@*.]+\.?|localhost")


@dataclass(slots=True, frozen=True)
class ForgetList:
    """Entries of a list.

    Attributes:
        urls: whole addresses, as the archives have them.
        prefixes: beginnings of addresses, by their number of characters.
        hosts: hosts, which stand for their subdomains too.
        digests: MD5 of a document's text or of a page's bytes, or the id of a document.
    """

    urls: frozenset[str]
    prefixes: dict[int, frozenset[str]]
    hosts: frozenset[str]
    digests: frozenset[str]

    @classmethod
    def of(cls, setting: str) -> "ForgetList | None":
        """Reads the list that the setting `forget` names; None without one. Errors are as for `read`."""
        return cls.read(Path(setting)) if setting else None

    @classmethod
    def read(cls, path: Path) -> "ForgetList":
        """Reads a list: one entry per line; empty lines and those that start with `#` are left out.

        Raises:
            ConfigError: it cannot be read, or a line is no entry; names the line.
        """
        urls, prefixes, hosts, digests = set[str](), set[str](), set[str](), set[str]()
        for entry in entries([f"@{path}"]):
            text = entry.text
            if entry.out:
                raise _wrong(path, f"!{text}")
            if text.endswith("*") and _is_address(text[:-1]):
                prefixes.add(text[:-1])
            elif _is_address(text):
                urls.add(text)
            elif _DIGEST.fullmatch(text.lower()):
                digests.add(text.lower())
            elif _HOST.fullmatch(text):
                hosts.add(_ascii(text.lower().rstrip(".")))
            else:
                raise _wrong(path, text)
        by_length: dict[int, set[str]] = {}
        for prefix in prefixes:
            by_length.setdefault(len(prefix), set()).add(prefix)
        lengths = {length: frozenset(of_length) for length, of_length in sorted(by_length.items())}
        return cls(frozenset(urls), lengths, frozenset(hosts), frozenset(digests))

    def matched(self, documents: pl.DataFrame) -> pl.Series:
        """Returns the entry that each document matches, null for those that stay.

        Args:
            documents: the columns COLUMNS, without nulls.
        """
        entry = pl.lit(None, pl.String)
        for column in ("id", "page_digest", "digest"):
            entry = pl.when(pl.col(column).is_in(list(self.digests))).then(pl.col(column)).otherwise(entry)
        for length, prefixes in self.prefixes.items():
            start = pl.col("url").str.slice(0, length)
            entry = pl.when(start.is_in(list(prefixes))).then(start + "*").otherwise(entry)
        entry = pl.when(pl.col("url").is_in(list(self.urls))).then(pl.col("url")).otherwise(entry)
        series = documents.select(entry.alias("entry")).to_series()
        if not self.hosts:
            return series
        names = pl.Series("entry", [self._host(url) for url in documents["url"]], dtype=pl.String)
        return names.fill_null(series) if names.null_count() else names

    def _host(self, url: str) -> str | None:
        """Returns the entry that the host of an address matches."""
        name = _ascii(host(url))
        while name:
            if name in self.hosts:
                return name
            name = name.partition(".")[2]
        return None


def write_receipt(listed: ForgetList, batches: Sequence[str], tokens: Path, encoding: Path, output: Path) -> None:
    """Writes what a list has removed, and from where: a table with the time of this build above it.

    The time is not part of the corpus; it says which build is the first without the documents.

    Raises:
        StageFileError: a table is missing or damaged.
    """
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    with replacing(output) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as out:
        out.write(f"# corpusprep {__version__}; built {now}; entries of the list match these documents\n")
        out.write("\t".join(RECEIPT) + "\n")
        for batch in batches:
            for rows in _forgotten(listed, tokens / f"{batch}.parquet", encoding / f"{batch}.parquet"):
                out.writelines(
                    "\t".join(" ".join(str(cell).split()) for cell in row) + "\n" for row in rows.iter_rows()
                )


def _forgotten(listed: ForgetList, tokens: Path, encoding: Path) -> Iterator[pl.DataFrame]:
    """Yields the rows of the receipt of a batch."""
    for piece in TablePieces(tokens, ["batch", "record", "date", *COLUMNS], 1 << 16):
        known = piece.with_columns(pl.col(pl.String).fill_null(""))
        matched = known.with_columns(listed.matched(known)).drop_nulls("entry")
        if matched.height:
            where = read_table(encoding, schemas.ENCODING, ["record", "archive", "offset", "record_id"])
            matched = matched.rename({"digest": "text_digest"}).join(
                where, on="record", how="left", maintain_order="left"
            )
            yield matched.with_columns(pl.col("record_id").fill_null("")).select(RECEIPT)


def _ascii(name: str) -> str:
    """Returns a host in the form of the DNS, if it has one."""
    try:
        return name if name.isascii() else name.encode("idna").decode()
    except UnicodeError:
        return name


def _is_address(text: str) -> bool:
    """Returns whether a text is a whole address, or enough of one: with a host, or the path of a file."""
    named = "://" in text and host(text)
    return "*" not in text and bool(named or _FILE.fullmatch(text))


def _wrong(path: Path, text: str) -> ConfigError:
    lines: Iterable[str] = path.read_text(encoding="utf-8-sig").splitlines() if path.suffix != ".gz" else ()
    number = next((number for number, line in enumerate(lines, 1) if line.strip() == text), None)
    place = f"{path}, line {number}" if number else str(path)
    return ConfigError(
        f"{place}: {text[:60]!r} is no address (https://… or file:…), prefix (https://…*), host (example.org) or digest"
        " (32 or 16 hexadecimal digits)"
    )

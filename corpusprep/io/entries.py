"""Reads lists of entries as a config gives them: `entry`, `!entry` to leave out, `@file` with one entry per line."""

import gzip
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from corpusprep.errors import ConfigError
from corpusprep.io import named_files


class Entry(NamedTuple):
    """An entry without its mark.

    Attributes:
        text: of the entry.
        out: what it matches is left out.
        place: file and line, if it stands in a file.
    """

    text: str
    out: bool
    place: str = ""


def entries(texts: Iterable[str]) -> Iterator[Entry]:
    """Yields the entries; a file is replaced by its entries.

    In a file, empty lines and lines that start with `#` are left out; lines may start with `!`. After `!@`, all lines
    are left out. A file may be compressed by gzip.

    Raises:
        ConfigError: a file cannot be read, or an entry is only a mark.
    """
    for entry_text in texts:
        bare, out = entry_text.removeprefix("!"), entry_text.startswith("!")
        if bare.startswith("@"):
            path = Path(bare[1:])
            for number, line in enumerate(read_text(path).splitlines(), 1):
                text = line.strip()
                if not text or text.startswith("#"):
                    continue
                if text.startswith("@") or (out and text.startswith("!")):
                    raise ConfigError(
                        f"{path}, line {number}: {text[:60]!r}: an entry here cannot start with {text[0]}"
                    )
                place = f"{path}, line {number}"
                yield _entry(text.removeprefix("!"), out or text.startswith("!"), place)._replace(place=place)
        else:
            yield _entry(bare, out, repr(entry_text))


def files(texts: Iterable[str]) -> list[str]:
    """Returns the files that are named among entries, in order; in place of a folder, the lists in it."""
    named = [bare[1:] for bare in (text.removeprefix("!") for text in texts) if bare.startswith("@")]
    return [file for name in named for file in (map(str, list_files(Path(name))) if Path(name).is_dir() else [name])]


def list_files(folder: Path) -> list[Path]:
    """Returns the lists in a folder of hosts and addresses by subject, as those of UT1 (University of Toulouse).

    Raises:
        ConfigError: there are none.
    """
    known = [folder / f"{name}{suffix}" for name in ("domains", "urls") for suffix in ("", ".gz")]
    if not (lists := [path for path in known if path.is_file()]):
        raise ConfigError(f"{folder}: a folder without lists: it has no file domains or urls; name a file")
    return lists


def _entry(text: str, out: bool, place: str) -> Entry:
    if not text.strip():
        raise ConfigError(f"{place}: nothing follows the mark")
    return Entry(text, out)


def read_text(path: Path) -> str:
    """Returns the text of a list, which gzip may have compressed.

    Raises:
        ConfigError: it cannot be read.
    """
    try:
        data = named_files.read(path)
        if path.suffix == ".gz":
            data = gzip.decompress(data)
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: not UTF-8; it must be a list, one entry per line") from None
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise ConfigError(f"{path}: the list cannot be read: {reason}; write it again, or correct its name") from None

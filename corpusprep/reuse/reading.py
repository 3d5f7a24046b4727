"""Reads documents of any origin: verticals and plain texts."""

import bisect
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from corpusprep._native.unicode import nfc
from corpusprep.encoding import charsets
from corpusprep.errors import CorpusprepError
from corpusprep.io import named_files
from corpusprep.io.files import lines_of, zstd_chunks
from corpusprep.text.tokenizer import Tokenizer
from corpusprep.text.vertical import attributes, unescape

#: Endings of the files that are read from a folder.
ENDINGS = (".txt", ".vert", ".vert.zst")
_STRUCTURE = re.compile("<[/A-Za-z].*>")
_DOCUMENT = re.compile("<(/?)doc[ />]")


class InputError(CorpusprepError):
    """A file or folder of documents cannot be read."""


class Text(NamedTuple):
    """A document as it was read.

    Attributes:
        attributes: attributes of its `<doc …>` line; a plain text has its file's name as `id`.
        tokens: all tokens; in a vertical the first column, unescaped.
        spans: characters (begin, end) of each token of a plain text; None for a vertical.
        lines: the line of each token of a plain text, from 0; None for a vertical.
    """

    attributes: dict[str, str]
    tokens: list[str]
    spans: list[tuple[int, int]] | None
    lines: list[int] | None = None


def read_texts(path: Path, tokenizer: Tokenizer) -> list[Text]:
    """Returns the documents of a vertical (plain or .zst), a plain text, or a folder's files with one of ENDINGS.

    A file is a vertical if it starts with `<doc`. A plain text is UTF-8, or else windows-1252.

    Raises:
        InputError: the file or folder does not exist, has no such files, or cannot be read.
        StageFileError: a compressed file is damaged.
    """
    try:
        if not path.exists():
            raise InputError(f"{path}: no such file or folder")
        if path.is_dir():
            files = sorted(file for file in path.iterdir() if file.name.endswith(ENDINGS) and file.is_file())
            if not files:
                raise InputError(f"{path}: no file in this folder is named *{', *'.join(ENDINGS)}")
            return [text for file in files for text in read_texts(file, tokenizer)]
        data = b"".join(zstd_chunks(path)) if path.name.endswith(".zst") else named_files.read(path)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    if data.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<doc"):
        return [Text(names, tokens, None) for names, tokens in vertical_texts([data])]
    try:
        content = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        content, _ = charsets.decode(data, "windows-1252")
    tokens, spans = tokens_and_spans(content, tokenizer)
    return [Text({"id": path.name}, tokens, spans, _line_numbers(content, spans))]


def tokens_and_spans(text: str, tokenizer: Tokenizer) -> tuple[list[str], list[tuple[int, int]]]:
    """Returns the tokens of a text, composed as the tokens of corpora are, and the characters (begin, end) of each."""
    tokens = [token.text for token in tokenizer.tokenize(text)]
    spans = []
    end = 0
    for token in tokens:
        begin = text.index(token, end)  # skips only white space and zero-width spaces
        end = begin + len(token)
        spans.append((begin, end))
    return list(map(nfc, tokens)), spans


def _line_numbers(text: str, spans: list[tuple[int, int]]) -> list[int]:
    """Returns the line of each token, from 0."""
    breaks = [place for place, character in enumerate(text) if character == "\n"]
    return [bisect.bisect(breaks, begin) for begin, _ in spans]


def vertical_texts(chunks: Iterable[bytes]) -> Iterator[tuple[dict[str, str], list[str]]]:
    """Yields the attributes and tokens of each document of a vertical; chunks may end anywhere.

    Skips structures other than `<doc>`, and lines outside documents, as the kernels do (vertical.hpp).
    """
    names: dict[str, str] | None = None
    tokens: list[str] = []
    for line in _lines(chunks):
        if is_structure(line):
            if match := _DOCUMENT.match(line):
                if names is not None:
                    yield names, tokens
                names, tokens = (None if match[1] else attributes(line)), []
        elif names is not None and (token := line.partition("\t")[0]):
            tokens.append(unescape(token))
    if names is not None:
        yield names, tokens


def is_structure(line: str) -> bool:
    """Returns whether a line of a vertical is a structure, by the rule of vertical.hpp."""
    return line.startswith("<") and _STRUCTURE.fullmatch(line) is not None


def _lines(chunks: Iterable[bytes]) -> Iterator[str]:
    return (line.decode("utf-8", "replace").rstrip("\r") for line in lines_of(chunks))

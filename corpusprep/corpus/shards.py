"""Writes documents into files of a size: a series of files per part of a corpus (training, validation)."""

import re
from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from corpusprep.corpus.documents import Additions
from corpusprep.corpus.formats.interface import CorpusDocument, OutputFormat, Part, Write

#: Names of the parts, where there are two.
TRAIN, VALIDATION = "train", "validation"
_LICENCE = re.compile(
    r"creativecommons\.org/(?:licenses/(?P<address>by[a-z-]*)|publicdomain/(?P<free>zero|mark))"
    r"|\bCC[ -]?(?P<mark>BY(?:[ -](?:NC|ND|SA))*|0)\b",
    re.IGNORECASE,
)
_FREE = {"zero": "CC0", "mark": "public domain mark"}


@dataclass(frozen=True, slots=True)
class Division:
    """How the documents of a corpus are put into files.

    Attributes:
        size: bytes of text (UTF-8), or tokens, per file; a longer document has a file of its own. None: one file.
        of_tokens: whether the size is a number of tokens: of the model, where they are counted.
        order: `archives`, `shuffled` or `sentences` (the setting corpus.order).
        seed: decides the order of what is shuffled.
        validation: the share of documents in files of their own, for validation.
        memory: bytes that the process may use where it shuffles.
    """

    size: int | None = None
    of_tokens: bool = False
    order: str = "archives"
    seed: int = 0
    validation: float = 0.0
    memory: int = 2_000_000_000

    def length(self, document: CorpusDocument) -> int:
        """Returns the length of a document in the unit of the size."""
        if self.of_tokens:
            return int(document.values.get("model_tokens", document.values["tokens"]))
        return len(document.values["text"].encode())


class PartWriter:
    """Writes a part into files, which are filled in order; there is at least one."""

    def __init__(
        self,
        name: str,
        stem: str,
        folder: Path,
        formats: Mapping[str, OutputFormat],
        additions: Additions,
        division: Division,
    ) -> None:
        """Prepares a part.

        Args:
            name: of the part; empty for all of the corpus.
            stem: of the names of its files.
            folder: of the files.
            formats: output formats by name; files of one name have the same documents in each.
            additions: of the corpus.
            division: how documents are put into files.
        """
        self._name, self._stem, self._folder = name, stem, folder
        self._formats, self._additions, self._division = formats, additions, division
        self._files = self._length = 0
        self._sums = Counter[str]()
        self._licences = Counter[str]()
        self._writers: list[Write] = []
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        self._open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._stack.__exit__(kind, error, traceback)

    def write(self, document: CorpusDocument) -> None:
        """Writes a document into the present file, or into the next one where it would be too long."""
        length, size = self._division.length(document), self._division.size
        if size is not None and self._length and self._length + length > size:
            self._stack.close()
            self._open()
        for write in self._writers:
            write(document)
        self._length += length
        values = document.values
        self._sums["documents"] += 1
        for name in ("words", "tokens", "model_tokens"):
            self._sums[name] += values.get(name, 0)
        self._licences[licence(values["licence"])] += 1

    @property
    def part(self) -> Part:
        """What has been written."""
        pattern = self._stem if self._division.size is None else f"{self._stem}-*"
        sums = {name: self._sums[name] for name in ("documents", "words", "tokens", *self._additions.document_columns)}
        return Part(self._name, pattern, self._files, sums, dict(self._licences))

    def _open(self) -> None:
        number = "" if self._division.size is None else f"-{self._files:05}"
        paths = {name: self._folder / f"{self._stem}{number}.{form.suffix}" for name, form in self._formats.items()}
        self._writers = [
            self._stack.enter_context(self._formats[name].writer(path, *self._additions.of_writers))
            for name, path in paths.items()
        ]
        self._files += 1
        self._length = 0


def licence(value: str) -> str:
    """Returns the kind of a licence that a page names: of Creative Commons by its elements, or `other`.

    >>> licence("https://creativecommons.org/licenses/by-nc-sa/4.0/"), licence("CC0"), licence("Mine"), licence("")
    ('CC BY-NC-SA', 'CC0', 'other', 'none')
    """
    named = _LICENCE.search(value)
    if named is None:
        return "other" if value else "none"
    if named["free"]:
        return _FREE[named["free"].lower()]
    elements = (named["address"] or named["mark"]).upper().replace(" ", "-").strip("-")
    return "CC0" if elements == "0" else f"CC {elements}"

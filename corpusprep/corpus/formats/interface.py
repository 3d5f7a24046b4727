"""The interface of output formats: what a writer is given, and how a format is registered."""

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class CorpusDocument:
    """A document of the corpus.

    Attributes:
        values: the values of schemas.CORPUS (of schemas.MARKED_CORPUS if duplicates are marked), in its order.
        lines: its lines of the vertical: `<doc …>`, the kept blocks, `</doc>`.
    """

    values: dict[str, Any]
    lines: bytes

    @cached_property
    def json_line(self) -> bytes:
        """The values as a JSON object on one line."""
        return (json.dumps(self.values, ensure_ascii=False) + "\n").encode()


#: Writes one document.
Write = Callable[[CorpusDocument], None]


@dataclass(frozen=True, slots=True)
class OutputFormat:
    """An output format.

    Attributes:
        name: in a config (`corpus.formats`).
        suffix: of its files, after the batch's name and a full stop.
        description: what its files hold, in one sentence.
        open: makes a writer of documents into a file, as a context manager. The file appears under its name when the
            context ends without an error, and not before (corpusprep.io.files).
        open_marked: the same for documents whose blocks are marked; None if `open` serves them, too.
    """

    name: str
    suffix: str
    description: str
    open: Callable[[Path], AbstractContextManager[Write]]
    open_marked: Callable[[Path], AbstractContextManager[Write]] | None = None

    def writer(self, path: Path, *, marked: bool) -> AbstractContextManager[Write]:
        """Makes a writer of documents into a file; `marked`: their blocks have the attribute `duplicate`."""
        return (self.open_marked if marked and self.open_marked else self.open)(path)

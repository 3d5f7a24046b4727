"""The interface of output formats: what a writer is given, and how a format is registered."""

import json
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class CorpusDocument:
    """A document of the corpus.

    Attributes:
        values: the values of schemas.CORPUS (of schemas.corpus(attributes) if blocks have further attributes), in its
            order.
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
        open_with: the same for documents whose blocks have further attributes (schemas.BLOCK_ATTRIBUTES), which it is
            given; None if `open` serves them, too.
    """

    name: str
    suffix: str
    description: str
    open: Callable[[Path], AbstractContextManager[Write]]
    open_with: Callable[[Path, Sequence[str]], AbstractContextManager[Write]] | None = None

    def writer(self, path: Path, attributes: Sequence[str] = ()) -> AbstractContextManager[Write]:
        """Makes a writer of documents into a file; `attributes`: further attributes of their blocks."""
        return self.open_with(path, attributes) if attributes and self.open_with else self.open(path)

"""The interface of output formats: what a writer is given, and how a format is registered.

Most formats hold the documents (OutputFormat). Some describe the whole corpus (CorpusFormat).
"""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class CorpusDocument:
    """A document of the corpus.

    Attributes:
        values: the values of schemas.CORPUS (of schemas.corpus if blocks have further attributes, or tokens or
            documents further columns), in its order.
        lines: its lines of the vertical: `<doc …>`, the kept blocks, `</doc>`.
        own: own fields of a text input, as attributes of its document: `meta_genre`.
        record: the number of its record in its batch.
    """

    values: dict[str, Any]
    lines: bytes
    own: Mapping[str, str] = field(default_factory=dict)
    record: int = 0

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
        name: in a config (`corpus.formats`), and the name of the entry point.
        suffix: of its files, after the batch's name and a full stop.
        description: what its files hold, in one sentence.
        open: makes a writer of documents into a file, as a context manager. The file appears under its name when the
            context ends without an error, and not before (corpusprep.io.files).
        open_with: the same for documents whose blocks have further attributes (schemas.BLOCK_ATTRIBUTES), or whose
            tokens have further columns, which it is given; None if `open` serves them, too.
        open_further: the same for documents that have further columns (schemas.DOCUMENT_COLUMNS), which it is given
            after the others; None if the other two serve them, too.
    """

    name: str
    suffix: str
    description: str
    open: Callable[[Path], AbstractContextManager[Write]]
    open_with: Callable[[Path, Sequence[str], Sequence[str]], AbstractContextManager[Write]] | None = None
    open_further: (
        Callable[[Path, Sequence[str], Sequence[str], Sequence[str]], AbstractContextManager[Write]] | None
    ) = None

    def writer(
        self,
        path: Path,
        attributes: Sequence[str] = (),
        columns: Sequence[str] = (),
        document_columns: Sequence[str] = (),
    ) -> AbstractContextManager[Write]:
        """Makes a writer of documents into a file.

        They may have further attributes of blocks, columns of tokens, and columns of their own.
        """
        if document_columns and self.open_further:
            return self.open_further(path, attributes, columns, document_columns)
        with_more = self.open_with if attributes or columns else None
        return with_more(path, attributes, columns) if with_more else self.open(path)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a corpus in files of its own.

    Attributes:
        name: `train` or `validation`; empty for all of the corpus.
        pattern: of the names of its files, without their suffix.
        files: their number in each format.
        sums: documents, words, tokens and, where they are counted, model_tokens, by name.
        licences: the number of its documents by the kind of the licence that their page names.
    """

    name: str
    pattern: str
    files: int
    sums: Mapping[str, int]
    licences: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class FinishedCorpus:
    """A corpus whose documents are written, for formats that describe it.

    Attributes:
        name: of the corpus.
        verticals: its verticals, in the order of the archives.
        statistics: the folder of its statistics.
        formats: the names of the formats that it has been written in.
        block_attributes: further attributes of its blocks (schemas.BLOCK_ATTRIBUTES).
        columns: names of the columns of its tokens beside the word, as far as they are known.
        document_attributes: further attributes of its documents: own fields of text inputs (`meta_genre`).
        settings: the settings that it was made with, by section; empty if they are not known.
        language: code of its language; empty if it is not known.
        language_name: its name in English; empty if it is not known.
        model: what languages.get gives the model of its language for; empty if there is none.
        licence: what its owner says of its licence; may be empty.
        citation: how it is to be cited; may be empty.
        parts: its parts, where it is in files of the whole corpus.
        order: of the documents in these (corpus.order).
        seed: that decides the order of what is shuffled.
    """

    name: str
    verticals: Sequence[Path]
    statistics: Path
    formats: Sequence[str]
    block_attributes: Sequence[str] = ()
    columns: Sequence[str] = ()
    document_attributes: Sequence[str] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    language: str = ""
    language_name: str = ""
    model: str = ""
    licence: str = ""
    citation: str = ""
    parts: Sequence[Part] = ()
    order: str = "archives"
    seed: int = 0


@dataclass(frozen=True, slots=True)
class CorpusFormat:
    """A format that describes a whole corpus: files beside those of its documents.

    Attributes:
        name: in a config (`corpus.formats`), and the name of the entry point.
        files: names of its files.
        description: what its files hold, in one sentence.
        write: writes the files, at the paths that it is given; each appears when it is complete.
        mark: a text in its files that a user's own file of the same name does not have; empty if no user has one.
    """

    name: str
    files: tuple[str, ...]
    description: str
    write: Callable[[FinishedCorpus, Sequence[Path]], None]
    mark: str = ""

    def paths(self, folder: Path) -> list[Path]:
        """Returns the paths of its files in a folder."""
        return [folder / name for name in self.files]

    def is_made(self, path: Path) -> bool:
        """Returns whether a file with the name of one of its files is there and not a user's own."""
        return path.is_file() and (not self.mark or self.mark.encode() in path.read_bytes())

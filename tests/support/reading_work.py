"""Counts the work of reading an archive, for tests that it grows no faster than the archive."""

import pytest

from corpusprep.archive.stored_streams import StoredFile


class ReadingWork:
    """Counts what is read from stored files during the rest of a test.

    Attributes:
        bytes: bytes read so far, each as often as it was read.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.bytes = 0
        plain = StoredFile.at

        def at(stored: StoredFile, offset: int, count: int) -> bytes:
            data = plain(stored, offset, count)
            self.bytes += len(data)
            return data

        monkeypatch.setattr(StoredFile, "at", at)

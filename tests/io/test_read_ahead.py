"""Reading ahead in a background thread."""

import threading
from collections.abc import Iterator

import pytest

from corpusprep.errors import StageFileError
from corpusprep.io import read_ahead as module
from corpusprep.io.read_ahead import read_ahead


def chunks(count: int = 1000) -> Iterator[bytes]:
    """Chunks of many sizes, some empty, some larger than a piece."""
    for number in range(count):
        yield bytes([number % 251]) * (number * number % 3001 + (module.PIECE if number % 400 == 399 else 0))


def test_the_bytes_come_in_their_order() -> None:
    """The bytes come in order, in larger pieces."""
    pieces = list(read_ahead(chunks()))
    assert b"".join(pieces) == b"".join(chunks())
    assert len(pieces) < 20
    assert list(read_ahead(iter(()))) == [b""]


def test_an_error_is_raised_where_the_bytes_are_wanted() -> None:
    """An error is raised after the bytes that were read before it."""

    def damaged() -> Iterator[bytes]:
        yield b"x" * module.PIECE
        raise StageFileError("vertical: cut short")

    pieces = read_ahead(damaged())
    assert next(pieces) == b"x" * module.PIECE
    with pytest.raises(StageFileError, match="cut short"):
        next(pieces)


def test_no_more_is_read_than_waits_and_no_thread_stays() -> None:
    """The thread ends if the caller fails."""
    made = []

    def endless() -> Iterator[bytes]:
        while True:
            made.append(len(made))
            yield b"x" * module.PIECE

    before = set(threading.enumerate())  # pools of other modules may wait for work
    pieces = read_ahead(endless())
    next(pieces)
    assert len(set(threading.enumerate()) - before) == 1
    pieces.close()
    assert set(threading.enumerate()) <= before
    assert len(made) <= module.WAITING + 3

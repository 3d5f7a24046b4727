"""Ends what runs for a long time when nobody waits for it any more."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from corpusprep.errors import CorpusprepError


class SearchEndedError(CorpusprepError):
    """Nobody waits for the answer any more."""

    def __init__(self) -> None:
        super().__init__("the search was ended")


_ENDED: ContextVar[Callable[[], bool]] = ContextVar("ended", default=lambda: False)


@contextmanager
def ended_by(ended: Callable[[], bool]) -> Iterator[None]:
    """What is read from a corpus in the block ends once `ended` says yes. It is asked often, in any thread."""
    token = _ENDED.set(ended)
    try:
        yield
    finally:
        _ENDED.reset(token)


def ending() -> Callable[[], bool]:
    """Returns what says whether the work of this thread shall end. Threads that it starts must be given it."""
    return _ENDED.get()

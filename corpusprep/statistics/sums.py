"""Sums by key over many batches, in memory that grows with the number of keys only."""

import polars as pl


class Sums:
    """Adds up the numbers of frames by their key columns."""

    def __init__(self, keys: list[str], compact_at: int = 1_000_000) -> None:
        """`compact_at`: rows waiting to be added up before they are, so that few keys stay few rows."""
        self._keys = keys
        self._compact_at = compact_at
        self._frames: list[pl.DataFrame] = []
        self._waiting = 0

    def add(self, frame: pl.DataFrame) -> None:
        """Adds the rows of `frame`: the key columns and columns of 64-bit numbers."""
        self._frames.append(frame)
        self._waiting += frame.height
        if self._waiting >= self._compact_at:
            total = self.total()
            self._frames, self._waiting = [total], 0

    def total(self) -> pl.DataFrame:
        """One row a key, sorted by the keys; needs at least one frame added."""
        return pl.concat(self._frames).group_by(self._keys).sum().sort(self._keys)

    def __bool__(self) -> bool:
        return bool(self._frames)

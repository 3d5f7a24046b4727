"""What loading the package takes on this machine: kernels differ in how much of a file they map at once."""

import subprocess
import sys
from functools import cache

#: Bytes that a command holds once its libraries were used, on the machine where limits were chosen.
USUAL = 95_000_000
_USED = """
from corpusprep import startup
startup.prepare_command(0)
import io
import polars as pl
from corpusprep.commands import blocks, statistics
from corpusprep.dedup import block_table, clusters, matches
from corpusprep.io import memory
stored = io.BytesIO()
frame = pl.DataFrame({"key": range(1000), "text": ["word"] * 1000})
frame.write_parquet(stored)
stored.seek(0)
pl.read_parquet(stored).sort("key").join(frame, on="key").group_by("text").len()
print(memory.held())
"""


@cache
def more_than_usual() -> int:
    """Returns the bytes by which loading takes more here than USUAL, 0 if it does not; tests of memory add them."""
    held = subprocess.run([sys.executable, "-c", _USED], check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
    return max(0, int(held) - USUAL)

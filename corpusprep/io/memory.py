"""Memory limits: what is left of a limit for the work at hand."""

import contextlib
import resource
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import click

from corpusprep.errors import ConfigError, ResourceError
from corpusprep.io.sizes import parse_size

#: Left free beside what is planned: the allocator's own, the interpreter's temporary objects.
RESERVE = 8 << 20


def format_size(size: int) -> str:
    """`size` bytes in megabytes, rounded up, as parse_size reads it."""
    return f"{-(-size // 10**6)}M"


def size(text: str) -> int:
    """The type of a command-line option that is a size in bytes."""
    try:
        return parse_size(text)
    except ConfigError as error:
        raise click.BadParameter(str(error)) from None


_before = 0  # the peak of what was before the system counted anew


def used() -> int:
    """The most memory this process has held so far, in bytes."""
    return max(_before, _status("VmHWM"))


@contextlib.contextmanager
def peak() -> Iterator[Callable[[], int | None]]:
    """Gives a function that says the most memory the process has held since, in bytes; None but on Linux."""
    global _before
    _before = used()
    try:
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # the kernel's peak is what is held now
        anew = True
    except OSError:
        anew = False
    yield lambda: _status("VmHWM") if anew else None


def held() -> int:
    """The memory this process holds, in bytes."""
    return _status("VmRSS")


def _status(field: str) -> int:
    with (
        contextlib.suppress(OSError),
        Path("/proc/self/status").open(encoding="ascii", errors="replace") as status,
    ):
        for line in status:
            if line.startswith(f"{field}:"):
                return int(line.split()[1]) * 1024
    # Where there is no /proc. On Linux this would count the process that started this one, too.
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def budget(memory: int, needed: int, purpose: str) -> int:
    """Bytes of the limit `memory` that are free for the work, the process as it stands taken off.

    Raises:
        ResourceError: less than `needed` bytes are; `purpose` says what they are for.
    """
    fixed = held() + RESERVE
    least = max(fixed + needed, used())
    if memory < least:
        raise ResourceError(
            f"memory of {format_size(memory)} is too little for {purpose}: at least {format_size(least)} is needed"
        )
    return memory - fixed

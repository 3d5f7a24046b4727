"""Memory limits: how much of a limit is free for the next step."""

import contextlib
import resource
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import click

from corpusprep.errors import ConfigError, ResourceError
from corpusprep.io.sizes import parse_size

#: Bytes not planned for: overhead of the allocator, temporary objects of the interpreter.
RESERVE = 8 << 20
#: Bytes of polars's code that are loaded when it is first used: 39 MB on some machines, 49 MB on others, where the
#: kernel maps larger pieces of a file.
POLARS = 60 << 20
#: Bytes of address space for a command: on small batches, they reserve 170 to 520 MB.
LEAST_ADDRESS_SPACE = 800_000_000
#: Address space that polars' threads reserve when the first table is read: two pools of threads, and their arenas.
RESERVED_LATER = 250 << 20


def format_size(size: int) -> str:
    """Returns `size` bytes as megabytes, rounded up, in the form that parse_size reads: 240M."""
    return f"{-(-size // 10**6)}M"


def size(text: str) -> int:
    """Converts a command-line option that is a size in bytes."""
    try:
        return parse_size(text)
    except ConfigError as error:
        raise click.BadParameter(str(error)) from None


def address_space() -> int | None:
    """Returns the limit of this process's address space (`ulimit -v`), in bytes; None if there is none.

    Address space is memory that was reserved, whether it is used or not: code, stacks of threads, arenas of allocators.
    """
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    return None if limit == resource.RLIM_INFINITY else limit


def require_address_space(what: str) -> None:
    """Fails where the address space of this process is limited to fewer than LEAST_ADDRESS_SPACE bytes.

    Raises:
        ResourceError: it is; `what` says what needs it.
    """
    limit = address_space()
    if limit is not None and limit < LEAST_ADDRESS_SPACE:
        raise ResourceError(
            f"address space of {format_size(limit)} (ulimit -v, h_vmem) is too little for {what}: "
            f"at least {format_size(LEAST_ADDRESS_SPACE)} is needed"
        )


_before = 0  # the peak before the system's counter was reset


def used() -> int:
    """Returns the most memory that this process has held so far, in bytes."""
    return max(_before, _status("VmHWM"))


@contextlib.contextmanager
def peak() -> Iterator[Callable[[], int | None]]:
    """Gives a function that returns the most memory held since then, in bytes; None if not on Linux."""
    global _before
    _before = used()
    reset = _reset_peak()
    yield lambda: _status("VmHWM") if reset else None


def forget_peak() -> None:
    """Starts counting the most memory held again from the memory held now, where the system can."""
    global _before
    _before = 0
    _reset_peak()


def _reset_peak() -> bool:
    """Resets the kernel's peak to the memory held now; returns whether it could."""
    try:
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    except OSError:
        return False
    return True


def held() -> int:
    """Returns the memory that this process holds, in bytes."""
    return _status("VmRSS")


def _status(field: str) -> int:
    with (
        contextlib.suppress(OSError),
        Path("/proc/self/status").open(encoding="ascii", errors="replace") as status,
    ):
        for line in status:
            if line.startswith(f"{field}:"):
                return int(line.split()[1]) * 1024
    # For systems without /proc. On Linux this would also count the process that started this one.
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def budget(memory: int, needed: int, purpose: str) -> int:
    """Returns the bytes of the limit `memory` that are free: the limit minus what the process holds already.

    Raises:
        ResourceError: fewer than `needed` bytes are free; `purpose` says what they are for.
    """
    fixed = held() + RESERVE
    least = max(fixed + needed, used())
    limit = address_space()
    if limit is not None:
        room = limit - _status("VmSize") - RESERVED_LATER
        if room < needed:
            raise ResourceError(
                f"address space of {format_size(limit)} (ulimit -v, h_vmem) is too little for {purpose}: "
                f"at least {format_size(limit - room + needed)} is needed"
            )
        memory = max(least, min(memory, fixed + room))
    if memory < least:
        raise ResourceError(
            f"memory of {format_size(memory)} is too little for {purpose}: at least {format_size(least)} is needed"
        )
    return memory - fixed

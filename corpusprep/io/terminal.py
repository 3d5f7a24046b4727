"""Guards the terminal against text of others, such as a server's message or a file's name.

A control character could move the cursor, change colours or make the terminal answer; it is shown as U+FFFD. Standard
error has messages, and is always guarded. Standard output is guarded where it is a terminal; elsewhere it is data.
Output that rich prints is guarded by `io.console`.
"""

import io
import sys
from typing import TextIO

from corpusprep.io.readable import visible


class _Guarded:
    """A stream of text; all but writing is left to the stream itself."""

    def __init__(self, stream: TextIO, *, always: bool) -> None:
        #: What rich writes to: it has sequences of its own.
        self.rich_proxied_file = stream
        self._always = always

    def write(self, text: str) -> int:
        """Writes text."""
        stream = self.rich_proxied_file
        return stream.write(visible(text) if self._always or stream.isatty() else text)

    def __getattr__(self, name: str) -> object:
        return getattr(self.rich_proxied_file, name)


def guard() -> None:
    """Guards the standard streams; standard output also escapes what its encoding does not have."""
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="backslashreplace")
    for name in ("stdout", "stderr"):
        if not isinstance(getattr(sys, name), _Guarded):
            setattr(sys, name, _Guarded(getattr(sys, name), always=name == "stderr"))


def control(text: str) -> None:
    """Writes text with control characters of our own to standard error."""
    stream = getattr(sys.stderr, "rich_proxied_file", sys.stderr)
    stream.write(text)
    stream.flush()

"""The errors corpusprep raises: each says what was wrong, where, and what to do, in one line."""

import contextlib
import errno
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

#: Of an OSError: a disk, a quota, or the largest file that a process may write (`ulimit -f`) is full.
NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})

#: The exit code for too little memory: as if the system had killed the process (SIGKILL), which is mostly for memory.
OUT_OF_MEMORY = 137

#: The folder with packed files of a corpus (jobs.packing).
PACKED = "packed"


class CorpusprepError(Exception):
    """Anything a user can act on; the command line prints its message alone, without a traceback."""


class ConfigError(CorpusprepError):
    """A key of the config, or an argument of a function, has a value that is not allowed.

    The error of a whole config has one line per mistake.
    """


class MissingPackageError(ConfigError):
    """A config needs a package that is not installed; nothing else is wrong with it, so more can be looked at."""


class Mistakes:
    """Gathers what is wrong with a config, each mistake once: a user should not have to run it once per mistake.

    Attributes:
        lines: a line per mistake.
        faults: how many errors were noted that are no missing packages.
    """

    def __init__(self) -> None:
        self.lines: dict[str, None] = {}
        self.faults = 0

    @contextlib.contextmanager
    def noted(self, kind: type[CorpusprepError] = ConfigError) -> Iterator[None]:
        """Notes an error of the block, which then ends."""
        try:
            yield
        except kind as error:
            self.lines |= dict.fromkeys(str(error).splitlines())
            self.faults += not isinstance(error, MissingPackageError)

    def refuse(self) -> None:
        """Raises a ConfigError with one line per mistake, if there are any."""
        if self.lines:
            raise ConfigError("\n".join(self.lines))


class OwnCodeError(ConfigError):
    """A user's own cleaner or tokeniser is missing, fails, or does not keep its interface."""

    def __init__(self, message: str, page: int | None = None) -> None:
        """An error of that message; `page` is the number of the page, among the pages of a call, that it is about."""
        super().__init__(message)
        self.page = page


class ArchiveError(CorpusprepError):
    """An archive is missing, unreadable or empty, or a pattern matches no archive."""


class LanguageError(CorpusprepError):
    """A language is unknown, or its resources cannot be made or read."""


class ModelError(CorpusprepError):
    """A model of blocks is missing, damaged, or made for another version, algorithm, language or set of features."""


class StageFileError(CorpusprepError):
    """A file that an earlier stage wrote is missing, damaged, or of another version."""

    @classmethod
    def missing(cls, path: Path) -> "StageFileError":
        """Returns the error for a file that is not there."""
        for folder in path.resolve().parents if path.is_symlink() else path.parents:
            if (folder / PACKED).is_dir() and (folder / "batches.tsv").exists():
                return cls.packed(folder)
        return cls(f"{path}: no such file; run the workflow, or the stage that writes it")

    @classmethod
    def packed(cls, folder: Path) -> "StageFileError":
        """Returns the error for a corpus whose files are packed."""
        return cls(f"{folder}: its files are packed; run `corpusprep pack-stages --unpack {folder}` first")


class InterruptedRunError(CorpusprepError):
    """A signal has ended the command: Ctrl-C, or a termination."""

    def __init__(self, number: int) -> None:
        """An error for the signal of that number."""
        super().__init__("interrupted; what is complete is kept, and the same command can be run again")
        self.signal = number


class EmptyCorpusError(CorpusprepError):
    """A corpus has no document."""


class ResourceError(CorpusprepError):
    """The memory or disk given is too small for the work."""


def in_lines(error: CorpusprepError) -> str:
    """Returns an error as the command line prints it: each of its lines says that it is one."""
    return "\n".join(f"corpusprep: error: {line}" for line in str(error).splitlines() or [""])


def meant(word: str, known: Iterable[str], renamed: Mapping[str, str] | None = None) -> str:
    """Returns ` did you mean X?` with the name that is most like a word, or nothing if none is.

    A name that is in `renamed` is said as what it is called there.

    >>> meant("memroy", ["memory", "results"])
    ' did you mean memory?'
    """
    import difflib  # for errors only

    close = difflib.get_close_matches(word, list(known), 1, 0.7)
    return f" did you mean {(renamed or {}).get(close[0], close[0])}?" if close else ""

"""Four things about Snakemake's command line that are not for users of a workflow.

Snakemake loads its plugins when it begins to read its command line, before any logger exists. So what is set here holds
from then on.
"""

import argparse
import logging
import re
import signal
import sys
import threading
from typing import Any, NoReturn

from corpusprep import startup
from corpusprep.errors import NO_ROOM

_EXECUTOR = re.compile(r"--executor.*invalid choice: '([a-z0-9-]+)'")
END = " for setting default command line arguments."


def hide_profile_line() -> None:
    """Keeps Snakemake's remark on its profile off the screen; everything else that its command line prints stays.

    Snakemake prints the line before any logger exists, and has no setting for it. So the function that prints is
    replaced, in the module that does it.
    """
    module = sys.modules.get("snakemake.cli")
    if module is None:  # Snakemake is used as a library, which prints no such line
        return

    def print_others(*values: object, **options: Any) -> None:
        if not str(values[0] if values else "").endswith(END):
            print(*values, **options)

    vars(module)["print"] = print_others


def name_missing_executors() -> None:
    """Says how to install the plugin of an executor, which Snakemake's command line calls an invalid choice."""
    usual = argparse.ArgumentParser.error

    def error(self: argparse.ArgumentParser, message: str) -> NoReturn:
        if named := _EXECUTOR.search(message):
            sys.exit(f"corpusprep: error: {startup.without_executor(named[1])}")
        usual(self, message)

    if "snakemake.cli" in sys.modules:
        argparse.ArgumentParser.error = error  # type: ignore[method-assign]


def pass_over_full_disks() -> None:
    """Lets Snakemake's log end without a word where its disk is full: `logging` would print a traceback per message."""
    usual = logging.Handler.handleError

    def handle(self: logging.Handler, record: logging.LogRecord) -> None:
        error = sys.exc_info()[1]
        if not (isinstance(error, OSError) and error.errno in NO_ROOM):
            usual(self, record)

    if "snakemake.cli" in sys.modules:
        logging.Handler.handleError = handle  # type: ignore[method-assign]


def end_without_traceback() -> None:
    """Lets Ctrl-C end Snakemake with one line while it plans; for jobs, see corpusprep.forecast.run_progress."""

    def stop(number: int, frame: object) -> NoReturn:
        print("Interrupted before the first job. The same command starts again.", file=sys.stderr)
        sys.exit(128 + number)

    in_main = threading.current_thread() is threading.main_thread()
    if "snakemake.cli" in sys.modules and in_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, stop)

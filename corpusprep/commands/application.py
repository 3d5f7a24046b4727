"""The command line: `corpusprep COMMAND …`. Each command has its own module."""

import contextlib
import errno
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import click

from corpusprep import __version__, startup
from corpusprep.commands.lazy import LazyGroup
from corpusprep.commands.new_path import NewPath
from corpusprep.commands.usage import in_one_line
from corpusprep.errors import NO_ROOM, OUT_OF_MEMORY, CorpusprepError, InterruptedRunError
from corpusprep.io import memory
from corpusprep.pipeline import KEPT_MS, KEPT_MS_OF_COMMANDS, STAGES

#: Command -> one-line help, in the order of the work.
HELP = {
    "plan": "Forecast the time, memory and disk that a config takes.",
    "survey": "Say what is in a crawl: languages, hosts, kinds of pages, dates.",
    **{stage.name: stage.help for stage in STAGES.values()},
    "exact": "Find exact duplicates in several parallel jobs.",
    "urls": "Index records by their URLs in several parallel jobs.",
    "languages": "Divide a crawl into corpora by language.",
    "overview": "Put several corpora side by side: one page and one table.",
    "references": "Gather reference pages of each host (density-site).",
    "templates": "Find blocks that recur on the pages of a host.",
    "robots": "Gather the robots.txt records of archives.",
    "why": "Say why a page is in a corpus, or why not.",
    "concordance": "Search a corpus, or what its cleaning removed.",
    "concordances": "Write concordances before and after cleaning as a page.",
    "export": "Write a whole corpus as one file, or as files of a given size.",
    "describe": "Write registry, scripts, data card and frequency list of a corpus.",
    "vrt": "Check verticals: structures, attributes, characters, lengths.",
    "recut": "Change the thresholds of a built corpus.",
    "show": "Print the corpus-size table of finished corpora.",
    "evaluation": "Measure boilerplate removal on gold data.",
    "train": "Train the models of learned cleaners.",
    "experiments": "Measure duplicate n-grams and de-duplication methods.",
    "treebanks": "Measure tokens and sentences on treebanks.",
    "texrex": "Measure block classifiers on the vectors of texrex.",
    "seeds": "Make queries for search engines, and lists of addresses.",
    "crawl": "Crawl the hosts that give text in a language.",
    "yield": "Measure how much clean text each host gives in a language.",
    "fetch": "Fetch archives, or chosen records of archives, by address.",
    "pack": "Pack a folder of files into a WARC file.",
    "extract": "Extract the text of single HTML files.",
    "reuse": "Print which source each text was taken from.",
    "audit": "Let people judge a blind sample; precision and recall by stage.",
    "browse": "Look into corpora on a local web page.",
}

#: Modules of commands whose names are words of Python.
MODULES = {"yield": "host_yields"}

#: Command -> (where it is, one-line help); a module is imported only when its command runs.
COMMANDS = {name: (f"corpusprep.commands.{MODULES.get(name, name)}:command", text) for name, text in HELP.items()}
COMMANDS["studies"] = ("studies.commands:command", "Repeat the measurements of published studies.")


MORE_MEMORY = "out of memory: give the command more, or make batch_bytes or memory smaller in the config"


class Commands(LazyGroup):
    """The commands, each with the settings that must stand before libraries are loaded."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Returns the command of that name, or None."""
        memory.require_address_space("a command")
        kept_ms = STAGES[cmd_name].kept_ms if cmd_name in STAGES else KEPT_MS_OF_COMMANDS.get(cmd_name, KEPT_MS)
        startup.prepare_command(kept_ms)
        return super().get_command(ctx, cmd_name)

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        """Reads the options before the command."""
        with in_one_line():
            return super().make_context(*arguments, **options)

    def invoke(self, ctx: click.Context) -> Any:
        """Runs a command; Ctrl-C ends it with an error of its own (click would only print `Aborted!`)."""
        try:
            with in_one_line(ctx):
                return super().invoke(ctx)
        except KeyboardInterrupt:
            raise InterruptedRunError(signal.SIGINT) from None


@click.group(
    cls=Commands, places=COMMANDS, context_settings={"help_option_names": ["-h", "--help"], "show_default": True}
)
@click.version_option(__version__, package_name="corpusprep")
@click.option(
    "--times",
    type=NewPath(),
    help="Write the wall-clock and CPU seconds and the peak memory of this process to a file.",
)
@click.pass_context
def application(ctx: click.Context, times: Path | None) -> None:
    """From a web crawl to a clean, de-duplicated text corpus.

    The workflow calls these commands; each can also be run by hand.
    """
    if times:

        def finish() -> None:
            if sys.exc_info()[0] is None:
                from corpusprep.io.times import write_times

                write_times(times)

        ctx.call_on_close(finish)


def main(arguments: list[str] | None = None) -> Any:
    """Runs the command line; an error that a user can act on ends it with one line on standard error.

    The exit code is then 1, OUT_OF_MEMORY, or 128 and the number of the signal that ended the command.
    """
    code, kind = 1, "error: "
    startup.make_printable()
    try:
        with _stopping():
            return application.main(args=arguments, prog_name="corpusprep")
    except InterruptedRunError as error:
        message, code, kind = str(error), 128 + error.signal, ""
    except CorpusprepError as error:
        message = str(error)
    except ImportError as error:
        if (message := startup.what_to_install(error) or "") == "":
            raise
    except MemoryError:
        message, code, kind = MORE_MEMORY, OUT_OF_MEMORY, ""  # not an error to give up for: a job is tried again
    except OSError as error:
        if error.errno == errno.ENOMEM:
            message, code, kind = MORE_MEMORY, OUT_OF_MEMORY, ""
        elif error.errno in NO_ROOM | {errno.EACCES, errno.EROFS, errno.ENAMETOOLONG, errno.ELOOP}:
            message = f"{error.filename or 'cannot write'}: {error.strerror}"
        else:
            raise
    print(f"corpusprep: {kind}{message}", file=sys.stderr)
    sys.exit(code)


@contextlib.contextmanager
def _stopping() -> Iterator[None]:
    """Lets a termination (SIGTERM) end the command as Ctrl-C does, so that its temporary files are removed."""

    def stop(number: int, _frame: object) -> NoReturn:
        raise InterruptedRunError(number)

    if threading.current_thread() is not threading.main_thread():  # Python allows handlers in the main thread only
        yield
        return
    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)

"""The command line: `corpusprep COMMAND …`. Each command has its own module."""

import contextlib
import errno
import shlex
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import click

from corpusprep import __version__, startup
from corpusprep.commands import old_names
from corpusprep.commands.lazy import LazyGroup
from corpusprep.commands.new_path import NewPath
from corpusprep.commands.usage import in_one_line
from corpusprep.errors import NO_ROOM, OUT_OF_MEMORY, CorpusprepError, InterruptedRunError, in_lines
from corpusprep.io import memory, terminal

#: Command -> one-line help, in the order in which people need them.
HELP = {
    "init": "Write a first config, with comments, and a profile.",
    "fetch": "Fetch archives, or chosen records of archives, by address.",
    "crawl": "Crawl the hosts that give text in a language.",
    "survey": "Say what is in a crawl: languages, hosts, kinds of pages, dates.",
    "plan": "Forecast the time, memory and disk that a config takes.",
    "build": "Build the corpora of a config.",
    "show": "Print the corpus-size table of finished corpora.",
    "browse": "Look into corpora on a local web page.",
    "why": "Say why a page is in a corpus, or why not.",
    "search": "Search a corpus, or what its cleaning removed.",
    "audit": "Let people judge a blind sample; precision and recall by stage.",
    "recut": "Change the thresholds of a built corpus.",
    "export": "Write a whole corpus as one file, or as files of a given size.",
    "extract": "Extract the text of single HTML files.",
}

#: Commands that list words -> one-line help.
WORDS = {
    "words": "List the words of a corpus, or its n-grams.",
    "keywords": "List what is typical of a corpus, or of a part of it.",
    "collocations": "List what stands near the hits of a query.",
    "texts": "Write the documents of a part of a corpus as text files or a sheet.",
}

#: Commands that are needed rarely -> one-line help.
RARE = {
    "train": "Train the models of learned cleaners.",
    "pack-stages": "Pack files of finished corpora that runs no longer need.",
    "doctor": "Say what this installation has, and what it lacks.",
}

#: Group of commands -> (where it is, what it is about).
GROUPS = {
    "language": ("groups:language", "models"),
    "archive": ("groups:archive", "addresses, archives"),
    "check": ("groups:check", "verticals, reuse of texts"),
    "step": ("step:command", "what the workflow runs"),
}

#: Command or group -> (where it is, one-line help); a module is imported only when its command runs.
COMMANDS = {
    **{
        name: (f"corpusprep.commands.{name.replace('-', '_')}:command", text)
        for name, text in (HELP | WORDS | RARE).items()
    },
    **{name: (f"corpusprep.commands.{place}", text) for name, (place, text) in GROUPS.items()},
}

#: Packages add commands at this entry point. It is read only for names that are not in COMMANDS.
ENTRY_POINTS = "corpusprep.commands"

#: The group of the package `studies`.
STUDIES = "studies"

MORE_MEMORY = "out of memory: give the command more, or make batch_bytes or memory smaller in the config"


class Commands(LazyGroup):
    """The commands, each with the settings that must stand before libraries are loaded."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands and groups, and the commands of other packages."""
        from importlib.metadata import entry_points  # here and below: importing it takes 15 ms

        return [*super().list_commands(ctx), *sorted(entry_points(group=ENTRY_POINTS).names)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Returns the command of that name, or None."""
        memory.require_address_space("a command")
        startup.prepare_command()
        return super().get_command(ctx, cmd_name) or _of_another_package(cmd_name)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the help of 23 lines of at most 80 columns: commands, groups, options."""
        self.format_usage(ctx, formatter)
        self.format_help_text(ctx, formatter)
        with formatter.section("Commands, in the order of the work"):
            formatter.write_dl(list(HELP.items()))
        formatter.write_paragraph()
        formatter.write_text(f"Groups, each with its own help: {', '.join((*GROUPS, STUDIES))}.")
        formatter.write_text("Words: words (lists, n-grams), keywords, collocations, texts (as files).")
        formatter.write_text("Also: train (models), pack-stages (files), doctor (setup), --version, --times.")

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Reads the options before the command. Takes the names of the version before, with a note."""
        if not ctx.resilient_parsing and (new := old_names.translated(args, COMMANDS)) is not None:
            click.echo(
                f"corpusprep: note: the next version knows this only as: {shlex.join(['corpusprep', *new])}", err=True
            )
            args = new
        return super().parse_args(ctx, args)

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
    """From a web crawl to a clean, de-duplicated text corpus."""
    if times:

        def finish() -> None:
            if sys.exc_info()[0] is None:
                from corpusprep.io.times import write_times

                write_times(times)

        ctx.call_on_close(finish)


def _of_another_package(name: str) -> click.Command | None:
    """Returns the command that a package adds, or None.

    Raises:
        CorpusprepError: it is the command of `studies`, which is not installed.
    """
    from importlib.metadata import entry_points

    for entry in entry_points(group=ENTRY_POINTS, name=name):
        with startup.loading():
            command: click.Command = entry.load()
        return command
    if name == STUDIES:
        raise CorpusprepError(f"this needs the package studies: {sys.executable} -m pip install 'corpusprep[studies]'")
    return None


def main(arguments: list[str] | None = None) -> Any:
    """Runs the command line; an error that a user can act on ends it with one line on standard error.

    The exit code is then 1, OUT_OF_MEMORY, or 128 and the number of the signal that ended the command.
    """
    code, kind = 1, "error: "
    terminal.guard()
    try:
        with _stopping():
            return application.main(args=arguments, prog_name="corpusprep")
    except InterruptedRunError as error:
        message, code, kind = str(error), 128 + error.signal, ""
    except CorpusprepError as error:
        print(in_lines(error), file=sys.stderr)
        sys.exit(1)
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

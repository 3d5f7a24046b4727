"""The command line: `corpusprep COMMAND …`. Each command has its own module."""

import errno
import sys
from pathlib import Path
from typing import Any

import click

from corpusprep import __version__, startup
from corpusprep.commands.lazy import LazyGroup
from corpusprep.commands.new_path import NewPath
from corpusprep.errors import NO_ROOM, CorpusprepError
from corpusprep.pipeline import STAGES

#: Command -> one-line help, in the order of the work.
HELP = {
    "plan": "Forecast the time, memory and disk that a config takes.",
    **{stage.name: stage.help for stage in STAGES.values()},
    "references": "Gather the pages that others of their host are compared with.",
    "recut": "Change the jusText thresholds of a built corpus.",
    "show": "Print the corpus-size table of finished corpora.",
    "evaluation": "Measure boilerplate removal on gold data.",
    "experiments": "Measure duplicate n-grams and de-duplication methods.",
    "extract": "Extract the text of single HTML files.",
    "reuse": "Print which source each text was taken from.",
}

#: Command -> (where it is, one-line help); a module is imported only when its command runs.
COMMANDS = {name: (f"corpusprep.commands.{name}:command", text) for name, text in HELP.items()}


class Commands(LazyGroup):
    """The commands, each with the settings that must stand before libraries are loaded."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Returns the command of that name, or None."""
        startup.prepare_command(STAGES[cmd_name].kept_ms if cmd_name in STAGES else 0)
        return super().get_command(ctx, cmd_name)


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
    """Runs the command line; a user's error ends it with one line on standard error and exit code 1."""
    try:
        return application.main(args=arguments, prog_name="corpusprep")
    except CorpusprepError as error:
        message = str(error)
    except ImportError as error:
        if (message := startup.what_to_install(error) or "") == "":
            raise
    except MemoryError:
        message = "out of memory: give the job more memory, or make batch_bytes smaller"
    except OSError as error:
        if error.errno not in NO_ROOM | {errno.EACCES, errno.EROFS}:
            raise
        message = f"{error.filename or 'cannot write'}: {error.strerror}"
    print(f"corpusprep: error: {message}", file=sys.stderr)
    sys.exit(1)

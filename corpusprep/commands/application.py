"""The command line: `corpusprep <stage> …`. Each stage's command lives in its own module."""

import errno
import sys
from pathlib import Path
from typing import Any

import click

from corpusprep import __version__, startup
from corpusprep.commands.lazy import LazyGroup
from corpusprep.errors import NO_ROOM, CorpusprepError

#: Command -> (where it is, one-line help); a module is imported only when its command runs.
COMMANDS = {
    "plan": ("corpusprep.commands.plan:command", "Forecast the time, memory and disk that a config takes."),
    "batches": ("corpusprep.commands.batches:command", "Sort the archives and pack them into batches."),
    "encoding": ("corpusprep.commands.encoding:command", "Read archives: a row a record, with the page's encoding."),
    "references": (
        "corpusprep.commands.references:command",
        "Gather the pages that others of their host are compared with.",
    ),
    "boilerplate": ("corpusprep.commands.boilerplate:command", "Segment pages into blocks and classify them."),
    "language": ("corpusprep.commands.language:command", "Keep documents in the corpus language; make languages."),
    "tokens": ("corpusprep.commands.tokens:command", "Tokenise the good blocks into a vertical."),
    "documents": ("corpusprep.commands.documents:command", "Find exact duplicates over the whole corpus."),
    "ngrams": ("corpusprep.commands.ngrams:command", "Find the duplicate n-grams of the corpus."),
    "blocks": ("corpusprep.commands.blocks:command", "Find duplicate blocks (algorithm 3.1)."),
    "corpus": ("corpusprep.commands.corpus:command", "Write the corpus: vertical, JSONL and Parquet."),
    "recut": ("corpusprep.commands.recut:command", "Change the jusText thresholds of a built corpus."),
    "statistics": ("corpusprep.commands.statistics:command", "Compute the statistics tables from the stage files."),
    "report": ("corpusprep.commands.report:command", "Write the report: one self-contained HTML page."),
    "show": ("corpusprep.commands.show:command", "Print the corpus-size table of finished corpora."),
    "evaluation": ("corpusprep.commands.evaluation:command", "Measure boilerplate removal on gold data."),
    "experiments": ("corpusprep.commands.experiments:command", "Measure duplicate n-grams and de-duplication methods."),
    "extract": ("corpusprep.commands.extract:command", "Extract the text of single HTML files."),
    "reuse": ("corpusprep.commands.reuse:command", "Print which source each text was taken from."),
}


class Commands(LazyGroup):
    """The commands, each with the settings that must stand before libraries are loaded."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Returns the command of that name, or None."""
        startup.prepare_command(cmd_name)
        return super().get_command(ctx, cmd_name)


@click.group(
    cls=Commands, places=COMMANDS, context_settings={"help_option_names": ["-h", "--help"], "show_default": True}
)
@click.version_option(__version__, package_name="corpusprep")
@click.option(
    "--times",
    type=click.Path(path_type=Path),
    help="Write the wall-clock and CPU seconds and the peak memory used here.",
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

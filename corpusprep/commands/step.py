"""`corpusprep step`: the steps of the workflow, each as a command."""

import click

from corpusprep import startup
from corpusprep.commands.lazy import LazyGroup
from corpusprep.io.plugins import Kind
from corpusprep.pipeline import STAGES

#: Step, or group of steps -> one-line help, in the order of the work.
HELP = {
    **{stage.name: stage.help for stage in STAGES.values()},
    "exact": "Find exact duplicates in several parallel jobs.",
    "urls": "Index records by their URLs in several parallel jobs.",
    "robots": "Gather the robots.txt records of archives.",
    "templates": "Find blocks that recur on the pages of a host.",
    "languages": "Divide a crawl into corpora by language.",
    "overview": "Put several corpora side by side: one page and one table.",
    "describe": "Write registry, scripts, data card and frequency list of a corpus.",
}
#: Steps of other packages, which their algorithms need, such as the reference pages of density-site.
ADDED = Kind("corpusprep.steps", "step", {}, own="")


class Steps(LazyGroup):
    """The steps, each with the memory that its stage lets polars keep."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The steps, and those of other packages."""
        return [*super().list_commands(ctx), *ADDED.names()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Returns the step of that name, or None."""
        if cmd_name in STAGES:
            startup.prepare_command(STAGES[cmd_name].kept_ms)
        found = super().get_command(ctx, cmd_name)
        if found is None and cmd_name in ADDED.names():
            with startup.loading():
                found = ADDED.load(cmd_name)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Lists the steps; those of other packages are imported."""
        super().format_commands(ctx, formatter)
        if added := [(name, ADDED.load(name).get_short_help_str(120)) for name in ADDED.names()]:
            with formatter.section("Of other packages"):
                formatter.write_dl(added)


@click.group(
    "step", cls=Steps, places={name: (f"corpusprep.commands.{name}:command", text) for name, text in HELP.items()}
)
def command() -> None:
    """Run one step of the workflow by hand."""

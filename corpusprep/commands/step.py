"""`corpusprep step`: the steps of the workflow, each as a command."""

import click

from corpusprep import startup
from corpusprep.commands.lazy import LazyGroup, loaded
from corpusprep.pipeline import STAGES, STEPS

#: Step, or group of steps -> one-line help, in the order of the work.
HELP = {
    **{stage.name: stage.help for stage in STAGES.values()},
    "against": "Gather the n-grams of other corpora, whose text is left out.",
    "exact": "Find exact duplicates in several parallel jobs.",
    "urls": "Index records by their URLs in several parallel jobs.",
    "robots": "Gather the robots.txt records of archives.",
    "templates": "Find blocks that recur on the pages of a host.",
    "languages": "Divide a crawl into corpora by language.",
    "join": "Make the folder of a corpus from finished corpora.",
    "personal": "Find personal data in the kept blocks.",
    "subwords": "Count the tokens of a model's tokeniser in the kept documents.",
    "wordlists": "Count words and n-grams, for the commands that list them.",
    "overview": "Put several corpora side by side: one page and one table.",
    "digests": "Write the digests of the files of a corpus.",
    "settings": "Write the settings that decided the pages of a finished corpus.",
    "describe": "Write registry, scripts, data card and frequency list of a corpus.",
}


def _added() -> dict[str, tuple[str, str]]:
    """Returns the commands of steps of other packages (pipeline.Extension): (module:attribute, one-line help)."""
    added = [step for step in STEPS.values() if step.entry]
    return {step.name.split()[0]: (step.entry, step.help) for step in reversed(added)}  # the first one's help


class Steps(LazyGroup):
    """The steps, each with the memory that its stage lets polars keep."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The steps, and the steps of other packages."""
        return [*super().list_commands(ctx), *_added()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Returns the step of that name, or None."""
        if cmd_name in STAGES:
            startup.prepare_command(STAGES[cmd_name].kept_ms)
        return super().get_command(ctx, cmd_name) or loaded(_added(), cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Lists the steps."""
        super().format_commands(ctx, formatter)
        if added := _added():
            with formatter.section("Of other packages"):
                formatter.write_dl([(name, text) for name, (_, text) in added.items()])


@click.group(
    "step", cls=Steps, places={name: (f"corpusprep.commands.{name}:command", text) for name, text in HELP.items()}
)
def command() -> None:
    """Run one step of the workflow by hand."""

"""Groups of commands whose help says the whole first sentence of each command."""

import click

#: Characters of a first sentence that are shown: more than any has.
LONGEST = 1_000


class Group(click.Group):
    """A group of commands; the help of click's own cuts what a command does at the end of its line."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Lists the commands, each with the first sentence of its help."""
        commands = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, listed.get_short_help_str(LONGEST)) for name, listed in commands.items() if listed]
            )

"""The page of all commands, from the command line itself."""

from collections.abc import Iterator

import click

from corpusprep.commands.application import application
from corpusprep.commands.options import Described
from reference_pages.markdown import code, paragraphs, plain, table


def commands() -> Iterator[tuple[str, click.Command]]:
    """Yields every command with its full name, groups before their commands."""

    def walk(name: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
        yield name, command
        if isinstance(command, click.Group):
            context = click.Context(command, info_name=name)
            for inner in command.list_commands(context):
                found = command.get_command(context, inner)
                assert found is not None, inner
                yield from walk(f"{name} {inner}", found)

    yield from walk("corpusprep", application)


def command_reference() -> str:
    """Returns the page of all commands with their options."""
    parts = [
        "# Commands",
        "The first commands are those that people use, in the order of the work. The workflow runs those of"
        " `corpusprep step`; each can also be run by hand. This page is generated from the command line itself;"
        " `corpusprep COMMAND --help` prints the same.",
    ]
    for name, command in commands():
        context = click.Context(command, info_name=name)
        usage = " ".join([name, *command.collect_usage_pieces(context)])
        parts += [f"{'###' if name.count(' ') > 1 else '##'} {name}", f"    {usage}", *paragraphs(command.help or "")]
        arguments = [
            [code(str(found.metavar)), "", "required", found.text]
            for found in command.params
            if isinstance(found, Described)
        ]
        rows = [
            [", ".join(code(option) for option in (*found.opts, *found.secondary_opts)), *_option(found, context)]
            for found in command.params
            if isinstance(found, click.Option) and not found.hidden
        ]
        if arguments or rows:
            parts.append(table(["option", "value", "default", "meaning"], [*arguments, *rows]))
    return "\n\n".join(parts) + "\n"


def _option(option: click.Option, context: click.Context) -> list[str]:
    value = "" if option.is_flag else option.make_metavar(context).strip("[]").replace("|", ", ")
    if isinstance(option.type, click.types._NumberRangeBase):
        value += f", {option.type._describe_range()}"
    default = option.get_default(context, call=False)
    shown = "required" if option.required else ""
    if not option.required and isinstance(default, str | int | float) and not (option.is_flag and default is False):
        shown = code(default)
    text = plain(option.help or "")
    if option.multiple and not text.endswith("Repeatable."):
        text += " Repeatable."
    return [code(value) if value else "", shown, text]

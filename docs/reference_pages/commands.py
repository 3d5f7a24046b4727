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


#: Group of commands -> the title of its page, and what its first lines say; "" has the commands that are in no group.
GROUPS = {
    "": (
        "Commands",
        "The commands that people use, in the order of the work. This page is generated from the command line itself;"
        " `corpusprep COMMAND --help` prints the same.",
    ),
    "language": ("Commands: language", "Make, list and show language models."),
    "archive": ("Commands: archive", "Prepare addresses and archives."),
    "check": ("Commands: check", "Check files and verticals, and find reused text."),
    "step": (
        "Commands: step",
        "What the workflow runs. Each step can also be run by hand, on the files that the steps before it wrote.",
    ),
    "studies": ("Commands: studies", "What makes the published tables again."),
}


def page_of(group: str) -> str:
    """Returns the path of the page of a group of commands."""
    return f"reference/commands{'-' if group else ''}{group}.md"


def group_of(name: str) -> str:
    """Returns the group of a command, given by its full name; "" without one."""
    words = name.split()[1:2]
    return words[0] if words and words[0] in GROUPS else ""


def command_reference(group: str = "") -> str:
    """Returns the page of the commands of a group with their options."""
    title, about = GROUPS[group]
    parts = [f"# {title}", about]
    if not group:
        links = ", ".join(f"[{name}](commands-{name}.md)" for name in GROUPS if name)
        parts.append(f"Groups have pages of their own: {links}.")
    for name, command in commands():
        if group_of(name) != group:
            continue
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

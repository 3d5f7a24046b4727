"""Says what is wrong with a command line in one line, as other errors are said; click would print three."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import IO, Any

import click

from corpusprep.commands import old_names
from corpusprep.errors import meant


class UsageLine(click.ClickException):
    """What is wrong with a command line, and what to do."""

    exit_code = 2

    def show(self, file: IO[Any] | None = None) -> None:
        """Prints it on standard error."""
        click.echo(f"corpusprep: error: {self.message}", file=file, err=file is None)


@contextmanager
def in_one_line(outer: click.Context | None = None) -> Iterator[None]:
    """Turns click's errors about options and arguments into UsageLine. A group without a command prints its help.

    `outer` is the context of the group; it says which command was read where click does not.
    """
    try:
        yield
    except click.exceptions.NoArgsIsHelpError:
        raise
    except click.UsageError as error:
        context = error.ctx
        if context is not None:
            path = context.command_path
        else:
            path = f"corpusprep {outer.invoked_subcommand or ''}".strip() if outer is not None else "corpusprep"
        _, _, command = path.partition(" ")
        problem = _problem(error, context)
        see = " See" if problem.endswith("?") else "; see"
        raise UsageLine(f"{command and f'{command}: '}{problem}{see} {path} --help") from None


def _problem(error: click.UsageError, context: click.Context | None) -> str:
    """Returns what is wrong, and what to write in its place if that is known."""
    param = getattr(error, "param", None)
    name = max(param.opts, key=len) if isinstance(param, click.Option) else getattr(error, "param_hint", None)
    if context is not None:
        match error:
            case click.MissingParameter() if isinstance(param, click.Option):
                text = (param.help or "").rstrip(".")
                return f"{name} is missing; give {name} {_value(param)}{text and f' ({text})'}"
            case click.MissingParameter() if param is not None:
                usage = " ".join([context.command_path, *context.command.collect_usage_pieces(context)])
                return f"{param.human_readable_name.removesuffix('...')} is missing; write {usage}"
            case click.NoSuchOption():
                known = [option for other in context.command.params for option in (*other.opts, *other.secondary_opts)]
                return f"no such option {error.option_name}{_like(error.option_name, known)}"
        unknown = getattr(error, "command_name", None)  # of NoSuchCommand, which click has from version 8.4 on
        if unknown and isinstance(context.command, click.Group):
            known = context.command.list_commands(context)
            renamed = (
                {} if context.parent else {old: new for old, new in old_names.COMMANDS.items() if old not in known}
            )
            return f"no such command {unknown}{_like(unknown, [*known, *renamed], renamed)}"
    if isinstance(error, click.BadParameter) and isinstance(name, str):
        return f"{name}: {error.message.rstrip('.')}"
    return error.format_message().rstrip(".")


def _like(word: str, known: Iterable[str], renamed: Mapping[str, str] | None = None) -> str:
    """Returns the question whether a similar word is meant, if there is one."""
    question = meant(word, known, renamed)
    return f";{question}" if question else ""


def _value(option: click.Option) -> str:
    """Returns how the value of an option is written in its help."""
    values = option.type.choices if isinstance(option.type, click.Choice) else ()
    return option.metavar or "|".join(map(str, values)) or option.type.name.upper()

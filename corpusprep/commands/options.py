"""Options that several commands have. Those of settings have their type, default and help from the config schema."""

import json
import os
import stat
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from corpusprep.commands.new_path import NewPath
from corpusprep.config import schema as config_schema
from corpusprep.errors import ConfigError, StageFileError
from corpusprep.io import memory as limits
from corpusprep.io import plugins
from corpusprep.tables.batch_files import refuse_packed

_Command = TypeVar("_Command", bound=Callable[..., Any])

#: Settings of `boilerplate` that only learned algorithms have.
LEARNED = ("threshold", "keep", "model")


class Described(click.Argument):
    """An argument that the help of its command describes."""

    def __init__(self, names: Sequence[str], *, text: str, metavar: str, **options: Any) -> None:
        """An argument with a description."""
        super().__init__(names, metavar=metavar, **options)
        self.text = self.help = text

    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        """Returns what help shows. Click before version 8.5 shows it with the options, and has no `help` itself."""
        return str(self.metavar), self.text


def network(max_bytes: str, of: str, timeout: str, *, least: float, delay: float) -> Callable[[_Command], _Command]:
    """Gives a command the options of all that ask servers, as `access` (network.Access), and `hosts`.

    Args:
        max_bytes: default of the largest file or page.
        of: what that is.
        timeout: what the seconds of the timeout are for.
        least: timeout.
        delay: its default.
    """
    from corpusprep.remote.network import Access

    def add(command: _Command) -> _Command:
        @wraps(command)
        def with_access(
            *arguments: Any,
            user_agent: str | None,
            delay: float,
            timeout: float,
            max_bytes: int,
            allow_private: bool,
            insecure: bool,
            **options: Any,
        ) -> None:
            access = Access(
                delay=delay, timeout=timeout, max_bytes=max_bytes, allow_private=allow_private, insecure=insecure
            )
            if user_agent:
                access.user_agent = user_agent
            command(*arguments, access=access, **options)

        for option in (
            click.option("--insecure", is_flag=True, help="Take certificates of servers without verifying them."),
            click.option(
                "--allow-private", is_flag=True, help="Also ask this machine and private networks, such as an intranet."
            ),
            click.option("--max-bytes", type=limits.size, default=max_bytes, help=f"Largest {of}."),
            click.option("--timeout", type=click.FloatRange(least), default=60.0, help=f"Seconds {timeout}."),
            click.option("--delay", type=click.FloatRange(0), default=delay, help="Least seconds between requests."),
            click.option("--host", "hosts", multiple=True, help="Domain, with its subdomains. Repeatable."),
        ):
            with_access = option(with_access)
        return with_access  # type: ignore[return-value]

    return add


class CorpusFolder(click.Path):
    """The folder of a corpus that was built; also of one whose files are packed, if `packed` says so."""

    def __init__(self, *, packed: bool = False) -> None:
        super().__init__(path_type=Path)
        self._packed = packed

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Returns the path.

        Raises:
            StageFileError: there is no such folder, or its files are packed.
        """
        folder = Path(os.fsdecode(super().convert(value, param, ctx)))
        try:
            is_folder = stat.S_ISDIR(folder.stat().st_mode)
        except (FileNotFoundError, NotADirectoryError):
            is_folder = False
        if not is_folder:
            raise StageFileError(f"{folder}: no such folder; give the folder of a corpus, such as results/news")
        if not self._packed:
            refuse_packed(folder)
        return folder


def _corpus(name: str, kind: click.Path, text: str, metavar: str) -> Callable[[_Command], _Command]:
    return click.argument(name, cls=Described, metavar=metavar, type=kind, text=text)


#: How all commands name a corpus: as their first argument. Of a step, that writes its files, it may be new.
CORPUS = "Folder of the corpus, such as results/news."
corpus = _corpus("corpus", CorpusFolder(), CORPUS, "CORPUS")
new_corpus = _corpus("corpus_dir", NewPath(in_results=True, file_okay=False), CORPUS, "CORPUS")
crawl = _corpus(
    "crawl", NewPath(in_results=True, file_okay=False), "Folder of the crawl's files, such as results/mine.", "CRAWL"
)
corpora = click.argument(
    "corpora",
    cls=Described,
    metavar="CORPUS...",
    nargs=-1,
    required=True,
    type=CorpusFolder(packed=True),
    text="Folders of corpora, such as results/news.",
)
batch = click.option("--batch", required=True, help="Name of the batch, as in batches.tsv.")
bundle = click.option("--bundle", required=True, help="Name of the bundle of batches, as in bundles.tsv.")
model = click.option("--model", required=True, help="The corpus language: a .model file or a built-in language's code.")
models = click.option(
    "--model",
    required=True,
    help="The corpus language: a .model file or a built-in language's code; or a folder with the models of several.",
)
threads = click.option(
    "--threads", type=click.IntRange(1), default=1, help="Number of threads. The result does not depend on it."
)
parts = click.option(
    "--parts",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Number of parts of the corpus. The result does not depend on it.",
)
code = click.option(
    "--code", default=".", type=click.Path(path_type=Path), help="Folder with the file of your own code."
)

tables_output = click.option(
    "--output", type=NewPath(file_okay=False), required=True, help="Folder for table_*.tsv and report.html."
)


def of_part(command: _Command) -> _Command:
    """Gives a command that works on one part of the corpus the number of the part, and that of all parts."""

    @click.option("--part", type=click.IntRange(0), required=True, help="Number of the part, from 0.")
    @parts
    @wraps(command)
    def checked(**settings: Any) -> Any:
        if settings["part"] >= settings["parts"]:
            message = "{part} is not one of {parts} parts, which are numbered from 0".format_map(settings)
            raise click.BadParameter(message, param_hint="--part")
        return command(**settings)

    return cast("_Command", checked)


def folder(name: str, text: str) -> Callable[[_Command], _Command]:
    """Makes an option that names a folder to read, which is required."""
    return click.option(name, type=click.Path(path_type=Path, file_okay=False), required=True, help=text)


def table_output(text: str) -> Callable[[_Command], _Command]:
    """Makes the option of a file to write, which is required."""
    return click.option("--output", type=NewPath(dir_okay=False), required=True, help=text)


class PluginName(click.ParamType):  # type: ignore[type-arg]
    """The name of a plugin: built in, of an installed package, or `module:name` of a user's own."""

    name = "plugin"

    def __init__(self, kind: plugins.Kind) -> None:
        self.kind = kind

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """Shows the names that are built in."""
        return f"[{'|'.join(sorted(self.kind.built_in))}|MODULE:NAME]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Returns the name."""
        if param is not None and value == param.default:  # `none` names no plugin
            return value
        try:
            self.kind.check(value)
        except ConfigError as error:
            self.fail(str(error), param, ctx)
        return value


def setting(key: str, *, kind: plugins.Kind | None = None) -> Callable[[_Command], _Command]:
    """Makes the option of a setting of the config: `memory`, or `section.name`, which gives --name.

    Args:
        key: of the setting.
        kind: of plugins, whose names are the allowed values.
    """
    node = config_schema.setting(key)
    name = key.rpartition(".")[2]
    kinds = node.get("type")
    text = " ".join(node.get("description", "").split())
    if kinds == "boolean":
        return click.option("/".join(config_schema.switches(name)), default=node["default"], help=text)
    several = kinds == "array"
    default = node.get("default")
    return click.option(
        f"--{name.replace('_', '-')}",
        type=PluginName(kind) if kind else _type(node["items"] if several else node),
        multiple=several,
        default=tuple(default) if several and default is not None else default,
        help=f"{text} Repeatable." if several else text or None,
    )


def settings(section: str, *, without: tuple[str, ...] = ()) -> Callable[[_Command], _Command]:
    """Makes the options of all settings of a section, but for some."""

    def decorate(command: _Command) -> _Command:
        for key in reversed(config_schema.keys(section)):
            if key.rpartition(".")[2] not in without:
                command = setting(key)(command)
        return command

    return decorate


def additions(command: Callable[..., None]) -> Callable[..., None]:
    """Makes the options of what a corpus has beside the blocks that are kept; the command gets `additions`."""

    @wraps(command)
    def with_additions(
        boilerplate: str,
        kinds: bool,
        mark: bool,
        columns: tuple[str, ...],
        count_tokens: str,
        mask: tuple[str, ...],
        replace: str,
        key: str,
        **given: Any,
    ) -> None:
        from corpusprep.corpus.documents import Additions, Masking  # with polars, which most commands do without

        masking = Masking(mask, replace, key)
        command(additions=Additions(mark, boilerplate == "keep", kinds, columns, count_tokens, masking), **given)

    for name in (
        *("personal.key", "personal.replace", "personal.mask"),
        *("corpus.count_tokens", "annotate.columns", "blocks.mark", "corpus.kinds", "corpus.boilerplate"),
    ):
        with_additions = setting(name)(with_additions)
    return with_additions


def described(command: _Command) -> _Command:
    """Makes the options of what is told of a corpus (corpus.describing.finished_corpus)."""
    language = click.option("--language", default="", help="Code of the corpus language.")
    made = click.option(
        "--settings", callback=mapping, metavar="JSON", help="Settings of the corpus, as a JSON object by section."
    )
    return language(made(setting("corpus.licence")(setting("corpus.citation")(command))))


def thresholds(command: _Command) -> _Command:
    """Makes the options of jusText: --preset, and one per threshold, None if not given."""
    return settings("boilerplate", without=("algorithm", *LEARNED))(command)


def algorithm(command: _Command) -> _Command:
    """Makes the options of the section `boilerplate`, by the names of the arguments of registry.algorithm."""
    named = click.option(
        "--algorithm",
        "name",
        default=config_schema.default("boilerplate.algorithm"),
        metavar="NAME|MODULE:CLASS",
        help="Algorithm, or your own cleaner.",
    )
    parameters = click.option(
        "--parameters", callback=mapping, metavar="JSON", help="Parameters of the algorithm, as a JSON object by name."
    )
    return named(setting("boilerplate.preset")(parameters(code(command))))


def quality_rules(command: _Command) -> _Command:
    """Makes the options of the rules in the section `filter`, by the names of the arguments of quality.rules.rules."""
    for key in ("least", "most"):
        node = config_schema.setting(f"filter.{key}")
        text = " ".join(node["description"].split())
        command = click.option(
            f"--{key}", default="{}", callback=mapping, metavar="JSON", help=f"{text} A JSON object by signal."
        )(command)
    node = config_schema.setting("filter.blocks")
    text = " ".join(node["description"].split())
    command = click.option("--blocks", default="{}", callback=mapping, metavar="JSON", help=f"{text} A JSON object.")(
        command
    )
    text = " ".join(config_schema.setting("filter.model")["description"].split())
    command = click.option("--filter-model", default="", metavar="FILE", help=text)(command)
    return setting("filter.preset")(setting("filter.expression")(setting("filter.word_lists")(command)))


def own_tokenizer(command: _Command) -> _Command:
    """Makes the option --tokenizer, which the command gets as `own`."""
    return click.option(
        "--tokenizer",
        "own",
        metavar="NAME|MODULE:FUNCTION",
        help="Another tokeniser, or your own, instead of the built-in one: from a text to its tokens.",
    )(command)


def mapping(context: click.Context, option: click.Parameter, value: str | None) -> dict[str, Any] | None:
    """Returns the mapping that an option gives as JSON."""
    try:
        decoded = {} if value is None else json.loads(value)
    except (ValueError, RecursionError):
        decoded = None
    if not isinstance(decoded, dict):
        raise click.BadParameter(f"{value!r} is not a JSON object", context, option)
    return decoded


#: The settings that decide the pages of a corpus, as jobs.finished has them.
page_settings = click.option(
    "--settings",
    required=True,
    callback=mapping,
    metavar="JSON",
    help="Settings of the steps on pages, as a JSON object by key.",
)


def sources(*, required: bool) -> Callable[[_Command], _Command]:
    """Makes the option of the finished corpora that a corpus is made from."""
    return click.option(
        "--from",
        "sources",
        required=required,
        multiple=True,
        type=click.Path(path_type=Path),
        help="Folder of a finished corpus that the corpus is made from. Repeatable.",
    )


def _type(node: config_schema.Node) -> Any:
    """The type of click for a node of the schema."""
    if "enum" in node:
        return click.Choice(node["enum"])
    match node.get("type"):
        case ["integer", "string"]:
            return limits.size
        case "integer":
            return click.IntRange(node.get("minimum"), node.get("maximum"))
        case "number":
            above, below = node.get("exclusiveMinimum"), node.get("exclusiveMaximum")
            least, most = node.get("minimum", above), node.get("maximum", below)
            return click.FloatRange(least, most, min_open=above is not None, max_open=below is not None)
    return str

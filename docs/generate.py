"""Generates the reference pages from the package, when mkdocs builds the site (a mkdocs hook).

Nothing is copied by hand: settings come from the config schema, commands from click, tables from their schemas, and
so on. A column or table without a description stops the build.
"""

import ast
import importlib
import inspect
import io
import pkgutil
import re
import textwrap
import tokenize
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import click
import polars as pl
import yaml

import corpusprep
from corpusprep import pipeline, statistics
from corpusprep.commands.application import application
from corpusprep.config import load_schema
from corpusprep.corpus import formats
from corpusprep.languages import descriptions
from corpusprep.pages import features, model_files, perceptrons, victor_models
from corpusprep.pages.algorithms import registry
from corpusprep.tables import schemas, verdicts

REPOSITORY = Path(__file__).resolve().parents[1]
DESCRIPTIONS = Path(__file__).with_name("tables.yaml")

#: Characters of the paths in the listing of results/README.md; what is in the files stands behind them.
_PATHS = 30

#: In a page, the place of something that is generated.
MARK = re.compile(r"^<!-- generated: (\w+) -->$", re.MULTILINE)


# Writing Markdown.


def table(header: list[str], rows: list[list[str]]) -> str:
    """Returns a Markdown table; line breaks and bars in cells are escaped."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines) + "\n"


def _cell(text: str) -> str:
    return re.sub(r"(?<!\\)\|", r"\\|", " ".join(text.split()))


def code(value: object) -> str:
    """Returns a value as a code span, as YAML writes it; nothing for None."""
    if value is None:
        return ""
    if isinstance(value, bool):
        value = str(value).lower()
    if isinstance(value, list):
        value = "[" + ", ".join(map(str, value)) + "]"
    return f"`{value}`"


def plain(text: str) -> str:
    """Returns a text with the characters escaped that Markdown and HTML would read as their own."""
    return re.sub(r"([<>*_\[\]])", lambda found: f"&#{ord(found[0])};", text)


# The config.


def settings(schema: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields every key of the config with its node in the schema, by its dotted name."""

    def walk(node: dict[str, Any], name: str) -> Iterator[tuple[str, dict[str, Any]]]:
        for key, child in node.get("properties", {}).items():
            found, here = _resolved(child, schema), f"{name}.{key}" if name else key
            yield here, found
            for choice in (found, *found.get("oneOf", ())):
                yield from walk(choice, here)
        inside = node.get("additionalProperties")
        if isinstance(inside, dict):
            yield from walk(_resolved(inside, schema), f"{name}.<{'code' if name == 'languages' else 'name'}>")

    yield from walk(schema, "")


def _resolved(node: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    if "$ref" not in node:
        return node
    target: Any = schema
    for part in node["$ref"].removeprefix("#/").split("/"):
        target = target[part]
    return {**_resolved(target, schema), **{key: value for key, value in node.items() if key != "$ref"}}


def allowed(node: dict[str, Any], schema: dict[str, Any]) -> str:
    """Returns what a setting may be, in words."""
    if "enum" in node:
        return ", ".join(code(value) for value in node["enum"])
    choices = [_resolved(choice, schema) for choice in (*node.get("oneOf", ()), *node.get("anyOf", ()))]
    if choices and all("type" in choice or "enum" in choice or "pattern" in choice for choice in choices):
        return " or ".join(allowed(choice, schema) for choice in choices)
    if ":[A-Za-z_]" in node.get("pattern", ""):
        return "your own code, as `module:name`"
    if node.get("pattern", "").startswith("^[0-9]{4}("):
        return "date (`2024`, `2024-05`, `2024-05-31`)"
    kinds = node.get("type", "string")
    if "pattern" in node and isinstance(kinds, list):
        return "size (`500`, `20kB`, `2G`)"
    words = {"string": "text", "object": "mapping", "array": "list", "boolean": "`true`, `false`"}
    words |= {"integer": "whole number", "number": "number"}
    text = " or ".join(words[kind] for kind in (kinds if isinstance(kinds, list) else [kinds]))
    limits = {"minimum": "from", "exclusiveMinimum": "above", "maximum": "to"}
    if "items" in node:
        text += " of " + re.sub(
            r"^(text|whole number|number)", r"\1s", allowed(_resolved(node["items"], schema), schema)
        )
    bounds = " ".join(f"{word} {node[key]}" for key, word in limits.items() if key in node)
    return f"{text} {bounds}".strip()


def config_reference() -> str:
    """Returns the page of all settings, a section per top-level key."""
    schema = load_schema()
    known = list(settings(schema))
    sections = [(name, node) for name, node in known if "." not in name]
    single = [(name, node) for name, node in sections if not any(other.startswith(f"{name}.") for other, _ in known)]
    parts = [
        "# Settings of the config",
        "A config is a YAML or JSON file. Only `corpora` is required. Settings at the top level apply to all corpora;"
        " a corpus may override them. Relative paths are relative to the working directory. A mistake in the config"
        " ends the run before any job starts, with one line that names the key, its value and what is allowed.",
        "This page is generated from the schema that the workflow checks configs against.",
        "## Top level",
        _settings_table(single, schema),
    ]
    for name, node in sections:
        inner = [(other, child) for other, child in known if other.startswith(f"{name}.")]
        if inner:
            inner = [(other.removeprefix(f"{name}."), child) for other, child in _own(inner, schema)]
            parts += [f"## `{name}`", plain(node.get("description", "")), _settings_table(inner, schema)]
    parts.append(
        "A corpus takes these sections and settings too, over those of the top level: "
        + ", ".join(code(name) for name in sorted(_overridable(schema)))
        + "."
    )
    return "\n\n".join(parts) + "\n"


def _overridable(schema: dict[str, Any]) -> set[str]:
    corpus = _resolved(schema["properties"]["corpora"]["additionalProperties"], schema)
    return set(corpus["properties"]) & set(schema["properties"])


def _own(inner: list[tuple[str, dict[str, Any]]], schema: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Those that are not the same settings again, inside a corpus."""
    repeated = tuple(f"corpora.<name>.{name}" for name in _overridable(schema) - {"language"})
    return [(name, node) for name, node in inner if not name.startswith(repeated)]


def _settings_table(rows: list[tuple[str, dict[str, Any]]], schema: dict[str, Any]) -> str:
    meanings = {one.name: one.description for found in registry.registrations() for one in found.described_parameters()}
    meanings |= {one.name: one.description for one in registry.registration(registry.DEFAULT).described_parameters()}
    cells = []
    for name, node in rows:
        meaning = node.get("description") or meanings.get(name.rpartition(".")[2], "")
        cells.append([code(name), allowed(node, schema), code(node.get("default")), plain(meaning)])
    return table(["setting", "allowed", "default", "meaning"], cells)


# The command line.


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
        "The workflow calls these commands. Each can also be run by hand. This page is generated from the command"
        " line itself; `corpusprep COMMAND --help` prints the same.",
    ]
    for name, command in commands():
        context = click.Context(command, info_name=name)
        usage = " ".join([name, *command.collect_usage_pieces(context)])
        parts += [f"{'###' if name.count(' ') > 1 else '##'} {name}", f"    {usage}", *_paragraphs(command.help or "")]
        rows = [
            [", ".join(code(option) for option in (*found.opts, *found.secondary_opts)), *_option(found, context)]
            for found in command.params
            if isinstance(found, click.Option) and not found.hidden
        ]
        if rows:
            parts.append(table(["option", "value", "default", "meaning"], rows))
    return "\n\n".join(parts) + "\n"


def _option(option: click.Option, context: click.Context) -> list[str]:
    value = "" if option.is_flag else option.make_metavar(context).strip("[]").replace("|", ", ")
    if isinstance(option.type, click.types._NumberRangeBase):
        value += f", {option.type._describe_range()}"
    default = option.get_default(context, call=False)
    shown = "required" if option.required else ""
    if not option.required and isinstance(default, str | int | float) and not (option.is_flag and default is False):
        shown = code(default)
    text = plain(option.help or "") + (" May be given several times." if option.multiple else "")
    return [code(value) if value else "", shown, text]


def _paragraphs(text: str) -> list[str]:
    r"""The paragraphs of a help text or docstring; those that click may not wrap (after \b) as they stand."""
    return [
        textwrap.indent(part.removeprefix("\b\n"), "    ") if part.startswith("\b") else plain(" ".join(part.split()))
        for part in inspect.cleandoc(text).split("\n\n")
        if part.strip()
    ]


# The files and their tables.


def parquet_tables() -> dict[str, tuple[str, dict[str, tuple[str, str]]]]:
    """Returns the tables of schemas.py by name: what they hold, and each column's type and meaning.

    The meanings are the comments in the source: `#:` above a schema, and the one behind each column.
    """
    source = inspect.getsource(schemas)
    comments = {
        token.start[0]: token.string
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT
    }
    shared = _described()["shared"]
    tree = ast.parse(source)
    anywhere = _comments_behind(tree, comments)
    found = {}
    for node in tree.body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        name = targets[0].id if targets and isinstance(targets[0], ast.Name) else ""
        schema = getattr(schemas, name, None)
        if not isinstance(schema, pl.Schema):
            continue
        above, line = [], node.lineno - 1
        while comments.get(line, "").startswith("#:"):
            above.insert(0, comments[line].removeprefix("#:").strip())
            line -= 1
        meanings = anywhere | shared | _comments_behind(node, comments)
        columns = {column: (_type(dtype), meanings.get(column, "")) for column, dtype in schema.items()}
        missing = [column for column, (_, meaning) in columns.items() if not meaning]
        if missing or not above:
            raise ValueError(
                f"corpusprep/tables/schemas.py: {name}: describe {', '.join(missing) or 'it'} in a comment"
            )
        found[name] = (" ".join(above), columns)
    return found


def _comments_behind(tree: ast.AST, comments: Mapping[int, str]) -> dict[str, str]:
    """The comments behind the items of dictionaries, by key."""
    return {
        key.value: comments[value.end_lineno].lstrip("#: ")
        for inner in ast.walk(tree)
        if isinstance(inner, ast.Dict)
        for key, value in zip(inner.keys, inner.values, strict=True)
        if isinstance(key, ast.Constant) and value.end_lineno in comments
    }


def output_formats() -> str:
    """Returns the output formats, with their files."""
    rows = [
        [code(name), code(f"<batch>.{found.suffix}"), plain(found.description)]
        for name, found in formats.output_formats().items()
    ]
    return table(["format", "file", "what it is"], rows)


def corpus_columns() -> str:
    """Returns the columns of the corpus as Parquet."""
    return _typed_columns(parquet_tables()["CORPUS"][1])


def _typed_columns(columns: Mapping[str, tuple[str, str]]) -> str:
    rows = [[code(column), kind, plain(meaning)] for column, (kind, meaning) in columns.items()]
    return table(["column", "type", "meaning"], rows)


def _type(dtype: Any) -> str:
    if isinstance(dtype, pl.List):
        return f"list of {_type(dtype.inner)}"
    if isinstance(dtype, pl.Struct):
        return "(" + ", ".join(f"{field.name}: {_type(field.dtype)}" for field in dtype.fields) + ")"
    return str(dtype).lower()


def text_tables() -> dict[str, tuple[str, ...]]:
    """Returns the columns of every table of the statistics, by the table's name."""
    found: dict[str, tuple[str, ...]] = {}
    for module_info in pkgutil.iter_modules(statistics.__path__):
        module = importlib.import_module(f"{statistics.__name__}.{module_info.name}")
        for thing in (module, *vars(module).values()):
            of_module = inspect.ismodule(thing) and thing is module
            name, columns = (getattr(thing, key.upper() if of_module else key, None) for key in ("name", "columns"))
            if (of_module or inspect.isclass(thing)) and isinstance(name, str) and isinstance(columns, tuple):
                found[name] = columns
    return found


def _described() -> dict[str, Any]:
    described: dict[str, Any] = yaml.safe_load(DESCRIPTIONS.read_text(encoding="utf-8"))
    return described


def file_reference() -> str:
    """Returns the page of all files: where they are, and the columns of each table."""
    parts = ["# Files and their tables", *_files(), "## Tables of the stages (Parquet)"]
    for name, (text, columns) in parquet_tables().items():
        parts += [f"### {name.lower().replace('_', ' ')}", text, _typed_columns(columns)]
    parts.append("## Tables of the statistics (TSV)")
    parts.append(
        "Tab-separated, one header line, no quoting. They lie in `<corpus>/statistics/`. Cells are empty where a table"
        " has nothing to say."
    )
    described, known = _described()["statistics"], text_tables()
    if set(described) != set(known):
        raise ValueError(
            f"docs/tables.yaml: statistics: {sorted(set(described) ^ set(known))} is described or made, not both"
        )
    for name, entry in described.items():
        if tuple(entry["columns"]) != known[name]:
            raise ValueError(
                f"docs/tables.yaml: {name}: the table has the columns {', '.join(known[name])}, in this order"
            )
        parts += [f"### {name}.tsv", entry["text"], _columns(entry["columns"])]
    parts.append("## Other tables (TSV)")
    for name, entry in _described()["others"].items():
        parts += [f"### {name}", entry["text"], _columns(entry["columns"])]
    return "\n\n".join(parts) + "\n"


def _files() -> list[str]:
    """The files that runs write, of results/README.md, as a table; then the text after them."""
    listing = (REPOSITORY / "results" / "README.md").read_text(encoding="utf-8").partition("\n")[2]
    rows: list[list[str]] = []
    corpus = ""
    for line in re.findall(r"^    (.+)$", listing, re.MULTILINE):
        path, text = line[:_PATHS].rstrip(), line[_PATHS:]
        if not text:
            corpus = path
        elif not path:
            rows[-1][1] += f" {text}"
        else:
            rows.append([code(corpus + path.strip() if path.startswith(" ") else path), plain(text)])
    after = re.sub(r"^    .*$", "", listing, flags=re.MULTILINE).strip()
    return [table(["file", "what is in it"], rows), after]


def _columns(columns: Mapping[str, str]) -> str:
    return table(["column", "meaning"], [[code(name), meaning] for name, meaning in columns.items()])


# Verdicts, algorithms, languages, library.


def verdict_groups() -> dict[str, tuple[str, dict[str, str]]]:
    """Returns the reasons of verdicts.py by the name of their group, each with the comment above it."""
    source = inspect.getsource(verdicts).splitlines()
    found = {}
    for node in ast.parse("\n".join(source)).body:
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and node.targets[0].id.endswith("_REASONS")
        ):
            above = source[node.lineno - 2].removeprefix("#:").strip()
            found[node.targets[0].id] = (above, getattr(verdicts, node.targets[0].id))
    return found


def verdict_reference() -> str:
    """Returns the page of all verdicts."""
    parts = ["# Verdicts", *_paragraphs((verdicts.__doc__ or "").partition("\n")[2])]
    parts.append(f"`{verdicts.KEPT}` is the verdict on what goes on to the next stage. The other verdicts are reasons:")
    for text, reasons in verdict_groups().values():
        parts += [f"## {plain(text.rstrip('.'))}", _reasons(reasons)]
    return "\n\n".join(parts) + "\n"


def _reasons(reasons: Mapping[str, str]) -> str:
    return table(["verdict", "meaning"], [[code(name), plain(text)] for name, text in reasons.items()])


def _type_name(kind: Any) -> str:
    """Returns the name of a type, or those of a union joined by "or"."""
    return getattr(kind, "__name__", None) or str(kind).replace(" | ", " or ")


def feature_reference() -> str:
    """Returns the page of the features of blocks that learned algorithms read."""
    rows, own = (
        [[code(one.name), plain(one.unit), plain(one.source)] for one in described]
        for described in (features.feature_descriptions(), victor_models.victor_features()[len(victor_models.SHARED) :])
    )
    measured = [[code(name), plain(unit)] for name, unit in perceptrons.FEATURES.items()]
    return (
        "\n\n".join(
            [
                "# Features of blocks",
                "What the algorithm `content` reads of a block. Each is a whole number from 0 to 255, and depends on"
                " the block's page alone. `corpusprep extract --explain` names those that moved the score of a block"
                " most; a model reads some of them.",
                "Shares are 255 a / b, rounded down, and 0 where b is 0. Steps are exact up to 31; from there on, each"
                " doubling has 16 values. Counts end at 255. *Running text* is the words outside links of blocks with"
                " at least 12 words and less than 0.4 of them in links. A *container* is a block-level element,"
                " `<body>` or the root; the first container of a block is the innermost one. A word is a sequence"
                " without white space; in scripts without spaces, a Chinese or Japanese character counts as 0.6 words"
                " and one of South-East Asia as 0.25.",
                table(["feature", "unit", "source"], rows),
                "Victor (`victor`) reads some of them, and these of the text of a block and of its page:",
                table(["feature", "unit", "source"], own),
                "Of the features above, it reads " + ", ".join(code(name) for name in victor_models.SHARED) + ".",
                "texrex (`texrex`) cuts blocks from the markup of a page, and measures these 37 features of them"
                " (Schäfer 2016, table 1):",
                table(["feature", "value"], measured),
                "Kinds of blocks: " + ", ".join(code(kind) for kind in features.KINDS) + ".",
            ]
        )
        + "\n"
    )


def algorithm_reference() -> str:
    """Returns the page of the boilerplate algorithms: what each keeps, its source and its parameters."""
    parts = [
        "# Boilerplate algorithms",
        "Names for `boilerplate: {algorithm: …}` in the config, `--algorithm` of `corpusprep extract`, and the"
        " argument `algorithm` of [`extract`](library.md). How well they do on gold data:"
        " [evaluation](../measurements/evaluation.md). To use your own: [an own cleaner](../how-to/own-cleaner.md).",
    ]
    for found in registry.registrations():
        parts += [f"## {found.name}", plain(found.description), f"Source: {plain(found.source)}."]
        rows = [
            [code(one.name), _type_name(one.type), code(one.default), plain(one.description)]
            for one in found.described_parameters()
        ]
        if rows:
            parts.append(table(["parameter", "type", "default", "meaning"], rows))
        if found.presets:
            names = [row[0].strip("`") for row in rows]
            presets = [[name, *(code(getattr(values, one)) for one in names)] for name, values in found.presets.items()]
            parts += ["Presets:", table(["preset", *map(code, names)], presets)]
    return "\n\n".join(parts) + "\n"


def language_reference() -> str:
    """Returns the page of the languages: the list, then what is to be known about codes and encodings."""
    rows = [
        [
            code(found.code),
            found.name,
            " ".join(found.aliases),
            " ".join(found.encodings),
            str(found.threshold),
            " ".join(found.rivals),
        ]
        for found in map(descriptions.describe, descriptions.known())
    ]
    neighbours = ", ".join(f"{descriptions.describe(name).name} (`{name}`)" for name in descriptions.neighbours())
    text = (REPOSITORY / "config" / "languages" / "README.md").read_text(encoding="utf-8").partition("\n## ")
    return "\n\n".join(
        [
            "# Languages",
            f"{len(rows)} languages come with corpusprep, as rows of the table. Known as rivals only: {neighbours}."
            " Any other language is [made from a sample](../how-to/new-language.md).",
            table(["code", "language", "other codes", "encodings beside UTF-8", "threshold", "rivals"], rows),
            "## " + re.sub(r"\[([^]]+)\]\(\.\./\.\./docs/", r"[\1](../", text[2]),
        ]
    )


def library_reference() -> str:
    """Returns the page of the public library interface, corpusprep.__all__."""
    names = [name for name in corpusprep.__all__ if not name.startswith("_")]
    parts = [
        "# Library",
        f"The public interface is what `corpusprep` exports: {', '.join(map(code, names))} and `__version__`.",
    ]
    parts.append("Everything else may change from version to version.")
    for name in names:
        thing = getattr(corpusprep, name)
        parts += [f"## {name}", *_signature(name, thing), *_docstring(inspect.getdoc(thing) or "")]
        methods = vars(thing).items() if inspect.isclass(thing) else ()
        for method, function in methods:
            if inspect.isfunction(function) and not method.startswith("_"):
                parts += [
                    f"### {name}.{method}",
                    *_signature(method, function),
                    *_docstring(inspect.getdoc(function) or ""),
                ]
    return "\n\n".join(parts) + "\n"


def _signature(name: str, thing: Callable[..., Any]) -> list[str]:
    """The signature as code; none for an exception or a protocol, which nobody calls."""
    if inspect.isclass(thing) and (issubclass(thing, Exception) or getattr(thing, "_is_protocol", False)):
        return []
    text = re.sub(r"\b(corpusprep|collections)\.(\w+\.)*|(?<=\()self(, |(?=\)))", "", str(inspect.signature(thing)))
    return [f"```python\n{name}{_wrapped(text)}\n```"]


def _wrapped(signature: str) -> str:
    """A signature, an argument per line if it is long."""
    if len(signature) < 80:
        return signature
    inside, _, result = signature[1:].rpartition(")")
    arguments = re.split(r", (?![^\[]*\])", inside)
    return "(\n" + "".join(f"    {argument},\n" for argument in arguments) + f"){result}"


def _docstring(text: str) -> Iterator[str]:
    """A Google-style docstring as Markdown: its sections as lists, its examples as code."""
    for part in text.split("\n\n"):
        first, _, rest = part.partition("\n")
        if part.startswith(">>>"):
            yield f"```pycon\n{part}\n```"
        elif first in ("Args:", "Attributes:", "Raises:", "Returns:", "Yields:"):
            yield f"**{first.replace('Args', 'Arguments')}**"
            items = re.split(r"\n(?=\S)", textwrap.dedent(rest))
            if first == "Returns:":
                yield plain(" ".join(rest.split()))
            else:
                pairs = [" ".join(item.split()).partition(": ") for item in items]
                yield "\n".join(f"- `{name}`: {_keep_code(meaning)}" for name, _, meaning in pairs)
        else:
            yield _keep_code(" ".join(part.split()))


def _keep_code(text: str) -> str:
    """Escapes a text outside its code spans."""
    return "".join(part if part.startswith("`") else plain(part) for part in re.split(r"(`[^`]*`)", text))


# Parts of other pages.


def layers() -> str:
    """Returns the layers of the import contract, with what each room is for."""
    tools = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    rows = []
    for layer in tools["importlinter"]["contracts"][0]["layers"]:
        for name in layer.split(" | "):
            module = importlib.import_module(f"corpusprep.{name}") if name != "__main__" else None
            text = (module.__doc__ or "") if module else "`python -m corpusprep`."
            rows.append([code(name), " ".join(text.strip().partition("\n\n")[0].split())])
    return table(["layer", "what it holds"], rows)


def steps() -> str:
    """Returns the steps of the pipeline, with the files that they read and write."""
    rows = []
    for step in pipeline.STEPS.values():
        reads, writes = (
            ", ".join(code(pipeline.FILES[name].pattern.replace("{", "<").replace("}", ">")) for name in names)
            for names in ((*step.reads, *step.sometimes, *step.implied), step.writes)
        )
        rows.append([code(step.name), step.scope.value, reads, writes + (" (temporary)" if step.temporary else "")])
    return table(["step", "works on", "reads", "writes"], rows)


def model_reference() -> str:
    """Returns the cards of the models of learned cleaners that come with the package."""
    lines = [
        "# Models of learned cleaners",
        "",
        "What each model that comes with the package was trained from, and how good it is. The models hold numbers "
        "only: no page and no text. The licences are those of the annotations; the pages belong to their publishers. "
        "[Train your own](../how-to/train.md).",
        "",
    ]
    for path in sorted((REPOSITORY / "config" / "models").glob("*.model")):
        # `content-permissive` is a model of `content`.
        header = model_files.read(path, path.stem.partition("-")[0]).header
        if header["algorithm"] == perceptrons.ALGORITHM:
            lines += _perceptron_card(header["card"], path.stat().st_size)
            continue
        lines += _model_card(
            header["card"], header.get("thresholds", {"most likely sequence": 500}), path.stat().st_size
        )
    return "\n".join(lines)


def _perceptron_card(card: Mapping[str, Any], size: int) -> Iterator[str]:
    """Yields the card of a model of texrex, which is trained on blocks and judged by them."""
    yield f"## `{card['name']}`\n"
    yield f"Made by {card['made_by']}; {size / 1000:.0f} kB.\n"
    rows = [
        [
            code(one["name"]),
            one["language"] or "several",
            one["licence"],
            f"{one['blocks']:,}",
            f"{one['main_content']:,}",
        ]
        for one in card["sets"]
    ]
    yield table(["trained on", "language", "licence", "blocks", "main content"], rows)
    scores = card["scores"]
    yield (
        f"Blocks called boilerplate at the threshold 0.5, by models of the other parts in {scores['folds']} parts: "
        f"precision {scores['precision']:.3f}, recall {scores['recall']:.3f}, F1 {scores['f1']:.3f}; "
        f"{scores['correct']:.3f} of all decisions are right, {scores['baseline']:.3f} if all blocks are called "
        "boilerplate.\n"
    )


def _model_card(card: Mapping[str, Any], thresholds: Mapping[str, int], size: int) -> Iterator[str]:
    named = ", ".join(f"`{name}` {value / 1000:g}" for name, value in thresholds.items())
    yield f"## `{card['name']}`\n\nMade by {card['made_by']}, {size / 1000:.0f} kB. Thresholds: {named}.\n"
    rows = [
        [
            one["title"],
            one["licence"],
            f"{one['pages']:,}",
            "; ".join(f"{n} {why}" for why, n in one["left_out"].items()),
        ]
        for one in card["sets"]
    ]
    yield table(["trained on", "licence", "pages", "left out"], rows)
    if card["made_pages"]:
        yield f"Beside these, {card['made_pages']:,} pages that training made from them.\n"
    for title, key in (("Pages per language", "languages"), ("Pages per kind", "kinds")):
        yield f"{title}: {', '.join(f'{name} {count:,}' for name, count in card[key].items())}.\n"
    rows = [
        [
            one["set"],
            one["measure"],
            one["protocol"],
            f"{one['f1']:.2f}",
            "{} to {}".format(*one["interval"]),
            f"{one['mean']:.2f}",
        ]
        for one in card["scores"]
    ]
    at = "balanced" if "balanced" in thresholds else next(iter(thresholds))
    yield f"F1 in percent at the threshold `{at}`: of all words of a set, and the mean over its pages.\n"
    yield table(["set", "measure", "protocol", "F1", "95 %", "mean over pages"], rows)
    yield "Weak at:\n"
    yield "".join(f"* {line}\n" for line in card["weak_at"])


PAGES: dict[str, Callable[[], str]] = {
    "reference/config.md": config_reference,
    "reference/commands.md": command_reference,
    "reference/library.md": library_reference,
    "reference/files.md": file_reference,
    "reference/verdicts.md": verdict_reference,
    "reference/algorithms.md": algorithm_reference,
    "reference/features.md": feature_reference,
    "reference/models.md": model_reference,
    "reference/languages.md": language_reference,
}
PARTS: dict[str, Callable[[], str]] = {
    "layers": layers,
    "steps": steps,
    "corpus_columns": corpus_columns,
    "output_formats": output_formats,
}


def on_files(files: Any, config: Any) -> Any:
    """Adds the generated pages to the site (mkdocs calls this)."""
    from mkdocs.structure.files import File

    for path, make in PAGES.items():
        files.append(File.generated(config, path, content=make()))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Fills in the parts of a page that are generated (mkdocs calls this)."""
    return MARK.sub(lambda found: PARTS[found[1]](), markdown)

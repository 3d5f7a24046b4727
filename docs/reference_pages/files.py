"""The pages of files, their tables and the verdicts in them."""

import ast
import inspect
import io
import re
import tokenize
from collections.abc import Mapping
from typing import Any

import polars as pl
import yaml

from corpusprep.corpus import formats
from corpusprep.statistics import registry
from corpusprep.tables import schemas, verdicts
from reference_pages import REPOSITORY
from reference_pages.markdown import code, paragraphs, plain, table

DESCRIPTIONS = REPOSITORY / "docs" / "tables.yaml"

#: Characters of the paths in the listing of results/README.md; what is in the files stands behind them.
_PATHS = 30


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
        above: list[str] = []
        line = node.lineno - 1
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
        key.value: comments[line].lstrip("#: ")
        for inner in ast.walk(tree)
        if isinstance(inner, ast.Dict)
        for key, value in zip(inner.keys, inner.values, strict=True)
        for line in [value.end_lineno or 0]
        if isinstance(key, ast.Constant) and isinstance(key.value, str) and line in comments
    }


def output_formats() -> str:
    """Returns the output formats, with their files."""
    rows = [
        [code(name), code(f"<batch>.{found.suffix}"), plain(found.description)]
        for name, found in formats.output_formats().items()
    ]
    return table(["format", "file", "what it is"], rows)


def corpus_formats() -> str:
    """Returns the formats that describe a whole corpus, with their files."""
    rows = [
        [code(name), ", ".join(map(code, found.files)), plain(found.description)]
        for name, found in formats.corpus_formats().items()
    ]
    return table(["format", "files", "what they are"], rows)


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
        "Tab-separated, one header line, no quoting: [how to read them](../formats.md#tab-separated-tables). They lie"
        " in `<corpus>/statistics/`. Cells are empty where a table has nothing to say."
    )
    for kind in registry.tables():
        meanings = {column.name: column.meaning for column in kind.columns}
        parts += [f"### {kind.name}.tsv", *paragraphs(kind.__doc__ or ""), _columns(meanings)]
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
    parts = ["# Verdicts", *paragraphs((verdicts.__doc__ or "").partition("\n")[2])]
    parts.append(f"`{verdicts.KEPT}` is the verdict on what goes on to the next stage. The other verdicts are reasons:")
    for text, reasons in verdict_groups().values():
        parts += [f"## {plain(text.rstrip('.'))}", _reasons(reasons)]
    return "\n\n".join(parts) + "\n"


def _reasons(reasons: Mapping[str, str]) -> str:
    return table(["verdict", "meaning"], [[code(name), plain(text)] for name, text in reasons.items()])

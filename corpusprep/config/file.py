"""Reads a config file as Snakemake does, but refuses equal keys, and says in which line a mistake is."""

import contextlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from corpusprep.errors import ConfigError
from corpusprep.io import named_files

#: YAML's key for a mapping whose keys are taken over; it may stand more than once.
_MERGE = "tag:yaml.org,2002:merge"
#: An entry of a list, such as `archives`, that YAML takes for a tag or an alias, or cannot take.
_MARKED = re.compile(r"(?:^|[\[,:-])\s*([!@*](?!!)[^\s,\]}]*)")
_COMMENT = re.compile(r"(?:^|\s)#.*")


def read(path: Path) -> dict[str, Any]:
    """Reads a config: JSON, or else YAML.

    Raises:
        ConfigError: in one line: the file cannot be read, is neither JSON nor YAML, has equal keys, or is no mapping.
    """
    import yaml

    text = _text(path)
    try:
        config = json.loads(text)
    except (ValueError, RecursionError):
        with _located(path, text):
            _refuse_equal_keys(path, yaml.compose(text, yaml.SafeLoader))
            config = _load(path, text)
            _refuse_circles(path, config)
    else:
        # JSON is YAML, but for its tabs, which stand between values only.
        with contextlib.suppress(yaml.YAMLError, RecursionError):
            _refuse_equal_keys(path, yaml.compose(text.replace("\t", " "), yaml.SafeLoader))
    if not isinstance(config, dict):
        raise ConfigError(f"{path}: holds no mapping; a config has at least the key corpora")
    return config


def _load(path: Path, text: str) -> Any:
    """Parses YAML.

    Raises:
        ConfigError: a value is none of its kind, such as the date 2024-02-30; names the line.
    """
    import yaml

    class Loader(yaml.SafeLoader):
        def construct_object(self, node: Any, deep: bool = False) -> Any:
            try:
                return super().construct_object(node, deep=deep)
            except ValueError as error:
                shown = str(node.value) if len(str(node.value)) <= 60 else f"{str(node.value)[:57]}..."
                raise ConfigError(f"{path}{_place(node.start_mark)}: {shown} cannot be read: {error}") from None

    return yaml.load(text, Loader)


def _refuse_circles(path: Path, config: Any) -> None:
    """Raises ConfigError for a YAML alias within its own value."""
    try:
        json.dumps(config, default=str, skipkeys=True)
    except ValueError:
        raise ConfigError(f"{path}: a value refers to itself (YAML's & and *)") from None


def _text(path: Path) -> str:
    try:
        return named_files.read(path).decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{path}, line {line}: not UTF-8; save the file as UTF-8") from None
    except FileNotFoundError:
        raise ConfigError(f"{path}: no such config file (working directory {Path.cwd()})") from None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None


@contextlib.contextmanager
def _located(path: Path, text: str) -> Iterator[None]:
    """Turns an error of the YAML parser into one line with its place."""
    import yaml

    try:
        yield
    except RecursionError:
        raise ConfigError(f"{path}: neither YAML nor JSON: nested too deeply") from None
    except yaml.MarkedYAMLError as error:
        place = _place(error.problem_mark)
        begun = f" ({error.context}{_place(error.context_mark)})" if error.context else ""
        problem = " ".join(f"{error.problem}{begun}".split())
        hint = _hint(text, error.context_mark, error.problem_mark)
        raise ConfigError(f"{path}{place}: neither YAML nor JSON: {problem}{hint}") from None
    except yaml.YAMLError as error:
        raise ConfigError(f"{path}: neither YAML nor JSON: {' '.join(str(error).split())}") from None


def _place(mark: Any) -> str:
    return f", line {mark.line + 1}" if mark else ""


def _hint(text: str, begun: Any, stopped: Any) -> str:
    """Returns what is wrong if there is a tab where YAML stopped, or an entry with a mark since what it had begun."""
    if stopped is None:
        return ""
    lines = text.splitlines()
    if stopped.line < len(lines) and "\t" in lines[stopped.line][: stopped.column + 1]:
        return "; indent with spaces, not with tabs"
    first = begun.line if begun else stopped.line
    read = [_COMMENT.sub("", line) for line in lines[first : stopped.line + 1]]
    if mark := next(filter(None, map(_MARKED.search, read)), None):
        return f'; put entries that begin with !, @ or * in quotes: "{mark[1]}"'
    return ""


def _refuse_equal_keys(path: Path, root: Any) -> None:
    """Raises ConfigError for the first mapping, from the top, that has a key twice; names both lines."""
    import yaml

    waiting: list[tuple[Any, str]] = [(root, "")]
    seen: set[int] = set()  # an alias is a node that is there already
    while waiting:
        node, name = waiting.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        inside: list[tuple[str, Any]] = []
        if isinstance(node, yaml.SequenceNode):
            inside = [(str(number), value) for number, value in enumerate(node.value)]
        elif isinstance(node, yaml.MappingNode):
            lines: dict[tuple[str, str], int] = {}
            for key, value in node.value:
                if not isinstance(key, yaml.ScalarNode) or key.tag == _MERGE:
                    inside.append(("<<", value))
                    continue
                line = key.start_mark.line + 1
                if (key.tag, key.value) in lines:
                    first = lines[key.tag, key.value]
                    place = f"lines {first} and {line}" if first != line else f"line {line}"
                    raise ConfigError(
                        f"{path}: {_joined(name, key.value)} stands twice ({place}); rename or remove one of them"
                    )
                lines[key.tag, key.value] = line
                inside.append((key.value, value))
        waiting += [(value, _joined(name, key)) for key, value in reversed(inside)]


def _joined(name: str, key: str) -> str:
    return f"{name}.{key}" if name else key

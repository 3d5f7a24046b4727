"""The schema of the config: names, types, defaults and descriptions of settings, for the config and the commands."""

import contextlib
import json
import os
from functools import cache
from pathlib import Path
from typing import Any

Node = dict[str, Any]
PATH = Path(__file__).with_name("config.schema.yaml")
#: The schema as JSON, made on the first use and again when the schema has changed, as Python does with its bytecode:
#: a job reads it in 0.3 ms of CPU time. To import a YAML parser and to parse it takes 37 ms.
CACHE = PATH.with_name("__pycache__")


def load(path: Path = PATH) -> Node:
    """Reads a JSON schema that is written in YAML."""
    import yaml

    schema: Node = yaml.safe_load(path.read_text(encoding="utf-8"))
    return schema


@cache
def schema() -> Node:
    """Returns the schema of the package."""
    written = PATH.stat()
    cached = CACHE / f"config.schema-{written.st_mtime_ns:x}-{written.st_size:x}.json"
    with contextlib.suppress(OSError, ValueError):
        node: Node = json.loads(cached.read_text(encoding="utf-8"))
        return node
    loaded = load()
    with contextlib.suppress(OSError):  # where the package cannot be written, every process parses the schema
        CACHE.mkdir(exist_ok=True)
        _store(loaded, cached)
    return loaded


def _store(loaded: Node, cached: Path) -> None:
    """Writes the schema as JSON, which all may read whom the umask lets; removes what is left of other schemas."""
    temporary = cached.with_name(f"{cached.stem}-{os.getpid()}.partial")
    try:
        with temporary.open("x", encoding="utf-8") as file:
            json.dump(loaded, file)
        temporary.replace(cached)
    finally:
        temporary.unlink(missing_ok=True)
    for other in cached.parent.glob("config.schema-*"):
        if other != cached:
            other.unlink(missing_ok=True)


def resolved(node: Node, schema: Node) -> Node:
    """Returns a node of a schema with its references followed; its own keywords take precedence."""
    if "$ref" not in node:
        return node
    target: Any = schema
    for part in node["$ref"].removeprefix("#/").split("/"):
        target = target[part]
    return {**resolved(target, schema), **{key: value for key, value in node.items() if key != "$ref"}}


def setting(key: str) -> Node:
    """Returns the node of a setting: `memory`, `section.name`, or `corpora.name` for one that each corpus has.

    Raises:
        KeyError: there is no such setting.
    """
    whole = schema()
    node = whole
    for part in key.split("."):
        node = resolved((node.get("properties") or node["additionalProperties"]["properties"])[part], whole)
    return node


def default(key: str) -> Any:
    """Returns the default of a setting.

    The schema is the only place of defaults: what a step decides by is an argument without one.
    """
    return setting(key)["default"]


def keys(section: str) -> list[str]:
    """Returns the keys of a section's settings, as `section.name`; a setting that is no section is its own."""
    return [f"{section}.{name}" for name in setting(section).get("properties", {})] or [section]


def switches(name: str) -> tuple[str, str]:
    """Returns the options that turn a setting of true or false on and off.

    >>> switches("exclude_stopwords")
    ('--exclude-stopwords', '--count-stopwords')
    """
    on = name.replace("_", "-")
    return f"--{on}", f"--count-{on.removeprefix('exclude-')}" if on.startswith("exclude-") else f"--no-{on}"

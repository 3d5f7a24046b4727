"""The page of all settings of the config, from its schema."""

import re
from collections.abc import Iterator
from typing import Any

from corpusprep.cleaners import registry
from corpusprep.config import schema as config_schema
from corpusprep.config.settings import load_schema
from reference_pages.markdown import code, plain, table

_OVERRIDE = "corpora.<name>.overrides.<code>.section"


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
            yield from walk(
                _resolved(inside, schema), f"{name}.<{'code' if name.endswith(('languages', 'overrides')) else 'name'}>"
            )

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
        " a corpus may override most of them (see the end of the page). Relative paths are relative to the working"
        " directory. A mistake in the config ends the run before any job starts, with one line that names the key, its"
        " value and what is allowed.",
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
    return set(corpus["properties"]) & set(schema["properties"]) - {"languages"}


def _own(inner: list[tuple[str, dict[str, Any]]], schema: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Those that are not the same settings again, inside a corpus or in its `overrides`."""
    repeated = {f"corpora.<name>.{name}" for name in _overridable(schema) - {"language"}}

    def again(name: str) -> bool:
        inside_overrides = name.startswith("corpora.<name>.overrides.") and name.count(".") > _OVERRIDE.count(".")
        return inside_overrides or ".".join(name.split(".")[:3]) in repeated

    return [(name, node) for name, node in inner if not again(name)]


def _settings_table(rows: list[tuple[str, dict[str, Any]]], schema: dict[str, Any]) -> str:
    meanings = {one.name: one.description for found in registry.registrations() for one in found.described_parameters()}
    meanings |= {
        one.name: one.description
        for one in registry.registration(config_schema.default("boilerplate.algorithm")).described_parameters()
    }
    cells = []
    for name, node in rows:
        meaning = node.get("description") or meanings.get(name.rpartition(".")[2], "")
        cells.append([code(name), allowed(node, schema), code(node.get("default")), plain(meaning)])
    return table(["setting", "allowed", "default", "meaning"], cells)

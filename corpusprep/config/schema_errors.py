"""Says what in a config is not as its schema says: one line per mistake, with the key, the value, what is allowed."""

from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema

from corpusprep.config.schema import Node, resolved
from corpusprep.errors import Mistakes, meant

#: Type of JSON Schema -> its name in messages.
_KINDS = {
    "array": "a list",
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
    "object": "a mapping",
    "string": "a text",
}
#: JSON Schema takes 10.0 for a whole number; the options of the commands do not.
_VALIDATOR = jsonschema.validators.extend(
    jsonschema.Draft202012Validator,
    type_checker=jsonschema.Draft202012Validator.TYPE_CHECKER.redefine(
        "integer", lambda _, value: isinstance(value, int) and not isinstance(value, bool)
    ),
)


def keep_to_schema(config: Mapping[str, Any], schema: Node, mistakes: Mistakes) -> None:
    """Notes what is not as the schema says, and takes it out of a config, so that the rest can be looked at.

    Raises:
        ConfigError: nothing can be looked at without it.
    """
    validator = _VALIDATOR(schema)
    taken: set[tuple[str, ...]] = set()
    while errors := list(validator.iter_errors(config)):
        error = min(errors, key=lambda error: (len(error.absolute_path), list(map(str, error.absolute_path))))
        path = [*error.absolute_path]
        match error.validator:
            case "additionalProperties":
                path.append(next(name for name in error.instance if name not in error.schema.get("properties", {})))
            case "required":
                path.append(next(name for name in error.validator_value if name not in error.instance))
        if "propertyNames" in error.absolute_schema_path:
            path.append(error.instance)
        key = tuple(map(str, path))
        # What is missing because it was taken out is no mistake; what it is missing from goes, too.
        if not any(one[: len(key)] == key for one in taken):
            mistakes.lines[_explain(error, schema)] = None
        if error.validator == "required" or key in taken:
            path.pop()
        if {"language", "languages"}.intersection(map(str, path)):  # most of what is checked of a corpus depends on it
            path = path[:2] if path[0] == "corpora" else []
        if not path or path == ["corpora"]:
            mistakes.refuse()
        taken.add(tuple(map(str, path)))
        inside: Any = config
        for part in path[:-1]:
            inside = inside[part]
        del inside[path[-1]]


def _explain(error: jsonschema.ValidationError, schema: Node) -> str:
    """One line that names the key, the value and what is allowed."""
    key = _dotted(error.absolute_path)
    value = error.instance
    last = [part for part in map(str, error.absolute_path) if not part.isdecimal()][-1:]
    if last and last[0] in ("language", "code", "languages", "others", "rivals"):
        listed = value if isinstance(value, list) else [value]
        if any(item is False for item in listed):
            read = f"{key} {'has' if isinstance(value, list) else 'is'} false"
            return f'config: {read}: YAML reads an unquoted no as false; write "no" or nb for Norwegian'
    match error.validator:
        case "additionalProperties":
            known = sorted(error.schema.get("properties", {}))
            unknown = next(name for name in value if name not in known)
            hint = meant(unknown, known) or _elsewhere(unknown, schema)
            if unknown in schema["properties"]:
                hint = " it is for all corpora: write it at the top level;"
                corpus = resolved(schema["properties"]["corpora"]["additionalProperties"], schema)["properties"]
                if unknown in corpus and "overrides" in error.absolute_path:
                    hint = " it is for all languages of the corpus: write it beside overrides;"
            return f"config: {joined(key, unknown)} is not a setting;{hint} allowed here: {', '.join(known)}"
        case "required":
            missing = next(name for name in error.validator_value if name not in value)
            hint = description(schema, (*error.absolute_path, missing))
            return f"config: {joined(key, missing)} is missing{': ' + hint if hint else ''}"
        case "enum":
            choices = list(map(str, error.validator_value))
            return f"config: {key} is {shown(value)};{meant(str(value), choices)} allowed: {', '.join(choices)}"
        case "anyOf" if "enum" in error.validator_value[0]:
            own = resolved(error.validator_value[1], schema)["description"]
            names = ", ".join(error.validator_value[0]["enum"])
            hint = meant(str(value), error.validator_value[0]["enum"])
            return f"config: {key} is {shown(value)};{hint} allowed: {names}, or {own}"
    if "propertyNames" in error.absolute_schema_path:
        if error.validator == "not":
            return f"config: {joined(key, str(value))}: the name {value} is taken by the workflow; choose another"
        named, kind = ("languages", "language code") if key == "languages" else ("corpora", "corpus name")
        return f"config: {joined(key, str(value))}: a {kind} has {_name_rule(schema, named)}"
    return f"config: {key} is {shown(value)}; allowed: {_allowed(error)}"


def _allowed(error: jsonschema.ValidationError) -> str:
    node = error.schema
    if "pattern" in node and "description" in node:
        return str(node["description"])
    kinds = node.get("type", "another value")
    parts = [" or ".join(_KINDS.get(kind, str(kind)) for kind in (kinds if isinstance(kinds, list) else [kinds]))]
    names = {
        "minimum": "at least",
        "exclusiveMinimum": "more than",
        "maximum": "at most",
        "exclusiveMaximum": "less than",
        "minLength": "length at least",
    }
    parts += [f"{text} {node[keyword]}" for keyword, text in names.items() if keyword in node]
    if "minItems" in node or "minProperties" in node:
        parts.append("not empty")
    if kinds == "array" and isinstance(error.instance, str):
        plain = error.instance.isprintable()
        parts[-1] += f"; put it in brackets: [{error.instance if plain else shown(error.instance)}]"
    return ", ".join(parts)


def _elsewhere(key: str, schema: Node) -> str:
    """Returns a hint if a key is one of a section."""
    sections = {name: resolved(node, schema).get("properties", {}) for name, node in schema["properties"].items()}
    places = [f"{name}.{key}" for name, keys in sections.items() if key in keys]
    return f" did you mean {places[0]}?" if places else ""


def description(schema: Node, path: tuple[Any, ...]) -> str:
    """Returns what a schema says of a key; empty if it says nothing."""
    node: Node = schema
    for part in path:
        node = resolved(node, schema)
        properties = node.get("properties", {})
        node = properties.get(part) or node.get("additionalProperties") or {}
        if not isinstance(node, dict):
            return ""
    return " ".join(str(resolved(node, schema).get("description", "")).split())


def _name_rule(schema: Node, named: str) -> str:
    return str(schema["properties"][named]["propertyNames"]["description"])


def _dotted(path: Iterator[Any] | Any) -> str:
    return ".".join(map(str, path)) or "the config"


def joined(key: str, name: str) -> str:
    """Returns the dotted name of a key inside another."""
    return name if key == "the config" else f"{key}.{name}"


def shown(value: Any) -> str:
    """Returns a value as messages show it: long ones are cut."""
    if value is None:
        return "empty"
    text = str(value).lower() if isinstance(value, bool) else repr(value)
    return text if len(text) <= 60 else text[:57] + "..."

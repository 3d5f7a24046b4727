"""Makes the values of a config that YAML has read those that the schema describes."""

import datetime
import math
from collections.abc import Mapping
from typing import Any

from corpusprep.config.schema_errors import joined, shown
from corpusprep.errors import ConfigError
from corpusprep.io.home import at_home

#: Keys whose values are paths, or lists of paths.
PATHS = (
    "results",
    "archives",
    "from",
    "data",
    "text",
    "html",
    "language",
    "code",
    "method",
    "rivals",
    "hosts",
    "urls",
    "forget",
    "against",
    "count_tokens",
    "key",
)


def normal(config: Any, key: str = "") -> Any:
    """Returns a config as the schema describes it: dates as texts, and `~` at the start of a path as the home folder.

    Raises:
        ConfigError: a key is no text, a number is infinite or none (`.inf`, `.nan`), or a text has characters that
            neither a file name nor an option can have.
    """
    if isinstance(config, Mapping):
        for name in config:
            if isinstance(name, bool):
                kind, unquoted = ("true", "yes or on") if name else ("false", "no or off")
                here = joined(key or "the config", kind)
                raise ConfigError(
                    f"config: {here}: YAML reads an unquoted {unquoted} as {kind}; write this key in quotes"
                )
            if not isinstance(name, str):
                here = joined(key or "the config", str(name))
                raise ConfigError(f"config: {here}: YAML does not read this key as a text; write it in quotes")
        return {name: normal(value, f"{key}.{name}" if key else name) for name, value in config.items()}
    if isinstance(config, list):
        return [normal(value, key) for value in config]
    if isinstance(config, datetime.datetime):
        utc = config.astimezone(datetime.UTC) if config.tzinfo else config
        return utc.strftime("%Y-%m-%dT%H:%M:%SZ")
    if isinstance(config, datetime.date):
        return config.isoformat()
    if isinstance(config, float) and not math.isfinite(config):
        raise ConfigError(f"config: {key} is {shown(config)}: not a finite number")
    if isinstance(config, str) and _unwritable(config):
        raise ConfigError(f"config: {key} is {shown(config)}: it has a NUL character, or half of a character")
    words = key.split(".")
    if words[-1] in ("first_date", "last_date") and isinstance(config, int) and not isinstance(config, bool):
        return str(config)
    return _expanded(config) if isinstance(config, str) and words[-1] in PATHS else config


def _unwritable(text: str) -> bool:
    """Returns whether no file name or option can be a text: JSON and YAML can name NUL and halves of characters."""
    try:
        return b"\0" in text.encode()
    except UnicodeEncodeError:
        return True


def _expanded(path: str) -> str:
    """Expands `~` behind the marks of an entry (`!`, `@`)."""
    bare = path.lstrip("!@")
    return path.removesuffix(bare) + at_home(bare)

"""Tests for the cache of the schema."""

import errno
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from corpusprep.config import schema as config_schema


def read() -> config_schema.Node:
    """Reads the schema as a new process does."""
    config_schema.schema.cache_clear()
    return config_schema.schema()


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Puts the cache into an empty folder."""
    monkeypatch.setattr(config_schema, "CACHE", tmp_path)
    yield tmp_path
    config_schema.schema.cache_clear()


@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o002, 0o664), (0o077, 0o600)])
def test_the_cache_is_readable_as_the_umask_says(cache: Path, umask: int, mode: int) -> None:
    """So jobs of other users of an installation read it too."""
    before = os.umask(umask)
    try:
        read()
    finally:
        os.umask(before)
    (cached,) = cache.iterdir()
    assert cached.stat().st_mode & 0o777 == mode


def test_the_cache_has_the_schema(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first process parses YAML, the next one does not."""
    parsed = read()
    assert parsed == config_schema.load()
    assert [json.loads(path.read_text()) for path in cache.iterdir()] == [parsed]
    monkeypatch.setattr(config_schema, "load", lambda: pytest.fail("parses YAML"))
    assert read() == parsed


def test_caches_of_other_schemas_are_removed(cache: Path) -> None:
    """Also what a killed process left; other files in the folder stay."""
    for name in ("config.schema-1-2.json", "config.schema-1-2-3.partial", "config.cpython-311.pyc"):
        (cache / name).touch()
    read()
    left = sorted(path.name for path in cache.iterdir())
    assert len(left) == 2
    assert left[0] == "config.cpython-311.pyc"
    assert left[1].endswith(".json")
    assert left[1] != "config.schema-1-2.json"


def test_a_full_disk_leaves_no_file(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The schema is read all the same, and what was cached before stays."""

    def dump(_: Any, file: Any) -> None:
        file.write("{")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    (cache / "config.schema-1-2.json").touch()
    monkeypatch.setattr(json, "dump", dump)
    assert read() == config_schema.load()
    assert [path.name for path in cache.iterdir()] == ["config.schema-1-2.json"]

"""Packages with plugins, as an installation would leave them in a folder of the search path."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from corpusprep.io import plugins


def install(
    folder: Path, module: str, source: str, points: Mapping[str, Mapping[str, str]], package: str = "their-package"
) -> None:
    """Writes a module, and the metadata of a package with these entry points: group -> name -> attribute of it."""
    (folder / f"{module}.py").write_text(source, encoding="utf-8")
    metadata = folder / f"{package.replace('-', '_')}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n", encoding="utf-8")
    lines = [
        line
        for group, named in points.items()
        for line in (f"[{group}]", *(f"{name} = {module}:{attribute}" for name, attribute in named.items()))
    ]
    (metadata / "entry_points.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def use(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Puts a folder with packages on the search path of this process and of those that it starts."""
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv("PYTHONPATH", str(folder))
    monkeypatch.setattr(plugins, "_registered", plugins._registered.__wrapped__)

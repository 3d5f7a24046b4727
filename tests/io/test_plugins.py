"""Plugins by name: built in, of installed packages, and of a user's own."""

import re
import sys
from pathlib import Path

import pytest
from support import plugin_packages

from corpusprep.errors import ConfigError, OwnCodeError
from corpusprep.io.plugins import Kind

GROUP = "corpusprep.tests"
KIND = Kind(GROUP, "test plugin", {"path": "pathlib:Path", "sheet": "no_such:Sheet"}, separate={"bte": "'a[b]'"})


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of installed packages."""
    folder = tmp_path / "packages"
    folder.mkdir()
    plugin_packages.use(folder, monkeypatch)
    return folder


def test_names_are_built_in_or_installed(packages: Path) -> None:
    """Also those of missing packages may be in a config: then a message says what to install."""
    plugin_packages.install(packages, "plugged_in", "NUMBER = 5", {GROUP: {"number": "NUMBER"}})
    assert KIND.names() == ("number", "path", "sheet")
    assert KIND.allowed() == ("bte", "number", "path", "sheet")
    assert KIND.load("number") == 5
    assert KIND.load("path") is Path


def test_built_in_names_read_no_entry_points(monkeypatch: pytest.MonkeyPatch) -> None:
    """They cost no time, and no package replaces them."""
    monkeypatch.setattr("importlib.metadata.entry_points", None)
    assert KIND.load("path") is Path


def test_a_file_of_a_users_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`module:attribute` is looked for in a folder; a kind without files of users does not know such names."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "of_a_users_own.py").write_text("def make():\n    return 5\n")
    assert KIND.load("of_a_users_own:make", tmp_path)() == 5
    with pytest.raises(OwnCodeError, match="has no made"):
        KIND.load("of_a_users_own:made", tmp_path)
    with pytest.raises(ConfigError, match=r"is unknown; known: path$"):
        Kind(GROUP, "test plugin", {"path": "pathlib:Path"}, own="").load("of_a_users_own:make", tmp_path)


def test_unknown_names(packages: Path) -> None:
    """The message suggests a name, lists the known ones, or says what to install."""
    with pytest.raises(ConfigError, match=r"'paht' is unknown; did you mean path\? known: path, sheet, or your own as"):
        KIND.load("paht")
    with pytest.raises(ConfigError, match=re.escape(f"not installed: {sys.executable} -m pip install 'a[b]'")):
        KIND.load("bte")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("import sklearn_x", "'broken': the package their-package fails: ModuleNotFoundError: No module named 'skle"),
        ("raise ImportError('', name='sklearn')", r"the package their-package fails: this needs sklearn: .* install '"),
        ("1 / 0", "the package their-package fails: ZeroDivisionError: division by zero .*plugged_in.py, line 1"),
        ("", "the package their-package fails: AttributeError: .*'PLUGIN'"),
    ],
)
def test_a_package_that_fails_is_named(packages: Path, source: str, message: str) -> None:
    """In one line, with the reason."""
    sys.modules.pop("plugged_in", None)
    plugin_packages.install(packages, "plugged_in", source, {GROUP: {"broken": "PLUGIN"}})
    with pytest.raises(ConfigError, match=message):
        KIND.load("broken")


def test_two_packages_with_one_name(packages: Path) -> None:
    """Neither is chosen."""
    for package in ("a", "b"):
        plugin_packages.install(packages, f"of_{package}", "X = 5", {GROUP: {"same": "X"}}, package)
    with pytest.raises(ConfigError, match=r"'same' is registered by [ab] and by [ab]; uninstall one"):
        KIND.load("same")

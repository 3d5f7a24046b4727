"""The home folder in paths."""

from pathlib import Path

import pytest

from corpusprep.io.home import at_home


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("~/a/~b", "/home/me/a/~b"),
        ("~", "/home/me"),
        ("a/~", "a/~"),
        ("", ""),
        ("~odd", "~odd"),  # a file
        ("~nobody-has-this-name/a", "~nobody-has-this-name/a"),
        ("~" + "x" * 300, "~" + "x" * 300),  # no file can have this name
    ],
)
def test_only_a_home_folder_is_expanded(
    path: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the start of a path, if no file has that name and there is such a user."""
    monkeypatch.setenv("HOME", "/home/me")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "~odd").touch()
    assert at_home(path) == expected

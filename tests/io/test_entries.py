"""Lists of entries: to take, to leave out, and from files."""

import gzip
from pathlib import Path

import pytest

from corpusprep.errors import ConfigError
from corpusprep.io.entries import entries, files


def test_entries_of_files_stand_in_their_place(tmp_path: Path) -> None:
    """Comments and empty lines are left out; `!@` leaves all lines out; lists may be compressed."""
    (tmp_path / "a.txt").write_text("\ufeff# comment\n\n x \r\n!y\n", encoding="utf-8")
    (tmp_path / "b.txt.gz").write_bytes(gzip.compress(b"z\n"))
    given = ["1", f"@{tmp_path}/a.txt", f"!@{tmp_path}/b.txt.gz", "!2"]
    found = list(entries(given))
    assert [one[:2] for one in found] == [("1", False), ("x", False), ("y", True), ("z", True), ("2", True)]
    places = ["", f"{tmp_path}/a.txt, line 3", f"{tmp_path}/a.txt, line 4", f"{tmp_path}/b.txt.gz, line 1", ""]
    assert [one.place for one in found] == places
    assert files(given) == [f"{tmp_path}/a.txt", f"{tmp_path}/b.txt.gz"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("@none.txt", "none.txt: the list cannot be read: No such file or directory"),
        ("@.", "the list cannot be read: Is a directory"),
        ("@bad.gz", "bad.gz: the list cannot be read: Not a gzipped file"),
        ("@cut.gz", "cut.gz: the list cannot be read: "),
        ("@latin.txt", "latin.txt: not UTF-8"),
        ("@nested.txt", "nested.txt, line 2: '@other.txt': an entry here cannot start with @"),
        ("!@twice.txt", "twice.txt, line 1: '!x': an entry here cannot start with !"),
        ("!", "'!': nothing follows the mark"),
        ("", "nothing follows the mark"),
    ],
)
def test_what_is_no_list_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str, message: str) -> None:
    """In one line, with the file and the line."""
    monkeypatch.chdir(tmp_path)
    data = {"bad.gz": b"x\n", "cut.gz": gzip.compress(b"xyz")[:-9], "latin.txt": b"\xe9\n"}
    data |= {"nested.txt": b"x\n@other.txt\n", "twice.txt": b"!x\n"}
    for name, content in data.items():
        (tmp_path / name).write_bytes(content)
    with pytest.raises(ConfigError) as error:
        list(entries([given]))
    assert message in str(error.value)
    assert "\n" not in str(error.value)

"""Patterns of paths: as `glob.glob` matches them, but in bounded time."""

import glob
import itertools
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from corpusprep.archive.patterns import expand, matching

TREE = ["a/f.gz", "a/a/f.gz", "a/.h/f.gz", ".h/a.gz", "b/c.d/f.gz", "b/c.d/.i.gz", "x[1]/g", "f.gz", ".i", "g"]
PARTS = st.sampled_from(["**", "**", "*", "a", "b", "*.gz", "f.gz", "?", ".h", ".*", "x[[]1]", "..", ".", "c.*", "a**"])


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with files at several depths, three folders below the test's own, where `..` leads."""
    home = tmp_path / "1" / "2" / "3"
    for name in TREE:
        (home / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
        (home / "tree" / name).write_bytes(b"x")
    monkeypatch.chdir(home)
    return home


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(PARTS, min_size=1, max_size=4), st.booleans())
@example(["**", ".", "**"], False)
@example(["**", "..", ".*", "*.gz"], True)
def test_patterns_match_what_glob_matches(tree: Path, parts: list[str], absolute: bool) -> None:
    """All files, also hidden ones where the pattern says so."""
    pattern = "/".join([str(tree)] * absolute + ["tree", *parts])
    wanted = [path for path in glob.glob(pattern, recursive=True) if not path.endswith("/")]  # noqa: PTH207
    found = list(matching(pattern))
    assert len(found) == len(set(found))
    files = [{path.resolve() for path in map(Path, paths) if path.is_file()} for paths in (found, wanted)]
    assert files[0] == files[1]


def test_links_that_lead_back_end(tree: Path) -> None:
    """Ten links to the folder itself are 10^40 ways to its files."""
    for number in range(10):
        (tree / "tree" / f"link{number}").symlink_to(".")
        (tree / "tree" / "b" / f"up{number}").symlink_to("..")
    assert Path("tree/b/c.d/f.gz") in expand(["tree/**/*.gz"])


def test_folders_that_lead_back_to_theirs_end(tmp_path: Path) -> None:
    """Thirty folders, six times: 30^6 ways to the file."""
    for number in range(30):
        (tmp_path / f"d{number}").mkdir()
    (tmp_path / "x.warc").write_bytes(b"x")
    assert expand([f"{tmp_path}/{'d*/**/../' * 6}x.warc"]) == [tmp_path / "x.warc"]


def test_a_pattern_with_many_wildcards_ends(tmp_path: Path) -> None:
    """A folder is listed once, however many parts may stand at it."""
    names = itertools.accumulate("d" * 30, lambda path, name: f"{path}/{name}")
    (tmp_path / max(names, key=len)).mkdir(parents=True)
    (tmp_path / "d" / "x.warc").write_bytes(b"x")
    assert expand([f"{tmp_path}/{'**/' * 15}x.warc"]) == [tmp_path / "d" / "x.warc"]

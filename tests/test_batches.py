"""Batches: which archives, in which order, in which batch; and their table."""

import os
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from corpusprep.batches import Batch, expand, plan, read_batches, write_batches
from corpusprep.errors import ArchiveError, ConfigError, StageFileError
from corpusprep.sizes import parse_size
from corpusprep.stages.batches import command


@pytest.fixture
def crawl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with four archives of 100, 200, 300 and 400 bytes."""
    monkeypatch.chdir(tmp_path)
    for number, name in enumerate(("b.warc.gz", "a.warc.gz", "deep/er/c.warc.gz", "deep/d.arc"), 1):
        path = tmp_path / "crawl" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(bytes(100 * number))
    return tmp_path


def test_patterns_are_expanded_sorted_and_each_file_counted_once(crawl: Path) -> None:
    """`**` goes any number of folders down; a file that several patterns or links name is one archive."""
    (crawl / "crawl" / "z.warc.gz").symlink_to("a.warc.gz")
    found = expand(["crawl/**/*.warc.gz", "crawl/b.warc.gz", "./crawl/deep/d.arc", str(crawl / "crawl/b.warc.gz")])
    absolute = str(crawl / "crawl/b.warc.gz")
    assert [str(path) for path in found] == sorted(
        [absolute, "crawl/a.warc.gz", "crawl/deep/d.arc", "crawl/deep/er/c.warc.gz"]
    )


def test_a_file_with_a_pattern_in_its_name_is_itself(crawl: Path) -> None:
    """Brackets in the name of an existing file are no pattern."""
    (crawl / "a[1].warc").write_bytes(b"x")
    assert expand(["a[1].warc"]) == [Path("a[1].warc")]


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("none/*.warc.gz", r"no archive matches 'none/\*\.warc\.gz' \(working directory /.*\)"),
        ("none.warc.gz", r"no archive matches 'none\.warc\.gz' \(working directory /.*\)"),
        ("cra*", r"no archive matches 'cra\*'"),
        ("crawl", "cannot read archive crawl: Is a directory"),
        ("dangling*", "cannot read archive dangling.warc: No such file or directory"),
        ("empty.warc", "archive empty.warc is empty"),
        ("a\nb.warc", r"the name of archive 'a\\nb\.warc' holds a tab or line break"),
    ],
)
def test_what_is_no_archive_is_named(crawl: Path, pattern: str, message: str) -> None:
    """Missing, unreadable and empty archives are errors of one line that name them."""
    (crawl / "dangling.warc").symlink_to("nowhere")
    (crawl / "empty.warc").touch()
    (crawl / "a\nb.warc").write_bytes(b"x")
    with pytest.raises(ArchiveError, match=f"^{message}") as caught:
        expand(["crawl/*.warc.gz", pattern])
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("batch_bytes", "batches"),
    [
        (1000, [["a", "b", "d", "c"]]),
        (700, [["a", "b", "d"], ["c"]]),
        (300, [["a", "b"], ["d"], ["c"]]),
        (1, [["a"], ["b"], ["d"], ["c"]]),
    ],
)
def test_archives_are_packed_in_the_order_of_their_paths(
    crawl: Path, batch_bytes: int, batches: list[list[str]]
) -> None:
    """Up to the size; a larger archive is a batch alone."""
    planned = plan(expand(["crawl/**/*.*"]), batch_bytes)
    assert [[path.name[0] for path in batch.archives] for batch in planned] == batches
    assert [batch.name for batch in planned] == [f"b0000{number}" for number in range(len(batches))]


@given(st.permutations(["crawl/a.warc.gz", "crawl/b.warc.gz", "crawl/deep/d.arc"]))
def test_the_plan_does_not_depend_on_the_order_of_the_patterns(
    tmp_path_factory: pytest.TempPathFactory, patterns: list[str]
) -> None:
    """Archives listed in any order make the same batches."""
    folder = tmp_path_factory.getbasetemp() / "order"
    for number, pattern in enumerate(sorted(patterns), 1):
        (folder / pattern).parent.mkdir(parents=True, exist_ok=True)
        (folder / pattern).write_bytes(bytes(number))
    planned = plan(expand([str(folder / pattern) for pattern in patterns]), 3)
    assert [batch.sizes for batch in planned] == [(1, 2), (3,)]


def test_the_table_is_read_as_it_was_written(tmp_path: Path) -> None:
    """Names with spaces, and with bytes that are no UTF-8, included."""
    odd = Path(os.fsdecode(b"c \xff.warc"))
    batches = [Batch("b00000", (Path("a b.warc"), odd), (1, 22)), Batch("b00001", (Path("d"),), (3,))]
    write_batches(batches, tmp_path / "batches.tsv")
    assert read_batches(tmp_path / "batches.tsv") == batches
    assert (tmp_path / "batches.tsv").read_bytes().startswith(b"batch\tarchive\tbytes\nb00000\ta b.warc\t1\n")


@pytest.mark.parametrize("text", [None, "", "batch\tarchive\n", "batch\tarchive\tbytes\nb00000\tx\n"])
def test_a_table_that_is_none_is_named(tmp_path: Path, text: str | None) -> None:
    """Missing, or not as this stage writes it."""
    if text is not None:
        (tmp_path / "batches.tsv").write_text(text)
    with pytest.raises(StageFileError, match=r"batches\.tsv: "):
        read_batches(tmp_path / "batches.tsv")


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("1G", 10**9),
        ("500M", 500_000_000),
        ("20 kB", 20_000),
        ("20KB", 20_000),
        ("1.5GiB", 1_610_612_736),
        ("2Ki", 2048),
        ("4096", 4096),
        (4096, 4096),
        ("7b", 7),
    ],
)
def test_sizes_are_understood(text: str | int, size: int) -> None:
    """Decimal and binary units, in any case, with or without B."""
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "G", "1X", "-1", "1 000", "1.5.2M", "1iB"])
def test_what_is_no_size_is_named(text: str | int) -> None:
    """The error says what is allowed."""
    with pytest.raises(ConfigError, match=r"is no size; give bytes \(1000000\) or a unit"):
        parse_size(text)


def test_the_command_writes_the_table(crawl: Path) -> None:
    """Patterns may be repeated; the size is one of sizes.parse_size."""
    result = CliRunner().invoke(
        command,
        [
            "--archive",
            "crawl/*.warc.gz",
            "--archive",
            "crawl/**/*.arc",
            "--batch-bytes",
            "0.4k",
            "--output",
            "t.tsv",
        ],
        catch_exceptions=False,
    )
    assert result.exit_code == 0
    assert (crawl / "t.tsv").read_text() == (
        "batch\tarchive\tbytes\n"
        "b00000\tcrawl/a.warc.gz\t200\nb00000\tcrawl/b.warc.gz\t100\nb00001\tcrawl/deep/d.arc\t400\n"
    )

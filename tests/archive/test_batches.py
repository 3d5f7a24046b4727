"""Batches: which archives are found, their order, their batches and the table of batches."""

import itertools
import os
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from corpusprep.archive import batches as module
from corpusprep.archive.batches import Batch, plan, read_batches, remove_others, write_batches
from corpusprep.archive.patterns import expand
from corpusprep.commands.batches import command
from corpusprep.errors import ArchiveError, ConfigError, StageFileError
from corpusprep.io.sizes import parse_size


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
    """`**` matches folders at any depth; a file that several patterns or links match is one archive."""
    (crawl / "crawl" / "z.warc.gz").symlink_to("a.warc.gz")
    found = expand(["crawl/**/*.warc.gz", "crawl/b.warc.gz", "./crawl/deep/d.arc", str(crawl / "crawl/b.warc.gz")])
    absolute = str(crawl / "crawl/b.warc.gz")
    assert [str(path) for path in found] == sorted(
        [absolute, "crawl/a.warc.gz", "crawl/deep/d.arc", "crawl/deep/er/c.warc.gz"]
    )


def test_a_file_with_a_pattern_in_its_name_is_itself(crawl: Path) -> None:
    """Brackets in the name of an existing file are not a pattern."""
    (crawl / "a[1].warc").write_bytes(b"x")
    assert expand(["a[1].warc"]) == [Path("a[1].warc")]


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("none/*.warc.gz", r"no archive matches 'none/\*\.warc\.gz' \(working directory /.*\)"),
        ("none.warc.gz", r"no archive matches 'none\.warc\.gz' \(working directory /.*\)"),
        ("cra*", r"no archive matches 'cra\*'"),
        ("empty", r"the folder 'empty' has no archive; name another, or its files, such as 'empty/\*'"),
        ("dangling*", "cannot read archive dangling.warc: No such file or directory"),
        ("!none/*", r"no archive matches '!none/\*'; correct or remove it"),
        ("!crawl*", "no archive is left: "),
        ("@none.txt", "none.txt: the list cannot be read: No such file or directory"),
        ("a{b}.warc", r"the name of archive 'a\{b\}\.warc' contains a brace"),
        ("a\nb.warc", r"the name of archive 'a\\nb\.warc' contains a tab or line break"),
        ("latin*.warc", r"the name of archive 'latin-\\udcfc\.warc' is not UTF-8; rename the file"),
        ("x" * 300, "cannot read 'x{300}': File name too long"),
    ],
)
def test_what_is_no_archive_is_named(crawl: Path, pattern: str, message: str) -> None:
    """Missing and unreadable archives, and patterns and lists without effect, are errors of one line."""
    (crawl / "empty").mkdir()
    (crawl / "dangling.warc").symlink_to("nowhere")
    (crawl / "a{b}.warc").write_bytes(b"x")
    (crawl / "a\nb.warc").write_bytes(b"x")
    (crawl / os.fsdecode(b"latin-\xfc.warc")).write_bytes(b"x")
    with pytest.raises(ArchiveError, match=f"^{message}") as caught:
        expand(["crawl/*.warc.gz", pattern])
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_only_files_are_archives(crawl: Path, kind: str) -> None:
    """A pipe, which would be waited for, and a device, which has no end, are refused."""
    if kind == "pipe":
        os.mkfifo(crawl / "crawl/x.warc")
    else:
        (crawl / "crawl/x.warc").symlink_to("/dev/zero")
    with pytest.raises(ArchiveError, match=r"^crawl/x\.warc: not a file but a pipe or device; archives must be files$"):
        expand(["crawl/*.warc"])


@pytest.mark.parametrize(
    ("patterns", "kept"),
    [
        (["!crawl/deep/**/*.gz"], "a b d"),
        (["!./crawl/deep"], "a b"),
        (["!*.arc"], "a b c"),
        (["!b.*", "!d.*"], "a c"),
        (["!{folder}/crawl/deep/er/"], "a b d"),
        (["!crawl/[ab].warc.gz"], "c d"),
        (["!@out.txt"], "b d"),
    ],
)
def test_archives_are_left_out_by_pattern(crawl: Path, patterns: list[str], kept: str) -> None:
    """By path, by folder, or by name alone; in whatever order; a list may leave out."""
    (crawl / "out.txt").write_text("a.warc.gz\n# a comment\ncrawl/deep/er/*\n", encoding="utf-8")
    found = expand([*(pattern.format(folder=crawl) for pattern in patterns), "crawl/**/*.*"])
    assert [path.name[0] for path in sorted(found, key=lambda path: path.name)] == kept.split()


def test_archives_of_a_list(crawl: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line is a path or pattern, relative to the working directory, or to the home folder."""
    monkeypatch.setenv("HOME", str(crawl / "crawl"))
    (crawl / "home.txt").write_text("~/[ab].*\n!~/b.*\n", encoding="utf-8")
    assert expand(["@home.txt"]) == [crawl / "crawl" / "a.warc.gz"]
    (crawl / "list.txt").write_text("crawl/a.warc.gz\ncrawl/deep/**/*.gz\n!crawl/b*\n", encoding="utf-8")
    assert expand(["@list.txt", "crawl/[b-d]*"]) == [Path("crawl/a.warc.gz"), Path("crawl/deep/er/c.warc.gz")]


def test_an_empty_archive_among_others_is_one_of_them(crawl: Path) -> None:
    """Alone, it is an error."""
    (crawl / "empty.warc").touch()
    (crawl / "empty2.warc").touch()
    assert Path("empty.warc") in expand(["empty.warc", "crawl/a.warc.gz"])
    with pytest.raises(ArchiveError, match=r"^archive empty\.warc is empty$"):
        expand(["empty.warc"])
    with pytest.raises(ArchiveError, match=r"^archive empty\.warc is empty, as are all 2$"):
        expand(["empty*.warc"])


def lay_out(folder: Path, sizes: dict[str, int]) -> list[Path]:
    """Makes sparse archives of these sizes."""
    for name, size in sizes.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        os.truncate(path, size)
    return [folder / name for name in sizes]


@given(st.lists(st.integers(1, 40), min_size=1, max_size=30), st.integers(1, 120))
def test_batches_hold_all_archives_in_the_order_of_their_paths(
    tmp_path_factory: pytest.TempPathFactory, sizes: list[int], batch_bytes: int
) -> None:
    """Each archive is in one batch, of the given size at most unless it has one archive."""
    folder = tmp_path_factory.mktemp("plan")
    paths = lay_out(folder, {f"{number:02}.warc": size for number, size in enumerate(sizes)})
    planned = plan(paths, batch_bytes)
    assert [path for batch in planned for path in batch.archives] == paths
    assert [size for batch in planned for size in batch.sizes] == sizes
    assert all(sum(batch.sizes) <= batch_bytes or len(batch.archives) == 1 for batch in planned)
    assert all(sum(first.sizes + second.sizes) > batch_bytes for first, second in itertools.pairwise(planned))


@pytest.mark.parametrize("part", ["long-", "it's-", "ů-"])
def test_the_paths_of_a_batch_fit_a_command_line(tmp_path: Path, part: str) -> None:
    """With many small archives, the length of a command line limits the batch: as quoted for the shell, in bytes."""
    paths = lay_out(tmp_path, {f"{part * 40}{number:04}.warc": 1 for number in range(1000)})
    planned = plan(paths, 10**9)
    assert [path for batch in planned for path in batch.archives] == paths
    assert len(planned) > 3
    options = ["".join(f" --archive {shlex.quote(str(path))}" for path in batch.archives) for batch in planned]
    assert all(len(text.encode()) <= 64_000 for text in options)
    assert len(plan(paths[:100], 10**9)) == 1


@pytest.mark.parametrize(
    ("archives", "size", "batches"),
    [(1, 80_000_000, 1), (16, 1_000_000, 1), (2, 22_000_000, 2), (100, 10_000_000, 6), (20, 500_000_000, 10)],
)
def test_small_corpora_have_several_batches(tmp_path: Path, archives: int, size: int, batches: int) -> None:
    """Of 16 MiB at least; with 4 GB and more, `batch_bytes` decides."""
    paths = lay_out(tmp_path, {f"{number:03}.warc": size for number in range(archives)})
    planned = plan(paths, 10**9)
    assert len(planned) >= batches
    assert len(planned) <= 2 * batches


def test_batches_are_larger_where_they_would_be_too_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The size is doubled until Snakemake can plan their jobs."""
    paths = lay_out(tmp_path, {f"{number:03}.warc": 10 for number in range(100)})
    assert len(plan(paths, 10)) == 100
    monkeypatch.setattr(module, "MOST_BATCHES", 60)
    assert 25 <= len(plan(paths, 10)) <= 60
    assert max(sum(batch.sizes) for batch in plan(paths, 10)) in (20, 40)


def crawl_of(year: int, archives: int) -> dict[str, int]:
    """The archives of one crawl: name -> bytes."""
    return {f"{year}/{number:05}.warc.gz": 500 + (number * 7919 + year) % 1000 for number in range(archives)}


@pytest.mark.parametrize("later", [2021, 2023, 2025])
def test_archives_added_later_leave_other_batches_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, later: int
) -> None:
    """Adding a crawl before, between or after the others changes only a few neighbouring batches."""
    monkeypatch.chdir(tmp_path)  # paths decide where batches end, so they must not hold the test's folder
    before = lay_out(Path(), crawl_of(2022, 300) | crawl_of(2024, 300))
    after = before + lay_out(Path(), crawl_of(later, 60))
    old, new = plan(before, 10_000), plan(after, 10_000)
    assert 60 < len(old) < 90
    assert len(set(old) - set(new)) <= 4
    assert sum(later_archive(batch, later) for batch in set(new) - set(old)) >= len(set(new) - set(old)) - 4


def later_archive(batch: Batch, year: int) -> bool:
    """Tells whether a batch has an archive of that crawl."""
    return any(path.parent.name == str(year) for path in batch.archives)


def test_one_archive_changes_few_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Adding an archive, at each of 40 places, changes fewer than two batches on average."""
    monkeypatch.chdir(tmp_path)
    before = lay_out(Path(), crawl_of(2022, 400))
    old = set(plan(before, 10_000))
    changed = [
        len(set(plan([*before, *lay_out(Path(), {f"2022/{place:05}x.warc.gz": 900})], 10_000)) - old)
        for place in range(0, 400, 10)
    ]
    assert min(changed) == 1
    assert sum(changed) / len(changed) < 2


def test_a_batch_is_named_by_what_is_in_it(tmp_path: Path) -> None:
    """An archive of another size, or with another neighbour, makes another batch."""
    first, second = lay_out(tmp_path, {"a.warc": 10, "b.warc": 20})
    names = [plan([first], 100)[0].name, plan([first, second], 100)[0].name]
    os.truncate(first, 11)
    names.append(plan([first], 100)[0].name)
    assert len(set(names)) == 3
    assert all(re.fullmatch(module.NAME, name) for name in names)


def test_files_of_batches_that_are_no_more_are_removed(tmp_path: Path) -> None:
    """From all folders of the corpus; other files, and those of present batches, stay."""
    (present,) = plan(lay_out(tmp_path, {"a.warc": 10}), 100)
    gone = "b0123456789abcdef"
    bundle, other = "g0123456789abcdef", "gfedcba9876543210"
    kept = [
        *("report.html", "notes-b1.txt", f"tokens/{present.name}.vert.zst", f"x{gone}.parquet", "b0123/a.parquet"),
        *(f"times/blocks/match-{bundle}/{present.name}.tsv", f"ngrams/words/{bundle}.words"),
    ]
    lost = [
        *(f"tokens/{gone}.vert.zst", f"times/statistics/runs-{gone}.tsv", f"ngrams/counted/{gone}.runs"),
        *(f"times/blocks/match-{other}/{present.name}.tsv", f"times/ngrams/words-{other}.tsv"),
    ]
    folder = tmp_path / "corpus"
    lay_out(folder, dict.fromkeys(kept + lost, 0))
    assert sorted(remove_others([present.name, bundle], folder)) == sorted(folder / name for name in lost)
    assert sorted(path for path in folder.rglob("*") if path.is_file()) == sorted(folder / name for name in kept)


@given(st.integers(1, 3000), st.integers(1, 2 * 10**9))
def test_batches_are_bundled_in_their_order(count: int, size: int) -> None:
    """Each batch is in one bundle of up to 16; 64 bundles or more of large batches; a single one is its own bundle."""
    batches = [Batch(f"b{number:016x}", (), (size,)) for number in range(count)]
    names = [batch.name for batch in batches]
    bundled = module.bundles(batches)
    assert [name for part in bundled.values() for name in part] == names
    assert all(len(part) <= module.MOST_BUNDLED for part in bundled.values())
    assert all(re.fullmatch(module.BUNDLE_NAME, bundle) for bundle in bundled)
    assert all((bundle in names) == (len(part) == 1) for bundle, part in bundled.items())
    if size * count >= module.BUNDLE_BYTES * module.LEAST_BUNDLES:
        assert len(bundled) >= min(module.LEAST_BUNDLES, count)
    if size > module.BUNDLE_BYTES and count < 2 * module.LEAST_BUNDLES:
        assert len(bundled) == count


@pytest.mark.parametrize(("size", "bundled"), [(30_000_000, [3, 3, 1]), (25_000_000, [4, 3])])
def test_small_batches_share_a_bundle(size: int, bundled: list[int]) -> None:
    """Up to 100 MB of archives."""
    batches = [Batch(f"b{number:016x}", (), (size,)) for number in range(7)]
    assert [len(part) for part in module.bundles(batches).values()] == bundled


def test_a_bundle_is_named_by_its_batches() -> None:
    """A bundle of other batches has another name, so that old files are not taken for its own."""
    first, second, third = (Batch(f"b{number:016x}", (), (1,)) for number in range(3))
    assert len({*module.bundles([first, second]), *module.bundles([first, third])}) == 2


def test_a_list_of_bundles_is_read_as_it_was_written(tmp_path: Path) -> None:
    """Bundles and their batches are in the order of the list."""
    bundled = {"g0": ["b0", "b1"], "b2": ["b2"]}
    module.write_bundles(bundled, tmp_path / "bundles.tsv")
    assert list(module.read_bundles(tmp_path / "bundles.tsv").items()) == list(bundled.items())


@pytest.mark.parametrize("text", ["", "bundle\tbatch\textra\n", "bundle\tbatch\nb0\n", "bundle\tbatch\na\tb\tc\n"])
def test_a_list_of_bundles_that_is_none_is_named(tmp_path: Path, text: str) -> None:
    """The error names the command that writes the list."""
    (tmp_path / "bundles.tsv").write_text(text)
    with pytest.raises(
        StageFileError, match=r"bundles.tsv: not a table of bundles; run `corpusprep step batches` again"
    ):
        module.read_bundles(tmp_path / "bundles.tsv")


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
    assert planned == plan(expand([str(folder / pattern) for pattern in sorted(patterns)]), 3)
    assert [size for batch in planned for size in batch.sizes] == [1, 2, 3]


def test_the_table_is_read_as_it_was_written(tmp_path: Path) -> None:
    """Names with spaces, and with bytes that are not UTF-8, are kept."""
    odd = Path(os.fsdecode(b"c \xff.warc"))
    batches = [Batch("b00000", (Path("a b.warc"), odd), (1, 22)), Batch("b00001", (Path("d"),), (3,))]
    write_batches(batches, tmp_path / "batches.tsv")
    assert read_batches(tmp_path / "batches.tsv") == batches
    assert (tmp_path / "batches.tsv").read_bytes().startswith(b"batch\tarchive\tbytes\nb00000\ta b.warc\t1\n")


@pytest.mark.parametrize("text", [None, "", "batch\tarchive\n", "batch\tarchive\tbytes\nb00000\tx\n"])
def test_a_table_that_is_none_is_named(tmp_path: Path, text: str | None) -> None:
    """A missing table, or one in another format, is an error."""
    if text is not None:
        (tmp_path / "batches.tsv").write_text(text)
    with pytest.raises(StageFileError, match=r"batches\.tsv: "):
        read_batches(tmp_path / "batches.tsv")
    with pytest.raises(StageFileError, match=r"nix: no such folder; give a corpus folder, such as results/news$"):
        read_batches(tmp_path / "nix" / "batches.tsv")


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
    with pytest.raises(ConfigError, match=r"is not a size; give bytes \(1000000\) or a unit"):
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
            "0.7k",
            "corpus",
        ],
        catch_exceptions=False,
    )
    assert result.exit_code == 0
    (batch,) = read_batches(crawl / "corpus" / "batches.tsv")
    rows = [("crawl/a.warc.gz", 200), ("crawl/b.warc.gz", 100), ("crawl/deep/d.arc", 400)]
    lines = [f"{batch.name}\t{path}\t{size}\n" for path, size in rows]
    assert (crawl / "corpus" / "batches.tsv").read_text() == "batch\tarchive\tbytes\n" + "".join(lines)


def test_languages_of_a_crawl_keep_their_files(tmp_path: Path) -> None:
    """A folder inside that has batches of its own is a corpus: only the files beside it are looked at."""
    old, inner = "b00000000000000aa", "b00000000000000bb"
    for path in (f"encoding/{old}.parquet", f"cs/encoding/{inner}.parquet", "cs/batches.tsv"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).touch()
    assert remove_others(["b00000000000000cc"], tmp_path) == [tmp_path / f"encoding/{old}.parquet"]
    assert (tmp_path / f"cs/encoding/{inner}.parquet").exists()

"""Tables with many keys, added up in parts: the same bytes for any number of parts."""

import random
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray
from support import corpus_fixture as fixture
from support.counting import PRESET, compute

from corpusprep.commands.application import application
from corpusprep.errors import StageFileError
from corpusprep.pipeline import TABLES
from corpusprep.statistics import counts_file, frequent_words, keywords, large_tables, removed_words, word_dispersion
from corpusprep.statistics.corpus_tables import compute as compute_tables
from corpusprep.statistics.counts_file import CountsFile
from corpusprep.statistics.frequent_words import FrequentWords
from corpusprep.statistics.keywords import Keywords
from corpusprep.statistics.removed_words import RemovedWords
from corpusprep.statistics.word_dispersion import WordDispersion
from corpusprep.tables.verdicts import KEPT

MEMORY = 1 << 28


def many_words(seed: int) -> fixture.Record:
    """A page with words that are frequent in what is kept, in what is removed, or in both; many are tied."""
    chooser = random.Random(seed)
    page = fixture.Record(f"http://h{seed % 3}.example/{seed}", f"h{seed % 3}.example", 10, KEPT, page=KEPT)
    page.language, page.document = KEPT, KEPT
    text = [" ".join(chooser.choices([f"{kind}é{i}" for i in range(60)], k=300)) for kind in "abc"]
    page.blocks = [
        fixture.Block(text[0], KEPT, last=KEPT),
        fixture.Block(text[1], "short"),
        fixture.Block(text[2], KEPT, last="duplicate"),
    ]
    return page


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A corpus of hostile text and of many words, in five batches, and its tables from one process."""
    limits = {(keywords, "ROWS_PER_DIRECTION"): 5, (removed_words, "WORDS"): 4, (word_dispersion, "WORDS"): 3}
    with pytest.MonkeyPatch.context() as patched:
        for (module, name), limit in limits.items():
            patched.setattr(module, name, limit)
        batches = fixture.draw()
        for number in range(2):
            batches[f"m{number:05d}"] = [many_words(number), many_words(2 * number + 7)]
        made = fixture.write(tmp_path_factory.mktemp("corpus"), batches).folder
        compute(made, made / "statistics")
        yield made


def tables(folder: Path) -> dict[str, bytes]:
    """The tables, by name."""
    return {name: (folder / f"{name}.tsv").read_bytes() for name in TABLES}


@pytest.mark.parametrize(("parts", "sampled"), [(2, 1), (3, 16), (9, 16)])
def test_parts_give_the_same_tables(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parts: int, sampled: int
) -> None:
    """For any number of parts, and whatever keys divide them; some parts may have no keys."""
    monkeypatch.setattr(large_tables, "SAMPLED_BATCHES", sampled)
    paths = [tmp_path / f"{part}.parquet" for part in range(parts)]
    for part, path in enumerate(paths):
        large_tables.make_part(folder, part, parts, path, MEMORY)
    compute_tables(folder, tmp_path / "statistics", PRESET, parts=paths)
    found = tables(tmp_path / "statistics")
    assert found == tables(folder / "statistics")
    assert found["keywords"].count(b"\n") == 11
    assert found["removed_words"].count(b"\n") > 8
    assert {path.name for path in tmp_path.iterdir()} == {"statistics", *(path.name for path in paths)}


def test_parts_have_similar_sizes(folder: Path) -> None:
    """Each has its share of the words, as far as these differ."""
    paths = sorted((folder / "counts").glob("*.parquet"))
    cuts = large_tables._cuts(paths, 4)["keywords"]
    words = [word for path in paths for word in CountsFile.open(path).run("keywords", ["n"]).read(0)["key"]]
    bounds = ["", *cuts, "\U0010ffff"]
    sizes = [sum(low <= word < high for word in words) for low, high in pairwise(bounds)]
    assert min(sizes) > len(words) / 8


def test_a_part_that_does_not_exist_is_an_error(folder: Path) -> None:
    """Parts are numbered from 0."""
    result = CliRunner().invoke(
        application, ["step", "statistics", "tables-part", str(folder), "--part", "3", "--parts", "3"]
    )
    assert result.exit_code != 0
    assert "3 is not one of 3 parts" in result.output


def test_counts_of_another_version_are_an_error(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is named."""
    monkeypatch.setattr(large_tables.counts_file, "VERSION", "another")
    with pytest.raises(StageFileError, match=r"counts/.*parquet: not a file of counts of this version"):
        large_tables.make_part(folder, 0, 2, tmp_path / "part", MEMORY)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables of few words, which are looked for in 100 words at a time."""
    for module, name, limit in (
        (keywords, "ROWS_PER_DIRECTION", 4),
        (removed_words, "WORDS", 4),
        (word_dispersion, "WORDS", 10),
        (frequent_words, "WORDS", 40),
        (large_tables, "_REDUCED_ROWS", 100),
    ):
        monkeypatch.setattr(module, name, limit)


def words_of(counts: Mapping[str, NDArray[np.int64]]) -> tuple[pl.DataFrame, dict[str, int]]:
    """Words w00000 and so on with their numbers by fate, and the number of running words."""
    size = len(next(iter(counts.values())))
    words = pl.DataFrame({"key": [f"w{number:05}" for number in range(size)], **counts})
    words = words.with_columns(pl.sum_horizontal(keywords.FATES).alias("count_before"))
    words = words.select("key", pl.col(Keywords.numbers).cast(pl.Int64))
    return words, {name: int(words[name].sum()) for name in Keywords.numbers}


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("seed", range(4))
def test_words_that_can_be_in_a_table_are_found_in_pieces(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """The words that are left of pieces give the same tables as all words, and most words are not compared."""
    chance = np.random.default_rng(seed)
    # Natural frequencies; a word is typical of what one stage removed, or of what is left, or of nothing.
    counts = {}
    for number, fate in enumerate(keywords.FATES):
        typical = chance.integers(0, 9, 3_000) == number
        counts[fate] = np.where(typical, np.minimum(chance.zipf(1.4, 3_000), 50_000), chance.zipf(2.5, 3_000) - 1)
    words, running = words_of(counts)
    compared: list[int] = []
    best_removed = RemovedWords.best_words

    def counting(rows: pl.DataFrame, of: Mapping[str, int]) -> pl.Series:
        compared.append(rows.height)
        return best_removed(rows, of)

    monkeypatch.setattr(RemovedWords, "best_words", counting)
    left = large_tables._reduced("keywords", words.iter_slices(30), running)
    assert Keywords.best_words(left, running).equals(Keywords.best_words(words, running))
    assert best_removed(left, running).equals(best_removed(words, running))
    for table in (FrequentWords, WordDispersion):
        assert table.best_words(left, running).equals(table.best_words(words, running))
    assert compared[0] == 120
    assert sum(compared[1:]) < words.height


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("seed", range(6))
def test_no_word_is_left_out_that_could_be_in_a_table(seed: int) -> None:
    """Of words that one stage removed or that stay, the rarest one that has a better score than others is seen."""
    chance = np.random.default_rng(seed)
    size = 400
    best, _ = words_of({fate: chance.zipf(1.3, 60).clip(max=size) for fate in keywords.FATES})
    running = {name: int(best[name].sum()) * int(chance.integers(1, 9)) for name in Keywords.numbers}
    running["count_before"] = sum(running[fate] for fate in keywords.FATES)
    here = [(fate, there) for fate in keywords.FATES for there in (0, 1, 2)]
    for fate, there in here:
        counts = {name: np.zeros(size, dtype=np.int64) for name in keywords.FATES}
        counts["count_after"] += there
        counts[fate] += np.arange(size)
        words, _ = words_of(counts)
        for table in (Keywords, RemovedWords, FrequentWords, WordDispersion):
            left_out = (
                words.filter(~table.frequent_enough(best, running))
                .tail(3)
                .with_columns(pl.format("x{}", "key").alias("key"))
            )
            for row in left_out.iter_slices(1):
                assert row["key"][0] not in table.best_words(pl.concat([best, row]), running)


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("searched", [1, 50, 10_000])
def test_only_words_that_can_be_in_a_table_are_added_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int, searched: int
) -> None:
    """Of several batches, they are those of all words, however frequent the words are that are searched first."""
    chance = np.random.default_rng(seed)
    files, batches = [], []
    for batch in range(1 + seed):
        counts = {fate: chance.zipf(1.4, 900).clip(max=10_000) - 1 for fate in keywords.FATES}
        words = words_of(counts)[0].filter(pl.col("count_before") > 0)
        words = words.filter(pl.Series(chance.random(words.height) < 0.9))
        counts_file.write(tmp_path / f"{batch}.parquet", [("keywords", Keywords.numbers, [words])])
        files.append(CountsFile.open(tmp_path / f"{batch}.parquet"))
        batches.append(words)
    every = pl.concat(batches).group_by("key").sum().sort("key")
    running = {name: int(every[name].sum()) for name in Keywords.numbers}
    monkeypatch.setattr(large_tables, "_SEARCHED", searched)
    monkeypatch.setattr(large_tables, "_REDUCED_ROWS", 10_000)
    found = large_tables.frequent_words(files, running)
    assert found is not None
    assert found.equals(large_tables._reduced("keywords", [every], running))
    monkeypatch.setattr(large_tables, "_REDUCED_ROWS", 3)
    assert large_tables.frequent_words(files, running) is None

"""Tables with many keys, added up in parts: the same bytes for any number of parts."""

import random
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner
from support import corpus_fixture as fixture
from support.counting import compute

from corpusprep.commands.application import application
from corpusprep.errors import StageFileError
from corpusprep.pipeline import TABLES
from corpusprep.statistics import keywords, large_tables, removed_words, word_dispersion
from corpusprep.statistics.corpus_tables import compute as compute_tables
from corpusprep.statistics.counts_file import CountsFile
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
    compute_tables(folder, tmp_path / "statistics", parts=paths)
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
        application, ["statistics", "tables-part", "--corpus-dir", str(folder), "--part", "3", "--parts", "3"]
    )
    assert result.exit_code != 0
    assert "3 is not one of 3 parts" in result.output


def test_counts_of_another_version_are_an_error(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is named."""
    monkeypatch.setattr(large_tables.counts_file, "VERSION", "another")
    with pytest.raises(StageFileError, match=r"counts/.*parquet: not a file of counts of this version"):
        large_tables.make_part(folder, 0, 2, tmp_path / "part", MEMORY)

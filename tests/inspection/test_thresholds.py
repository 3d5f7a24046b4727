"""Other thresholds on stored scores: which were in use, how far blocks are from them, what others keep."""

import re
import shlex
from dataclasses import asdict
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import yaml
from click.testing import CliRunner
from support import scored_corpora

from corpusprep.cleaners.registry import algorithm
from corpusprep.commands.recut import command as recut_command
from corpusprep.config.settings import load_schema, resolve
from corpusprep.errors import ConfigError
from corpusprep.extraction.recut import recut_batch, words_kept
from corpusprep.inspection import thresholds
from corpusprep.inspection.browse import sliders
from corpusprep.inspection.browse.sliders import PageSample
from corpusprep.inspection.thresholds import Choice
from corpusprep.tables import schemas
from corpusprep.tables.reading import read_table

KINDS = ("justext", "content", "scores")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, pl.DataFrame]]:
    """A corpus of each kind: folder and blocks."""
    folder = tmp_path_factory.mktemp("scored")
    return {kind: (folder / kind, scored_corpora.write(folder / kind, kind)) for kind in KINDS}


@pytest.mark.parametrize("kind", KINDS)
def test_thresholds_in_use_decide_the_corpus(kind: str, made: dict[str, tuple[Path, pl.DataFrame]]) -> None:
    """They are found from the corpus's files, and give the blocks that it has."""
    folder, _ = made[kind]
    choice = thresholds.in_use(folder)
    assert choice is not None
    assert choice.name == ("" if kind == "scores" else kind)
    if kind == "justext":
        assert dict(choice.values) == asdict(scored_corpora.THRESHOLDS)
    else:
        assert choice.values["threshold"] == 0.55
    if kind == "content":
        assert choice.values["keep_tables"] is False
        assert choice.values["keep_code"] is True
    assert PageSample(folder).agrees


@pytest.mark.parametrize(
    ("kind", "given"),
    [
        ("justext", {"length_low": "2", "max_link_density": "0.5"}),
        ("justext", {"preset": "D"}),
        ("content", {"threshold": "0.8", "keep_comments": "1", "keep_tables": "0"}),
        ("scores", {"threshold": "0.2"}),
    ],
)
def test_counts_are_those_of_recut(
    kind: str, given: dict[str, str], made: dict[str, tuple[Path, pl.DataFrame]], tmp_path: Path
) -> None:
    """Words and reasons are those of a corpus recut with the same thresholds; so is what the command writes."""
    folder, blocks = made[kind]
    sample = PageSample(folder)
    assert sample.whole
    choice = sample.chosen(given)
    counted = sample.count(choice)
    assert (counted.kept, counted.total) == words_kept(folder, choice.algorithm())
    assert counted.kept - counted.now == counted.gained - counted.lost != 0
    verdicts = {}
    for (batch,), rows in blocks.group_by("batch", maintain_order=True):
        pages = read_table(folder / "pages" / f"{batch}.parquet", schemas.PAGES)
        for row in recut_batch(rows, pages, choice.algorithm())[0].iter_rows(named=True):
            verdicts[row["batch"], row["record"], row["block"]] = row["verdict"]
    shown = [(page.batch, page.record, place) for page in sample.shown for place in range(len(page.blocks))]
    assert len(shown) > 20
    assert [reason or "kept" for reason in counted.reasons] == [verdicts[place] for place in shown]

    if kind != "scores":
        line = shlex.split(sliders.recut_of(choice, folder).replace("\\\n", " "))
        assert line[:3] == ["corpusprep", "recut", str(folder)]
        assert not re.search(
            r"--(?!keep|drop)\S+ \\\n", sliders.recut_of(choice, folder)
        )  # a value is on its option's line
        line[-1] = str(tmp_path / "recut")
        done = CliRunner().invoke(recut_command, line[2:], catch_exceptions=False)
        assert f"{counted.kept} of {counted.total} words" in done.output


@pytest.mark.parametrize(
    ("kind", "given"),
    [
        ("justext", {}),
        ("justext", {"preset": "C"}),
        ("justext", {"length_low": "3", "stopwords_high": "0.5"}),
        ("content", {"threshold": "0.25", "keep_title": "1"}),
    ],
)
def test_the_config_gives_the_same_thresholds(
    kind: str, given: dict[str, str], made: dict[str, tuple[Path, pl.DataFrame]]
) -> None:
    """The section that is written out is a config, and its algorithm has the values of the sliders."""
    sample = PageSample(made[kind][0])
    choice = sample.chosen(given)
    section = yaml.safe_load(sliders.config_of(choice))
    corpora = {"corpora": {"mine": {"language": "en", "archives": ["crawl.warc.gz"]}}}
    settings = resolve(corpora | section, load_schema())["mine"].sections["boilerplate"]
    settings = dict(settings)
    made_by = algorithm(settings.pop("algorithm"), **{key: value for key, value in settings.items() if key != "keep"})
    for name, value in choice.values.items():
        own = made_by.thresholds if kind == "justext" else made_by.settings
        assert getattr(own, name) == value, name


@pytest.mark.parametrize(
    ("kind", "given", "problem"),
    [
        ("justext", {"length_low": "x"}, "length_low is 'x'; write a number"),
        ("justext", {"length_low": "-1"}, "length_low is -1"),
        ("justext", {"max_link_density": "nan"}, "max_link_density"),
        ("justext", {"length_low": "50"}, r"length_low \(50\) is over length_high"),
        ("justext", {"preset": "Z"}, "preset 'Z' is unknown"),
        ("content", {"threshold": "2"}, "threshold is 2"),
        ("scores", {"threshold": "1e9"}, "threshold is 1e"),
        ("scores", {"threshold": "nan"}, "threshold is nan"),
    ],
)
def test_wrong_values_are_refused(
    kind: str, given: dict[str, str], problem: str, made: dict[str, tuple[Path, pl.DataFrame]]
) -> None:
    """One line says which value, whatever the address has."""
    sample = PageSample(made[kind][0])
    with pytest.raises(ConfigError, match=problem):
        sample.count(sample.chosen(given))


@pytest.mark.parametrize("kind", KINDS)
def test_distances_are_steps_that_change_a_class(kind: str, made: dict[str, tuple[Path, pl.DataFrame]]) -> None:
    """A near block changes with some threshold one step away, and a far one with none three steps away."""
    folder, blocks = made[kind]
    choice = thresholds.in_use(folder)
    assert choice is not None
    found = thresholds.distances(choice, blocks)
    assert set(found.tolist()) == {0, 1, 2}
    now = choice.algorithm().classify_stored(blocks).good
    changed = {}
    for steps in (1, 3):
        changed[steps] = np.zeros(len(now), bool)
        for name, step in thresholds.STEPS.items():
            if name not in choice.values:
                continue
            for sign in (-1, 1):
                values = {**choice.values, name: choice.values[name] + sign * step * steps}
                try:
                    other = Choice(choice.name, values).algorithm()
                except ConfigError:
                    continue
                changed[steps] |= other.classify_stored(blocks).good != now
    assert ((found == 0) == changed[1]).all()
    assert ((found == 1) == (changed[3] & ~changed[1])).all()


def test_a_large_corpus_is_sampled_in_whole_pages(
    made: dict[str, tuple[Path, pl.DataFrame]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With fewer blocks than the corpus has, the words of whole pages are counted, and the page says so."""
    folder, blocks = made["justext"]
    monkeypatch.setattr(sliders, "MOST_BLOCKS", 100)
    sample = PageSample(folder)
    assert not sample.whole
    sizes = blocks.group_by("batch", "record", maintain_order=True).agg(pl.len(), pl.col("words").sum())
    expected = sizes.head(sample.pages_read)
    assert sample.count(sample.choice).total == expected["words"].sum()
    assert expected["len"].sum() <= 100

"""Other thresholds from stored scores against a run of the stage with them."""

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pack
import polars as pl
import pytest
from click.testing import CliRunner
from support.plain_characters import small_character_model
from support.small_models import small_model

from corpusprep.cleaners.block_models import write_model
from corpusprep.cleaners.content.cleaner import Content, ContentSettings
from corpusprep.cleaners.justext import PRESETS, JusText
from corpusprep.cleaners.ncleaner.character_models import write_model as write_characters
from corpusprep.cleaners.ncleaner.cleaner import NCleaner, NCleanerSettings
from corpusprep.cleaners.registry import algorithm
from corpusprep.commands.application import application
from corpusprep.errors import ConfigError, StageFileError
from corpusprep.extraction import recut as stage
from corpusprep.statistics.corpus_folder import CorpusFolder
from corpusprep.statistics.joined_verdicts import JoinedVerdicts
from corpusprep.statistics.table import Inputs
from corpusprep.statistics.thresholds import WordsKept, settings
from corpusprep.tables import schemas
from corpusprep.tables.reading import read_table


def corpusprep(*arguments: object) -> None:
    """Runs a command that must succeed."""
    result = CliRunner().invoke(application, [str(argument) for argument in arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output


@pytest.fixture(scope="module")
def encoded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a corpus whose pages wait for `boilerplate`: two batches of the sample."""
    folder = tmp_path_factory.mktemp("encoded")
    crawl = tmp_path_factory.mktemp("crawl")
    for archive in pack.load_manifest()[:2]:
        (crawl / archive.name).write_bytes(pack.pack(archive, pack.HERE / "pages"))
    corpusprep("step", "batches", "--archive", crawl / "*", "--batch-bytes", 1, folder)
    for batch, archive in pl.read_csv(folder / "batches.tsv", separator="\t").select("batch", "archive").rows():
        corpusprep("step", "encoding", folder, "--batch", batch, "--archive", archive, "--model", "en")
    return folder


def built(encoded: Path, folder: Path, *options: object) -> Path:
    """The corpus as `boilerplate` leaves it with these options; by jusText, if they name no algorithm."""
    shutil.copytree(encoded, folder)
    if "--algorithm" not in options:
        options = ("--algorithm", "justext", *options)
    for table in sorted((folder / "encoding").iterdir()):
        corpusprep("step", "boilerplate", folder, "--batch", table.stem, "--model", "en", *options)
    return folder


OPTIONS = {
    ("--preset", "D"): ("--preset", "D"),
    ("--length-low", 0, "--stopwords-high", 1): ("--parameters", '{"length_low": 0, "stopwords_high": 1}'),
    ("--max-link-density", 0, "--length-high", 90): ("--parameters", '{"max_link_density": 0, "length_high": 90}'),
}


@pytest.mark.parametrize("options", OPTIONS, ids=" ".join("".join(map(str, o)) for o in OPTIONS).split())
def test_a_recut_is_a_run_with_these_thresholds(encoded: Path, tmp_path: Path, options: tuple[object, ...]) -> None:
    """Tables of blocks and of pages, row by row; the stage before is taken over."""
    corpus = built(encoded, tmp_path / "a", "--preset", "B")
    full = built(encoded, tmp_path / "full", *OPTIONS[options])
    corpusprep("recut", corpus, *options, "--output", tmp_path / "recut")
    differs = False
    for kind, schema in (
        ("boilerplate", schemas.BOILERPLATE),
        ("pages", schemas.PAGES),
        ("encoding", schemas.ENCODING),
    ):
        for table in sorted((full / kind).iterdir()):
            expected = read_table(table, schema)
            assert read_table(tmp_path / "recut" / kind / table.name, schema).equals(expected)
            differs |= not read_table(corpus / kind / table.name, schema).equals(expected)
    assert differs


def test_one_language_of_a_crawl_is_refused(tmp_path: Path) -> None:
    """Other pages would be in it: the crawl must be divided again."""
    (tmp_path / "mine" / "cs").mkdir(parents=True)
    (tmp_path / "mine" / "division.tsv").touch()
    with pytest.raises(
        ConfigError, match=r"mine/cs: one language of a crawl of several; recut the whole crawl, .*mine,"
    ):
        stage.recut(tmp_path / "mine" / "cs", tmp_path / "new", algorithm("justext", "D"))


def test_a_recut_of_a_recut_is_the_first(encoded: Path, tmp_path: Path) -> None:
    """Nothing is lost on the way to other thresholds."""
    corpus = built(encoded, tmp_path / "a")
    corpusprep("recut", corpus, "--preset", "D", "--output", tmp_path / "d")
    corpusprep("recut", tmp_path / "d", "--output", tmp_path / "again")
    for table in sorted((corpus / "boilerplate").iterdir()):
        again = pl.read_parquet(tmp_path / "again" / "boilerplate" / table.name)
        assert again.equals(pl.read_parquet(table))


def test_a_recut_into_other_results_takes_the_models_along(encoded: Path, tmp_path: Path) -> None:
    """With their dates: a model that is younger than the tables would have them made again."""
    corpus = built(encoded, tmp_path / "results" / "a")
    (tmp_path / "results" / "languages").mkdir()
    (other := tmp_path / "other" / "languages").mkdir(parents=True)
    models = [("en", b"1", b"1", 2000), ("cs", b"2", b"other", 2000), ("sk", b"3", None, 0), ("de", b"4", b"4", 500)]
    for name, data, there, date in models:
        model = tmp_path / "results" / "languages" / f"{name}.model"
        model.write_bytes(data)
        os.utime(model, (1000, 1000))
        if there is not None:
            (other / f"{name}.model").write_bytes(there)
            os.utime(other / f"{name}.model", (date, date))
    corpusprep("recut", corpus, "--output", tmp_path / "other" / "d")
    found = {path.stem: (path.read_bytes(), path.stat().st_mtime) for path in other.iterdir()}
    assert found == {"en": (b"1", 1000), "cs": (b"other", 2000), "sk": (b"3", 1000), "de": (b"4", 500)}


def test_words_kept_is_what_a_run_keeps(encoded: Path, tmp_path: Path) -> None:
    """Of all words, those of good blocks."""
    corpus = built(encoded, tmp_path / "a")
    full = built(encoded, tmp_path / "d", "--preset", "D")
    pages = pl.concat([read_table(table, schemas.PAGES) for table in (full / "pages").iterdir()])
    kept = stage.words_kept(corpus, algorithm("justext", "D"))
    assert kept == (pages["good_words"].sum(), pages["words"].sum())


def test_words_kept_at_each_threshold_are_those_of_a_recut(encoded: Path, tmp_path: Path) -> None:
    """The table of thresholds, summed over batches: every row is what a recut with these thresholds would keep."""
    corpus = built(encoded, tmp_path / "a", "--preset", "C")
    table = WordsKept(Inputs("C", PRESETS["C"]))
    batches = [read_table(path, schemas.BOILERPLATE) for path in CorpusFolder.open(corpus).paths("boilerplate")]
    assert len(batches) == 2
    counted = pl.concat(table.count(JoinedVerdicts(pl.DataFrame(), pl.DataFrame(), blocks)) for blocks in batches)
    table.inputs.totals[table.name] = {key: (words,) for key, words in counted.group_by("key").sum().iter_rows()}
    rows = [dict(zip(table.names, row, strict=True)) for row in table.rows()]
    for row, setting in zip(rows, settings(PRESETS["C"]), strict=True):
        kept, words = stage.words_kept(corpus, JusText(setting.thresholds))
        assert (row["words_kept"], row["words_kept_percent"]) == (kept, f"{100 * kept / words:.1f}")
        assert row["gold_f1"]
    in_use = {row["parameter"] for row in rows if row["used"]}
    assert in_use == {"preset", "max_link_density", "length_low", "stopwords_low", "length_high", "stopwords_high"}
    assert len({row["words_kept"] for row in rows}) > 5


@pytest.fixture(name="model", scope="module")
def _model(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("models") / "small.model"
    write_model(path, small_model())
    return json.dumps({"model": str(path)})


KEPT_TOO = {"threshold": 0.1, "keep_title": True, "keep_comments": True}


@pytest.mark.parametrize(
    ("options", "parameters"),
    [
        (("--threshold", "recall"), {"threshold": "recall"}),
        (("--threshold", 0.1, "--keep-title", "--keep-comments"), KEPT_TOO),
        (("--drop-tables", "--drop-code"), {"keep_tables": False, "keep_code": False}),
    ],
    ids=["recall", "kinds", "less"],
)
def test_a_recut_of_learned_scores_is_a_run_with_these_settings(
    encoded: Path,
    tmp_path: Path,
    model: str,
    options: tuple[object, ...],
    parameters: dict[str, object],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The command finds by the scores which algorithm made the corpus."""
    path = Path(json.loads(model)["model"])
    monkeypatch.setattr("corpusprep.cleaners.content.cleaner.shipped_model", lambda name: path)
    corpus = built(encoded, tmp_path / "a", "--algorithm", "content")
    full = built(encoded, tmp_path / "b", "--algorithm", "content", "--parameters", json.dumps(parameters))
    corpusprep("recut", corpus, *options, "--output", tmp_path / "recut")
    differs = False
    for kind, schema in (("boilerplate", schemas.BOILERPLATE), ("pages", schemas.PAGES)):
        for table in sorted((full / kind).iterdir()):
            expected = read_table(table, schema)
            assert read_table(tmp_path / "recut" / kind / table.name, schema).equals(expected)
            differs |= not read_table(corpus / kind / table.name, schema).equals(expected)
    assert differs or "--drop-tables" in options
    arguments = ["recut", str(corpus), "--preset", "D", "--output", str(tmp_path / "preset")]
    with pytest.raises(ConfigError, match="preset is 'D', but the algorithm content has no presets; leave it out"):
        CliRunner().invoke(application, arguments, catch_exceptions=False)
    assert not (tmp_path / "preset").exists()


@pytest.mark.parametrize("name", ["texrex", "victor"])
def test_a_threshold_without_names_is_a_number(encoded: Path, tmp_path: Path, name: str) -> None:
    """Of algorithms whose thresholds have no names; a name is refused."""
    made = ("--algorithm", name, "--parameters")
    corpus = built(encoded, tmp_path / "a", *made, "{}")
    full = built(encoded, tmp_path / "b", *made, '{"threshold": 0.2}')
    arguments = ["recut", str(corpus), "--algorithm", name, "--output", str(tmp_path / "recut"), "--threshold"]
    with pytest.raises(ConfigError, match="threshold is 'recall'; allowed: a number, at least 0, at most 1"):
        CliRunner().invoke(application, [*arguments, "recall"], catch_exceptions=False)
    corpusprep(*arguments, 0.2)
    differs = False
    for table in sorted((full / "boilerplate").iterdir()):
        found, expected, before = (
            read_table(folder / "boilerplate" / table.name, schemas.BOILERPLATE)
            for folder in (tmp_path / "recut", full, corpus)
        )
        assert found.equals(expected)
        differs |= not found.equals(before)
    assert differs


def test_a_corpus_of_another_learned_algorithm_says_which(encoded: Path, tmp_path: Path) -> None:
    """Its scores do not show it; with the name, a recut is a run with that threshold, and its words are counted."""
    path = tmp_path / "small.model"
    write_characters(path, small_character_model())
    made = ("--algorithm", "ncleaner", "--parameters")
    corpus = built(encoded, tmp_path / "a", *made, json.dumps({"model": str(path)}))
    full = built(encoded, tmp_path / "b", *made, json.dumps({"model": str(path), "threshold": 0.9}))
    arguments = ["recut", str(corpus), "--threshold", "0.9", "--output", str(tmp_path / "recut")]
    with pytest.raises(StageFileError, match="say which with --algorithm"):
        CliRunner().invoke(application, arguments, catch_exceptions=False)
    corpusprep(*arguments, "--algorithm", "ncleaner")
    changed = []
    for kind, schema in (("boilerplate", schemas.BOILERPLATE), ("pages", schemas.PAGES)):
        for table in sorted((full / kind).iterdir()):
            expected = read_table(table, schema)
            assert read_table(tmp_path / "recut" / kind / table.name, schema).equals(expected)
            changed.append(not read_table(corpus / kind / table.name, schema).equals(expected))
    assert any(changed)
    batches = [read_table(path, schemas.BOILERPLATE) for path in CorpusFolder.open(corpus).paths("boilerplate")]
    table = WordsKept(Inputs("A", NCleaner(NCleanerSettings(threshold=0.9, model=str(path))).stored_thresholds))
    counted = pl.concat(table.count(JoinedVerdicts(pl.DataFrame(), pl.DataFrame(), blocks)) for blocks in batches)
    table.inputs.totals[table.name] = {key: (words,) for key, words in counted.group_by("key").sum().iter_rows()}
    rows = [dict(zip(table.names, row, strict=True)) for row in table.rows()]
    assert [row["value"] for row in rows if row["used"]] == ["precision", "0.9"]
    kept, _ = stage.words_kept(full, NCleaner(NCleanerSettings(threshold=0.9, model=str(path))))
    assert {row["words_kept"] for row in rows if row["used"]} == {kept}


def test_words_kept_at_each_score_are_those_of_a_recut(encoded: Path, tmp_path: Path, model: str) -> None:
    """Named thresholds, and all from 0.05 to 0.95; F1 is the model's card's."""
    used = ContentSettings(threshold=0.47, model=json.loads(model)["model"])
    corpus = built(encoded, tmp_path / "a", "--algorithm", "content", "--parameters", model)
    table = WordsKept(Inputs("A", used))
    batches = [read_table(path, schemas.BOILERPLATE) for path in CorpusFolder.open(corpus).paths("boilerplate")]
    counted = pl.concat(table.count(JoinedVerdicts(pl.DataFrame(), pl.DataFrame(), blocks)) for blocks in batches)
    table.inputs.totals[table.name] = {key: (words,) for key, words in counted.group_by("key").sum().iter_rows()}
    rows = [dict(zip(table.names, row, strict=True)) for row in table.rows()]
    assert [row["value"] for row in rows[:3]] == ["precision", "balanced", "recall"]
    for row in rows:
        value = {"precision": 0.9, "balanced": 0.5, "recall": 0.15}.get(str(row["value"])) or float(str(row["value"]))
        kept, words = stage.words_kept(corpus, Content(replace(used, threshold=value)))
        assert (row["words_kept"], row["words_kept_percent"]) == (kept, f"{100 * kept / words:.1f}")
    assert [row["value"] for row in rows if row["used"]] == ["0.47"]
    assert {row["value"]: row["gold_f1"] for row in rows}["0.5"] == "91.2"
    assert len({row["words_kept"] for row in rows}) > 2


def test_scores_of_one_algorithm_are_not_recut_by_another(encoded: Path, tmp_path: Path, model: str) -> None:
    """Thresholds of jusText mean nothing for learned scores, and the other way round."""
    learned = built(encoded, tmp_path / "learned", "--algorithm", "content", "--parameters", model)
    ruled = built(encoded, tmp_path / "ruled")
    for corpus, option in ((learned, ("--length-low", "5")), (ruled, ("--threshold", "0.5"))):
        found = CliRunner().invoke(application, ["recut", str(corpus), *option, "--output", str(tmp_path / "out")])
        assert isinstance(found.exception, ConfigError)
        assert "has no parameter" in str(found.exception)
    with pytest.raises(StageFileError, match="learned model"):
        stage.recut(ruled, tmp_path / "out", Content())
    with pytest.raises(StageFileError, match="not made by jusText"):
        stage.recut(learned, tmp_path / "out", algorithm("justext"))


def test_what_cannot_be_recut_is_named(encoded: Path, tmp_path: Path) -> None:
    """No corpus, a corpus or thresholds of another algorithm, an output that exists; nothing is left behind."""
    classifier = algorithm("justext")
    corpus = built(encoded, tmp_path / "a", "--algorithm", "bte")
    for source, output, error, text in (
        (tmp_path, "out", StageFileError, "folder of a corpus"),
        (corpus, "out", StageFileError, "jusText"),
        (corpus, "a", ConfigError, "already"),
    ):
        with pytest.raises(error, match=text):
            stage.recut(source, tmp_path / output, classifier)
    with pytest.raises(ConfigError, match="BTE: stored scores do not decide its classes"):
        stage.recut(corpus, tmp_path / "out", algorithm("bte"))
    assert [path.name for path in tmp_path.iterdir()] == ["a"]

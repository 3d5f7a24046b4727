"""Files of results that are gone: the next run makes them again, whatever reads them."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.built_corpora import sorted_corpus
from support.running import ENVIRONMENT, REPOSITORY, build, run, sample_config, write_config

from corpusprep.archive.batches import batch_names

pytestmark = pytest.mark.slow

#: No run reads them.
UNREAD = {"logs", "times"}


@pytest.fixture
def english(sample: Path, sample_crawl: Path, tmp_path: Path) -> tuple[Path, dict[str, object]]:
    """A copy of the English corpus of the sample, built; and its config."""
    config = sample_config(sample_crawl)
    del config["corpora"]["czech"]
    shutil.copytree(sample, tmp_path / "results")
    shutil.copytree(sample.parent / ".snakemake", tmp_path / ".snakemake")
    build(tmp_path, config)
    return tmp_path, config


def test_each_lost_file_is_made_again(english: tuple[Path, dict[str, object]]) -> None:
    """One after another, also one of a folder, and whole folders; planned, but not run."""
    folder, config = english
    corpus = folder / "results" / "english"
    first, *others = batch_names(corpus / "batches.tsv")
    places = {
        str(path.relative_to(folder))
        for path in (folder / "results").rglob("*")
        if not path.name.startswith(".")
        and path.parts[len(folder.parts) + 1] not in ("czech", "logs")
        and UNREAD.isdisjoint(path.parts)
        and (path.suffix != ".model" or (corpus / "rivals" / path.name).exists() or path.name == "en.model")
        and not any(batch in str(path) for batch in others)
    }
    tables = sorted(place for place in places if "/statistics/" in place)
    code = [
        REPOSITORY / "Snakefile",
        write_config(folder, config),
        *sorted(places.difference(tables[1:])),
        "results/none",
    ]
    script = REPOSITORY / "tests" / "support" / "lost_files.py"
    done = subprocess.run(
        [sys.executable, script, *code], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    made = {place: set(outputs) for place, outputs in json.loads(done.stdout.splitlines()[-1]).items()}
    assert made.pop("results/none") == set()
    assert len(made) > 40
    assert first in str(made)
    for place, outputs in made.items():
        around = {place, *map(str, Path(place).parents)}
        assert any(output in around or output.startswith(f"{place}/") for output in outputs), place


def test_files_that_no_rule_names_are_made_again(english: tuple[Path, dict[str, object]], sample: Path) -> None:
    """The tables read the verdicts of blocks without a rule that says so; the corpus is the same."""
    folder, config = english
    corpus = folder / "results" / "english"
    shutil.rmtree(corpus / "blocks")
    shutil.rmtree(corpus / "statistics")
    next((corpus / "documents").glob("*.parquet")).unlink()
    build(folder, config)
    assert sorted_corpus(corpus) == sorted_corpus(sample / "english")
    assert "Nothing to be done" in run(folder, config).stderr

"""The corpus does not depend on the order, batches and bundles of its archives."""

import re
import shutil
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from support.built_corpora import decompressed, sorted_corpus
from support.finished_corpora import part
from support.running import build, run, sample_config

from corpusprep.archive.batches import batch_names
from corpusprep.inspection.indexing import write_index
from corpusprep.jobs import finished, packing
from corpusprep.pipeline import TABLES
from corpusprep.tables.batch_files import corpus_file
from corpusprep.text.validation import problems

pytestmark = pytest.mark.slow


def one_by_one(config: dict[str, Any], **others: Any) -> dict[str, Any]:
    """One batch per archive."""
    return config | {"batch_bytes": 1, **others}


def reversed_names(crawl: Path, folder: Path) -> dict[str, Any]:
    """The same archives under names that sort in reverse order."""
    folder.mkdir()
    archives = sorted(crawl.glob("*.warc.gz"))
    for number, archive in enumerate(reversed(archives)):
        shutil.copy(archive, folder / f"{number:03d}.warc.gz")
    return sample_config(folder)


def built(variant: str, crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run of the sample in several batches; all tests share it."""
    folder = tmp_path_factory.getbasetemp() / f"order-{variant}"
    if not folder.exists():
        folder.mkdir()
        if variant == "batches":
            build(folder, one_by_one(sample_config(crawl), parts=3), cores=1)
        else:
            build(folder, one_by_one(reversed_names(crawl, folder / "crawl")), cores=2)
    return folder


@pytest.mark.parametrize("name", ["english", "czech"])
@pytest.mark.parametrize("variant", ["batches", "names"])
def test_same_corpus(
    sample: Path, sample_crawl: Path, tmp_path_factory: pytest.TempPathFactory, variant: str, name: str
) -> None:
    """Byte for byte after sorting: small batches in parts on one core; one bundle, other names and two cores.

    The index is the same bytes as from one process.
    """
    folder = built(variant, sample_crawl, tmp_path_factory)
    found, expected = (without_archives(sorted_corpus(results / name)) for results in (folder / "results", sample))
    assert found == expected
    for table in sorted(set(TABLES) - {"processing_times"}):
        own, whole = (results / name / "statistics" / f"{table}.tsv" for results in (folder / "results", sample))
        assert own.read_bytes() == whole.read_bytes(), table
    assert not [path for path in (folder / "results" / name).glob("**/parts/*") if path.is_file()]
    corpus = folder / "results" / name
    write_index(corpus, batch_names(corpus_file(corpus, "plan")), folder / "urls.index", 4 * 10**9)
    assert (folder / "urls.index").read_bytes() == corpus_file(corpus, "urls").read_bytes()


def without_archives(corpus: tuple[list[str], ...]) -> list[list[str]]:
    """The documents of a corpus without the names of their archives, which a test has changed."""
    return [[re.sub(r'archive"?[=:] ?"[^"]*"', "", document) for document in documents] for documents in corpus]


def test_same_bytes_from_finished_corpora(
    sample_crawl: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Of two corpora, one of them packed, the bytes of the run over all archives; other settings are refused."""
    whole = built("batches", sample_crawl, tmp_path_factory) / "results" / "english"
    for name, numbers in (("one", (0, 3)), ("two", (1, 2))):
        part(whole, tmp_path / "parts" / name, numbers)
    packing.pack(tmp_path / "parts" / "two")
    config = {"corpora": {"english": {"language": "en", "from": ["parts/one", "parts/two"]}}}
    refused = run(tmp_path, config | {"encoding": {"min_bytes": 7}})
    assert (
        "corpora.english.from: parts/one was made with encoding.min_bytes: 0, and this corpus has 7" in refused.stderr
    )
    english = build(tmp_path, config) / "english"
    for folder in ("corpus", "statistics", "documents", "blocks"):
        for path in (path for path in (whole / folder).iterdir() if path.stem != "processing_times"):
            if path.suffix in (".zst", ".tsv", ".parquet") or path.name == "SHA256SUMS":
                assert (english / folder / path.name).read_bytes() == path.read_bytes(), path
    times = {path.name for path in (whole / "times" / "boilerplate").iterdir()}
    assert {path.name for path in (english / "times" / "boilerplate").iterdir()} == times
    assert (english / finished.NAME).read_bytes() == (whole / finished.NAME).read_bytes()
    assert "Nothing to be done" in run(tmp_path, config, "-n").stdout


@pytest.mark.parametrize("shards", ["one", "20k"])
def test_same_shards(sample: Path, sample_crawl: Path, tmp_path: Path, shards: str) -> None:
    """The files of an export, one after another, are the corpus of a single batch; there are no files of batches."""
    config = one_by_one(sample_config(sample_crawl), corpus={"shards": shards})
    del config["corpora"]["czech"]
    corpus = build(tmp_path, config) / "english"
    assert not list((corpus / "corpus").glob("*"))
    names = [f"english{part}" for part in (("",) if shards == "one" else ("-00000", "-00001"))]
    (batch,) = (path.name.partition(".")[0] for path in (sample / "english" / "corpus").glob("*.parquet"))
    for suffix in ("vert.zst", "jsonl.zst"):
        whole = decompressed(sample / "english" / "corpus" / f"{batch}.{suffix}")
        assert "".join(decompressed(corpus / "export" / f"{name}.{suffix}") for name in names) == whole
    tables = [pl.read_parquet(corpus / "export" / f"{name}.parquet") for name in names]
    assert pl.concat(tables).equals(pl.read_parquet(sample / "english" / "corpus" / f"{batch}.parquet"))


def test_verticals_have_no_problems(sample: Path) -> None:
    """CWB and Manatee read the verticals of the sample as they are meant."""
    paths = sorted(sample.rglob("*.vert.zst"))
    assert len(paths) == 4
    assert [problem for path in paths for problem in problems(path)] == []

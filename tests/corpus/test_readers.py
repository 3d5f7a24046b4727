"""The folder of an export is a data set: what libraries read of it; each test needs the library that it names."""

import importlib
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
import yaml
from click.testing import CliRunner
from support.batch_fixture import Block, Page, write_batch
from support.small_statistics import write_statistics

from corpusprep.archive.batches import Batch
from corpusprep.archive.batches import write_batches as write_plan
from corpusprep.commands.application import application
from corpusprep.tables.batch_files import corpus_file

NUMBERS = {*range(30)}


@pytest.fixture(scope="module", params=["parquet", "jsonl"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An export with a data card, in files of some bytes, with files for validation, in one of the formats."""
    corpus = tmp_path_factory.mktemp(request.param) / "mine"
    said = {"licence": "https://creativecommons.org/licenses/by-sa/4.0/"}
    pages = [Page((Block(f"Number {number}"),), url=f"http://a.example/{number}", said=said) for number in NUMBERS]
    write_batch(corpus, pages)
    write_plan([Batch("b00000", (Path("a.warc.gz"),), (1,))], corpus_file(corpus, "plan"))
    write_statistics(corpus)
    options = ["--shards=100", "--order=shuffled", "--validation=0.2", "--memory=4G", "--language=cs"]
    arguments = ["export", str(corpus), f"--formats={request.param}", "--formats=card", *options]
    assert CliRunner().invoke(application, arguments, catch_exceptions=False).exit_code == 0
    return corpus / "export"


def texts(numbers: set[int]) -> set[str]:
    """The texts of pages."""
    return {f"Number {number}" for number in numbers}


def test_the_card_names_the_files_of_each_part(folder: Path) -> None:
    """Each file is in one part; sizes and licences are those of the files."""
    text = (folder / "README.md").read_text(encoding="utf-8")
    [config] = yaml.safe_load(text.split("---\n")[1])["configs"]
    files = {part["split"]: sorted(path.name for path in folder.glob(part["path"])) for part in config["data_files"]}
    assert set(files) == {"train", "validation"}
    assert not {*files["train"]} & {*files["validation"]}
    assert {*files["train"], *files["validation"], "README.md", "SHA256SUMS"} == {
        path.name for path in folder.iterdir()
    }
    assert f"| `mine-validation-*.*` | {len(files['validation'])} | " in text
    assert "Documents are in an order of chance (seed 0)." in text
    assert "| CC BY-SA | 30 |" in text


def test_polars(folder: Path) -> None:
    """All files at once; lines of compressed JSON, too."""
    if "parquet" in folder.parts[-3]:
        found = pl.scan_parquet(folder / "*.parquet").select("text").collect()["text"]
    else:
        found = pl.concat(map(pl.read_ndjson, sorted(folder.glob("*.jsonl.zst"))), how="vertical_relaxed")["text"]
    assert set(found) == texts(NUMBERS)


def test_duckdb(folder: Path) -> None:
    """A query of all files."""
    duckdb = pytest.importorskip("duckdb")
    reader = "read_parquet" if list(folder.glob("*.parquet")) else "read_json"
    suffix = "parquet" if reader == "read_parquet" else "jsonl.zst"
    rows = duckdb.sql(f"select text, date from {reader}('{folder}/*.{suffix}')").fetchall()
    assert {text for text, _ in rows} == texts(NUMBERS)


def test_pandas(folder: Path) -> None:
    """A file of each format."""
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    tables = [
        pandas.read_parquet(path) if path.suffix == ".parquet" else pandas.read_json(path, lines=True)
        for path in sorted(folder.glob("mine-*"))
    ]
    assert {text for table in tables for text in table["text"]} == texts(NUMBERS)


def test_datasets(folder: Path, tmp_path: Path) -> None:
    """The folder by its card: both parts, also as streams."""
    datasets = pytest.importorskip("datasets")
    loaded = datasets.load_dataset(str(folder), cache_dir=str(tmp_path))
    assert set(loaded) == {"train", "validation"}
    assert {*loaded["train"]["text"], *loaded["validation"]["text"]} == texts(NUMBERS)
    streamed = datasets.load_dataset(str(folder), split="validation", streaming=True, cache_dir=str(tmp_path))
    assert [row["text"] for row in streamed] == list(loaded["validation"]["text"])


def test_row_groups_stream(tmp_path: Path) -> None:
    """A reader of a file holds a row group: it has some 32 MB of text at most, of long documents too."""
    from corpusprep.corpus.formats import parquet
    from corpusprep.corpus.formats.interface import CorpusDocument
    from corpusprep.tables import schemas

    pyarrow = importlib.import_module("pyarrow.parquet") if importlib.util.find_spec("pyarrow") else None
    if pyarrow is None:
        pytest.skip("needs pyarrow")
    values = dict.fromkeys(schemas.CORPUS) | {"text": "x" * 1_000_000}
    with parquet.writer(tmp_path / "a.parquet") as write:
        for _ in range(100):
            write(CorpusDocument(values, b""))
    footer = pyarrow.ParquetFile(tmp_path / "a.parquet").metadata
    assert [footer.row_group(number).num_rows for number in range(footer.num_row_groups)] == [31, 31, 31, 7]

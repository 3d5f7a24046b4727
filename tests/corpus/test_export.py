"""A whole corpus as one file per format, or as files of a given size."""

import json
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner
from support.batch_fixture import Block, Page, write_batch

from corpusprep.archive.batches import Batch
from corpusprep.archive.batches import write_batches as write_plan
from corpusprep.commands.application import application
from corpusprep.config.settings import load_schema, resolve
from corpusprep.corpus.export import export
from corpusprep.corpus.shards import Division
from corpusprep.errors import ConfigError, StageFileError
from corpusprep.io import digests
from corpusprep.io.files import zstd_chunks
from corpusprep.tables.batch_files import corpus_file
from corpusprep.text.vertical import attributes

FORMATS = ["vertical", "jsonl", "parquet"]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A corpus of a batch with 20 documents of 10 to 29 bytes of text."""
    folder = tmp_path / "mine"
    pages = [Page((Block("x" * (10 + number)),), url=f"http://a.example/{number}") for number in range(20)]
    write_batch(folder, pages)
    write_plan([Batch("b00000", (Path("a.warc.gz"),), (1,))], corpus_file(folder, "plan"))
    return folder


def held(folder: Path, name: str) -> list[list[tuple[str, int, int]]]:
    """The documents of a file: in each format, their ids, words and tokens."""
    lines = b"".join(zstd_chunks(folder / f"{name}.jsonl.zst")).decode().split("\n")[:-1]
    vertical = b"".join(zstd_chunks(folder / f"{name}.vert.zst")).decode().split("\n")
    starts = [attributes(line) for line in vertical if line.startswith("<doc ")]
    return [
        [(one["id"], int(one["words"]), int(one["tokens"])) for one in documents]
        for documents in (starts, map(json.loads, lines), pl.read_parquet(folder / f"{name}.parquet").to_dicts())
    ]


def names(folder: Path) -> list[str]:
    """The names of the files of an export, sorted; the digests are those of all others."""
    checked = [(path.name, fault) for path, fault in digests.faults(folder)]
    assert checked == [(path.name, "") for path in sorted(folder.iterdir()) if path.name != digests.NAME]
    return [name for name, _ in checked]


def test_one_file_per_format(corpus: Path) -> None:
    """It has all documents; its name is that of the corpus."""
    assert export(corpus, FORMATS, Division(), corpus / "export") == 1
    assert names(corpus / "export") == ["mine.jsonl.zst", "mine.parquet", "mine.vert.zst"]
    vertical, lines, table = held(corpus / "export", "mine")
    assert vertical == lines == table
    assert len(table) == 20


@pytest.mark.parametrize(("size", "files"), [(1, 20), (29, 17), (100, 5), (10**6, 1)])
def test_files_of_a_size(corpus: Path, size: int, files: int) -> None:
    """Files are filled in order, up to the size; all formats have the same documents in each."""
    assert export(corpus, FORMATS, Division(size), corpus / "export") == files
    parts = sorted({name.partition(".")[0] for name in names(corpus / "export")})
    assert parts == [f"mine-{number:05}" for number in range(len(parts))]
    found = []
    for part in parts:
        vertical, lines, table = held(corpus / "export", part)
        assert vertical == lines == table
        texts = pl.read_parquet(corpus / "export" / f"{part}.parquet")["text"].str.len_bytes()
        assert texts.sum() <= size or len(texts) == 1
        found += table
    export(corpus, FORMATS, Division(), corpus / "whole")
    assert found == held(corpus / "whole", "mine")[0]


def test_a_corpus_without_documents_is_a_file(tmp_path: Path) -> None:
    """An empty file in each format."""
    write_batch(tmp_path / "none", [Page(language="language_score")])
    write_plan([Batch("b00000", (Path("a.warc.gz"),), (1,))], corpus_file(tmp_path / "none", "plan"))
    assert export(tmp_path / "none", FORMATS, Division(100), tmp_path / "export") == 1
    assert held(tmp_path / "export", "none-00000") == [[], [], []]


def test_a_folder_is_replaced_whole(corpus: Path) -> None:
    """Files of an earlier export go; where it fails, they stay."""
    export(corpus, FORMATS, Division(1), corpus / "export")
    export(corpus, ["jsonl"], Division(), corpus / "export")
    assert names(corpus / "export") == ["mine.jsonl.zst"]
    (corpus / "tokens" / "b00000.vert.zst").write_bytes(b"damaged")
    with pytest.raises(StageFileError):
        export(corpus, FORMATS, Division(), corpus / "export")
    assert names(corpus / "export") == ["mine.jsonl.zst"]


def test_a_folder_with_other_files_is_not_replaced(corpus: Path, tmp_path: Path) -> None:
    """A corpus, a user's files, or an export of another corpus; an empty folder, and a link to an export, are."""
    for name in ("notes.txt", "README.md", "other.jsonl.zst", "b00000.parquet"):
        folder = tmp_path / f"with {name}"
        folder.mkdir()
        (folder / name).write_text("mine", encoding="utf-8")
        with pytest.raises(ConfigError, match=f"would be replaced, but it has {name}, which is of no export of mine"):
            export(corpus, FORMATS, Division(), folder)
        assert (folder / name).read_text(encoding="utf-8") == "mine"
    with pytest.raises(ConfigError, match="would be replaced"):
        export(corpus, FORMATS, Division(), corpus)
    (tmp_path / "empty").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "empty")
    for shards in (1, None):
        export(corpus, ["jsonl"], Division(shards), tmp_path / "link")
    assert names(tmp_path / "empty") == ["mine.jsonl.zst"]


@pytest.mark.parametrize(("shards", "files"), [("one", ["mine.jsonl.zst"]), ("1M", ["mine-00000.jsonl.zst"])])
def test_command(corpus: Path, shards: str, files: list[str]) -> None:
    """`export` from the command line."""
    arguments = ["export", str(corpus), "--formats", "jsonl", "--shards", shards]
    assert CliRunner().invoke(application, arguments, catch_exceptions=False).exit_code == 0
    assert names(corpus / "export") == files


def test_marked_duplicates_are_exported(tmp_path: Path) -> None:
    """With their marks in all formats."""
    folder = tmp_path / "mine"
    write_batch(folder, [Page((Block("Own"), Block("Copied", final="marked_duplicate")))])
    write_plan([Batch("b00000", (Path("a.warc.gz"),), (1,))], corpus_file(folder, "plan"))
    arguments = ["export", str(folder), "--mark"]
    assert CliRunner().invoke(application, arguments, catch_exceptions=False).exit_code == 0
    vertical, lines = (b"".join(zstd_chunks(folder / f"export/mine.{form}.zst")).decode() for form in ("vert", "jsonl"))
    marks = [[block["duplicate"] for block in json.loads(lines)["blocks"]]]
    marks += [[block["duplicate"] for block in pl.read_parquet(folder / "export/mine.parquet")["blocks"][0]]]
    marks += [[attributes(line)["duplicate"] for line in vertical.split("\n") if line.startswith("<p ")]]
    assert marks == [["no", "block"]] * 3


@pytest.mark.parametrize(
    ("shards", "said"),
    [
        ("two", "'two' is not a size; give bytes"),
        ("0", "at least 1 byte or token"),
        ("1 kB tokens", "not a number of tokens"),
    ],
)
def test_command_refuses_other_sizes(corpus: Path, shards: str, said: str) -> None:
    """The message says what is allowed."""
    result = CliRunner().invoke(application, ["export", str(corpus), "--shards", shards])
    assert result.exit_code == 2
    assert said in result.output


def test_settings() -> None:
    """With shards, a batch has its vertical only, which the statistics read."""
    schema = load_schema()
    corpora = {"corpora": {"mine": {"language": "en", "archives": ["*.warc.gz"]}}}
    for shards, formats in ((None, FORMATS), ("batches", FORMATS), ("one", ["vertical"]), ("100M", ["vertical"])):
        config = corpora | ({} if shards is None else {"corpus": {"shards": shards}})
        assert resolve(config, schema, checked=False)["mine"].sections["corpus"]["formats"] == formats
    with pytest.raises(ConfigError, match=r"corpus\.shards: 0 is not allowed"):
        resolve(corpora | {"corpus": {"shards": 0}}, schema, checked=False)

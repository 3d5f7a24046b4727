"""The summary of a corpus: its table, archives without a page, and whether it is empty."""

import sys
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path

import polars as pl
import pytest
from rich.console import Console

from corpusprep.archive.batches import Batch, write_batches
from corpusprep.commands.application import main
from corpusprep.pipeline import ALWAYS_DECIDING
from corpusprep.report import summary
from corpusprep.tables import schemas
from corpusprep.tables.writing import write_table

VERDICTS = {
    "a.warc": ["kept", "status", "damaged"],
    "b.warc": ["status", "content_type", "status"],
    "note.txt": ["damaged"],
    "nothing.warc": [],
}


def corpus(folder: Path, documents: list[int], verdicts: dict[str, list[str]] = VERDICTS) -> Path:
    """Writes the tables of a corpus that the summary reads; `documents` are those after each stage."""
    folder.mkdir(exist_ok=True)
    write_batches(
        [Batch("b0123456789abcdef", tuple(map(Path, verdicts)), (1,) * len(verdicts))], folder / "batches.tsv"
    )
    rows = [(archive, verdict) for archive, found in verdicts.items() for verdict in found]
    columns = {"archive": [row[0] for row in rows], "verdict": [row[1] for row in rows]}
    frame = pl.DataFrame(columns, schema_overrides={"archive": pl.String, "verdict": pl.String})
    empty = [pl.lit(None, kind).alias(name) for name, kind in schemas.ENCODING.items() if name not in columns]
    write_table(frame.with_columns(empty), schemas.ENCODING, folder / "encoding" / "b0123456789abcdef.parquet")
    (folder / "statistics").mkdir(exist_ok=True)
    lines = ["stage\tdocuments\tblocks\twords\twords_percent_of_previous\ttokens"]
    lines += [f"{stage}\t{n}\t{n}\t{n}\t\t" for stage, n in zip(("crawl", *ALWAYS_DECIDING), documents, strict=True)]
    (folder / "statistics" / "corpus_size.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def shown(folder: Path) -> str:
    """What is printed on a terminal of 80 columns."""
    console = Console(width=80, file=StringIO())
    summary.show(folder, console)
    return console.file.getvalue()  # type: ignore[attr-defined]


def test_archives_without_a_page_are_named_with_the_reasons(tmp_path: Path) -> None:
    """The most frequent reason first; archives with a page are not named."""
    text = shown(corpus(tmp_path / "news", [1, 1, 1, 1, 1]))
    assert "Corpus size: news" in text
    assert text.endswith(
        "  no page in 3 of 4 archives:\n    b.warc: 2 status, 1 content_type\n    note.txt: 1 damaged\n"
        "    nothing.warc: no record\n\n"
    )


def test_many_archives_are_counted(tmp_path: Path) -> None:
    """Ten are named."""
    text = shown(corpus(tmp_path / "news", [1] * 5, {f"{number}.warc": ["status"] for number in range(1200)}))
    assert "no page in 1,200 of 1,200 archives:" in text
    assert text.count("1 status") == 10
    assert text.endswith("    … and 1,190 more\n\n")


@pytest.mark.parametrize(
    ("documents", "expected"),
    [
        ([0, 0, 0, 0, 0], "its archives have no page that is taken"),
        ([1200, 7, 0, 0, 0], "of 1,200 documents in the crawl, none is left after language filtering"),
    ],
)
def test_an_empty_corpus_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], documents: list[int], expected: str
) -> None:
    """Of `corpusprep show`, after all tables; other corpora do not hide it."""
    empty, full = corpus(tmp_path / "empty", documents), corpus(tmp_path / "full", [1] * 5)
    with pytest.raises(SystemExit) as ended:
        main(["show", str(empty), str(full)])
    assert ended.value.code == 1
    printed = capsys.readouterr()
    assert "Corpus size: full" in printed.out
    assert printed.err == f"corpusprep: error: {empty}: the corpus is empty: {expected}; the report has the reasons\n"


def test_a_corpus_with_a_document_is_not_empty(tmp_path: Path) -> None:
    """One is enough."""
    assert summary.emptied(corpus(tmp_path / "news", [9, 8, 3, 2, 1])) is None


def test_a_name_that_the_terminal_cannot_show_is_escaped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder of a corpus, on standard output in ASCII."""
    written = BytesIO()
    monkeypatch.setattr(sys, "stdout", TextIOWrapper(written, "ascii"))
    with pytest.raises(SystemExit) as ended:
        main(["show", str(corpus(tmp_path / "češi", [1] * 5))])
    assert ended.value.code in (0, None)
    assert rb"\u010de\u0161i/corpus" in written.getvalue()


def test_the_folder_that_the_text_is_in_is_named(tmp_path: Path) -> None:
    """With shards, the files of batches are removed and their folder may be gone."""
    folder = corpus(tmp_path / "news", [1] * 5)
    (folder / "corpus").mkdir()
    (folder / "corpus" / "b0123456789abcdef.vert.zst").touch()
    (folder / "export").mkdir()
    assert f"  corpus      {folder}/corpus\n" in shown(folder)
    (folder / "corpus" / "b0123456789abcdef.vert.zst").unlink()
    assert f"  corpus      {folder}/export\n" in shown(folder)
    (folder / "corpus").rmdir()
    assert f"  corpus      {folder}/export\n" in shown(folder)

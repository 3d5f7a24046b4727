"""Documents of a part of a corpus as files: what a reading of the vertical in plain Python gives."""

import csv
from pathlib import Path

import pytest
from support import made_verticals
from support.made_verticals import Made

from corpusprep.commands.application import main
from corpusprep.errors import ConfigError
from corpusprep.inspection import part_texts
from corpusprep.inspection.subcorpora import WHOLE, part_of
from corpusprep.inspection.word_lists import Corpus

pytestmark = pytest.mark.usefixtures("fresh_process")


def made(number: int, **attributes: str) -> Made:
    """A document with glue, a column, a sentence, an entity and two blocks."""
    blocks = [["=1+1", "<s>", f"w{number}\tw", "<g/>", ".", "</s>"], ["&lt;b&gt;", "<g/>", "&amp;"]]
    return Made({"id": f"{number:04}", "host": f"h{number % 2}", "title": f"-{number}"} | attributes, blocks)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A corpus of two batches; a document without blocks among them, which no list counts."""
    first = [made(0), Made({"id": "empty"}, []), made(1), made(2)]
    return made_verticals.write(tmp_path / "corpus", [first, [made(3, id="../3"), made(4, id=".. 3")]])


def test_documents_as_text_files(folder: Path, tmp_path: Path) -> None:
    """A line per block, in a new folder; names of files never lead out of it."""
    output = tmp_path / "texts"
    assert part_texts.write_files(Corpus(folder), WHOLE, 0, output) == 5
    names = sorted(path.name for path in output.iterdir())
    assert names == ["0000.txt", "0001.txt", "0002.txt", "_3-2.txt", "_3.txt"]
    assert (output / "0001.txt").read_text() == "=1+1 w1.\n<b>&\n"
    with pytest.raises(ConfigError, match="exists already"):
        part_texts.write_files(Corpus(folder), WHOLE, 0, output)


def test_documents_as_a_sheet(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Attributes and text; what a spreadsheet would run as a formula has an apostrophe, what it cannot hold is cut."""
    monkeypatch.setattr(part_texts, "LONGEST_CELL", 8)
    part_texts.write_sheet(Corpus(folder), part_of(folder, 'host="h1"', None), 0, tmp_path / "part.csv")
    with (tmp_path / "part.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["id"] for row in rows] == ["0001", "../3"]
    assert (rows[0]["host"], rows[0]["title"], rows[0]["text"]) == ("h1", "'-1", "'=1+1 w1")


def test_a_sample_does_not_depend_on_batches(folder: Path, tmp_path: Path) -> None:
    """And is the same each time."""
    documents = [made(number) for number in range(9)]
    chosen = []
    for number, batches in enumerate(([documents], [documents[5:], documents[:5]])):
        other = made_verticals.write(tmp_path / str(number), batches)
        with pytest.raises(SystemExit) as end:
            main(["texts", str(other), "--sample", "4", "--output", str(tmp_path / f"sample{number}")])
        assert end.value.code == 0
        chosen.append({path.name: path.read_text() for path in (tmp_path / f"sample{number}").iterdir()})
    assert len(chosen[0]) == 4
    assert chosen[0] == chosen[1]

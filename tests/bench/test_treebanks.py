"""The table of tokens and sentences on treebanks."""

from pathlib import Path

import pytest
from languages import treebanks
from running import CommandError

from studies.treebanks.agreement import COLUMNS


def written(path: Path, **cells: str) -> Path:
    """Writes a table with one row."""
    row = {"language": "en", "treebank": "en_ewt-ud-test", "tokens": "25037", "sentences": "2077"} | cells
    path.write_text("\n".join("\t".join(line) for line in (COLUMNS, [row.get(name, "") for name in COLUMNS])) + "\n")
    return path


def test_empty_cells_are_those_of_the_table_before(tmp_path: Path) -> None:
    """The page has our scores of the last table and the peers of the first, and names who is far behind."""
    own = {"f1_tokens": "99.1", "f1_tokens_without_conventions": "99.96", "f1_sentences": "84.35"}
    icu = {"f1_tokens_icu": "99.7", "f1_tokens_without_conventions_icu": "99.7", "f1_sentences_icu": "78.25"}
    first = written(tmp_path / "first.tsv", **(own | {"f1_tokens": "10"} | icu))
    page = tmp_path / "page.md"
    page.write_text("<!-- summary -->\n<!-- end -->\n<!-- treebanks -->\n<!-- end -->\n")
    treebanks.main("bench treebanks", [str(first), str(written(tmp_path / "last.tsv", **own)), "--page", str(page)])
    text = " ".join(page.read_text().split())
    assert (
        "| English EWT | 2,077 | 84.3 | – | – | – | 78.2 | 25,037 | 99.1 / 100.0 | – / – | – / – | 99.7 / 99.7 |"
        in text
    )
    assert "1 treebanks of 1 languages" in text
    assert "better in 0; one is better by more than 0.5 points in 1: English EWT (0.6)." in text
    assert "better in 1; one is better by more than 1 points in 0." in text


def test_another_table_is_refused(tmp_path: Path) -> None:
    """It has other columns, or is absent."""
    other = tmp_path / "other.tsv"
    for message in ("No such file", "no table of corpusprep studies treebanks"):
        with pytest.raises(CommandError, match=message):
            treebanks.merged([other])
        other.write_text("a\tb\n")

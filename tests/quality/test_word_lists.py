"""Lists of words by language, and their share of documents."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from support.batch_fixture import Block, Page, write_batch

from corpusprep.commands import quality
from corpusprep.errors import ConfigError
from corpusprep.quality.word_lists import files_of, list_of
from corpusprep.tables import schemas
from corpusprep.tables.reading import read_table


def test_a_folder_has_a_list_per_language(tmp_path: Path) -> None:
    """By code, as it is or as a text; what is no list is left out."""
    for name, text in {"en": "darn\nholy moly\n", "de.txt": "# note\nmist\n", "README.md": "x", "LICENSE": "y"}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert [path.name for path in files_of(str(tmp_path))] == ["de.txt", "en"]
    for code, text, share in (("en", "Holy  moly, DARN! A holy boat.", [3, 6]), ("de-CH", "Mist note", [1, 2])):
        found = list_of(str(tmp_path), code)
        assert found is not None
        assert found.measure([text]).tolist() == [share]
    assert list_of(str(tmp_path), "fr") is None
    assert list_of(str(tmp_path / "en"), "fr") is not None


def test_what_is_no_list_is_refused(tmp_path: Path) -> None:
    """What is not there, an empty folder, an empty list."""
    for wrong in (tmp_path / "no", tmp_path):
        with pytest.raises(ConfigError, match="no list of words, and no folder with lists"):
            files_of(str(wrong))
    (tmp_path / "en").write_text("# nothing\n")
    with pytest.raises(ConfigError, match="a list without words"):
        list_of(str(tmp_path), "en")


def test_documents_with_too_many_listed_words_are_refused(tmp_path: Path) -> None:
    """By their share; a language without a list keeps all, and says so."""
    lists = tmp_path / "lists"
    lists.mkdir()
    (lists / "en").write_text("darn\n")
    pages = [Page((Block("Darn it, a darn boat."),)), Page((Block("A boat."),), url="http://b.example/")]
    files = write_batch(tmp_path, pages)
    line = [str(tmp_path), "--batch", files.batch, "--word-lists", str(lists), "--most", '{"listed_words": 0.3}']
    assert CliRunner().invoke(quality.command, [*line, "--model", "en"]).exit_code == 0
    table = read_table(files.quality, schemas.QUALITY)
    assert table["listed_words"].to_list() == [0.4, 0.0]
    assert table["verdict"].to_list() == ["listed_words", "kept"]
    shown = CliRunner().invoke(quality.command, [*line, "--model", "de"])
    assert "has no list for German: not applied: listed_words > 0.3" in shown.stderr
    assert set(read_table(files.quality, schemas.QUALITY)["listed_words"]) == {None}
    without = CliRunner().invoke(quality.command, [*line[:3], "--model", "en", *line[-2:]])
    assert "there is no share without lists" in str(without.exception)

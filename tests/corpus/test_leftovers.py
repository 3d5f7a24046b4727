"""Files of a corpus that earlier settings made."""

from pathlib import Path

import pytest

from corpusprep.corpus.leftovers import remove_leftovers, remove_quality

BATCH = "b0123456789abcdef"
OWN = {"corpus/notes.txt", "corpus/other.parquet", "corpus/b1.jsonl.zst", "export/list.jsonl.zst"}
CARD = "Made with corpusprep 0.1.0 from 4 Web archives."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A corpus called `my.news` with files of several settings, and some of a user's own."""
    made = {f"corpus/{BATCH}.{suffix}" for suffix in ("jsonl.zst", "parquet", "vert.zst", "tei.xml.zst")}
    made |= {f"export/my.news{part}" for part in (".jsonl.zst", "-00000.parquet", "-12345.txt.zst")}
    made |= {"corpus/cwb.sh", "export/registry", "export/.snakemake_timestamp"}
    for name in made | OWN:
        path = tmp_path / "my.news" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    (tmp_path / "my.news" / "corpus" / "README.md").write_text(CARD)
    return tmp_path / "my.news"


def names(folder: Path) -> set[str]:
    """The files in a folder, by their paths in it."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_formats_that_are_not_chosen_are_removed(folder: Path) -> None:
    """So are files that describe the corpus, and the export; verticals only if they are not needed any more."""
    removed = remove_leftovers(folder, ["jsonl", "cwb"], sharded=False)
    made = {f"corpus/{BATCH}.jsonl.zst", f"corpus/{BATCH}.vert.zst", "corpus/cwb.sh"}
    assert names(folder) == made | OWN | {"export/.snakemake_timestamp"}
    assert {path.name for path in removed} >= {"README.md", "my.news-00000.parquet", f"{BATCH}.parquet"}
    assert remove_leftovers(folder, ["jsonl", "cwb"], sharded=False) == []
    remove_leftovers(folder, ["jsonl"], sharded=False, with_verticals=True)
    assert names(folder) == {f"corpus/{BATCH}.jsonl.zst"} | OWN | {"export/.snakemake_timestamp"}


def test_shards_replace_the_files_of_batches(folder: Path) -> None:
    """Nothing but verticals, which statistics read, stays beside them; their folder is left to what writes it."""
    export = {name for name in names(folder) if name.startswith("export/")}
    remove_leftovers(folder, ["jsonl", "card"], sharded=True)
    assert names(folder) == {f"corpus/{BATCH}.vert.zst"} | OWN | export


def test_an_export_without_own_files_is_removed_with_its_folder(folder: Path) -> None:
    """What Snakemake writes into the folder does not keep it."""
    (folder / "export" / "list.jsonl.zst").unlink()
    remove_leftovers(folder, ["jsonl"], sharded=False)
    assert not (folder / "export").exists()


def test_a_readme_of_a_user_stays(folder: Path) -> None:
    """It has the name of the data card, but not its words."""
    (folder / "corpus" / "README.md").write_text("My notes on this corpus.")
    remove_leftovers(folder, ["jsonl"], sharded=False)
    assert "corpus/README.md" in names(folder)


def test_a_corpus_without_files_has_no_leftovers(tmp_path: Path) -> None:
    """Neither folder is there before the first run."""
    assert remove_leftovers(tmp_path / "new", ["jsonl"], sharded=False) == []


def test_an_earlier_filter_leaves_nothing(tmp_path: Path) -> None:
    """Later steps would go by its verdicts; other files stay."""
    folder = tmp_path / "quality"
    folder.mkdir()
    for name in ("b0123456789abcdef.parquet", "notes.txt", "mine.parquet"):
        (folder / name).touch()
    remove_quality(tmp_path)
    remove_quality(tmp_path / "new")
    assert sorted(path.name for path in folder.iterdir()) == ["mine.parquet", "notes.txt"]

"""Table 1.1: words and expressions that large corpora have."""

from pathlib import Path

from support.batch_fixture import Block, Page, write_batch
from support.corpus_layout import write_lists

from studies.pomikalek_2011.chapter_3 import measured, rare_words
from studies.pomikalek_2011.chapter_3.rare_words import Occurring


def test_words_are_counted_in_a_corpus(tmp_path: Path) -> None:
    """In small letters or capitals; an expression is a sequence of words."""
    page = Page((Block("Nascent effort is effort, and unbridled effort is no hedonism."),))
    write_batch(tmp_path, [page])
    write_lists(tmp_path, ["b00000"])
    rare_words.write(tmp_path, tmp_path / "words.tsv")
    rows = measured.read(tmp_path / "words.tsv", Occurring)
    assert [(row.expression, row.hits) for row in rows] == [
        ("nascent", 1),
        ("effort", 3),
        ("unbridled", 1),
        ("hedonism", 1),
        ("nascent effort", 1),
        ("unbridled hedonism", 0),
    ]
    assert {row.tokens for row in rows} == {12}

"""Rules on single blocks: what C4 does with lines, and what becomes of documents."""

from itertools import product
from pathlib import Path

from support.batch_fixture import Block, Page, write_batch

from corpusprep import languages
from corpusprep.corpus.documents import corpus_documents
from corpusprep.quality.documents import write_quality
from corpusprep.quality.rules import Rule, rules
from corpusprep.statistics.joined_verdicts import in_corpus, parts
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.reading import read_table

SENTENCES = (
    "This is the first sentence.",
    "This is another one!",
    "Is this the third?",
    'He said "no."',
    "It's like that.",
)
C4 = [rule for rule in rules(["c4"], {}, {}, "") if rule.of_blocks]


def written(folder: Path, texts: list[str], applied: list[Rule]) -> BatchFiles:
    """A batch of a page with these blocks, after `quality`."""
    files = write_batch(folder, [Page(tuple(map(Block, texts)))])
    write_quality(files, languages.get("en"), applied)
    return files


def c4_keeps(line: str) -> bool:
    """Whether C4 keeps a line, plainly."""
    for mark in ("[1]", "[23]", "[]", "[edit]", "[citation needed]"):
        line = line.replace(mark, "")
    named = ("javascript", "terms of use", "privacy policy", "uses cookies", "use of cookies", "use cookies")
    return (
        line.endswith((".", "?", "!", '"', "'"))
        and not line.endswith("...")
        and not any(name in line.lower() for name in (*named, "cookie policy"))
    )


PIECES = [
    "One",
    "two",
    "a.",
    "b...",
    "c!",
    "[1]",
    "[23]",
    "[edit]",
    "JavaScript",
    "terms of use",
    "ß",
    '"',
    "[x].",
    "語。",
]


def test_c4_keeps_lines_that_end_as_sentences(tmp_path: Path) -> None:
    """And name no scripts and policies; the others are named, with the first rule that they break."""
    texts = list(map(" ".join, product(PIECES, repeat=3)))
    files = written(tmp_path, texts, C4)
    row = read_table(files.quality, schemas.QUALITY).row(0, named=True)
    numbers = read_table(files.blocks, schemas.BLOCKS)["block"].to_list()
    out = dict(zip(row["left_out"], row["left_out_by"], strict=True))
    assert [text for number, text in zip(numbers, texts, strict=True) if number not in out] == list(
        filter(c4_keeps, texts)
    )
    assert set(out.values()) == {"block_sentence_end", "block_policies"}


def test_the_preset_has_the_rules_on_lines(tmp_path: Path) -> None:
    """Too short lines and too long words go; what stays is in the corpus, and counted."""
    texts = [*SENTENCES, "Two words.", "a menu without an end", f"A {'x' * 1001} here.", "We use cookies for all."]
    files = written(tmp_path, texts, rules(["c4"], {}, {}, ""))
    (document,) = corpus_documents(files)
    assert document.values["text"].split("\n") == list(SENTENCES)
    (part,) = parts(files)
    assert part.blocks.filter(in_corpus())["text"].to_list() == list(SENTENCES)
    assert part.blocks["quality"].to_list()[len(SENTENCES) :] == [
        "block_words",
        "block_sentence_end",
        "block_longest_word",
        "block_policies",
    ]


def test_a_document_without_a_block_goes(tmp_path: Path) -> None:
    """Its verdict says so; one that a rule on documents removes loses no single blocks."""
    texts = ["HOME", "CONTACT 12", "HOME"]
    applied = rules([], {}, {}, "", blocks={"most": {"capitals": 0.5, "repeats": 0}})
    files = written(tmp_path, texts, applied)
    assert not list(corpus_documents(files))
    (part,) = parts(files)
    assert set(part.blocks["quality"]) == set(part.documents["quality"]) == {"emptied"}
    files = written(tmp_path / "words", texts, [*rules([], {"words": 9}, {}, ""), *applied])
    row = read_table(files.quality, schemas.QUALITY).row(0, named=True)
    assert (row["verdict"], row["left_out"]) == ("words", [])


def test_signals_of_blocks(tmp_path: Path) -> None:
    """Each rule removes its own block."""
    texts = ["Running text of a page.", "MOSTLY CAPITALS", "12 345 6", "Running text of a page.", "a+b=c; {d|e}<>"]
    for condition, verdict_of in (
        ("capitals < 0.5", {1}),
        ("digits < 0.5", {2}),
        ("letters > 0.3", {2}),
        ("repeats == 0", {3}),
    ):
        files = written(tmp_path / condition, texts, rules([], {}, {}, "", blocks={"expression": condition}))
        row = read_table(files.quality, schemas.QUALITY).row(0, named=True)
        numbers = read_table(files.blocks, schemas.BLOCKS)["block"].to_list()
        assert {numbers.index(number) for number in row["left_out"]} == verdict_of
        assert set(row["left_out_by"]) == {"block_expression"}

"""What other corpora have is left out: n-grams, blocks, documents, and the files that corpora are given as."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st
from support.batch_fixture import Block, Page, batch_files, write_pages

from corpusprep import languages
from corpusprep._native import ngrams as native
from corpusprep.dedup.known_text import KnownSettings, KnownText, files_of, ngram_keys, without_known, write_known
from corpusprep.dedup.ngram_keys import NgramKeys
from corpusprep.errors import ArchiveError, StageFileError
from corpusprep.tables import schemas
from corpusprep.tables.reading import read_table

MEMORY = 4_000_000_000  # the process of the tests counts, too
SETTINGS = KnownSettings("en", n=3, exclude_stopwords=False)
WORDS = st.lists(st.sampled_from("abcde"), max_size=12)


def known(folder: Path, texts: list[str], settings: KnownSettings = SETTINGS) -> KnownText:
    """What is known of a corpus with these documents, whose blocks are lines."""
    folder.mkdir(exist_ok=True)
    path = folder / "other.jsonl"
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts), encoding="utf-8")
    write_known([str(path)], settings, folder / "known.keys", folder / "settings.json", MEMORY)
    return KnownText.open(folder / "known.keys", folder / "settings.json")


@given(st.lists(st.sampled_from(["a", "b", "ž", "long"]), max_size=12), st.integers(1, 5))
def test_keys_are_those_of_the_kernels(words: list[str], n: int) -> None:
    """At each place."""
    keys = ngram_keys(np.array([native.word_key(word.encode()) for word in words], np.uint64), n)
    places = range(len(words) - n + 1)
    assert keys.tolist() == [native.ngram_key([word.encode() for word in words[place : place + n]]) for place in places]


@settings(max_examples=60, deadline=None)
@given(st.lists(WORDS, min_size=1, max_size=4), st.lists(WORDS, min_size=1, max_size=4), st.sampled_from([0.3, 0.5, 1]))
def test_blocks_are_known_by_their_share(
    tmp_path_factory: pytest.TempPathFactory, others: list[list[str]], blocks: list[list[str]], threshold: float
) -> None:
    """Of tokens that n-grams of the other corpus cover, also across blocks; in plain Python."""
    other = "\n".join(" ".join(words) for words in others) or "-"
    given = KnownSettings("en", n=3, exclude_stopwords=False, threshold=threshold)
    joined = [word for words in others for word in words]
    ngrams = {tuple(joined[place : place + 3]) for place in range(len(joined) - 2)}
    own = [(number, word) for number, words in enumerate(blocks) for word in words]
    covered: set[int] = set()
    for place in range(len(own) - 2):
        if tuple(word for _, word in own[place : place + 3]) in ngrams:
            covered |= {place, place + 1, place + 2}
    shares = [(sum(own[place][0] == number for place in covered), len(words)) for number, words in enumerate(blocks)]
    found = known(tmp_path_factory.mktemp("known"), [other], given).known([" ".join(words) for words in blocks])
    assert found == [part > 0 and part >= threshold * whole for part, whole in shares]


@pytest.mark.parametrize(
    ("unit", "found"), [("block", [True, False]), ("document", [True, True]), ("both", [True, True])]
)
def test_units(unit: str, found: list[bool], tmp_path: Path) -> None:
    """A document is known by the share of all its tokens."""
    given = KnownSettings("en", n=3, exclude_stopwords=False, unit=unit)
    of_other = known(tmp_path, ["one two three four five six"], given)
    assert of_other.known(["one two three four five six", "own own words"]) == found
    assert of_other.known(["one two three", "own words of any other kind here"]) == [unit != "document", False]


def test_what_is_known_is_left_out(tmp_path: Path) -> None:
    """Blocks with those that are left out already, and documents of which nothing is left."""
    pages = [
        Page((Block("Own text of this page."), Block("The same text stands here, too."), Block("bad", label="bad"))),
        Page((Block("The same text stands here, too."),)),
        Page((Block("The same text stands here, too."),), language="rival_language"),
        Page((Block("Own text."),)),
    ]
    files = write_pages(tmp_path, pages)
    table = read_table(files.language, schemas.LANGUAGE)
    again = without_known(table, files.boilerplate, known(tmp_path / "o", ["The same text stands here, too."]))
    assert again.schema == schemas.LANGUAGE
    assert again["verdict"].to_list() == ["kept", "against", "rival_language", "kept"]
    assert again["left_out"].to_list() == [[1], [], None, []]
    assert again["against"].to_list() == [[1], [], None, []]
    assert again.drop("verdict", "left_out", "against").equals(table.drop("verdict", "left_out", "against"))


TEXT = "One two three four.\nFive six seven eight."


@pytest.mark.parametrize("form", ["jsonl", "parquet", "vert", "txt", "txt.zst", "folder"])
def test_forms_of_other_corpora(form: str, tmp_path: Path) -> None:
    """All give the same n-grams: files, also compressed, and folders of results."""
    path = tmp_path / f"o.{form}"
    lines = "".join(f"<p>\n{line.replace('.', ' .').replace(' ', chr(10))}\n</p>\n" for line in TEXT.split("\n"))
    vertical = f"<doc>\n{lines}</doc>\n".encode()
    if form == "jsonl":
        path.write_text(json.dumps({"text": TEXT}), encoding="utf-8")
    elif form == "parquet":
        pl.DataFrame({"text": [TEXT]}).write_parquet(path)
    elif form == "vert":
        path.write_bytes(vertical)
    elif form.startswith("txt"):
        path.write_bytes(zstandard.compress(TEXT.encode()) if form.endswith("zst") else TEXT.encode())
    else:
        from corpusprep.archive.batches import Batch, write_batches
        from corpusprep.tables.batch_files import corpus_file

        write_batches([Batch("b00000", (Path("a.warc.gz"),), (1,))], corpus_file(path, "plan"))
        written = batch_files(path).corpus_vertical
        written.parent.mkdir()
        written.write_bytes(zstandard.compress(vertical))
    write_known([str(path)], SETTINGS, tmp_path / "k", tmp_path / "s", MEMORY)
    keys = NgramKeys.open(tmp_path / "k")
    words = "One two three four Five six seven eight".split()
    expected = {native.ngram_key([word.encode() for word in words[place : place + 3]]) for place in range(6)}
    assert keys.keys.tolist() == sorted(expected)


def test_what_is_no_corpus_is_named(tmp_path: Path) -> None:
    """So is a damaged one."""
    (tmp_path / "a.html").write_text("<!DOCTYPE html><p>x", encoding="utf-8")
    (tmp_path / "b.jsonl").write_text('{"text": "x"}\n{"text": \n', encoding="utf-8")
    (tmp_path / "c.txt").write_bytes(b"caf\xe9")
    for name, message in (("a.html", "no corpus"), ("b.jsonl", "damaged at byte 14"), ("c.txt", "not UTF-8")):
        with pytest.raises(ArchiveError, match=message):
            write_known([str(tmp_path / name)], SETTINGS, tmp_path / "k", tmp_path / "s", MEMORY)
    with pytest.raises(ArchiveError, match="no archive matches"):
        files_of([str(tmp_path / "none")])
    with pytest.raises(StageFileError, match="run `corpusprep step against` first"):
        KnownText.open(tmp_path / "k", tmp_path / "s")


def test_stop_words_and_punctuation_do_not_count(tmp_path: Path) -> None:
    """As in the n-grams of the corpus itself."""
    given = KnownSettings("en", n=3)
    assert "the" in languages.get("en").stop_words
    assert known(tmp_path, ["Castles, rivers: mountains"], given).known(["The castles rivers (the mountains)"]) == [
        False
    ]
    assert known(tmp_path, ["castles, rivers: mountains"], given).known(["The castles rivers (the mountains)"]) == [
        True
    ]

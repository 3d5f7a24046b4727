"""Texts in a language without a model, and the model that is made from them."""

import random
from pathlib import Path

import polars as pl
import pytest
from support.archives import warc_record

from corpusprep import languages
from corpusprep.config.settings import default_page_rules
from corpusprep.encoding.pages import read_archives
from corpusprep.extraction import language_texts
from corpusprep.extraction.language_texts import find_texts, learn
from corpusprep.languages import making
from corpusprep.languages.filtering import Judged
from corpusprep.tables import schemas
from corpusprep.tables.writing import write_table

WORDS = [
    f"{first}{second}" for first in "ja ku ta põ sü mõ le va ri no".split() for second in "a da ni le ks t sid".split()
]
#: Pages of the crawl, of which two in three are in the language; a page has up to 900 words.
PAGES = 30


class Judge:
    """Keeps texts that do not say `the`."""

    def __call__(self, text: str) -> Judged:
        """Judges a text."""
        return Judged(1.0, None, None, "rival_language" if " the " in text else "kept")

    def is_foreign(self, text: str) -> bool:
        """Is not asked."""
        raise AssertionError


def page(number: int) -> bytes:
    """A page of made words: every third one in English."""
    chosen = random.Random(number)
    words = chosen.choices(WORDS, range(len(WORDS), 0, -1), k=300 * (1 + number % 3))
    if number % 3 == 0:
        words[5:6] = ["the"]
    lines = (" ".join(words[start : start + 30]).capitalize() + "." for start in range(0, len(words), 30))
    return f"<html><body><nav><a href=/>Home</a></nav>{''.join(f'<p>{line}</p>' for line in lines)}".encode()


def tables(folder: Path, order: list[int], size: int, most: int) -> list[Path]:
    """The texts of the pages in this order, in archives of so many pages, a batch each."""
    folder.mkdir()
    written = []
    for start in range(0, len(order), size):
        records = [warc_record(f"http://a.example/{number}", page(number)) for number in order[start : start + size]]
        archive = folder / f"{start}.warc.gz"
        archive.write_bytes(b"".join([*records, records[0]]))  # a page that was crawled twice
        encoding = read_archives("b", [archive], languages.get("any"), default_page_rules(), "detected")
        written.append(folder / f"{start}.parquet")
        write_table(find_texts(encoding, Judge(), most), schemas.LANGUAGE_TEXTS, written[-1])
    return written


@pytest.fixture(autouse=True)
def few_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compares the language with English only, which takes a second less per language."""
    monkeypatch.setattr(making, "known", lambda: ["en"])


def test_the_model_does_not_depend_on_the_order_and_the_batches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same pages, so the same bytes; also if few pages are looked at first."""
    monkeypatch.setattr(language_texts, "FIRST_LOOK", 1)
    orders = [list(range(PAGES)), random.Random(1).sample(range(PAGES), PAGES)]
    made = []
    for number, (order, size) in enumerate(((orders[0], PAGES), (orders[1], 7), (orders[1][::-1], 1))):
        learned = learn(tables(tmp_path / str(number), order, size, 12), "qaa", 12, "a judge")
        languages.save(learned, tmp_path / f"{number}.model")
        made.append((tmp_path / f"{number}.model").read_bytes())
    assert made[0] == made[1] == made[2]
    model = languages.load(tmp_path / "0.model")
    assert model.origin.startswith("12 pages of a crawl in qaa, as a judge names it, ")
    assert set(model.stop_list) < set(WORDS)
    assert model.threshold > 0


def test_texts_are_those_with_the_lowest_digests_that_are_kept(tmp_path: Path) -> None:
    """Each once; none in another language."""
    (path,) = tables(tmp_path / "one", list(range(PAGES)), PAGES, PAGES)
    found = pl.read_parquet(path)
    assert sorted(int(url.rpartition("/")[2]) for url in found["url"]) == [n for n in range(PAGES) if n % 3]
    assert found["digest"].is_sorted()
    assert not found["text"].str.contains("Home").any()
    (few,) = tables(tmp_path / "few", list(range(PAGES)), PAGES, 5)
    assert pl.read_parquet(few).equals(found[:5])


def test_too_little_text_gives_a_model_without_words(tmp_path: Path) -> None:
    """It says why; no page at all is no mistake either."""
    model = learn(tables(tmp_path / "few", [1, 2], 2, 9), "qaa", 9, "a judge")
    assert (model.code, model.stop_list, model.threshold) == ("qaa", (), 0.0)
    assert model.origin.startswith(
        "no model from 2 pages of a crawl in qaa, as a judge names it: the sample for qaa is too"
    )
    assert not learn(tables(tmp_path / "none", [0, 3], 2, 9), "qaa", 9, "a judge").stop_list
    languages.save(model, tmp_path / "few.model")
    assert languages.load(tmp_path / "few.model").origin == model.origin

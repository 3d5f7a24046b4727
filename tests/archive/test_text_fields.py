"""What fields of inputs say of a text travels to the tables of pages; a corpus of this package says the same again."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from support.batch_fixture import Page, write_batch

from corpusprep import languages
from corpusprep.archive import text_fields
from corpusprep.cleaners.justext import JusText
from corpusprep.config.settings import default_page_rules
from corpusprep.corpus.formats import output_formats
from corpusprep.corpus.writing import write_corpus
from corpusprep.encoding.pages import read_archives
from corpusprep.extraction.page_languages import OneLanguage
from corpusprep.extraction.page_stage import PageOptions, classify_batch
from corpusprep.tables import schemas
from corpusprep.tables.writing import TableWriter, write_table

FIELDS = {
    "text": "Some text.",
    "url": "https://own.example/2019/05/06/x",
    "date": 1714521600,
    "author": ["Ann Doe", "Bo Ek"],
    "published": "2020-01-02T03:04:05Z",
    "license": "https://creativecommons.org/licenses/by/4.0/",
    "rights": "noai@meta",
    "genre": "letter",
    "Year of birth": 1950,
    "empty": None,
}
SAID = {
    "published": "2020-01-02T03:04:05Z",
    "author": "Ann Doe; Bo Ek",
    "licence": "https://creativecommons.org/licenses/by/4.0/",
    "rights": "noai@meta",
    "sources": "published=input author=input licence=input",
    "meta": '{"genre": "letter", "year of birth": "1950"}',
}


def pages_of(path: Path, *refuse: str) -> list[dict[str, Any]]:
    """The rows of the table of pages of an input, and the crawl dates."""
    table = read_archives("b", [path], languages.get("en"), default_page_rules(), "detected")
    write_table(table, schemas.ENCODING, path.with_suffix(".encoding"))
    with TableWriter(path.with_suffix(".blocks"), schemas.BOILERPLATE) as blocks:
        options = PageOptions(JusText(), refuse=refuse)
        pages = classify_batch(path.with_suffix(".encoding"), OneLanguage(languages.get("en")), options, blocks)
    return pages.join(table.select("record", "date"), on="record").to_dicts()


def write_vertical(path: Path) -> None:
    """A vertical with the fields as attributes, one of them without quotation marks."""
    attributes = {
        name.replace(" ", "_"): "; ".join(value) if isinstance(value, list) else value
        for name, value in FIELDS.items()
        if name not in ("text", "genre", "empty")
    }
    written = " ".join(f'{name}="{value}"' for name, value in attributes.items())
    path.write_text(f"<doc {written} genre=letter>\n<p>\nSome\ntext\n.\n</p>\n</doc>\n", encoding="utf-8")


@pytest.mark.parametrize("form", ["jsonl", "parquet", "vert"])
def test_all_fields_of_an_input_travel(form: str, tmp_path: Path) -> None:
    """Also own ones; numbers are dates since 1970."""
    path = tmp_path / f"x.{form}"
    if form == "jsonl":
        path.write_text(json.dumps(FIELDS) + "\n", encoding="utf-8")
    elif form == "parquet":
        pl.DataFrame([FIELDS]).write_parquet(path)
    else:
        write_vertical(path)
    [page] = pages_of(path)
    expected = SAID | ({"meta": '{"genre": "letter", "year_of_birth": "1950"}'} if form == "vert" else {})
    assert {name: page[name] for name in SAID} == expected
    assert page["date"] == "2024-05-01T00:00:00Z"


@pytest.mark.parametrize(
    ("said", "published"),
    [
        (1925, "1925"),
        ("1925-03", "1925-03"),
        ("1925-03-01", "1925-03-01"),
        (1714521600, "2024-05-01T00:00:00Z"),
        ("soon", ""),
    ],
)
def test_books_have_years(said: object, published: str, tmp_path: Path) -> None:
    """A field of an input may say the year or month alone, also before there was a Web."""
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps({"text": "Some text.", "published": said}) + "\n", encoding="utf-8")
    [page] = pages_of(path)
    assert page["published"] == published


def test_marks_of_rights_are_refused(tmp_path: Path) -> None:
    """Only the verdict and the marks are stored."""
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps(FIELDS) + "\n", encoding="utf-8")
    [page] = pages_of(path, "noai")
    assert (page["verdict"], page["rights"], page["author"], page["meta"]) == ("rights", "noai@meta", "", "")


@pytest.mark.parametrize(
    ("fields", "rights"),
    [
        ({"rights": "noai noindex@header"}, "noai@input noindex@header"),
        ({"robots": "NOINDEX, follow"}, "noindex@input"),
        ({"robotstxt": "disallowed"}, "disallow@robots.txt"),
        ({"rights": "noai@meta allow@robots.txt"}, "noai@meta allow@robots.txt"),
        ({"tdm-reservation": 1}, "tdm-reservation@input"),
        ({"rights": "CC BY 4.0"}, ""),
    ],
)
def test_marks_of_rights(fields: dict[str, Any], rights: str) -> None:
    """As inputs write them; what is no mark stays an own field."""
    said = json.loads(text_fields.said(fields, ()))
    assert said.get("rights", "") == rights
    assert bool(rights) != ("meta" in said)


@pytest.mark.parametrize("form", ["jsonl", "parquet", "vertical"])
def test_a_corpus_says_the_same_when_it_is_read_again(form: str, tmp_path: Path) -> None:
    """What was computed (words, archive, scores) is computed again."""
    said = {name: value for name, value in SAID.items() if name not in ("sources", "meta")}
    own = json.dumps({"genre": "letter", "year": "1950"})
    page = Page(said=said | {"sources": "published=json-ld author=meta", "meta": own})
    files = write_batch(tmp_path, [page])
    path = tmp_path / "corpus" / f"x.{output_formats()[form].suffix}"
    write_corpus(files, {form: path})
    [again] = pages_of(path)
    assert {name: again[name] for name in said} == said
    assert (again["sources"], again["meta"]) == ("published=json-ld author=meta", own)


def test_what_is_too_long_is_cut() -> None:
    """The line of a document in a vertical has room for it."""
    fields = {f"n{number:03}": "<" * 5000 for number in range(100)} | {"author": "x" * 5000}
    said = json.loads(text_fields.said(fields, ()))
    assert len(said["author"]) == text_fields.LONGEST_VALUE
    assert list(said["meta"]) == ["n000"]


@pytest.mark.parametrize(
    ("value", "date"),
    [
        ("1714521600", "2024-05-01T00:00:00Z"),
        ("1714521600.25", "2024-05-01T00:00:00Z"),
        ("1714521600123", "2024-05-01T00:00:00Z"),
        ("1714521600123456", "2024-05-01T00:00:00Z"),
        ("20240501", "2024-05-01T00:00:00Z"),
        ("20240501123456", "2024-05-01T12:34:56Z"),
        ("99999999999999999999", ""),
        ("9999999999", "2286-11-20T17:46:39Z"),
        ("Wed, 01 May 2024 12:34:56 GMT", "2024-05-01T12:34:56Z"),
        ("1 May 2024 12:34:56 +0200", "2024-05-01T10:34:56Z"),
        ("soon", ""),
    ],
)
def test_dates(value: str, date: str) -> None:
    """Numbers since 1970 by their digits; others as archives write them."""
    assert text_fields.date_of(value) == date

"""Models that are learned from a crawl beside the built-in ones."""

from pathlib import Path

import polars as pl

from corpusprep import languages
from corpusprep.languages import making
from corpusprep.tables import schemas
from studies.languages import learned

WORDS = ["most", "který", "spojuje", "oba", "břehy", "řeky", "je", "po", "dlouhé", "době", "zase", "otevřený"]


def test_a_language_is_learned_as_if_it_were_unknown(monkeypatch) -> None:
    """The model knows neither the words nor the rules of the built-in one; afterwards, the language is known again."""
    monkeypatch.setattr(languages, "known", lambda: ["cs", "en"])
    text = "\n".join(" ".join(WORDS[start % 12 :] + WORDS[: start // 12]) for start in range(1, 900))
    texts = pl.DataFrame([("0" * 32, "", 9000, text)], schema=schemas.LANGUAGE_TEXTS.to_frame().schema, orient="row")
    model = learned._learned("cs", texts)
    assert set(model.stop_list) <= set(WORDS)
    assert "1 pages of a crawl in cs" in model.origin
    assert not model.abbreviations
    assert making.find("cs") is not None


def test_parts_are_by_digest() -> None:
    """All four parts, by the last digit."""
    assert [learned._part(digest) for digest in ("a0", "a1", "02", "0f", "04")] == [0, 1, 2, 3, 0]


def test_a_missing_identifier_is_said(evaluation_data: Path, monkeypatch) -> None:
    """In the place of the rows, as for other tools."""
    monkeypatch.setattr(learned, "_IDENTIFIER", "no_such_package")
    (row,) = learned.rows(evaluation_data)
    assert row[1] == "not measured: not installed"
    assert len(row) == len(learned.COLUMNS)

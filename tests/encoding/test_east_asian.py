"""Double-byte encodings of East Asia, without a language and without a declaration."""

import pytest
from support import sentences

from corpusprep import extract
from corpusprep.encoding import charsets
from corpusprep.encoding.detection import detect_any
from corpusprep.encoding.east_asian import east_asian

TAIWAN = "這個城市的中央圖書館昨天重新開放，許多居民帶著孩子來看書，並且參加下午舉行的活動。"
TEXTS = [
    (sentences.CHINESE, "gbk"),
    (TAIWAN, "big5"),
    (sentences.JAPANESE, "euc-jp"),
    (sentences.JAPANESE, "shift_jis"),
    (sentences.KOREAN, "euc-kr"),
]
OTHERS = [
    (sentences.RUSSIAN, ("windows-1251", "koi8-r", "ibm866", "iso-8859-5")),
    (sentences.GREEK, ("windows-1253", "iso-8859-7")),
    (sentences.CZECH, ("windows-1250", "iso-8859-2")),
    (sentences.GERMAN, ("windows-1252",)),
    (sentences.PERSIAN.replace("ی", "ي").replace("ک", "ك"), ("windows-1256",)),
    (sentences.SERBIAN_CYRILLIC, ("windows-1251",)),
]


@pytest.mark.parametrize(("text", "encoding"), TEXTS, ids=[encoding for _, encoding in TEXTS])
def test_text_is_recognised(text: str, encoding: str) -> None:
    """Four lines, and each line alone, between tags, and with half a character at the end."""
    for part in (text, *text.splitlines()):
        page = b"<p lang=x>" + charsets.encode(part, encoding)
        assert east_asian(page) == detect_any(page) == encoding
    assert east_asian(charsets.encode(text, encoding)[:-1]) == encoding


@pytest.mark.parametrize(("text", "encodings"), OTHERS)
def test_text_in_other_encodings_is_not(text: str, encodings: tuple[str, ...]) -> None:
    """Their words have any number of letters."""
    for encoding in encodings:
        for part in (text, text.replace(" ", ""), *text.splitlines()):
            assert east_asian(charsets.encode(part, encoding)) is None


@pytest.mark.parametrize("page", [b"", b"<p>", b"\xff" * 1000, b"\xb0\xa1 \xb0\xa1", bytes(range(256)) * 100])
def test_without_evidence_it_is_none(page: bytes) -> None:
    """Few characters, or bytes that are none."""
    assert east_asian(page) is None


def test_a_page_is_decoded_by_its_late_declaration() -> None:
    """Behind 5 kB of styles, in a text too short to be recognised."""
    page = "<style>" + ".a{color:red}\n" * 400 + "</style><meta charset=gb2312><h1>新闻</h1>"
    assert [block.text for block in extract(page.encode("gbk"))] == ["新闻"]


@pytest.mark.parametrize("language", [None, "en"])
def test_nul_leaves_no_trace(language: str | None) -> None:
    """Browsers leave it out; the parser would make U+FFFD of it."""
    text = "The ferry is back on the river, and it is full of people who want to cross to the other side."
    page = f"<p>{text}</p>\0<p>{text}</p>\0".replace("back", "ba\0ck")
    for given in (page, page.encode()):
        assert [block.text for block in extract(given, language)] == [text, text]

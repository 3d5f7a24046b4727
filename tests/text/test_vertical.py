"""Writing and reading the structure lines of a vertical."""

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from corpusprep.errors import StageFileError
from corpusprep.io import files
from corpusprep.text import vertical
from corpusprep.text.tokenizer import escape_token
from corpusprep.text.vertical import LONGEST_VALUE, DocumentAttributes, VerticalDocument, clean_value

PLAIN = DocumentAttributes(
    id="0" * 16,
    url="http://a.example/",
    host="a.example",
    date="2020-01-01T00:00:00Z",
    archive="a.warc.gz",
    offset=123,
    record_id="urn:uuid:1",
    lang="en",
    encoding="utf-8",
    language_score=0.5,
    title="A title",
)
hostile = st.text(st.one_of(st.sampled_from("\"'<>&=;/ \n\r\t\0\x0b\x85\u2028\ufffe lt amp quot"), st.characters()))


def compressed(path: Path, text: str | bytes) -> Path:
    """Writes a vertical file with that text."""
    with files.zstd_writer(path) as stream:
        stream.write(text.encode() if isinstance(text, str) else text)
    return path


def visible(value: str) -> str:
    """Returns the expected content of an attribute."""
    spaced = re.sub("[\t\n\v\f\r\x1c-\x1f\x85\u2028\u2029]", " ", value)
    return re.sub("[\0-\x08\x0e-\x1b\x7f-\x9f\ud800-\udfff\ufffe\uffff]", "", spaced)


@given(hostile, hostile)
def test_attributes_are_restored(url: str, title: str) -> None:
    """An XML parser and `attributes` restore each value, without control characters."""
    line = PLAIN._replace(url=url, title=title).line().decode()
    parsed = ElementTree.fromstring(line + "</doc>").attrib
    assert parsed == vertical.attributes(line)
    assert parsed["url"] == visible(url)
    assert parsed["title"] == visible(title)


@given(hostile)
def test_a_structure_is_one_line(title: str) -> None:
    """A document starts with one line, whatever its title contains."""
    line = PLAIN._replace(title=title).line().decode()
    assert line.splitlines(keepends=True) == [line]
    assert re.fullmatch(r'<doc( [a-z_]+="[^"<>]*"){11}>\n', line)


def test_attributes_are_in_order() -> None:
    """The attributes and their order are always the same; the score has four decimals."""
    assert PLAIN._replace(language_score=2 / 3).line() == (
        b'<doc id="0000000000000000" url="http://a.example/" host="a.example" date="2020-01-01T00:00:00Z"'
        b' archive="a.warc.gz" offset="123" record_id="urn:uuid:1" lang="en"'
        b' encoding="utf-8" language_score="0.6667" title="A title">\n'
    )


DOCUMENTS = [
    VerticalDocument(0, PLAIN.line(), [b'<p heading="1">\nOne\n</p>\n', b'<p heading="0">\n<\n<g/>\n/\n>\n</p>\n']),
    VerticalDocument(1, b"<doc>\n", []),
    VerticalDocument(2, b'<doc id="x" genre="blog">\n', [b"<p>\n<s>\nTwo\tNUM\t2\n</s>\n</p>\n", b"<p>\n</p>\n"]),
]


def test_attributes_of_a_long_line_are_read_in_linear_time() -> None:
    """A name without a value, and names that end within others."""
    line = f'<doc {"a" * 1_000_000} b="1" {"c.d:" * 10_000}e="2">'
    assert vertical.attributes(line) == {"b": "1", "c.d:" * 10_000 + "e": "2"}


@pytest.mark.parametrize("chunk", [1, 7, 1 << 20])
@pytest.mark.parametrize("end", ["\n", "", "\n\n"])
def test_documents_are_restored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int, end: str) -> None:
    """Documents and blocks are read as written, with a tagger's additions, for any size of chunks and frames."""
    text = b"".join(d.start + b"".join(d.blocks) + vertical.DOCUMENT_END for d in DOCUMENTS).decode()
    stored = (text.removesuffix("\n") + end).encode()
    frames = [zstandard.compress(stored[start : start + chunk]) for start in range(0, len(stored), chunk)]
    path = tmp_path / "b.vert.zst"
    path.write_bytes(b"".join(frames))
    monkeypatch.setattr(files, "ZSTD_PIECE", chunk)
    assert list(vertical.read_documents(path)) == DOCUMENTS
    assert DOCUMENTS[2].attributes == {"id": "x", "genre": "blog"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<doc>\n<p>\na\n</p>\n</doc>\n<doc>\n<p>\nb\n", "document 1: no </doc>"),
        ("<doc>\n<p>\na\n</doc>\n", "document 0: </doc> inside <p>"),
        ("<doc>\n<p>\n<p>\na\n</p>\n</doc>\n", "document 0: <p> inside <p>"),
        ("<doc>\n</p>\n</doc>\n", "document 0: </p> outside <p>"),
        ("<doc>\n<doc>\n</doc>\n", "document 0: a second <doc>"),
        ("<doc>\n<p>\n</p>\nlost\n</doc>\n", "document 0: a line outside <p>"),
        ("<doc>\nlost\n</doc>\n", "document 0: a line outside <p>"),
    ],
)
def test_broken_structure_is_named(tmp_path: Path, text: str, message: str) -> None:
    """Broken structure lines are an error that names the file and the document."""
    path = compressed(tmp_path / "b.vert.zst", text)
    with pytest.raises(StageFileError, match=re.escape(f"b.vert.zst: {message}")):
        list(vertical.read_documents(path))


def broken(path: Path, how: str) -> Path:
    """Writes a vertical of two frames with the named defect."""
    document = zstandard.ZstdCompressor(write_checksum=True).compress(b"<doc>\n<p>\na\n</p>\n</doc>\n")
    wrong = {
        "cut short": document + document[:-5],
        "not compressed": b"<doc>\n</doc>\n",
        "wrong checksum": document + document[:-1] + b"?",
        "more behind it": document + b"<doc>",
    }
    if how in wrong:
        path.write_bytes(wrong[how])
    return path


@pytest.mark.parametrize("how", ["missing", "cut short", "not compressed", "wrong checksum", "more behind it"])
def test_a_damaged_file_is_named(tmp_path: Path, how: str) -> None:
    """A vertical that cannot be read completely is an error that names the file."""
    with pytest.raises(StageFileError, match=re.escape("b.vert.zst")):
        list(vertical.read_documents(broken(tmp_path / "b.vert.zst", how)))


@pytest.mark.parametrize(
    ("value", "cleaned"),
    [
        ("A\ttitle\r\n of  two\u2028lines ", "A title of two lines"),
        ("\ufeffsafe\u202egpj.exe\u2066\u200b", "safegpj.exe"),
        ("C:\\temp\\", "C:\\temp"),
        ("a\x00b\x9f\ud800", "ab"),
        ("می\u200cرود", "می\u200cرود"),
    ],
)
def test_values_are_cleaned(value: str, cleaned: str) -> None:
    """Line breaks, directional marks and other characters that nobody sees are not in attributes."""
    assert clean_value(value) == (cleaned, False)


@pytest.mark.parametrize("character", ["x", "é", "日", "\U0001f600", '"'])
def test_values_are_bounded(character: str) -> None:
    """A value has at most 2,048 bytes, cut between characters; a document's line fits the line that CWB reads."""
    fitting = character * (LONGEST_VALUE // len(character.encode()))
    assert clean_value(fitting) == (fitting, False)
    assert clean_value(fitting + character) == (fitting, True)
    row = dict.fromkeys(("url", "host", "archive", "record_id", "title"), 290_000 * character)
    row |= {"date": "2020-01-01T00:00:00Z", "lang": "en", "encoding": "utf-8"}
    attributes, cut = DocumentAttributes.of("0" * 16, {**row, "offset": 2**62, "language_score": 1.0})
    assert cut == 5
    assert len(attributes.line()) < 65_536


@given(st.text())
def test_tokens_are_restored(token: str) -> None:
    """Escaping is undone; an escaped token begins no structure."""
    escaped = escape_token(token)
    assert vertical.unescape(escaped) == token
    assert not set("<>") & set(escaped)


def test_what_other_tools_leave_unescaped_stays() -> None:
    """An ampersand that begins no entity of XML stands for itself."""
    assert vertical.unescape("AT&T &nbsp; &apos;&quot;&amp;lt;") == "AT&T &nbsp; '\"&lt;"

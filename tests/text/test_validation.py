"""A validator for verticals: what CWB and Manatee would read in another way is a problem."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.batch_fixture import Block, Page, write_batch

from corpusprep.corpus.formats import output_formats
from corpusprep.corpus.writing import write_corpus
from corpusprep.io.files import zstd_writer
from corpusprep.text.validation import problems

GOOD = '<doc id="1">\n<p heading="0" block="0">\na\n<g/>\n&lt;\nAT&amp;T\n</p>\n</doc>\n'


def faults(path: Path, text: str | bytes) -> list[str]:
    """The problems of a vertical with this text, without the name of the file."""
    with zstd_writer(path) as stream:
        stream.write(text.encode() if isinstance(text, str) else text)
    return [problem.removeprefix(f"{path}: ") for problem in problems(path)]


def test_a_vertical_without_problems(tmp_path: Path) -> None:
    """Also with what a tagger adds."""
    assert faults(tmp_path / "b.vert.zst", GOOD) == []
    tagged = '<doc id="1" genre="x">\n<p>\n<s>\na\tDT\tthe\n</s>\n</p>\n<p>\n</p>\n</doc>\n'
    assert faults(tmp_path / "b.vert.zst", tagged) == []


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("&lt;", "<", "line 5: neither a structure nor an escaped token"),
        ("&lt;", "a>b", "line 5: <, > or & is not escaped"),
        ("AT&amp;T", "AT&T", "line 6: <, > or & is not escaped"),
        ("AT&amp;T", "\u200b", "line 6: a token that nobody sees"),
        ("AT&amp;T", "\ue001\u200e", "line 6: a token that nobody sees"),
        ("AT&amp;T", "A T", "line 6: white space in a token"),
        ("AT&amp;T", "", "line 6: an empty line"),
        ("AT&amp;T", "a\tb", "line 6: 2 columns instead of 1"),
        ("AT&amp;T", "x" * 5000, "line 6: a token of more than 4,095 bytes, which CWB cuts"),
        ("AT&amp;T\n", "<g/>\n", "line 7: <g/> is not followed by a token"),
        ("\na\n", "\n", "line 3: <g/> does not stand between two tokens of a <p>"),
        ("</p>\n", "", "line 7: </doc> closes nothing, or comes before the end of another structure"),
        ("</doc>\n", "", "line 7: ends inside <doc>"),
        ("</p>\n", "</p>\nlost\n", "line 8: a token outside <p>"),
        ("</p>\n", "</p>\n<doc>\n", "line 8: <doc> inside <doc>"),
        ('id="1"', 'id="1" id="2"', "line 1: an attribute twice"),
        ('id="1"', 'id="a&b"', "line 1: id: & is not escaped"),
        ('id="1"', 'id="C:\\"', "line 1: id: a backslash before the quotation mark, which Manatee joins"),
        ('id="1"', 'id="\u202ea"', "line 1: id: a character that nobody sees"),
        ('id="1"', f'id="{"x" * 70_000}"', "line 1: longer than 65,534 bytes, which CWB divides"),
        ('id="1"', "id='1'", "line 1: neither a structure nor an escaped token"),
    ],
)
def test_problems_are_named(tmp_path: Path, old: str, new: str, fault: str) -> None:
    """With the line."""
    assert old in GOOD
    assert faults(tmp_path / "b.vert.zst", GOOD.replace(old, new, 1))[0] == fault


def test_other_encodings_are_named(tmp_path: Path) -> None:
    """A byte that is not UTF-8."""
    assert faults(tmp_path / "b.vert.zst", GOOD.encode().replace(b"AT", b"\xe9")) == ["line 6: not UTF-8"]


def test_countless_structures_that_are_open(tmp_path: Path) -> None:
    """A fault names the innermost three, so 50,000 of them take linear time."""
    found = faults(tmp_path / "b.vert.zst", '<doc id="1">\n' * 50_000)
    assert found[0] == "line 2: <doc> inside <doc>"
    assert found[3] == "line 5: <doc> inside … <doc> <doc> <doc>"
    assert (len(found), found[-1]) == (50_000, "line 50000: ends inside <doc>")
    assert faults(tmp_path / "b.vert.zst", "".join(f"<a{n}>\n" for n in range(50_000))) == [
        "line 50000: ends inside <a49999>"
    ]


# What boilerplate makes of pages: blocks without characters that nobody sees.
letters = st.sampled_from("<>&\"'\\ab.;/p\u0301 日\U0001f600") | st.characters(
    categories=["Ll", "Lo", "P", "Sm", "Z"], max_codepoint=0x2FF
)
texts = st.text(letters, min_size=1)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(texts.filter(str.strip), st.text(), st.text()), min_size=1, max_size=4))
def test_a_corpus_has_no_problems(tmp_path_factory: pytest.TempPathFactory, pages: list[tuple[str, str, str]]) -> None:
    """Whatever pages, titles and URLs hold."""
    folder = tmp_path_factory.mktemp("batch")
    files = write_batch(folder, [Page((Block(text),), title, url) for text, title, url in pages])
    write_corpus(files, {name: folder / f"b.{one.suffix}" for name, one in output_formats().items()})
    assert list(problems(files.vertical)) == []
    assert list(problems(folder / "b.vert.zst")) == []

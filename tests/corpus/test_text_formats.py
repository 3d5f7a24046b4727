"""Plain text, CoNLL-U and TEI: what they hold, and that all formats hold the same."""

import json
import re
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from support.batch_fixture import Block, Page, write_batch

from corpusprep.corpus.documents import Additions
from corpusprep.corpus.formats import output_formats
from corpusprep.corpus.formats.tei import pointer
from corpusprep.corpus.writing import write_corpus
from corpusprep.io.files import zstd_chunks, zstd_writer
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.text.vertical import attributes

ANY_URI = etree.RelaxNG(
    etree.fromstring(
        '<element name="ptr" xmlns="http://relaxng.org/ns/structure/1.0"'
        ' datatypeLibrary="http://www.w3.org/2001/XMLSchema-datatypes">'
        '<attribute name="target"><data type="anyURI"/></attribute></element>'
    )
)
TEI = "{http://www.tei-c.org/ns/1.0}"
BLOCKS = [f"{TEI}{name}" for name in ("head", "item", "p")]
SAID = {
    "published": "2019-12-31T08:00:00+01:00",
    "modified": "2020-01-01",
    "author": "A. & B. <C>; D",
    "headline": "Isn't it",
    "site": "The Site",
    "licence": "https://creativecommons.org/licenses/by/4.0/",
    "sources": "published=json-ld author=meta",
    "rights": "noai@meta",
}
PAGES = [
    Page(
        (Block("A heading", heading=True), Block('Own "text", isn\'t it? a<b&c')),
        "T",
        "http://a.example/ä b",
        said=SAID,
    ),
    Page((Block("Gone.", final="duplicate"),)),
    Page((Block("日本語\u2028etc."),), "", "", "", "euc-jp", truncated=True),
]


def written(files: BatchFiles) -> dict[str, bytes]:
    """The corpus in all formats of documents, decompressed where they are text."""
    folder = files.corpus_vertical.parent
    outputs = {name: folder / f"b.{one.suffix}" for name, one in output_formats().items()}
    write_corpus(files, outputs)
    return {name: b"".join(zstd_chunks(path)) if path.suffix == ".zst" else b"" for name, path in outputs.items()}


@pytest.fixture
def files(tmp_path: Path) -> BatchFiles:
    """A batch of three pages, of which two are kept."""
    return write_batch(tmp_path, PAGES)


def sentences(conllu: bytes) -> list[tuple[list[str], list[list[str]]]]:
    """Comments and token lines of each sentence."""
    parts = conllu.decode().split("\n\n")[:-1]
    lines = [part.split("\n") for part in parts]
    return [
        (
            [line for line in part if line.startswith("# ")],
            [line.split("\t") for line in part if not line.startswith("# ")],
        )
        for part in lines
    ]


def test_counts_agree_over_all_formats(files: BatchFiles) -> None:
    """Documents, words and tokens, counted in what each format holds."""
    forms = written(files)
    lines = [json.loads(line) for line in forms["jsonl"].decode().split("\n")[:-1]]
    expected = [(len(one["text"].split()), one["tokens"]) for one in lines]
    assert [(one["words"], one["tokens"]) for one in lines] == expected
    table = pl.read_parquet(files.corpus_vertical.with_name("b.parquet"))
    assert table.select("words", "tokens").rows() == expected
    documents = forms["vertical"].decode().split("</doc>\n")[:-1]
    assert [sum(not line.startswith("<") for line in one.split("\n") if line) for one in documents] == [
        n for _, n in expected
    ]
    texts = forms["text"].decode().split("\n\n")[:-1]
    assert [len(text.split()) for text in texts] == [words for words, _ in expected]
    found: list[tuple[int, int]] = []
    for comments, tokens in sentences(forms["conllu"]):
        words = len(next(one for one in comments if one.startswith("# text = ")).removeprefix("# text = ").split())
        if any(one.startswith("# newdoc") for one in comments):
            found.append((0, 0))
        found[-1] = found[-1][0] + words, found[-1][1] + len(tokens)
    assert found == expected
    tei = etree.fromstring(forms["tei"])
    assert [
        (
            len(" ".join("".join(block.itertext()) for block in one.iter(*BLOCKS)).split()),
            len(list(one.iter(f"{TEI}w", f"{TEI}pc"))),
        )
        for one in tei.iter(f"{TEI}TEI")
    ] == expected


def test_text_of_blocks_is_the_same_in_all_formats(files: BatchFiles) -> None:
    """The text of each block, rebuilt from tokens and white space."""
    forms = written(files)
    texts = [json.loads(line)["text"] for line in forms["jsonl"].decode().split("\n")[:-1]]
    folded = [[" ".join(block.split()) for block in text.split("\n")] for text in texts]
    tei = etree.fromstring(forms["tei"])
    assert [["".join(block.itertext()) for block in one.iter(*BLOCKS)] for one in tei.iter(f"{TEI}TEI")] == folded
    shown = [
        one.removeprefix("# text = ")
        for part, _ in sentences(forms["conllu"])
        for one in part
        if one.startswith("# text")
    ]
    assert shown == [block for blocks in folded for block in blocks]
    assert forms["text"].decode() == "".join(f"{text}\n\n" for text in texts)


def test_tei_is_valid(files: BatchFiles, tmp_path: Path) -> None:
    """Against the schema beside this test; and a file without documents."""
    schema = etree.RelaxNG(etree.parse(Path(__file__).with_name("tei.rng")))
    tei = etree.fromstring(written(files)["tei"])
    assert schema.validate(tei), schema.error_log.last_error
    [first, second] = tei.iter(f"{TEI}TEI")
    assert [one.text for one in first.iter(f"{TEI}author")] == ["A. & B. <C>", "D"]
    assert {one.get("type"): one.get("when") for one in first.iter(f"{TEI}date")} == {
        "publication": "2019-12-31T08:00:00+01:00",
        "crawl": "2020-01-01T00:00:00Z",
        "modification": "2020-01-01",
    }
    assert not list(second.iter(f"{TEI}date"))
    with output_formats()["tei"].writer(tmp_path / "empty.tei.xml.zst"):
        pass
    empty = etree.fromstring(b"".join(zstd_chunks(tmp_path / "empty.tei.xml.zst")))
    assert schema.validate(empty), schema.error_log.last_error


def tagged(files: BatchFiles, name: str, columns: list[str]) -> bytes:
    """The corpus in a format, after a tagger that adds the same two columns to each token."""
    text = b"".join(zstd_chunks(files.vertical)).decode()
    with zstd_writer(files.annotated) as stream:
        stream.write(
            re.sub(r"^(?!</?[a-z].*>$)(.+)$", "\\1\t&lt;&quot;&amp;&gt;\tN.X", text, flags=re.MULTILINE).encode()
        )
    output = files.corpus_vertical.with_name(f"b.{output_formats()[name].suffix}")
    write_corpus(files, {name: output}, Additions(columns=tuple(columns)))
    return b"".join(zstd_chunks(output))


@pytest.mark.parametrize(
    ("url", "target"),
    [
        ("http://a.example/ä b?q=1&r", "http://a.example/ä%20b?q=1&r"),
        ("http://a.example/sale?off=50%&x=1", "http://a.example/sale?off=50%25&x=1"),
        ("http://a.example/%zz/%41%4", "http://a.example/%25zz/%41%254"),
        ("http://a.example/?a[]=2#b#c", "http://a.example/?a%5B%5D=2#b%23c"),
        ("http://me:x@[::1]:80/", "http://me:x@[::1]:80/"),
        ("urn:a:b", "urn:a:b"),
        ("folder/page.html", "folder/page.html"),
        ("http://a.example:80:90/x", ""),
        ("http://[a.example/", ""),
        ("://a.example/", ""),
        ("1http://a.example/", ""),
    ],
)
def test_tei_has_any_address(url: str, target: str, tmp_path: Path) -> None:
    """As a pointer, encoded as far as it must be; or, where its beginning is none of a URI, as an identifier."""
    tei = etree.fromstring(written(write_batch(tmp_path, [Page(url=url)]))["tei"])
    schema = etree.RelaxNG(etree.parse(Path(__file__).with_name("tei.rng")))
    assert schema.validate(tei), schema.error_log.last_error
    assert [one.get("target") for one in tei.iter(f"{TEI}ptr")] == [target] * bool(target)
    assert [one.text for one in tei.iter(f"{TEI}idno") if one.get("type") == "url"] == [url] * (not target)


@given(
    st.lists(
        st.sampled_from([*"aé1%#[]:@/?&\\|{ .-", "//", "http://", "%41", "[::1]", ":80"]), min_size=1, max_size=12
    ).map("".join)
)
def test_pointers_are_addresses(url: str) -> None:
    """Whatever the address: what is written is an anyURI, and encoding it again changes nothing."""
    target = pointer(url)
    assert ANY_URI.validate(etree.Element("ptr", target=target)), target
    assert pointer(target) == target


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        (["lemma", "tag"], {"lemma": '<"&>', "pos": "N.X"}),
        (["tag", "pos"], {"pos": "N.X"}),
        (["morph", "lemma"], {"lemma": "N.X"}),
        (["morph", "syllables"], {}),
    ],
)
def test_tei_has_what_a_tagger_says(columns: list[str], said: dict[str, str], files: BatchFiles) -> None:
    """Lemmas and parts of speech are attributes of tokens, by the names of columns; it stays valid."""
    tei = etree.fromstring(tagged(files, "tei", columns))
    schema = etree.RelaxNG(etree.parse(Path(__file__).with_name("tei.rng")))
    assert schema.validate(tei), schema.error_log.last_error
    assert [dict(one.attrib) for one in tei.iter(f"{TEI}w", f"{TEI}pc")] == [said] * 20


def test_conllu_is_well_formed(files: BatchFiles) -> None:
    """Ten columns, tokens from 1, unique sentences; a paragraph of a document begins it."""
    found = sentences(written(files)["conllu"])
    assert all(len(line) == 10 for _, tokens in found for line in tokens)
    assert all([int(line[0]) for line in tokens] == list(range(1, len(tokens) + 1)) for _, tokens in found)
    names = [one for comments, _ in found for one in comments if one.startswith("# sent_id = ")]
    assert len(set(names)) == len(found) == 3
    assert [one.partition(" = ")[0] for one in found[0][0]] == [
        *("# newdoc id", "# url", "# date", "# title", "# lang", "# published", "# author", "# licence", "# newpar id"),
        *("# sent_id", "# text"),
    ]
    assert [line[9] for line in found[1][1]].count("SpaceAfter=No") == 9


def test_a_taggers_sentences_and_columns_are_in_conllu(files: BatchFiles) -> None:
    """`<s>` divides blocks into sentences; further columns are in MISC."""
    text = b"".join(zstd_chunks(files.vertical)).decode()
    tagged = re.sub(r"^(?!</?[a-z].*>$)(.+)$", r"\1\tX|Y", text, flags=re.MULTILINE)
    tagged = tagged.replace("?\tX|Y\n", "?\tX|Y\n</s>\n<s>\n")
    tagged = re.sub(r"(<p [^\n]*\n)", r"\1<s>\n", tagged).replace("</p>\n", "</s>\n</p>\n")
    with zstd_writer(files.vertical) as stream:
        stream.write(tagged.encode())
    found = sentences(written(files)["conllu"])
    assert [comments[-1] for comments, _ in found][1:3] == ['# text = Own "text", isn\'t it?', "# text = a<b&c"]
    assert found[0][1][0][9] == "Column2=X\\pY"


@pytest.mark.parametrize(
    ("columns", "fields"),
    [
        (["lemma", "tag"], ['<"&>', "_", "N.X", "_", "_", "_", "_", "_"]),
        (["xpos", "tag"], ["_", "_", '<"&>', "_", "_", "_", "_", "tag=N.X"]),
        (["feats", "morph"], ["_", "_", "_", '<"&>', "_", "_", "_", "morph=N.X"]),
    ],
)
def test_named_columns_have_their_place_in_conllu(columns: list[str], fields: list[str], files: BatchFiles) -> None:
    """The first one of each place; others are in MISC, with their names."""
    (_, [first, *_]), *_ = sentences(tagged(files, "conllu", columns))
    assert first == ["1", "A", *fields]


def test_what_a_page_says_of_itself_is_in_all_formats(files: BatchFiles) -> None:
    """Beside the date of the crawl, after the columns that were there before."""
    forms = written(files)
    [first, _] = [json.loads(line) for line in forms["jsonl"].decode().split("\n")[:-1]]
    assert first["date"] == "2020-01-01T00:00:00Z"
    assert {name: first[name] for name in SAID} == SAID
    assert list(first)[-13:] == [
        *("published", "modified", "author", "headline", "site", "declared_language", "canonical", "page_type"),
        *("licence", "sources", "rights", "truncated", "meta"),
    ]
    line = next(line for line in forms["vertical"].decode().split("\n") if line.startswith("<doc "))
    assert {name: attributes(line)[name] for name in SAID} == SAID
    assert list(attributes(line))[-12:] == list(first)[-13:-1]

"""The corpus in its output formats."""

import json
import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from support.batch_fixture import TOKENIZER, Block, Page, write_batch

from corpusprep.commands import corpus
from corpusprep.corpus.documents import Additions, score_class
from corpusprep.corpus.formats import output_formats
from corpusprep.corpus.structures import structures
from corpusprep.corpus.writing import write_corpus
from corpusprep.errors import StageFileError
from corpusprep.io.files import zstd_chunks, zstd_writer
from corpusprep.tables import schemas, writing
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.reading import read_table
from corpusprep.tables.writing import write_table
from corpusprep.text.tokens import tokenize_boilerplate
from corpusprep.text.validation import problems
from corpusprep.text.vertical import attributes, read_documents

FINAL = ("kept", "duplicate", "stub")
FORMS = ("jsonl", "parquet", "vertical")
# What pages without metadata have of it.
NOTHING_SAID = dict.fromkeys(schemas.PAGE_METADATA, "")
ATTRIBUTES = "".join(f' {name}=""' for name in NOTHING_SAID) + ' truncated="0"'
ARTICLE = (
    Block("Menu", label="bad"),
    Block("A heading", heading=True),
    Block("Copied text.", final="duplicate"),
    Block('Own "text".'),
)
PAGES = [
    Page(ARTICLE, "Straße & <co>", "http://a.example/1", score=2 / 3),
    Page((Block("All copied.", final="duplicate"), Block("Stub", final="stub"))),
    Page(document="exact_duplicate"),
    Page(language="rival_language"),
    Page((Block("日本語\u2028etc."),), "", "", "", "euc-jp"),
]


def run(
    files: BatchFiles, *, marked: bool = False, boilerplate: bool = False
) -> tuple[str, list[dict[str, Any]], pl.DataFrame]:
    """Runs the stage; gives vertical, JSON documents and Parquet table."""
    folder = files.corpus_vertical.parent
    outputs = {name: folder / f"b.{one.suffix}" for name, one in output_formats().items() if name in FORMS}
    write_corpus(files, outputs, Additions(marked=marked, boilerplate=boilerplate))
    vertical, lines = (b"".join(zstd_chunks(folder / f"b.{form}.zst")).decode() for form in ("vert", "jsonl"))
    assert sorted(path.name for path in folder.iterdir()) == ["b.jsonl.zst", "b.parquet", "b.vert.zst"]
    return vertical, [json.loads(line) for line in lines.split("\n")[:-1]], pl.read_parquet(folder / "b.parquet")


def test_documents_with_kept_blocks(tmp_path: Path) -> None:
    """Documents without a kept block, duplicates and other languages are left out; metadata is that of the page."""
    files = write_batch(tmp_path, PAGES)
    _, documents, _ = run(files)
    ids = read_table(files.tokens, schemas.TOKENS)["id"]
    assert documents == [
        {
            "id": ids[0],
            "url": "http://a.example/1",
            "host": "a.example",
            "date": "2020-01-01T00:00:00Z",
            "title": "Straße & <co>",
            "archive": "a.warc.gz",
            "offset": 100,
            "record_id": "urn:uuid:1",
            "lang": "en",
            "encoding": "utf-8",
            "language_score": 0.6667,
            "words": 4,
            "tokens": 7,
            "text": 'A heading\nOwn "text".',
            "blocks": [{"block": 1, "heading": True}, {"block": 3, "heading": False}],
            **NOTHING_SAID,
            "truncated": False,
            "meta": "",
        },
        {
            "id": ids[3],
            "url": "",
            "host": "",
            "date": "",
            "title": "",
            "archive": "a.warc.gz",
            "offset": 1300,
            "record_id": "urn:uuid:13",
            "lang": "en",
            "encoding": "euc-jp",
            "language_score": 0.75,
            "words": 2,
            "tokens": 4,
            "text": "日本語\u2028etc.",
            "blocks": [{"block": 0, "heading": False}],
            **NOTHING_SAID,
            "truncated": False,
            "meta": "",
        },
    ]
    assert [list(document) for document in documents] == [list(schemas.CORPUS)] * 2


def test_truncated_pages_are_marked(tmp_path: Path) -> None:
    """In all formats; the text is that of other pages."""
    files = write_batch(tmp_path, [Page((Block("Own text."),), truncated=True), Page((Block("Other text."),))])
    vertical, documents, _ = run(files)
    assert [document["truncated"] for document in documents] == [True, False]
    assert [line.rpartition(" ")[2] for line in vertical.split("\n") if line.startswith("<doc ")] == [
        'truncated="1">',
        'truncated="0">',
    ]


def test_vertical_has_the_kept_blocks(tmp_path: Path) -> None:
    """The lines of each document's kept blocks, as in the vertical of `tokens`; then words and tokens of these."""
    files = write_batch(tmp_path, PAGES)
    vertical, _, _ = run(files)
    first, last = (document for document in read_documents(files.vertical) if document.number in (0, 3))
    starts = [
        document.start.replace(b">\n", f' words="{words}" tokens="{tokens}"{ATTRIBUTES}>\n'.encode())
        for document, words, tokens in ((first, 4, 7), (last, 2, 4))
    ]
    blocks = first.blocks[0] + first.blocks[2], last.blocks[0]
    assert vertical.encode() == b"".join(start + own + b"</doc>\n" for start, own in zip(starts, blocks, strict=True))


def test_own_fields_of_inputs_are_in_all_formats(tmp_path: Path) -> None:
    """A JSON object in a column, and attributes with names that query systems take."""
    meta = json.dumps({"Genre": 'a "letter"', "жанр": "x", "genre": "b"})
    files = write_batch(tmp_path, [Page(said={"meta": meta})])
    vertical, documents, table = run(files)
    assert vertical.split("\n")[0].endswith(
        ' rights="" truncated="0" meta_genre="a &quot;letter&quot;; b" meta_436_430_43d_440="x">'
    )
    assert documents[0]["meta"] == table["meta"][0] == meta
    assert structures([files.corpus_vertical.parent / "b.vert.zst"]).attributes["doc"][-2:] == (
        "meta_genre",
        "meta_436_430_43d_440",
    )


def test_a_taggers_columns_are_kept(tmp_path: Path) -> None:
    """The columns and lines that a tagger added to the vertical are in the corpus."""
    files = write_batch(tmp_path, PAGES)
    text = b"".join(zstd_chunks(files.vertical)).decode()
    tagged = re.sub(r"^(?!</?[a-z].*>$)(.+)$", r"\1\tTAG\t\1", text, flags=re.MULTILINE)
    tagged = (
        tagged.replace("</p>\n", "</s>\n</p>\n").replace('">\nA\t', '">\n<s>\nA\t').replace("<doc ", '<doc genre="x" ')
    )
    with zstd_writer(files.vertical) as stream:
        stream.write(tagged.encode())
    vertical, documents, _ = run(files)
    assert '<p heading="1" block="1">\n<s>\nA\tTAG\tA\nheading\tTAG\theading\n</s>\n</p>\n' in vertical
    assert vertical.count('<doc genre="x" id="') == len(documents)


MARKED = [
    Page((Block("Own"), Block("Copied.", final="marked_duplicate"), Block("Tail", final="marked_stub")), "T"),
    Page((Block("All copied.", heading=True, final="marked_duplicate_document"),)),
    Page(document="exact_duplicate"),
]


def test_marked_duplicates_stay_in_all_formats(tmp_path: Path) -> None:
    """Blocks say what duplicate they are part of; words, tokens and text are those of all of them."""
    files = write_batch(tmp_path, MARKED)
    vertical, documents, table = run(files, marked=True)
    assert re.findall(r"<p .*>", vertical) == [
        '<p heading="0" block="0" duplicate="no">',
        '<p heading="0" block="1" duplicate="block">',
        '<p heading="0" block="2" duplicate="stub">',
        '<p heading="1" block="0" duplicate="document">',
    ]
    assert list(problems(files.corpus_vertical.parent / "b.vert.zst")) == []
    assert [document["text"] for document in documents] == ["Own\nCopied.\nTail", "All copied."]
    assert [(document["words"], document["tokens"]) for document in documents] == [(3, 4), (2, 3)]
    assert documents[0]["blocks"][1] == {"block": 1, "heading": False, "duplicate": "block"}
    assert table.schema == schemas.corpus(["duplicate"])
    assert table.to_dicts() == documents


def test_an_empty_batch_has_the_columns_of_marked_blocks(tmp_path: Path) -> None:
    """So that the tables of all batches have the same columns."""
    files = write_batch(tmp_path, [Page(document="exact_duplicate")])
    assert run(files, marked=True)[2].schema == schemas.corpus(["duplicate"])


@pytest.mark.parametrize(("pages", "marked"), [(PAGES, True), (MARKED, False)])
def test_verdicts_of_the_other_setting_are_refused(tmp_path: Path, pages: list[Page], marked: bool) -> None:
    """Marks would be lost, or blocks that are gone would count as unmarked."""
    files = write_batch(tmp_path, pages)
    with pytest.raises(StageFileError, match=r"blocks.*: made with another setting of blocks.mark"):
        run(files, marked=marked)


def keep_boilerplate(files: BatchFiles) -> None:
    """Writes the vertical of the batch's boilerplate, as `tokens --boilerplate keep` does."""
    vertical = files.vertical.with_name("b00000.boilerplate.vert.zst")
    tokenize_boilerplate(files.tokens, files.vertical, files.boilerplate, TOKENIZER, vertical)
    starts = [[document.start for document in read_documents(path)] for path in (files.vertical, vertical)]
    assert starts[0] == starts[1]


SCORED = [
    Page(
        (
            Block("Menu & more", heading=True, label="bad", score=40),
            Block("Own text.", score=970),
            Block("Copied text.", score=600, final="duplicate"),
            Block("Login", label="bad", score=499),
        )
    ),
    Page((Block("Gone", label="bad", score=1), Block("All copied.", score=900, final="duplicate"))),
    Page((Block("Only text.", score=1000),)),
]


def test_kept_boilerplate_is_marked_in_all_formats(tmp_path: Path) -> None:
    """Blocks are in the order of the page, with score and class; duplicates are gone, and documents without text."""
    files = write_batch(tmp_path, SCORED)
    keep_boilerplate(files)
    vertical, documents, table = run(files, boilerplate=True)
    assert vertical.split("\n")[1:12] == [
        '<p heading="1" block="0" boilerplate="1" score="0.040" class="j">',
        *("Menu", "&amp;", "more", "</p>"),
        '<p heading="0" block="1" boilerplate="0" score="0.970" class="a">',
        *("Own", "text", "<g/>", ".", "</p>"),
    ]
    assert list(problems(files.corpus_vertical.parent / "b.vert.zst")) == []
    assert [document["text"] for document in documents] == ["Menu & more\nOwn text.\nLogin", "Only text."]
    assert [(document["words"], document["tokens"]) for document in documents] == [(6, 7), (2, 3)]
    assert documents[0]["blocks"][2] == {
        **{"block": 3, "heading": False},
        **{"boilerplate": True, "score": 0.499, "class": "f"},
    }
    assert table.schema == schemas.corpus(["boilerplate", "score", "class"])
    assert table.to_dicts() == documents


def test_without_scores_blocks_say_what_is_boilerplate(tmp_path: Path) -> None:
    """Algorithms that give no scores have boilerplate, too; score and class are missing."""
    files = write_batch(tmp_path, PAGES)
    keep_boilerplate(files)
    vertical, documents, table = run(files, boilerplate=True)
    assert '<p heading="0" block="0" boilerplate="1">' in vertical
    assert documents[0]["text"] == 'Menu\nA heading\nOwn "text".'
    assert documents[0]["blocks"][0]["score"] is None
    assert table.to_dicts() == documents


def test_marked_duplicates_and_kept_boilerplate(tmp_path: Path) -> None:
    """Both settings together: boilerplate is no duplicate, for de-duplication has not looked at it."""
    page = Page((Block("Menu", label="bad", score=0), Block("Copied.", score=950, final="marked_duplicate")))
    files = write_batch(tmp_path, [page])
    keep_boilerplate(files)
    vertical, documents, table = run(files, marked=True, boilerplate=True)
    assert re.findall(r"<p .*>", vertical) == [
        '<p heading="0" block="0" boilerplate="1" score="0.000" class="j" duplicate="no">',
        '<p heading="0" block="1" boilerplate="0" score="0.950" class="a" duplicate="block">',
    ]
    assert table.to_dicts() == documents
    assert table.schema == schemas.corpus(["boilerplate", "score", "class", "duplicate"])


def test_the_corpus_without_boilerplate_is_the_same(tmp_path: Path) -> None:
    """The good blocks of both settings are the same lines, but for the attributes."""
    files = write_batch(tmp_path, SCORED)
    without = run(files)[0]
    keep_boilerplate(files)
    kept = run(files, boilerplate=True)[0]
    good = re.sub(r'<p [^>]* boilerplate="1".*?</p>\n', "", kept, flags=re.DOTALL)
    plain = re.sub(r' (words|tokens)="\d+"| boilerplate="0" score="[\d.]+" class="[a-j]"', "", good)
    assert plain == re.sub(r' (words|tokens)="\d+"', "", without)


def test_missing_or_other_boilerplate_is_named(tmp_path: Path) -> None:
    """The vertical of boilerplate must be there, and of these documents."""
    files = write_batch(tmp_path, SCORED)
    with pytest.raises(StageFileError, match=r"boilerplate\.vert\.zst: no such file; run `tokens` again"):
        run(files, boilerplate=True)
    with zstd_writer(files.vertical.with_name("b00000.boilerplate.vert.zst")) as stream:
        stream.write(b'<doc id="x">\n</doc>\n' * 3)
    with pytest.raises(StageFileError, match=r"document 0 .*: not its boilerplate"):
        run(files, boilerplate=True)


def test_classes_are_tenths() -> None:
    """Classes divide 0 to 1 into ten equal parts, from text to boilerplate."""
    assert [score_class(score) for score in (1000, 901, 900, 501, 500, 101, 100, 0)] == list("aabefijj")


texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)
blocks = st.builds(Block, texts, st.booleans(), st.sampled_from(["good", "bad"]), st.sampled_from(FINAL))
pages = st.builds(
    Page,
    st.lists(blocks, max_size=5).map(tuple),
    texts,
    texts,
    texts,
    st.sampled_from(["utf-8", ""]),
    st.floats(0, 1),
    st.sampled_from(["kept", "language_score"]),
    st.sampled_from(["kept", "exact_duplicate"]),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(pages, max_size=6), st.sampled_from([1, 100, 10**6]))
def test_all_formats_hold_one_corpus(
    tmp_path_factory: pytest.TempPathFactory, pages: list[Page], part_bytes: int
) -> None:
    """Whatever pages hold, all formats have the same documents, and their kept blocks are those of the verdicts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writing, "PART_BYTES", part_bytes)
        files = write_batch(tmp_path_factory.mktemp("batch"), pages)
        vertical, documents, table = run(files)
    assert table.schema == schemas.CORPUS
    assert table.to_dicts() == documents
    kept = [
        [block for block in page.good if block.final == "kept"]
        for page in pages
        if page.language == page.document == "kept"
    ]
    assert [document["text"] for document in documents] == ["\n".join(b.text for b in own) for own in kept if own]
    assert re.findall(r'^<doc id="(\w+)"', vertical, re.MULTILINE) == [document["id"] for document in documents]
    starts = [attributes(line) for line in re.findall(r"^<doc .*>$", vertical, re.MULTILINE)]
    for names, document in zip(starts, documents, strict=True):
        assert float(names["language_score"]) == document["language_score"]
        assert names["truncated"] == str(int(document["truncated"]))
        assert all(names[name] == str(document[name]) for name in names.keys() - {"language_score", "truncated"})
        assert document.keys() - names.keys() == {"text", "blocks", "meta"}
    numbers = re.findall(r'^<p heading="([01])" block="(\d+)">$', vertical, re.MULTILINE)
    expected = [(f"{one['heading']:d}", str(one["block"])) for document in documents for one in document["blocks"]]
    assert numbers == expected
    for part, document in zip(vertical.split("</doc>\n"), documents, strict=False):
        lines = [line for line in part.split("\n") if line and not line.startswith("<")]
        assert len(lines) == document["tokens"]
        assert document["words"] == len(document["text"].split())


def rewrite(files: BatchFiles, old: str, new: str) -> None:
    """Changes the first occurrence of a text in the vertical."""
    text = b"".join(zstd_chunks(files.vertical)).decode()
    assert old in text
    with zstd_writer(files.vertical) as stream:
        stream.write(text.replace(old, new, 1).encode())


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            '<p heading="1" block="1">\nA\nheading\n</p>\n',
            "",
            r"document 0 \(\w+\) with 2 <p> stands where .* with 3 <p>",
        ),
        ('<doc id="', '<doc id="0', r"document 0 \(0\w+\) with 3 <p> stands where .* has document 0"),
        ("</p>\n</doc>\n", "</p>\n</doc>\n<doc>\n</doc>\n", r"document 1 \(None\) with 0 <p> stands where"),
        ("</p>\n<p", "<p", r"document 0: <p> inside <p>"),
    ],
)
def test_a_vertical_that_does_not_match_is_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    """A tagger that lost or added structures: an error that names file and document, and no output."""
    files = write_batch(tmp_path, PAGES)
    rewrite(files, old, new)
    with pytest.raises(StageFileError, match=rf"tokens/b00000\.vert\.zst: {message}"):
        run(files)
    assert list((tmp_path / "corpus").iterdir()) == []


def test_a_vertical_with_other_documents_is_named(tmp_path: Path) -> None:
    """A vertical that ends early, or goes on too long."""
    files = write_batch(tmp_path, PAGES)
    text = b"".join(zstd_chunks(files.vertical))
    for changed, message in [(text + b"<doc>\n</doc>\n", "has the end"), (text[: text.rindex(b"<doc")], "ends before")]:
        with zstd_writer(files.vertical) as stream:
            stream.write(changed)
        with pytest.raises(StageFileError, match=rf"tokens/b00000\.vert\.zst: .*{message}"):
            run(files)


def test_tables_of_another_run_are_an_error(tmp_path: Path) -> None:
    """Tables that tell of other documents or blocks than the vertical's are named."""
    files = write_batch(tmp_path, PAGES)
    rows = read_table(files.blocks, schemas.BLOCKS)
    write_table(rows.with_columns(pl.col("block") + 1), schemas.BLOCKS, files.blocks)
    with pytest.raises(StageFileError, match=r"blocks/b00000\.parquet: document 0 \(\w+\)"):
        run(files)
    write_table(rows, schemas.BLOCKS, files.blocks)
    verdicts = read_table(files.documents, schemas.DOCUMENTS)
    write_table(verdicts[:-1], schemas.DOCUMENTS, files.documents)
    with pytest.raises(StageFileError, match=r"documents/b00000\.parquet: its documents differ from"):
        run(files)


@pytest.mark.parametrize(
    ("options", "written"),
    [
        ([], ["b00000.jsonl.zst", "b00000.parquet", "b00000.vert.zst"]),
        (["--formats", "parquet"], ["b00000.parquet", "b00000.vert.zst"]),
    ],
)
def test_command(tmp_path: Path, options: list[str], written: list[str]) -> None:
    """`corpus` from the command line writes the vertical, and each format that is given; all by default."""
    files = write_batch(tmp_path, PAGES)
    arguments = [str(tmp_path), "--batch", "b00000", *options]
    assert CliRunner().invoke(corpus.command, arguments, catch_exceptions=False).exit_code == 0
    folder = files.corpus_vertical.parent
    assert sorted(path.name for path in folder.iterdir()) == written
    assert pl.read_parquet(folder / "b00000.parquet").height == 2


def test_command_refuses_an_unknown_format(tmp_path: Path) -> None:
    """The message names the formats that there are."""
    arguments = [str(tmp_path), "--batch", "b00000", "--formats", "pdf"]
    result = CliRunner().invoke(corpus.command, arguments)
    assert result.exit_code == 2
    assert all(name in result.output for name in ("'pdf'", "jsonl", "parquet", "vertical"))

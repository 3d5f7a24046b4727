"""A user's annotator: what it adds is in all formats, and its mistakes are named with their place."""

import json
import shlex
import signal
import time
from pathlib import Path

import polars as pl
import pytest
from support.batch_fixture import Block, Page, write_batch
from support.corpus_layout import write_lists

from corpusprep.annotation.running import AnnotationError, annotate
from corpusprep.corpus.describing import finished_corpus
from corpusprep.corpus.documents import Additions
from corpusprep.corpus.formats import output_formats
from corpusprep.corpus.formats.cwb import script
from corpusprep.corpus.formats.sketch import registry
from corpusprep.corpus.writing import write_corpus
from corpusprep.inspection.concordance import search
from corpusprep.io.files import zstd_chunks, zstd_writer
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.text.validation import problems
from corpusprep.text.vertical import read_documents
from corpusprep.text.vertical_lines import annotation

#: Lemmas and tags: the word in small letters, and what it starts with.
TAGGER = r"""
my $in = 0;
while (<STDIN>) {
    if (!/^</) { chomp; my $word = $_; $_ = "$word\t" . lc($word) . "\t" . ($word =~ /^\w/ ? "W" : "<P>") . "\n"; }
    EXTRA
    print;
}
"""
PAGES = [
    Page((Block("A dog isn't a cat."), Block("Gone.", final="duplicate"), Block("R&D < it")), url="http://a.example/1"),
    Page((Block("Copied."),), url="http://a.example/2", document="exact_duplicate"),
    Page((Block("The end"),), url="http://a.example/3"),
    Page((Block("More text"),), url="http://a.example/4"),
]
COLUMNS = ("lemma", "tag")


def tagger(extra: str = "") -> str:
    """The command of the tagger, in a language that starts at once."""
    return shlex.join(["perl", "-e", TAGGER.replace("EXTRA", extra)])


@pytest.fixture
def files(tmp_path: Path) -> BatchFiles:
    """A batch of four pages, of which three are kept."""
    return write_batch(tmp_path / "corpus", PAGES)


def decompressed(path: Path) -> str:
    """The text of a .zst file."""
    return b"".join(zstd_chunks(path)).decode()


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_copies_of_an_annotator_give_one_vertical(files: BatchFiles, threads: int) -> None:
    """Whatever their number: each token with its columns, escaped, and all structures, in order."""
    assert annotate(files.vertical, tagger(), COLUMNS, files.annotated, threads) == len(PAGES)
    expected = []
    for line in decompressed(files.vertical).split("\n"):
        kind = "W" if line[:1].isalpha() else "&lt;P&gt;"
        expected.append(line if not line or line.startswith("<") else f"{line}\t{line.lower()}\t{kind}")
    assert decompressed(files.annotated) == "\n".join(expected)
    assert list(problems(files.annotated)) == []
    assert not list(files.annotated.parent.glob(".*"))


def test_an_annotator_that_is_told_the_threads_runs_once(files: BatchFiles) -> None:
    """Its number stands where the command says `{threads}`."""
    command = tagger('die "two" if -e "{threads}.seen";') + "; touch {threads}"
    annotate(files.vertical, f"cd {files.vertical.parent} && {command}", COLUMNS, files.annotated, 5)
    assert (files.vertical.parent / "5").exists()


def test_columns_are_in_all_formats(files: BatchFiles) -> None:
    """The vertical, JSON lines, Parquet, CoNLL-U, the registry, CWB's script, and concordances."""
    annotate(files.vertical, tagger(), COLUMNS, files.annotated)
    folder = files.corpus_vertical.parent
    names = ("vertical", "jsonl", "parquet", "conllu")
    outputs = {name: folder / f"b00000.{output_formats()[name].suffix}" for name in names}
    write_corpus(files, outputs, Additions(columns=tuple(COLUMNS)))
    lines = decompressed(outputs["vertical"]).split("\n")
    assert "isn\tisn\tW" not in lines
    assert "dog\tdog\tW" in lines
    assert [line for line in lines if line.startswith(("&amp;", "&lt;"))] == [
        "&amp;\t&amp;\t&lt;P&gt;",
        "&lt;\t&lt;\t&lt;P&gt;",
    ]
    documents = [json.loads(line) for line in decompressed(outputs["jsonl"]).splitlines()]
    assert [document["annotation"]["lemma"] for document in documents] == [
        ["a", "dog", "is", "n't", "a", "cat", ".", "r", "&", "d", "<", "it"],
        ["the", "end"],
        ["more", "text"],
    ]
    first = documents[0]["annotation"]
    assert first["tag"][-3:] == ["W", "<P>", "W"]
    assert first["space_after"][:4] == [True, True, False, True]
    assert first["sentence"] == [0] * 7 + [1] * 5
    assert first["block"] == [0] * 7 + [2] * 5
    table = pl.read_parquet(outputs["parquet"])
    assert table.schema == schemas.corpus(columns=COLUMNS)
    assert table["annotation"].to_list() == [document["annotation"] for document in documents]
    assert list(table.columns) == list(documents[0])
    conllu = decompressed(outputs["conllu"])
    assert "\n3\tis\tis\t_\tW\t_\t_\t_\t_\tSpaceAfter=No\n" in conllu
    write_lists(folder.parent, ["b00000"])
    corpus = finished_corpus(folder.parent, names, additions=Additions(columns=tuple(COLUMNS)))
    assert "ATTRIBUTE word\nATTRIBUTE lemma\nATTRIBUTE tag\n" in registry(corpus)
    assert "    -P lemma \\\n    -P tag \\\n" in script(corpus)
    hits = search(folder.parent, '[lemma="dog"] [tag="W" & lemma!="the"]', columns=("word", *COLUMNS), threads=1)
    assert [hit.keyword for hit in hits] == ["dog is"]


def test_structures_of_an_annotator_are_kept(files: BatchFiles) -> None:
    """Sentences that it marks are those of the corpus."""
    added = r"if (/^A\t/) { $in = 1; s/^/<s>\n/ } if ($in && /^\.\t/) { $in = 0; s/$/\n<\/s>/ }"
    annotate(files.vertical, tagger(added), COLUMNS, files.annotated)
    document = next(iter(read_documents(files.annotated)))
    assert document.blocks[0].count(b"<s>\n") == document.blocks[0].count(b"</s>\n") == 1
    assert list(problems(files.annotated)) == []
    assert annotation(b"".join(document.blocks), COLUMNS)["sentence"][:7] == [0] * 7


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        ("s/dog/Dog/;", r"line 4: 'Dog\\tdog\\tW' stands where the token 'dog' was"),
        ("next if /^dog/;", r"line 4: 'is\\tis\\tW' stands where the token 'dog' was"),
        (r"s/\t\w+$// if /^dog/;", r"line 4: 'dog\\tdog' has 2 columns; with the word, 3 were declared"),
        (r"s/dog\t\w+/dog\t/;", r"line 4: 'dog\\t\\tW' has an empty column; write a sign, such as -"),
        (r"s/W$/\xff/ if /^dog/;", r"line 4: 'dog\\tdog\\t.' is not UTF-8"),
        ("next if /^<g/;", r"line 6: \"n't\\tn't\\tW\" stands where the line '<g/>' was"),
        ('s/heading="0"/heading="1"/;', r"line 2: '<p heading=\"1\" block=\"0\">' stands where '<p heading"),
        (r"s/^/<s>\n/ if /^dog/;", r"line 12: '</p>' stands inside <s>"),
        (r"s/^/<s>\n<s>\n/ if /^dog/;", "line 4: '<s>' stands inside another <s>"),
        (r"s/^/<\/np>\n/ if /^dog/;", "line 4: '</np>' stands inside <p>"),
        (r"s/^/<<\n/ if /^dog/;", "line 4: '<<' is neither a structure nor a token"),
        ("last if /^dog/;", r"line 4: the answer ends; 'dog' should follow"),
    ],
)
def test_a_changed_line_is_named(files: BatchFiles, extra: str, message: str) -> None:
    """With the file, the document, its line, and what stands there; nothing is written."""
    place = rf"{files.vertical}: document \w+ \(http://a\.example/1\), "
    with pytest.raises(AnnotationError, match=f"^{place}{message}"):
        annotate(files.vertical, tagger(extra), COLUMNS, files.annotated)
    assert not files.annotated.exists()
    assert not list(files.annotated.parent.iterdir())


@pytest.mark.parametrize("holds_back", [False, True])
@pytest.mark.parametrize("threads", [1, 3])
def test_a_crash_is_named_with_its_document(tmp_path: Path, *, holds_back: bool, threads: int) -> None:
    """Also if the annotator holds back its answers, so that those of documents before it are missing."""
    pages = [Page((Block(f"Number {n}"),), url=f"http://a.example/{n}") for n in range(23)]
    files = write_batch(tmp_path, pages)
    crash = r'if (/^17\t/) { print STDERR "no room\n"; exit 3; }'
    text = tagger(crash if holds_back else f"$| = 1; {crash}")
    with pytest.raises(AnnotationError, match=r"exit code 3 at document \w+ \(http://a\.example/17\): no room$"):
        annotate(files.vertical, text, COLUMNS, files.annotated, threads)
    assert not list(files.annotated.parent.iterdir())


def test_other_ends_are_named(files: BatchFiles) -> None:
    """A command that is not there, one that fails at its end, one that writes more, one that fails once."""
    for line, message in (
        ("no-such-tagger", r"the annotator was not found \(exit code 127\) at document"),
        (f"{tagger()}; exit 9", "the annotator ended with exit code 9 after its last document"),
        (f"{tagger()}; echo more", r"line 6: b'more\\n' follows after the last document"),
        (f"kill -11 $$; {tagger()}", "the annotator was ended by signal 11 at document"),
        ("test -e once || { touch once; exit 5; }", "exit code 5 at or after document .*, line 1$"),
    ):
        with pytest.raises(AnnotationError, match=message):
            annotate(files.vertical, f"cd {files.vertical.parent}; {line}", COLUMNS, files.annotated)


def test_a_batch_without_documents_runs_no_annotator(tmp_path: Path) -> None:
    """Its annotated vertical is empty, too."""
    with zstd_writer(tmp_path / "a.vert.zst"):
        pass
    assert annotate(tmp_path / "a.vert.zst", "exit 1", COLUMNS, tmp_path / "b.vert.zst", 2) == 0
    assert decompressed(tmp_path / "b.vert.zst") == ""


def test_an_interrupted_annotator_ends_at_once(files: BatchFiles) -> None:
    """With what it has started, and nothing is left."""

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    began = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            annotate(files.vertical, "sleep 60 | cat", COLUMNS, files.annotated, 2)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert time.monotonic() - began < 30
    assert not list(files.annotated.parent.iterdir())

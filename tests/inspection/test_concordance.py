"""Concordances: hits in their context, samples, orders, and what each stage removed."""

import io
import os
import re
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest
import zstandard
from rich.console import Console
from support import made_verticals
from support.batch_fixture import Block, Page, write_batch
from support.corpus_layout import write_lists

from corpusprep.archive.batches import Batch
from corpusprep.errors import CorpusprepError, StageFileError
from corpusprep.inspection import concordance, concordance_page, concordance_text, search_texts
from corpusprep.inspection.concordance import ConcordanceLine, HitCounts, SearchEndedError, search
from corpusprep.io import tsv
from corpusprep.io.files import zstd_chunks, zstd_writer
from corpusprep.tables.batch_files import BatchFiles

PAGES = [
    Page(
        (
            Block("Home | Tea shop", label="bad"),
            Block("She drinks strong tea, and he can't."),
            Block("Tea leaves & <b>hot</b> water.", final="duplicate"),
        ),
        url="http://a.example/1",
    ),
    Page((Block("Weak tea is for the afternoon."),), url="http://b.example/2", date="2021-05-06T00:00:00Z"),
    Page((Block("Tee und tea sind eins."),), url="http://c.example/3", language="rival_language"),
    Page((Block("Weak tea is for the afternoon."),), url="http://d.example/4", document="exact_duplicate"),
]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus of one batch; what each stage removed says tea."""
    folder = tmp_path_factory.mktemp("corpus")
    files = write_batch(folder, PAGES)
    write_lists(folder, ["b00000"])
    assert files.blocks.exists()
    return folder


def told(lines: list[ConcordanceLine]) -> list[tuple[str, str, str]]:
    """The left context, the keyword and the right context of each line."""
    return [(line.left, line.keyword, line.right) for line in lines]


def test_hits_in_their_context(corpus: Path) -> None:
    """The text as it was, with spaces where they were; with where it comes from."""
    counts = HitCounts()
    lines = list(search(corpus, "tea", counts=counts))
    assert told(lines) == [
        ("She drinks strong ", "tea", ", and he can't."),
        ("Weak ", "tea", " is for the afternoon."),
    ]
    assert (lines[1].host, lines[1].date, lines[1].url) == ("b.example", "2021-05-06T00:00:00Z", "http://b.example/2")
    assert (lines[0].block, lines[0].stage, lines[0].reason) == (1, "", "")
    assert (counts.hits, counts.hosts) == (2, {"a.example": 1, "b.example": 1})
    assert counts.tokens == 17
    assert told(list(search(corpus, 'ca "n\'t"'))) == [("She drinks strong tea, and he ", "can't", ".")]


@pytest.mark.parametrize(
    ("word", "ways"),
    [
        ("don't", ["don't", "Do n't", "don ’t", "don' t"]),
        ("日本", ["日本", "日 本"]),
        ("tea,", ["tea,", "tea ,"]),
        ("well-known", ["well-known", "well - known"]),
        ("c++", ["c++", "C ++"]),
    ],
)
def test_a_plain_word_may_be_several_tokens(word: str, ways: list[str], tmp_path: Path) -> None:
    """Whether a corpus has it as one token or divides it; in an expression, and in `meet`, it is one token."""
    made_verticals.write(tmp_path, [[made_verticals.Made({"id": "d"}, [["x", *way.split(), "y"]]) for way in ways]])
    wanted = [way.replace(" ", "") for way in ways]
    assert [line.keyword.replace(" ", "") for line in search(tmp_path, word)] == wanted
    assert [line.keyword.replace(" ", "") for line in search(tmp_path, f"x {word} y")] == [f"x{way}y" for way in wanted]
    whole = f'[word=="{word}"]'
    for query in (whole, f"(meet {word} y -1 1)"):
        assert len(list(search(tmp_path, query))) == 1


@pytest.mark.parametrize(
    ("stage", "keyword", "reason"),
    [
        ("boilerplate", "Tea", "stop_words"),
        ("language", "tea", "rival_language"),
        ("documents", "tea", "exact_duplicate"),
    ],
)
def test_what_a_stage_removed(corpus: Path, stage: str, keyword: str, reason: str) -> None:
    """With the reason; nothing else."""
    [line] = search(corpus, "tea", stage=stage)
    assert (line.keyword, line.stage, line.reason) == (keyword, stage, reason)


def test_escaped_text_is_shown_as_it_was(corpus: Path) -> None:
    """Entities of the vertical are characters of the text."""
    [line] = search(corpus, '"&"', stage="blocks")
    assert (line.left, line.right, line.reason) == ("Tea leaves ", " <b>hot</b> water.", "duplicate")


def test_orders_and_samples(corpus: Path) -> None:
    """A sample depends on its seed alone; contexts are sorted from the keyword outwards."""
    every = list(search(corpus, '".*"', limit=0))
    assert len(every) == 17
    drawn = list(search(corpus, '".*"', sample=5, seed=3))
    assert len(drawn) == 5
    assert set(told(drawn)) < set(told(every))
    assert drawn == list(search(corpus, '".*"', sample=5, seed=3, threads=2))
    assert drawn != list(search(corpus, '".*"', sample=5, seed=4))
    left = [line.left.split()[-1].casefold() for line in search(corpus, '".*"', sort="left") if line.left.strip()]
    assert left == sorted(left)
    right = [line.right.split()[0].casefold() for line in search(corpus, '".*"', sort="right") if line.right.strip()]
    assert right == sorted(right)
    assert told(list(search(corpus, '".*"', limit=3))) == told(every[:3])


def test_first_lines_come_before_a_batch_ends(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With several threads, too; the batch that is searched here ends only after its first line was read."""
    read = Event()

    def slow(folder: Path, batch: str, stage: str) -> Iterator[search_texts.Piece]:
        piece, fates = next(iter(search_texts.pieces(folder, "b00000", stage)))
        yield piece, fates
        if batch == "b1":
            assert read.wait(10)
        yield piece, fates

    monkeypatch.setattr(concordance, "batches_of", lambda _: [Batch(f"b{number}", (), ()) for number in range(1, 5)])
    monkeypatch.setattr(concordance, "pieces", slow)
    monkeypatch.setattr(concordance, "MOST_HELD", 1)
    counts = HitCounts()
    lines = search(corpus, "tea", threads=2, counts=counts)
    first = next(lines)
    assert counts.batches == (0, 4)
    read.set()
    rest = list(lines)
    assert [first, *rest] == [*search(corpus, "tea", threads=1)]
    assert (len(rest), counts.hits, counts.batches) == (15, 16, (4, 4))
    assert len(list(search(corpus, "tea", threads=2, limit=3))) == 3
    assert len(list(search(corpus, "tea", threads=2, sample=5))) == 5


def test_an_error_in_a_thread_is_raised(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In its place: the lines of earlier batches come first."""
    monkeypatch.setattr(concordance, "batches_of", lambda _: [Batch("b00000", (), ()), Batch("b1", (), ())])
    lines = search(corpus, "tea", threads=2)
    assert len([next(lines), next(lines)]) == 2
    with pytest.raises(StageFileError, match="no such file"):
        next(lines)


def test_too_many_to_sort(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error says what helps."""
    monkeypatch.setattr(concordance, "MOST_SORTED", 5)
    with pytest.raises(CorpusprepError, match=r"more than 5 hits cannot be sorted; draw a sample of them \(--sample\)"):
        list(search(corpus, '".*"', sort="left"))


def test_a_written_corpus_is_searched_as_it_is(corpus: Path, tmp_path: Path) -> None:
    """In pieces that end with a document, with the columns of a tagger; contexts are cut at their width."""
    for path in corpus.iterdir():
        (tmp_path / path.name).symlink_to(path)
    words = "".join(f"w{number}\tlemma{number % 7}\n" for number in range(400))
    document = f'<doc id="0" url="u" host="h" date="2020">\n<p heading="0" block="2">\n{words}</p>\n</doc>\n'
    (tmp_path / "corpus").mkdir()
    compressed = zstandard.ZstdCompressor(write_checksum=True).compress(document.encode() * 3)
    (tmp_path / "corpus" / "b00000.vert.zst").write_bytes(compressed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("corpusprep.inspection.search_texts.PIECE_BYTES", 100)
        lines = list(search(tmp_path, '"w3.." [lemma="lemma2"]', columns=["word", "lemma"], width=20, limit=0))
    numbers = [number for number in range(301, 400) if number % 7 == 2]
    assert [line.keyword for line in lines] == [f"w{number - 1} w{number}" for number in numbers] * 3
    number = numbers[0]
    assert lines[0].right == f" w{number + 1} w{number + 2} w{number + 3} w{number + 4} w{number + 5}"[:20]
    assert lines[0].left == f"w{number - 5} w{number - 4} w{number - 3} w{number - 2} "[-20:]
    assert (lines[0].block, lines[0].where) == (2, "0")


@pytest.mark.parametrize("stage", ["corpus", "documents", "blocks"])
def test_annotated_columns_are_searched_without_a_written_vertical(corpus: Path, stage: str, tmp_path: Path) -> None:
    """In the corpus, and in what later stages removed."""
    for path in corpus.iterdir():
        (tmp_path / path.name).symlink_to(path)
    files = BatchFiles.of(tmp_path, "b00000")
    text = b"".join(zstd_chunks(files.vertical)).decode()
    tagged = re.sub(r"^(?!</?[a-z].*>$)(.+)$", r"\1\tlemma:\1", text, flags=re.MULTILINE)
    with zstd_writer(files.annotated) as stream:
        stream.write(tagged.encode())
    plain = list(search(tmp_path, "tea", stage=stage))
    found = list(search(tmp_path, '[lemma="lemma:[Tt]ea"]', stage=stage, columns=["word", "lemma"]))
    assert found == plain
    assert plain
    os.utime(files.annotated, (0, 0))
    assert list(search(tmp_path, "tea", stage=stage)) == plain
    assert not list(search(tmp_path, '[lemma="lemma:[Tt]ea"]', stage=stage, columns=["word", "lemma"]))


def test_lines_are_aligned() -> None:
    """In as many columns as the terminal has, also with wide letters and hostile ones."""
    lines = [
        ConcordanceLine("left context ", "tea", " right context", "a.example", "2020-01-01", "", "", 1),
        ConcordanceLine(
            "日本語のとても長い左の文脈はここで切れるはずです", "お茶", "右の文脈", "日本.example", "2020", "", "", 1
        ),
        ConcordanceLine(
            "\x1b[31m\u202eabc ", "t\x9bea", "\x07 x", "h\x1b", "", "", "", 1, "boilerplate", "link_density"
        ),
    ]
    printed = io.StringIO()
    concordance_text.show(lines, Console(file=printed, width=80, highlight=False))
    shown = printed.getvalue().split("\n")
    assert [line.find(word) for line, word in zip(shown, ["tea", "お茶", "tea"], strict=False)][::2] == [47, 47]
    assert not set(printed.getvalue()) & {"\x1b", "\x9b", "\u202e", "\x07"}
    assert shown[2].startswith("h")
    assert "link_dens" in shown[2]
    assert concordance_text.last("日本語", 5) == "本語"


def test_a_page_of_concordances(corpus: Path) -> None:
    """The six figures of the thesis; words come from the statistics unless they are named or the crawl has `search`."""
    page = concordance_page.render(corpus, ["tea"], lines=5)
    orders = ("the first lines", "shuffled", "the middle of the lines sorted by the right context")
    shown = [f"{side} cleaning, {order}" for order in orders for side in ("before", "after")]
    titles = [f"A.{number}: {title}" for number, title in enumerate(shown, 1)]
    places = [page.index(title) for title in titles]
    assert places == sorted(places)
    assert page.count("6 hits in") == 3
    assert page.count("2 hits in") == 3
    assert "rival_language" in page
    assert "&lt;b&gt;hot&lt;/b&gt;" in page
    assert "<b>hot" not in page
    write_typical_words(corpus, [("boilerplate", "shop", 1)])
    assert "<h2><bdi>shop</bdi></h2>" in concordance_page.render(corpus, [])


def write_typical_words(folder: Path, rows: list[tuple[str, str, int]]) -> None:
    """The table of removed words that a page of concordances reads."""
    (folder / "statistics").mkdir(exist_ok=True)
    tsv.write(folder / "statistics" / "removed_words.tsv", ("stage", "word", "count_kept"), rows)


def test_typical_words_can_be_searched_for(tmp_path: Path) -> None:
    """Only words of one token are taken, and what has a meaning in patterns is escaped."""
    address = "www.a.example/?a[]=1"
    write_batch(tmp_path, [Page((Block(f"Home {address.upper()} can't", label="bad"), Block("She drinks tea.")))])
    write_lists(tmp_path, ["b00000"])
    words = [("se", 0), ("can't", 9), ('class="b', 9), (address, 1), ("a{2", 9), ("home", 2), ("a]", 9), ("tea", 1)]
    write_typical_words(tmp_path, [("language", "und", 3), *(("boilerplate", *word) for word in words)])
    patterns = concordance_page.typical_words(tmp_path)
    assert patterns[1:] == ["home", "tea"]
    page = concordance_page.render(tmp_path, [])
    assert page.count("1 hits in") == 12  # `tea` before and after cleaning
    assert page.count("<h2>") == 3


@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_ends_when_nobody_waits(corpus: Path, threads: int) -> None:
    """It asks before each piece, and before each portion of types."""
    with pytest.raises(SearchEndedError):
        list(search(corpus, '".*"', threads=threads, ended=lambda: True))

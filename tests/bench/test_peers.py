"""`bench peers`: made duplicates and their scores, the tools on small input, and the page."""

import itertools
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from peers import deduplication, extraction, made_duplicates, reading, table
from peers.made_duplicates import KINDS, ORIGINAL, Document, Paragraph, score
from support.archives import PROSE, warc_record
from support.gold_folders import TEXT
from support.running import REPOSITORY

pytestmark = pytest.mark.usefixtures("fresh_process")

#: Marks each paragraph that it has seen before, as onion marks duplicates: a column of 0 or 1 before each line.
ONION = """#!{python} -S
import sys
seen, lines = set(), []
def finish():
    text = tuple(line for line in lines if not line.startswith("<"))
    sys.stdout.writelines(f"{{int(bool(text) and text in seen)}}\\t{{line}}" for line in lines)
    seen.add(text)
    lines.clear()
for line in open(sys.argv[-1], encoding="utf-8"):
    if line.startswith(("<p", "</p", "<doc", "</doc")):
        finish()
    lines.append(line)
finish()
"""


@pytest.fixture
def onion(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program `onion` on the PATH."""
    program = tmp_path / "bin" / "onion"
    program.parent.mkdir()
    program.write_text(ONION.format(python=sys.executable), encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=":")


def gold_pages(folder: Path, pages: int) -> str:
    """A folder of gold pages: a menu, and a paragraph of 46 words."""
    for number in range(pages):
        text = f"{TEXT.format(number)} {TEXT.format(number + 1)}"
        for part, content in (("html", f"<a href=/>Home {number}</a><p>{text}</p>"), ("gold", text)):
            (folder / part).mkdir(parents=True, exist_ok=True)
            (folder / part / f"{number}.{'txt' if part == 'gold' else part}").write_text(content, encoding="utf-8")
    return str(folder)


def two(kind: str) -> list[Document]:
    """A page of two paragraphs, its copy, and a page of its own."""
    first, second, third = (Paragraph((word,) * size, size, ORIGINAL) for word, size in (("a", 3), ("b", 5), ("c", 2)))
    copied = tuple(Paragraph(one.words, one.source, kind) for one in (first, second))
    return [(first, second), copied, (third,)]


def test_made_documents_are_the_same_and_have_every_kind_of_copy() -> None:
    """The kinds have their shares; copies have the length of their source, and the words that their kind replaces."""
    documents = made_duplicates.make(15_000)
    assert documents == made_duplicates.make(15_000)
    paragraphs = [paragraph for document in documents for paragraph in document]
    sources = {one.source: one for one in paragraphs if one.kind == ORIGINAL}
    for kind, (share, replaced) in KINDS.items():
        assert sum(any(one.kind == kind for one in document) for document in documents) == round(share * len(documents))
        pairs = [(one.words, sources[one.source].words) for one in paragraphs if one.kind == kind]
        assert all(len(copy) == len(words) for copy, words in pairs)
        same = [a == b for copy, words in pairs for a, b in zip(copy, words, strict=True)]
        assert 1 - sum(same) / len(same) == pytest.approx(replaced, abs=0.02)


@pytest.mark.parametrize(
    ("kept", "precision", "recall"),
    [
        ([[True, True], [True, True], [True]], 0, 0),
        ([[True, True], [False, False], [True]], 100, 100),
        ([[False, True], [True, False], [True]], 100, 100),
        ([[True, False], [True, False], [True]], 50, 62.5),
        ([[True, True], [False, False], [False]], 80, 100),
    ],
    ids=["all kept", "copies removed", "either removed", "both removed", "another removed"],
)
def test_scores_ask_for_one_of_a_paragraph_and_its_copy(
    kept: list[list[bool]], precision: float, recall: float
) -> None:
    """Precision and recall by words; removing the last one of a text is wrong."""
    (kind, *_) = KINDS
    found = score(two(kind), kept)
    assert (found.precision, found.recall, found.by_kind[kind]) == (precision, recall, recall)
    assert found.documents == sum(map(any, kept))
    assert found.words == sum(
        len(one.words)
        for page, flags in zip(two(kind), kept, strict=True)
        for one, flag in zip(page, flags, strict=True)
        if flag
    )


@pytest.mark.usefixtures("onion")
def test_tools_of_deduplication_find_exact_copies() -> None:
    """Ours and onion's marks give a row each; both find whole copies, and paragraphs copied between others."""
    tools = [tool for tool in deduplication.systems() if tool.title.startswith(("corpusprep, blocks", "onion"))]
    documents, rows = deduplication.measure(0, 1, tools)
    words = sum(len(paragraph.words) for document in documents for paragraph in document)
    assert [row.system for row in rows] == tools
    for row in rows:
        assert row.seconds > 0
        assert (
            row.quality.by_kind["whole pages"] == row.quality.by_kind["half of a page"] == row.quality.precision == 100
        )
        assert row.quality.words < words
    ours, onion = rows
    assert ours.quality.by_kind["1 word in 50 replaced"] > 90 > onion.quality.by_kind["1 word in 50 replaced"]


def test_extractors_and_the_page(tmp_path: Path) -> None:
    """Ours and justext keep the story of gold pages; the page shows the rows, and which tools were not there."""
    tools = [tool for tool in extraction.systems() if tool.title in ("jusText A", "justext 3")]
    gold_set = extraction.read(gold_pages(tmp_path / "gold", 5), tmp_path, 3)
    assert len(gold_set.pages) == 3
    rows = extraction.measure(gold_set, 1, tools)
    assert [(row.system, row.scores.f1) for row in rows] == [(tool, 100) for tool in tools]
    text = table.page("python bench peers", "A machine.", ("x", []), [(gold_set, rows)], two(ORIGINAL), [])
    assert all(f"| {tool.title} | " in text for tool in tools)
    assert "onion was not on the PATH" in text


def archive(folder: Path, pages: int) -> Path:
    """An archive of that many pages."""
    path = folder / "x.warc.gz"
    bodies = (f"{PROSE} {number}".encode() for number in range(pages))
    path.write_bytes(b"".join(warc_record("https://a.example/", body) for body in bodies))
    return path


def test_readers_of_a_damaged_archive(tmp_path: Path) -> None:
    """Ours gives all sound pages; one that invents a page and ends early is found out."""

    def short(path: Path) -> Iterator[bytes]:
        yield from itertools.islice(ours.bodies(path), 20)
        yield b"none of the archive's"
        raise ValueError("the rest cannot be read")

    ours = reading.systems()[0]
    whole, damaged = archive(tmp_path, 100), tmp_path / "damaged"
    first, _ = reading.measure(whole, damaged, 1, [ours, ours])
    assert (first.pages, first.right, first.wrong) == (100, 100, 0)
    found = list(ours.bodies(damaged))
    assert len([body for body in found if body]) == 98
    row = reading.Row(
        ours, 1, 100, 5_000_000, *reading.quality(reading.System("short", "short 1", short), damaged, whole)
    )
    assert (round(row.right, 1), row.wrong) == (round(2000 / 98, 1), 1)
    assert "| corpusprep | 1.000 | 5 | 100 | 20.4 | 1 |" in list(reading.table([row]))


@pytest.mark.slow
def test_the_command_writes_the_page(tmp_path: Path) -> None:
    """The whole tool on tiny input, with datatrove's MinHash."""
    gold, output, crawl = gold_pages(tmp_path / "gold", 3), tmp_path / "peers.md", archive(tmp_path, 60)
    command = [
        sys.executable,
        REPOSITORY / "bench",
        "peers",
        "--crawl",
        crawl,
        "--gold",
        gold,
        "--words",
        "0",
        "--rounds",
        "1",
    ]
    subprocess.run([*command, "--output", output], check=True, capture_output=True)
    rows = [line.split("|") for line in output.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    found = {row[1].strip(): row[2:] for row in rows}
    assert {"jusText A", "content", "justext 3", "corpusprep, blocks", "datatrove, MinHash"} <= found.keys()
    assert float(found["datatrove, MinHash"][7 + list(KINDS).index("whole pages")]) == 100

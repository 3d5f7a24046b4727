"""`corpusprep check reuse`: the task of the lecture, plain texts, and invalid input."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st
from support.token_documents import random_texts

from corpusprep import languages
from corpusprep._native.unicode import nfc
from corpusprep.commands.application import main
from corpusprep.reuse import sources as reuse
from corpusprep.reuse.intervals import ValidIntervals
from corpusprep.reuse.reading import read_texts, tokens_and_spans, vertical_texts
from corpusprep.text.tokenizer import Tokenizer

WORDS = random_texts(4, 120, seed=9)


def document(name: str, kind: str, source: str, words: list[str], author: str = "Anna") -> str:
    """A document of the task, with tags."""
    lines = "".join(f"{word}\tlemma\ttag\n" for word in words)
    start = f'<doc author="{author}" id="{name}" class="{kind}" source="{source}">'
    return f"{start}\n<s>\n{lines}<g/>\n.\t.\tz\n</s>\n</doc>\n"


TASK = "".join(
    [
        document("1", "original", "1", WORDS[0]),
        document("2", "original", "2", WORDS[1]),
        document("3", "plagiarism", "1", WORDS[2][:50] + [word.upper() for word in WORDS[0][30:90]]),
        document("4", "plagiarism", "2", WORDS[3]),
        document("5", "plagiarism", "2", WORDS[0][:40] + WORDS[2][:60]),
    ]
)


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Exit code, output and errors of `corpusprep check reuse`."""
    with pytest.raises(SystemExit) as end:
        main(["check", "reuse", *map(str, arguments)])
    return (end.value.code or 0, *capsys.readouterr())  # type: ignore[return-value]


def test_the_task_of_the_lecture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Id, detected source and true source; passages by tokens; precision, recall and F1."""
    (tmp_path / "task.vert").write_text(TASK, encoding="utf-8")
    code, out, _ = run(capsys, tmp_path / "task.vert", tmp_path / "task.vert")
    assert code == 0
    assert out.splitlines() == [
        "3\t1\t1",
        "\t50-110\t30-90\t56",
        "4\t-\t2",
        "5\t1\t2",
        "\t0-40\t0-40\t36",
        "0.50\t0.33\t0.40",
    ]


LECTURE = """<doc author="Já První" id="1" class="original" source="1">
<s>
Dnes\tdnes\tk6eAd1
je\tbýt\tk5eAaImIp3nS
pěkný\tpěkný\tk2eAgInSc4d1\tpěkný
den\tden\tk1gInSc4\tden
</g/>
!\t!\tk?
</s>
</doc>
<doc author="Já První" id="2" class="plagiarism" source="1">
<s>
Dnes\tdnes\tk6eAd1
je\tbýt\tk5eAaImIp3nS
ale\tale\tk9
pěkný\tpěkný\tk2eAgInSc4d1\tpěkný
den\tden\tk1gInSc4\tden
</g/>
!\t!\tk?
</s>
</doc>
"""


def test_the_example_of_the_lecture_comes_out_as_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With chunks of two words; with the defaults the command says that the document is too short."""
    (tmp_path / "task.vert").write_text(LECTURE, encoding="utf-8")
    both = (tmp_path / "task.vert", tmp_path / "task.vert")
    code, out, errors = run(capsys, *both, "--n", 2, "--least", 2)
    lines = [line for line in out.splitlines() if not line.startswith("\t")]
    assert (code, lines, errors) == (0, ["2\t1\t1", "1.00\t1.00\t1.00"], "")
    code, out, errors = run(capsys, *both)
    assert (code, out.splitlines()[0]) == (0, "2\t-\t1")
    assert errors.startswith("1 of 1 suspicious documents have fewer than 24 words")


def test_ids_are_those_of_an_author(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A source with the right number but another author is wrong."""
    task = document("1", "original", "1", WORDS[0], "Jan") + document("2", "plagiarism", "1", WORDS[0], "Eva")
    (tmp_path / "task.vert.zst").write_bytes(zstandard.compress(task.encode()))
    assert run(capsys, tmp_path / "task.vert.zst", tmp_path)[1].endswith("\n0.00\t0.00\t0.00\n")


def test_passages_of_plain_texts_are_characters(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The offsets select the passage in both texts; without true sources there are no scores."""
    source, text = " ".join(WORDS[0]), "Žluťoučký kůň, " + " ".join(WORDS[0][10:60]) + ". Konec."
    (tmp_path / "source.txt").write_text(source, encoding="utf-8")
    (tmp_path / "text.txt").write_text(text, encoding="utf-8")
    code, out, _ = run(capsys, tmp_path / "text.txt", tmp_path / "source.txt", "--language", "cs")
    assert code == 0
    first, passage = out.splitlines()
    assert first == "text.txt\tsource.txt"
    spans = [tuple(map(int, span.split("-"))) for span in passage.split("\t")[1:3]]
    assert text[slice(*spans[0])] == source[slice(*spans[1])] == " ".join(WORDS[0][10:60])


def test_no_text_is_its_own_source(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In a folder compared with itself; the true sources are in a table."""
    for name, words in (("a", WORDS[0]), ("b", WORDS[1]), ("c", WORDS[0][:60])):
        (tmp_path / f"{name}.txt").write_text(" ".join(words), encoding="utf-8")
    (tmp_path / "truth").write_text("a.txt\tc.txt\nb.txt\t-\n", encoding="utf-8")
    _, out, _ = run(capsys, tmp_path, tmp_path, "--truth", tmp_path / "truth")
    assert [line for line in out.splitlines() if line[0] != "\t"] == [
        "a.txt\tc.txt\tc.txt",
        "b.txt\t-\t-",
        "c.txt\ta.txt",
        "1.00\t1.00\t1.00",
    ]


@pytest.mark.parametrize(
    ("suspicious", "message"),
    [
        ("none.vert", "none.vert: no such file or folder"),
        ("empty", "no file in this folder is named *.txt, *.vert, *.vert.zst"),
        ("originals.vert", "originals.vert: no suspicious document in it"),
        ("broken.vert.zst", "broken.vert.zst: "),
    ],
)
def test_wrong_input_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], suspicious: str, message: str
) -> None:
    """The line names the file."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "originals.vert").write_text(document("1", "original", "1", WORDS[0]), encoding="utf-8")
    (tmp_path / "broken.vert.zst").write_bytes(zstandard.compress(TASK.encode())[:-9])
    code, out, errors = run(capsys, tmp_path / suspicious, tmp_path / "originals.vert")
    assert (code, out) == (1, "")
    assert errors.startswith("corpusprep: error: ")
    assert message in errors
    assert errors.count("\n") == 1


def test_a_table_of_truth_has_two_columns(tmp_path: Path) -> None:
    """The message gives the number of any other line."""
    (tmp_path / "truth").write_text("a\tb\n\nc\n", encoding="utf-8")
    with pytest.raises(reuse.InputError, match="line 3 is not"):
        reuse.read_truth(tmp_path / "truth")


@pytest.mark.parametrize(
    ("truth", "message"),
    [
        ("three\t1\n", "none of the suspicious documents has the id three; one of their ids is 3"),
        ("3\tone\n4\t-\n", "none of the sources has the id one; one of their ids is 1"),
    ],
)
def test_true_sources_of_other_documents_are_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], truth: str, message: str
) -> None:
    """Otherwise nothing would be scored, or everything would be wrong."""
    (tmp_path / "task.vert").write_text(TASK, encoding="utf-8")
    (tmp_path / "truth").write_text(truth, encoding="utf-8")
    code, out, errors = run(capsys, tmp_path / "task.vert", tmp_path / "task.vert", "--truth", tmp_path / "truth")
    assert (code, out) == (1, "")
    assert message in errors


def test_verticals_are_read_in_any_pieces() -> None:
    """Like in the kernels, `<` and `<5>` are tokens, `<b>` is not, and text outside documents does not count."""
    data = b"out\n<doc id='x' id=\"a&amp;b\">\n<p>\n<\n<5>\n<b>\nword\ttag\n\n</p>\n<doc>\nlast"
    wanted = [({"id": "a&b"}, ["<", "<5>", "word"]), ({}, ["last"])]
    for size in range(1, 9):
        assert list(vertical_texts(data[start : start + size] for start in range(0, len(data), size))) == wanted


@given(st.text(max_size=60))
def test_spans_cut_the_tokens_out_of_the_text(text: str) -> None:
    """Spans are in order, for any text."""
    tokens, spans = tokens_and_spans(text, Tokenizer(["etc."], [], ["n't"]))
    assert [nfc(text[begin:end]) for begin, end in spans] == tokens
    assert all(begin >= end for (_, end), (begin, _) in pairwise(spans))


@pytest.mark.data
def test_short_answers_are_traced_to_their_sources(unpacked: Callable[[str], Path]) -> None:
    """Clough and Stevenson's answers and the five sources: every detected source is the right one."""
    folder = unpacked("clough-stevenson")
    rows = [line.split(",") for line in (folder / "file_information.csv").read_text(encoding="utf-8").split()[1:]]
    truth = {name: "" if kind == "non" else f"orig_task{task}.txt" for name, task, kind in rows if kind != "orig"}
    model = languages.get("en")
    tokenizer = Tokenizer(model.abbreviations, model.clitic_prefixes, model.clitic_suffixes)
    assert len(read_texts(folder, tokenizer)) == 100
    suspicious, sources = reuse.read(folder, folder, tokenizer, truth)
    suspicious = [candidate for candidate in suspicious if candidate.id in truth]
    sources = [candidate for candidate in sources if candidate.id not in truth]
    for least, floor in ((20, 38), (10, 46), (5, 51)):
        found = reuse.counts(reuse.detect(suspicious, sources, ValidIntervals(least=least)))
        assert found is not None
        assert found.false_positives == 0
        assert found.true_positives >= floor
        assert found.true_positives + found.false_negatives == 57

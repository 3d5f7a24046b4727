"""The commands that list items of a corpus: what they print."""

import json
from pathlib import Path

import pytest
from support import made_verticals
from support.made_verticals import Made

from corpusprep.commands.application import main
from corpusprep.inspection.word_lists import Corpus
from corpusprep.io import tsv


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus of four documents of two hosts."""
    words = ["the", "strong", "tea", "日本語の長い長い長い長い長い長い長い言葉", "of", "the", "tea", "\u202e"]
    documents = [
        Made({"id": str(n), "host": f"h{n % 2}.example", "date": f"201{n}", "lang": "en"}, [words[n:]])
        for n in range(4)
    ]
    return made_verticals.write(tmp_path_factory.mktemp("corpus"), [documents])


def printed(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[str, str]:
    """What a command prints, and says beside it."""
    with pytest.raises(SystemExit) as end:
        main([str(argument) for argument in arguments])
    told = capsys.readouterr()
    assert end.value.code in (0, 1), told.err
    return told.out, told.err


def test_lists_fit_a_terminal(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 80 columns; what is too long is cut, and no character of a page changes the terminal."""
    from rich.cells import cell_len

    monkeypatch.setenv("COLUMNS", "80")
    for command in (["words"], ["keywords", "--reference", folder, "--ngrams", "2"], ["collocations"]):
        out, _ = printed(capsys, command[0], folder, *command[1:], *(["tea"] if command == ["collocations"] else []))
        lines = out.splitlines()
        assert max(map(cell_len, lines)) <= 80
        assert "\u202e" not in out
    out, _ = printed(capsys, "words", folder, "--limit", "2")
    assert [line.split() for line in out.splitlines()] == [
        ["per"],
        ["frequency", "million", "documents", "hosts", "ARF", "DP"],
        ["tea", "7", "269,230.8", "4", "2", "6.3", "0.033"],
        ["the", "5", "192,307.7", "4", "2", "4.5", "0.062"],
        "2 of 6 items; 26 tokens, 4 documents, 2 hosts".split(),
    ]


def test_lists_for_programs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tab-separated or JSON, with the summary on standard error."""
    out, said = printed(capsys, "words", folder, "--ngrams", "2", "--limit", "1", "--format", "json")
    assert json.loads(out)["item"] == "of the"
    assert said.startswith("1 of ")
    out, _ = printed(capsys, "collocations", folder, "tea", "--format", "tsv", "--window", "1,0")
    assert out.splitlines()[0] == "item\ttogether\tfrequency\tvalue"
    out, _ = printed(capsys, "keywords", folder, "--where", 'host="h0.*"', "--format", "tsv", "--save", "zero")
    assert out.splitlines()[0].split("\t") == [
        "item", "frequency", "hosts", "per_million", "reference_per_million", "value", "low", "high",
    ]  # fmt: skip
    assert printed(capsys, "keywords", folder, "--in", "zero", "--format", "tsv")[0] == out
    hits, _ = printed(capsys, "search", folder, "tea", "--in", "zero", "--format", "tsv")
    assert {line.split("\t")[3] for line in hits.splitlines()} == {"host", "h0.example"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["words", "--where", "host=x"], "a quotation mark must stand here, at character 6"),
        (["words", "--in", "other"], "no subcorpus other"),
        (["words", "--save", "x"], "give its condition (--where)"),
        (["words", "--pattern", "("], "regular expression: unclosed group"),
        (["keywords", "--reference", "wordfreq", "--ngrams", "2"], "wordfreq has words in lower case only"),
        (["keywords", "--reference", "nowhere"], "nowhere: no such folder"),
        (["collocations", "tea", "--window", "5"], "give tokens to the left and to the right"),
        (["collocations", "[x="], "no column x"),
    ],
)
def test_errors_say_what_to_do(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    """One line, or one with the place below it."""
    try:
        main([arguments[0], str(folder), *arguments[1:]])
    except SystemExit as end:
        assert end.code  # noqa: PT017
    assert message in capsys.readouterr().err


def test_lists_that_a_run_counts(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They are those that the commands find, and a table names their files."""
    printed(capsys, "step", "wordlists", "--lists", "lc", "--lists", "word 2", folder)
    rows = tsv.read(folder / "word-lists" / "made.tsv")
    assert [(row["attribute"], row["ngrams"]) for row in rows] == [("lc", "1"), ("word", "2")]
    paths = [folder / "word-lists" / row["file"] for row in rows]
    assert [Corpus(folder).words("lc").path, Corpus(folder).words("word", 2).path] == paths
    assert all(path.exists() for path in paths)

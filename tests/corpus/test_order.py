"""Documents and sentences in an order of chance; documents for validation."""

import json
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner
from support.batch_fixture import TOKENIZER, Block, Page, write_batch
from support.small_tokenizer import tokens_of, write_tokenizer

from corpusprep.archive.batches import Batch
from corpusprep.archive.batches import write_batches as write_plan
from corpusprep.commands.application import application
from corpusprep.corpus.documents import corpus_documents
from corpusprep.corpus.export import export
from corpusprep.corpus.order import placed, shuffled
from corpusprep.corpus.shards import Division
from corpusprep.errors import StageFileError
from corpusprep.io import memory as limits
from corpusprep.io.files import zstd_chunks, zstd_writer
from corpusprep.tables.batch_files import BatchFiles, corpus_file
from corpusprep.text.validation import problems

SENTENCES = ["The ferry is back.", "It is full of people &c.", "Nobody knows why."]


def page(number: int) -> Page:
    """A page of two blocks, whose sentences other pages have, too."""
    text = f"{SENTENCES[number % 3]} Page {number} has it."
    said = {"licence": "https://creativecommons.org/licenses/by/4.0/", "author": "A. Nother", "rights": "noai@meta"}
    url = f"http://{'ab'[number % 2]}.example/{number}"
    return Page((Block(text), Block(f"Number {number}", heading=True)), url=url, said=said)


def write(folder: Path, *batches: list[int]) -> Path:
    """Writes a corpus of pages in batches, with sentences marked; returns its folder."""
    for place, numbers in enumerate(batches):
        files = write_batch(folder.with_name(f"{folder.name}-{place}"), [page(number) for number in numbers])
        mark_sentences(files.vertical)
        for path in files.vertical.parents[1].rglob("*"):
            if path.is_file():
                target = folder / path.parent.name / path.name.replace("b00000", f"b{place:05}")
                target.parent.mkdir(parents=True, exist_ok=True)
                path.rename(target)
    plan = [Batch(f"b{place:05}", (Path(f"{place}.warc.gz"),), (1,)) for place in range(len(batches))]
    write_plan(plan, corpus_file(folder, "plan"))
    return folder


def mark_sentences(vertical: Path) -> None:
    """Marks a sentence behind each full stop, as a tagger that numbers them does."""
    text = b"".join(zstd_chunks(vertical)).decode()
    text = re.sub(r"(<p [^\n]*\n)", r'\1<s id="7">\n', text).replace("</p>", "</s>\n</p>")
    text = text.replace("\n.\n", '\n.\n</s>\n<s id="8">\n').replace('<s id="8">\n</s>\n', "")
    with zstd_writer(vertical) as stream:
        stream.write(text.encode())


def rows(folder: Path, name: str = "*") -> list[dict[str, object]]:
    """The documents of the JSON lines of an export, in the order of its files."""
    paths = sorted(folder.glob(f"{name}.jsonl.zst"))
    lines = "".join(b"".join(zstd_chunks(path)).decode() for path in paths).split("\n")[:-1]
    return [json.loads(line) for line in lines]


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_order_depends_on_documents_and_seed_alone(tmp_path: Path) -> None:
    """Not on batches, the order of archives, or memory. No document is lost, and the order is one of chance."""
    corpora = [write(tmp_path / name / "c", *batches) for name, batches in (
        ("one", [[*range(40)]]),
        ("two", [[*range(25, 40)], [*range(25)]]),
    )]  # fmt: skip
    for place, corpus in enumerate(corpora):
        export(corpus, ["text", "jsonl"], Division(200, order="shuffled", seed=3), tmp_path / f"out-{place}")
    first, second = (contents(tmp_path / f"out-{place}") for place in range(2))
    texts = [name for name in first if name.endswith(".txt.zst")]
    assert len(texts) > 3
    assert [first[name] for name in texts] == [second[name] for name in texts]
    urls = [row["url"] for row in rows(tmp_path / "out-0")]
    assert Counter(urls) == Counter(page(number).url for number in range(40))
    numbers = [int(str(url).rpartition("/")[2]) for url in urls]
    assert 200 < sum(abs(place - number) for place, number in enumerate(numbers)) < 900  # 533 is expected
    export(corpora[0], ["jsonl"], Division(200, order="shuffled", seed=4), tmp_path / "other")
    assert [row["url"] for row in rows(tmp_path / "other")] != urls


def test_the_order_does_not_depend_on_memory(tmp_path: Path) -> None:
    """With temporary files that are divided again, it is the same."""
    corpus = write(tmp_path / "c", [*range(40)])
    export(corpus, ["jsonl"], Division(order="shuffled"), tmp_path / "out")
    documents = placed(corpus_documents(BatchFiles.of(corpus, "b00000")), 0.0)
    found = [document.values for document, _ in shuffled(documents, 0, tmp_path / "spill", 5_000)]
    assert found == rows(tmp_path / "out")


def test_sentences_do_not_lead_back_to_their_pages(tmp_path: Path) -> None:
    """Each is a document with its host and year. Batches and the order of pages leave no trace in the files."""
    for name, batches in (("one", [[*range(40)]]), ("two", [[*range(30, 40)], [*range(30)]])):
        corpus = write(tmp_path / name / "c", *batches)
        division = Division(1_000, order="sentences", seed=1)
        export(corpus, ["vertical", "jsonl", "parquet", "text", "conllu", "tei"], division, tmp_path / f"out-{name}")
    assert contents(tmp_path / "out-one") == contents(tmp_path / "out-two")
    sentences = rows(tmp_path / "out-one")
    expected = Counter[str]()
    for number in range(40):
        expected.update([SENTENCES[number % 3], f"Page {number} has it.", f"Number {number}"])
    assert Counter(row["text"] for row in sentences) == expected
    assert [row["id"] for row in sentences] == [f"{number:016x}" for number in range(120)]
    kept = {"id", "host", "date", "lang", "licence", "rights", "words", "tokens", "text", "blocks"}
    for row in sentences:
        assert all(not value for name, value in row.items() if name not in kept)
        assert row["date"] == "2020"
        assert row["words"] == len(str(row["text"]).split())
        assert row["tokens"] == len(TOKENIZER.tokenize(str(row["text"])))
        assert row["blocks"] == [{"block": 0, "heading": str(row["text"]).startswith("Number")}]
    table = pl.concat(map(pl.read_parquet, sorted((tmp_path / "out-one").glob("*.parquet"))))
    assert table.to_dicts() == sentences
    verticals = sorted((tmp_path / "out-one").glob("*.vert.zst"))
    assert [problem for path in verticals for problem in problems(path)] == []
    text = "".join(b"".join(zstd_chunks(path)).decode() for path in verticals)
    assert text.count("<s>\n") == text.count("</s>\n") == text.count('block="0"') == 120
    assert "http" not in text.replace("https://creativecommons.org", "")
    neighbours = sum(first["host"] == second["host"] for first, second in pairwise(sentences))
    assert 30 < neighbours < 90  # 60 are expected


def test_sentences_must_be_marked(tmp_path: Path) -> None:
    """Otherwise whole texts would be published; the message says what to set, and nothing is written."""
    write_batch(tmp_path / "c", [Page((Block("Two sentences. In one block."),))])
    write_plan([Batch("b00000", (Path("a.warc.gz"),), (1,))], corpus_file(tmp_path / "c", "plan"))
    with pytest.raises(StageFileError, match=r"no sentences are marked; set tokens: \{sentences: true\}"):
        export(tmp_path / "c", ["jsonl"], Division(order="sentences"), tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["c"]


@pytest.mark.parametrize("order", ["archives", "shuffled", "sentences"])
def test_documents_for_validation(tmp_path: Path, order: str) -> None:
    """About their share, in files of their own; a document stays in its part in any order and company."""
    corpora = [write(tmp_path / name / "c", [*range(number)]) for name, number in (("all", 120), ("some", 40))]
    parts = []
    for corpus, share, seed in ((corpora[0], 0.2, 0), (corpora[1], 0.2, 5), (corpora[0], 0.4, 5)):
        arguments = ["export", str(corpus), "--formats=jsonl", "--shards=one", f"--order={order}", f"--seed={seed}"]
        arguments += [f"--validation={share}", "--memory=4G", f"--output={tmp_path / 'out'}"]
        assert CliRunner().invoke(application, arguments, catch_exceptions=False).exit_code == 0
        assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
            "SHA256SUMS",
            "c-train.jsonl.zst",
            "c-validation.jsonl.zst",
        ]
        pages = r"Page \d+"
        train, validation = (
            {name for row in rows(tmp_path / "out", f"c-{part}") for name in re.findall(pages, str(row["text"]))}
            for part in ("train", "validation")
        )
        assert not train & validation
        parts.append((train, validation))
    (train, validation), (fewer, some), (_, more) = parts
    assert len(train) + len(validation) == 120
    assert 12 <= len(validation) <= 36
    assert some == validation & (fewer | some)
    assert validation < more


def test_shards_of_tokens(tmp_path: Path) -> None:
    """Of the corpus; or of a model, where they are counted."""
    corpus = write(tmp_path / "c", [*range(20)])
    export(corpus, ["parquet"], Division(40, of_tokens=True), tmp_path / "own")
    tables = [pl.read_parquet(path) for path in sorted((tmp_path / "own").glob("*.parquet"))]
    assert all(20 < table["tokens"].sum() <= 40 for table in tables[:-1])
    tokenizer = write_tokenizer(tmp_path / "tokenizer.json")
    options = [str(corpus), f"--count-tokens={tokenizer}"]
    for arguments in (
        ["step", "subwords", *options, "--batch=b00000"],
        ["export", *options, "--formats=parquet", "--shards=0.1k tokens", f"--output={tmp_path / 'model'}"],
    ):
        assert CliRunner().invoke(application, arguments, catch_exceptions=False).exit_code == 0
    tables = [pl.read_parquet(path) for path in sorted((tmp_path / "model").glob("*.parquet"))]
    assert all(50 < table["model_tokens"].sum() <= 100 for table in tables[:-1])
    table = pl.concat(tables)
    assert table["model_tokens"].to_list() == list(map(tokens_of, table["text"]))
    export_sentences = ["--formats=parquet", "--order=sentences", "--memory=4G", f"--output={tmp_path / 'sentences'}"]
    assert CliRunner().invoke(application, ["export", *options, *export_sentences]).exit_code == 0
    table = pl.read_parquet(tmp_path / "sentences" / "c.parquet")
    assert table["model_tokens"].to_list() == list(map(tokens_of, table["text"]))


def test_too_little_memory_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As for all steps over the corpus."""
    corpus = write(tmp_path / "c", [1])
    monkeypatch.setattr(limits, "held", lambda: 10**9)
    done = CliRunner().invoke(application, ["export", str(corpus), "--order", "shuffled", "--memory", "500M"])
    assert "memory of 500M is too little for shuffling the corpus" in str(done.exception)
    assert not (corpus / "export").exists()

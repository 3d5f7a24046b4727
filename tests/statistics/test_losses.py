"""What was removed, in words, and how a corpus is spread: against values computed by hand and recounts."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from support import corpus_fixture as fixture
from support.counting import compute

from corpusprep.io import tsv
from corpusprep.pipeline import DECIDING
from corpusprep.statistics import chosen_pages
from corpusprep.statistics.corpus_folder import CorpusFolder
from corpusprep.statistics.host_losses import HostLosses
from corpusprep.statistics.host_words import HostWords
from corpusprep.statistics.joined_verdicts import JoinedVerdicts
from corpusprep.statistics.keywords import Keywords
from corpusprep.statistics.lengths import LENGTHS
from corpusprep.statistics.removed_words import RemovedWords
from corpusprep.statistics.table import Inputs
from corpusprep.statistics.templates import Templates
from corpusprep.statistics.word_dispersion import WordDispersion
from corpusprep.tables import schemas
from corpusprep.tables.verdicts import KEPT
from corpusprep.tables.writing import write_table


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> fixture.FakeCorpus:
    """A made-up corpus of two batches with its statistics."""
    made = fixture.write(tmp_path_factory.mktemp("corpus"), fixture.draw(seed=11, batches=2, records=30))
    compute(made.folder, made.folder / "statistics")
    return made


def table(corpus: fixture.FakeCorpus, name: str) -> list[dict[str, str]]:
    """A statistics table of the corpus."""
    return tsv.read(corpus.folder / "statistics" / f"{name}.tsv")


def removing(record: fixture.Record, block: fixture.Block) -> str:
    """The stage that removed a block; empty if it is in the corpus."""
    if block.boilerplate != KEPT:
        return "boilerplate"
    if record.language != KEPT or block.foreign:
        return "language"
    return "documents" if record.document != KEPT else "" if block.last == KEPT else "blocks"


def words_of(counts: dict[str, dict[str, int]]) -> pl.DataFrame:
    """Sums of Keywords: word -> number -> count, other numbers 0."""
    numbers = Keywords.numbers
    rows = [{"key": word, **dict.fromkeys(numbers, 0), **found} for word, found in counts.items()]
    return pl.DataFrame(rows, schema={"key": pl.String, **dict.fromkeys(numbers, pl.Int64)})


def test_log_ratio_by_hand() -> None:
    """20 of 1,000 words against 10 of 4,000: eight times as frequent, so the log ratio is 3.

    Its error is sqrt(1/20 - 1/1000 + 1/10 - 1/4000) = 0.38568 (natural); 1.95996 times that in binary logarithms is
    1.09056. A word that the corpus lacks counts there as half an occurrence: 8/1000 against 0.5/4000 is 64, so 6.
    """
    found = RemovedWords(Inputs(running={"boilerplate": 1_000, "count_after": 4_000}))
    words = words_of(
        {
            "menu": {"boilerplate": 20, "count_after": 10},
            "login": {"boilerplate": 8},
            "the": {"boilerplate": 50, "count_after": 200},
            "rare": {"boilerplate": 1},
            "kept": {"count_after": 7},
        }
    )
    found.add_words(words)
    rows = {row[1]: row for row in found.rows()}
    assert rows["menu"] == ("boilerplate", "menu", 20, 10, "20000.0", "2500.0", "3.000", "1.909", "4.091")
    assert rows["login"][6] == "6.000"
    assert list(rows) == ["menu", "login"]  # by the lower end; the others are not surely more frequent


def test_hosts_by_hand() -> None:
    """Those that lost more than half of their words; the share of the ten largest counts all hosts."""
    rows = [(f"h{number}", 2, 1, 100 * number, 60 * number) for number in range(1, 12)]
    rows += [("lost", 5, 1, 1_000, 499), ("half", 5, 5, 1_000, 500), ("gone", 4, 0, 300, 0)]
    schema = ["key", "documents_crawl", "documents", "words_crawl", "words"]
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    losses = HostLosses()
    losses.add_hosts(frame[:5])
    losses.add_hosts(frame[5:])
    assert list(losses.rows()) == [("lost", 5, 1, 1_000, 499, "50.1"), ("gone", 4, 0, 300, 0, "100.0")]
    assert (losses.hosts, losses.words) == (13, 60 * 66 + 999)
    assert losses.words_of_largest == 60 * (11 + 10 + 9 + 8 + 7 + 6 + 5 + 4) + 500 + 499


def pages_of(texts: dict[str, list[tuple[str, str]]]) -> tuple[JoinedVerdicts, pl.DataFrame]:
    """Pages as joined, and as chosen: host -> (verdict of boilerplate, text) of the blocks of its page."""
    rows = [
        {"record": record, "boilerplate": verdict, "text": text}
        for record, blocks in enumerate(texts.values())
        for verdict, text in blocks
    ]
    blocks = pl.DataFrame(rows).with_columns(
        pl.when(pl.col("boilerplate") == KEPT).then(pl.lit(KEPT)).alias(stage) for stage in DECIDING[1:]
    )
    chosen = pl.DataFrame({"record": range(len(texts)), "host": list(texts)}).with_columns(place="record", of_host=True)
    documents = chosen.select("record", url=pl.lit(None, pl.String), page_digest=pl.col("record").cast(pl.String))
    return JoinedVerdicts(pl.DataFrame(), documents, blocks), chosen


def test_templates_by_hand() -> None:
    """A notice is one row wherever it stands in a block; short blocks count as a whole; text that is kept does not."""
    notice = "all rights reserved by the editors of this page"
    texts = {
        "a": [("short", f"First of all {notice} since 1999"), ("short", "Home"), (KEPT, notice)],
        "b": [("short", f"{notice} until now"), ("short", "Home"), ("short", "Home")],
        "c": [("short", f"Here {notice}"), ("short", "Contact us"), ("short", "what occurs once is left out here")],
    }
    templates = Templates()
    templates.add_pages(*pages_of(texts))
    assert list(templates.rows()) == [("boilerplate", notice, 3, 3, 27), ("boilerplate", "Home", 3, 2, 3)]


def test_host_words_by_hand() -> None:
    """20 of 40 removed words of the host against 10 of 1,000 in the corpus: the log ratio is log2(50) = 5.644."""
    texts = {"a": [("short", "menu " * 20 + "the " * 20), (KEPT, "kept")], "b": [("short", "menu")]}
    words = HostWords()
    words.add_pages(*pages_of(texts))
    kept = pl.DataFrame({"key": ["kept", "menu", "the"], "count_after": [7, 10, 983]})
    [one, other] = words.compared(["b", "a"], kept, 1_000)
    assert one[:7] == ("b", "menu", 1, 10, "1000000.0", "10000.0", "6.644")
    assert other[:7] == ("a", "menu", 20, 10, "500000.0", "10000.0", "5.644")


@pytest.mark.parametrize("unit", ["host", "url", "page_digest"])
def test_frequent_words_by_hand(unit: str) -> None:
    """A word on one host of two with the same number of words: half of the text lacks it, so DP is 0.5.

    A page without a host is by itself: by its address, or else by its content.
    """
    texts = {"a": [(KEPT, "the the tea tea"), ("short", "menu")], "b": [(KEPT, "the the milk milk")]}
    even = WordDispersion(Inputs(running={"count_after": 8}))
    part, chosen = pages_of(texts)
    if unit == "url":
        part = replace(part, documents=part.documents.with_columns(url=pl.format("file:{}.html", "record")))
    if unit != "host":
        chosen = chosen.with_columns(host=pl.lit(""))
    even.add_pages(part, chosen)
    sums = words_of({"the": {"count_after": 4}, "tea": {"count_after": 2}, "rare": {"count_after": 1}})
    even.add_words(sums)
    assert list(even.rows()) == [
        ("the", 4, "500000.0", "0.0000"),
        ("tea", 2, "250000.0", "0.5000"),
        ("rare", 1, "125000.0", ""),
    ]
    assert even.mean() == 0.25


def test_templates_of_the_corpus_are_of_removed_blocks(corpus: fixture.FakeCorpus) -> None:
    """Each short one is in as many removed blocks as a recount finds; all pages of a small crawl are read."""
    expected: Counter[tuple[str, str]] = Counter()
    for record in corpus.pages:
        for block in record.blocks:
            if (stage := removing(record, block)) and len(block.text.split()) < 5:
                expected[stage, " ".join(block.text.split())] += 1
    rows = [row for row in table(corpus, "templates") if len(row["template"].split()) < 5 and len(row["template"]) < 50]
    assert rows
    for row in rows:
        assert int(row["blocks"]) == expected[row["stage"], row["template"]] > 1


#: The tables that are measured on chosen pages.
OF_CHOSEN = ("templates", "host_words", "word_dispersion", "dispersion")


def test_pages_are_chosen_whatever_the_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One crawl in one batch and in three: the same pages of the crawl and of each host, and the same tables."""
    [records] = fixture.draw(seed=4, batches=1, records=60).values()
    monkeypatch.setattr("corpusprep.statistics.templates.PAGES", 12)
    monkeypatch.setattr(chosen_pages.choose, "__defaults__", (20, 3))
    found = []
    for name, bounds in (("one", [60]), ("three", [7, 40, 60])):
        parts = zip([0, *bounds[:-1]], bounds, strict=True)
        made = fixture.write(
            tmp_path / name, {f"b{number}": records[slice(*part)] for number, part in enumerate(parts)}
        )
        dated(made, records)
        opened = CorpusFolder.open(made.folder)
        hosts = sorted({record.host for record in made.pages})[:2]
        chosen = chosen_pages.choose(opened, hosts, pages=7, pages_of_host=2)
        assert chosen["place"].drop_nulls().sort().to_list() == list(range(7))
        assert chosen.filter("of_host").group_by("host").len()["len"].to_list() == [2, 2]
        read = pl.concat(
            [part.documents.select("batch", "record", "url") for part in chosen_pages.read(opened, chosen)]
        )
        assert read.height == chosen.height
        compute(made.folder, made.folder / "statistics")
        pages = chosen.join(read, on=["batch", "record"]).select("url", "host", "place", "of_host").sort("url")
        found.append((pages.rows(), {table_name: table(made, table_name) for table_name in OF_CHOSEN}))
    assert found[0] == found[1]
    assert all(found[0][1].values())


def dated(made: fixture.FakeCorpus, records: list[fixture.Record]) -> None:
    """Gives the pages dates and digests that do not depend on their places in the batches."""
    number = {record.url: place for place, record in enumerate(records)}
    for batch in made.batches:
        path = made.folder / "encoding" / f"{batch}.parquet"
        place = pl.col("url").replace_strict(number)
        date = pl.format("2024-01-{}T00:00:00Z", (place % 28 + 1).cast(pl.String).str.zfill(2))
        digest = (place * 2_654_435_761).cast(pl.String).str.zfill(32)
        write_table(pl.read_parquet(path).with_columns(date=date, page_digest=digest), schemas.ENCODING, path)


def test_years_and_lengths_are_a_recount(corpus: fixture.FakeCorpus) -> None:
    """Pages and words, in the crawl and in the corpus; the dates of the fixture are all of one year."""
    crawl = [sum(block.words for block in record.blocks) for record in corpus.pages]
    kept = [sum(block.words for block in record.kept_blocks) for record in corpus.pages]
    in_corpus = [record for record in corpus.pages if record.kept_blocks]
    [year] = table(corpus, "years")
    assert year == {
        "year": "2024",
        "documents_crawl": str(len(corpus.pages)),
        "documents": str(len(in_corpus)),
        "words_crawl": str(sum(crawl)),
        "words": str(sum(kept)),
    }
    assert table(corpus, "document_languages") == [
        {"language": "en", "documents": str(len(in_corpus)), "words": str(sum(kept))}
    ]
    ends = [*LENGTHS[1:], 10**9]
    for row, first, end in zip(table(corpus, "lengths"), LENGTHS, ends, strict=True):
        for words, kind in ((crawl, "_crawl"), (kept, "")):
            here = [length for length in words if first <= length < end]
            assert (row[f"documents{kind}"], row[f"words{kind}"]) == (str(len(here)), str(sum(here)))
    [spread] = table(corpus, "dispersion")
    assert (spread["words"], spread["documents"]) == (str(sum(kept)), str(len(in_corpus)))
    assert (spread["first_year"], spread["last_year"]) == ("2024", "2024")


def test_removed_words_are_a_recount(corpus: fixture.FakeCorpus, tmp_path: Path) -> None:
    """The counts of plain words, by the stage that removed their blocks."""
    counts: Counter[tuple[str, str]] = Counter()
    for record in corpus.pages:
        for block in record.blocks:
            counts.update((removing(record, block), word.strip(",;").lower()) for word in block.text.split())
    rows = [row for row in table(corpus, "removed_words") if row["word"] in ("home", "search", "print", "login", "the")]
    assert {row["word"] for row in rows} >= {"home", "search", "print"}
    for row in rows:
        assert int(row["count_removed"]) == counts[row["stage"], row["word"]]
        assert int(row["count_kept"]) == counts["", row["word"]]
        assert float(row["low"]) > 0

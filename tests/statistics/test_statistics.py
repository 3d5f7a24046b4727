"""The statistics tables against a plain-Python recount of the same records."""

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner
from support import corpus_fixture as fixture
from support.counting import PRESET, STAGES, compute, count_batches

from corpusprep.cleaners.justext import PRESETS, Thresholds
from corpusprep.commands.application import application
from corpusprep.errors import StageFileError
from corpusprep.io import tsv
from corpusprep.pipeline import ALWAYS_DECIDING
from corpusprep.statistics import counts_file
from corpusprep.statistics.corpus_tables import compute as compute_tables
from corpusprep.tables import key_sums
from corpusprep.tables.sealing import seal
from corpusprep.tables.verdicts import KEPT, MARKS

COLUMNS = {
    "corpus_size": ["stage", "documents", "blocks", "words", "words_percent_of_previous", "tokens"],
    "crawl": ["archives", "stored_bytes", "body_bytes", "records", "pages", "urls"],
    "ledger": ["stage", "unit", "verdict", "count"],
    "processing_times": [
        "stage",
        "jobs",
        "wall_seconds",
        "cpu_seconds",
        "peak_memory_mb",
        "pages_per_cpu_second",
        "tokens_per_cpu_second",
    ],
    "exact_duplicates": [
        "documents_before",
        "duplicate_types",
        "duplicate_instances",
        "documents_removed",
        "documents_after",
        "tokens_before",
        "tokens_after",
    ],
    "duplicate_ngrams": [
        "n",
        "ngrams_used",
        "ngrams_used_percent_of_tokens",
        "duplicate_10grams_before",
        "duplicate_10grams_after",
        "duplicate_10grams_left_percent",
        "duplicate_10gram_types_before",
        "duplicate_10gram_types_after",
        "expected_false_matches",
    ],
    "encodings": ["encoding", "declared", "detected", "agree"],
    "cleaning": ["change", "pages", "count"],
    "domains": ["host", "documents_crawl", "documents", "blocks_crawl", "blocks", "words_crawl", "words"],
    "host_sizes": ["documents", "hosts_crawl", "hosts_language", "hosts"],
    "fragmentation": [
        "stage",
        "documents",
        "avg_fragment_characters",
        "median_fragment_characters",
        "fragments_per_document",
        "blocks_per_document",
    ],
    "keywords": ["word", "count_before", "count_after", "per_million_before", "per_million_after", "score"],
    "removed_words": [
        "stage",
        "word",
        "count_removed",
        "count_kept",
        "per_million_removed",
        "per_million_kept",
        "log_ratio",
        "low",
        "high",
    ],
    "host_words": [
        "host",
        "word",
        "count_removed",
        "count_kept",
        "per_million_removed",
        "per_million_kept",
        "log_ratio",
        "low",
        "high",
    ],
    "templates": ["stage", "template", "blocks", "hosts", "words"],
    "host_losses": ["host", "documents_crawl", "documents", "words_crawl", "words", "removed_percent"],
    "document_languages": ["language", "documents", "words"],
    "years": ["year", "documents_crawl", "documents", "words_crawl", "words"],
    "lengths": ["from_words", "to_words", "documents_crawl", "documents", "words_crawl", "words"],
    "filter_rules": [
        *("rule", "documents", "words", "words_percent", "first_documents", "alone_documents", "alone_words"),
    ],
    "filter_overlap": ["rule", "other_rule", "documents", "percent_of_rule", "percent_of_other"],
    "perplexity": ["bucket", "least_perplexity", "most_perplexity", "documents", "words"],
    "personal_data": ["kind", "places", "documents"],
    "model_tokens": ["documents", "words", "tokens", "model_tokens", "model_tokens_per_word"],
    "frequent_words": ["word", "count", "per_million"],
    "word_dispersion": ["word", "count", "per_million", "dp"],
    "dispersion": [
        "hosts",
        "words",
        "words_of_ten_hosts",
        "words_of_ten_hosts_percent",
        "documents",
        "avg_words",
        "first_year",
        "last_year",
        "mean_dp",
    ],
    "thresholds": ["parameter", "value", "used", "words_kept", "words_kept_percent", "gold_f1"],
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> fixture.FakeCorpus:
    """A made-up corpus of three batches with its statistics."""
    made = fixture.write(tmp_path_factory.mktemp("corpus"), fixture.draw())
    compute(made.folder, made.folder / "statistics")
    return made


def table(corpus: fixture.FakeCorpus, name: str) -> list[dict[str, str]]:
    """A statistics table of the corpus."""
    return tsv.read(corpus.folder / "statistics" / f"{name}.tsv")


@pytest.mark.parametrize("name", COLUMNS)
def test_columns(corpus: fixture.FakeCorpus, name: str) -> None:
    """Each table has exactly its columns, and no other file is left behind."""
    header = (corpus.folder / "statistics" / f"{name}.tsv").read_text(encoding="utf-8").partition("\n")[0]
    assert header.split("\t") == COLUMNS[name]
    assert {path.name for path in (corpus.folder / "statistics").glob("*.tsv")} == {f"{table}.tsv" for table in COLUMNS}


def test_ledger_is_the_recount(corpus: fixture.FakeCorpus) -> None:
    """Every count equals that from walking over the records; zero counts are left out, except for `kept`."""
    counted = Counter(
        {(row["stage"], row["unit"], row["verdict"]): int(row["count"]) for row in table(corpus, "ledger")}
    )
    assert counted == fixture.recount_ledger(corpus)


def test_ledger_balances(corpus: fixture.FakeCorpus) -> None:
    """What comes into a stage is what it keeps plus each reason."""
    total: Counter[tuple[str, str]] = Counter()
    kept: dict[tuple[str, str], int] = {}
    for row in table(corpus, "ledger"):
        total[row["stage"], row["unit"]] += int(row["count"])
        if row["verdict"] == KEPT:
            kept[row["stage"], row["unit"]] = int(row["count"])
    assert total["encoding", "byte"] == sum(record.length for record in corpus.records)
    assert total["boilerplate", "document"] == kept["encoding", "record"]
    for unit in ("document", "block", "word"):
        for before, after in pairwise(ALWAYS_DECIDING):
            assert total[after, unit] == kept[before, unit]


def test_ledger_counts_marked_records_apart(tmp_path: Path) -> None:
    """With their verdicts, as a unit of their own that no sum contains."""
    drawn = fixture.draw(seed=2, batches=2, records=9)
    for number, record in enumerate(record for records in drawn.values() for record in records):
        record.mended, record.truncated = number % 4 == 0, number % 6 == 0
    made = fixture.write(tmp_path, drawn)
    compute(made.folder, made.folder / "statistics")
    counted = {(row["stage"], row["unit"], row["verdict"]): int(row["count"]) for row in table(made, "ledger")}
    assert counted == fixture.recount_ledger(made)
    for unit, records in (("mended_record", 5), ("truncated_record", 3)):
        assert sum(count for (_, name, _), count in counted.items() if name == unit) == records


def test_ledger_order(corpus: fixture.FakeCorpus) -> None:
    """Stages and units in the pipeline's order, kept first, then the reasons by name."""
    rows = [(row["stage"], row["unit"], row["verdict"]) for row in table(corpus, "ledger")]
    groups = list(dict.fromkeys(row[:2] for row in rows))
    assert groups == [("encoding", "record"), ("encoding", "byte")] + [
        (stage, unit) for stage in ALWAYS_DECIDING for unit in ("document", "block", "word")
    ]
    for group in groups:
        verdicts = [row[2] for row in rows if row[:2] == group]
        assert verdicts == [KEPT, *sorted(verdicts[1:])]


def test_corpus_size(corpus: fixture.FakeCorpus) -> None:
    """Documents, blocks, words and tokens after each stage are those of the records."""
    ledger = fixture.recount_ledger(corpus)
    rows = table(corpus, "corpus_size")
    assert [row["stage"] for row in rows] == ["crawl", "boilerplate", "language", "documents", "blocks"]
    pages = corpus.pages
    assert rows[0] == {
        "stage": "crawl",
        "documents": str(len(pages)),
        "blocks": str(sum(len(page.blocks) for page in pages)),
        "words": str(sum(block.words for page in pages for block in page.blocks)),
        "words_percent_of_previous": "",
        "tokens": "",
    }
    previous = int(rows[0]["words"])
    for row in rows[1:]:
        for column, unit in (("documents", "document"), ("blocks", "block"), ("words", "word")):
            assert int(row[column]) == ledger[row["stage"], unit, KEPT]
        assert row["words_percent_of_previous"] == f"{100 * int(row['words']) / previous:.1f}"
        previous = int(row["words"])
    kept = [page for page in pages if page.document == KEPT]
    assert [row["tokens"] for row in rows[1:3]] == ["", ""]
    assert int(rows[3]["tokens"]) == sum(
        block.tokens for page in kept for block in page.blocks if block.boilerplate == KEPT and not block.foreign
    )
    assert int(rows[4]["tokens"]) == sum(block.tokens for page in kept for block in page.kept_blocks)


def test_cleaning(corpus: fixture.FakeCorpus) -> None:
    """What the fixture says of pages by the length of their record: its rest by 3, by 5 and by 2."""
    pages = [record.length for record in corpus.records if record.page is not None]
    documents = [record.length for record in corpus.records if record.document is not None]
    expected = {
        change: [number % rest for number in found if number % rest]
        for change, rest, found in (
            ("undecodable_bytes", 3, pages),
            ("invisible_characters", 5, pages),
            ("cut_attributes", 2, documents),
        )
    }
    assert [tuple(row.values()) for row in table(corpus, "cleaning")] == [
        (change, str(len(counts)), str(sum(counts))) for change, counts in expected.items()
    ]


def test_encodings(corpus: fixture.FakeCorpus) -> None:
    """A page counts once as declared (byte order mark, HTTP, meta in this order) and once as detected."""
    declared, detected, agree = Counter[str](), Counter[str](), Counter[str]()
    for page in corpus.pages:
        http, meta, bom = page.declared
        name = bom or http or meta or "undeclared"
        declared[name] += 1
        detected[page.detected] += 1
        agree[name] += name == page.detected
    rows = table(corpus, "encodings")
    assert {row["encoding"] for row in rows} == declared.keys() | detected.keys()
    for row in rows:
        name = row["encoding"]
        assert [int(row[column]) for column in COLUMNS["encodings"][1:]] == [
            declared[name],
            detected[name],
            agree[name],
        ]


def test_domains(corpus: fixture.FakeCorpus) -> None:
    """Each host's documents, blocks and words in crawl and corpus; most documents first."""
    rows = table(corpus, "domains")
    for row in rows:
        pages = [page for page in corpus.pages if page.host == row["host"]]
        assert [int(row[column]) for column in COLUMNS["domains"][1:]] == [
            len(pages),
            sum(bool(page.kept_blocks) for page in pages),
            sum(len(page.blocks) for page in pages),
            sum(len(page.kept_blocks) for page in pages),
            sum(block.words for page in pages for block in page.blocks),
            sum(block.words for page in pages for block in page.kept_blocks),
        ]
    assert {row["host"] for row in rows} == {page.host for page in corpus.pages}
    order = [(-int(row["documents"]), -int(row["documents_crawl"]), row["host"]) for row in rows]
    assert order == sorted(order)


def test_crawl(corpus: fixture.FakeCorpus) -> None:
    """Archives and their bytes, records with the bytes of their bodies, pages; an address counts once."""
    records = corpus.records
    assert table(corpus, "crawl") == [
        {
            "archives": "3",
            "stored_bytes": str(sum(record.length for record in records)),
            "body_bytes": str(sum(3 * record.length for record in records)),
            "records": str(len(records)),
            "pages": str(len(corpus.pages)),
            "urls": str(len({page.url for page in corpus.pages})),
        }
    ]


def test_addresses_count_once(tmp_path: Path) -> None:
    """Captures of one address in several batches, and in one; addresses of records that are no pages do not count."""
    drawn = fixture.draw(seed=3, records=20)
    for place, record in enumerate(record for records in drawn.values() for record in records):
        record.url = f"http://a.example/{place % 7 if record.verdict == KEPT else place}"
    made = fixture.write(tmp_path, drawn)
    compute(made.folder, made.folder / "statistics")
    (row,) = table(made, "crawl")
    assert (int(row["pages"]), int(row["urls"])) == (len(made.pages), 7)


def test_exact_duplicates(corpus: fixture.FakeCorpus) -> None:
    """A type is a kept document and its duplicates, in whatever batches they are."""
    documents = [page for page in corpus.pages if page.language == KEPT]
    copies = Counter(page.duplicate_of for page in documents if page.duplicate_of)
    kept = [page for page in documents if page.document == KEPT]
    assert len(copies) > 2
    tokens = [
        sum(block.tokens for page in pages for block in page.blocks if block.boilerplate == KEPT and not block.foreign)
        for pages in (documents, kept)
    ]
    counts = [len(documents), len(copies), len(copies) + copies.total(), copies.total(), len(kept), *tokens]
    assert table(corpus, "exact_duplicates") == [dict(zip(COLUMNS["exact_duplicates"], map(str, counts), strict=True))]
    assert len(documents) - copies.total() == len(kept)


def test_host_sizes(tmp_path: Path) -> None:
    """Hosts with one, two, three … pages; of documents after `language`; and of documents in the corpus."""
    drawn = fixture.draw(seed=4)
    for place, record in enumerate(record for records in drawn.values() for record in records):
        record.host = f"{place * place % 37}.example"
    made = fixture.write(tmp_path, drawn)
    compute(made.folder, made.folder / "statistics")
    of_stages = (
        made.pages,
        [page for page in made.pages if page.language == KEPT],
        [page for page in made.pages if page.kept_blocks],
    )
    sizes = [Counter(Counter(page.host for page in pages).values()) for pages in of_stages]
    expected = [[size, *(of_stage[size] for of_stage in sizes)] for size in sorted(set().union(*sizes))]
    assert len(expected) > 4
    assert [list(map(int, row.values())) for row in table(made, "host_sizes")] == expected
    assert sum(row[1] for row in expected) == len(table(made, "domains"))


@pytest.mark.parametrize("stage", ["boilerplate", "blocks"])
def test_fragmentation(corpus: fixture.FakeCorpus, stage: str) -> None:
    """Fragments are the longest runs of kept blocks; their text has a line feed between blocks."""
    documents, lengths, blocks = fixture.recount_fragments(corpus, stage)
    row = next(row for row in table(corpus, "fragmentation") if row["stage"] == stage)
    assert row == {
        "stage": stage,
        "documents": str(documents),
        "avg_fragment_characters": f"{sum(lengths) / len(lengths):.1f}",
        "median_fragment_characters": str(fixture.median_low(lengths)),
        "fragments_per_document": f"{len(lengths) / documents:.2f}",
        "blocks_per_document": f"{blocks / documents:.2f}",
    }


def test_keywords(corpus: fixture.FakeCorpus) -> None:
    """Counts, frequencies and scores are those of a plain count; the extremes come first and last."""
    before, after = fixture.recount_words(corpus)
    expected = {}
    for word in before:
        million_before = 1e6 * before[word] / before.total()
        million_after = 1e6 * after[word] / after.total()
        expected[word] = (before[word], after[word], million_before, million_after)
    scores = {word: (row[3] + 100) / (row[2] + 100) for word, row in expected.items()}
    rows = table(corpus, "keywords")
    assert [row["word"] for row in rows] == [
        word for word in sorted(scores, key=lambda word: (-scores[word], word)) if scores[word] != 1
    ]
    for row in rows:
        word = row["word"]
        assert (int(row["count_before"]), int(row["count_after"])) == expected[word][:2]
        assert float(row["per_million_before"]) == pytest.approx(expected[word][2], abs=0.06)
        assert float(row["score"]) == pytest.approx(scores[word], abs=0.0006)
    assert rows[-1]["word"] in {"home", "search", "login", "print", "contact"}


def test_keywords_keep_a_hundred_each_way(tmp_path: Path) -> None:
    """The hundred words that rose most and the hundred that fell most are listed."""
    page = fixture.Record("u", "h", 10, KEPT, page=KEPT, language=KEPT, document=KEPT)
    page.blocks = [
        fixture.Block(" ".join(f"up{i}x " * (i + 1) for i in range(150)), KEPT, last=KEPT),
        fixture.Block(" ".join(f"down{i}x " * (i + 1) for i in range(150)), "short"),
    ]
    compute(fixture.write(tmp_path, {"b00000": [page]}).folder, tmp_path / "statistics")
    words = [row["word"] for row in tsv.read(tmp_path / "statistics" / "keywords.tsv")]
    assert words == [f"up{i}x" for i in range(149, 49, -1)] + [f"down{i}x" for i in range(50, 150)]


@pytest.mark.slow
def test_memory_does_not_matter(corpus: fixture.FakeCorpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of one page, and sums in files merged in several rounds, give the same tables; no file is left."""
    monkeypatch.setattr(key_sums, "ROWS_PER_PIECE", 2)
    monkeypatch.setattr(key_sums, "FAN_IN", 2)
    monkeypatch.setattr(key_sums, "ROWS_MERGED", 4)
    small = fixture.write(tmp_path, corpus.batches)
    compute(small.folder, tmp_path / "statistics", rows_at_once=1, bytes_in_memory=1000)
    for name in COLUMNS:
        assert table(small, name) == table(corpus, name)
    for folder in ("counts", "samples"):
        for path in (corpus.folder / folder).iterdir():
            assert pl.read_parquet(small.folder / folder / path.name).equals(pl.read_parquet(path))
        assert len(list((small.folder / folder).iterdir())) == len(corpus.batches)
    assert {path.stem for path in (tmp_path / "statistics").glob("*.tsv")} == set(COLUMNS)


def test_processing_times(corpus: fixture.FakeCorpus) -> None:
    """Seconds are summed over jobs, at any depth of folders; the peak is the largest job's."""
    rows = table(corpus, "processing_times")
    assert [row["stage"] for row in rows] == [
        "batches",
        "encoding",
        "boilerplate",
        "language",
        "tokens",
        "documents",
        "ngrams",
        "blocks",
        "corpus",
    ]
    by_stage = {row["stage"]: list(row.values())[1:] for row in rows}
    pages = len(corpus.pages)
    tokens = sum(
        block.tokens
        for page in corpus.pages
        if page.language == KEPT
        for block in page.blocks
        if block.boilerplate == KEPT and not block.foreign
    )
    assert by_stage["boilerplate"] == ["3", "28.50", "12.75", "850", f"{pages / 12.75:.1f}", ""]
    assert by_stage["tokens"][-2:] == [f"{pages / 1.875:.1f}", f"{tokens / 1.875:.1f}"]
    assert by_stage["ngrams"] == ["1", "3.00", "2.50", "900", f"{pages / 2.5:.1f}", f"{tokens / 2.5:.1f}"]
    assert by_stage["corpus"] == ["0", "0.00", "0.00", "0", "", ""]


def test_duplicate_ngrams(corpus: fixture.FakeCorpus) -> None:
    """N-grams used are types, 10-grams before and after instances, shares are of all tokens."""
    tokens = int(table(corpus, "corpus_size")[3]["tokens"])
    assert table(corpus, "duplicate_ngrams") == [
        {
            "n": "10",
            "ngrams_used": "37",
            "ngrams_used_percent_of_tokens": f"{3700 / tokens:.1f}",
            "duplicate_10grams_before": "400",
            "duplicate_10grams_after": "30",
            "duplicate_10grams_left_percent": "7.5",
            "duplicate_10gram_types_before": "50",
            "duplicate_10gram_types_after": "8",
            "expected_false_matches": "8.02e-15",
        }
    ]


def test_statistics_are_of_tens(tmp_path: Path) -> None:
    """Before and after must be 10-grams, for every n of de-duplication."""
    made = fixture.write(tmp_path, fixture.draw(batches=1, records=3))
    compute(made.folder, tmp_path / "statistics")
    fixture.write_ngrams(tmp_path, n=5)
    with pytest.raises(StageFileError, match="counts 5-grams, not 10-grams"):
        compute(made.folder, tmp_path / "statistics")


@pytest.mark.parametrize("kind", ["language keeps nothing", "no record", "no batch"])
def test_empty_corpora(tmp_path: Path, kind: str) -> None:
    """A corpus without documents, records or batches has tables that say 0."""
    records = {
        "language keeps nothing": fixture.empty_by_language(fixture.draw(batches=2)),
        "no record": {"b00000": []},
        "no batch": {},
    }[kind]
    made = fixture.write(tmp_path, records)
    compute(made.folder, tmp_path / "statistics")
    rows = table(made, "corpus_size")
    assert len(rows) == 5
    assert rows[-1] == {
        "stage": "blocks",
        "documents": "0",
        "blocks": "0",
        "words": "0",
        "words_percent_of_previous": "0.0",
        "tokens": "0",
    }
    ledger = {(row["stage"], row["unit"], row["verdict"]): int(row["count"]) for row in table(made, "ledger")}
    assert ledger["blocks", "word", KEPT] == 0
    assert table(made, "fragmentation")[1] == {
        "stage": "blocks",
        "documents": "0",
        "avg_fragment_characters": "0.0",
        "median_fragment_characters": "0",
        "fragments_per_document": "0.00",
        "blocks_per_document": "0.00",
    }


def test_batches_do_not_matter(corpus: fixture.FakeCorpus, tmp_path: Path) -> None:
    """The same archives in one batch give the same tables, except for processing times."""
    one = fixture.write(tmp_path, {"b00000": corpus.records})
    plan = (corpus.folder / "batches.tsv").read_text(encoding="utf-8")
    (tmp_path / "batches.tsv").write_text(re.sub(r"^b\d+", "b00000", plan, flags=re.MULTILINE), encoding="utf-8")
    compute(one.folder, tmp_path / "statistics")
    for name in COLUMNS:
        if name != "processing_times":
            assert table(one, name) == table(corpus, name)


@pytest.mark.parametrize("stage", STAGES)
def test_missing_table(tmp_path: Path, stage: str) -> None:
    """A stage's missing file is named."""
    made = fixture.write(tmp_path, fixture.draw(batches=1, records=5))
    (tmp_path / stage / "b00000.parquet").unlink()
    with pytest.raises(StageFileError, match=f"{stage}/b00000.parquet: no such file"):
        compute(made.folder, tmp_path / "statistics")


@pytest.mark.parametrize("stage", ["pages", "language", "tokens", "documents", "blocks"])
def test_lost_rows_are_found(tmp_path: Path, stage: str) -> None:
    """A table without a row that the previous stage kept is an error that names it."""
    made = fixture.write(tmp_path, fixture.draw(batches=1))
    path = tmp_path / stage / "b00000.parquet"
    pl.read_parquet(path)[1:].write_parquet(path)
    seal(path)
    with pytest.raises(StageFileError, match=f"{stage}/b00000.parquet: .* run the workflow again"):
        compute(made.folder, tmp_path / "statistics")


def test_blocks_left_out_that_are_not_good_are_found(tmp_path: Path) -> None:
    """Then the tables of `language` and `boilerplate` are from different runs."""
    made = fixture.write(tmp_path, fixture.draw(batches=1))
    path = tmp_path / "language" / "b00000.parquet"
    out = pl.lit([9_999], pl.List(pl.UInt32))
    pl.read_parquet(path).with_columns(left_out=out).write_parquet(path)
    seal(path)
    with pytest.raises(StageFileError, match="leaves out blocks that are not good blocks"):
        compute(made.folder, tmp_path / "statistics")


@pytest.mark.parametrize("stage", STAGES)
def test_tables_out_of_order_are_found(tmp_path: Path, stage: str) -> None:
    """Tables are read in parts, so their rows must be in record order."""
    made = fixture.write(tmp_path, fixture.draw(batches=1))
    path = tmp_path / stage / "b00000.parquet"
    pl.read_parquet(path).reverse().write_parquet(path)
    seal(path)
    with pytest.raises(StageFileError, match=f"{stage}/b00000.parquet: records are out of order"):
        compute(made.folder, tmp_path / "statistics")


def test_stray_blocks_are_found(tmp_path: Path) -> None:
    """Blocks of a record that is not a page are an error."""
    made = fixture.write(tmp_path, fixture.draw(batches=1))
    path = tmp_path / "boilerplate" / "b00000.parquet"
    blocks = pl.read_parquet(path)
    blocks.vstack(blocks[:1].with_columns(record=pl.lit(999, pl.UInt32))).write_parquet(path)
    seal(path)
    with pytest.raises(StageFileError, match="blocks of record 999 do not match"):
        compute(made.folder, tmp_path / "statistics")


def wrong_counts(path: Path, kind: str) -> None:
    """Replaces the counts of a batch by something else."""
    data, rows = path.read_bytes(), pl.read_parquet(path)
    if kind == "missing":
        path.unlink()
    elif kind == "cut short":
        path.write_bytes(data[: len(data) // 2])
    elif kind == "no Parquet":
        path.write_bytes(b"this is no table")
    elif kind == "another table":
        rows.drop("n8").write_parquet(path)
        seal(path)
    elif kind == "another version":
        version = pl.when(pl.col("table") == counts_file.VERSION).then(pl.lit("version 0")).otherwise("table")
        rows.with_columns(version.alias("table")).write_parquet(path)
        seal(path)
    elif kind == "out of order":
        pl.concat([rows[:1], rows[1:].reverse()]).write_parquet(path)
        seal(path)
    elif kind == "shuffled":
        rows.sort("key", maintain_order=True).write_parquet(path)
        seal(path)


@pytest.mark.parametrize(
    "kind", ["missing", "cut short", "no Parquet", "another table", "another version", "out of order", "shuffled"]
)
def test_wrong_counts_are_named(tmp_path: Path, kind: str) -> None:
    """Counts of a batch that cannot be added up are an error that names the file."""
    made = fixture.write(tmp_path, fixture.draw())
    count_batches(made.folder)
    wrong_counts(tmp_path / "counts" / "b00001.parquet", kind)
    with pytest.raises(StageFileError, match=r"counts/b00001\.parquet: "):
        compute_tables(made.folder, tmp_path / "statistics", PRESET)


def test_counts_with_other_thresholds_are_refused(tmp_path: Path) -> None:
    """The table of thresholds would be empty."""
    records = fixture.draw(batches=1)
    for block in (block for record in records["b00000"] for block in record.blocks):
        if block.boilerplate in {"boilerplate", "score", "kind"}:  # verdicts that jusText has not
            block.boilerplate = "short"
    made = fixture.write(tmp_path, records)
    count_batches(made.folder, thresholds=PRESETS["A"])
    compute_tables(made.folder, tmp_path / "statistics", "A", PRESETS["A"])
    with pytest.raises(StageFileError, match="the batches were counted with other thresholds"):
        compute_tables(made.folder, tmp_path / "statistics", "A", Thresholds(length_low=7))


def test_marked_duplicates_are_not_lost(tmp_path: Path) -> None:
    """All tables but the ledger are those of a corpus that keeps all of its blocks; the ledger names the marks."""
    removed, kept, marked = (fixture.draw() for _ in range(3))
    for records, verdict in ((kept, lambda _: KEPT), (marked, lambda last: MARKS.get(last, last))):
        for block in (block for batch in records.values() for record in batch for block in record.blocks):
            block.last = block.last and verdict(block.last)
    corpora = {}
    for name, records in (("removed", removed), ("kept", kept), ("marked", marked)):
        corpora[name] = fixture.write(tmp_path / name, records)
        compute(corpora[name].folder, corpora[name].folder / "statistics")
    for name in COLUMNS.keys() - {"ledger"}:
        assert table(corpora["marked"], name) == table(corpora["kept"], name)
    assert table(corpora["marked"], "corpus_size") != table(corpora["removed"], "corpus_size")

    def of_blocks(name: str) -> dict[tuple[str, str], int]:
        rows = (row for row in table(corpora[name], "ledger") if row["stage"] == "blocks")
        return {(row["unit"], row["verdict"]): int(row["count"]) for row in rows}

    expected = {(unit, MARKS.get(verdict, verdict)): count for (unit, verdict), count in of_blocks("removed").items()}
    documents = expected.pop(("document", "no_block_left"))
    expected["document", KEPT] += documents  # they keep their blocks
    assert documents > 0
    assert of_blocks("marked") == expected


@pytest.mark.parametrize("verdict", ["duplicate_document", MARKS["duplicate_document"]])
def test_a_whole_document_has_the_verdict_of_its_blocks(tmp_path: Path, verdict: str) -> None:
    """It is counted once as a document; if it is only marked, it is in the corpus."""
    records = fixture.draw(batches=1)
    found = [record for record in records["b00000"] if any(block.last for block in record.blocks)]
    for record in found[:2]:
        for block in record.blocks:
            block.last = block.last and verdict
    made = fixture.write(tmp_path, records)
    compute(made.folder, made.folder / "statistics")
    rows = table(made, "ledger")
    assert [row["count"] for row in rows if (row["unit"], row["verdict"]) == ("document", verdict)] == ["2"]
    kept = sum(bool(record.kept_blocks) for record in made.records)
    documents = int(table(made, "corpus_size")[-1]["documents"])
    assert documents == kept + 2 * (verdict != "duplicate_document")


def test_vocabulary_is_closed(tmp_path: Path) -> None:
    """A verdict outside the vocabulary is an error that names file, record and verdict."""
    records = fixture.draw(batches=1)
    records["b00000"][7].verdict = "mislaid"
    made = fixture.write(tmp_path, records)
    with pytest.raises(StageFileError, match=r"encoding/b00000.parquet: record 7: .*: mislaid"):
        compute(made.folder, tmp_path / "statistics")


def test_command(tmp_path: Path) -> None:
    """The commands write the same tables; without a corpus, the message names the missing file."""
    made = fixture.write(tmp_path, fixture.draw(batches=1, records=5))
    corpus = [str(made.folder), "--algorithm", "bte"]
    result = CliRunner().invoke(application, ["step", "statistics", "count", *corpus, "--batch", "b00000"])
    assert result.exit_code == 0, result.output
    result = CliRunner().invoke(application, ["step", "statistics", "tables", *corpus])
    assert result.exit_code == 0
    assert sorted(path.stem for path in (made.folder / "statistics").glob("*.tsv")) == sorted(COLUMNS)
    (tmp_path / "none").mkdir()
    result = CliRunner().invoke(application, ["step", "statistics", "tables", str(tmp_path / "none")])
    assert isinstance(result.exception, StageFileError)
    assert "none/batches.tsv: no such file" in str(result.exception)


def test_cells_stay_cells(tmp_path: Path) -> None:
    """Control characters in a cell do not break the table."""
    tsv.write(tmp_path / "t.tsv", ("a", "b"), [("x\ty\nz\r\x85\u2028", 1)])
    assert tsv.read(tmp_path / "t.tsv") == [{"a": "x y z   ", "b": "1"}]

"""Peak memory of the statistics: counting a large batch, and adding up many batches."""

import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
from support import corpus_fixture as fixture
from support.counting import STAGES, count_batches
from support.loading import more_than_usual

from corpusprep.io import tsv
from corpusprep.statistics import counts_file
from corpusprep.statistics.crawl import Crawl
from corpusprep.statistics.domains import Domains
from corpusprep.statistics.exact_duplicates import ExactDuplicates
from corpusprep.statistics.keywords import Keywords
from corpusprep.tables import schemas
from corpusprep.tables.key_sums import FAN_IN
from corpusprep.tables.sealing import seal
from corpusprep.tables.verdicts import KEPT
from corpusprep.tables.writing import write_table

pytestmark = pytest.mark.slow

MOST_MEGABYTES = 300
PAGES, BLOCKS_PER_PAGE, GOOD_BLOCKS, WORDS_PER_BLOCK = 20_000, 60, 8, 12
#: The words that all blocks share.
OTHERS = " ".join(f"word{number}" for number in range(WORDS_PER_BLOCK - 1))


def peak(tmp_path: Path, *arguments: object) -> float:
    """Runs a command and returns its peak memory in megabytes, without more_than_usual()."""
    times = tmp_path / "times.tsv"
    # Polars in this process sets this variable for child processes; a job sets it for itself.
    environment = {name: value for name, value in os.environ.items() if name != "_RJEM_MALLOC_CONF"}
    line = [sys.executable, "-m", "corpusprep", "--times", times, *arguments]
    subprocess.run([*map(str, line)], check=True, stderr=subprocess.DEVNULL, env=environment)
    return float(pl.read_csv(times, separator="\t")["peak_memory_mb"].item()) - more_than_usual() / 2**20


def write_batch(folder: Path) -> None:
    """Writes the stage files of a batch: over a million blocks with a unique word in each; all documents are kept."""
    page = pl.DataFrame({"record": pl.arange(PAGES, eager=True, dtype=pl.UInt32)}).with_columns(
        batch=pl.lit("b"), document="record", rank="record", verdict=pl.lit(KEPT), length=pl.lit(1000),
        host=pl.format("host{}.example", pl.col("record") % 5000), title=pl.lit("A title"), score=pl.lit(0.9),
        url=pl.format("http://host{}.example/a/page/of/the/host/{}", pl.col("record") % 5000, "record"),
        date=pl.lit("2024-01-01T00:00:00Z"), page_digest=pl.col("record").cast(pl.String).str.zfill(32),
        detected=pl.lit("utf-8"), encoding=pl.lit("utf-8"), tokens=pl.lit(GOOD_BLOCKS * WORDS_PER_BLOCK),
        left_out=pl.lit([], pl.List(pl.UInt32)), words=pl.lit(BLOCKS_PER_PAGE * WORDS_PER_BLOCK),
    )  # fmt: skip
    good = pl.col("block") < GOOD_BLOCKS
    verdict = pl.when(good).then(pl.lit(KEPT)).otherwise(pl.lit("short"))
    block = (
        page.select("batch", "record", "document")
        .join(pl.DataFrame({"block": pl.arange(BLOCKS_PER_PAGE, eager=True)}), how="cross")
        .with_columns(
            text=pl.format("{} own{}x{}", pl.lit(OTHERS), "record", "block"),
            words=pl.lit(WORDS_PER_BLOCK),
            heading=pl.lit(False),
            link_density=pl.lit(0.1),
            stopword_density=pl.lit(0.4),
            verdict=verdict,
            tokens=pl.lit(WORDS_PER_BLOCK),
        )
    )
    frames = dict.fromkeys(STAGES, page) | {"boilerplate": block, "blocks": block.filter(good)}
    frames["blocks"] = frames["blocks"].with_columns(verdict=pl.lit(KEPT))
    for stage, frame in frames.items():
        schema = getattr(schemas, stage.upper())
        missing = (pl.lit(None, dtype).alias(name) for name, dtype in schema.items() if name not in frame.columns)
        write_table(frame.with_columns(missing), schema, folder / stage / "b.parquet")


def test_a_large_batch_is_counted_in_little_memory(tmp_path: Path) -> None:
    """A batch with more than a million blocks and different words is never in memory as a whole."""
    write_batch(tmp_path)
    used = peak(tmp_path, "step", "statistics", "count", tmp_path, "--batch", "b", "--algorithm", "justext")
    batch = counts_file.CountsFile.open(tmp_path / "counts" / "b.parquet")
    assert batch.run(Keywords.name, Keywords.numbers).height == PAGES * BLOCKS_PER_PAGE + WORDS_PER_BLOCK - 1
    assert batch.run(Domains.name, Domains.numbers).height == 5000
    assert used < MOST_MEGABYTES, used

    # Half of its pages are chosen, and more of them than templates are looked for in.
    size = sum(path.stat().st_size for path in tmp_path.rglob("*.parquet"))
    (tmp_path / "batches.tsv").write_text(f"batch\tarchive\tbytes\nb\tcrawl/b.warc.gz\t{size}\n", encoding="utf-8")
    fixture.write_ngrams(tmp_path)
    used = peak(tmp_path, "step", "statistics", "tables", tmp_path, "--algorithm", "justext")
    words = {row["word"]: row for row in tsv.read(tmp_path / "statistics" / "word_dispersion.tsv")}
    assert int(words["word0"]["count"]) == PAGES * GOOD_BLOCKS
    assert float(words["word0"]["dp"]) == 0
    templates = {row["template"]: row for row in tsv.read(tmp_path / "statistics" / "templates.tsv")}
    assert int(templates[OTHERS]["blocks"]) == 4_000 * (BLOCKS_PER_PAGE - GOOD_BLOCKS)
    assert used < MOST_MEGABYTES, used


def test_many_batches_are_added_up_in_little_memory(tmp_path: Path) -> None:
    """More batches than are merged at once, with hosts, words, addresses, duplicates of their own and shared ones."""
    batches, each = FAN_IN + 2, 20_000
    fixture.write(tmp_path, fixture.draw(batches=1))
    count_batches(tmp_path)
    small = counts_file.CountsFile.open(tmp_path / "counts" / "b00000.parquet")
    large = (Crawl(), ExactDuplicates(), Domains(), Keywords())
    names = [name for name in small.places if name not in {counts_file.VERSION, *(table.name for table in large)}]
    rest = pl.read_parquet(small.path).filter(pl.col("table").is_in(names))
    for batch in range(batches):
        number = pl.arange(each, eager=True)
        own = pl.when(number < each // 10).then(pl.lit("all")).otherwise(pl.lit(f"of-batch-{batch:03}"))
        keys = pl.DataFrame({"number": number}).select(key=pl.format("{}-key-{}", own, "number")).sort("key")
        tables = [
            (table.name, table.numbers, [keys.with_columns(pl.lit(batch + 1).alias(name) for name in table.numbers)])
            for table in large
        ]
        if batch:  # no page of it is chosen
            empty = pl.DataFrame(schema=schemas.ENCODING)
            write_table(empty, schemas.ENCODING, tmp_path / "encoding" / f"b{batch:05}.parquet")
        path = tmp_path / "counts" / f"b{batch:05}.parquet"
        counts_file.write(path, tables)
        pl.concat([pl.read_parquet(path), rest]).write_parquet(path)
        seal(path)
    rows = [f"b{batch:05}\tcrawl/{batch}.warc.gz\t1" for batch in range(batches)]
    (tmp_path / "batches.tsv").write_text("\n".join(["batch\tarchive\tbytes", *rows]) + "\n", encoding="utf-8")
    used = peak(tmp_path, "step", "statistics", "tables", tmp_path, "--algorithm", "justext")
    hosts = pl.read_csv(tmp_path / "statistics" / "domains.tsv", separator="\t")
    shared = hosts.filter(pl.col("host").str.starts_with("all-"))
    assert (hosts.height, shared.height) == (each // 10 + batches * (each - each // 10), each // 10)
    assert set(shared["documents"]) == {batches * (batches + 1) // 2}
    assert hosts["documents"].is_sorted(descending=True)
    (crawl,) = tsv.read(tmp_path / "statistics" / "crawl.tsv")
    (duplicates,) = tsv.read(tmp_path / "statistics" / "exact_duplicates.tsv")
    assert int(crawl["urls"]) == int(duplicates["duplicate_types"]) == hosts.height
    assert int(crawl["pages"]) == int(duplicates["documents_removed"]) == each * batches * (batches + 1) // 2
    assert used < MOST_MEGABYTES, used

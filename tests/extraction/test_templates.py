"""Blocks that recur on the pages of a host."""

from collections import defaultdict
from pathlib import Path

import polars as pl
import pytest
from support.archives import warc_record

from corpusprep.archive.batches import make_batches
from corpusprep.archive.patterns import expand
from corpusprep.cleaners.justext import PRESETS, JusText
from corpusprep.config.settings import default_page_rules
from corpusprep.encoding.pages import read_archives
from corpusprep.extraction import templates
from corpusprep.extraction.page_languages import OneLanguage
from corpusprep.extraction.page_stage import PageOptions, classify_batch
from corpusprep.extraction.recut import recut_batch, words_kept
from corpusprep.extraction.templates import choose, count, merge
from corpusprep.inspection.browse.sliders import PageSample
from corpusprep.inspection.thresholds import DISTANCES, distances, in_use
from corpusprep.io import tsv
from corpusprep.languages import get
from corpusprep.statistics.joined_verdicts import JoinedVerdicts
from corpusprep.statistics.table import Inputs
from corpusprep.statistics.thresholds import WordsKept
from corpusprep.tables import schemas
from corpusprep.tables.reading import read_table
from corpusprep.tables.writing import TableWriter, write_table

PROSE = (
    "In the evening the people of the village came down to the river and stood on the bank of it for a while, and "
    "then they went back to the houses that they had left in the morning of that day."
)
NOTICE = (
    "If you like what we write about the village and the river, you can have it sent to you in the evening of each day."
)


def page(number: int) -> str:
    """A page with a text of its own; every fourth one has a warning, and all have a notice, which is good text."""
    warning = f"<p>{PROSE} This is what we said of it before.</p>" if number % 4 == 0 else ""
    return f"<p>{PROSE} This was on day {number} of the year.</p>{warning}<p>{NOTICE}</p>"


#: Address -> page: a host with 12 pages, of which one has two addresses; and a host with two.
PAGES = {
    **{f"http://large.example/{number}": page(number) for number in range(12)},
    **{f"http://large.example/8?print={number}": page(8) for number in range(9)},
    **{f"http://small.example/{number}": page(number) for number in range(2)},
}


def shares_of(archives: Path, batch_bytes: int) -> tuple[list[Path], Path]:
    """Runs the three steps; returns the tables of `encoding`, and that of shares."""
    folder = archives / str(batch_bytes)
    batches = make_batches(expand([str(archives / "*.warc.gz")]), batch_bytes, folder / "batches.tsv")
    encodings = [folder / "encoding" / f"{batch.name}.parquet" for batch in batches]
    for batch, path in zip(batches, encodings, strict=True):
        rows = read_archives(batch.name, batch.archives, get("en"), default_page_rules(), "detected")
        write_table(rows, schemas.ENCODING, path)
    write_table(choose(encodings, 3), schemas.TEMPLATE_PAGES, folder / "chosen.parquet")
    counts = [folder / "counts" / path.name for path in encodings]
    for path, counted in zip(encodings, counts, strict=True):
        count(path, folder / "chosen.parquet", counted)
    merge(counts, folder / "chosen.parquet", folder / "shares.parquet")
    return encodings, folder / "shares.parquet"


def classified(
    encoding: Path, shares: Path | None, least_share: float | None, preset: str = "A"
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The tables of blocks, with addresses, and of pages."""
    with TableWriter(encoding.with_name("blocks"), schemas.BOILERPLATE) as blocks:
        options = PageOptions(JusText(PRESETS[preset]), templates=shares, least_share=least_share)
        pages = classify_batch(encoding, OneLanguage(get("en")), options, blocks)
    return read_table(encoding.with_name("blocks"), schemas.BOILERPLATE), pages


@pytest.fixture
def archives(tmp_path: Path) -> Path:
    """A folder with an archive per page of PAGES, and later captures of one that has changed each time."""
    captures = [warc_record(url, body.encode()) for url, body in PAGES.items()]
    for day in range(2, 9):
        body = f"{page(3)}<p>Day {day}</p>".encode()
        captures.append(warc_record("http://large.example/3", body, f"2024-01-0{day}T00:00:00Z"))
    for number, content in enumerate(captures):
        (tmp_path / f"{number * 7 % 31:02}.warc.gz").write_bytes(content)
    return tmp_path


def test_shares_are_those_of_different_pages(archives: Path) -> None:
    """A page counts once, whatever its addresses, by its first capture; the batches do not show."""
    (encoding,), shares = shares_of(archives, 10**9)
    encodings, again = shares_of(archives, 1)
    assert len(encodings) > 10
    assert shares.read_bytes() == again.read_bytes()
    blocks, _ = classified(encoding, shares, None)
    urls = read_table(encoding, schemas.ENCODING).select("record", "url", "date")
    found: dict[str, set[int | None]] = defaultdict(set)
    for url, text, share in blocks.join(urls, on="record").select("url", "text", "template").iter_rows():
        found[text if "large" in url else "small"].add(share)
    assert found.pop("small") == {None}
    assert found.pop(NOTICE) == {1000}
    assert found.pop(f"{PROSE} This is what we said of it before.") == {250}
    assert all(share == {0} for share in found.values())
    assert len(found) > 12
    chosen = urls.join(read_table(shares.with_name("chosen.parquet"), schemas.TEMPLATE_PAGES), on="record")
    assert chosen.filter(url="http://large.example/3")["date"].to_list() == ["2024-01-01T00:00:00Z"]


@pytest.mark.parametrize(("least_share", "removed"), [(None, set()), (0.3, {1000}), (0.25, {250, 1000})])
def test_recurring_blocks_are_removed(archives: Path, least_share: float | None, removed: set[int]) -> None:
    """From the share on; other blocks are as without templates, and thresholds can be changed again."""
    (encoding,), shares = shares_of(archives, 10**9)
    blocks, pages = classified(encoding, shares, least_share)
    plain, _ = classified(encoding, None, None)
    assert set(blocks.filter(verdict="template")["template"]) == removed
    others = blocks["verdict"] != "template"
    assert blocks.filter(others).drop("template").equals(plain.filter(others).drop("template"))
    assert plain["template"].null_count() == len(plain)
    assert set(blocks.filter(~others)["label"]) <= {"bad"}
    assert pages["good_words"].sum() == blocks.filter(label="good")["words"].sum()
    assert recut_batch(blocks, pages, JusText())[0].equals(blocks)


def test_thresholds_never_decide_templates(tmp_path: Path) -> None:
    """Other thresholds give the blocks of a fresh run, and the words of the tables, the sliders and the command."""
    short = f"{PROSE[:64]} {{}} and then they went back to the houses of it."
    for number in range(9):
        # A near-good block beside a notice: jusText removes the notice by rule, so it is no good neighbour.
        body = f"<p>{short.format(number)}</p><p>© {PROSE} {PROSE}</p>{page(number)}<p>River {number}</p>"
        (tmp_path / f"{number}.warc.gz").write_bytes(warc_record(f"http://large.example/{number}", body.encode()))
    (encoding,), shares = shares_of(tmp_path, 10**9)
    corpus = encoding.parents[1]
    fresh = {preset: classified(encoding, shares, 0.3, preset) for preset in PRESETS}
    blocks, pages = fresh["A"]
    assert set(blocks.filter(template=1000)["verdict"]) == {"template", "copyright"}
    write_table(blocks, schemas.BOILERPLATE, corpus / "boilerplate" / encoding.name)
    write_table(pages, schemas.PAGES, corpus / "pages" / encoding.name)
    table = WordsKept(Inputs("A", PRESETS["A"]))
    counted = table.count(JoinedVerdicts(pl.DataFrame(), pl.DataFrame(), blocks))
    table.inputs.totals[table.name] = {key: (words,) for key, words in counted.iter_rows()}
    rows = table.rows()
    (corpus / "statistics").mkdir()
    tsv.write(corpus / "statistics" / "thresholds.tsv", table.names, rows)
    of_presets = {value: words for parameter, value, _, words, *_ in rows if parameter == "preset"}
    sample = PageSample(corpus)
    assert sample.agrees
    for preset, (expected, expected_pages) in fresh.items():
        again, pages_again = recut_batch(blocks, pages, JusText(PRESETS[preset]))
        assert again.equals(expected)
        assert pages_again.equals(expected_pages)
        words = expected_pages["good_words"].sum()
        assert of_presets[preset] == sample.count(sample.chosen({"preset": preset})).kept == words
        assert words_kept(corpus, JusText(PRESETS[preset])) == (words, blocks["words"].sum())
    assert len(set(of_presets.values())) > 1
    choice = in_use(corpus)
    assert choice is not None
    far = distances(choice, blocks)[(blocks["verdict"] == "template").to_numpy()]
    assert set(far.tolist()) == {DISTANCES.index("far")}


def test_a_large_host_is_known_by_some_pages(archives: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those with the lowest digests; memory does not grow with a host."""
    monkeypatch.setattr(templates, "MOST_PAGES", 5)
    (encoding,), shares = shares_of(archives, 10**9)
    chosen = read_table(encoding.parents[1] / "chosen.parquet", schemas.TEMPLATE_PAGES)
    digests = read_table(encoding, schemas.ENCODING).filter(host="large.example")
    lowest = sorted(set(digests["page_digest"]))
    taken = digests.join(chosen, on="record", how="semi")["page_digest"].to_list()
    assert len(taken) == 5
    assert set(chosen["pages"]) == {5}
    assert max(taken) < sorted(set(lowest) - set(taken))[-1]
    found = read_table(shares, schemas.TEMPLATE_SHARES)
    assert found.filter(pl.col("block_key").is_not_null())["share"].max() == 1000


def test_an_article_with_two_addresses_is_no_template(tmp_path: Path) -> None:
    """Pages with one title and one first heading count as one, in one batch or in several."""
    for number in range(12):
        day = number // 3
        body = f"<title>Day</title><h1>{day}</h1><p>{PROSE} On day {day}.</p><p>{NOTICE}</p><p>Copy {number}</p>"
        (tmp_path / f"{number}.warc.gz").write_bytes(warc_record(f"http://large.example/{number}", body.encode()))
    _, shares = shares_of(tmp_path, 10**9)
    assert read_table(shares, schemas.TEMPLATE_SHARES)["share"].to_list() == [1000, 1000]
    assert shares_of(tmp_path, 1)[1].read_bytes() == shares.read_bytes()


def test_without_a_large_host_there_are_no_templates(tmp_path: Path) -> None:
    """Empty tables are tables; a crawl of small hosts has no shares."""
    (tmp_path / "a.warc.gz").write_bytes(warc_record("http://small.example/1", page(1).encode()))
    (encoding,), shares = shares_of(tmp_path, 10**9)
    assert read_table(shares, schemas.TEMPLATE_SHARES).is_empty()
    assert classified(encoding, shares, 0.3)[0]["template"].null_count() == 2

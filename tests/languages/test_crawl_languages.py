"""Where the documents of a crawl go: assignment, division into batches, and the tables of each language."""

import itertools
import json
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner

from corpusprep import languages
from corpusprep.archive.batches import Batch, plan, read_batches, write_batches
from corpusprep.commands.languages import command
from corpusprep.errors import ConfigError, LanguageError, StageFileError
from corpusprep.languages import splitting
from corpusprep.languages.assignment import Assigned, Assigner, Filter, Portion
from corpusprep.languages.dividing import divide, read_division
from corpusprep.languages.filtering import Judge
from corpusprep.languages.known_languages import KnownLanguages
from corpusprep.languages.splitting import gather, split
from corpusprep.statistics.crawl_languages import CrawlCounts
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.crawl_files import PARTS, found_file, part_files
from corpusprep.tables.writing import write_table

TEXTS = {
    "cs": "Starosta města řekl, že nový most bude otevřen ještě letos, když to počasí dovolí a přijdou peníze z kraje.",
    "sk": "Starosta mesta povedal, že nový most bude otvorený ešte tento rok, ak to počasie dovolí a prídu peniaze.",
    "en": "The mayor of the town said that the new bridge would open this year if the weather was good enough for it.",
    "de": "Der Bürgermeister sagte, dass die neue Brücke noch dieses Jahr eröffnet wird, wenn das Wetter es zulässt.",
}
NONE = "qwx zzt vbn mrk plf ggh"


@pytest.fixture(scope="module")
def known() -> KnownLanguages:
    """Czech, Slovak, English and German."""
    return KnownLanguages([languages.get(code) for code in TEXTS])


def filters(*codes: str) -> dict[str, Filter]:
    """Filters of these languages, with each other as rivals."""
    return {code: Filter("trigrams", rivals=tuple(other for other in TEXTS if other != code)) for code in codes}


def test_documents_go_to_their_language_or_a_named_rest(known: KnownLanguages) -> None:
    """A known language without a corpus is named; no language is `undecided`."""
    assign = Assigner(known, filters("cs", "en"))
    found = {code: assign([text]) for code, text in TEXTS.items()}
    assert {code: (one.corpus, one.rest, one.language) for code, one in found.items()} == {
        "cs": ("cs", "", "cs"),
        "en": ("en", "", "en"),
        "sk": (None, "other_language", "sk"),
        "de": (None, "other_language", "de"),
    }
    assert assign([NONE]) == Assigned(None, "undecided", None, None)


def test_code_goes_to_no_language(known: KnownLanguages) -> None:
    """English scores highest. Prose in a page of code is in its language where pages are divided."""
    code = 'public class Town { public static void main(String[] names) { print("The town of " + names[0]); } }'
    english = known.get("en")
    assert Judge(english, [], english.threshold, "trigrams")(code)[1:4] == ("zxx", None, "language_score")
    for by_block in (False, True):
        assign = Assigner(known, filters("cs", "en"), by_block=by_block)
        assert [one.assigned for one in assign.portions([0], [code])] == [Assigned(None, "no_language", "zxx", None)]
    divided = assign.portions(range(5), [TEXTS["cs"], *[code] * 3, TEXTS["en"]])
    assert sorted(one.assigned.corpus or "" for one in divided) == ["cs", "en"]


def test_a_language_keeps_what_its_own_filter_keeps(known: KnownLanguages) -> None:
    """Stopping at the first filter that keeps a text gives what all filters together give."""
    asked = filters(*TEXTS)
    assign = Assigner(known, asked)
    judges = {
        code: Judge(
            known.get(code), [known.get(rival) for rival in one.rivals or ()], known.get(code).threshold, "trigrams"
        )
        for code, one in asked.items()
    }
    pairs = [
        f"{one[: len(one) // share]} {other}" for one in TEXTS.values() for other in TEXTS.values() for share in (1, 3)
    ]
    for text in (*TEXTS.values(), *pairs, NONE):
        kept = {code: judge(text).score for code, judge in judges.items() if judge(text).verdict == "kept"}
        expected = min(kept, key=lambda code: (-kept[code], code)) if kept else None
        found = assign([text])
        assert found.mixed or found.corpus == expected


def test_a_threshold_of_zero_keeps_every_text_with_a_score(known: KnownLanguages) -> None:
    """It is a threshold as others are, not that of a language without a corpus, which keeps nothing."""
    assign = Assigner(known, {"cs": Filter("trigrams", threshold=0, rivals=())})
    assert [assign([TEXTS[code]]).corpus for code in ("cs", "sk")] == ["cs", "cs"]


def test_another_language_takes_only_what_goes_to_it(known: KnownLanguages) -> None:
    """A document stays where it was, or goes to the language that is new; `instead` says where it was."""
    texts = [[text, other] for text in TEXTS.values() for other in (*TEXTS.values(), NONE)]
    moved = []
    lenient = {code: Filter("trigrams", threshold=0.35, rivals=()) for code in ("cs", "en", "sk")}
    for by_block, given in itertools.product((False, True), (filters("cs", "en", "sk"), lenient)):
        more = Assigner(known, given, by_block=by_block)
        few = Assigner(known, {code: given[code] for code in ("cs", "en")}, by_block=by_block)
        for text in texts:
            blocks = list(range(1, 2 * len(text), 2))
            portions = more.portions(blocks, text)
            instead = {one.assigned.corpus: more.instead(one, blocks, text) for one in portions}
            before, after = _corpora(few.portions(blocks, text), blocks), _corpora(portions, blocks)
            changed = {then for then, now in zip(before, after, strict=True) if then != now}
            assert all(now in (then, "sk") for then, now in zip(before, after, strict=True))
            assert instead.get("sk", []) == sorted(code for code in changed if code)
            moved += instead.get("sk", [])
    assert moved


def test_a_mixed_document_goes_to_the_language_with_most_text(known: KnownLanguages) -> None:
    """Where no language keeps the whole, its long blocks are judged."""
    strict = {code: Filter("trigrams", threshold=0.5, rivals=()) for code in ("en", "de")}
    assign = Assigner(KnownLanguages([known.get(code) for code in ("en", "de")]), strict)
    text = [TEXTS["en"], TEXTS["en"], TEXTS["de"], 3 * f"{NONE} "]
    found = assign(text)
    assert (found.corpus, found.mixed) == ("en", True)
    assert assign([TEXTS["de"], *text[1:], TEXTS["de"]]).corpus == "de"


def _corpora(portions: list[Portion], blocks: list[int]) -> list[str | None]:
    """The corpus that each block goes to."""
    starts = {first: one.assigned.corpus for one in portions for first in one.runs or [0]}
    return [starts[max(first for first in starts if first <= block)] for block in blocks]


def test_a_mixed_document_is_divided_block_by_block(known: KnownLanguages) -> None:
    """Short blocks go with the long one before them; a language without a corpus is named; others stay whole."""
    assign = Assigner(known, filters("cs", "en"), by_block=True)
    texts = ["Menu", TEXTS["en"], "More", TEXTS["cs"], TEXTS["cs"], "Dále", 3 * f"{NONE} ", TEXTS["de"], TEXTS["en"]]
    blocks = [1, 2, 4, 5, 7, 8, 9, 12, 15]
    found = assign.portions(blocks, texts)
    assert {(one.assigned.corpus, one.assigned.rest, one.assigned.language): one.runs for one in found} == {
        ("en", "", "en"): [0, 15],
        ("cs", "", "cs"): [5],
        (None, "other_language", "de"): [12],
    }
    assert all(one.assigned.mixed for one in found)
    for whole in ([TEXTS["cs"], TEXTS["cs"]], [TEXTS["cs"], "The end"], [NONE], [TEXTS["cs"], 3 * f"{NONE} "]):
        assert assign.portions(range(len(whole)), whole) == [Portion(assign(whole), [])]


def test_the_language_of_a_page_is_that_of_its_running_text(known: KnownLanguages) -> None:
    """Stop words decide, not names and code, of which there may be more."""
    code = " ".join(f"std::vector<int> getBuffer{number}(x, y)" for number in range(80))
    for language, text in TEXTS.items():
        assert known.closest(f"{code} {text}") == language
    assert known.closest("123 …") is None


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    """A crawl of three batches with pages in two languages, one in none, and one without good text."""
    folder = tmp_path / "crawl"
    codes = list(TEXTS)
    planned = []
    for number in range(3):
        archive = tmp_path / f"{number}.warc"
        archive.write_bytes(bytes(100))
        planned += plan([archive], 1)
    write_batches(planned, folder / "batches.tsv")
    for number, batch in enumerate(planned):
        texts = [TEXTS[codes[number % 2]], TEXTS["cs"], NONE, ""]
        _write_batch(folder, batch, texts)
    return folder


def _write_batch(folder: Path, batch: Batch, texts: list[str]) -> None:
    """Writes the tables of the page stages: one page per text; an empty one has a bad block only.

    A bar separates blocks of text. After each block comes a bad one.
    """
    records = range(1, 2 * len(texts), 2)  # records between them are no pages
    files = BatchFiles.of(folder, batch.name)
    encoding = [
        {
            "record": record,
            "archive": str(batch.archives[0]),
            "length": 10 + record,
            "verdict": "kept" if record % 2 else "status",
        }
        for record in range(2 * len(texts))
    ]
    pages = [
        {"record": record, "blocks": 2 * len(parts), "words": 9 * len(parts)}
        | {"good_blocks": len(parts) * bool(parts[0]), "good_words": 7 * len(parts) * bool(parts[0])}
        | {"verdict": "kept" if parts[0] else "no_good_block"}
        for record, parts in zip(records, (text.split("|") for text in texts), strict=True)
    ]
    blocks = [
        {"record": record, "block": 2 * number + bad, "label": "good" if good else "bad"}
        | {"text": good or "menu", "words": words}
        for record, text in zip(records, texts, strict=True)
        for number, part in enumerate(text.split("|"))
        for bad, (good, words) in enumerate(((part, 7), ("", 2)))
    ]
    for name, rows in {"encoding": encoding, "pages": pages, "boilerplate": blocks}.items():
        schema = getattr(schemas, name.upper())
        frame = pl.DataFrame(rows).with_columns(batch=pl.lit(batch.name))
        full = frame.with_columns(pl.lit(None).alias(column) for column in schema if column not in frame.columns)
        write_table(full, schema, getattr(files, name))


def test_each_page_is_in_the_tables_of_one_language_with_its_blocks(
    crawl: Path, known: KnownLanguages, tmp_path: Path
) -> None:
    """Pages, blocks and bytes of all languages and the rest are those of the crawl; a language may have nothing."""
    batches = read_batches(crawl / "batches.tsv")
    assign = Assigner(known, filters("cs", "sk", "de"))
    for batch in batches:
        split(crawl, batch.name, assign)
        split(crawl, batch.name, assign)  # again: the folder is replaced
    divide(crawl, batches, ["cs", "sk", "de"], 1)
    gathered = {}
    for code, (planned, parts) in read_division(crawl).items():
        folder = tmp_path / code
        for batch in planned:
            gather(crawl, parts[batch.name], code, folder, batch.name)
        gathered[code] = {
            name: pl.concat([pl.read_parquet(getattr(BatchFiles.of(folder, batch.name), name)) for batch in planned])
            for name in ("encoding", "pages", "boilerplate")
        }
        assert gathered[code]["encoding"]["length"].sum() == sum(sum(batch.sizes) for batch in planned)
    assert {code: tables["pages"].height for code, tables in gathered.items()} == {"cs": 5, "sk": 1, "de": 0}
    found = pl.concat([pl.read_parquet(found_file(crawl, batch.name)) for batch in batches])
    assert found["rest"].value_counts().sort("rest").rows() == [("", 6), ("no_good_block", 3), ("undecided", 3)]
    for code, tables in gathered.items():
        mine = found.filter(corpus=code)
        assert tables["encoding"].select("batch", "record").equals(tables["pages"].select("batch", "record"))
        assert tables["boilerplate"].height == mine["blocks"].sum()
        assert tables["boilerplate"]["words"].sum() == mine["words"].sum()
        keys = tables["boilerplate"].select("batch", "record")
        assert keys.unique(maintain_order=True).equals(tables["pages"].select("batch", "record"))


def test_each_block_of_a_divided_page_is_in_one_corpus(tmp_path: Path, known: KnownLanguages) -> None:
    """Blocks, words and what is counted of the page add up over the corpora and the rest."""
    archive = tmp_path / "a.warc"
    archive.write_bytes(bytes(100))
    (batch,) = plan([archive], 1)
    crawl = tmp_path / "crawl"
    write_batches([batch], crawl / "batches.tsv")
    mixed = "|".join([TEXTS["en"], "More", TEXTS["cs"], TEXTS["de"], TEXTS["cs"]])
    _write_batch(crawl, batch, [TEXTS["cs"], mixed, ""])
    split(crawl, batch.name, Assigner(known, filters("cs", "en"), by_block=True))
    found = pl.read_parquet(found_file(crawl, batch.name)).filter(record=3)
    assert found.select("corpus", "rest", "blocks", "words", "good_blocks", "good_words").rows() == [
        ("cs", "", 4, 18, 2, 14),
        (None, "other_language", 2, 9, 1, 7),
        ("en", "", 4, 18, 2, 14),
    ]
    stored = pl.read_parquet(BatchFiles.of(crawl, batch.name).boilerplate)
    held = {}
    for code in ("cs", "en"):
        gather(crawl, [batch.name], code, tmp_path / code, "b")
        tables = {name: pl.read_parquet(getattr(BatchFiles.of(tmp_path / code, "b"), name)) for name in PARTS}
        held[code] = tables["boilerplate"].filter(record=3)["block"].to_list()
        sums = (
            tables["boilerplate"].group_by("record").agg(pl.len().cast(pl.UInt32), pl.col("words").sum()).sort("record")
        )
        assert tables["pages"].select("record", "blocks", "words").rows() == sums.rows()
        assert tables["encoding"]["record"].to_list() == tables["pages"]["record"].to_list()
    assert held == {"en": [0, 1, 2, 3], "cs": [4, 5, 8, 9]}
    assert set(stored.filter(record=3)["block"]) - {*held["en"], *held["cs"]} == {6, 7}
    counts = CrawlCounts.of(crawl, ["cs", "en"])
    assert sum(numbers[0] - numbers[4] for numbers in counts.pages.values()) == 3
    assert sum(numbers[1] for numbers in counts.pages.values()) == stored.height
    assert sum(numbers[2] for numbers in counts.pages.values()) == stored["words"].sum()


def test_parts_in_several_files_are_joined(
    crawl: Path, known: KnownLanguages, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tables of several parts are the same, whether a table of a part is in one file or in several."""
    batches = read_batches(crawl / "batches.tsv")
    names = [batch.name for batch in batches]
    for folder, rows, size in (("one", splitting.ROWS_AT_ONCE, splitting.FRAME_BYTES), ("several", 2, 1)):
        monkeypatch.setattr(splitting, "ROWS_AT_ONCE", rows)
        monkeypatch.setattr(splitting, "FRAME_BYTES", size)
        for name in names:
            split(crawl, name, Assigner(known, filters("cs", "sk")))
        assert (len(part_files(crawl, names[0], "cs", "encoding")) > 1) == (folder == "several")
        gather(crawl, names, "cs", tmp_path / folder, "b")
    one, several = (BatchFiles.of(tmp_path / folder, "b") for folder in ("one", "several"))
    for table in PARTS:
        assert pl.read_parquet(getattr(several, table)).equals(pl.read_parquet(getattr(one, table)))
    assert pl.read_parquet(several.encoding)["record"].is_unique().all()


def test_small_parts_share_a_batch(crawl: Path, known: KnownLanguages) -> None:
    """With room, a language has one batch; without, one per batch of the crawl that has pages in it."""
    batches = read_batches(crawl / "batches.tsv")
    for batch in batches:
        split(crawl, batch.name, Assigner(known, filters("cs", "sk")))
    divide(crawl, [replace(batch, sizes=(1,)) for batch in batches], ["cs", "sk", "en"], 1)
    apart = {code: len(planned) for code, (planned, _) in read_division(crawl).items()}
    divide(crawl, batches, ["cs", "sk", "en"], 1)
    as_large = {code: len(planned) for code, (planned, _) in read_division(crawl).items()}
    divide(crawl, batches, ["cs", "sk", "en"], 10_000)
    together = {code: len(planned) for code, (planned, _) in read_division(crawl).items()}
    assert apart == {"cs": 3, "sk": 1, "en": 1}
    assert as_large == together == {"cs": 1, "sk": 1, "en": 1}  # a batch may be as large as the largest of the crawl
    (empty,), parts = read_division(crawl)["en"]
    assert empty.sizes == (0,)
    assert parts[empty.name] == [batches[0].name]


def test_a_language_with_few_words_has_no_corpus(crawl: Path, known: KnownLanguages) -> None:
    """Its pages are counted under a reason of their own."""
    batches = read_batches(crawl / "batches.tsv")
    for batch in batches:
        split(crawl, batch.name, Assigner(known, filters("cs", "sk")))
    words = {code: CrawlCounts.of(crawl, ["cs", "sk"]).pages[code, "kept"][2] for code in ("cs", "sk")}
    assert words["sk"] < words["cs"]
    divide(crawl, batches, ["cs", "sk", "en"], 10_000, words["sk"] + 1)
    assert list(read_division(crawl)) == ["cs"]
    counted = CrawlCounts.of(crawl, ["cs"]).pages
    assert counted["sk", "small_language"][2] == words["sk"]
    assert ("sk", "kept") not in counted


def test_errors_name_what_is_missing(crawl: Path, tmp_path: Path) -> None:
    """A folder without models, a language without a model, one that was not divided, and a damaged table."""
    (tmp_path / "empty").mkdir()
    with pytest.raises(LanguageError, match=r"empty: no language models \(\*\.model\) here"):
        KnownLanguages.read(tmp_path / "empty")
    models = tmp_path / "models"
    languages.save(languages.get("cs"), models / "cs.model")
    arguments = ["split", str(crawl), "--batch", "b0", "--models", str(models)]
    with pytest.raises(ConfigError, match="has no model of en"):
        CliRunner().invoke(command, [*arguments, "--languages", json.dumps({"en": {}})], catch_exceptions=False)
    (crawl / "division.tsv").write_text("language\tbatch\tpart\tarchive\tbytes\ncs\tb1\tb0\ta.warc\tmany\n")
    with pytest.raises(StageFileError, match=r"division\.tsv: not a table of the languages' batches"):
        read_division(crawl)

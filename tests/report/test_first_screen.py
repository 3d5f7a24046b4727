"""The first screen of a report: short for any corpus, and about this corpus alone."""

import re
from dataclasses import replace
from pathlib import Path

import lxml.html
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import corpus_fixture as fixture
from support.reporting import MOST_OPEN_WORDS, Reported, open_text, open_words, report

from corpusprep.io import tsv
from corpusprep.pipeline import DECIDING
from corpusprep.report import audit, crawl_page, first_screen
from corpusprep.report.advice import advice
from corpusprep.report.corpus_statistics import CorpusStatistics
from corpusprep.report.page import render
from corpusprep.statistics.crawl_languages import DIVISION, LANGUAGE_COLUMNS
from corpusprep.tables import verdicts
from corpusprep.tables.verdicts import KEPT

#: A word of as many letters as a title or an address has characters, and one of one letter.
LONG, SHORT = "w" * 400, "w " * 200


@pytest.fixture(scope="module")
def statistics(reported: Reported) -> CorpusStatistics:
    """The tables of the corpus."""
    return CorpusStatistics.read(reported.path.parent / "statistics")


def with_rows(statistics: CorpusStatistics, **tables: list[tsv.Row]) -> CorpusStatistics:
    """Returns statistics with other tables in place of their own."""
    return replace(statistics, rows={**statistics.rows, **tables})


def test_it_is_short(reported: Reported) -> None:
    """What is open of a report does not grow with its corpus; much more is folded."""
    assert open_words(reported.html) <= MOST_OPEN_WORDS
    assert len(lxml.html.document_fromstring(reported.html).text_content().split()) > 2 * MOST_OPEN_WORDS


@pytest.mark.parametrize("title", [LONG, SHORT])
def test_it_is_short_for_many_hosts_and_years_and_an_audit(tmp_path: Path, title: str) -> None:
    """A corpus with long titles and addresses, every kind of advice, and people's judgements."""
    drawn = fixture.draw(seed=3)
    for number, record in enumerate(record for records in drawn.values() for record in records):
        record.title, record.host, record.url = title, f"{number}.{title.strip()}", f"{record.url}/{title}"
    made = report(tmp_path, drawn)
    (tmp_path / audit.FOLDER).mkdir()
    stages = [*DECIDING, audit.ALL]
    scores = [(unit, stage, *["100"] * 7) for unit in ("block", "word", "document") for stage in stages]
    tsv.write(tmp_path / audit.FOLDER / audit.SCORES, audit.SCORE_COLUMNS, scores)
    html = render(tmp_path, LONG, LONG, boilerplate_kept=True)
    assert open_words(made.html) < open_words(html) <= MOST_OPEN_WORDS


@pytest.mark.parametrize("drawn", [{"b00000": []}, fixture.empty_by_language(fixture.draw())])
def test_it_is_short_for_an_empty_corpus(tmp_path: Path, drawn: dict[str, list[fixture.Record]]) -> None:
    """It says why there is nothing."""
    shown = open_text(report(tmp_path, drawn).html)
    assert "This corpus is empty." in shown
    assert len(shown.split()) <= MOST_OPEN_WORDS


def test_it_is_short_for_a_crawl_of_many_languages() -> None:
    """200 languages, and as many without a corpus; all verdicts."""
    rows, ledger = [], []
    for number in range(400):
        row = dict.fromkeys(LANGUAGE_COLUMNS, "123456789")
        verdict = KEPT if number < 200 else "other_language"
        rows.append(row | {"language": f"x{number}", "verdict": verdict})
        reasons = [(stage, reason) for stage, names in verdicts.BLOCK_VERDICTS.items() for reason in names]
        for stage, reason in [*reasons, (DIVISION, verdict)]:
            ledger.append({"stage": stage, "unit": "word", "language": f"x{number}", "verdict": reason, "count": "123"})
    html = crawl_page.render("name", rows, ledger)
    assert open_words(html) <= MOST_OPEN_WORDS
    assert {link for _, _, link, _ in lxml.html.iterlinks(html)} >= {f"x{number}/report.html" for number in range(200)}


def test_other_corpora_are_folded(reported: Reported) -> None:
    """Neither the thesis nor its corpora nor gold data are named before a reader opens a section, but in its title."""
    shown = open_text(reported.html)
    assert not re.search(r"ClueWeb|TenTen|Pomikálek|Canola", shown)
    assert "ClueWeb09" in reported.html


def test_losses_add_up(statistics: CorpusStatistics) -> None:
    """From the crawl to the corpus, each bar begins where the next one ends."""
    first, *stages, last = first_screen.lost_words(statistics)
    words = [int(level.words.replace(",", "").replace("\N{MINUS SIGN}", "")) for level in (first, *stages, last)]
    assert words[0] - sum(words[1:-1]) == words[-1] == statistics.words
    assert [level.name for level in stages] == ["boilerplate", "language", "exact duplicates", "duplicate blocks"]
    ends = [level.start + level.width for level in (*stages, last)]
    assert ends == pytest.approx([100.0, *(level.start for level in stages)])


def test_years_are_few(statistics: CorpusStatistics) -> None:
    """The last years, all before them, and pages without a date; together they are all documents."""
    rows = [{"year": str(year), "documents": "3"} for year in range(2000, 2020)] + [{"year": "", "documents": "40"}]
    shown = first_screen.years(with_rows(statistics, years=rows))
    assert [name for name, _, _ in shown] == ["before 2014", *map(str, range(2014, 2020)), "no date"]
    assert [number for _, number, _ in shown] == ["42", *["3"] * 6, "40"]
    assert sum(share for _, _, share in shown) == pytest.approx(100)


def test_languages_are_few(statistics: CorpusStatistics) -> None:
    """Where there are several: the first ones by name, and the others together."""
    assert first_screen.languages(statistics) == []
    codes = ["en", "cs", "", *(f"x{number}" for number in range(12))]
    rows = [{"language": code, "documents": "2", "words": str(statistics.words // 20)} for code in codes]
    shown = first_screen.languages(with_rows(statistics, document_languages=rows))
    names = ["English", "Czech", "not told", *(f"x{number}" for number in range(5)), "others"]
    assert [name for name, _, _ in shown] == names
    assert [number for _, number, _ in shown] == [*["2"] * 8, "14"]
    assert shown[-1][2] == pytest.approx(35, rel=0.01)
    assert first_screen.main_language(statistics) == "en"
    assert first_screen.main_language(with_rows(statistics, document_languages=rows)) == ""


def test_texts_without_addresses_have_no_host(statistics: CorpusStatistics) -> None:
    """The row of documents without one is no host; with others, it is among them."""
    assert first_screen.headlines(statistics)[-1][1] == "hosts"
    row = dict(statistics["domains"][0])
    none = with_rows(statistics, domains=[row | {"host": ""}])
    assert first_screen.headlines(none)[-1] == ("0", "hosts", "texts without an address have none")
    assert first_screen.hosts(none) == []
    assert len(first_screen.hosts(with_rows(statistics, domains=[row, row | {"host": ""}]))) == 2


def change_size(statistics: CorpusStatistics, **counts: dict[str, int]) -> CorpusStatistics:
    """Returns statistics with other counts in the ledger; a key is a stage and a unit."""
    replaced = {tuple(key.split("_")) for key in counts}
    rows = [row for row in statistics["ledger"] if (row["stage"], row["unit"]) not in replaced]
    for key, verdicts_of in counts.items():
        stage, unit = key.split("_")
        for verdict, count in verdicts_of.items():
            rows.append({"stage": stage, "unit": unit, "verdict": verdict, "count": str(count)})
    return with_rows(statistics, ledger=rows)


@pytest.fixture(scope="module")
def usual(statistics: CorpusStatistics) -> CorpusStatistics:
    """The tables of a corpus without unusual numbers."""
    [ngrams] = statistics["duplicate_ngrams"]
    changed = with_rows(
        statistics,
        duplicate_ngrams=[ngrams | {"duplicate_10grams_left_percent": "70.0", "duplicate_10grams_after": "999"}],
        cleaning=[row | {"pages": "0"} for row in statistics["cleaning"]],
        domains=[row | {"words": "1"} for row in statistics["domains"]],
        lengths=[row | {"documents": str(int(row["from_words"]) // 100)} for row in statistics["lengths"]],
    )
    return change_size(
        changed,
        encoding_record={KEPT: 1000, "status": 400, "damaged": 9},
        boilerplate_word={KEPT: 5000, "short": 5000, "hidden": 100},
        boilerplate_document={KEPT: 1000, "rights": 20},
        language_document={KEPT: 900, "language_score": 50, "rival_language": 50},
        blocks_word={KEPT: 4000, "duplicate": 900},
    )


def test_usual_numbers_need_no_advice(usual: CorpusStatistics) -> None:
    """Nothing is said only to say something."""
    assert advice(usual) == []


UNUSUAL = [
    ("encoding_record", {KEPT: 900, "damaged": 100}, "100 of 1,000 (10.0 %) records are damaged", "corpusprep fetch"),
    ("boilerplate_word", {KEPT: 100, "short": 900}, "kept only 10.0 % of the words", "corpusprep recut"),
    ("boilerplate_word", {KEPT: 700, "hidden": 300}, "are not shown", "pages: {hidden: keep}"),
    ("boilerplate_document", {KEPT: 900, "rights": 100}, "reserve their use", "rights: {refuse: […]}"),
    ("language_document", {KEPT: 500, "language_score": 300, "rival_language": 200}, "500 of 1,000", "languages: all"),
    ("blocks_word", {KEPT: 400, "duplicate": 600}, "removed as duplicate blocks", "blocks: {threshold: 0.7}"),
    ("blocks_word", {KEPT: 400, "near_duplicate": 600}, "in near-duplicates", "clusters: {share: 0.9}"),
]


@pytest.mark.parametrize(("key", "counts", "finding", "setting"), UNUSUAL)
def test_unusual_losses_are_named_with_their_setting(
    usual: CorpusStatistics, key: str, counts: dict[str, int], finding: str, setting: str
) -> None:
    """One number is unusual, and that one is named."""
    [said] = advice(change_size(usual, **{key: counts}))
    assert finding in said.finding
    assert setting in said.settings


def test_unusual_contents_are_named_with_their_setting(usual: CorpusStatistics) -> None:
    """Duplicates that are left, a host with most of the words, short documents, bytes that are no text."""
    host, *others = usual["domains"]
    [ngrams] = usual["duplicate_ngrams"]
    said = advice(
        with_rows(
            usual,
            domains=[host | {"words": str(usual.words // 2)}, *others],
            duplicate_ngrams=[ngrams | {"duplicate_10grams_left_percent": "30.0", "duplicate_10grams_after": "1000"}],
            lengths=[row | {"documents": "9" if row["from_words"] == "1" else "0"} for row in usual["lengths"]],
            cleaning=[row | {"pages": "500"} for row in usual["cleaning"]],
        )
    )
    assert [list(item.settings) for item in said] == [
        ["encoding: {trust: declared-then-detected}"],
        ["blocks: {threshold: 0.3}"],
        [f'encoding: {{hosts: ["!{host["host"]}"]}}'],
        ["language: {min_words: 50}"],
    ]


def test_duplicates_that_are_only_marked_are_meant_to_be_left(usual: CorpusStatistics) -> None:
    """They are in the corpus because a setting says so."""
    [ngrams] = usual["duplicate_ngrams"]
    many = [ngrams | {"duplicate_10grams_left_percent": "99.0", "duplicate_10grams_after": "5000"}]
    left = with_rows(usual, duplicate_ngrams=many)
    assert len(advice(left)) == 1
    assert advice(change_size(left, blocks_word={KEPT: 4000, "marked_duplicate": 900})) == []


@pytest.mark.parametrize(
    ("records", "setting"),
    [
        ([fixture.Record("u", "h", 10, "too_large")], "encoding: {max_bytes: …}"),
        ([fixture.Record("u", "h", 10, KEPT, page="rights")], "rights: {refuse: […]}"),
        ([fixture.Record("u", "h", 10, "damaged")], None),
    ],
)
def test_an_empty_corpus_has_the_setting_of_its_reason(
    tmp_path: Path, records: list[fixture.Record], setting: str | None
) -> None:
    """Where there is one."""
    report(tmp_path, {"b00000": records})
    said = advice(CorpusStatistics.read(tmp_path / "statistics"))
    assert [list(item.settings) for item in said] == ([[setting]] if setting else [])


@given(
    st.lists(st.tuples(st.text(max_size=4), st.integers(0, 10**12)), max_size=8),
    st.integers(0, 10**12),
)
def test_levels_of_any_losses(lost: list[tuple[str, int]], left: int) -> None:
    """No bar leaves the figure, and all of them together have the length of the first."""
    whole = left + sum(number for _, number in lost)
    levels = first_screen.levels(
        ("crawl", whole, ""), [(name, "muted", number, "") for name, number in lost], ("corpus", "")
    )
    for level in levels:
        assert 0 <= level.start <= level.start + level.width <= 100 + 1e-9
    assert sum(level.width for level in levels[1:]) == pytest.approx(100 if whole else 0)

"""All languages of a crawl on one page: what was found, what is left of each, and where the rest went."""

from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any

from corpusprep.io import tsv
from corpusprep.io.files import replacing
from corpusprep.io.readable import percent, printable, size, thousands
from corpusprep.io.tsv import Row
from corpusprep.pipeline import ALWAYS_DECIDING, CRAWL, DECIDING, STAGES
from corpusprep.report.figures import colour
from corpusprep.report.first_screen import Level, language_name, levels, named_reasons
from corpusprep.report.plain_tables import PlainTable
from corpusprep.report.rendering import environment
from corpusprep.statistics.crawl_languages import DIVISION, LANGUAGE_COLUMNS, LEDGER_COLUMNS, corpus_number
from corpusprep.tables import verdicts
from corpusprep.tables.crawl_files import languages_file, ledger_file
from corpusprep.tables.verdicts import KEPT

#: Languages that are named at once.
MOST = 20
#: Why pages are in no corpus, in words.
_RESTS = verdicts.DIVISION_REASONS | verdicts.PAGE_REASONS


def write(crawl: Path, name: str, page: Path) -> None:
    """Writes the page of a crawl, from its tables.

    Args:
        crawl: its folder, with languages.tsv and ledger.tsv.
        name: its name.
        page: the page to write, which links to the reports in the folder of the crawl.

    Raises:
        StageFileError: a table is missing or damaged.
    """
    rows = tsv.read(languages_file(crawl), LANGUAGE_COLUMNS)
    ledger = tsv.read(ledger_file(crawl), LEDGER_COLUMNS)
    html = render(name, rows, ledger)
    with replacing(page) as temporary:
        temporary.write_text(html, encoding="utf-8", newline="\n")


def render(name: str, rows: list[Row], ledger: list[Row]) -> str:
    """Returns the page as HTML, from the rows of languages.tsv and ledger.tsv."""
    corpora = [row for row in rows if row["verdict"] == KEPT]
    rests = sorted((row for row in rows if row["verdict"] != KEPT), key=lambda row: -int(row["words"]))
    all_words = sum(int(row["words"]) for row in rows)
    all_documents = sum(int(row["documents"]) for row in rows)
    records = {
        row["verdict"]: int(row["count"]) for row in ledger if (row["stage"], row["unit"]) == ("encoding", "record")
    }
    stored = sum(int(row["count"]) for row in ledger if (row["stage"], row["unit"]) == ("encoding", "byte"))
    left = sum(int(corpus_number(row, "words")) for row in corpora)
    headlines = [
        (thousands(left), "words"),
        (thousands(sum(int(corpus_number(row, "documents")) for row in corpora)), "documents"),
        (thousands(len([row for row in corpora if corpus_number(row, "documents") != "0"])), "languages"),
        (size(stored), "of archives, as stored"),
    ]
    return (
        environment()
        .get_template("crawl.html.j2")
        .render(
            name=printable(name, 200),
            headlines=headlines,
            levels=_levels(
                rows, ledger, f"{thousands(all_documents)} pages of {thousands(sum(records.values()))} records"
            ),
            corpora=[_corpus(row, left) for row in corpora],
            most=MOST,
            rests=PlainTable(
                ["language", "reason", "meaning", "pages", "words", "of all words"],
                [
                    [
                        language_name(row["language"]) or "–",
                        row["verdict"],
                        _RESTS.get(row["verdict"], ""),
                        thousands(row["documents"]),
                        thousands(row["words"]),
                        percent(tsv.percent(int(row["words"]), all_words)),
                    ]
                    for row in rests
                ],
                texts=[1],
                wide=[2],
                without_rows="Each page is in one of the corpora.",
            ),
            sizes=_sizes(corpora, all_words),
            losses_by_reason=_losses(corpora, ledger),
            records=PlainTable(
                ["verdict", "meaning", "records"],
                [
                    [verdict, verdicts.RECORD_REASONS.get(verdict, "pages"), thousands(count)]
                    for verdict, count in records.items()
                ],
                wide=[1],
            ),
        )
    )


def _levels(rows: list[Row], ledger: list[Row], about: str) -> list[Level]:
    """Returns the rows of the figure: what no corpus has, and what each stage removed from all languages together."""
    corpora = [row for row in rows if row["verdict"] == KEPT]
    reasons: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for row in ledger:
        if row["unit"] == "word":
            reasons[row["stage"]][row["verdict"]] += int(row["count"])
    left = [sum(int(row["words"]) for row in corpora)]
    stages = _stages(corpora)
    left += [sum(int(row[f"words_after_{stage}"]) for row in corpora) for stage in stages]
    whole = sum(int(row["words"]) for row in rows)
    losses = [("in no corpus", "encoding", whole - left[0], named_reasons(reasons[DIVISION]))]
    losses += [
        (STAGES[stage].removes, colour(stage), before - after, named_reasons(reasons[stage]))
        for stage, (before, after) in zip(stages, pairwise(left), strict=True)
    ]
    documents = sum(int(corpus_number(row, "documents")) for row in corpora)
    return levels((CRAWL[1], whole, about), losses, ("corpora", f"{thousands(documents)} documents"))


def _stages(corpora: list[Row]) -> list[str]:
    """Returns the stages that a corpus has that decide about documents."""
    there = {stage for stage in DECIDING if any(f"words_after_{stage}" in row for row in corpora)}
    return [stage for stage in DECIDING if stage in ALWAYS_DECIDING or stage in there]


def _corpus(row: Row, all_words: int) -> dict[str, Any]:
    """Returns what the first screen shows of a language with a corpus."""
    words = int(corpus_number(row, "words"))
    return {
        "name": language_name(row["language"]),
        "code": row["language"],
        "empty": corpus_number(row, "documents") == "0",
        "words": thousands(words),
        "documents": thousands(corpus_number(row, "documents")),
        "share": 100 * words / all_words if all_words else 0.0,
    }


def _sizes(corpora: list[Row], all_words: int) -> PlainTable:
    """Returns the languages with a corpus: what was found, the share that each stage removed, and what is left."""
    cells = []
    stages = _stages(corpora)
    for row in corpora:
        left = [int(row["words"]), *(int(row[f"words_after_{stage}"]) for stage in stages)]
        lost = [percent(tsv.percent(before - after, left[0])) for before, after in pairwise(left)]
        found = [thousands(row["documents"]), thousands(row["words"]), percent(tsv.percent(left[0], all_words))]
        kept = percent(tsv.percent(left[-1], left[0]))
        ends = [thousands(corpus_number(row, unit)) for unit in ("documents", "words", "tokens")]
        cells.append([language_name(row["language"]), *found, *lost, kept, *ends])
    removed = [STAGES[stage].removes for stage in stages]
    headings = ["language", "pages", "words", "of all words", *removed, "words kept", "documents", "words", "tokens"]
    groups = [("", 1), ("in the crawl", 3), ("removed by", len(removed)), ("in the corpus", 4)]
    return PlainTable(headings, cells, groups=groups)


def _losses(corpora: list[Row], ledger: list[Row]) -> PlainTable:
    """Returns the words that were removed: a row per reason, a column per language, up to MOST of them."""
    losses: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for row in ledger:
        if row["unit"] == "word" and row["verdict"] != KEPT and row["stage"] not in ("encoding", DIVISION):
            losses[row["stage"], row["verdict"]][row["language"]] = row["count"]
    ordered = sorted(losses.items(), key=lambda item: (DECIDING.index(item[0][0]), item[0][1]))
    shown = corpora[:MOST]
    rows = [
        [verdict, STAGES[stage].removes, *(thousands(counts.get(row["language"], "0")) for row in shown)]
        for (stage, verdict), counts in ordered
    ]
    return PlainTable(["reason", "stage", *(language_name(row["language"]) for row in shown)], rows, texts=[1])

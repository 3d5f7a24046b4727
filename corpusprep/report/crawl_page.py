"""All languages of a crawl on one page: what was found, what is left of each, and where the rest went."""

from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any

from corpusprep.io import tsv
from corpusprep.io.files import replacing
from corpusprep.io.readable import percent, printable, size, thousands
from corpusprep.io.tsv import Row
from corpusprep.languages import descriptions
from corpusprep.pipeline import DECIDING, STAGES
from corpusprep.report.rendering import environment
from corpusprep.statistics.crawl_languages import DIVISION, LANGUAGE_COLUMNS, LEDGER_COLUMNS
from corpusprep.tables import verdicts
from corpusprep.tables.crawl_files import languages_file, ledger_file
from corpusprep.tables.verdicts import KEPT

#: Why pages are in no corpus, in words.
_RESTS = verdicts.DIVISION_REASONS | verdicts.PAGE_REASONS


def language_name(code: str) -> str:
    """Returns a language's name, or its code where it has no name."""
    described = descriptions.find(code) if code else None
    return printable(described.name if described else code, 40)


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
    rests = [row for row in rows if row["verdict"] != KEPT]
    all_words = sum(int(row["words"]) for row in rows)
    all_documents = sum(int(row["documents"]) for row in rows)
    records = {
        row["verdict"]: int(row["count"]) for row in ledger if (row["stage"], row["unit"]) == ("encoding", "record")
    }
    stored = sum(int(row["count"]) for row in ledger if (row["stage"], row["unit"]) == ("encoding", "byte"))
    reasons = _losses(ledger)
    headlines = [
        (thousands(len([row for row in corpora if row["documents_after_blocks"] != "0"])), "languages"),
        (thousands(sum(int(row["words_after_blocks"]) for row in corpora)), "words"),
        (thousands(sum(int(row["documents_after_blocks"]) for row in corpora)), "documents"),
        (thousands(all_documents), "pages in the crawl"),
        (size(stored), "stored"),
    ]
    return (
        environment()
        .get_template("crawl.html.j2")
        .render(
            name=printable(name, 200),
            headlines=headlines,
            stages=[STAGES[stage].removes for stage in DECIDING],
            corpora=[_corpus(row, all_words) for row in corpora],
            rests=[
                {
                    "language": language_name(row["language"]),
                    "reason": row["verdict"],
                    "meaning": _RESTS.get(row["verdict"], ""),
                    "documents": thousands(row["documents"]),
                    "words": thousands(row["words"]),
                    "share": percent(tsv.percent(int(row["words"]), all_words)),
                }
                for row in rests
            ],
            reasons=[(STAGES[stage].removes, reason) for stage, reason in reasons],
            losses=[
                (
                    language_name(row["language"]),
                    [thousands(lost.get(row["language"], "0")) for lost in reasons.values()],
                )
                for row in corpora
            ],
            records=[
                (verdict, verdicts.RECORD_REASONS.get(verdict, "pages"), thousands(count))
                for verdict, count in records.items()
            ],
        )
    )


def _corpus(row: Row, all_words: int) -> dict[str, Any]:
    """Returns what the page shows of a language with a corpus."""
    left = [int(row["words"]), *(int(row[f"words_after_{stage}"]) for stage in DECIDING)]
    return {
        "name": language_name(row["language"]),
        "code": row["language"],
        "empty": row["documents_after_blocks"] == "0",
        "documents": thousands(row["documents"]),
        "words": thousands(row["words"]),
        "share": percent(tsv.percent(left[0], all_words)),
        "mixed": thousands(row["mixed"]),
        "lost": [percent(tsv.percent(before - after, left[0])) for before, after in pairwise(left)],
        "documents_left": thousands(row["documents_after_blocks"]),
        "words_left": thousands(row["words_after_blocks"]),
        "tokens_left": thousands(row["tokens_after_blocks"]),
        "kept": percent(tsv.percent(left[-1], left[0])),
    }


def _losses(ledger: list[Row]) -> dict[tuple[str, str], dict[str, str]]:
    """Returns the words that were removed: stage and reason -> code of the language -> their number."""
    losses: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for row in ledger:
        if row["unit"] == "word" and row["verdict"] != KEPT and row["stage"] not in ("encoding", DIVISION):
            losses[row["stage"], row["verdict"]][row["language"]] = row["count"]
    return dict(sorted(losses.items(), key=lambda item: (DECIDING.index(item[0][0]), item[0][1])))

"""Prepares what the report says in words about removed text, and how the corpus is spread."""

from dataclasses import dataclass

from corpusprep.io.readable import printable, thousands
from corpusprep.pipeline import DECIDING
from corpusprep.report.tables import Row, Statistics

#: Rows per stage.
WORDS, TEMPLATES, HOSTS = 15, 15, 20
#: Typical words per host, and frequent words with their dispersion.
WORDS_OF_HOST, FREQUENT_WORDS = 6, 30


@dataclass(frozen=True)
class StageLosses:
    """What a stage removed: typical words, and sequences that recur in its blocks; cells ready to print."""

    stage: str
    words: list[list[str]]
    templates: list[list[str]]


def by_stage(statistics: Statistics) -> list[StageLosses]:
    """Returns what each stage removed; stages that removed nothing typical are left out."""
    found = []
    for stage in DECIDING:
        words = [_word(row) for row in statistics.removed_words if row["stage"] == stage][:WORDS]
        templates = [
            [printable(row["template"], 120), *(thousands(row[name]) for name in ("blocks", "hosts", "words"))]
            for row in statistics.templates
            if row["stage"] == stage
        ][:TEMPLATES]
        if words or templates:
            found.append(StageLosses(stage, words, templates))
    return found


def _word(row: Row) -> list[str]:
    return [
        printable(row["word"], 40),
        *(thousands(row[name]) for name in ("count_removed", "count_kept", "per_million_removed", "per_million_kept")),
        f"{float(row['log_ratio']):.2f}",
        f"{float(row['low']):.2f} to {float(row['high']):.2f}",
    ]


def by_host(statistics: Statistics) -> list[tuple[str, list[list[str]]]]:
    """Returns (host, typical words of what was removed from it), as `by_stage` has them, for the hosts of `hosts`."""
    found: dict[str, list[list[str]]] = {}
    for row in statistics.host_words:
        words = found.setdefault(row["host"], [])
        if len(words) < WORDS_OF_HOST:
            words.append(_word(row))
    return [(printable(host, 80) or "(no host)", words) for host, words in found.items()]


def frequent_words(statistics: Statistics) -> list[list[str]]:
    """Returns the most frequent words: word, occurrences, per million, deviation of proportions."""
    return [
        [printable(row["word"], 40), *(thousands(row[name]) for name in ("count", "per_million")), row["dp"] or "–"]
        for row in statistics.word_dispersion[:FREQUENT_WORDS]
    ]


def hosts(statistics: Statistics) -> list[list[str]]:
    """Returns the hosts that lost most: name, pages, documents, words before and after, share removed."""
    names = ("documents_crawl", "documents", "words_crawl", "words")
    return [
        [
            printable(row["host"], 80) or "(no host)",
            *(thousands(row[name]) for name in names),
            f"{row['removed_percent']} %",
        ]
        for row in statistics.host_losses[:HOSTS]
    ]


def years(statistics: Statistics) -> list[list[str]]:
    """Returns documents and words by year of the crawl."""
    names = ("documents_crawl", "documents", "words_crawl", "words")
    return [[row["year"] or "no date", *(thousands(row[name]) for name in names)] for row in statistics.years]


def lengths(statistics: Statistics) -> list[list[str]]:
    """Returns documents and words by length of the document."""
    names = ("documents_crawl", "documents", "words_crawl", "words")
    return [[length_class(row), *(thousands(row[name]) for name in names)] for row in statistics.lengths]


def length_class(row: Row) -> str:
    """Returns what a class of lengths is called."""
    first, last = thousands(row["from_words"]), row["to_words"]
    return f"{first} to {thousands(last)}" if last else f"{first} or more"

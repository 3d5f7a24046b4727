"""Prepares the tables of the report that need more than their class: shares, halves, rows by stage or host."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from corpusprep.io.readable import percent, thousands
from corpusprep.pipeline import DECIDING
from corpusprep.report.corpus_statistics import CorpusStatistics
from corpusprep.report.figures import Curve
from corpusprep.report.plain_tables import PlainTable, plain_table, with_shares
from corpusprep.report.typical_words import TypicalWord
from corpusprep.statistics.domains import Domains
from corpusprep.statistics.encodings import Encodings
from corpusprep.statistics.host_words import HostWords
from corpusprep.statistics.keywords import Keywords
from corpusprep.statistics.removed_words import RemovedWords
from corpusprep.statistics.table import Table, printed_word
from corpusprep.statistics.templates import Templates


def presets(statistics: CorpusStatistics) -> PlainTable:
    """Returns per preset or named threshold: name, words kept, their share of the crawl's words, F1 on gold data."""
    rows = [
        [
            f"{row['value']}{' (in use)' if row['used'] == '1' else ''}",
            thousands(row["words_kept"]),
            percent(row["words_kept_percent"]),
            row["gold_f1"],
        ]
        for row in statistics["thresholds"]
        if row["parameter"] == "preset"
    ]
    return PlainTable(["preset", "words kept", "share of all words", "F1 on gold data"], rows)


def threshold_curves(statistics: CorpusStatistics) -> dict[str, Curve]:
    """Returns parameter -> words kept and F1 on gold data over its values."""
    curves = {}
    for parameter in dict.fromkeys(row["parameter"] for row in statistics["thresholds"]):
        rows = [row for row in statistics["thresholds"] if row["parameter"] == parameter]
        if parameter != "preset":
            curves[parameter.upper()] = Curve(
                [float(row["value"]) for row in rows],
                [float(row["words_kept_percent"]) for row in rows],
                [(float(row["value"]), float(row["gold_f1"])) for row in rows if row["gold_f1"]],
                next((float(row["value"]) for row in rows if row["used"] == "1"), None),
            )
    return curves


def encodings(statistics: CorpusStatistics) -> PlainTable:
    """Returns the encodings, with the share of the pages that each was detected on."""
    rows = statistics["encodings"]
    detected = [row["detected"] for row in rows]
    return with_shares(plain_table(Encodings, rows), "detected, share of pages", detected, sum(map(int, detected)))


def hosts(statistics: CorpusStatistics) -> PlainTable:
    """Returns the first hosts, with their share of the words of the corpus."""
    rows = statistics["domains"]
    words = [row["words"] for row in rows]
    return with_shares(plain_table(Domains, rows), "share of the corpus’s words", words, statistics.words)


def changed_words(statistics: CorpusStatistics) -> list[tuple[str, PlainTable]]:
    """Returns words that became rarer and more frequent by the cleaning, the largest change first; with titles."""
    rows = statistics["keywords"]
    rose = [row for row in rows if float(row["per_million_after"]) > float(row["per_million_before"])]
    fell = [row for row in rows if float(row["per_million_after"]) <= float(row["per_million_before"])]
    return [
        ("Rarer in the corpus than in the crawl", plain_table(Keywords, fell[::-1])),
        ("More frequent in the corpus than in the crawl", plain_table(Keywords, rose)),
    ]


def typical(words: Sequence[TypicalWord]) -> PlainTable:
    """Returns the words that are typical of the corpus, with their frequencies."""
    rows = [
        [
            printed_word(word.word),
            thousands(word.count),
            *(thousands(f"{number:.1f}") for number in (word.per_million, word.in_language, word.score)),
        ]
        for word in words
    ]
    headings = ["word", "occurrences", "in the corpus", "in the language", "score"]
    groups = [("", 1), ("", 1), ("per million", 2), ("", 1)]
    return PlainTable(headings, rows, groups=groups, foreign=[True, False, False, False, False])


def by_stage(statistics: CorpusStatistics) -> list[tuple[str, PlainTable, PlainTable]]:
    """Returns (stage, typical words, templates) of what each stage removed; stages without any are left out."""

    def of_stage(kind: type[Table], stage: str) -> PlainTable:
        return plain_table(kind, [row for row in statistics[kind.name] if row["stage"] == stage])

    losses = [(stage, of_stage(RemovedWords, stage), of_stage(Templates, stage)) for stage in DECIDING]
    return [(stage, words, templates) for stage, words, templates in losses if words.rows or templates.rows]


def by_host(statistics: CorpusStatistics) -> PlainTable:
    """Returns typical words of what was removed from each host that lost many words."""
    by_name = groupby(statistics["host_words"], key=lambda row: row["host"])
    rows = [cells for _, words in by_name for cells in plain_table(HostWords, list(words)).rows]
    return replace(plain_table(HostWords, []), rows=rows)


def audited(scores: Sequence[tuple[str, Sequence[Sequence[str]]]], *, whole: bool) -> PlainTable:
    """Returns precision and recall (report.audit.scores): of all stages as a whole, or of each."""
    rows = [[stage, unit, *cells] for unit, judged in scores for stage, *cells in judged]
    numbers = ["judged", "precision", "recall"]
    if whole:
        return PlainTable(["of", *numbers], [cells for stage, *cells in rows if stage == "all stages"])
    return PlainTable(["stage", "of", *numbers], rows, texts=[1])

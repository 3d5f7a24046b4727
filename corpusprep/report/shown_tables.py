"""Prepares the tables of the report that need more than their class: shares, halves, rows by stage or host."""

from corpusprep.io import tsv
from corpusprep.io.readable import percent, thousands
from corpusprep.pipeline import DECIDING
from corpusprep.report.corpus_statistics import CorpusStatistics
from corpusprep.report.figures import Curve
from corpusprep.report.plain_tables import PlainTable, plain_table, with_shares
from corpusprep.statistics.domains import Domains
from corpusprep.statistics.encodings import Encodings
from corpusprep.statistics.host_words import HostWords
from corpusprep.statistics.keywords import Keywords
from corpusprep.statistics.removed_words import RemovedWords
from corpusprep.statistics.table import Table, printed_host
from corpusprep.statistics.templates import Templates


def headlines(statistics: CorpusStatistics) -> list[tuple[str, str, str]]:
    """Returns the main numbers of the corpus: number, unit, and a number to compare it with."""
    crawl, last = statistics["corpus_size"][0], statistics["corpus_size"][-1]
    ngrams = statistics["duplicate_ngrams"][0]
    share = tsv.percent(int(last["words"]), int(crawl["words"]))
    return [
        (thousands(last["words"]), "words", f"{share} % of the crawl’s {thousands(crawl['words'])}"),
        (thousands(last["tokens"]), "tokens", "as split by the tokeniser"),
        (thousands(last["documents"]), "documents", f"of {thousands(crawl['documents'])} pages"),
        (
            thousands(ngrams["duplicate_10grams_after"]),
            "duplicate 10-grams left",
            f"{ngrams['duplicate_10grams_left_percent']} % of {thousands(ngrams['duplicate_10grams_before'])}",
        ),
    ]


def presets(statistics: CorpusStatistics) -> list[list[str]]:
    """Returns per preset or named threshold: name, words kept, their share of the crawl's words, F1 on gold data."""
    return [
        [
            f"{row['value']}{' (in use)' if row['used'] == '1' else ''}",
            thousands(row["words_kept"]),
            percent(row["words_kept_percent"]),
            row["gold_f1"],
        ]
        for row in statistics["thresholds"]
        if row["parameter"] == "preset"
    ]


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


def keywords(statistics: CorpusStatistics) -> list[tuple[str, PlainTable]]:
    """Returns words that became rarer and more frequent by the cleaning, the largest change first; with titles."""
    rows = statistics["keywords"]
    rose = [row for row in rows if float(row["per_million_after"]) > float(row["per_million_before"])]
    fell = [row for row in rows if float(row["per_million_after"]) <= float(row["per_million_before"])]
    return [
        ("Rarer in the corpus than in the crawl", plain_table(Keywords, fell[::-1])),
        ("More frequent in the corpus than in the crawl", plain_table(Keywords, rose)),
    ]


def by_stage(statistics: CorpusStatistics) -> list[tuple[str, PlainTable, PlainTable]]:
    """Returns (stage, typical words, templates) of what each stage removed; stages without any are left out."""

    def of_stage(kind: type[Table], stage: str) -> PlainTable:
        return plain_table(kind, [row for row in statistics[kind.name] if row["stage"] == stage])

    losses = [(stage, of_stage(RemovedWords, stage), of_stage(Templates, stage)) for stage in DECIDING]
    return [(stage, words, templates) for stage, words, templates in losses if words.rows or templates.rows]


def by_host(statistics: CorpusStatistics) -> tuple[PlainTable, list[tuple[str, list[list[str]]]]]:
    """Returns the headings of HostWords; and (host, typical words of what was removed from it)."""
    rows: dict[str, list[tsv.Row]] = {}
    for row in statistics["host_words"]:
        rows.setdefault(row["host"], []).append(row)
    hosts = [(printed_host(host), plain_table(HostWords, words).rows) for host, words in rows.items()]
    return plain_table(HostWords, []), [(host, [cells[1:] for cells in words]) for host, words in hosts]

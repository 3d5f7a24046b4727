"""Prepares the first screen of a report: how large the corpus is, what was lost where, and what is in it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from corpusprep.io import tsv
from corpusprep.io.readable import compact, percent, printable, thousands
from corpusprep.languages import descriptions
from corpusprep.pipeline import CRAWL, DECIDING, STAGES
from corpusprep.report.corpus_statistics import CorpusStatistics
from corpusprep.report.figures import colour
from corpusprep.statistics.host_losses import LARGEST
from corpusprep.statistics.table import printed_host, printed_word
from corpusprep.tables.verdicts import STAYING

#: Reasons per stage, hosts, years and languages that are named.
REASONS, HOSTS, YEARS, LANGUAGES = 3, 8, 6, 8
#: The share of the words from which on a language is the main one.
MAIN = 0.8
#: Frequent words that are named where no typical ones can be found.
WORDS = 40


@dataclass(frozen=True)
class Level:
    """A row of the figure that says where words were lost.

    Attributes:
        name: the stage, or the crawl, or the corpus.
        words: the words that it removed, with a minus; of the crawl and the corpus, those that they have.
        share: the same in percent of the crawl's words.
        about: why, or how many documents there are.
        colour: the name of the colour of its bar.
        start: where its bar starts, in percent of the width.
        width: its length.
    """

    name: str
    words: str
    share: str
    about: str
    colour: str
    start: float
    width: float


def levels(
    crawl: tuple[str, int, str], losses: Iterable[tuple[str, str, int, str]], corpus: tuple[str, str]
) -> list[Level]:
    """Returns the rows of the figure, from the crawl to the corpus.

    Args:
        crawl: its name, its words, and what is said about it.
        losses: of each stage its name, its colour, the words that it removed, and why.
        corpus: its name, and what is said about it.
    """
    name, whole, about = crawl

    def level(name: str, words: int, text: str, colour: str, about: str, start: int) -> Level:
        start_percent, width = (100 * number / whole if whole else 0.0 for number in (start, words))
        return Level(name, text, percent(tsv.percent(words, whole)), about, colour, start_percent, width)

    rows = [level(name, whole, thousands(whole), "muted", about, 0)]
    left = whole
    for name, tone, lost, about in losses:
        left -= lost
        rows.append(level(name, lost, f"\N{MINUS SIGN}{thousands(lost)}" if lost else "0", tone, about, left))
    return [*rows, level(corpus[0], left, thousands(left), "kept", corpus[1], 0)]


def lost_words(statistics: CorpusStatistics) -> list[Level]:
    """Returns the rows of the figure of a corpus."""
    sizes = {row["stage"]: row for row in statistics["corpus_size"]}
    records = sum(statistics.counts("encoding", "record").values())
    stages = [stage for stage in DECIDING if stage in sizes]
    last = sizes[stages[-1]]
    losses = []
    left = int(sizes["crawl"]["words"])
    for stage in stages:
        lost = left - int(sizes[stage]["words"])
        losses.append((STAGES[stage].removes, colour(stage), lost, named_reasons(statistics.counts(stage, "word"))))
        left -= lost
    pages = f"{thousands(sizes['crawl']['documents'])} pages of {thousands(records)} records"
    crawl = CRAWL[1], int(sizes["crawl"]["words"]), pages
    return levels(crawl, losses, ("corpus", f"{thousands(last['documents'])} documents"))


def named_reasons(counts: dict[str, int]) -> str:
    """Returns the most frequent reasons with their words."""
    lost = sorted(
        ((name, count) for name, count in counts.items() if name not in STAYING and count),
        key=lambda item: (-item[1], item[0]),
    )
    named = [f"{name} {compact(count)}" for name, count in lost[:REASONS]]
    rest = sum(count for _, count in lost[REASONS:])
    return ", ".join([*named, *([f"others {compact(rest)}"] if rest else [])])


def headlines(statistics: CorpusStatistics) -> list[tuple[str, str, str]]:
    """Returns the main numbers of the corpus: number, unit, and what it compares with."""
    crawl, last = statistics["corpus_size"][0], statistics["corpus_size"][-1]
    dispersion = statistics["dispersion"][0]
    share = tsv.percent(int(last["words"]), int(crawl["words"]))
    number, beside = int(dispersion["hosts"]), "with words in the corpus"
    if _hostless(statistics):
        number, beside = 0, "texts without an address have none"
    elif number > LARGEST:
        beside = f"the ten largest have {dispersion['words_of_ten_hosts_percent']} % of the words"
    return [
        (thousands(last["words"]), "words", f"{share} % of the crawl’s"),
        (thousands(last["tokens"]), "tokens", "with punctuation"),
        (thousands(last["documents"]), "documents", f"{thousands(dispersion['avg_words'])} words each, on average"),
        (thousands(number), "host" if number == 1 else "hosts", beside),
    ]


def _hostless(statistics: CorpusStatistics) -> bool:
    """Whether there are documents, and none has a host: all are in one row of the table."""
    return [row["host"] for row in statistics["domains"][:2]] == [""]


def frequent_words(statistics: CorpusStatistics) -> list[tuple[str, str]]:
    """Returns the most frequent words with their occurrences."""
    return [(printed_word(row["word"]), row["count"]) for row in statistics["frequent_words"][:WORDS]]


def hosts(statistics: CorpusStatistics) -> list[tuple[str, str, float]]:
    """Returns the hosts with the most documents, by their words: name, words, their share in percent."""
    if _hostless(statistics):
        return []
    first = sorted(statistics["domains"][:HOSTS], key=lambda row: (-int(row["words"]), row["host"]))
    return [
        (printable(printed_host(row["host"]), 60), thousands(row["words"]), _share(row["words"], statistics.words))
        for row in first
        if row["words"] != "0"
    ]


def languages(statistics: CorpusStatistics) -> list[tuple[str, str, float]]:
    """Returns the languages of the documents by their words: name, documents, and their share of the words in percent.

    The languages with the fewest words share a row. A corpus of one language has none.
    """
    rows = statistics["document_languages"]
    if len(rows) < 2:
        return []
    shown = [
        (language_name(row["language"]) or "not told", int(row["documents"]), int(row["words"]))
        for row in rows[:LANGUAGES]
    ]
    if rest := rows[LANGUAGES:]:
        documents, words = (sum(int(row[unit]) for row in rest) for unit in ("documents", "words"))
        shown.append(("others", documents, words))
    return [(name, thousands(documents), _share(words, statistics.words)) for name, documents, words in shown]


def main_language(statistics: CorpusStatistics) -> str:
    """Returns the code of the language that most of the words are in; empty if there is none."""
    first = statistics["document_languages"][:1]
    return next((row["language"] for row in first if int(row["words"]) >= MAIN * statistics.words), "")


def language_name(code: str) -> str:
    """Returns a language's name, or its code where it has no name."""
    described = descriptions.find(code) if code else None
    return printable(described.name if described else code, 40)


def years(statistics: CorpusStatistics) -> list[tuple[str, str, float]]:
    """Returns the documents of the last years, of all years before, and those without a date, with their share."""
    dated = {row["year"]: int(row["documents"]) for row in statistics["years"] if row["documents"] != "0"}
    undated = dated.pop("", 0)
    named = sorted(dated)[-YEARS:]
    before = sum(number for year, number in dated.items() if year not in named)
    counts: Sequence[tuple[str, int]] = [
        (f"before {named[0]}" if named else "", before),
        *((year, dated[year]) for year in named),
        ("no date", undated),
    ]
    whole = sum(number for _, number in counts)
    return [(name, thousands(number), _share(number, whole)) for name, number in counts if number]


def _share(number: str | int, whole: int) -> float:
    return 100 * int(number) / whole if whole else 0.0

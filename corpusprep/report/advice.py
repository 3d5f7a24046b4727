"""Says what to look at next: numbers of a corpus that are unusual, each with the setting that changes it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from corpusprep.io import tsv
from corpusprep.io.readable import printable, thousands
from corpusprep.pipeline import DECIDING
from corpusprep.report.corpus_statistics import CorpusStatistics
from corpusprep.report.reasons import largest
from corpusprep.statistics.table import printed_host
from corpusprep.tables.verdicts import KEPT, MARKS

#: Shares, in percent, from which on a number is named.
DAMAGED, FEW_WORDS, HIDDEN, REFUSED, OTHER_LANGUAGE, UNDECODABLE = 1, 25, 20, 5, 25, 2
REMOVED_DUPLICATES, LARGE_HOST, SHORT = 50, 30, 50
#: Duplicate 10-grams that are left, in percent; the thesis's corpora have 5.8 to 10.6 (table 3.9).
DUPLICATES_LEFT = 12
#: Of fewer 10-grams, no share is named.
LEAST_LEFT = 1_000
#: Documents with fewer words are short.
SHORT_WORDS = 50
#: Pages below which no share is named: of a few pages, any number is unusual.
LEAST_PAGES = 10

#: What to set where a stage kept nothing, by its most frequent reason.
_OF_EMPTY = {
    "host": "encoding: {hosts: […]}",
    "url": "encoding: {urls: […]}",
    "date": "encoding: {first_date: …, last_date: …}",
    "status": "encoding: {status: […]}",
    "content_type": "encoding: {content_types: […]}",
    "too_small": "encoding: {min_bytes: …}",
    "too_large": "encoding: {max_bytes: …}",
    "rights": "rights: {refuse: […]}",
    "no_good_block": "boilerplate: {algorithm: …}",
    "short_document": "language: {min_words: …}",
    "language_score": "language: {code: …}",
    "rival_language": "language: {code: …}",
    "against": "blocks: {against: […]}",
    "forgotten": "forget",
    "no_block_left": "blocks: {threshold: …}",
    "duplicate_document": "blocks: {unit: block}",
    "near_duplicate": "clusters: {share: …}",
}


@dataclass(frozen=True)
class Advice:
    """A number that is unusual.

    Attributes:
        finding: what it is.
        settings: keys of the config or commands, each with what it does.
    """

    finding: str
    settings: Mapping[str, str]


def advice(statistics: CorpusStatistics) -> list[Advice]:
    """Returns what is unusual, in the order of the stages."""
    if not statistics.words:
        return list(_of_empty(statistics))
    pages = int(statistics["corpus_size"][0]["documents"])
    return [*_of_records(statistics), *(_of_stages(statistics) if pages >= LEAST_PAGES else ())]


def _of_empty(statistics: CorpusStatistics) -> Iterator[Advice]:
    """Yields the setting for an empty corpus; reasons.why_empty says why it is empty."""
    counted = [statistics.counts("encoding", "record"), *(statistics.counts(stage, "document") for stage in DECIDING)]
    for counts in counted:
        if any(counts.values()) and not counts.get(KEPT):
            setting = _OF_EMPTY.get(largest(counts), "")
            if setting:
                yield Advice(f"The most frequent reason is {largest(counts)}.", {setting: "decides about it."})
            return


def _of_records(statistics: CorpusStatistics) -> Iterator[Advice]:
    records = statistics.counts("encoding", "record")
    if _reaches(DAMAGED, damaged := records.get("damaged", 0), whole := sum(records.values())):
        yield Advice(
            f"{_of(damaged, whole)} records are damaged.",
            {"corpusprep fetch": "gets archives again; compare their sizes."},
        )
    pages = {row["change"]: int(row["pages"]) for row in statistics["cleaning"]}
    if _reaches(UNDECODABLE, number := pages["undecodable_bytes"], whole := records.get(KEPT, 0)):
        yield Advice(
            f"{_of(number, whole)} pages have bytes that are not valid in their encoding.",
            {"encoding: {trust: declared-then-detected}": "believes what pages declare, where that decodes them."},
        )


def _of_stages(statistics: CorpusStatistics) -> Iterator[Advice]:
    yield from _of_boilerplate(statistics)
    documents = statistics.counts("language", "document")
    foreign = documents.get("language_score", 0) + documents.get("rival_language", 0)
    if _reaches(OTHER_LANGUAGE, foreign, whole := sum(documents.values())):
        yield Advice(
            f"{_of(foreign, whole)} documents were removed as another language.",
            {
                "languages: all": "makes a corpus of each language;",
                "language: {threshold: …}": "says how sure the filter must be.",
            },
        )
    yield from _of_duplicates(statistics)
    first = max(statistics["domains"], key=lambda row: int(row["words"]))
    if statistics.all_hosts > 1 and _reaches(LARGE_HOST, words := int(first["words"]), statistics.words):
        host = printable(printed_host(first["host"]), 60)
        yield Advice(
            f"{host} has {tsv.percent(words, statistics.words)} % of the words.",
            {f'encoding: {{hosts: ["!{host}"]}}': "leaves the host out."},
        )
    lengths = {int(row["from_words"]): int(row["documents"]) for row in statistics["lengths"]}
    short = sum(number for least, number in lengths.items() if least < SHORT_WORDS)
    if _reaches(SHORT, short, whole := sum(lengths.values())):
        yield Advice(
            f"{_of(short, whole)} documents have fewer than {SHORT_WORDS} words.",
            {f"language: {{min_words: {SHORT_WORDS}}}": "leaves them out."},
        )


def _of_boilerplate(statistics: CorpusStatistics) -> Iterator[Advice]:
    words = statistics.counts("boilerplate", "word")
    whole, kept = sum(words.values()), words.get(KEPT, 0)
    if whole and 100 * kept < FEW_WORDS * whole:
        learned = any(row["parameter"] == "threshold" for row in statistics["thresholds"])
        setting = "threshold: recall" if learned else "length_low: …, stopwords_low: …"
        yield Advice(
            f"Boilerplate removal kept only {tsv.percent(kept, whole)} % of the words.",
            {
                f"boilerplate: {{{setting}}}": "keeps more;",
                "corpusprep recut": "tries it. Look at the sampled pages first.",
            },
        )
    if _reaches(HIDDEN, hidden := words.get("hidden", 0), whole):
        yield Advice(
            f"{_of(hidden, whole)} words are not shown by their pages.",
            {"pages: {hidden: keep}": "treats them as text."},
        )
    documents = statistics.counts("boilerplate", "document")
    if _reaches(REFUSED, refused := documents.get("rights", 0), whole := sum(documents.values())):
        yield Advice(f"{_of(refused, whole)} pages reserve their use.", {"rights: {refuse: […]}": "names the marks."})


def _of_duplicates(statistics: CorpusStatistics) -> Iterator[Advice]:
    [ngrams] = statistics["duplicate_ngrams"]
    left, words = int(ngrams["duplicate_10grams_after"]), statistics.counts("blocks", "word")
    marked = any(words.get(verdict) for verdict in MARKS.values())
    if not marked and left >= LEAST_LEFT and float(ngrams["duplicate_10grams_left_percent"]) >= DUPLICATES_LEFT:
        yield Advice(
            f"{ngrams['duplicate_10grams_left_percent']} % of the duplicate 10-grams are left.",
            {"blocks: {threshold: 0.3}": "also removes blocks of which a smaller share is repeated."},
        )
    if _reaches(REMOVED_DUPLICATES, removed := words.get("duplicate", 0), whole := sum(words.values())):
        yield Advice(
            f"{_of(removed, whole)} words were removed as duplicate blocks.",
            {"blocks: {threshold: 0.7}": "removes only blocks of which a larger share is repeated."},
        )
    if _reaches(REMOVED_DUPLICATES, removed := words.get("near_duplicate", 0), whole):
        yield Advice(
            f"{_of(removed, whole)} words were removed in near-duplicates.",
            {"clusters: {share: 0.9}": "removes only documents that share more."},
        )


def _reaches(share: float, number: int, whole: int) -> bool:
    return whole > 0 and 100 * number >= share * whole


def _of(number: int, whole: int) -> str:
    return f"{thousands(number)} of {thousands(whole)} ({tsv.percent(number, whole)} %)"

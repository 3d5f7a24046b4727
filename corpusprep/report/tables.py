"""Prepares the report's tables: the statistics next to the thesis's figures, as text ready to print."""

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from corpusprep import pipeline
from corpusprep.io import tsv
from corpusprep.io.readable import compact, duration, percent, printable, size, thousands
from corpusprep.pipeline import CRAWL, DECIDING
from corpusprep.report import published
from corpusprep.report.figures import Bar, Curve
from corpusprep.statistics.corpus_folder import CorpusFolder
from corpusprep.statistics.sampled_pages import BLOCK_VERDICTS, DOCUMENT_VERDICTS
from corpusprep.tables import verdicts
from corpusprep.tables.verdicts import KEPT, STAYING

Row = dict[str, str]

#: The rows of `corpus_size.tsv` in the words of table 3.8, and short for figures.
STAGES = {"crawl": CRAWL} | {
    name: (stage.after, stage.removes) for name, stage in pipeline.STAGES.items() if name in DECIDING
}

#: What the row `mended` of the records means.
MENDED = "counted above as well; a length that was wrong by little, and was corrected"

#: Rows of `cleaning.tsv` -> what they mean.
CHANGES = {
    "undecodable_bytes": "bytes that are not valid in the page’s encoding, replaced by U+FFFD",
    "invisible_characters": "characters that nobody sees, such as zero-width spaces and icon fonts, left out",
    "cut_attributes": "titles and addresses that were cut at 2,048 bytes",
}

HOSTS = 20

#: Columns of `exact_duplicates.tsv` -> what they mean.
EXACT_DUPLICATES = {
    "documents_before": "documents before",
    "duplicate_types": "texts that several documents have (types)",
    "duplicate_instances": "documents with such a text (instances)",
    "documents_after": "documents after",
    "tokens_before": "tokens before",
    "tokens_after": "tokens after",
}

#: Rows of the table of hosts by their number of pages: the least and the most pages. The thesis has the first three.
LARGEST = 10**18
HOST_SIZES = [(1, 1), (2, 2), (3, 3), (4, 9), (10, 99), (100, 999), (1_000, 9_999), (10_000, LARGEST)]
KEYWORDS = 25


@dataclass(frozen=True)
class Statistics:
    """The statistics tables of a corpus. `domains` has the first HOSTS hosts, `all_hosts` is the number of hosts."""

    corpus_size: list[Row]
    ledger: list[Row]
    processing_times: list[Row]
    crawl: list[Row]
    exact_duplicates: list[Row]
    duplicate_ngrams: list[Row]
    encodings: list[Row]
    domains: list[Row]
    host_sizes: list[Row]
    fragmentation: list[Row]
    keywords: list[Row]
    thresholds: list[Row]
    cleaning: list[Row]
    removed_words: list[Row]
    host_words: list[Row]
    templates: list[Row]
    host_losses: list[Row]
    years: list[Row]
    lengths: list[Row]
    word_dispersion: list[Row]
    dispersion: list[Row]
    all_hosts: int

    @classmethod
    def read(cls, folder: Path) -> "Statistics":
        """Reads the tables in `folder`.

        Raises:
            StageFileError: a table is missing or damaged.
        """
        tables = {name: tsv.read(folder / f"{name}.tsv") for name in pipeline.TABLES if name != "domains"}
        domains, all_hosts = tsv.head(folder / "domains.tsv", HOSTS)
        return cls(**tables, domains=domains, all_hosts=all_hosts)

    def counts(self, stage: str, unit: str) -> dict[str, int]:
        """Returns verdict -> count of a stage and unit in the ledger."""
        return {
            row["verdict"]: int(row["count"]) for row in self.ledger if row["stage"] == stage and row["unit"] == unit
        }

    @property
    def words(self) -> int:
        """Words in the corpus."""
        return int(self.corpus_size[-1]["words"])


@dataclass(frozen=True)
class Reason:
    """A verdict of a stage, its meaning, and its counts."""

    verdict: str
    meaning: str
    cells: tuple[str, ...]

    @property
    def kept(self) -> bool:
        """Whether units with this verdict stay."""
        return self.verdict in STAYING


def headlines(statistics: Statistics) -> list[tuple[str, str, str]]:
    """Returns the main numbers of the corpus: number, unit, and a number to compare it with."""
    crawl, last = statistics.corpus_size[0], statistics.corpus_size[-1]
    ngrams = statistics.duplicate_ngrams[0]
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


def why_empty(statistics: Statistics) -> str:
    """Returns why the corpus has no words; an empty string if it has words."""
    if statistics.words:
        return ""
    records = statistics.counts("encoding", "record")
    if not any(records.values()):
        return "Its archives have no records."
    if not records[KEPT]:
        return _all_went("encoding", "records", records, verdicts.RECORD_REASONS)
    for stage in DECIDING:
        documents = statistics.counts(stage, "document")
        if any(documents.get(verdict) for verdict in STAYING):
            continue
        text = _all_went(stage, "documents", documents, DOCUMENT_VERDICTS[stage])
        blocks = {verdict: count for verdict, count in statistics.counts(stage, "block").items() if count}
        if stage in ("boilerplate", "blocks") and blocks:
            verdict = _largest(blocks)
            text += (
                f" The most frequent reason for their {thousands(sum(blocks.values()))} blocks is {verdict} "
                f"({BLOCK_VERDICTS[stage][verdict]}): {thousands(blocks[verdict])}."
            )
        return text
    return "Its documents have no words."


def _all_went(stage: str, units: str, counts: dict[str, int], meanings: dict[str, str]) -> str:
    verdict = _largest(counts)
    return (
        f"The stage “{stage}” kept none of its {units} ({thousands(sum(counts.values()))}). "
        f"The most frequent reason is {verdict} ({meanings[verdict]}): {thousands(counts[verdict])}."
    )


def _largest(counts: dict[str, int]) -> str:
    return max((verdict for verdict in counts if verdict not in STAYING), key=lambda verdict: counts[verdict])


def corpus_size(statistics: Statistics) -> list[list[str]]:
    """Returns table 3.8: stage, documents, blocks, words, share, tokens; words, share, tokens of ClueWeb09."""
    return [
        [
            STAGES[row["stage"]][0],
            thousands(row["documents"]),
            thousands(row["blocks"]),
            thousands(row["words"]),
            percent(row["words_percent_of_previous"]),
            thousands(row["tokens"]),
            thousands(theirs["words"]),
            percent(theirs["percent_of_previous"]),
            thousands(theirs["tokens"]),
        ]
        for row, theirs in zip(statistics.corpus_size, published.table("3.8"), strict=True)
    ]


def shrinking(statistics: Statistics) -> tuple[list[Bar], list[Bar], list[float]]:
    """Returns the bars of the first figure: words, documents; and ClueWeb09's words as shares of its crawl."""
    series = []
    for unit in ("words", "documents"):
        whole = int(statistics.corpus_size[0][unit])
        bars = []
        for row in statistics.corpus_size:
            value = int(row[unit])
            text = f"{compact(value)}, {tsv.percent(value, whole)} %"
            stage = row["stage"]
            bars.append(Bar(STAGES[stage][1], value, text, "encoding" if stage == "crawl" else stage))
        series.append(bars)
    theirs = [int(row["words"]) for row in published.table("3.8")]
    return series[0], series[1], [words / theirs[0] for words in theirs]


def web_corpora(statistics: Statistics, corpus: CorpusFolder, language: str) -> list[list[str]]:
    """Returns table 3.9: row label, this corpus, and the four corpora of the thesis."""
    by_stage = {row["stage"]: row for row in statistics.corpus_size}
    ngrams = statistics.duplicate_ngrams[0]
    ours = {
        "language": printable(language, 40),
        "data size [GB]": size(corpus.archive_bytes),
        "Web pages": by_stage["crawl"]["documents"],
        "original corpus size [words]": by_stage["crawl"]["words"],
        "tokens before block de-duplication": by_stage["documents"]["tokens"],
        "10-grams used for block de-duplication": ngrams["ngrams_used"],
        "10-grams used [% of tokens]": ngrams["ngrams_used_percent_of_tokens"],
        "duplicate 10-grams before block de-duplication": ngrams["duplicate_10grams_before"],
        "duplicate 10-grams after block de-duplication": ngrams["duplicate_10grams_after"],
        "duplicate 10-grams left [%]": ngrams["duplicate_10grams_left_percent"],
    }
    for stage in DECIDING:
        ours[f"{STAGES[stage][0].replace('-level', ' level')} [words]"] = by_stage[stage]["words"]
        ours[f"{STAGES[stage][0].replace('-level', ' level')} [%]"] = by_stage[stage]["words_percent_of_previous"]
    rows = []
    for theirs in published.table("3.9"):
        label, _, unit = theirs["row"].rstrip("]").partition(" [")
        end = {"%": " %", "% of tokens": " %", "GB": " GB"}.get(unit, "")
        cells = [
            f"{thousands(theirs[name])}{end if theirs[name] else ''}{' *' if theirs.get(f'{name}_printed') else ''}"
            for name in published.WEB_CORPORA
        ]
        own = ours[theirs["row"]]
        own = own if unit == "GB" or label == "language" else thousands(own) + end
        if unit == "%":
            label = "duplicate 10-grams left" if "left" in label else "… of the previous row"
        elif unit == "% of tokens":
            label = "… of the number of tokens"
        elif unit == "words":
            label = f"{label.replace('block level', 'block-level')}, words"
        if label.startswith("10-grams used") and ngrams["n"] != "10":
            own += f" ({ngrams['n']}-grams)"
        rows.append([label, own, *cells])
    return rows


def records(statistics: Statistics) -> list[Reason]:
    """Returns the ledger of `encoding`: verdict and meaning; records and stored size; mended records, if any, last."""
    numbers, sizes = statistics.counts("encoding", "record"), statistics.counts("encoding", "byte")
    meanings = {KEPT: "an HTML page"} | verdicts.RECORD_REASONS
    mended = sum(statistics.counts("encoding", "mended_record").values())
    rows = [
        Reason(verdict, meanings[verdict], (thousands(number), size(sizes.get(verdict, 0))))
        for verdict, number in numbers.items()
    ]
    return rows + [Reason("mended", MENDED, (thousands(mended), ""))] * (mended > 0)


def losses(statistics: Statistics) -> list[tuple[str, tuple[str, ...], list[Reason]]]:
    """Returns the ledger after `encoding`: stage, its input, and its verdicts; documents, blocks and words."""
    stages = []
    for stage in DECIDING:
        counts = [statistics.counts(stage, unit) for unit in ("document", "block", "word")]
        meanings = {KEPT: "passed to the next stage" if stage != "blocks" else "in the corpus"}
        meanings |= DOCUMENT_VERDICTS[stage] | BLOCK_VERDICTS[stage]
        names = dict.fromkeys(verdict for part in counts for verdict in part)
        reasons = [
            Reason(name, meanings[name], tuple(thousands(part[name]) if name in part else "" for part in counts))
            for name in names
        ]
        stages.append((stage, tuple(thousands(sum(part.values())) for part in counts), reasons))
    return stages


def lost_words(statistics: Statistics) -> list[Bar]:
    """Returns the bars of the second figure: words removed per reason, by stage, the largest first."""
    whole = int(statistics.corpus_size[0]["words"])
    bars = []
    for stage in DECIDING:
        counts = statistics.counts(stage, "word")
        reasons = sorted((reason for reason in counts if reason not in STAYING), key=lambda name: (-counts[name], name))
        bars += [
            Bar(
                reason,
                counts[reason],
                f"{compact(counts[reason])} ({tsv.percent(counts[reason], whole)} %)",
                stage,
            )
            for reason in reasons
        ]
    return bars


def presets(statistics: Statistics) -> list[list[str]]:
    """Returns per preset or named threshold: name, words kept, their share of the crawl's words, F1 on gold data."""
    return [
        [
            f"{row['value']}{' (in use)' if row['used'] == '1' else ''}",
            thousands(row["words_kept"]),
            percent(row["words_kept_percent"]),
            row["gold_f1"],
        ]
        for row in statistics.thresholds
        if row["parameter"] == "preset"
    ]


def threshold_curves(statistics: Statistics) -> dict[str, Curve]:
    """Returns parameter -> words kept and F1 on gold data over its values."""
    curves = {}
    for parameter in dict.fromkeys(row["parameter"] for row in statistics.thresholds):
        rows = [row for row in statistics.thresholds if row["parameter"] == parameter]
        if parameter != "preset":
            curves[parameter.upper()] = Curve(
                [float(row["value"]) for row in rows],
                [float(row["words_kept_percent"]) for row in rows],
                [(float(row["value"]), float(row["gold_f1"])) for row in rows if row["gold_f1"]],
                next((float(row["value"]) for row in rows if row["used"] == "1"), None),
            )
    return curves


def processing_times(statistics: Statistics) -> list[list[str]]:
    """Returns table 3.7: stage, jobs, wall, CPU, peak, pages and tokens per second; ClueWeb09's time, cores, pages."""
    theirs = dict(zip(published.PHASES, published.table("3.7"), strict=True))
    rows = []
    for row in statistics.processing_times:
        cells = [row["stage"], *_used([row]), *(thousands(row[f"{unit}_per_cpu_second"]) for unit in _UNITS)]
        phase = theirs.get(row["stage"])
        if phase:
            seconds = 3600 * int(phase["hours"]) + 60 * int(phase["minutes"])
            pages = published.CLUEWEB09_PAGES / (seconds * int(phase["cpu_cores"]))
            rows.append([*cells, duration(seconds), phase["cpu_cores"], f"{pages:,.1f}"])
        else:
            rows.append([*cells, "–", "–", "–"])
    rows.append(["all stages", *_used(statistics.processing_times), *["–"] * 5])
    return rows


_UNITS = ("pages", "tokens")


def _used(rows: list[Row]) -> list[str]:
    """Returns jobs, wall clock time, CPU time and peak memory of several stages."""
    jobs = sum(int(row["jobs"]) for row in rows)
    if not jobs:
        return ["–"] * 4
    wall, cpu = (sum(float(row[f"{clock}_seconds"]) for row in rows) for clock in ("wall", "cpu"))
    peak = max(int(row["peak_memory_mb"]) for row in rows)
    return [thousands(jobs), duration(wall), duration(cpu), f"{thousands(peak)} MB"]


def fragmentation(statistics: Statistics) -> list[list[str]]:
    """Returns table 2.11: text, average and median length, fragments and blocks per document; ours, the thesis's."""
    names = {"boilerplate": "after removing boilerplate", "blocks": "in the corpus"}
    columns = ("avg_fragment_characters", "median_fragment_characters", "fragments_per_document")
    rows = [
        [names[row["stage"]], *(thousands(row[name]) for name in columns), row["blocks_per_document"]]
        for row in statistics.fragmentation
    ]
    for theirs in published.table("2.11"):
        if theirs["algorithm"] in ("perfect cleaning", "jusText A"):
            cells = (thousands(theirs[name]) for name in list(theirs)[1:])
            rows.append([f"thesis, Canola test set: {theirs['algorithm']}", *cells, ""])
    return rows


def encodings(statistics: Statistics) -> list[tuple[str, list[str], float]]:
    """Returns per encoding: pages that declare it, pages it was detected on, pages with both; share of pages."""
    pages = sum(int(row["detected"]) for row in statistics.encodings)
    return [
        (
            printable(row["encoding"], 40),
            [thousands(row[name]) for name in ("declared", "detected", "agree")],
            100 * int(row["detected"]) / pages if pages else 0.0,
        )
        for row in statistics.encodings
    ]


def cleaning(statistics: Statistics) -> list[list[str]]:
    """Returns what was changed or left out of the pages' text: its meaning, the pages, and how often."""
    return [[CHANGES[row["change"]], thousands(row["pages"]), thousands(row["count"])] for row in statistics.cleaning]


def hosts(statistics: Statistics) -> tuple[list[tuple[str, list[str], float]], int]:
    """Returns the first hosts, with documents and words in crawl and corpus, and share of words; number of hosts."""
    words = statistics.words
    rows = [
        (
            printable(row["host"], 80) or "(no host)",
            [thousands(row[name]) for name in ("documents_crawl", "documents", "words_crawl", "words")],
            100 * int(row["words"]) / words if words else 0.0,
        )
        for row in statistics.domains
    ]
    return rows, statistics.all_hosts


def host_sizes(statistics: Statistics) -> list[list[str]]:
    """Returns 3.6.5: pages; hosts in the crawl, after `language` and in the corpus; in the thesis’s two crawls."""
    ours = ("hosts_crawl", "hosts_language", "hosts")
    sizes = [int(row["documents"]) for row in statistics.host_sizes]
    counts = {name: [int(row[name]) for row in statistics.host_sizes] for name in ours}
    published_rows = {row["documents"]: row for row in published.table("3.6.5")}
    theirs = ("ClueWeb09_sample", "ClueWeb09_7pct")
    rows = []
    for first, last in HOST_SIZES:
        found = [
            sum(count for size, count in zip(sizes, counts[name], strict=True) if first <= size <= last)
            for name in ours
        ]
        printed = published_rows.get(str(first) if first == last else "", {})
        cells = [_share(number, sum(counts[name])) for name, number in zip(ours, found, strict=True)]
        cells += [
            _share(int(printed[name]), int(published_rows["all"][name])) if name in printed else "–" for name in theirs
        ]
        if any(found) or printed:
            label = (
                f"{first:,}" if first == last else f"{first:,} to {last:,}" if last < LARGEST else f"over {first - 1:,}"
            )
            rows.append([label, *cells])
    whole = [sum(counts[name]) for name in ours] + [int(published_rows["all"][name]) for name in theirs]
    return [*rows, ["all hosts", *map(thousands, whole)]]


def _share(number: int, whole: int) -> str:
    return f"{number:,} ({tsv.percent(number, whole)}\N{NO-BREAK SPACE}%)"


def exact_duplicates(statistics: Statistics) -> list[list[str]]:
    """Returns 3.6.1: what is counted; this corpus, the sample of ClueWeb09, and 7 % of ClueWeb09."""
    rows = [*statistics.exact_duplicates, *published.table("3.6.1")]
    return [[label, *(thousands(row[name]) for row in rows)] for name, label in EXACT_DUPLICATES.items()]


def keywords(statistics: Statistics) -> dict[str, list[list[str]]]:
    """Returns words that became rarer (`fell`) and more frequent (`rose`) by the cleaning, the largest change first."""
    columns = ("count_before", "count_after", "per_million_before", "per_million_after", "score")
    halves: dict[str, list[list[str]]] = defaultdict(list)
    for row in statistics.keywords:
        half = "rose" if float(row["per_million_after"]) > float(row["per_million_before"]) else "fell"
        halves[half].append([printable(row["word"], 40), *(thousands(row[name]) for name in columns)])
    return {"fell": halves["fell"][::-1][:KEYWORDS], "rose": halves["rose"][:KEYWORDS]}

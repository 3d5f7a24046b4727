"""Prepares the tables that stand next to tables of the thesis (Pomikálek 2011), as text ready to print."""

from corpusprep.io import tsv
from corpusprep.io.readable import duration, percent, printable, size, thousands
from corpusprep.io.tsv import Row
from corpusprep.pipeline import DECIDING
from corpusprep.report import published
from corpusprep.report.corpus_statistics import CorpusStatistics
from corpusprep.report.plain_tables import PlainTable
from corpusprep.statistics.corpus_folder import CorpusFolder
from corpusprep.statistics.corpus_size import CorpusSize, left_by
from corpusprep.statistics.exact_duplicates import ExactDuplicates
from corpusprep.statistics.fragmentation import Fragmentation

#: Rows of the table of hosts by their number of pages: the least and the most pages. The thesis has the first three.
LARGEST = 10**18
HOST_SIZES = [(1, 1), (2, 2), (3, 3), (4, 9), (10, 99), (100, 999), (1_000, 9_999), (10_000, LARGEST)]
_UNITS = ("pages", "tokens")
_CLUEWEB09 = published.WEB_CORPORA["ClueWeb09_7pct"]


def corpus_size(statistics: CorpusStatistics, name: str) -> PlainTable:
    """Returns table 3.8: stage, documents, blocks, words, share, tokens; words, share, tokens of ClueWeb09."""
    printed = dict(zip(published.SIZES, published.table("3.8"), strict=True))
    rows = [
        [
            *CorpusSize.cells(row),
            thousands(published_row.get("words", "")),
            percent(published_row.get("percent_of_previous", "")),
            thousands(published_row.get("tokens", "")),
        ]
        for row in statistics["corpus_size"]
        for published_row in [printed.get(row["stage"], {})]
    ]
    headings = ["stage", "documents", "blocks", "words", "kept", "tokens", "words", "kept", "tokens"]
    return _beside(headings, rows, name, [(_CLUEWEB09, 3)])


def web_corpora(statistics: CorpusStatistics, corpus: CorpusFolder, language: str, name: str) -> PlainTable:
    """Returns table 3.9: row label, this corpus, and the four corpora of the thesis."""
    by_stage = {row["stage"]: row for row in statistics["corpus_size"]}
    ngrams = statistics["duplicate_ngrams"][0]
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
    for stage in (stage for stage in DECIDING if stage in by_stage):
        label = left_by(stage).replace("-level", " level")
        ours[f"{label} [words]"] = by_stage[stage]["words"]
        ours[f"{label} [%]"] = by_stage[stage]["words_percent_of_previous"]
    rows = []
    for published_row in published.table("3.9"):
        label, _, unit = published_row["row"].rstrip("]").partition(" [")
        end = {"%": " %", "% of tokens": " %", "GB": " GB"}.get(unit, "")
        cells = []
        for column in published.WEB_CORPORA:
            mark = " *" if published_row.get(f"{column}_printed") else ""
            cells.append(f"{thousands(published_row[column])}{end if published_row[column] else ''}{mark}")
        own = ours[published_row["row"]]
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
    headings = ["", printable(name, 24), *published.WEB_CORPORA.values()]
    return PlainTable(headings, rows, theirs=len(published.WEB_CORPORA))


def processing_times(statistics: CorpusStatistics, name: str) -> PlainTable:
    """Returns table 3.7: stage, jobs, wall, CPU, peak, pages and tokens per second; ClueWeb09's time, cores, pages."""
    published_rows = dict(zip(published.PHASES, published.table("3.7"), strict=True))
    rows = []
    for row in statistics["processing_times"]:
        cells = [row["stage"], *_used([row]), *(thousands(row[f"{unit}_per_cpu_second"]) for unit in _UNITS)]
        phase = published_rows.get(row["stage"])
        if phase:
            seconds = 3600 * int(phase["hours"]) + 60 * int(phase["minutes"])
            pages = published.CLUEWEB09_PAGES / (seconds * int(phase["cpu_cores"]))
            rows.append([*cells, duration(seconds), phase["cpu_cores"], f"{pages:,.1f}"])
        else:
            rows.append([*cells, "–", "–", "–"])
    rows.append(["all stages", *_used(statistics["processing_times"]), *["–"] * 5])
    ours = ["wall clock", "CPU", "peak memory", "pages per CPU second", "tokens per CPU second"]
    headings = ["stage", "jobs", *ours, "wall clock", "cores", "pages per core second"]
    return _beside(headings, rows, name, [(_CLUEWEB09, 3)])


def _used(rows: list[Row]) -> list[str]:
    """Returns jobs, wall clock time, CPU time and peak memory of several stages."""
    jobs = sum(int(row["jobs"]) for row in rows)
    if not jobs:
        return ["–"] * 4
    wall, cpu = (sum(float(row[f"{clock}_seconds"]) for row in rows) for clock in ("wall", "cpu"))
    peak = max(int(row["peak_memory_mb"]) for row in rows)
    return [thousands(jobs), duration(wall), duration(cpu), f"{thousands(peak)} MB"]


def fragmentation(statistics: CorpusStatistics) -> PlainTable:
    """Returns table 2.11: text, average and median length, fragments and blocks per document; ours, the thesis's."""
    rows = [Fragmentation.cells(row) for row in statistics["fragmentation"]]
    for published_row in published.table("2.11"):
        if published_row["algorithm"] in ("perfect cleaning", "jusText A"):
            cells = (thousands(published_row[name]) for name in list(published_row)[1:])
            rows.append([f"thesis, Canola test set: {published_row['algorithm']}", *cells, ""])
    return PlainTable(["", "average length", "median length", "fragments per document", "blocks per document"], rows)


def host_sizes(statistics: CorpusStatistics, name: str) -> PlainTable:
    """Returns 3.6.5: pages; hosts in the crawl, after `language` and in the corpus; in the thesis’s two crawls."""
    ours = ("hosts_crawl", "hosts_language", "hosts")
    sizes = [int(row["documents"]) for row in statistics["host_sizes"]]
    counts = {column: [int(row[column]) for row in statistics["host_sizes"]] for column in ours}
    published_rows = {row["documents"]: row for row in published.table("3.6.5")}
    published_columns = ("ClueWeb09_sample", "ClueWeb09_7pct")
    rows = []
    for first, last in HOST_SIZES:
        shares = [
            sum(count for size, count in zip(sizes, counts[column], strict=True) if first <= size <= last)
            for column in ours
        ]
        printed = published_rows.get(str(first) if first == last else "", {})
        cells = [_share(number, sum(counts[column])) for column, number in zip(ours, shares, strict=True)]
        cells += [
            _share(int(printed[column]), int(published_rows["all"][column])) if column in printed else "–"
            for column in published_columns
        ]
        if any(shares) or printed:
            label = (
                f"{first:,}" if first == last else f"{first:,} to {last:,}" if last < LARGEST else f"over {first - 1:,}"
            )
            rows.append([label, *cells])
    whole = [sum(numbers) for numbers in counts.values()]
    whole += [int(published_rows["all"][column]) for column in published_columns]
    headings = ["pages", "in the crawl", "after language filtering", "in the corpus", "sample, in the language", "7 %"]
    return _beside(headings, [*rows, ["all hosts", *map(thousands, whole)]], name, [("ClueWeb09", 2)])


def _share(number: int, whole: int) -> str:
    return f"{number:,} ({tsv.percent(number, whole)}\N{NO-BREAK SPACE}%)"


def exact_duplicates(statistics: CorpusStatistics, name: str) -> PlainTable:
    """Returns 3.6.1: what is counted; this corpus, the sample of ClueWeb09, and 7 % of ClueWeb09."""
    rows = [*statistics["exact_duplicates"], *published.table("3.6.1")]
    cells = [
        [column.title, *(column.form(row[column.name]) for row in rows)] for column in ExactDuplicates.shown_columns()
    ]
    return PlainTable(["", printable(name, 24), "ClueWeb09, sample", _CLUEWEB09], cells, theirs=2)


def _beside(headings: list[str], rows: list[list[str]], name: str, theirs: list[tuple[str, int]]) -> PlainTable:
    """Returns a table of this corpus and others: a column with what is counted, then the corpora."""
    columns = sum(number for _, number in theirs)
    groups = [("", 1), (printable(name, 40), len(headings) - 1 - columns), *theirs]
    return PlainTable(headings, rows, groups=groups, theirs=columns)

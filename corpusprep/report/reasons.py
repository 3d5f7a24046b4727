"""Prepares what the ledger says: what each stage removed, and why."""

from corpusprep.io.readable import size, thousands
from corpusprep.pipeline import ALWAYS_DECIDING, DECIDING
from corpusprep.report.corpus_statistics import CorpusStatistics
from corpusprep.report.plain_tables import PlainTable
from corpusprep.tables import verdicts
from corpusprep.tables.verdicts import BLOCK_VERDICTS, DOCUMENT_VERDICTS, KEPT, STAYING

#: What further rows of the records mean, which count some a second time.
MARKED = {
    "mended": "counted above as well; a length that was wrong by little, and was corrected",
    "truncated": "counted above as well; only the beginning of a page, kept as far as it goes",
}


def why_empty(statistics: CorpusStatistics) -> str:
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
        if not documents and stage not in ALWAYS_DECIDING:
            continue
        if any(documents.get(verdict) for verdict in STAYING):
            continue
        text = _all_went(stage, "documents", documents, DOCUMENT_VERDICTS[stage])
        blocks = {verdict: count for verdict, count in statistics.counts(stage, "block").items() if count}
        if stage in ("boilerplate", "blocks") and blocks:
            verdict = largest(blocks)
            text += (
                f" The most frequent reason for their {thousands(sum(blocks.values()))} blocks is {verdict} "
                f"({BLOCK_VERDICTS[stage][verdict]}): {thousands(blocks[verdict])}."
            )
        return text
    return "Its documents have no words."


def _all_went(stage: str, units: str, counts: dict[str, int], meanings: dict[str, str]) -> str:
    verdict = largest(counts)
    return (
        f"The stage “{stage}” kept none of its {units} ({thousands(sum(counts.values()))}). "
        f"The most frequent reason is {verdict} ({meanings[verdict]}): {thousands(counts[verdict])}."
    )


def largest(counts: dict[str, int]) -> str:
    """Returns the most frequent verdict of units that do not stay."""
    return max((verdict for verdict in counts if verdict not in STAYING), key=lambda verdict: counts[verdict])


def records(statistics: CorpusStatistics) -> PlainTable:
    """Returns the ledger of `encoding`: verdict and meaning; records and stored size; marked records, if any, last."""
    numbers, sizes = statistics.counts("encoding", "record"), statistics.counts("encoding", "byte")
    meanings = {KEPT: "an HTML page"} | verdicts.RECORD_REASONS
    marked = {mark: sum(statistics.counts("encoding", f"{mark}_record").values()) for mark in MARKED}
    rows = [
        [verdict, meanings[verdict], thousands(number), size(sizes.get(verdict, 0))]
        for verdict, number in numbers.items()
    ]
    rows += [[mark, MARKED[mark], thousands(count), ""] for mark, count in marked.items() if count]
    kept = [verdict in STAYING for verdict, *_ in rows]
    return PlainTable(["verdict", "meaning", "records", "stored size"], rows, wide=[1], kept=kept)


def losses(statistics: CorpusStatistics) -> PlainTable:
    """Returns the ledger after `encoding`: verdict, stage, meaning; documents, blocks and words."""
    rows = []
    last = "quality" if statistics.counts("quality", "document") else "blocks"
    for stage in DECIDING:
        counts = [statistics.counts(stage, unit) for unit in ("document", "block", "word")]
        if not counts[0] and stage not in ALWAYS_DECIDING:
            continue
        meanings = {KEPT: "passed to the next stage" if stage != last else "in the corpus"}
        meanings |= DOCUMENT_VERDICTS[stage] | BLOCK_VERDICTS[stage]
        for name in dict.fromkeys(verdict for part in counts for verdict in part):
            cells = (thousands(part[name]) if name in part else "" for part in counts)
            rows.append([name, stage, meanings[name], *cells])
    kept = [verdict in STAYING for verdict, *_ in rows]
    return PlainTable(
        ["verdict", "stage", "meaning", "documents", "blocks", "words"], rows, texts=[1], wide=[2], kept=kept
    )

"""A made-up corpus folder with the files of every stage, and a plain-Python recount of it.

The records come from a seeded random generator and contain hostile text. The recounts do not use the package's
statistics: they count the records one by one, so that tests can use them as oracles.
"""

import hashlib
import random
import statistics
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from corpusprep.dedup.all_ngrams import DuplicateCounts
from corpusprep.dedup.ngram_keys import NgramKeys
from corpusprep.tables import schemas, verdicts
from corpusprep.tables.verdicts import KEPT
from corpusprep.tables.writing import write_table

WORDS = ["the", "of", "a", "corpus", "river", "Mountain,", "walked", "slowly", "towards", "village;"]
WORDS += ["evening's", "light", "über", "čaj", "дом", "λόγος"]
MENU = ["Home", "Search", "Print", "Login", "Contact", "|", "»", "home,", "search"]
HOSTS = ["news.example.org", "blog.example.com", "forum.example.net", "xn--bcher-kva.example", "a.example"]
ENCODINGS = ["utf-8", "windows-1250", "windows-1252", "iso-8859-2"]

#: Text that breaks pages, tables or lines when it is not escaped.
HOSTILE = [
    '<script>alert("pwned")</script><img src=x onerror=alert(1)>',
    "</div></section></style></script><!-- ]]> &amp; &#x3c;b&#x3e; {{ 7 * 7 }} {% raw %}",
    "quotes \" ' ` and “curly” and \\ backslash \\u003c",
    "bidi \u202eoverridden\u202c \u2066isolated\u2069 \u200f marks שלום مرحبا",
    "w" * 100_000,
    "combining a\u0301\u0300\u0302 zero\u200bwidth \ufeff and \ufffd and 🏔️ emoji",
]


@dataclass
class Block:
    """A block and the verdicts of the stages; `last` is None if `blocks` did not process it.

    `foreign`: `language` removed it from a document that it kept.
    """

    text: str
    boilerplate: str
    tag: str = "p"
    last: str | None = None
    foreign: bool = False

    @property
    def words(self) -> int:
        """Its words, separated by white space."""
        return len(self.text.split())

    @property
    def tokens(self) -> int:
        """A count of tokens without the tokeniser."""
        return self.words + self.text.count(",") + self.text.count(";")


@dataclass
class Record:
    """A record of an archive and the verdicts of the stages, None for a stage that did not process it."""

    url: str
    host: str
    length: int
    verdict: str
    declared: tuple[str | None, str | None, str | None] = (None, None, None)
    detected: str = "utf-8"
    title: str = ""
    mended: bool = False
    truncated: bool = False
    page: str | None = None
    language: str | None = None
    document: str | None = None
    blocks: list[Block] = field(default_factory=list)

    @property
    def kept_blocks(self) -> list[Block]:
        """The blocks that are in the corpus."""
        return [block for block in self.blocks if block.last == KEPT]

    @property
    def duplicate_of(self) -> str | None:
        """The made-up id of the document that was kept instead: one of four."""
        return f"kept-{self.length % 4}" if self.document == "exact_duplicate" else None


@dataclass
class FakeCorpus:
    """The folder, and the records of each batch."""

    folder: Path
    batches: dict[str, list[Record]]

    @property
    def records(self) -> list[Record]:
        """All records."""
        return [record for records in self.batches.values() for record in records]

    @property
    def pages(self) -> list[Record]:
        """The records that `encoding` kept."""
        return [record for record in self.records if record.verdict == KEPT]


def draw(seed: int = 1, batches: int = 3, records: int = 40) -> dict[str, list[Record]]:
    """Draws the records of a corpus."""
    dice = random.Random(seed)
    drawn = {}
    for number in range(batches):
        drawn[f"b{number:05d}"] = [_record(dice, f"{number}/{place}") for place in range(records)]
    return drawn


def _record(dice: random.Random, name: str) -> Record:
    host = dice.choice(HOSTS)
    verdict = KEPT if dice.random() < 0.8 else dice.choice(sorted(verdicts.RECORD_REASONS))
    declared = tuple(dice.choice([None, None, *ENCODINGS]) for _ in range(3))
    record = Record(
        url=f'https://{host}/{name}?q=<b>"&',
        host=host,
        length=dice.randrange(200, 90_000),
        verdict=verdict,
        declared=(declared[0], declared[1], declared[2]),
        detected=dice.choice(ENCODINGS),
        title=dice.choice(["", "A walk to the village", *HOSTILE[:4]]),
    )
    if verdict != KEPT:
        return record
    if dice.random() < 0.05:
        record.page = dice.choice(["parse_failed", "no_text"])
        return record
    for _ in range(dice.choice([1, 3, 8, 15, 30])):
        record.blocks.extend(_blocks(dice))
    if dice.random() < 0.15:
        for block in record.blocks:
            block.boilerplate = "stop_words"
    good = [block for block in record.blocks if block.boilerplate == KEPT]
    record.page = KEPT if good else "no_good_block"
    if record.page != KEPT:
        return record
    record.language = KEPT if dice.random() < 0.85 else dice.choice(sorted(verdicts.LANGUAGE_REASONS))
    if record.language != KEPT:
        return record
    for block in good[1:]:
        block.foreign = dice.random() < 0.1
    good = [block for block in good if not block.foreign]
    record.document = KEPT if dice.random() < 0.85 else "exact_duplicate"
    if record.document != KEPT:
        return record
    emptied = dice.random() < 0.1
    for block in good:
        block.last = "duplicate" if emptied else dice.choices([KEPT, "duplicate", "stub"], [8, 2, 1])[0]
    return record


def _blocks(dice: random.Random) -> list[Block]:
    """A run of blocks of one kind."""
    run = []
    good = dice.random() < 0.5
    for _ in range(dice.randrange(1, 4)):
        if dice.random() < 0.08:
            text = dice.choice(HOSTILE)
        else:
            words = (
                dice.choices(WORDS, k=dice.randrange(12, 60)) if good else dice.choices(MENU, k=dice.randrange(1, 8))
            )
            text = " ".join(words)
        verdict = KEPT if good else dice.choice(sorted(verdicts.BLOCK_REASONS))
        run.append(Block(text, verdict, dice.choice(["p", "li", "h2", "div"])))
    return run


def empty_by_language(records: dict[str, list[Record]]) -> dict[str, list[Record]]:
    """Returns the same records, but without any that `language` keeps."""
    for batch in records.values():
        for record in batch:
            if record.language is not None:
                record.language, record.document = "rival_language", None
                for block in record.blocks:
                    block.last, block.foreign = None, False
    return records


def write(folder: Path, batches: dict[str, list[Record]]) -> FakeCorpus:
    """Writes the files of every stage for these records."""
    lines = ["batch\tarchive\tbytes"]
    rank = 0
    for name, records in batches.items():
        lines.append(f"{name}\tcrawl/{name}.warc.gz\t{sum(record.length for record in records)}")
        rank = _write_batch(folder, name, records, rank)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "batches.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    write_ngrams(folder)
    for stage, seconds in (("encoding", 2.0), ("boilerplate", 8.5), ("tokens", 1.25), ("blocks", 4.0)):
        for job, name in enumerate(batches):
            write_times(folder / "times" / stage / f"{name}.tsv", seconds + job, seconds / 2, 100 * seconds)
    write_times(folder / "times" / "ngrams" / "counted" / "merge.tsv", 3.0, 2.5, 900.0)
    return FakeCorpus(folder, batches)


def _write_batch(folder: Path, name: str, records: list[Record], rank: int) -> int:
    tables: dict[str, list[dict[str, object]]] = {
        stage: [] for stage in ("encoding", "pages", "boilerplate", "language", "tokens", "documents", "blocks")
    }
    offset = document = 0
    for number, record in enumerate(records):
        key = {"batch": name, "record": number}
        http, meta, bom = record.declared
        tables["encoding"].append(
            key
            | {
                "archive": f"crawl/{name}.warc.gz",
                "offset": offset,
                "length": record.length,
                "record_type": "response",
                "url": record.url,
                "host": record.host,
                "date": f"2024-01-{number % 28 + 1:02d}T00:00:00Z",
                "status": 200,
                "content_type": "text/html",
                "payload_bytes": 3 * record.length,
                "declared_http": http,
                "declared_meta": meta,
                "declared_bom": bom,
                "detected": record.detected,
                "detected_score": 0.9,
                "encoding": record.detected,
                "page_digest": f"{number:032x}",
                "mended": record.mended,
                "truncated": record.truncated,
                "verdict": record.verdict,
            }
        )
        offset += record.length
        if record.page is not None:
            good = [block for block in record.blocks if block.boilerplate == KEPT]
            tables["pages"].append(
                key
                | {
                    "title": record.title,
                    "undecodable": record.length % 3,
                    "invisible": record.length % 5,
                    "blocks": len(record.blocks),
                    "words": sum(block.words for block in record.blocks),
                    "good_blocks": len(good),
                    "good_words": sum(block.words for block in good),
                    "verdict": record.page,
                }
            )
        tables["boilerplate"].extend(
            key
            | {
                "block": place,
                "tag": block.tag,
                "heading": block.tag == "h2",
                "text": block.text,
                "words": block.words,
                "link_density": 0.0,
                "stopword_density": 0.5,
                "context_free_label": "good" if block.boilerplate == KEPT else "bad",
                "label": "good" if block.boilerplate == KEPT else "bad",
                "verdict": block.boilerplate,
            }
            for place, block in enumerate(record.blocks)
        )
        if record.language is not None:
            tables["language"].append(
                key
                | {"lang": "en", "score": 0.81, "rival": "de", "rival_score": 0.4, "verdict": record.language}
                | {"left_out": [place for place, block in enumerate(record.blocks) if block.foreign]}
            )
        if record.document is not None:
            good = [block for block in record.blocks if block.boilerplate == KEPT and not block.foreign]
            tables["tokens"].append(
                key
                | {
                    "document": document,
                    "id": f"{name}-{number}",
                    "url": record.url,
                    "date": "2024-01-01T00:00:00Z",
                    "digest": hashlib.md5(f"{name}-{number}".encode(), usedforsecurity=False).hexdigest(),
                    "page_digest": f"{number:032x}",
                    "encoding": record.detected,
                    "blocks": len(good),
                    "words": sum(block.words for block in good),
                    "tokens": sum(block.tokens for block in good),
                    "cut": record.length % 2,
                }
            )
            tables["documents"].append(
                key
                | {"document": document, "verdict": record.document, "duplicate_of": record.duplicate_of, "rank": rank}
            )
            tables["blocks"].extend(
                key
                | {
                    "block": place,
                    "document": document,
                    "tokens": block.tokens,
                    "counted_tokens": block.words,
                    "covered_tokens": 0,
                    "verdict": block.last,
                }
                for place, block in enumerate(record.blocks)
                if block.last is not None
            )
            document += 1
            rank += 1
    for stage, rows in tables.items():
        schema = getattr(schemas, stage.upper())
        write_table(pl.DataFrame(rows, schema=schema), schema, folder / stage / f"{name}.parquet")
    return rank


def write_ngrams(folder: Path, n: int = 10) -> None:
    """Writes the duplicate n-grams: 37 made-up keys, and counts before and after."""
    of = folder / "ngrams"
    for name, counts in (
        ("before", DuplicateCounts(10, 10_000, 50, 400)),
        ("after", DuplicateCounts(n, 8_000, 8, 30)),
        ("counted", None),
    ):
        (of / name).mkdir(parents=True, exist_ok=True)
        if counts is not None:
            counts.write(of / name / "duplicates.tsv")
    NgramKeys.write(of / "counted" / "duplicates.keys", 10, range(1, 38), [2] * 37, ngrams=4_000, tokens=10_000)


def write_times(path: Path, wall: float, cpu: float, peak: float) -> None:
    """Writes the time and memory of a job."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"wall_seconds\tcpu_seconds\tpeak_memory_mb\n{wall:.3f}\t{cpu:.3f}\t{peak:.1f}\n", encoding="utf-8")


def recount_ledger(corpus: FakeCorpus) -> Counter[tuple[str, str, str]]:
    """Returns (stage, unit, verdict) -> count, counted record by record."""
    ledger: Counter[tuple[str, str, str]] = Counter()
    for record in corpus.records:
        ledger["encoding", "record", record.verdict] += 1
        ledger["encoding", "byte", record.verdict] += record.length
        for mark in ("mended", "truncated"):
            if getattr(record, mark):
                ledger["encoding", f"{mark}_record", KEPT] += 0
                ledger["encoding", f"{mark}_record", record.verdict] += 1
        if record.page is None:
            continue
        ledger["boilerplate", "document", record.page] += 1
        for block in record.blocks:
            ledger["boilerplate", "block", block.boilerplate] += 1
            ledger["boilerplate", "word", block.boilerplate] += block.words
        good = [block for block in record.blocks if block.boilerplate == KEPT]
        for stage, verdict in (("language", record.language), ("documents", record.document)):
            if verdict is not None:
                ledger[stage, "document", verdict] += 1
                for block in good:
                    fate = "foreign_block" if block.foreign else verdict
                    ledger[stage, "block", fate] += 1
                    ledger[stage, "word", fate] += block.words
                good = [block for block in good if not block.foreign]
        if record.document == KEPT:
            ledger["blocks", "document", KEPT if record.kept_blocks else "no_block_left"] += 1
            for block in good:
                assert block.last is not None
                ledger["blocks", "block", block.last] += 1
                ledger["blocks", "word", block.last] += block.words
    return Counter({key: count for key, count in ledger.items() if count})


def recount_fragments(corpus: FakeCorpus, stage: str) -> tuple[int, list[int], int]:
    """Documents, the length of each fragment in characters, and kept blocks, after a stage."""
    documents, lengths, kept_blocks = 0, [], 0
    for record in corpus.records:
        runs: list[list[str]] = [[]]
        for block in record.blocks:
            kept = (block.boilerplate if stage == "boilerplate" else block.last) == KEPT
            if kept:
                runs[-1].append(block.text)
            elif runs[-1]:
                runs.append([])
        runs = [run for run in runs if run]
        documents += bool(runs)
        lengths += [len("\n".join(run)) for run in runs]
        kept_blocks += sum(len(run) for run in runs)
    return documents, lengths, kept_blocks


def recount_words(corpus: FakeCorpus) -> tuple[Counter[str], Counter[str]]:
    """Counts words before and after cleaning: in lower case, from their first to their last letter or digit."""
    before: Counter[str] = Counter()
    after: Counter[str] = Counter()
    for record in corpus.records:
        for block in record.blocks:
            for word in block.text.lower().split():
                start, end = 0, len(word)
                while start < end and not _inside(word[start]):
                    start += 1
                while start < end and not _inside(word[end - 1]):
                    end -= 1
                word = word[start:end]
                if any(letter.isalpha() for letter in word) and len(word) <= 64:
                    before[word] += 1
                    after[word] += block.last == KEPT
    return before, after


def _inside(character: str) -> bool:
    return unicodedata.category(character)[0] in "LMN"


def median_low(lengths: list[int]) -> int:
    """The lower median; 0 if there are no values."""
    return statistics.median_low(lengths) if lengths else 0

"""Surveys a crawl: what its archives hold, estimated on a sample of their records.

Shares have 95 % intervals. For pages and records, an interval is the wider one of Wilson's (1927) and a bootstrap over
windows, because neighbouring records are alike (Efron and Tibshirani 1993); for words, it comes from the bootstrap. A
sample of everything has no intervals.
"""

import hashlib
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from corpusprep.archive import plain_text
from corpusprep.archive.records import Record, host
from corpusprep.cleaners import registry
from corpusprep.config.settings import default_page_rules
from corpusprep.encoding import charsets
from corpusprep.encoding.pages import is_text, page_encodings
from corpusprep.errors import ArchiveError
from corpusprep.extraction.library import extract_site
from corpusprep.io.progress import track
from corpusprep.languages.identification import Identifier
from corpusprep.survey import sample as survey_sample
from corpusprep.survey.sample import SurveySample
from corpusprep.tables.verdicts import KEPT

RESAMPLES = 1_000
#: Normal quantile of a 95 % interval.
QUANTILE = 1.96
#: Fewest clean words of a page that counts as running text.
RUNNING_TEXT_WORDS = 100
#: Share of a page's clean text, from which on the kind of its blocks names the page.
MAIN_SHARE = 0.5
#: Pages whose blocks are classified at once: at most this many, and characters of markup.
HELD_PAGES, HELD_CHARACTERS = 32, 8_000_000
#: Kind of a text that others have extracted (WET files, JSON lines, …); all of it is clean.
EXTRACTED = "extracted text"
NONE, OTHER = "none", "other"
SIZES = (1_000, 5_000, 20_000, 100_000, 500_000, 2_000_000)
#: Crawl dates are counted by day if they span at most this many, otherwise by month.
MOST_DAYS = 31


@dataclass(frozen=True, slots=True)
class SurveyRow:
    """A line of a table: how many of the sample, and the share with its interval, in per cent."""

    item: str
    count: int
    share: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class SurveyTable:
    """A table of a survey.

    Attributes:
        name: for the TSV and JSON.
        title: for people.
        unit: what is counted.
        size: how many of the unit are in the sample.
        rows: the most frequent first, or in their own order.
        note: what else the numbers mean.
    """

    name: str
    title: str
    unit: str
    size: int
    rows: tuple[SurveyRow, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Survey:
    """What a crawl holds.

    Attributes:
        sample: what was read.
        records: number of records in the sample.
        pages: HTML pages among them.
        words: clean words of the pages.
        tables: the rest.
    """

    sample: SurveySample
    records: int
    pages: int
    words: int
    tables: tuple[SurveyTable, ...]

    @property
    def scale(self) -> float:
        """Returns the factor from numbers of the sample to numbers of the crawl."""
        return self.sample.stored_bytes / max(1, self.sample.sampled_bytes)


@dataclass(slots=True)
class _Counts:
    """Counts by window and item."""

    by_window: dict[int, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def add(self, window: int, item: str, count: int = 1) -> None:
        self.by_window[window][item] += count

    def total(self) -> Counter[str]:
        total: Counter[str] = Counter()
        for counts in self.by_window.values():
            total.update(counts)
        return total


#: Name of a table -> its title and unit; the order of the report.
TITLES: Mapping[str, tuple[str, str]] = {
    "languages": ("Languages, by pages", "pages"),
    "language_words": ("Languages, by clean words", "clean words"),
    "page_kinds": ("Kinds of pages", "pages"),
    "encodings": ("Encodings", "pages"),
    "declared_encodings": ("Declared encodings", "pages"),
    "hosts": ("Hosts", "pages"),
    "dates": ("Crawl dates", "pages"),
    "sizes": ("Sizes of pages", "pages"),
    "duplicates": ("Exact duplicates", "pages"),
    "records": ("Records", "records"),
    "statuses": ("HTTP statuses", "responses"),
    "content_types": ("Content types", "responses"),
}
#: Tables whose rows keep their own order.
_ORDERED = frozenset({"dates", "sizes"})
_NOTES = {
    "languages": "“other”: clean text in no language with a model. “none”: no clean text.",
    "language_words": "“other”: clean text in no language with a model. In languages written without spaces, words are"
    " estimated from characters.",
    "page_kinds": f"Running text: {RUNNING_TEXT_WORDS} clean words or more, most of them in paragraphs.",
    "encodings": "As pages are decoded: by a byte order mark, as valid UTF-8, or in the encoding and language that"
    " fit the text best.",
    "declared_encodings": "By the HTTP header or, without one there, by the page.",
    "hosts": "The crawl has at least as many hosts as the sample.",
    "sizes": "Of the HTML, decompressed.",
    "duplicates": "Copies of a page that is in the sample before. A lower bound: of most pages that occur twice in the"
    " crawl, a small sample holds one.",
    "records": "Why a record is not a page; “kept” are the HTML pages.",
}


def survey(sample: SurveySample, identifier: Identifier) -> Survey:
    """Reads a sample, and counts what is in it.

    Raises:
        ArchiveError: an archive cannot be read, or the sample has no readable record.
    """
    rules = default_page_rules()
    counts = {name: _Counts() for name in TITLES}
    pages = _Pages(counts, identifier)
    readable = number_of = 0
    for window, record in track(survey_sample.read(sample), "survey: records"):
        number_of += 1
        verdict = rules.verdict(record)
        readable += verdict != "damaged"
        if record.status:
            counts["statuses"].add(window, str(record.status))
            counts["content_types"].add(window, record.content_type or NONE)
        if verdict == KEPT and not pages.add(window, record):
            verdict = "not_text"
        counts["records"].add(window, verdict)
    pages.finish()
    if not readable:
        what = f"none of {number_of:,} stretches is a record" if number_of else "no record begins in the sample"
        raise ArchiveError(f"no record can be read: {what}; is {sample.windows[0].archive} a WARC or ARC file?")
    return Survey(sample, number_of, pages.count, pages.words, tuple(_tables(counts, sample)))


class _Pages:
    """Counts what is on pages. Their blocks are classified for several pages at once."""

    def __init__(self, counts: Mapping[str, _Counts], identifier: Identifier) -> None:
        self._counts, self._identifier = counts, identifier
        self._encodings = identifier.encodings
        self._held: list[tuple[int, str, bool]] = []  # window, markup, whether others have extracted it
        self._characters = 0
        self._seen: set[bytes] = set()
        self.count = self.words = 0

    def add(self, window: int, record: Record) -> bool:
        """Adds a page; returns False if it is no text."""
        body = record.body
        extracted = plain_text.is_extracted(record.record_type, record.content_type)
        encodings = page_encodings(body, record.charset, self._encodings, "declared" if extracted else "detected")
        encoding = encodings.trusted
        if not is_text(body, encodings.detected):
            return False
        digest = hashlib.blake2b(body, digest_size=16).digest()
        for name, item in (
            ("encodings", encoding),
            ("declared_encodings", encodings.http or encodings.meta or NONE),
            ("hosts", host(record.url) or NONE),
            ("dates", record.date[:10] or NONE),
            ("sizes", _size(len(body))),
            ("duplicates", "copies" if digest in self._seen else "first copies"),
        ):
            self._counts[name].add(window, item)
        self._seen.add(digest)
        self.count += 1
        text, _ = charsets.decode(body, encoding)
        self._held.append((window, text, extracted))
        self._characters += len(text)
        if len(self._held) >= HELD_PAGES or self._characters >= HELD_CHARACTERS:
            self.finish()
        return True

    def finish(self) -> None:
        """Counts the clean text of the pages that are held."""
        extractions = (
            extract_site([markup for _, markup, _ in self._held], None, registry.DEFAULT) if self._held else []
        )
        for (window, _, extracted), blocks in zip(self._held, extractions, strict=True):
            good = [block for block in blocks if extracted or block.label == "good"]
            words = sum(block.words for block in good)
            language = NONE
            if words:
                text = "\n".join(block.text for block in good)
                found_language = self._identifier(text)
                language = found_language.language or OTHER
                if length := self._identifier.characters_per_word(found_language.nearest):
                    words = max(1, round(len("".join(text.split())) / length))
                self._counts["language_words"].add(window, language, words)
            of_kind: Counter[str] = Counter()
            for block in good:
                of_kind[block.kind or "text"] += len(block.text)
            self._counts["languages"].add(window, language)
            self._counts["page_kinds"].add(window, EXTRACTED if extracted else _kind(of_kind, words))
            self.words += words
        self._held, self._characters = [], 0


def _kind(of_kind: Mapping[str, int], words: int) -> str:
    """Names a page by its clean words and the characters of its clean blocks of each kind."""
    if not words:
        return "no clean text"
    for name, kinds in (("comments", ("comment",)), ("lists and tables", ("list", "table")), ("code", ("code",))):
        if sum(of_kind.get(kind, 0) for kind in kinds) >= MAIN_SHARE * sum(of_kind.values()):
            return name
    return "running text" if words >= RUNNING_TEXT_WORDS else f"under {RUNNING_TEXT_WORDS} clean words"


def _size(count: int) -> str:
    """Names the range of a size."""
    names = [f"{size // 1000:,} kB" if size < 1_000_000 else f"{size // 1_000_000:,} MB" for size in SIZES]
    for place, size in enumerate(SIZES):
        if count < size:
            return f"under {names[0]}" if not place else f"{names[place - 1]} to {names[place]}"
    return f"{names[-1]} and more"


def _tables(counts: Mapping[str, _Counts], sample: SurveySample) -> Iterator[SurveyTable]:
    for name, (title, unit) in TITLES.items():
        counter = counts[name]
        if name == "dates":
            counter = _by_month(counter)
        total = counter.total()
        items = sorted(total, key=_place(name, total))
        size = total.total()
        shares = _intervals(counter, items, sample, wilson=unit != "clean words")
        rows = tuple(
            SurveyRow(item, total[item], 100 * total[item] / size, *interval)
            for item, interval in zip(items, shares, strict=True)
        )
        yield SurveyTable(name, title, unit, size, rows, _NOTES.get(name, ""))


def _place(name: str, total: Mapping[str, int]) -> Callable[[str], tuple[int, str]]:
    order = [_size(0), *map(_size, SIZES)]
    if name == "sizes":
        return lambda item: (order.index(item), item)
    if name in _ORDERED:
        return lambda item: (0, item)
    return lambda item: (-total[item], item)


def _by_month(counts: _Counts) -> _Counts:
    """Returns the dates by month if there are more than MOST_DAYS."""
    if len(counts.total()) <= MOST_DAYS:
        return counts
    months = _Counts()
    for window, dates in counts.by_window.items():
        for date, count in dates.items():
            months.add(window, date if date == NONE else date[:7], count)
    return months


def _intervals(
    counts: _Counts, items: Iterable[str], sample: SurveySample, *, wilson: bool
) -> list[tuple[float | None, float | None]]:
    """Returns the intervals of the shares of the items, in per cent; of a complete sample, none."""
    items = list(items)
    if sample.complete or not items:
        return [(None, None)] * len(items)
    number = len(sample.windows)
    totals = np.zeros(number)
    # Few windows have an item: with all of them, the time would be the product of both numbers.
    places: dict[str, list[tuple[int, int]]] = {item: [] for item in items}
    for window, of_window in counts.by_window.items():
        totals[window] = of_window.total()
        for item, count in of_window.items():
            places[item].append((window, count))
    random = np.random.Generator(np.random.PCG64(0))
    drawn = random.multinomial(number, np.full(number, 1 / number), RESAMPLES).T.astype(np.float64)
    intervals: list[tuple[float | None, float | None]] = []
    sums = np.maximum(totals @ drawn, 1.0)
    for item in items:
        windows, of_item = np.array(places[item]).T
        low, high = np.quantile(of_item @ drawn[windows] / sums, (0.025, 0.975))
        if wilson:
            least, most = wilson_interval(int(of_item.sum()), int(totals.sum()))
            low, high = min(low, least), max(high, most)
        intervals.append((100 * float(low), 100 * float(high)))
    return intervals


def wilson_interval(count: int, size: int) -> tuple[float, float]:
    """Returns the 95 % interval of a share (Wilson 1927); of nothing: from 0 to 1, its limit for small sizes."""
    if not size:
        return 0.0, 1.0
    share, square = count / size, QUANTILE**2
    middle = (share + square / (2 * size)) / (1 + square / size)
    half = QUANTILE / (1 + square / size) * math.sqrt(share * (1 - share) / size + square / (4 * size**2))
    return max(0.0, middle - half), min(1.0, middle + half)

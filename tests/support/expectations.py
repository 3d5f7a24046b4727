"""Compares the results of a run with the expectations for the sample crawl (config/sample/expected.yaml).

These are pure functions: the caller reads a corpus and its ledger and passes plain values.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml

from corpusprep.tables import verdicts

SAMPLE = Path(__file__).parents[2] / "config" / "sample"


@dataclass(frozen=True)
class Fate:
    """The result of a run for one record of the archives.

    `verdict` is `kept` if any block of it is in the corpus, otherwise the reason that it was lost for. `url`, `archive`
    and `encoding` are empty if they are not known.
    """

    url: str
    verdict: str
    archive: str = ""
    encoding: str = ""


@dataclass(frozen=True)
class Page:
    """The expectations for one page in one corpus."""

    url: str
    fates: tuple[str, ...]  # any of these is right
    encoding: str | None
    archive: str
    keep: tuple[str, ...]
    drop: tuple[str, ...]


@dataclass(frozen=True)
class Expectations:
    """The expectations for one corpus: its pages by URL, and phrases of the whole corpus."""

    pages: Mapping[str, Page]
    once: tuple[str, ...]
    nowhere: tuple[str, ...]


def load(corpus: str, path: Path = SAMPLE / "expected.yaml") -> Expectations:
    """Reads the expectations for `corpus`, which must be one of those in the file.

    Raises:
        KeyError: the file has no such corpus.
    """
    expected: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    language: str = expected["corpora"][corpus]
    pages = {}
    for url, entry in expected["pages"].items():
        languages = _strings(entry.get("language"))
        foreign = bool(languages) and language not in languages
        pages[url] = Page(
            url=url,
            fates=_strings(entry.get("foreign", expected["foreign"]) if foreign else entry["fate"]),
            encoding=entry.get("encoding") if language in languages else None,
            archive=entry.get("archive", ""),
            keep=() if foreign else _phrases(entry, "keep", corpus),
            drop=_phrases(entry, "drop", corpus) + _strings(expected["hosts"].get(urlsplit(url).netloc)),
        )
    return Expectations(pages, _strings(expected["once"].get(corpus)), _strings(expected["nowhere"]))


def check(expectations: Expectations, texts: Mapping[str, str], fates: Iterable[Fate]) -> list[str]:
    """Returns one line per failure, in the order of the file; an empty list if all expectations are met.

    Args:
        expectations: expectations for this corpus.
        texts: the corpus, URL -> text.
        fates: one for every record of the archives, in any order. Requests, revisits and the like (verdict
            `record_type`) are ignored.
    """
    by_url: dict[str, list[Fate]] = {}
    for fate in fates:
        if fate.verdict != "record_type":
            by_url.setdefault(fate.url, []).append(fate)
    unnamed = by_url.pop("", [])
    normal = {url: normalised(text) for url, text in texts.items()}
    failures = []
    for page in expectations.pages.values():
        failures += _check_fate(page, by_url.get(page.url, []), unnamed)
        failures += _check_text(page, normal.get(page.url))
    failures += [
        f"{url}: no page of the sample" for url in sorted((by_url.keys() | normal.keys()) - expectations.pages.keys())
    ]
    for phrase in expectations.once:
        places = [url for url, text in normal.items() for _ in range(text.count(phrase))]
        if len(places) != 1:
            failures.append(f"the corpus: {len(places)} times instead of once {phrase!r} {sorted(places)}")
    for phrase in expectations.nowhere:
        failures += [f"{url}: must not have {phrase!r}" for url, text in normal.items() if phrase in text]
    return failures


def normalised(text: str) -> str:
    """Replaces every run of white space by one space, so that line breaks do not matter."""
    return " ".join(text.split())


def vocabulary() -> set[str]:
    """All fates that a record can have: `kept` and the reasons of each stage for a whole document."""
    return {
        verdicts.KEPT,
        *verdicts.RECORD_REASONS,
        *verdicts.PAGE_REASONS,
        *verdicts.LANGUAGE_REASONS,
        *verdicts.DOCUMENT_REASONS,
        *verdicts.EMPTIED_REASONS,
    }


def _strings(value: str | list[str] | None) -> tuple[str, ...]:
    """Returns one value, a list or nothing as a tuple."""
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else tuple(value)


def _phrases(entry: Mapping[str, Any], key: str, corpus: str) -> tuple[str, ...]:
    """Returns the phrases under `key`, which may differ by corpus."""
    value = entry.get(key)
    return _strings(value.get(corpus) if isinstance(value, dict) else value)


def _check_fate(page: Page, fates: list[Fate], unnamed: list[Fate]) -> list[str]:
    allowed = " or ".join(page.fates)
    if not fates:
        found = any(fate.verdict in page.fates and fate.archive == page.archive for fate in unnamed)
        return [] if page.archive and found else [f"{page.url}: not in the ledger; must be {allowed}"]
    if len(fates) > 1:
        met = ", ".join(fate.verdict for fate in fates)
        return [f"{page.url}: {len(fates)} times in the ledger ({met})"]
    fate = fates[0]
    failures = []
    if fate.verdict not in page.fates:
        failures.append(f"{page.url}: {fate.verdict}; must be {allowed}")
    if page.encoding and fate.encoding != page.encoding:
        failures.append(f"{page.url}: decoded as {fate.encoding or 'nothing'}; must be {page.encoding}")
    return failures


def _check_text(page: Page, text: str | None) -> list[str]:
    if text is None:
        return [f"{page.url}: not in the corpus"] if page.fates == (verdicts.KEPT,) else []
    if verdicts.KEPT not in page.fates:
        return [f"{page.url}: in the corpus; must be {' or '.join(page.fates)}"]
    missing = [f"{page.url}: must have {phrase!r}" for phrase in page.keep if phrase not in text]
    return missing + [f"{page.url}: must not have {phrase!r}" for phrase in page.drop if phrase in text]

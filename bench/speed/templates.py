"""Measures what removing the templates of sites gains: F1 by words on gold sets with several pages per host.

The share of a block is counted over the gold pages of its host, as `corpusprep step templates` counts it, on hosts with
ten pages or more. Other pages count as they are.
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from running import CommandError, add_data, parser

from corpusprep import languages
from corpusprep.cleaners.registry import algorithm
from corpusprep.extraction.templates import block_keys
from corpusprep.gold import sets
from corpusprep.gold.pages import GoldPage
from corpusprep.gold.scores import Counts, micro
from corpusprep.gold.words import compare, words_of
from studies.evaluation.decisions import segment_for

SETS = ("cleanportaleval", "daniel")
ALGORITHMS = ("justext", "content")
LEAST_SHARES = (0.2, 0.3, 0.5, 0.8)
LEAST_PAGES = 10


def main(prog: str, arguments: Sequence[str]) -> None:
    """Prints a table with one row per set, language and algorithm."""
    options = parser(prog, __doc__)
    add_data(options)
    data = options.parse_args(arguments).data
    print("| set | language | pages | algorithm | without |", *(f"from {share:g} |" for share in LEAST_SHARES))
    print("|---|---|---:|---|---:|", *("---:|" for _ in LEAST_SHARES), sep="")
    for name in SETS:
        found = sets.read(name, data)
        if found is None:
            raise CommandError(f"{data}: no data of {name}; set CORPUSPREP_DATA or give --data")
        by_host = [""] if name == "daniel" else ["", *sorted({page.site for page in found.pages})]
        for code in sorted({page.language for page in found.pages}):
            pages = [page for page in found.pages if page.language == code]
            for cleaner in ALGORITHMS:
                counts = _counts(pages, code, cleaner, markup=found.markup)
                for host in by_host:
                    here = [number for number, page in enumerate(pages) if host in ("", page.site)]
                    scores = [micro([column[number] for number in here]).f1 for column in counts]
                    title = f"{found.title}, {host}" if host else found.title
                    print(f"| {title} | {code} | {len(here)} | {cleaner} |", *(f"{score:.2f} |" for score in scores))


def _counts(pages: Sequence[GoldPage], code: str, cleaner: str, *, markup: bool) -> list[list[Counts]]:
    """Returns the counts of each page: without looking for templates, then from each share on."""
    model, classifier = languages.get(code), algorithm(cleaner)
    blocks = segment_for(classifier, pages, model.stop_words, model.characters_per_word)
    texts, good = blocks.texts(), classifier.classify(blocks).good
    of_page = np.repeat(np.arange(len(pages)), np.diff(blocks.pages)).tolist()
    keys = [(pages[page].site, key) for page, key in zip(of_page, block_keys(blocks).tolist(), strict=True)]
    hosts = Counter(page.site for page in pages)
    occurs = Counter(key for _, key in {(page, key) for page, key in zip(of_page, keys, strict=True)})
    share = np.array([occurs[key] / hosts[key[0]] * (hosts[key[0]] >= LEAST_PAGES) for key in keys])
    spaced, only_ascii = model.characters_per_word == 0, code == "en"
    gold = [words_of(page.gold[""], ascii_only=only_ascii, markup=markup, spaced=spaced) for page in pages]
    columns = []
    for least in (2.0, *LEAST_SHARES):
        kept: list[list[str]] = [[] for _ in pages]
        for block in np.flatnonzero(good & (share < least)).tolist():
            kept[of_page[block]].append(texts[block])
        words = [words_of("\n".join(some), ascii_only=only_ascii, spaced=spaced) for some in kept]
        columns.append([compare(*pair) for pair in zip(words, gold, strict=True)])
    return columns

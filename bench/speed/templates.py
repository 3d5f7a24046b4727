"""Measures what removing the templates of sites gains: F1 by words on gold sets with several pages per host.

The share of a block is counted over the gold pages of its host, as `extract_site` and `corpusprep step templates` count
it, on hosts with so many pages or more. Other pages count as they are.
"""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from running import CommandError, add_data, parser

from corpusprep import languages
from corpusprep.cleaners.registry import algorithm
from corpusprep.extraction.site_blocks import shares_of_site
from corpusprep.gold import sets
from corpusprep.gold.pages import GoldPage
from corpusprep.gold.scores import Counts, micro
from corpusprep.gold.words import compare, words_of
from corpusprep.pages import html
from corpusprep.pages.segmentation import title_of
from studies.evaluation.decisions import decided, segment_for

#: Gold set -> its gold text without comments.
SETS = {"cleanportaleval": "", "daniel": "", "l3s-gn1": "main"}
ALGORITHMS = ("justext", "content")
LEAST_SHARES = (0.2, 0.3, 0.5, 0.8)
#: Fewest pages of the hosts that are looked at.
LEAST_PAGES = (2, 10)


def main(prog: str, arguments: Sequence[str]) -> None:
    """Prints a table with one row per set, language and algorithm."""
    options = parser(prog, __doc__)
    add_data(options)
    data = options.parse_args(arguments).data
    heads = [f"from {share:g}, {pages} pages |" for pages in LEAST_PAGES for share in LEAST_SHARES]
    print("| set | pages | algorithm | without |", *heads)
    print("|---|---:|---|---:|", *("---:|" for _ in heads), sep="")
    for name, gold in SETS.items():
        found = sets.read(name, data)
        if found is None:
            raise CommandError(f"{data}: no data of {name}; set CORPUSPREP_DATA or give --data")
        for code in sorted({page.language for page in found.pages}):
            pages = [page for page in found.pages if page.language == code]
            for cleaner in ALGORITHMS:
                scores = [micro(counts).f1 for counts in _counts(pages, gold, code, cleaner, markup=found.markup)]
                title = f"{found.title}, {code}" if name == "daniel" else found.title
                print(f"| {title} | {len(pages)} | {cleaner} |", *(f"{score:.2f} |" for score in scores))


def _counts(pages: Sequence[GoldPage], gold: str, code: str, cleaner: str, *, markup: bool) -> list[list[Counts]]:
    """Returns the counts of each page: without looking for templates, then from each number of pages and share on."""
    model, classifier = languages.get(code), algorithm(cleaner)
    by_host: dict[str, list[GoldPage]] = defaultdict(list)
    for page in pages:
        by_host[page.site].append(page)
    spaced, only_ascii = model.characters_per_word == 0, code == "en"
    columns: list[list[Counts]] = [[] for _ in range(1 + len(LEAST_PAGES) * len(LEAST_SHARES))]
    for here in by_host.values():
        blocks = segment_for(classifier, here, model.stop_words, model.characters_per_word)
        texts, good = blocks.texts(), decided(classifier, blocks)
        titles = [title_of(html.parse(page.html)) for page in here]
        share = shares_of_site(titles, blocks)
        of_page = np.repeat(np.arange(len(here)), np.diff(blocks.pages)).tolist()
        golds = [words_of(page.gold[gold], ascii_only=only_ascii, markup=markup, spaced=spaced) for page in here]
        leasts = [2.0, *(least if len(here) >= most else 2.0 for most in LEAST_PAGES for least in LEAST_SHARES)]
        for column, least in zip(columns, leasts, strict=True):
            kept: list[list[str]] = [[] for _ in here]
            for block in np.flatnonzero(good & (share < least)).tolist():
                kept[of_page[block]].append(texts[block])
            words = [words_of("\n".join(some), ascii_only=only_ascii, spaced=spaced) for some in kept]
            column.extend(compare(*pair) for pair in zip(words, golds, strict=True))
    return columns

"""Reads training pages: blocks with features, labels, groups and licences."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corpusprep.cleaners.content.training import labels
from corpusprep.cleaners.content.training.augmentation import made_pages
from corpusprep.cleaners.content.training.labels import UNKNOWN
from corpusprep.gold.pages import GoldError, GoldPage, GoldSet
from corpusprep.pages import html as html_parser
from corpusprep.pages.features import NameHashes
from corpusprep.pages.segmentation import Segmenter

#: A page is left out if fewer of the gold text's words are in it (text made by scripts, gold of another page).
LEAST_FOUND = 0.6
#: A page is left out if its gold text has fewer words.
LEAST_WORDS = 10


@dataclass(slots=True, frozen=True)
class TrainingPage:
    """A training page.

    Attributes:
        gold_set: name of its set.
        name: its name in the set.
        group: what may not be split between training and validation: its host.
        language: its language code.
        kind: kind of page; empty if the set does not say.
        gold_words: number of words of its gold text; 0 for a page that has snippets only.
        left_out: why it is not trained on; empty if it is.
        made: whether augmentation made it: it teaches and is not scored.
        data: the page with its gold texts.
    """

    gold_set: str
    name: str
    group: str
    language: str
    kind: str
    gold_words: int
    left_out: str
    made: bool
    data: GoldPage


@dataclass(slots=True)
class Examples:
    """The blocks of pages, column by column; page p has the blocks bounds[p] to bounds[p + 1].

    Attributes:
        pages: the pages.
        bounds: int64, pages + 1.
        columns: uint8, (features, blocks).
        words: int64, blocks: words by which labels were made.
        found: int64, blocks: words aligned with the gold text.
        labels: float32, blocks: share of words in the gold text; UNKNOWN if the gold says nothing.
        comments: float32, blocks: share of words aligned with readers' comments, where these are marked.
        hashes: per block, what tables of words need (Blocks.features.hashes).
        texts: the text of each block.
        kinds: uint8, blocks: indices into KINDS.
        block_words: uint32, blocks: Blocks.words.
        link_density: float64, blocks.
        repeated: whether each block is text that its page has twice: it teaches nothing and is not kept.
    """

    pages: list[TrainingPage]
    bounds: NDArray[np.int64]
    columns: NDArray[np.uint8]
    words: NDArray[np.int64]
    found: NDArray[np.int64]
    labels: NDArray[np.float32]
    comments: NDArray[np.float32]
    hashes: NameHashes
    texts: list[str]
    kinds: NDArray[np.uint8]
    block_words: NDArray[np.uint32]
    link_density: NDArray[np.float64]
    repeated: NDArray[np.bool_]

    def __len__(self) -> int:
        """The number of blocks."""
        return len(self.words)

    @property
    def own_pages(self) -> list[TrainingPage]:
        """The pages of the sets: without those that augmentation made, which come last."""
        return [page for page in self.pages if not page.made]

    def page_of(self) -> NDArray[np.int64]:
        """Returns the number of each block's page."""
        return np.repeat(np.arange(len(self.pages)), np.diff(self.bounds))


def read(gold_sets: Sequence[GoldSet], *, made: bool = True, members: bool = True) -> Examples:
    """Returns the examples of gold sets, then, if `made`, of the pages that augmentation makes from them.

    With `members`, it makes pages with lists of terms, too.
    """
    segmenter = Segmenter((), features=True, table_words=True)
    data = [(gold_set, page, False) for gold_set in gold_sets for page in gold_set.pages]
    if made:
        data += [(gold_set, page, True) for gold_set in gold_sets for page in made_pages(gold_set, members=members)]
    for _, page, _ in data:
        try:
            segmenter.add(html_parser.parse(page.html))
        except html_parser.PageError:
            segmenter.add(None)
    blocks = segmenter.take()
    texts = blocks.texts()
    bounds = blocks.pages
    repeated = blocks.repeated()
    if repeated is None:
        repeated = np.zeros(len(blocks), np.bool_)
    # Gold texts are aligned with the first of two copies, which is the one that is kept.
    word_lists = [[] if copy else labels.words_of(text) for text, copy in zip(texts, repeated.tolist(), strict=True)]
    words = np.array([len(words_of_block) for words_of_block in word_lists], np.int64)
    gold_words_found = np.zeros(len(texts), np.int64)
    shares = np.full(len(texts), UNKNOWN, np.float32)
    comments = np.zeros(len(texts), np.float32)
    pages = []
    for number, (gold_set, page, is_made) in enumerate(data):
        span = slice(int(bounds[number]), int(bounds[number + 1]))
        if page.labels is None:
            gold_words, share, span_found = _labels(page, word_lists[span], gold_set.markup)
        else:
            gold_words, share, span_found = _judged(gold_set.name, page, page.labels, texts[span], words[span])
            words[span][share < 0] = 0  # what nobody judged is neither found nor too much
        gold_words_found[span], shares[span] = span_found, np.where(repeated[span], UNKNOWN, share)
        if page.comments:
            of_comments = labels.shares(word_lists[span], labels.words_of(page.comments))
            comments[span] = np.where(share < 0.5, of_comments, 0.0)
        pages.append(
            TrainingPage(
                gold_set.name,
                page.name,
                page.site or page.name,
                page.language,
                page.kind,
                gold_words,
                _left_out(page, gold_words, gold_words if is_made else int(span_found.sum()), is_made=is_made),
                is_made,
                page,
            )
        )
    features = blocks.features
    if features is None or features.columns is None or features.hashes is None:
        raise ValueError("the segmenter was not asked for features")
    return Examples(
        pages,
        bounds,
        features.columns,
        words,
        gold_words_found,
        shares,
        comments,
        features.hashes,
        texts,
        features.kinds,
        blocks.words,
        blocks.link_density,
        repeated,
    )


def fold_of(group: str, folds: int) -> int:
    """Returns the fold of a group of pages, by its hash."""
    return int(hashlib.sha1(group.encode(), usedforsecurity=False).hexdigest(), 16) % folds


def _labels(
    page: GoldPage, blocks: list[list[str]], markup: bool
) -> tuple[int, NDArray[np.float32], NDArray[np.int64]]:
    """Returns the number of gold words, the blocks' labels, and their words that are aligned with the gold text."""
    lengths = np.array([len(words) for words in blocks], np.int64)
    golds = [page.gold[name] for name in ("", "main", "with", "without") if name in page.gold]
    if not golds:
        wanted, unwanted = ([labels.words_of(snippet) for snippet in side] for side in (page.wanted, page.unwanted))
        return 0, labels.by_snippets(blocks, wanted, unwanted), np.zeros(len(blocks), np.int64)
    counts = []
    for text in golds:
        gold = labels.gold_words(text, markup=markup)
        counts.append((len(gold), labels.aligned(blocks, gold)))
    # Canola has two gold texts: text nodes that annotators left undecided are in one of them, and count half.
    gold_found = counts[0][1]
    share = np.mean([snippet / np.maximum(lengths, 1) for _, snippet in counts], axis=0).astype(np.float32)
    return counts[0][0], share, gold_found


def _judged(
    gold_set: str,
    page: GoldPage,
    labels: Mapping[int, tuple[float, str]],
    texts: Sequence[str],
    words: NDArray[np.int64],
) -> tuple[int, NDArray[np.float32], NDArray[np.int64]]:
    """Returns the same for a page whose blocks were judged in a sheet; blocks that were not are UNKNOWN.

    Raises:
        GoldError: the sheet was made from another page.
    """
    share = np.full(len(texts), UNKNOWN, np.float32)
    for number, (label, text) in labels.items():
        if number >= len(texts) or texts[number] != text:
            raise GoldError(
                f"gold set {gold_set}, page {page.name}: block {number} is not {text[:40]!r}, as the sheet says; "
                "write the sheet again"
            )
        share[number] = label
    judged = np.where(share > 0.5, words, 0)
    return int(judged.sum()), share, judged


def _left_out(page: GoldPage, gold_words: int, gold_found: int, *, is_made: bool) -> str:
    if page.overlap:
        return "shares text with held-out pages"
    if not page.gold or (is_made and not any(page.gold.values())):  # snippets alone; made without its text
        return ""
    if page.labels is not None:  # a page without main content teaches as well
        return ""
    if gold_words < LEAST_WORDS:
        return f"gold text under {LEAST_WORDS} words"
    if gold_found < LEAST_FOUND * gold_words:
        return f"under {LEAST_FOUND:.0%} of the gold text in the page"
    return ""

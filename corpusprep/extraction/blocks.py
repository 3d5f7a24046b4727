"""A block of a page as `extract` returns it."""

from dataclasses import dataclass


@dataclass(slots=True, frozen=True)
class Block:
    """A textual block of a page (Pomikálek 2011, 2.7).

    Attributes:
        text: the text, white space folded to single spaces.
        label: `good` (main content) or `bad` (boilerplate).
        context_free_label: the class before the context was looked at: good, near-good, short or bad.
        words: white-space separated words.
        link_density: share of the words inside links, 0 to 1.
        stopword_density: share of stop words among the alphabetic words, 0 to 1.
        heading: whether the block is in h1 … h6.
        verdict: `kept`, or the reason why it is bad (corpusprep.tables.verdicts.BLOCK_REASONS).
        score: probability that it is main content, 0 to 1, by a learned algorithm; None for others.
        kind: text, heading, title, list, table, code, caption or comment, by `content`; None for others.
        type: `h` heading, `l` item of a list, `p` other text: predicted by `content` and `victor`; by the elements
            h1 … h6 and li for others.
        tag: the innermost block-level element around its start: `p`, `li`, `td`, …
    """

    text: str
    label: str
    context_free_label: str
    words: int
    link_density: float
    stopword_density: float
    heading: bool
    verdict: str
    score: float | None = None
    kind: str | None = None
    type: str = "p"
    tag: str = "body"

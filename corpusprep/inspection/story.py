"""What is known about a crawled page: plain values, which `dataclasses.asdict` makes ready for JSON."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a page or a block.

    Attributes:
        kept: whether it is in the corpus.
        stage: the stage that removed it; empty if it was kept, or if a later stage has not run yet.
        reason: the verdict of that stage; the mark of a duplicate that stays; `kept`; `unfinished` if a stage has not
            run.
        meaning: what the reason means, in words.
    """

    kept: bool
    stage: str
    reason: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Encodings:
    """The encodings that a page declares, the one that its bytes have, and the one it was decoded with.

    Attributes:
        http, meta, bom: declared by the HTTP header, in the page, and by its first bytes; empty if not declared.
        detected: the encoding found from the bytes; empty if it was not looked for.
        score: its score, 0 to 1; None without one.
        used: the encoding that the page was decoded with; empty if it was not decoded.
    """

    http: str
    meta: str
    bom: str
    detected: str
    score: float | None
    used: str


@dataclass(frozen=True, slots=True)
class Language:
    """The scores of a document's good text.

    Attributes:
        language: code of the corpus language.
        score: its score, 0 to 1; None if the text was too short.
        rival: the best of the other languages; empty if none was compared.
        rival_score: its score.
    """

    language: str
    score: float | None
    rival: str
    rival_score: float | None


@dataclass(frozen=True, slots=True)
class Other:
    """Another document of the corpus: the one that a page duplicates, or one that shares n-grams with it."""

    id: str
    url: str
    date: str
    batch: str
    record: int


@dataclass(frozen=True, slots=True)
class Source:
    """An earlier document that has n-grams of a block.

    Attributes:
        document: the document.
        ngrams: number of the block's n-grams that kept blocks of the document have.
        tokens: counted tokens of the block that these n-grams cover.
    """

    document: Other
    ngrams: int
    tokens: int


@dataclass(frozen=True, slots=True)
class BlockStory:
    """A block of a page.

    Attributes:
        number: its number in the page, from 0.
        tag: the element that opened it.
        heading: whether it is a heading.
        text: its text.
        words: white-space separated.
        link_density, stopword_density: shares of its words, 0 to 1.
        score: 0 to 1 that it is main content, by a learned model; None for other algorithms.
        kind: text, heading, title, list …; empty for algorithms that give none.
        context_free: class without context: good, near-good, short, bad.
        label: class with context: good, bad.
        verdict: what became of it.
        tokens: in the vertical; None if it did not get that far.
        counted_tokens: those that n-grams are made of.
        covered_tokens: counted tokens that n-grams of earlier documents cover.
        covered_share: covered / counted; None if it has no counted token.
        sources: the earlier documents, most shared n-grams first; empty unless they were asked for.
    """

    number: int
    tag: str
    heading: bool
    text: str
    words: int
    link_density: float
    stopword_density: float
    score: float | None
    kind: str
    context_free: str
    label: str
    verdict: Verdict
    tokens: int | None = None
    counted_tokens: int | None = None
    covered_tokens: int | None = None
    covered_share: float | None = None
    sources: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """Where a document is in the corpus.

    Attributes:
        id: of the document.
        file: the vertical, relative to the folder of the corpus; empty if the corpus was not written (yet).
        line: number of its line `<doc …>` in the decompressed vertical, from 1; 0 if there is no such file.
        words, tokens: in the corpus.
    """

    id: str
    file: str
    line: int
    words: int
    tokens: int


@dataclass(frozen=True, slots=True)
class PageStory:
    """All that is known about one record of an archive.

    Attributes:
        corpus: name of the corpus.
        batch, record: the key of its rows in the tables of the stages.
        archive: path of the archive file.
        offset, length: where its record starts in the archive, and how long it is, in stored bytes.
        record_id: WARC-Record-ID; empty if there is none.
        record_type: response, request, warcinfo …
        mended: whether its declared length was wrong and was corrected.
        truncated: whether the archive has only the beginning of the page.
        url, host, date, status, content_type, payload_bytes: of the record; status None if it is no HTTP response.
        encodings: declared, detected and used encoding.
        title: of the page; empty if it has none.
        rights: its marks of rights, each with its place; empty without any.
        words: of all blocks.
        kept_words: of the blocks in the corpus.
        verdict: what became of the page.
        language: None if it did not get that far.
        document_id: identifier of the document; empty if it did not get that far.
        duplicate_of: the document with the same text that was kept instead.
        near_duplicate_of: the document that stays of its cluster of near-duplicates, and the share of n-grams that both
            have; None if it is none of them, or is the document itself.
        place: where it is in the corpus; None if it is not there.
        blocks: in the order of the page.
        notes: what is not known, in sentences: stages that have not run, files that are missing.
    """

    corpus: str
    batch: str
    record: int
    archive: str
    offset: int
    length: int
    record_id: str
    record_type: str
    mended: bool
    truncated: bool
    url: str
    host: str
    date: str
    status: int | None
    content_type: str
    payload_bytes: int
    encodings: Encodings
    title: str
    rights: str
    words: int
    kept_words: int
    verdict: Verdict
    language: Language | None = None
    document_id: str = ""
    duplicate_of: Other | None = None
    near_duplicate_of: tuple[Other, float] | None = None
    place: Place | None = None
    blocks: tuple[BlockStory, ...] = ()
    notes: tuple[str, ...] = field(default=())

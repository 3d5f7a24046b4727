"""The verdicts: what a stage says of a record, document or block. A closed vocabulary.

Every unit that a stage looks at is `kept` or carries one of that stage's reasons; the ledger
(statistics/ledger.tsv) counts them, and for each unit the sum over a stage's verdicts is what the
stage before kept.
"""

KEPT = "kept"

#: Why `encoding` did not accept a record of an archive as a page.
RECORD_REASONS = {
    "record_type": "not a response (a request, metadata, a revisit, the archive's own description, …)",
    "damaged": "bytes of the archive that no record could be read from, or a record cut short",
    "bad_http": "no HTTP header that could be read",
    "status": "an HTTP status that is not among those accepted",
    "content_type": "not HTML by its content type, or by its first bytes where it declares none",
    "bad_transfer": "a chunked transfer encoding that breaks off or cannot be read",
    "bad_compression": "a compressed body that cannot be decompressed",
    "unknown_compression": "a content encoding that is not known here",
    "empty": "a body without a byte",
    "too_small": "a body under min_bytes",
    "too_large": "a body over max_bytes",
    "not_text": "a body that is not text whatever it declares (NUL bytes that no text encoding explains)",
}

#: Why `boilerplate` kept nothing of a page.
PAGE_REASONS = {
    "parse_failed": "the parser gave no tree",
    "too_deep": "elements nested deeper than the parser takes",
    "no_text": "no block of text at all",
    "no_good_block": "blocks, but none of them good",
}

#: Why `boilerplate` did not keep a block.
BLOCK_REASONS = {
    "link_density": "too many of its words are links",
    "short_link": "short, and with a link",
    "stop_words": "too few stop words",
    "copyright": "contains ©",
    "select": "the choices of a form",
    "short": "short, and not between good blocks",
    "near_good": "near-good, and not beside a good block",
    "boilerplate": "an algorithm that gives no further reason says so",
}

#: Why `language` did not keep a document.
LANGUAGE_REASONS = {
    "language_score": "its score against the corpus language is under the threshold",
    "rival_language": "another language scores higher",
}

#: Why `language` did not keep a block of a document that it kept (level `block`).
LANGUAGE_BLOCK_REASONS = {"foreign_block": "in another language than the corpus, as its own score says"}

#: Why `documents` did not keep a document.
DOCUMENT_REASONS = {"exact_duplicate": "the same text as a document before it in the stable order"}

#: Why `blocks` did not keep a block.
DUPLICATE_REASONS = {
    "duplicate": "too many of its counted tokens are covered by n-grams already in the corpus",
    "stub": "what surrounded it is gone: the context-sensitive classification lets it go",
}

#: Why `blocks` kept nothing of a document.
EMPTIED_REASONS = {"no_block_left": "all its blocks are duplicates or stubs"}

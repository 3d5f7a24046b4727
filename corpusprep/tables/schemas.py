"""Schemas of the tables that stages write for each other: name, columns and types of every Parquet file.

Every row has `(batch, record)`, rows about blocks also `block`, so that any two tables can be joined.
"""

import polars as pl

_KEY = {"batch": pl.String, "record": pl.UInt32}
_BLOCK_KEY = _KEY | {"block": pl.UInt32}

#: `encoding/<batch>.parquet`: one row per record of the archives.
ENCODING = pl.Schema(
    _KEY
    | {
        "archive": pl.String,
        "offset": pl.Int64,  # where the record starts in the archive file, in stored bytes
        "length": pl.Int64,  # stored bytes; the lengths of an archive sum to the size of its file
        "record_id": pl.String,  # WARC-Record-ID without angle brackets; null if there is none (ARC)
        "record_type": pl.String,
        "url": pl.String,
        "host": pl.String,
        "date": pl.String,  # ISO 8601, as in the archive (WARC-Date), to the second, in UTC
        "status": pl.Int32,
        "content_type": pl.String,
        "payload_bytes": pl.Int64,  # of the decoded body
        "declared_http": pl.String,  # declared encodings, with their WHATWG names
        "declared_meta": pl.String,
        "declared_bom": pl.String,
        "detected": pl.String,
        "detected_score": pl.Float64,
        "encoding": pl.String,  # the one the page is decoded with
        "page_digest": pl.String,  # MD5 of the decoded body's bytes, in hexadecimal
        "mended": pl.Boolean,  # whether the declared length of the record was wrong and was corrected
        "verdict": pl.String,  # kept, or one of verdicts.RECORD_REASONS
    }
)

#: `references/chosen.parquet`: two rows per host with two or more different pages, for algorithms that compare pages.
CHOSEN_REFERENCES = pl.Schema(
    _KEY
    | {
        "host": pl.String,
        "page_digest": pl.String,
        "stand_in": pl.Boolean,  # not the reference page, but the page that the reference page is compared with
    }
)

#: `references/<batch>.parquet`: the chosen pages that are in the batch.
REFERENCES = pl.Schema(
    dict(CHOSEN_REFERENCES)
    | {
        "encoding": pl.String,  # the one the page is decoded with
        "body": pl.Binary,
    }
)

#: `pages/<batch>.parquet`: one row per page (every record that `encoding` kept), written by `boilerplate`.
PAGES = pl.Schema(
    _KEY
    | {
        "title": pl.String,
        "undecodable": pl.UInt32,  # U+FFFD in the text that replace bytes which are not valid in the encoding
        "invisible": pl.UInt32,  # characters that nobody sees and that were left out of the text
        "blocks": pl.UInt32,
        "words": pl.UInt32,
        "good_blocks": pl.UInt32,
        "good_words": pl.UInt32,
        "verdict": pl.String,  # kept, or one of verdicts.PAGE_REASONS
    }
)

#: `boilerplate/<batch>.parquet`: one row per block, of every class.
BOILERPLATE = pl.Schema(
    _BLOCK_KEY
    | {
        "tag": pl.String,  # the element that opened the block
        "heading": pl.Boolean,
        "text": pl.String,
        "words": pl.UInt32,  # white-space separated
        "link_density": pl.Float64,  # share of words inside links
        "stopword_density": pl.Float64,
        "context_free_label": pl.String,  # good, near-good, short, bad
        "label": pl.String,  # good, bad
        "verdict": pl.String,  # kept, or one of verdicts.BLOCK_REASONS
        "score": pl.UInt16,  # per mille that it is main content, by a learned model; null for other algorithms
        "kind": pl.String,  # text, heading, title, list, table, code, caption, comment; null where score is
    }
)

#: `language/<batch>.parquet`: one row per document (every page that `boilerplate` kept).
LANGUAGE = pl.Schema(
    _KEY
    | {
        "lang": pl.String,  # code of the corpus language
        "score": pl.Float64,
        "rival": pl.String,  # the best of the other languages, and its score
        "rival_score": pl.Float64,
        "left_out": pl.List(pl.UInt32),  # numbers of its good blocks that are in another language
        "verdict": pl.String,  # kept, or one of verdicts.LANGUAGE_REASONS
    }
)

#: `tokens/<batch>.parquet`: one row per document of the vertical, in its order.
TOKENS = pl.Schema(
    _KEY
    | {
        "document": pl.UInt32,  # number of the document in the vertical, from 0
        "id": pl.String,
        "url": pl.String,
        "date": pl.String,
        "digest": pl.String,  # MD5 of the text (blocks joined by line feeds), in hexadecimal
        "page_digest": pl.String,
        "encoding": pl.String,  # with page_digest, it determines all text that the corpus shows of a document
        "record_digest": pl.UInt64,  # the first 8 bytes of the MD5 of record_id: decides between equal captures
        "blocks": pl.UInt32,
        "left_out": pl.List(pl.UInt32),  # good blocks of the page that are not in the vertical, from `language`
        "words": pl.UInt32,
        "tokens": pl.UInt32,
        "cut": pl.UInt8,  # attributes of the document that were too long and were cut
    }
)

#: `documents/<batch>.parquet`: one row per document of the vertical, in its order.
DOCUMENTS = pl.Schema(
    _KEY
    | {
        "document": pl.UInt32,
        "verdict": pl.String,  # kept, or exact_duplicate
        "duplicate_of": pl.String,  # the id of the document that was kept instead
        "rank": pl.UInt64,  # place in the stable order of all the corpus's documents, from 0
    }
)

#: `blocks/<batch>.parquet`: one row per good block of the documents that `documents` kept.
BLOCKS = pl.Schema(
    _BLOCK_KEY
    | {
        "document": pl.UInt32,
        "tokens": pl.UInt32,
        "counted_tokens": pl.UInt32,  # tokens that n-grams are made of
        "covered_tokens": pl.UInt32,  # counted tokens covered by n-grams seen before
        "verdict": pl.String,  # kept, duplicate, stub or duplicate_document; marked_… if marked
    }
)

#: `corpus/<batch>.parquet`: one row per document of the corpus; the JSONL file has the same keys in the same order.
CORPUS = pl.Schema(
    {
        "id": pl.String(),
        "url": pl.String(),
        "host": pl.String(),
        "date": pl.String(),
        "title": pl.String(),
        "archive": pl.String(),  # name of the archive file, without its folder
        "offset": pl.Int64(),  # where the record starts in the archive file, in stored bytes
        "record_id": pl.String(),  # WARC-Record-ID without angle brackets; empty if there is none (ARC)
        "lang": pl.String(),  # code of the corpus language
        "encoding": pl.String(),
        "language_score": pl.Float64(),  # to 4 decimals, as in the vertical
        "words": pl.UInt32(),  # white-space separated, in the kept blocks
        "tokens": pl.UInt32(),  # in the kept blocks
        "text": pl.String(),  # the kept blocks, joined by line feeds
        "blocks": pl.List(pl.Struct({"block": pl.UInt32, "heading": pl.Boolean})),
    }
)

#: The same where duplicates are marked (`blocks: {mark: true}`): a block says of what duplicate it is part.
MARKED_CORPUS = pl.Schema(
    {
        **CORPUS,
        "blocks": pl.List(pl.Struct({"block": pl.UInt32, "heading": pl.Boolean, "duplicate": pl.String})),
    }
)

#: `counts/<batch>.parquet`: the batch's share of the statistics, one row per table and key (statistics/counts_file.py).
COUNTS = pl.Schema(
    {
        "table": pl.String,
        "key": pl.String,
        **dict.fromkeys(("n1", "n2", "n3", "n4", "n5", "n6", "n7"), pl.Int64),  # null where the table has fewer numbers
    }
)

#: `samples/<batch>.parquet`: one row per page that the report may show: the first pages of each fate, by `url_digest`.
SAMPLES = pl.Schema(
    _KEY
    | {
        "stage": pl.String,  # the stage that removed it, and the reason; both empty if it was kept
        "reason": pl.String,
        "url_digest": pl.String,  # the order: MD5 of the URL, in hexadecimal, then date, then page_digest
        "date": pl.String,
        "page_digest": pl.String,
        "page": pl.String,  # what the report shows of it, as JSON (statistics/sampled_pages.py)
    }
)

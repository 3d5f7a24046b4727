"""Schemas of the tables that stages write for each other: name, columns and types of every Parquet file.

Every row has `(batch, record)`, rows about blocks also `block`, so that any two tables can be joined.
"""

from collections.abc import Sequence

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
        "truncated": pl.Boolean,  # whether the body is only the beginning of the page, as far as it was stored
        "verdict": pl.String,  # kept, or one of verdicts.RECORD_REASONS
        "rights": pl.String,  # marks of rights in the header of the response: noindex@header; null if there are none
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

#: `robots/<batch>.parquet`: one row per robots.txt in the archives of the batch.
ROBOTS = pl.Schema(
    _KEY
    | {
        "host": pl.String,
        "url": pl.String,
        "date": pl.String,  # when it was fetched
        "text": pl.String,  # its first 500 KiB; empty for an answer that says that there is none (status 400 to 499)
    }
)

#: `templates/chosen.parquet`: one row per page whose blocks are counted, to find the templates of hosts.
TEMPLATE_PAGES = pl.Schema(
    _KEY
    | {
        "host": pl.String,
        "pages": pl.UInt32,  # of the host that are counted
    }
)

#: `templates/<batch>.parquet`: one row per block and title of the counted pages of a host that are in the batch.
TEMPLATE_COUNTS = pl.Schema(
    {
        "host": pl.String,
        "block_key": pl.UInt64,  # the first 64 bits of the BLAKE2b digest of its element and text
        "title_key": pl.UInt64,  # the same of the title and first heading of a page that has it
    }
)

#: `templates/shares.parquet`: one row per host with counted pages, and one per block that recurs on them.
TEMPLATE_SHARES = pl.Schema(
    {
        "host": pl.String,
        "block_key": pl.UInt64,  # null in the row of the host
        "share": pl.UInt16,  # of its counted pages that have the block, per mille; from 50 on
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
        "published": pl.String,  # when it was published, as the page says: YYYY-MM-DD, or with time and zone
        "modified": pl.String,  # when it was last changed, in the same form
        "author": pl.String,  # names, separated by "; "
        "headline": pl.String,  # the title of what it contains
        "site": pl.String,  # the name of the site or publisher
        "declared_language": pl.String,  # a code of BCP 47
        "canonical": pl.String,  # the address that it names as its own
        "page_type": pl.String,  # of schema.org, or of OpenGraph
        "licence": pl.String,  # its address, or its mark
        "sources": pl.String,  # where each of these is from: published=json-ld author=meta
        "rights": pl.String,  # marks of its use, with their places: noindex@meta tdm-reservation@header
        "meta": pl.String,  # own fields of a text input, as a JSON object: {"genre": "letter"}; empty without them
    }
)

#: `boilerplate/<batch>.parquet`: one row per block, of every class.
BOILERPLATE = pl.Schema(
    _BLOCK_KEY
    | {
        "tag": pl.String,  # the element that opened the block; text: a paragraph of a text input, kept as it is
        "heading": pl.Boolean,
        "text": pl.String,
        "breaks": pl.List(pl.UInt32),  # characters before each zero-width space that ends a word; null without any
        "words": pl.UInt32,  # white-space separated
        "link_density": pl.Float64,  # share of words inside links
        "stopword_density": pl.Float64,
        "context_free_label": pl.String,  # good, near-good, short, bad
        "label": pl.String,  # good, bad
        "verdict": pl.String,  # kept, or one of verdicts.BLOCK_REASONS
        "score": pl.UInt16,  # per mille that it is main content, by a learned model; null for other algorithms
        "kind": pl.String,  # text, heading, title, list, table, code, caption, comment; null where score is
        "type": pl.String,  # h heading, l item of a list, p other text; predicted by learned algorithms
        "template": pl.UInt16,  # per mille of its host's pages that have it; 0 below 50; null: not looked for
    }
)

#: The columns of PAGES that say what a page says of itself (pages/metadata.py).
PAGE_METADATA = tuple(PAGES)[tuple(PAGES).index("verdict") + 1 : tuple(PAGES).index("meta")]

#: `found/<batch>.parquet` of a crawl of several languages: one row per page (every record that `encoding` kept).
FOUND = pl.Schema(
    _KEY
    | {
        "archive": pl.String,
        "length": pl.Int64,  # stored bytes of the record
        "corpus": pl.String,  # code of the language whose corpus it goes to; null if it goes to none
        "rest": pl.String,  # why it goes to no corpus; empty if it goes to one
        "language": pl.String,  # code of the language that it is in; null if that is unknown
        "score": pl.Float64,
        "mixed": pl.Boolean,  # whether it is in this language only by some of its blocks
        "instead": pl.List(pl.String),  # codes of the corpora that would have it if its language had none
        "runs": pl.List(pl.UInt32),  # of a page that is divided, a row per portion: first block of each run; else null
        "blocks": pl.UInt32,
        "words": pl.UInt32,
        "good_blocks": pl.UInt32,
        "good_words": pl.UInt32,
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
        "left_out": pl.List(pl.UInt32),  # numbers of its good blocks that are in another language, or in other corpora
        "against": pl.List(pl.UInt32),  # those of them that are in other corpora (blocks: {against: …})
        "verdict": pl.String,  # kept, or one of verdicts.LANGUAGE_REASONS
    }
)

#: `learned/<batch>.parquet`: one row per page that the model of a language is made from, by digest.
LANGUAGE_TEXTS = pl.Schema(
    {
        "digest": pl.String,  # page_digest
        "url": pl.String,
        "words": pl.UInt32,  # white-space separated
        "text": pl.String,  # main text
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
        "verdict": pl.String,  # kept, or one of verdicts.DOCUMENT_REASONS
        "duplicate_of": pl.String,  # the id of the document that was kept instead
        "rank": pl.UInt64,  # place in the stable order of the documents that are not forgotten, from 0; 0 for these
    }
)

#: `clusters.parquet`: one row per document of a cluster of near-duplicates, cluster by cluster; that which stays comes
#: first, the others follow by rank (`clusters: {share: …}`).
CLUSTERS = pl.Schema(
    _KEY
    | {
        "document": pl.UInt32,
        "rank": pl.UInt64,  # place in the stable order, as in documents/<batch>.parquet
        "id": pl.String,
        "cluster": pl.UInt64,  # number of the cluster, from 0
        "size": pl.UInt32,  # documents of the cluster
        "representative": pl.String,  # the id of the document that stays
        "share": pl.Float64,  # n-grams that it shares with the one that stays, of those that any of the two has
        "verdict": pl.String,  # kept, or near_duplicate
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
        "verdict": pl.String,  # kept, or one of verdicts.DUPLICATE_REASONS; marked_… if marked
    }
)

#: `quality/<batch>.parquet`: one row per document that `blocks` kept, of a corpus with the setting `filter`. Shares are
#: from 0 to 1, lengths in characters; docs/how-to/quality.md has the sources.
QUALITY = pl.Schema(
    _KEY
    | {
        "document": pl.UInt32,
        "characters": pl.UInt32,  # of its text, line breaks among them
        "lines": pl.UInt32,  # that are not empty: each block has one at least
        "words": pl.UInt32,  # with a character that is no mark; marks at the edges of words are words of their own
        "mean_word_length": pl.Float64,  # of these words
        "mean_line_length": pl.Float64,  # of these lines
        "distinct_words": pl.Float64,  # type-token ratio: share of words that are different
        "stop_words": pl.UInt32,  # how many of eight stop words it has
        "alphabetic_words": pl.Float64,  # share of words, marks among them, that have a letter
        "hashes": pl.Float64,  # # per word
        "ellipses": pl.Float64,  # per word
        "bullet_lines": pl.Float64,  # share of lines that begin with a bullet or a hyphen
        "ellipsis_lines": pl.Float64,  # share of lines that end with an ellipsis
        "punctuated_lines": pl.Float64,  # share of lines that end with a mark of the end of sentences
        "short_lines": pl.Float64,  # share of lines of up to 30 characters
        "line_breaks": pl.Float64,  # per word
        "repeated_lines": pl.Float64,  # share of lines that the document has before
        "repeated_line_characters": pl.Float64,  # their share of the characters
        "repeated_characters": pl.Float64,  # the same without line breaks
        "repeated_paragraphs": pl.Float64,  # share of paragraphs (an empty line between) that the document has before
        "repeated_paragraph_characters": pl.Float64,  # their share of the characters
        "top_2grams": pl.Float64,  # share of characters in the most frequent sequence of two words
        "top_3grams": pl.Float64,  # of three words
        "top_4grams": pl.Float64,  # of four words
        "repeated_5grams": pl.Float64,  # share of characters in sequences of five words that the document has before
        "repeated_6grams": pl.Float64,  # of six words
        "repeated_7grams": pl.Float64,  # of seven words
        "repeated_8grams": pl.Float64,  # of eight words
        "repeated_9grams": pl.Float64,  # of nine words
        "repeated_10grams": pl.Float64,  # of ten words
        "sentences": pl.UInt32,  # in the lines that C4 keeps
        "lorem_ipsum": pl.UInt32,  # 1 if one of these lines has lorem ipsum, which ends the count
        "curly_brackets": pl.UInt32,  # 1 if one of these lines has {, which ends the count
        "web_line_words": pl.Float64,  # share of words in lines that RefinedWeb takes out
        "letters": pl.Float64,  # share of characters that are no white space
        "capitals": pl.Float64,  # share of letters
        "digits": pl.Float64,  # share of characters that are no white space
        "punctuation": pl.Float64,  # the same
        "symbols": pl.Float64,  # the same
        "stop_word_share": pl.Float64,  # share of words that are in the stop list of the language
        "language_score": pl.Float64,  # of `language`: trigrams, or the identifier; null if it has none
        "boilerplate": pl.Float64,  # share of the words of its page that are boilerplate
        "template": pl.Float64,  # share of its words in blocks that recur on its host; null: not looked for
        "perplexity": pl.Float64,  # per letter of its words, under the word list of the language; null: no such list
        "listed_words": pl.Float64,  # share of words in the list of filter: {word_lists: …}; null without a list
        "model_score": pl.Float64,  # of the classifier filter: {model: …}, to 4 decimals; null without one
        "failed": pl.List(pl.String),  # the rules that remove it, the first one first
        "left_out": pl.List(pl.UInt32),  # blocks of a kept document that a rule on blocks removes
        "left_out_by": pl.List(pl.String),  # the verdict on each: one of verdicts.QUALITY_BLOCK_REASONS
        "filter": pl.String,  # the rules: preset, least, most, expression and blocks of the section filter, as JSON
        "verdict": pl.String,  # kept, or one of verdicts.QUALITY_REASONS
    }
)

#: `filter_samples/<batch>.parquet`: up to twelve documents on each side of each rule of the filter, the nearest to it.
FILTER_SAMPLES = pl.Schema(
    _KEY
    | {
        "rule": pl.String,  # what the documents are like that it refuses
        "number": pl.UInt32,  # place of the rule in the filter, from 0
        "refused": pl.Boolean,  # whether it refuses the document
        "value": pl.Float64,  # of its signal; null for an expression
        "distance": pl.Float64,  # between this value and the threshold; 0 for an expression
        "other_rules": pl.UInt32,  # other rules that refuse the document
        "digest": pl.String,  # as in the table of tokens: the order of documents at the same distance
        "url": pl.String,
        "title": pl.String,
        "text": pl.String,  # its beginning; blocks are divided by " / "
    }
)

#: `personal/<batch>.parquet`: one row per place with personal data (`personal`), in the documents that `blocks` kept.
PERSONAL = pl.Schema(
    _KEY
    | {
        "document": pl.UInt32,
        "block": pl.UInt32,
        "start": pl.UInt32,  # where the place starts in the text of the block (table of `boilerplate`), in code points
        "end": pl.UInt32,  # where it ends: the first code point behind it
        "kind": pl.String,  # email, phone, ip, iban, card or identity
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
        "blocks": pl.List(pl.Struct({"block": pl.UInt32, "heading": pl.Boolean})),  # the kept ones, as in the page
        "published": pl.String(),  # what the page says of itself, as in the table of pages
        "modified": pl.String(),  # when it was last changed, in the same form
        "author": pl.String(),  # names, separated by "; "
        "headline": pl.String(),  # the title of what it contains
        "site": pl.String(),  # the name of the site or publisher
        "declared_language": pl.String(),  # a code of BCP 47
        "canonical": pl.String(),  # the address that it names as its own
        "page_type": pl.String(),  # of schema.org, or of OpenGraph
        "licence": pl.String(),  # its address, or its mark
        "sources": pl.String(),  # where each of these is from: published=json-ld author=meta
        "rights": pl.String(),  # marks of its use, with their places: noindex@meta tdm-reservation@header
        "truncated": pl.Boolean(),  # whether the archive has only the beginning of the page; in the vertical 1 or 0
        "meta": pl.String(),  # own fields of a text input, as a JSON object; in the vertical each is meta_<name>
    }
)

#: `subwords/<batch>.parquet`: one row per document of the corpus, in its order (`corpus: {count_tokens: …}`).
SUBWORDS = pl.Schema(
    _KEY
    | {
        "model_tokens": pl.UInt32,  # tokens of its text (`text` of the corpus) by the tokeniser of a model
    }
)

#: Further columns of the documents of a corpus, in their order, with the setting that each needs.
DOCUMENT_COLUMNS = pl.Schema(
    {
        "model_tokens": pl.UInt32(),  # corpus: {count_tokens: …}; tokens of the text by the tokeniser of a model
    }
)

#: Further attributes of the blocks of a corpus, in their order, with the setting that each needs.
BLOCK_ATTRIBUTES = pl.Schema(
    {
        "boilerplate": pl.Boolean,  # corpus: {boilerplate: keep}; whether it is boilerplate; in the vertical 1 or 0
        "score": pl.Float64,  # the same; 0 to 1 that it is main content; none if no learned algorithm scored it
        "class": pl.String,  # the same; a (text) to j (boilerplate): tenths of 1 - score; none if score is
        "duplicate": pl.String,  # blocks: {mark: true}; no, block, stub, document or near: what it is part of
        "kind": pl.String,  # corpus: {kinds: true}; as in the table of blocks; none if no learned algorithm scored it
        "type": pl.String,  # the same; h heading, l item of a list, p other text
    }
)


#: `annotation` of a document of an annotated corpus: lists with a value per token: `word`, then its columns.
ANNOTATION = pl.Schema(
    {
        "word": pl.List(pl.String),  # as it is in the text
        "space_after": pl.List(pl.Boolean),  # whether white space follows it in its block
        "sentence": pl.List(pl.UInt32),  # the number of its sentence in the document, from 0; of its block without <s>
        "block": pl.List(pl.UInt32),  # the number of its block in the page
    }
)


def annotation(columns: Sequence[str]) -> pl.Schema:
    """Returns the schema ANNOTATION with the columns of an annotated corpus."""
    (word, kind), *rest = ANNOTATION.items()
    return pl.Schema([(word, kind), *((name, pl.List(pl.String)) for name in columns), *rest])


def corpus(
    attributes: Sequence[str] = (), columns: Sequence[str] = (), document_columns: Sequence[str] = ()
) -> pl.Schema:
    """Returns the schema CORPUS with further attributes of blocks (BLOCK_ATTRIBUTES), and further columns.

    Args:
        attributes: names of these attributes.
        columns: names of the columns of its tokens.
        document_columns: names of columns of its documents, of those in DOCUMENT_COLUMNS.
    """
    block = pl.Schema({"block": pl.UInt32, "heading": pl.Boolean})
    block |= {name: BLOCK_ATTRIBUTES[name] for name in BLOCK_ATTRIBUTES if name in attributes}
    annotated = {"annotation": pl.Struct(annotation(columns))} if columns else {}
    further = {name: DOCUMENT_COLUMNS[name] for name in DOCUMENT_COLUMNS if name in document_columns}
    return pl.Schema({**CORPUS, "blocks": pl.List(pl.Struct(block)), **annotated, **further})


#: `counts/<batch>.parquet`: the batch's share of the statistics, one row per table and key (statistics/counts_file.py).
COUNTS = pl.Schema(
    {
        "table": pl.String,
        "key": pl.String,
        **dict.fromkeys(("n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8"), pl.Int64),  # null if it has fewer numbers
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

"""The verdicts of the stages on records, documents and blocks: a closed vocabulary.

Every unit that a stage processes is `kept` or has one of the reasons of the stage. The ledger (statistics/ledger.tsv)
counts the verdicts. The counts of a stage add up to the number of units that the previous stage kept.
"""

KEPT = "kept"

#: Why `encoding` did not accept a record of an archive as a page.
RECORD_REASONS = {
    "record_type": "not a response or resource (a request, metadata, a revisit, a further segment of a record, the"
    " archive's own description, a text left out by text: leave, …)",
    "damaged": "bytes of the archive that are no readable record, or a truncated record",
    "empty_archive": "an archive without a byte; it counts as one record",
    "host": "a host that is not selected (hosts)",
    "url": "an address that is not selected (urls)",
    "date": "a crawl date that is not selected, or none (first_date, last_date)",
    "bad_http": "no readable HTTP header",
    "status": "an HTTP status that is not accepted",
    "content_type": "not HTML by its content type, or by its first bytes if it has no readable content type",
    "bad_transfer": "a chunked transfer encoding that cannot be read",
    "bad_compression": "a compressed body that cannot be decompressed",
    "unknown_compression": "an unknown content encoding",
    "empty": "an empty body",
    "too_small": "a body smaller than min_bytes",
    "too_large": "a body larger than max_bytes",
    "json": "JSON data, whatever its content type",
    "feed": "a feed or sitemap (RSS, Atom, XML), whatever its content type",
    "script": "a script (JavaScript), whatever its content type",
    "style_sheet": "a style sheet (CSS), whatever its content type",
    "pdf": "a PDF or PostScript document, whatever its content type",
    "image": "an image, whatever its content type",
    "not_text": "other data that are not text, whatever their content type (office documents, archives; NUL bytes"
    " outside UTF-16)",
}

#: Why `boilerplate` kept nothing of a page.
PAGE_REASONS = {
    "parse_failed": "the parser gave no tree",
    "rights": "a mark of rights that the settings refuse (rights.refuse)",
    "no_text": "no block of text",
    "no_good_block": "blocks of text, but no good one",
}

#: The verdict on text that is not shown.
HIDDEN = "hidden"

#: Why `boilerplate` did not keep a block.
BLOCK_REASONS = {
    "link_density": "too many of its words are links",
    "short_link": "short, with a link",
    "stop_words": "too few stop words",
    "copyright": "contains ©",
    "select": "choices of a form (select element)",
    "short": "short, not between good blocks",
    "near_good": "near-good, not beside a good block",
    "boilerplate": "boilerplate, by an algorithm that gives no further reason",
    "score": "the learned model's score is below the threshold",
    "kind": "of a kind that the settings leave out: comments, the title, tables or code",
    "template": "recurs on many pages of its host (templates.find: remove)",
    "repeated": "running text that the page has already, on pages that repeat more than a third of theirs (pages)",
    HIDDEN: "not shown: hidden text, decoration (aria-hidden), what films and frames fall back to, values of forms,"
    " links to headings, readings of characters (pages)",
}

#: Why a page of a crawl of several languages went to no corpus, beside the reasons of `boilerplate`.
DIVISION_REASONS = {
    "other_language": "its good text is in a known language that has no corpus",
    "undecided": "no known language keeps its good text",
    "no_language": "its good text is code, a table of numbers or a list of names (zxx)",
    "small_language": "in a language that has fewer words in the crawl than least_words",
}

#: Why `language` did not keep a document.
LANGUAGE_REASONS = {
    "short_document": "fewer words in its good blocks than min_words",
    "language_score": "its score for the language of the corpus is below the threshold; or it is code, a table of"
    " numbers or a list of names (rival zxx)",
    "rival_language": "a rival language has a higher score",
    "against": "all its good blocks are in the other corpora that are named (blocks.against)",
}

#: Why `language` removed a block of a document that it kept (level `block`).
LANGUAGE_BLOCK_REASONS = {
    "foreign_block": "the score of the block says that it is in another language than the corpus",
    "against": "too many of its counted tokens are in n-grams of the other corpora that are named (blocks.against)",
}

#: Why `documents` did not keep a document.
DOCUMENT_REASONS = {
    "exact_duplicate": "the same text as an earlier document in the stable order",
    "forgotten": "named by the list of what the corpus forgets (forget)",
}

#: Why `blocks` did not keep a block.
DUPLICATE_REASONS = {
    "duplicate": "too many of its counted tokens are covered by n-grams already in the corpus",
    "stub": "a short or near-good block that is no longer good without the duplicates around it",
    "duplicate_document": "too many of its document's counted tokens are covered by n-grams already in the corpus",
    "near_duplicate": "its document shares most n-grams with another one, which stays (clusters)",
}

#: Why `blocks` kept nothing of a document.
EMPTIED_REASONS = {
    "no_block_left": "all its blocks are duplicates or stubs",
    "duplicate_document": "too many of its counted tokens are covered by n-grams already in the corpus",
    "near_duplicate": "it shares most n-grams with another document, which stays (clusters)",
}

#: The verdict of `quality` on a document of which rules on blocks leave nothing.
EMPTIED = "emptied"

#: Why `quality` did not keep a document: the signal of the first rule that removes it (schemas.QUALITY).
QUALITY_REASONS = {
    "characters": "too few or too many characters",
    "lines": "too few or too many lines",
    "words": "too few or too many words",
    "mean_word_length": "words that are too short or too long on average",
    "mean_line_length": "lines that are too short or too long on average",
    "distinct_words": "too few or too many different words for its length",
    "stop_words": "too few different stop words",
    "alphabetic_words": "too few words with a letter",
    "hashes": "too many # for its words",
    "ellipses": "too many ellipses for its words",
    "bullet_lines": "too many lines that begin with a bullet",
    "ellipsis_lines": "too many lines that end with an ellipsis",
    "punctuated_lines": "too few lines that end with a mark of the end of sentences",
    "short_lines": "too many short lines",
    "line_breaks": "too many line breaks for its words",
    "repeated_lines": "too many lines that it has before",
    "repeated_line_characters": "too much of its text in lines that it has before",
    "repeated_characters": "too much of its text in lines that it has before, without line breaks",
    "repeated_paragraphs": "too many paragraphs that it has before",
    "repeated_paragraph_characters": "too much of its text in paragraphs that it has before",
    **{f"top_{n}grams": f"too much of its text is its most frequent sequence of {n} words" for n in (2, 3, 4)},
    **{
        f"repeated_{n}grams": f"too much of its text in sequences of {n} words that it has before" for n in range(5, 11)
    },
    "sentences": "too few sentences in lines that are sentences",
    "lorem_ipsum": "lorem ipsum",
    "curly_brackets": "a curly bracket in a sentence, as in program code",
    "web_line_words": "too many words in lines of capitals, numbers, counters or one word",
    "letters": "too few letters",
    "capitals": "too many capitals",
    "digits": "too many digits",
    "punctuation": "too many marks",
    "symbols": "too many symbols",
    "stop_word_share": "too few or too many of its words are stop words",
    "language_score": "its score for the language of the corpus, by a rule of the filter",
    "boilerplate": "too much of its page is boilerplate",
    "template": "too much of its text recurs on its host",
    "perplexity": "its words are spelt too unlike, or too like, the words of the language",
    "listed_words": "too many of its words are in a list of words",
    "model_score": "its score by the classifier of the filter is too low",
    "expression": "the expression of the filter is not true of it",
    EMPTIED: "the rules of the filter on blocks leave none of its blocks",
}

#: Why `quality` did not keep a block of a document that it kept: the signal of the first rule on blocks.
QUALITY_BLOCK_REASONS = {
    "block_words": "too few or too many words",
    "block_characters": "too few or too many characters",
    "block_longest_word": "its longest word is too long or too short",
    "block_link_density": "too many of its words are links",
    "block_stop_word_share": "too few or too many of its words are stop words",
    "block_letters": "too few letters",
    "block_capitals": "too many capitals",
    "block_digits": "too many digits",
    "block_sentence_end": "it does not end as a sentence",
    "block_policies": "it names JavaScript, cookies, a privacy policy or terms of use",
    "block_repeats": "the document has it before",
    "block_expression": "the expression of the filter on blocks is not true of it",
}

#: Verdict of `blocks` -> its verdict if duplicates are marked (`blocks: {mark: true}`): the unit stays in the corpus.
MARKS = {reason: f"marked_{reason}" for reason in DUPLICATE_REASONS}

#: Verdicts of `blocks` on the documents of clusters that do not stay.
NEAR = ("near_duplicate", MARKS["near_duplicate"])

#: Verdicts of `blocks` that all blocks of a document have together.
WHOLE = ("duplicate_document", MARKS["duplicate_document"], *NEAR)

#: How `blocks` marked what stays in the corpus, if it marks duplicates (`blocks: {mark: true}`).
MARKED_REASONS = {MARKS[name]: f"in the corpus, and marked: {meaning}" for name, meaning in DUPLICATE_REASONS.items()}

#: The verdicts of units that a stage passes on.
STAYING = (KEPT, *MARKS.values())

#: Deciding stage -> meanings of its verdicts on a document.
DOCUMENT_VERDICTS = {
    "boilerplate": PAGE_REASONS,
    "language": LANGUAGE_REASONS,
    "documents": DOCUMENT_REASONS,
    "blocks": EMPTIED_REASONS | MARKED_REASONS,
    "quality": QUALITY_REASONS,
}

#: The same on a block: it is removed with its document, or alone.
BLOCK_VERDICTS = DOCUMENT_VERDICTS | {
    "boilerplate": BLOCK_REASONS,
    "language": LANGUAGE_REASONS | LANGUAGE_BLOCK_REASONS,
    "blocks": DUPLICATE_REASONS | MARKED_REASONS,
    "quality": QUALITY_REASONS | QUALITY_BLOCK_REASONS,
}

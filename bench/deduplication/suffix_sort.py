"""Finds duplicate n-grams by sorting all of them, as the thesis does (Pomikálek 2011, 3.4.2).

The stage `ngrams` sorts only n-grams whose keys occur twice or more, which gives the same file. Table 3.2 has the times
of both (table_3_2.py). This module does `ngrams words` and `ngrams runs` without these keys, with the same kernel:

    python bench/deduplication/suffix_sort.py --times FILE words|runs --corpus-dir FOLDER --bundle NAME
        [--model FILE] --memory 1500M
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from corpusprep import languages
from corpusprep._native import ngrams as native
from corpusprep.archive.batches import batches_of
from corpusprep.dedup.ngram_documents import Verticals, selection_digest
from corpusprep.dedup.resource_plans import LEAST_CHUNK, SORT_TABLES, STREAM_BUFFERS, TOKENS_RESERVED
from corpusprep.io import memory as limits
from corpusprep.io.sizes import parse_size
from corpusprep.io.times import write_times
from corpusprep.tables.batch_files import BatchFiles, bundle_file, corpus_file

N = 10


def count_words(
    verticals: Sequence[Path],
    documents: Sequence[Path] | None,
    output: Path,
    tokens: Path,
    stop_words: Sequence[str] = (),
) -> None:
    """Counts the words of some batches, and writes their counted tokens; holds all words in memory."""
    texts = Verticals(verticals, documents)
    counter = native.WordCounter(
        texts.taken,
        tokens=tokens,
        count_punctuation=False,
        stop_words=sorted(stop_words),
        selection=selection_digest(False, stop_words),
    )
    for _ in texts.feed(counter):
        pass
    counter.finish()
    counter.write(output)
    counter.close()


def sort_ngrams(
    tokens: Path, lexicon: Path, output: Path, memory: int, n: int = N, most: int | None = None, parts: int = 1
) -> None:
    """Sorts all n-grams in chunks of up to `most` tokens, or as many as the memory holds, and writes them as runs."""
    stream = native.token_stream_header(tokens)
    fixed = native.BYTES_PER_WORD * stream.most_words + SORT_TABLES + STREAM_BUFFERS
    per_token = native.BYTES_PER_TOKEN + native.PART_BYTES_PER_TOKEN * (parts > 1)
    free = limits.budget(memory, fixed + per_token * LEAST_CHUNK, f"sorting the n-grams of {tokens}") - fixed
    held = min(free // per_token, max(LEAST_CHUNK, TOKENS_RESERVED * stream.tokens), most or free)
    builder = native.StreamRunBuilder(output, tokens, lexicon, n, max(held, 4 * n), parts)
    builder.start()
    while builder.advance():
        pass
    builder.finish()


def main(arguments: Sequence[str]) -> None:
    """Does one step for one bundle."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=Path, required=True)
    parser.add_argument("step", choices=["words", "runs"])
    parser.add_argument("--corpus-dir", type=Path, required=True)
    parser.add_argument("--bundle", required=True)
    parser.add_argument("--model")
    parser.add_argument("--memory", type=parse_size, required=True)
    options = parser.parse_args(arguments)
    folder, bundle = options.corpus_dir, options.bundle
    words, tokens, runs = (bundle_file(folder, name, bundle) for name in ("words", "counted_tokens", "runs"))
    for path in (words, tokens, runs):
        path.parent.mkdir(parents=True, exist_ok=True)
    if options.step == "words":
        batches = [BatchFiles.of(folder, name) for name in batches_of(bundle, corpus_file(folder, "bundles"))]
        verticals, documents = [files.vertical for files in batches], [files.documents for files in batches]
        count_words(verticals, documents, words, tokens, sorted(languages.get(options.model).stop_words))
    else:
        sort_ngrams(tokens, corpus_file(folder, "lexicon"), runs, options.memory)
    write_times(options.times)


if __name__ == "__main__":
    main(sys.argv[1:])

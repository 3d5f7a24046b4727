"""Measures clusters of near-duplicates beside MinHash: on made documents, and on pairs that people have judged.

    python bench near-duplicates [--data FOLDER] [--words 300k] [--rounds 3] [--output PAGE]

Made documents have known copies; all tools work on them in turns. Judged pairs are those of neardup-dev.tar.xz in
FOLDER ($CORPUSPREP_DATA or ../shared/data); without it, that table is left out. Tools that are not installed are left
out, too. Writes the page to --output, or prints it.
"""

import importlib.util
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import running

from corpusprep._native import blocks as kernel
from corpusprep.gold.scores import Counts, scores
from corpusprep.io.sizes import parse_size
from peers import deduplication, table
from studies.pomikalek_2011.chapter_3.judgements import JudgedSet, read_sets

SET = "neardup-dev"
#: Tokens of n-grams, and the shares that are tried; 0.72 is what datatrove's bands aim at.
N, SHARES = (5, 10), (0.1, 0.3, 0.5, 0.72, 0.9)
#: Hash functions and bands of MinHash: datatrove's defaults, and what is usual with rensa.
_DATATROVE, _RENSA = (112, 14), (128, 32)

_ABOUT = """`clusters` compares documents exactly; MinHash compares a sample of their n-grams, and bands of it decide
which pairs are compared at all. Both tables were made by the command below, in one run; CPU time is the median of the
rounds."""
_MADE = f"""The documents and scores are those of [Peers](peers.md#de-duplication): of five kinds of copies, the first
three are near-duplicates, the others mostly share too little. `clusters`, rensa and text-dedup keep a document unless
it reaches a resemblance of {deduplication.SHARE} of {deduplication.N}-grams of all tokens with one that is kept;
datatrove has its defaults, which aim at 0.72. `clusters` includes tokenisation, exact duplicates and all steps
that find n-grams. Time of rensa is that of its kernels and of joining words to n-grams; it works in memory. text-
dedup cuts words itself, chooses its bands for the share, joins documents that are equal in a band without
comparing them, and reads and writes files. Its suffix arrays need a program that its package does not have."""
_JUDGED = """Pairs of news articles and Web pages that share n-grams, judged as near-duplicates or not (Fröbe and
others, ECIR 2020). A pair is called a near-duplicate if it reaches the share. `other than exact` counts the pairs
that MinHash decides otherwise than the exact resemblance of the same n-grams does: the estimate is wrong, or no band
is equal. All pairs of the set share n-grams, so a low share calls most of them."""


@dataclass(slots=True, frozen=True)
class Method:
    """A way to compare two documents.

    Attributes:
        title: its name in tables.
        called: takes n-grams of two documents and a share; returns whether they are near-duplicates.
    """

    title: str
    called: Callable[[frozenset[str], frozenset[str], float], bool]


def resemblance(first: frozenset[str], second: frozenset[str]) -> float:
    """Returns what the kernel says about two documents: common n-grams among all of both."""
    numbers = {ngram: number for number, ngram in enumerate(sorted(first | second))}
    if not (first and second):
        return 0.0
    keys = [np.array(sorted(numbers[ngram] for ngram in ngrams), np.uint64) for ngrams in (first, second)]
    sizes = np.array([len(first), len(second)], np.uint32)
    index = kernel.ClusterPass(1e-9, len(numbers), len(first) + len(second), len(first) + len(second))
    leaders, shares = index.decide(np.arange(2, dtype=np.uint64), sizes, sizes, np.concatenate(keys))
    return float(shares[1]) if leaders[1] == 0 else 0.0


def methods() -> list[Method]:
    """Returns the exact comparison, and MinHash of the tools that are installed."""
    found = [Method("clusters", lambda first, second, share: resemblance(first, second) >= share)]
    if importlib.util.find_spec("datatrove"):
        found.append(Method("datatrove, 14 bands of 8", _datatrove()))
    if importlib.util.find_spec("rensa"):
        found.append(Method("rensa, 32 bands of 4", _rensa))
    return found


def _rensa(first: frozenset[str], second: frozenset[str], share: float) -> bool:
    from rensa import RMinHash, RMinHashLSH

    permutations, bands = _RENSA
    signatures = [RMinHash(num_perm=permutations, seed=1) for _ in range(2)]
    for signature, ngrams in zip(signatures, (first, second), strict=True):
        signature.update(sorted(ngrams))
    index = RMinHashLSH(threshold=share, num_perm=permutations, num_bands=bands)
    index.insert(0, signatures[0])
    return bool(index.query(signatures[1])) and signatures[0].jaccard(signatures[1]) >= share


def _datatrove() -> Callable[[frozenset[str], frozenset[str], float], bool]:
    from datatrove.pipeline.dedup.minhash import MinhashConfig, MinhashDedupSignature
    from datatrove.utils.hashing import create_hash_func

    config = MinhashConfig()
    assert (config.num_buckets * config.hashes_per_bucket, config.num_buckets) == _DATATROVE
    work = MinhashDedupSignature(".", config, language=deduplication.words_between_spaces())
    hashed = create_hash_func(config.hash_config)

    def called(first: frozenset[str], second: frozenset[str], _: float) -> bool:
        values = (
            np.array([[hashed(ngram)] for ngram in sorted(ngrams)], np.uint64).reshape(-1, 1)
            for ngrams in (first, second)
        )
        signatures = [work.get_signature(some) if len(some) else [] for some in values]
        return any(one == other for one, other in zip(*signatures, strict=False))

    return called


def judged_rows(judged: JudgedSet, compared: Sequence[Method]) -> Iterator[tuple[str, int, float, Counts, int]]:
    """Yields method, n, share, counts against the judgements, and pairs decided otherwise than by exact comparison."""
    for n in N:
        sets = [_ngrams(judged, number, n) for number in range(len(judged.documents.names))]
        for share in SHARES:
            exact = None
            for method in compared:
                if method.title.startswith("datatrove") and share != 0.72:
                    continue  # its bands know one share
                pairs = zip(judged.first.tolist(), judged.second.tolist(), strict=True)
                called = np.array([method.called(sets[one], sets[other], share) for one, other in pairs])
                exact = called if exact is None else exact
                right = int((called & judged.duplicate).sum())
                counts = Counts(right, int(called.sum()) - right, int(judged.duplicate.sum()) - right)
                yield method.title, n, share, counts, int((called != exact).sum())


def _ngrams(judged: JudgedSet, number: int, n: int) -> frozenset[str]:
    documents = judged.documents
    start, end = documents.offsets[number : number + 2].tolist()
    words = [documents.lexicon[word] for word in documents.words[start:end].tolist()]
    return frozenset(" ".join(words[place : place + n]) for place in range(len(words) - n + 1))


def main(prog: str, arguments: Sequence[str]) -> None:
    """Measures, and writes or prints the page."""
    parser = running.parser(prog, __doc__)
    running.add_data(parser)
    parser.add_argument("--words", default="300k", help="words of the made documents")
    parser.add_argument("--rounds", type=int, default=3, help="how often each tool runs")
    parser.add_argument("--output", type=Path, help="the page to write, such as docs/measurements/near-duplicates.md")
    options = parser.parse_args(arguments)
    load = os.getloadavg()[0]
    tools = [tool for tool in deduplication.systems() if "clusters" in tool.title or "MinHash" in tool.title]
    documents, rows = deduplication.measure(parse_size(options.words), options.rounds, tools)
    words = sum(len(paragraph.words) for document in documents for paragraph in document)
    machine = table.about_machine([tool.version for tool in tools], load)
    parts = ["# Near-duplicates and MinHash", table.fill(_ABOUT)]
    parts += [f"    python bench near-duplicates --words {options.words} --rounds {options.rounds}"]
    parts += [table.fill(machine), "## Made copies", table.fill(_MADE)]
    parts += [f"{len(documents):,} documents, {words:,} words:", "\n".join(table.deduplication_rows(rows, words))]
    if (options.data / f"{SET}.tar.xz").exists():
        [judged] = read_sets(options.data, [SET])
        lines = ["| n | share | method | called | precision | recall | F1 | other than exact |"]
        lines += ["|---:|---:|---|---:|---:|---:|---:|---:|"]
        for title, n, share, counts, others in judged_rows(judged, methods()):
            quality = scores(counts)
            numbers = " | ".join(f"{value:.1f}" for value in (quality.precision, quality.recall, quality.f1))
            called = counts.true_positives + counts.false_positives
            lines.append(f"| {n} | {share} | {title} | {called} | {numbers} | {others} |")
        about = f"{len(judged.duplicate)} pairs, {int(judged.duplicate.sum())} of them near-duplicates:"
        parts += ["## Judged pairs", table.fill(_JUDGED), about, "\n".join(lines)]
    text = "\n\n".join(parts) + "\n"
    if options.output is None:
        print(text, end="")
    else:
        options.output.write_text(text, encoding="utf-8")

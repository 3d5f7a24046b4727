"""Runs tools of de-duplication on made documents: ours, onion if it is on the PATH, and datatrove's MinHash.

Each tool prepares its input, which is not timed; then works; then says which paragraphs it kept, which is not timed
either. All work on the text of documents; onion's time includes that of our step `tokens`, because it takes verticals.
"""

import contextlib
import hashlib
import importlib.metadata
import importlib.util
import io
import os
import re
import shutil
import statistics
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
import running
import zstandard
from deduplication import ngrams

from corpusprep import __version__
from corpusprep.archive.batches import write_bundles
from corpusprep.commands.application import application
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles, corpus_file
from corpusprep.tables.reading import read_table
from corpusprep.tables.verdicts import KEPT
from corpusprep.tables.writing import write_table
from peers.made_duplicates import Document, Kept, Quality, make, score
from peers.times import cpu_seconds

_BATCH, _LANGUAGE, _MEMORY = "b00000", "en", "1500M"
#: What datatrove's MinHash imports.
_OF_MINHASH = ("datatrove", "tokenizers", "xxhash", "regex")
#: Least resemblance, n and hash functions and bands of the comparison of clusters with MinHash.
SHARE, N, _PERMUTATIONS, _BANDS = "0.5", "5", 128, 32
#: n of onion's n-grams.
_ONION_N = 7
_PARAGRAPH = re.compile(rb"^<p(?=[ >])", re.MULTILINE)

#: Reads which paragraphs were kept.
Read = Callable[[], Kept]
#: Works in a folder on what was prepared there.
Work = Callable[[], Read]


@dataclass(slots=True, frozen=True)
class System:
    """A tool.

    Attributes:
        title: its name in tables.
        version: name and version of the package.
        prepare: takes documents and an empty folder; returns the work.
    """

    title: str
    version: str
    prepare: Callable[[Sequence[Document], Path], Work]


@dataclass(slots=True, frozen=True)
class Row:
    """A row of the table: a tool, its CPU seconds and what came of it."""

    system: System
    seconds: float
    quality: Quality


def systems() -> list[System]:
    """Returns the tools that are installed."""
    ours = f"corpusprep {__version__}"
    found = [
        System("corpusprep, blocks", ours, lambda made, folder: _ours(made, folder, {"unit": "block"})),
        System("corpusprep, whole documents", ours, lambda made, folder: _ours(made, folder, {"unit": "document"})),
        System(f"corpusprep, clusters, share {SHARE}, alone", ours, _clusters),
    ]
    if shutil.which("onion"):
        found.append(System(f"onion, n = {_ONION_N}", "onion (PATH)", _onion))
    if all(importlib.util.find_spec(name) for name in _OF_MINHASH):
        found.append(System("datatrove, MinHash", f"datatrove {importlib.metadata.version('datatrove')}", _minhash))
    if importlib.util.find_spec("rensa"):
        version = f"rensa {importlib.metadata.version('rensa')}"
        found.append(System(f"rensa, MinHash, share {SHARE}", version, _rensa))
    if all(importlib.util.find_spec(name) for name in ("text_dedup", "datasets")):
        version = f"text-dedup {importlib.metadata.version('text-dedup')}"
        found.append(System(f"text-dedup, MinHash, share {SHARE}", version, _text_dedup))
    return found


def measure(words: int, rounds: int, tools: Sequence[System]) -> tuple[list[Document], list[Row]]:
    """Runs all tools in turn, `rounds` times; returns the documents and a row per tool, with the median of its times.

    A run on a few documents, which is not counted, loads the libraries.
    """
    few, made = make(0), make(words)
    taken: list[list[float]] = [[] for _ in tools]
    kept: list[Kept] = [[] for _ in tools]
    for number in range(rounds + 1):
        for place, tool in enumerate(tools):
            with tempfile.TemporaryDirectory() as name:
                work = tool.prepare(made if number else few, Path(name))
                seconds, read = cpu_seconds(work)
                if number:
                    taken[place].append(seconds)
                    kept[place] = read()
    rows = zip(tools, taken, kept, strict=True)
    return made, [Row(tool, statistics.median(times), score(made, found)) for tool, times, found in rows]


def _clusters(documents: Sequence[Document], folder: Path) -> Work:
    # The threshold that no document reaches leaves the decision to the clusters.
    all_tokens = dict.fromkeys(("exclude_stopwords", "exclude_punctuation"), "false")
    chosen = {"unit": "document", "threshold": "1", "share": SHARE, "n": N}
    return _ours(documents, folder, chosen | all_tokens)


def _ours(documents: Sequence[Document], folder: Path, chosen: Mapping[str, str]) -> Work:
    files = _write_pages(documents, folder)
    options = {"memory": _MEMORY, **chosen}

    def work() -> Read:
        _tokens(folder)
        _command(["step", "documents", str(folder), "--memory", _MEMORY])
        for stage in ("ngrams", "blocks"):
            for _, lines in ngrams.commands(folder, stage, Path(_LANGUAGE), options):
                for line in lines:
                    _command(line)
        return read

    def read() -> Kept:
        blocks = read_table(files.blocks, schemas.BLOCKS, ["record", "block", "verdict"])
        kept = set(blocks.filter(pl.col("verdict") == KEPT).select("record", "block").rows())
        return [[(number, place) in kept for place in range(len(one))] for number, one in enumerate(documents)]

    return work


def _onion(documents: Sequence[Document], folder: Path) -> Work:
    files = _write_pages(documents, folder)

    def work() -> Read:
        _tokens(folder)
        with files.vertical.open("rb") as stream:
            text = zstandard.ZstdDecompressor().stream_reader(stream).read()
        (folder / "onion.vert").write_bytes(text)
        script = 'exec onion -n "$0" -t 0.5 "$1" > "$2"'
        running.run(["sh", "-c", script, str(_ONION_N), folder / "onion.vert", folder / "onion.out"])
        return lambda: _marked(folder / "onion.out", documents)

    return work


def _marked(path: Path, documents: Sequence[Document]) -> Kept:
    """Reads what onion marks: each line is 0 or 1 (a duplicate), a tab, and a line of the vertical."""
    removed: list[bool] = []
    for line in path.read_bytes().splitlines():
        mark, _, rest = line.partition(b"\t")
        if _PARAGRAPH.match(rest):
            removed.append(False)
        elif removed and not rest.startswith(b"<"):
            removed[-1] = mark == b"1"
    if len(removed) != sum(map(len, documents)):
        raise running.CommandError(f"{path}: onion wrote {len(removed)} paragraphs; it was given others")
    flags = iter(removed)
    return [[not next(flags) for _ in document] for document in documents]


def words_between_spaces() -> Any:
    """Returns a tokeniser for datatrove."""
    from datatrove.utils.word_tokenizers import WordTokenizer

    class Words(WordTokenizer):  # type: ignore[misc]  # datatrove has no types
        """Words between white space: as the default (spaCy's, a large package) on text without punctuation."""

        def word_tokenize(self, text: str) -> list[str]:
            return text.split()

        def sent_tokenize(self, text: str) -> list[str]:
            return [text]

        def span_tokenize(self, text: str) -> list[tuple[int, int]]:
            return [(0, len(text))]

    return Words()


def _minhash(documents: Sequence[Document], folder: Path) -> Work:
    os.environ.setdefault("TQDM_DISABLE", "1")
    from datatrove import data
    from datatrove.pipeline.dedup import minhash
    from datatrove.utils.logging import logger

    logger.disable("datatrove")
    texts = ["\n".join(paragraph.text for paragraph in document) for document in documents]
    signatures, buckets, removed = (str(folder / name) for name in ("signatures", "buckets", "removed"))
    config = minhash.MinhashConfig()

    def given() -> Iterator[data.Document]:
        return (data.Document(text=text, id=str(number)) for number, text in enumerate(texts))

    def work() -> Read:
        minhash.MinhashDedupSignature(signatures, config, language=words_between_spaces()).run(given())
        for bucket in range(config.num_buckets):
            minhash.MinhashDedupBuckets(signatures, buckets, config=config).run(None, bucket, config.num_buckets)
        minhash.MinhashDedupCluster(buckets, removed, config=config).run()
        kept = {document.id for document in minhash.MinhashDedupFilter(removed).run(given())}
        return lambda: [[str(number) in kept] * len(document) for number, document in enumerate(documents)]

    return work


def _rensa(documents: Sequence[Document], _: Path) -> Work:
    from rensa import RMinHash, RMinHashLSH

    texts = [[word for paragraph in document for word in paragraph.words] for document in documents]

    def work() -> Read:
        index = RMinHashLSH(threshold=float(SHARE), num_perm=_PERMUTATIONS, num_bands=_BANDS)
        kept: list[bool] = []
        n = int(N)
        signatures: list[Any] = []
        for number, words in enumerate(texts):
            signature = RMinHash(num_perm=_PERMUTATIONS, seed=1)
            signature.update([" ".join(words[place : place + n]) for place in range(len(words) - n + 1)])
            near = [other for other in index.query(signature) if signature.jaccard(signatures[other]) >= float(SHARE)]
            signatures.append(signature)
            kept.append(not near)
            if not near:
                index.insert(number, signature)
        return lambda: [[stays] * len(document) for stays, document in zip(kept, documents, strict=True)]

    return work


def _text_dedup(documents: Sequence[Document], folder: Path) -> Work:
    os.environ |= {"TQDM_DISABLE": "1", "HF_DATASETS_OFFLINE": "1", "HF_DATASETS_DISABLE_PROGRESS_BARS": "1"}
    import datasets
    from text_dedup import logger, minhash

    logger.disabled = True
    texts = ["\n".join(paragraph.text for paragraph in document) for document in documents]
    source, output = folder / "texts.jsonl", folder / "kept"
    pl.DataFrame({"number": range(len(texts)), "text": texts}).write_ndjson(source)
    given = {"path": "json", "data_files": source, "split": "train", "cache_dir": folder / "cache", "output": output}
    chosen = {"column": "text", "ngram": N, "num_perm": _PERMUTATIONS, "threshold": SHARE, "min_length": 0}
    options = {**given, **chosen, "num_proc": 1}

    def work() -> Read:
        with contextlib.redirect_stderr(io.StringIO()):
            minhash.main([f"--{name}={value}" for name, value in options.items()], standalone_mode=False)
        return read

    def read() -> Kept:
        kept = set(datasets.load_from_disk(str(output))["number"])
        return [[number in kept] * len(document) for number, document in enumerate(documents)]

    return work


def _command(line: Sequence[str]) -> None:
    """Runs a command of ours in this process, so that no start-up is measured. Its progress is not shown."""
    with contextlib.redirect_stderr(io.StringIO()):
        application.main(list(line), standalone_mode=False)


def _tokens(folder: Path) -> None:
    _command(["step", "tokens", str(folder), "--batch", _BATCH, "--model", _LANGUAGE])


def _write_pages(documents: Sequence[Document], folder: Path) -> BatchFiles:
    """Writes the tables that `tokens` reads: one batch, one page per document, one good block per paragraph."""
    files = BatchFiles.of(folder, _BATCH)
    (folder / "batches.tsv").write_text(f"batch\tarchive\tbytes\n{_BATCH}\tmade.warc.gz\t1\n", encoding="utf-8")
    write_bundles({_BATCH: [_BATCH]}, corpus_file(folder, "bundles"))
    keys = [{"batch": _BATCH, "record": number, "verdict": KEPT} for number in range(len(documents))]
    encoding = [
        key
        | {"archive": "made.warc.gz", "offset": number, "record_id": f"urn:{number}", "encoding": "utf-8"}
        | {"url": f"http://made.example/{number}", "host": "made.example", "date": "2020-01-01T00:00:00Z"}
        | {"page_digest": hashlib.md5(str(number).encode()).hexdigest()}
        for number, key in enumerate(keys)
    ]
    blocks = [
        key
        | {"block": place, "tag": "p", "heading": False, "text": paragraph.text, "words": len(paragraph.words)}
        | {"context_free_label": "good", "label": "good"}
        for key, document in zip(keys, documents, strict=True)
        for place, paragraph in enumerate(document)
    ]
    tables = (
        (files.encoding, schemas.ENCODING, encoding),
        (files.pages, schemas.PAGES, [key | {"title": ""} for key in keys]),
        (files.boilerplate, schemas.BOILERPLATE, blocks),
        (files.language, schemas.LANGUAGE, [key | {"lang": _LANGUAGE, "score": 1.0} for key in keys]),
    )
    for path, schema, rows in tables:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_table(pl.DataFrame(rows, schema=schema), schema, path)
    return files

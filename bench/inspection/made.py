"""Makes corpora to look into: addresses on three million hosts, and tokens with Zipf's frequencies."""

from pathlib import Path

import numpy as np
import polars as pl
import zstandard
from numpy.typing import NDArray

from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.writing import TableWriter

#: Records of a batch: those of about 1 GB of archives as stored, the default of `batch_bytes`.
RECORDS_PER_BATCH = 50_000
#: Every third record is a document.
RECORDS_PER_DOCUMENT = 3
TOKENS_PER_BATCH = 10_000_000
TOKENS_PER_DOCUMENT, DOCUMENTS_AT_ONCE = 500, 200
BLOCKS_PER_DOCUMENT, WORDS_PER_BLOCK = 40, 12
#: Distinct words.
WORDS = 200_000


def make_records(folder: Path, records: int, wanted: int = 20) -> list[str]:
    """Writes the tables of records and documents, and all tables of one batch.

    Returns:
        Addresses of documents in that batch, `wanted` of them.
    """
    chance = np.random.default_rng(1)
    names = [f"b{number:016x}" for number in range(max(1, -(-records // RECORDS_PER_BATCH)))]
    whole = names[len(names) // 2]
    found: list[str] = []
    for number, name in enumerate(names):
        files = BatchFiles.of(folder, name)
        rows = _rows(name, min(RECORDS_PER_BATCH, records - number * RECORDS_PER_BATCH), chance)
        documents = rows.filter(pl.col("record") % RECORDS_PER_DOCUMENT == 0).with_row_index("document")
        _write(files.encoding, rows, schemas.ENCODING)
        _write(files.tokens, documents, schemas.TOKENS)
        if name == whole:
            _write_stages(files, documents)
            found = documents["url"].gather_every(max(1, len(documents) // wanted)).to_list()[:wanted]
    write_plan(folder, names)
    return found


def write_plan(folder: Path, names: list[str]) -> None:
    """Writes the list of batches, each of one archive."""
    lines = (f"{name}\tmade-{number:06}.warc.gz\t1000000000\n" for number, name in enumerate(names))
    (folder / "batches.tsv").write_text("batch\tarchive\tbytes\n" + "".join(lines), encoding="utf-8")


def _rows(batch: str, rows: int, chance: np.random.Generator) -> pl.DataFrame:
    """Returns records with made addresses and identifiers; the sizes of hosts follow a power law."""
    frame = pl.DataFrame(
        {
            "number": chance.integers(0, 2**40, rows),
            "record": np.arange(rows, dtype=np.uint32),
            "site": chance.zipf(1.3, rows) % 3_000_000,
        }
    ).with_columns(host=pl.format("www.site{}.example.org", "site"), batch=pl.lit(batch), verdict=pl.lit("kept"))
    address = pl.format("http://{}/archive/2014/page-{}.html?id={}", "host", "number", pl.col("number") % 997)
    # Not a hash of polars: these change with its version.
    digits = pl.Series([f"{number:016x}" for number in chance.integers(0, 2**63, rows).tolist()])
    return frame.with_columns(url=address, id=digits)


def _write_stages(files: BatchFiles, documents: pl.DataFrame) -> None:
    """Writes what the stages say of the documents of a batch, all kept, and their vertical."""
    text = " ".join(f"w{number}" for number in range(WORDS_PER_BLOCK))
    numbers = pl.lit(list(range(BLOCKS_PER_DOCUMENT)), pl.List(pl.UInt32))
    blocks = documents.select("batch", "record", "document", block=numbers).explode("block")
    good = {"tag": "p", "heading": False, "words": WORDS_PER_BLOCK, "context_free_label": "good", "label": "good"}
    numbers_of = {"link_density": 0.0, "stopword_density": 0.5, "tokens": WORDS_PER_BLOCK, "counted_tokens": 9}
    values = {**good, **numbers_of, "covered_tokens": 0, "verdict": "kept"}
    told = blocks.with_columns(pl.lit(value).alias(name) for name, value in values.items())
    told = told.with_columns(text=pl.format("{} " + text, "record"))
    _write(files.pages, documents, schemas.PAGES)
    _write(files.boilerplate, told, schemas.BOILERPLATE)
    _write(files.language, documents.with_columns(lang=pl.lit("en"), score=pl.lit(0.7)), schemas.LANGUAGE)
    _write(files.documents, documents, schemas.DOCUMENTS)
    _write(files.blocks, told, schemas.BLOCKS)
    body = "\n".join([*text.split(" "), "</p>\n"])
    blocks_of = "".join(f'<p heading="0" block="{number}">\n{body}' for number in range(BLOCKS_PER_DOCUMENT))
    about = f'words="{BLOCKS_PER_DOCUMENT * WORDS_PER_BLOCK}" tokens="{BLOCKS_PER_DOCUMENT * WORDS_PER_BLOCK}"'
    files.corpus_vertical.parent.mkdir(parents=True)
    compressor = zstandard.ZstdCompressor(level=3, write_checksum=True)
    with files.corpus_vertical.open("wb") as raw, compressor.stream_writer(raw) as stream:
        for name, url in documents.select("id", "url").iter_rows():
            stream.write(f'<doc id="{name}" url="{url}" {about}>\n{blocks_of}</doc>\n'.encode())


def _write(path: Path, rows: pl.DataFrame, schema: pl.Schema) -> None:
    missing = [pl.lit(None, kind).alias(name) for name, kind in schema.items() if name not in rows.columns]
    with TableWriter(path, schema) as table:
        table.extend(rows.with_columns(missing))


def _vocabulary() -> tuple[NDArray[np.object_], NDArray[np.float64]]:
    """Returns WORDS words, the most frequent first, and where the range of each ends in [0, 1), by Zipf's law."""
    words = np.array([f"{chr(97 + number % 26)}{number:x}" for number in range(WORDS)], dtype=object)
    shares = 1 / np.arange(1, WORDS + 1)
    return words, np.cumsum(shares / shares.sum())


def make_tokens(folder: Path, tokens: int) -> None:
    """Writes the verticals of a corpus, of TOKENS_PER_BATCH each."""
    chance = np.random.default_rng(2)
    words, ends = _vocabulary()
    words += "\n"
    names = [f"b{number:016x}" for number in range(max(1, -(-tokens // TOKENS_PER_BATCH)))]
    folder.mkdir(parents=True)
    write_plan(folder, names)
    for batch, name in enumerate(names):
        path = BatchFiles.of(folder, name).corpus_vertical
        path.parent.mkdir(parents=True, exist_ok=True)
        documents = min(TOKENS_PER_BATCH, tokens - batch * TOKENS_PER_BATCH) // TOKENS_PER_DOCUMENT
        compressor = zstandard.ZstdCompressor(level=3, write_checksum=True)
        with path.open("wb") as raw, compressor.stream_writer(raw) as stream:
            for first in range(0, documents, DOCUMENTS_AT_ONCE):
                drawn = chance.random((min(DOCUMENTS_AT_ONCE, documents - first), TOKENS_PER_DOCUMENT))
                for number, row in enumerate(words[np.searchsorted(ends, drawn)].tolist(), first):
                    host = f"h{number % 999}"
                    about = f'id="{batch:04x}{number:012x}" url="http://{host}/" host="{host}" date="2020"'
                    stream.write(f'<doc {about}>\n<p heading="0" block="0">\n{"".join(row)}</p>\n</doc>\n'.encode())


def make_removed(folder: Path, tokens: int) -> None:
    """Writes a batch of pages whose blocks are all boilerplate, as short as those of menus, of so many words."""
    name = "b0000000000000000"
    folder.mkdir(parents=True)
    write_plan(folder, [name])
    files = BatchFiles.of(folder, name)
    chance = np.random.default_rng(3)
    words, ends = _vocabulary()
    drawn = words[np.searchsorted(ends, chance.random(tokens))]
    texts = [" ".join(drawn[first : first + WORDS_PER_BLOCK].tolist()) for first in range(0, tokens, WORDS_PER_BLOCK)]
    blocks = pl.DataFrame({"text": texts}).with_columns(
        batch=pl.lit(name), record=pl.int_range(pl.len()) // BLOCKS_PER_DOCUMENT, heading=False, verdict=pl.lit("short")
    )
    blocks = blocks.with_columns(block=pl.int_range(pl.len()).over("record"))
    rows = _rows(name, -(-len(texts) // BLOCKS_PER_DOCUMENT), chance).with_columns(lang=pl.lit("en"))
    _write(files.encoding, rows, schemas.ENCODING)
    _write(files.language, rows, schemas.LANGUAGE)
    _write(files.boilerplate, blocks, schemas.BOILERPLATE)

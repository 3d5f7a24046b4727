"""Reads the results of a workflow without the package's own readers."""

import csv
import itertools
import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import polars as pl
import zstandard

from corpusprep.tables.verdicts import WHOLE


def decompressed(path: Path) -> str:
    """The text of a .zst file."""
    return zstandard.ZstdDecompressor().stream_reader(path.read_bytes()).read().decode("utf-8")


def json_documents(corpus: Path) -> list[dict[str, Any]]:
    """The documents of a corpus, in the order of its batches."""
    lines = [
        line for path in sorted((corpus / "corpus").glob("*.jsonl.zst")) for line in decompressed(path).split("\n")
    ]
    return [json.loads(line) for line in lines if line]


def vertical_documents(corpus: Path) -> list[str]:
    """The part of each document in the vertical."""
    text = "".join(decompressed(path) for path in sorted((corpus / "corpus").glob("*.vert.zst")))
    return [f"<doc {part}" for part in text.split("<doc ")[1:]]


def sorted_corpus(corpus: Path) -> tuple[list[str], list[str], list[str]]:
    """All three formats of a corpus as sorted lists of documents, which must not depend on the order of the input."""
    table = pl.concat([pl.read_parquet(path) for path in sorted((corpus / "corpus").glob("*.parquet"))])
    rows = [json.dumps(row, ensure_ascii=False) for row in table.iter_rows(named=True)]
    lines = [json.dumps(document, ensure_ascii=False) for document in json_documents(corpus)]
    return sorted(vertical_documents(corpus)), sorted(lines), sorted(rows)


def stage(corpus: Path, name: str) -> list[dict[str, Any]]:
    """All rows of a stage's tables."""
    return [
        row for path in sorted((corpus / name).glob("*.parquet")) for row in pl.read_parquet(path).iter_rows(named=True)
    ]


def table(corpus: Path, name: str) -> list[dict[str, str]]:
    """A statistics table as rows."""
    with (corpus / "statistics" / f"{name}.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def ledger(corpus: Path) -> dict[tuple[str, str], dict[str, int]]:
    """(stage, unit) -> verdict -> count, as written."""
    found: dict[tuple[str, str], dict[str, int]] = {}
    for row in table(corpus, "ledger"):
        found.setdefault((row["stage"], row["unit"]), {})[row["verdict"]] = int(row["count"])
    return found


def recount(corpus: Path) -> dict[tuple[str, str], dict[str, int]]:
    """Counts the ledger from the stage files, row by row."""
    counts: dict[tuple[str, str], Counter[str]] = {}

    def count(stage_name: str, unit: str, verdict: str, number: int = 1) -> None:
        counts.setdefault((stage_name, unit), Counter({"kept": 0}))[verdict] += number

    for name in ("encoding", "boilerplate", "language", "documents", "blocks"):
        for unit in ("record", "byte") if name == "encoding" else ("document", "block", "word"):
            count(name, unit, "kept", 0)
    for row in stage(corpus, "encoding"):
        count("encoding", "record", row["verdict"])
        count("encoding", "byte", row["verdict"], row["length"])
        if row["truncated"]:
            count("encoding", "truncated_record", row["verdict"])
    for row in stage(corpus, "pages"):
        count("boilerplate", "document", row["verdict"])
    good: dict[tuple[str, int], dict[int, int]] = {}
    for row in stage(corpus, "boilerplate"):
        count("boilerplate", "block", row["verdict"])
        count("boilerplate", "word", row["verdict"], row["words"])
        if row["label"] == "good":
            good.setdefault((row["batch"], row["record"]), {})[row["block"]] = row["words"]
    for name in ("language", "documents"):
        for row in stage(corpus, name):
            blocks = good[row["batch"], row["record"]]
            for block in row.get("left_out") or ():
                reason = "against" if block in row["against"] else "foreign_block"
                count(name, "block", reason)
                count(name, "word", reason, blocks.pop(block))
            count(name, "document", row["verdict"])
            count(name, "block", row["verdict"], len(blocks))
            count(name, "word", row["verdict"], sum(blocks.values()))
    left: dict[tuple[str, int], set[str]] = {}
    for row in stage(corpus, "blocks"):
        key = row["batch"], row["record"]
        count("blocks", "block", row["verdict"])
        count("blocks", "word", row["verdict"], good[key][row["block"]])
        left.setdefault(key, set()).add(row["verdict"])
    for verdicts in left.values():
        whole = verdicts & set(WHOLE)
        assert not whole or verdicts == whole
        stays = any(verdict == "kept" or verdict.startswith("marked_") for verdict in verdicts)
        count("blocks", "document", min(whole) if whole else "kept" if stays else "no_block_left")
    return {
        key: {verdict: number for verdict, number in found.items() if number or verdict == "kept"}
        for key, found in counts.items()
    }


def check_ledger(corpus: Path) -> None:
    """The written ledger equals the recount, and each stage accounts for all units that the stage before kept."""
    written = ledger(corpus)
    assert written == recount(corpus)
    assert sum(written["boilerplate", "document"].values()) == written["encoding", "record"]["kept"]
    stages = ("boilerplate", "language", "documents", "blocks")
    for before, after in itertools.pairwise(stages):
        for unit in ("document", "block", "word"):
            assert sum(written[after, unit].values()) == written[before, unit]["kept"], (after, unit)
    with (corpus / "batches.tsv").open(encoding="utf-8", newline="") as file:
        archives = [row["archive"] for row in csv.DictReader(file, delimiter="\t")]
    working_directory = corpus.parents[1]  # relative paths start here
    stored = sum((working_directory / archive).stat().st_size for archive in archives)
    assert sum(written["encoding", "byte"].values()) == stored


def flip_bit(path: Path) -> None:
    """Flips a bit in the middle of a file, and keeps its time, so that the workflow does not make it again."""
    content, stat = bytearray(path.read_bytes()), path.stat()
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))

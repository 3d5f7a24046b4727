"""Writes corpora that are verticals alone, from documents that are given; and counts their items in plain Python."""

import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from support.corpus_layout import write_lists

from corpusprep.io.files import zstd_chunks, zstd_writer
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.text.vertical import attributes, escape, unescape


@dataclass(frozen=True)
class Made:
    """A document: its attributes, and its blocks as lists of lines (tokens with columns, structures)."""

    attributes: dict[str, str]
    blocks: Sequence[Sequence[str]]

    def lines(self) -> str:
        """Its lines of the vertical."""
        shown = " ".join(f'{name}="{escape(value)}"' for name, value in self.attributes.items())
        blocks = "".join(
            "\n".join([f'<p heading="0" block="{number}">', *block, "</p>"]) + "\n"
            for number, block in enumerate(self.blocks)
        )
        return f"<doc {shown}>\n{blocks}</doc>\n"


def write(folder: Path, batches: Sequence[Sequence[Made]]) -> Path:
    """Writes a corpus of several batches; returns its folder."""
    names = [f"b{number:05d}" for number in range(len(batches))]
    write_lists(folder, names)
    for name, documents in zip(names, batches, strict=True):
        with zstd_writer(BatchFiles.of(folder, name).corpus_vertical) as out:
            out.write("".join(document.lines() for document in documents).encode())
    return folder


@dataclass
class Read:
    """A document as it was read: attributes, and the columns of the tokens of each block."""

    attributes: dict[str, str]
    blocks: list[list[list[str]]]


def read(folder: Path) -> list[Read]:
    """Reads all verticals of a corpus, in the stable order of its documents."""
    documents: list[Read] = []
    for path in sorted(folder.glob("corpus/*.vert.zst")):
        for line in b"".join(zstd_chunks(path)).decode().split("\n"):
            if line.startswith("<doc "):
                documents.append(Read(attributes(line), []))
            elif line.startswith("<p"):
                documents[-1].blocks.append([])
            elif line and not (line[0] == "<" and line[-1] == ">" and len(line) > 2):
                documents[-1].blocks[-1].append([unescape(value) for value in line.split("\t")])
    documents = [document for document in documents if document.blocks]
    return sorted(documents, key=lambda one: [one.attributes.get(name, "") for name in ("date", "url", "id")])


def items(document: Read, column: int, ngrams: int, *, lowered: bool = False) -> Iterator[tuple[int, str]]:
    """Yields the place in its document, and the text, of each item."""
    place = 0
    for block in document.blocks:
        values = [token[column] if column < len(token) else "" for token in block]
        values = [value.lower() for value in values] if lowered else values
        for start in range(len(values) - ngrams + 1):
            yield place + start, " ".join(values[start : start + ngrams])
        place += len(values)


def counted(
    documents: Sequence[Read], column: int = 0, ngrams: int = 1, *, lowered: bool = False
) -> dict[str, tuple[int, int, int, float, float]]:
    """Returns for each item its frequency, documents, hosts, ARF and DP, as their papers define them."""
    sizes = [sum(map(len, document.blocks)) for document in documents]
    total = sum(sizes)
    units = [next(filter(None, map(one.attributes.get, ("host", "url", "id"))), "") for one in documents]
    parts: Counter[int] = Counter()
    for unit, size in zip(units, sizes, strict=True):
        parts[zlib.crc32(unit.encode()) % 100] += size
    places: dict[str, list[int]] = {}
    among: dict[str, set[int]] = {}
    start = 0
    in_parts: Counter[tuple[str, int]] = Counter()
    for number, document in enumerate(documents):
        for place, item in items(document, column, ngrams, lowered=lowered):
            places.setdefault(item, []).append(start + place)
            among.setdefault(item, set()).add(number)
            in_parts[item, zlib.crc32(units[number].encode()) % 100] += 1
        start += sizes[number]
    result = {}
    for item, at in places.items():
        frequency = len(at)
        mean = total / frequency
        distances = [(at[number] - at[number - 1] - 1) % total + 1 for number in range(frequency)]
        arf = sum(min(distance, mean) for distance in distances) / mean
        dp = sum(abs(in_parts[item, part] / frequency - size / total) for part, size in parts.items()) / 2
        hosts = len({units[number] for number in among[item]})
        result[item] = frequency, len(among[item]), hosts, arf, dp
    return result

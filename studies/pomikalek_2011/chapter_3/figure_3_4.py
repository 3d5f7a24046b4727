"""Draws figure 3.4, the memory of a set of n-grams, and makes a table of it."""

from collections.abc import Iterator

from studies.comparison import Drawing, Number, Table
from studies.pomikalek_2011.chapter_3 import figures
from studies.pomikalek_2011.chapter_3.results import Results
from studies.study import Study

#: Sizes of the table.
_SIZES = (100_000, 1_000_000, 10_000_000, 100_000_000)
_PEAKS_FROM = 1_000_000
#: The text under the figure: bytes at the peak, and the millions of n-grams at which it is, by the length of hashes.
_PEAK = "20"
_PEAKS_AT = {"60 bits": "35"}


def make(results: Results) -> Iterator[Table | Drawing]:
    """Yields the figure and the table."""
    memory: dict[str, list[tuple[float, float]]] = {}
    for row in results.memory:
        memory.setdefault(row.structure, []).append((row.keys, row.bytes_a_key))
    yield Drawing(
        figures.memory(memory),
        "Figure 3.4: bytes per stored n-gram.",
        "3_4",
        ("structure", "keys", "bytes_a_key"),
        tuple((row.structure, row.keys, f"{row.bytes_a_key:.3f}") for row in results.memory),
    )
    yield _table(results)


def _table(results: Results) -> Table:
    numbers = []
    for structure in dict.fromkeys(row.structure for row in results.memory):
        rows = [row for row in results.memory if row.structure == structure]
        for size in _SIZES:
            nearest = min(rows, key=lambda row: abs(row.keys - size))
            if abs(nearest.keys - size) <= size / 100:
                numbers.append(Number(structure, f"{size:,} n-grams", "", f"{nearest.bytes_a_key:.3f}"))
    notes = [
        "The bitmap has one bit per duplicate n-gram, at the position of its key in the sorted file of keys. That file "
        "is read in order and takes 12 bytes per n-gram on disk, with the counts. Sorted keys in memory would still "
        "need a mark for n-grams already seen.",
    ]
    large = [row for row in results.memory if row.structure.startswith("Judy1") and row.keys >= _PEAKS_FROM]
    peaks = [
        max((row for row in large if row.structure == name), key=lambda row: row.bytes_a_key)
        for name in dict.fromkeys(row.structure for row in large)
    ]
    for row in peaks:
        bits = row.structure.partition(", ")[2]
        numbers.append(Number(row.structure, "peak", _PEAK, f"{row.bytes_a_key:.1f}"))
        numbers.append(Number(row.structure, "peak at (million)", _PEAKS_AT.get(bits, ""), f"{row.keys / 1e6:.1f}"))
    if peaks:
        notes.append(
            "Peaks are those above one million n-grams. Judy1 is a tree with 256 branches per node, so its curve "
            "repeats at about 256 times as many n-grams. Published: figure 3.4 and its text, for up to 10,000 million "
            "n-grams: 6 to 8 bytes beside the peak, which 56 bits reach above 900 million."
        )
    if not any(row.structure.startswith("Judy1") for row in results.memory):
        notes.append("Judy1 is missing: libJudy is not installed (Debian: libjudydebian1).")
    return Table("memory", "Memory of the set of n-grams", "Bytes per stored n-gram.", numbers, notes)


STUDY = Study("Figure 3.4", "Memory of the set of n-grams", "3.5.1", make)

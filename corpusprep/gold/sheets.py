"""Writes and reads sheets: tables of the blocks of sampled pages, in which people write what is main content.

A sheet is tab-separated, one row per block: `page` (the name of the file in `html/`), `block` (its number in the page),
`label` (`good`, `bad`, or empty for a block that nobody judged) and `text`. Spreadsheets open and save it. Several
sheets of one folder are several annotators: a block's label is the mean of theirs.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from corpusprep.errors import ConfigError
from corpusprep.gold.pages import GoldError, decode_page
from corpusprep.io import sheets
from corpusprep.pages import html as html_parser
from corpusprep.pages.segmentation import Segmenter

COLUMNS = ("page", "block", "label", "text")
LABELS = {"good": 1.0, "bad": 0.0}

#: Page -> number of a block -> its label, the share of annotators that called it good, and its text.
Sheets = Mapping[str, Mapping[int, tuple[float, str]]]


def write(folder: Path, output: Path, most: int | None = None) -> int:
    """Writes a sheet without labels for the pages in `<folder>/html`; returns their number.

    Args:
        folder: of the pages.
        output: the sheet.
        most: number of pages to draw, by the hash of their names; None: all.

    Raises:
        ConfigError: the folder has no pages.
    """
    paths = sorted((folder / "html").glob("*.html"))
    if not paths:
        raise ConfigError(f"{folder}: no pages in {folder / 'html'} (NAME.html)")
    if most is not None:
        drawn = sorted(paths, key=lambda path: hashlib.sha1(path.stem.encode(), usedforsecurity=False).digest())[:most]
        paths = sorted(drawn)
    rows = (
        (sheets.guarded(path.stem), str(number), "", sheets.guarded(text))
        for path in paths
        for number, text in enumerate(_blocks(path))
    )
    sheets.write_cells(output, COLUMNS, rows)
    return len(paths)


def read(contents: Mapping[str, bytes]) -> Sheets:
    """Returns the labels of sheets, by file name.

    Raises:
        GoldError: a sheet is damaged, or has another label.
    """
    rows: dict[str, dict[int, tuple[list[float], str]]] = {}
    for name, content in contents.items():
        for line, row in _rows(name, content):
            label = row["label"].strip().lower()
            if not label:
                continue
            page, block, text = sheets.plain(row["page"]), row["block"], sheets.plain(row["text"])
            if label not in LABELS or not block.isdecimal():
                raise GoldError(f"{name}, line {line}: {label!r} for block {block!r}; labels are good, bad or empty")
            if not text:
                raise GoldError(f"{name}, line {line}: block {block} of {page} has no text; keep the sheet's columns")
            labels, before = rows.setdefault(page, {}).setdefault(int(block), ([], text))
            if before != text:
                raise GoldError(f"{name}, line {line}: block {block} of {page} has another text in another sheet")
            labels.append(LABELS[label])
    return {
        page: {number: (sum(labels) / len(labels), text) for number, (labels, text) in sorted(blocks.items())}
        for page, blocks in sorted(rows.items())
    }


def _rows(name: str, content: bytes) -> Iterator[tuple[int, dict[str, str]]]:
    try:
        yield from sheets.read_content(name, content, COLUMNS)
    except sheets.SheetError as error:
        raise GoldError(str(error)) from None


def _blocks(path: Path) -> list[str]:
    """Returns the texts of a page's blocks, as training reads the page."""
    segmenter = Segmenter(())
    try:
        segmenter.add(html_parser.parse(decode_page(path.read_bytes(), Counter(), "")))
    except html_parser.PageError:
        return []
    return segmenter.take().texts()

"""Reads a user's own gold pages: a folder with `html/` and `gold/`, in any of the formats of the known sets."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from corpusprep.errors import ConfigError
from corpusprep.gold import sheets
from corpusprep.gold.json_sets import host_of
from corpusprep.gold.pages import Files, GoldError, GoldPage, GoldSet, decode_gold, decode_page
from corpusprep.languages.descriptions import find


def read_folder(folder: Path, language: str = "") -> GoldSet:
    """Reads `html/NAME.html` with `gold/NAME.txt` or `gold/NAME.json`, or with rows in a sheet, `*.tsv`.

    A gold text is plain text, or has CleanEval's markers (a line `URL: …`, then <p>, <h>, <l>). A JSON file has `text`
    (one block per line), or the snippets `with` and `without`; and, if known, `url`, `group` and `language`. Pages of
    one host belong together: the host is taken from `URL:` or `url`; else it is what the name has before the first `_`.

    Args:
        folder: the folder.
        language: code of the language of pages whose gold does not state it; empty: it is not known.

    Raises:
        ConfigError: the folder has no pages with gold, or a sheet has none of its pages.
        GoldError: a file is damaged.
    """
    folder = with_name(folder)
    listed = sorted(path.name for path in folder.glob("*.tsv"))
    if not (folder / "html").is_dir() or not ((folder / "gold").is_dir() or listed):
        raise ConfigError(f"{folder}: neither a known gold set nor a folder with html/, and gold/ or a sheet (*.tsv)")
    files, cases, pages = Files(folder.parent, folder.name), Counter[str](), []
    golds = files.names(f"{folder.name}/gold")
    labels = sheets.read({str(folder / name): files.read(f"{folder.name}/{name}") for name in listed})
    htmls = files.stems(f"{folder.name}/html")
    _count_strangers(folder, [page for page in labels if page not in htmls], len(labels), cases)
    for name, path in htmls.items():
        gold_file = next((file for file in (f"{name}.json", f"{name}.txt") if file in golds), None)
        if gold_file is None and name in labels:
            # As the sheet was written: without a language.
            pages.append(_of_sheet(name, decode_page(files.read(path), cases, ""), labels[name], language))
            continue
        if gold_file is None:
            cases["pages without a gold text, left out"] += 1
            continue
        gold = decode_gold(files.read(golds[gold_file]), cases)
        page = (
            _of_json(name, gold, folder / "gold" / gold_file) if gold_file.endswith(".json") else _of_text(name, gold)
        )
        page.language = page.language or language
        page.html = decode_page(files.read(path), cases, _built_in(page.language))
        pages.append(page)
    if not pages:
        raise ConfigError(f"{folder}: no page in html/ has a file of the same name in gold/, or a label in a sheet")
    return GoldSet(folder.name, folder.name, pages, markup=True, cases=cases, data=files.digest)


def with_name(folder: Path) -> Path:
    """Returns the path of a folder with its name, where it is given as `.` or ends in `..`."""
    return folder.resolve() if folder.name in ("", "..") else folder


def _count_strangers(folder: Path, strangers: Sequence[str], labelled: int, cases: Counter[str]) -> None:
    """Counts the labelled pages of sheets that html/ does not have.

    Raises:
        ConfigError: these are all labelled pages.
    """
    if not strangers:
        return
    if len(strangers) == labelled:
        raise ConfigError(
            f"{folder}: html/ has no page of its sheets; the first one is {strangers[0]!r}. Spreadsheets turn names "
            "such as 0001 into 1: import the column page as text"
        )
    cases[f"labelled pages of sheets that html/ does not have, left out; the first is {strangers[0]!r}"] += len(
        strangers
    )


def _built_in(language: str) -> str:
    """Returns the code of a built-in language; "" for another one, whose encodings are not known."""
    description = find(language)
    return description.code if description else ""


def _of_text(name: str, gold: str) -> GoldPage:
    first = gold.lstrip().partition("\n")[0]
    host = host_of(first.removeprefix("URL:").strip()) if first.startswith("URL:") else ""
    return GoldPage(name, "", host or name.partition("_")[0], {"": gold}, language="")


def _of_sheet(name: str, html: str, labels: Mapping[int, tuple[float, str]], language: str) -> GoldPage:
    gold = "\n".join(text for label, text in labels.values() if label > 0.5)
    return GoldPage(name, html, name.partition("_")[0], {"": gold}, language=language, labels=labels)


def _of_json(name: str, content: str, path: Path) -> GoldPage:
    try:
        gold = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise GoldError(f"{path}: not a JSON file: {error}") from None
    if not isinstance(gold, dict) or not (gold.get("text") or gold.get("with") or gold.get("without")):
        raise GoldError(f"{path}: has neither `text` nor the snippets `with` and `without`")
    site = str(gold.get("group") or host_of(str(gold.get("url") or "")) or name.partition("_")[0])
    text = {"": str(gold["text"])} if gold.get("text") else {}
    page = GoldPage(name, "", site, text, language=str(gold.get("language") or ""))
    page.wanted, page.unwanted = (
        tuple(str(snippet) for snippet in gold.get(side) or ()) for side in ("with", "without")
    )
    return page

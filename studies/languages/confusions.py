"""Whole confusion tables of language identification, and its precision and recall on the texts of pages.

The table `confusions` has one row per set, language and answer:

- `sentences`: texts of `langid-dev` in languages with a model (identification.labelled_texts), for all tools;
- `daniel-dev` and `fundus-train`: the gold texts of pages, for all tools;
- `without a model`: texts of `langid-dev` in other languages;
- `code`: the source of this package; `names`: the authors of the articles of `fundus-train`;
- `mixed`: texts of which each half is in another language.

The tool `corpusprep, or other` may answer `other`: the text is in no language with a model. It alone is measured on the
last four. The table `page_languages` has precision, recall and F1 on the page texts. Precision is as if each language
had the same number of texts.
"""

import itertools
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from corpusprep import languages
from corpusprep.languages.calibrating import REPORTING, declarations, joined, sentences
from corpusprep.languages.identification import identifier
from corpusprep.languages.labelled_texts import unpacked
from studies.languages.choosers import NOT_INSTALLED, Chooser, choosers
from studies.languages.identification import labelled_texts, scored, texts_of

COLUMNS = ("texts", "characters", "tool", "language", "identified", "count", "percent", "sha256")
PAGE_COLUMNS = ("texts", "tool", "language", "count", "precision", "recall", "f1", "sha256")

LENGTHS = (20, 50, 100, 200)
#: Length of the texts of code, names and mixed texts.
LENGTH = 200
MOST_TEXTS = 100  # per language without a model
OTHER = "other"
_METADATA_CELLS = 5
OURS = "corpusprep, or other"
PAGE_SETS = ("daniel-dev", "fundus-train")
#: Names of languages in `daniel-dev`, and codes in `fundus-train` that differ.
CODES = {"English": "en", "Chinese": "zh", "Polish": "pl", "Greek": "el", "Russian": "ru", "no": "nb"}

Labelled = list[tuple[str, str]]
#: Translations of the Universal Declaration of Human Rights into languages without a model.
UNKNOWN = (
    *("ace", "ayr", "bam", "bem", "bis", "cos", "ewe", "fij", "hat_popular", "hau_NG", "haw", "ibo"),
    *("kal", "lin", "min", "nav", "pam", "pap", "quz", "smo", "swb", "tah", "ton", "tpi", "wol"),
)


def page_rows(folder: Path) -> Iterator[tuple[str, ...]]:
    """Yields the rows of the table `page_languages`, in the order of PAGE_COLUMNS; scores in per cent.

    Raises:
        ArchiveError: a set is missing.
    """
    sets: list[tuple[str, Labelled, str]] = []
    for name in PAGE_SETS:
        with unpacked(folder, name) as (data, digest):
            sets.append((name, [pair for pair in page_texts(data) if pair[0] in languages.known()], digest))
    tools = choosers(languages.known())
    for name, pairs, digest in sets:
        for tool, choose in tools.items():
            if choose is None:
                yield name, tool, NOT_INSTALLED, *[""] * (len(PAGE_COLUMNS) - 4), digest
                continue
            for code, wanted, values in scored(pairs, [choose(text) for _, text in pairs]):
                yield name, tool, code, str(wanted), *(f"{100 * value:.2f}" for value in values), digest


def rows(folder: Path) -> Iterator[tuple[str, ...]]:
    """Yields the rows of the table `confusions`, in the order of COLUMNS.

    Raises:
        ArchiveError: a set is missing.
    """
    with ExitStack() as stack:
        (data, digest), *pages = [stack.enter_context(unpacked(folder, name)) for name in ("langid-dev", *PAGE_SETS)]
        lines = sentences(data, REPORTING) | declarations(data, REPORTING)
        sets = [("sentences", str(length), labelled_texts(lines, length), digest) for length in LENGTHS]
        sets += [(name, "", page_texts(data), digest) for name, (data, digest) in zip(PAGE_SETS, pages, strict=True)]
        unknown_lines = declarations(data, None, UNKNOWN)
        names = authors(pages[1][0])
        author_digest = pages[1][1]
    known = languages.known()
    alone: dict[str, Chooser | None] = {OURS: _or_other}
    tools = alone | choosers(known)
    for name, length, pairs, digest in sets:
        labelled = [pair for pair in pairs if pair[0] in known]
        yield from _confusions(name, length, labelled, tools, digest)
        unknown = [pair for pair in pairs if pair[0] not in known]
        yield from _confusions(f"{name}, without a model", length, unknown, alone, digest)
    sha256 = sets[0][3]
    for size in LENGTHS:
        yield from _confusions("without a model", str(size), without_model(unknown_lines, size), alone, sha256)
    yield from _confusions("code", str(LENGTH), code(), alone, "")
    yield from _confusions("names", str(LENGTH), names, alone, author_digest)
    yield from _confusions("mixed", str(LENGTH), mixed(labelled_texts(lines, LENGTH // 2)), alone, sha256)


def page_texts(data: Path) -> Labelled:
    """Returns the code of the language and the gold text of each page of a set."""
    gold = sorted((data / "gold").iterdir())
    if (data / "doc_lg.json").exists():
        named: Mapping[str, str] = json.loads((data / "doc_lg.json").read_text(encoding="utf-8"))
        texts = [(named[path.name], re.sub(r"</?p>", "", path.read_text(encoding="utf-8"))) for path in gold]
    else:
        read = [json.loads(path.read_text(encoding="utf-8")) for path in gold]
        texts = [(page["language"], page["text"]) for page in read]
    return [(CODES.get(name, name), text) for name, text in texts if text.strip()]


def without_model(lines: Mapping[str, Sequence[str]], length: int) -> Labelled:
    """Returns texts in languages without a model, by the name of the file."""
    return [(name, text) for name, ones in lines.items() for text in texts_of(ones, length)[:MOST_TEXTS]]


def code() -> Labelled:
    """Returns pieces of the source of this package: English words between keywords and signs."""
    source = sorted(Path(languages.__file__).parent.glob("*.py"))
    lines = (line.strip() for path in source for line in path.read_text(encoding="utf-8").splitlines())
    return [("code", text) for text in joined([line for line in lines if line], LENGTH)]


def authors(data: Path) -> Labelled:
    """Returns lists of the names of authors."""
    _, *lines = (data / "metadata.tsv").read_text(encoding="utf-8").split("\n")
    # Titles with line breaks have more lines; only whole rows count.
    names = {cells[2] for line in lines if len(cells := line.split("\t")) == _METADATA_CELLS and cells[2]}
    return [("names", text) for text in joined([f"{name}," for name in sorted(names)], LENGTH)]


def mixed(pairs: Labelled) -> Labelled:
    """Returns texts of two halves, each in another language; `cs+de` is the language."""
    by_code = {
        name: [text for _, text in ones] for name, ones in itertools.groupby(sorted(pairs), lambda pair: pair[0])
    }
    codes = sorted(by_code)
    others = [*codes[len(codes) // 2 :], *codes[: len(codes) // 2]]
    return [
        (f"{code}+{other}", f"{first} {second}")
        for code, other in zip(codes, others, strict=True)
        for first, second in list(zip(by_code[code], by_code[other], strict=False))[:10]
    ]


def _or_other(text: str) -> str:
    return identifier()(text).language or OTHER


def _confusions(
    name: str, length: str, pairs: Labelled, tools: Mapping[str, Chooser | None], digest: str
) -> Iterator[tuple[str, ...]]:
    wanted = Counter(code for code, _ in pairs)
    for tool, choose in tools.items():
        if not pairs:
            continue
        if choose is None:
            yield name, length, tool, NOT_INSTALLED, "", "", "", digest
            continue
        answers = Counter((code, choose(text)) for code, text in pairs)
        for (code, answer), count in sorted(answers.items(), key=lambda item: (item[0][0], -item[1], item[0][1])):
            yield name, length, tool, code, answer, str(count), f"{100 * count / wanted[code]:.2f}", digest

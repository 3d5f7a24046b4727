"""Checks a vertical against the format of the corpus, as CWB and Manatee read it (VRT).

docs/formats.md has the rules. They are stricter than what the readers of this project take: a tagger's
additions are allowed, but what another tool would read in another way is a problem.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from corpusprep._native.unicode import visible
from corpusprep.io.files import lines_of, zstd_chunks
from corpusprep.text.vertical import unescape

#: CWB reads lines of up to 65,535 bytes with their line feed.
LONGEST_LINE = 65_535
#: CWB cuts tokens and values of attributes after this many bytes, unescaped.
LONGEST_ATTRIBUTE = 4_095
_MOST_NAMED = 3
#: A line with a structure: end, name, attributes, whether it is empty.
TAG = re.compile(r'<(/?)([A-Za-z_][\w.-]*)((?: [A-Za-z_][\w.-]*="[^"<>]*")*)(/?)>')
_ATTRIBUTE = re.compile(r' ([\w.-]+)="([^"]*)"')
_ENTITY = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)")


def problems(path: Path | str) -> Iterator[str]:
    """Yields what is wrong with a compressed vertical: file, line, and the fault.

    Raises:
        StageFileError: the file cannot be read.
    """
    for number, fault in _faults(lines_of(zstd_chunks(Path(path)))):
        yield f"{path}: line {number}: {fault}"


def _faults(lines: Iterable[bytes]) -> Iterator[tuple[int, str]]:
    """Yields the number of a line, from 1, and its fault."""
    opened: list[str] = []
    depths = Counter[str]()  # of the names in opened
    columns = number = 0
    glue = False  # the line before is <g/>
    first = True  # no token since the last <p>
    for number, line in enumerate(lines, start=1):
        try:
            text = line.decode()
        except UnicodeDecodeError:
            yield number, "not UTF-8"
            continue
        if len(line) >= LONGEST_LINE:
            yield number, f"longer than {LONGEST_LINE - 1:,} bytes, which CWB divides"
        if not text.startswith("<"):
            yield from ((number, fault) for fault in _token_faults(text))
            if not depths["p"]:
                yield number, "a token outside <p>"
            columns = columns or text.count("\t") + 1
            if text.count("\t") + 1 != columns:
                yield number, f"{text.count(chr(9)) + 1} columns instead of {columns}"
            glue = first = False
            continue
        tag = TAG.fullmatch(text)
        if tag is None:
            yield number, "neither a structure nor an escaped token"
            continue
        yield from ((number, fault) for fault in _attribute_faults(tag[3]))
        end, name, _, empty = tag.groups()
        if glue:
            yield number, "<g/> is not followed by a token"
        glue = name == "g"
        if name == "g" and (not empty or first or not depths["p"]):
            yield number, "<g/> does not stand between two tokens of a <p>"
        first = first or name == "p"
        if empty:
            continue
        if not end:
            if depths[name] or (name == "doc" and opened) or (name == "p" and opened != ["doc"]):
                yield number, f"<{name}> inside {_innermost(opened)}"
            opened.append(name)
            depths[name] += 1
        elif opened[-1:] == [name]:
            opened.pop()
            depths[name] -= 1
        else:
            yield number, f"</{name}> closes nothing, or comes before the end of another structure"
    if opened:
        yield number, f"ends inside <{opened[-1]}>"


def _innermost(opened: list[str]) -> str:
    """Returns the structures that are open: the last three, as a file may open any number."""
    named = " ".join(f"<{structure}>" for structure in opened[-_MOST_NAMED:]) or "nothing"
    return f"… {named}" if len(opened) > _MOST_NAMED else named


def _token_faults(text: str) -> Iterator[str]:
    token, _, _ = text.partition("\t")
    if not token:
        yield "an empty line" if not text else "an empty token"
        return
    if "<" in text or ">" in text or _ENTITY.search(text):
        yield "<, > or & is not escaped"
    plain = unescape(token)
    if len(plain.encode()) > LONGEST_ATTRIBUTE:
        yield f"a token of more than {LONGEST_ATTRIBUTE:,} bytes, which CWB cuts"
    if any(map(str.isspace, plain)):
        yield "white space in a token"
    if not visible(plain):
        yield "a token that nobody sees"


def _attribute_faults(attributes: str) -> Iterator[str]:
    pairs = _ATTRIBUTE.findall(attributes)
    if len({name for name, _ in pairs}) != len(pairs):
        yield "an attribute twice"
    for name, value in pairs:
        if _ENTITY.search(value):
            yield f"{name}: & is not escaped"
        plain = unescape(value)
        if len(plain.encode()) > LONGEST_ATTRIBUTE:
            yield f"{name}: more than {LONGEST_ATTRIBUTE:,} bytes, which CWB cuts"
        if value.endswith("\\"):
            yield f"{name}: a backslash before the quotation mark, which Manatee joins"
        if visible(plain) != plain:
            yield f"{name}: a character that nobody sees"

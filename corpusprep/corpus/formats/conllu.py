"""Writes the corpus as CoNLL-U (https://universaldependencies.org/format.html): tokens as words, without a parse.

A block is a paragraph. Its sentences are those that a tagger has marked (`<s>`); without them it is one sentence.
Columns of the vertical with the names of CoNLL-U's (lemma, upos, xpos or tag, feats) go there, others to MISC.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from corpusprep.corpus.formats.interface import CorpusDocument, OutputFormat, Write
from corpusprep.io.files import zstd_writer
from corpusprep.text.vertical_lines import Token, block_lines, text_of

#: What is said of a document, beside its id, in comments.
_COMMENTS = ("url", "date", "title", "lang", "published", "author", "licence")


#: Name of a column of the vertical -> place among the ten of CoNLL-U.
_PLACES = {"lemma": 2, "upos": 3, "xpos": 4, "tag": 4, "feats": 5}


@contextmanager
def writer(path: Path, attributes: Sequence[str] = (), columns: Sequence[str] = ()) -> Iterator[Write]:
    """Writes documents into compressed CoNLL-U; `columns` are the names of the columns of the vertical."""
    del attributes  # of blocks, for which CoNLL-U has no place
    layout = _layout(columns)
    with zstd_writer(path) as stream:

        def write(document: CorpusDocument) -> None:
            stream.write("".join(_lines(document, layout)).encode())

        yield write


def _layout(columns: Sequence[str]) -> dict[int, int | str]:
    """Returns where each column of the vertical, by its number, goes: a place, or a name in MISC."""
    layout: dict[int, int | str] = {}
    for number, name in enumerate(columns, start=1):
        place = _PLACES.get(name)
        layout[number] = name if place is None or place in layout.values() else place
    return layout


def _lines(document: CorpusDocument, layout: Mapping[int, int | str]) -> Iterator[str]:
    name = document.values["id"]
    comments = [f"# newdoc id = {name}\n"]
    comments += [f"# {key} = {value}\n" for key in _COMMENTS if (value := _one_line(document.values[key]))]
    comments += [f"# {key} = {_one_line(value)}\n" for key, value in document.own.items()]
    for block in block_lines(document.lines):
        paragraph = f"{name}-{block.attributes.get('block', '')}"
        comments.append(f"# newpar id = {paragraph}\n")
        for number, sentence in enumerate(block.sentences, start=1):
            yield from comments
            comments = []
            yield f"# sent_id = {paragraph}-{number}\n# text = {text_of(sentence)}\n"
            for place, token in enumerate(sentence, start=1):
                yield _token_line(place, token, layout)
            yield "\n"


def _token_line(number: int, token: Token, layout: Mapping[int, int | str]) -> str:
    """Returns the line of a token: what a tagger has added in its places, or in MISC."""
    fields = [str(number), token.columns[0], *"_" * 8]
    misc = []
    for column, value in enumerate(token.columns[1:], start=1):
        place = layout.get(column, f"Column{column + 1}")
        if isinstance(place, int):
            fields[place] = value or "_"
        elif value:
            misc.append(f"{place}={_escaped(value)}")
    if not token.space_after:
        misc.append("SpaceAfter=No")
    fields[9] = "|".join(misc) or "_"
    return "\t".join(fields) + "\n"


def _escaped(value: str) -> str:
    return "\\s".join(value.replace("\\", "\\\\").replace("|", "\\p").split(" "))


def _one_line(value: object) -> str:
    return " ".join(str(value).split())


FORMAT = OutputFormat(
    "conllu", "conllu.zst", "CoNLL-U, compressed: one token per line, blocks as paragraphs.", writer, writer
)

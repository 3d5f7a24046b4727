"""Reads the lines of a document of a vertical as blocks, sentences and tokens, for formats that have these."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from corpusprep.text.vertical import attributes, unescape


@dataclass(slots=True)
class Token:
    """A token.

    Attributes:
        columns: its form, and what a tagger has added; unescaped.
        space_after: whether white space follows it in the block.
    """

    columns: list[str]
    space_after: bool = True


@dataclass(slots=True)
class BlockLines:
    """A block: its attributes, and its sentences; the whole block is one where no tagger has marked sentences."""

    attributes: dict[str, str]
    sentences: list[list[Token]] = field(default_factory=list)

    @property
    def tokens(self) -> Iterator[Token]:
        """All its tokens."""
        return (token for sentence in self.sentences for token in sentence)


def text_of(tokens: list[Token]) -> str:
    """Returns the text of tokens, without white space at its end."""
    return "".join(f"{token.columns[0]} " if token.space_after else token.columns[0] for token in tokens).rstrip(" ")


def annotation(lines: bytes, columns: Sequence[str]) -> dict[str, list[str | bool | int]]:
    """Returns the tokens of a document's lines as lists, with a value per token (schemas.annotation).

    A column that a token does not have is empty.
    """
    places = list(enumerate(columns, start=1))
    annotated: dict[str, list[str | bool | int]] = {
        name: [] for name in ("word", *columns, "space_after", "sentence", "block")
    }
    sentences = 0
    for block in block_lines(lines):
        number = int(block.attributes.get("block", 0))
        for sentence in block.sentences:
            for token in sentence:
                annotated["word"].append(token.columns[0])
                for place, name in places:
                    annotated[name].append(token.columns[place] if place < len(token.columns) else "")
                annotated["space_after"].append(token.space_after)
                annotated["sentence"].append(sentences)
                annotated["block"].append(number)
            sentences += 1
    return annotated


def block_lines(lines: bytes) -> Iterator[BlockLines]:
    """Yields the blocks of a document's lines (VerticalDocument, CorpusDocument). Structures inside are left out."""
    block: BlockLines | None = None
    sentence: list[Token] = []
    for line in lines.decode().split("\n"):
        if not line.startswith("<"):
            if block is not None and line:
                sentence.append(Token([unescape(column) for column in line.split("\t")]))
        elif line == "<g/>":
            if sentence:
                sentence[-1].space_after = False
            elif block is not None and block.sentences:
                block.sentences[-1][-1].space_after = False
        elif line.startswith(("<s>", "<s ", "</s>", "</p>")):
            if block is not None and sentence:
                block.sentences.append(sentence)
                sentence = []
            if line == "</p>" and block is not None:
                yield block
                block = None
        elif line.startswith(("<p ", "<p>")):
            block = BlockLines(attributes(line))

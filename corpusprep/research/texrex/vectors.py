"""Reads the feature vectors of texrex: 37 features of each block, and whether the block is boilerplate."""

import tarfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpusprep.errors import StageFileError

#: The features in the order of the vectors (Schäfer 2016, table 1), with what they are.
FEATURES: Mapping[str, str] = {
    "Length": "characters, up to 1,000, divided by 1,000",
    "PageProp": "characters of the block / characters of the page",
    "PercText": "distance of the block's middle from the middle of the page's text, 0 to 1",
    "PercDiv": "distance of the block's number from the middle of the page's blocks, 0 to 1",
    "DocMarkupProp": "characters of the page's text / characters of the page with its markup",
    "MarkupProp": "characters of markup / characters with markup, of the block",
    "PunctProp": "punctuation characters / characters",
    "LetterProp": "letters / characters without white space",
    "NumberProp": "number characters / characters without white space",
    "TagProp": "remains of tags in the text / characters without white space",
    "EmailProp": "e-mail addresses / characters without white space",
    "UriProp": "addresses of pages in the text / characters without white space",
    "HashProp": "hashtags / characters without white space",
    "YearProp": "numbers that look like a year from 2000 / characters without white space",
    "AnchorProp": "tags whose name starts with a / characters without white space",
    "UpperProp": "upper-case letters / letters",
    "SentBogus": "1 if no sentence ends in the block",
    "SentLength": "characters per sentence, up to 100, divided by 100",
    "SentCount": "sentences, up to 10, divided by 10",
    "Copy": "1 if it has the sign ©",
    "EndsPunct": "1 if it ends with the end of a sentence",
    "DtXhtml": "1 if the page declares XHTML",
    "DtHtml4": "1 if the page declares HTML 4",
    "DtHtml5": "1 if the page declares HTML 5",
    "ContArticle": "1 if the tag before it is that of an article",
    "ContSection": "1 if the tag before it is that of a section",
    "ContDiv": "1 if the tag before it is that of a div",
    "ContP": "1 if the tag before it is that of a paragraph",
    "ContH": "1 if the tag before it is that of a heading",
    "ContBlock": "1 if the tag before it is that of a blockquote",
    "ContTd": "1 if the tag before it is that of a table's cell",
    "ContLi": "1 if the tag before it is that of a list's item",
    "ContClose": "1 if the tag before it is an end tag",
    "OpenProp": "start tags / tags, of the block",
    "SkippedDivs": "empty blocks before it, up to 20, divided by 20",
    "Window1": "mean of MarkupProp over the block and one on each side",
    "Window2": "mean of MarkupProp over the block and two on each side",
}

#: Code -> language, in the order of the paper.
LANGUAGES: Mapping[str, str] = {"en": "English", "fr": "French", "de": "German", "sv": "Swedish"}


@dataclass(slots=True, frozen=True)
class Vectors:
    """The blocks of a language.

    Attributes:
        features: shape (blocks, 37).
        boilerplate: shape (blocks,): whether the block is boilerplate.
    """

    features: NDArray[np.float64]
    boilerplate: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.boilerplate)

    @property
    def baseline(self) -> float:
        """Share of the blocks that are boilerplate: what is right if all are called so (Schäfer 2016, table 2)."""
        return float(self.boilerplate.mean())


def joined(parts: Sequence[Vectors]) -> Vectors:
    """Returns the blocks of several languages as one set."""
    return Vectors(
        np.concatenate([part.features for part in parts]), np.concatenate([part.boilerplate for part in parts])
    )


#: Name of the data set, packed as <name>.tar.xz or unpacked in a folder <name>.
NAME = "texrex-blocks"


def stored(data: Path) -> Path | None:
    """Returns the unpacked or packed data set in the folder of evaluation data; None if it has neither."""
    return next((path for path in (data / NAME, data / f"{NAME}.tar.xz") if path.exists()), None)


def read(data: Path, language: str) -> Vectors:
    """Reads the blocks of a language, `boilerplate.<code>.dat`, from the folder of evaluation data.

    Raises:
        StageFileError: the data set or the file is missing or damaged.
    """
    found = stored(data)
    if found is None:
        raise StageFileError(f"{data / NAME}.tar.xz: no such file; the measurements need this data set")
    member = f"boilerplate.{language}.dat"
    try:
        if found.is_dir():
            return parse((found / member).read_bytes(), str(found / member))
        with tarfile.open(found) as archive:
            file = archive.extractfile(f"{NAME}/{member}")
            if file is None:
                raise KeyError(member)
            return parse(file.read(), f"{found}: {member}")
    except (FileNotFoundError, KeyError):
        raise StageFileError(f"{found}: has no file {member}") from None
    except (OSError, EOFError, tarfile.TarError) as error:
        raise StageFileError(f"{found}: cannot be read ({error})") from None


def parse(data: bytes, name: str) -> Vectors:
    """Reads training data of FANN: a line `N 37 1`, then for each block a line of features and a line with 1 or 0.

    Raises:
        StageFileError: the data is damaged or has another number of features; `name` says which.
    """
    try:
        numbers = data.decode("ascii").split()
        blocks, features, outputs = map(int, numbers[:3])
        values = np.array(numbers[3:], dtype=np.float64)
    except ValueError:
        raise StageFileError(f"{name}: not training data of FANN (a line N {len(FEATURES)} 1, then numbers)") from None
    if (features, outputs) != (len(FEATURES), 1) or len(values) != blocks * (features + 1):
        raise StageFileError(
            f"{name}: {blocks} blocks of {features} features and {outputs} outputs are announced, and there are "
            f"{len(values)} numbers; expected {len(FEATURES)} features and 1 output"
        )
    rows = values.reshape(blocks, features + 1)
    labels = rows[:, -1]
    if not np.isfinite(rows).all() or not np.isin(labels, (0, 1)).all() or len(np.unique(labels)) < 2:
        raise StageFileError(f"{name}: the labels must be 0 and 1, both of them, and the features finite numbers")
    return Vectors(np.ascontiguousarray(rows[:, :-1]), labels == 1)

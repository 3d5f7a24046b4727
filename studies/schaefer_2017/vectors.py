"""Reads the feature vectors of texrex: 37 features of each block, and whether the block is boilerplate."""

import tarfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpusprep.errors import StageFileError
from studies.schaefer_2017.perceptrons import FEATURES

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
    sets_of_vectors = stored(data)
    if sets_of_vectors is None:
        raise StageFileError(f"{data / NAME}.tar.xz: no such file; the measurements need this data set")
    member = f"boilerplate.{language}.dat"
    try:
        if sets_of_vectors.is_dir():
            return parse((sets_of_vectors / member).read_bytes(), str(sets_of_vectors / member))
        with tarfile.open(sets_of_vectors) as archive:
            file = archive.extractfile(f"{NAME}/{member}")
            if file is None:
                raise KeyError(member)
            return parse(file.read(), f"{sets_of_vectors}: {member}")
    except (FileNotFoundError, KeyError):
        raise StageFileError(f"{sets_of_vectors}: has no file {member}") from None
    except (OSError, EOFError, tarfile.TarError) as error:
        raise StageFileError(f"{sets_of_vectors}: cannot be read ({error})") from None


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

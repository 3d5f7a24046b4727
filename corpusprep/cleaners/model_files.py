"""The form of a model file of a learned cleaner or classifier: version, algorithm, a header of JSON, arrays, a digest.

A file has four parts: a line with the format and its version; a line of JSON with the algorithm, what the algorithm
says of its model, and the names and shapes of the arrays; the arrays, little-endian; the SHA-256 of everything before
it. The same model gives the same bytes.
"""

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpusprep.errors import ModelError
from corpusprep.io import named_files
from corpusprep.io.files import replacing
from corpusprep.io.home import at_home

#: Version of the file format and of the meaning of its numbers.
VERSION = 1
_MAGIC = b"corpusprep block model "
_DIGEST_BYTES = 32


def path_of(name: str) -> Path:
    """Returns the path of a model file, with `~` expanded."""
    return Path(at_home(name))


@dataclass(frozen=True, slots=True)
class ModelContent:
    """What a file holds.

    Attributes:
        header: the line of JSON.
        body: the arrays, one after the other.
    """

    header: Mapping[str, Any]
    body: bytes

    def arrays(self, types: Mapping[str, str]) -> dict[str, Any]:
        """Returns the arrays of these names and types (little-endian, as numpy writes them).

        Raises:
            ValueError, KeyError, TypeError: an array is missing, has another name, or does not fit into the file.
        """
        arrays: dict[str, Any] = {}
        start = 0
        for name, shape in self.header["arrays"]:
            dtype = np.dtype(types[str(name)])
            sizes = [int(size) for size in shape]
            count = math.prod(sizes)
            if min(sizes, default=0) < 0 or start + count * dtype.itemsize > len(self.body):
                raise ValueError(f"{name} does not fit into the file")
            array = np.frombuffer(self.body, dtype, count, start).reshape(sizes)
            arrays[str(name)] = np.ascontiguousarray(array.astype(dtype.newbyteorder("=")))
            start += count * dtype.itemsize
        if lacking := types.keys() - arrays.keys():
            raise ValueError(f"{min(lacking)} is missing")
        return arrays


def write(path: Path, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], types: Mapping[str, str]) -> None:
    """Writes a model file; it has a temporary name until it is complete. `header` names the algorithm."""
    described = {**header, "arrays": [[name, array.shape] for name, array in arrays.items()]}
    content = b"".join(
        [
            _MAGIC + b"%d\n" % VERSION,
            json.dumps(described, ensure_ascii=False, sort_keys=True).encode() + b"\n",
            *(array.astype(types[name]).tobytes() for name, array in arrays.items()),
        ]
    )
    with replacing(path) as temporary:
        temporary.write_bytes(content + hashlib.sha256(content).digest())


def read(path: Path, algorithm: str) -> ModelContent:
    """Reads a model file of an algorithm.

    Raises:
        ModelError: the file is missing or damaged, not a model of blocks, or made for another version or algorithm.
    """
    try:
        with named_files.open_file(path) as file:
            data = file.read(len(_MAGIC))
            data += file.read() if data == _MAGIC else b""
    except OSError as error:
        raise ModelError(f"{path}: cannot read the model ({error.strerror})") from None
    first, _, rest = data.partition(b"\n")
    if not first.startswith(_MAGIC):
        raise ModelError(f"{path}: not a model; {training(algorithm)} makes one")
    if first != _MAGIC + b"%d" % VERSION:
        version = first.removeprefix(_MAGIC).decode("ascii", "replace")[:20]
        raise ModelError(
            f"{path}: model of version {version}, but this corpusprep reads version {VERSION}; {again(algorithm)}"
        )
    if hashlib.sha256(data[:-_DIGEST_BYTES]).digest() != data[-_DIGEST_BYTES:]:
        raise ModelError(f"{path}: damaged model; {again(algorithm)}")
    line, _, body = rest[:-_DIGEST_BYTES].partition(b"\n")
    try:
        header = json.loads(line)
        made_for = str(header["algorithm"])
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise unusable(path, algorithm, error) from None
    if made_for != algorithm:
        raise ModelError(f"{path}: a model of the algorithm {made_for}, not of {algorithm}")
    return ModelContent(header, body)


def unusable(path: Path, algorithm: str, error: Exception) -> ModelError:
    """Returns the error for a file whose contents do not fit together."""
    return ModelError(f"{path}: unusable model ({error}); {again(algorithm)}")


def unmeasured(path: Path, algorithm: str, feature: str) -> ModelError:
    """Returns the error for a model that reads a feature which is not measured as when it was trained."""
    return ModelError(
        f"{path}: the model reads the feature {feature}, which this corpusprep does not measure as the one that"
        f" trained it did; {again(algorithm)}"
    )


def again(algorithm: str) -> str:
    """Returns what to do about a model that cannot be used."""
    return f"train it again: {training(algorithm)}"


def training(algorithm: str) -> str:
    """Returns the command that trains models of an algorithm."""
    return f"corpusprep {'studies texrex train' if algorithm == 'texrex' else f'train {algorithm}'}"

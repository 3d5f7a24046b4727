"""Gold sets behind one interface: pages, and what of each page is main content.

The data stays where it is: each set is read from its packed archive, `<data>/<name>.tar.xz`, or from the
folder that it unpacks to, `<data>/<name>/`.
"""

import hashlib
import tarfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from corpusprep import languages
from corpusprep.encoding import charsets, detection
from corpusprep.errors import CorpusprepError
from corpusprep.research.evaluation.text_nodes import TextNode


class GoldError(CorpusprepError):
    """A gold set's files are damaged, or not those that the set should have."""


@dataclass(slots=True)
class GoldPage:
    """A page with its gold standard.

    Attributes:
        name: what the set calls it.
        html: the page, decoded.
        site: pages of one site have the same; what a site shares is boilerplate.
        gold: the main content as text, by the name of the gold standard ("" where there is but one).
        nodes: every text node of the page with its annotation, where nodes are annotated.
        language: the code of its language.
    """

    name: str
    html: str
    site: str = ""
    gold: dict[str, str] = field(default_factory=dict)
    nodes: list[TextNode] | None = None
    language: str = "en"


@dataclass(slots=True)
class GoldSet:
    """A set of pages with gold standards.

    Attributes:
        name: what the command line calls it.
        title: what tables call it.
        pages: in the order of their names.
        markup: whether gold texts have segment markers (<p>, <h>, <l>), which scoring strips.
        cases: odd cases and how often each was met.
        data: SHA-256 of all the files that were read.
    """

    name: str
    title: str
    pages: list[GoldPage]
    markup: bool = False
    cases: Counter[str] = field(default_factory=Counter)
    data: str = ""


class Files:
    """The files of a set, from its packed archive or its folder; counts what is read into a hash."""

    def __init__(self, data: Path, name: str) -> None:
        """Opens `<data>/<name>/` or else `<data>/<name>.tar.xz`.

        Raises:
            GoldError: the archive is damaged.
        """
        self._contents: dict[str, bytes] = {}
        self._hash = hashlib.sha256()
        folder, archive = data / name, data / f"{name}.tar.xz"
        if folder.is_dir():
            self._contents = {
                path.relative_to(data).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
            }
            return
        try:
            with tarfile.open(archive) as packed:
                for member in packed:
                    content = packed.extractfile(member) if member.isfile() else None
                    if content:
                        self._contents[member.name] = content.read()
        except (tarfile.TarError, EOFError, OSError) as error:
            raise GoldError(f"{archive}: cannot be unpacked: {error}") from error

    def stems(self, folder: str) -> dict[str, str]:
        """The files right under a folder: name without its last extension -> path; ascending."""
        paths = (PurePosixPath(path) for path in sorted(self._contents))
        return {path.stem: str(path) for path in paths if str(path.parent) == folder}

    def names(self, folder: str) -> dict[str, str]:
        """The same by whole names."""
        paths = (PurePosixPath(path) for path in sorted(self._contents))
        return {path.name: str(path) for path in paths if str(path.parent) == folder}

    def read(self, path: str) -> bytes:
        """A file's content.

        Raises:
            GoldError: the set has no such file.
        """
        if path not in self._contents:
            raise GoldError(f"the gold set lacks its file {path}")
        content = self._contents[path]
        self._hash.update(path.encode() + hashlib.sha256(content).digest())
        return content

    @property
    def digest(self) -> str:
        """SHA-256 of the files read so far, with their paths, in the order of reading."""
        return self._hash.hexdigest()


def decode_page(data: bytes, cases: Counter[str], language: str = "en") -> str:
    """A page as the pipeline decodes it, by detection; counts those that are not UTF-8."""
    encoding, _ = detection.detect(data, languages.get(language))
    if encoding != "utf-8":
        cases["pages in another encoding than UTF-8"] += 1
    return charsets.decode(data, encoding)[0]


def decode_gold(data: bytes, cases: Counter[str]) -> str:
    """A gold text: UTF-8, or else windows-1252, which is counted."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        cases["gold texts in windows-1252"] += 1
        return charsets.decode(data, "windows-1252")[0]


#: A reader of a set: its data folder -> the set.
Reader = Callable[[Path], GoldSet]

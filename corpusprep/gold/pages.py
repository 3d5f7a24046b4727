"""One interface for all gold sets: pages with their main content.

Each set is read from its packed archive, `<data>/<name>.tar.xz`, or from the unpacked folder `<data>/<name>/`.
"""

import hashlib
import tarfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from corpusprep import languages
from corpusprep.encoding import charsets, detection
from corpusprep.errors import CorpusprepError
from corpusprep.gold.text_nodes import TextNode


class GoldError(CorpusprepError):
    """A gold set's files are damaged or are not the expected ones."""


@dataclass(slots=True)
class GoldPage:
    """A page with its gold standard.

    Attributes:
        name: name in the set.
        html: the decoded page.
        site: name of its site. Text that the pages of a site share is boilerplate.
        gold: the main content as text, by the name of the gold standard ("" if there is only one).
        nodes: every text node with its annotation; None if the set has no annotated nodes.
        language: language code; empty for a user's own page if it is not known.
        kind: kind of page (`article`, `forum`, `product` …); empty if the set does not say.
        comments: readers' comments, which `gold` may leave out; empty if there are none or they are not marked.
        wanted: snippets that are in the main content, in sets where most pages have no whole `gold` text.
        unwanted: snippets that are not in it.
        overlap: whether the page shares text with pages that are held out: it is left out of training.
        labels: number of a block -> share of annotators that called it main content, and its text, of a page whose
            blocks were judged in a sheet (sheets.py); other blocks are not known. None for other pages.
    """

    name: str
    html: str
    site: str = ""
    gold: dict[str, str] = field(default_factory=dict)
    nodes: list[TextNode] | None = None
    language: str = "en"
    kind: str = ""
    comments: str = ""
    wanted: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()
    overlap: bool = False
    labels: Mapping[int, tuple[float, str]] | None = None


@dataclass(slots=True)
class GoldSet:
    """A set of pages with gold standards.

    Attributes:
        name: name on the command line.
        title: name in tables.
        pages: ordered by name.
        markup: whether gold texts have segment markers (<p>, <h>, <l>), which scoring strips.
        cases: special cases and how often each occurred.
        data: SHA-256 of all files that were read and, from `sets.read`, of what counts in them.
    """

    name: str
    title: str
    pages: list[GoldPage]
    markup: bool = False
    cases: Counter[str] = field(default_factory=Counter)
    data: str = ""


def digest_of(gold_set: GoldSet) -> str:
    """Returns the SHA-256 of a set's files, and of the pages, gold texts and text nodes that count.

    So scores on other pages or other nodes of the same files are not compared.
    """
    digest = hashlib.sha256(gold_set.data.encode())
    for page in gold_set.pages:
        nodes = [(node.label, node.characters) for node in page.nodes or () if not node.in_select]
        counted = (page.name, page.site, page.language, sorted(page.gold.items()), nodes)
        digest.update(repr(counted).encode("utf-8", "surrogatepass"))
        if page.wanted or page.unwanted:
            digest.update(repr((page.wanted, page.unwanted)).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


class Files:
    """The files of a set, from its packed archive or its folder; hashes all files that are read."""

    def __init__(self, data: Path, name: str) -> None:
        """Opens `<data>/<name>/` or else `<data>/<name>.tar.xz`.

        Raises:
            GoldError: the archive is damaged.
        """
        self._contents: dict[str, bytes] = {}
        self._hash = hashlib.sha256()
        folder, archive = data / name, data / f"{name}.tar.xz"
        if folder.is_dir():
            self._contents = {path.relative_to(data).as_posix(): path.read_bytes() for path in _files(folder)}
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
        """Returns the files directly in a folder: name without its last extension -> path; ascending."""
        paths = (PurePosixPath(path) for path in sorted(self._contents))
        return {path.stem: str(path) for path in paths if str(path.parent) == folder}

    def names(self, folder: str) -> dict[str, str]:
        """Returns the same by whole names."""
        paths = (PurePosixPath(path) for path in sorted(self._contents))
        return {path.name: str(path) for path in paths if str(path.parent) == folder}

    def read(self, path: str) -> bytes:
        """Returns a file's content.

        Raises:
            GoldError: the set has no such file.
        """
        content = self.look_up(path)
        self._hash.update(path.encode() + hashlib.sha256(content).digest())
        return content

    def look_up(self, path: str) -> bytes:
        """Returns a file's content without adding it to the digest: a file that no score depends on.

        Raises:
            GoldError: the set has no such file.
        """
        if path not in self._contents:
            raise GoldError(f"the gold set has no file {path}; unpack or download it again")
        return self._contents[path]

    @property
    def digest(self) -> str:
        """SHA-256 of the files read so far, with their paths, in the order of reading."""
        return self._hash.hexdigest()


def _files(folder: Path, above: tuple[Path, ...] = ()) -> Iterator[Path]:
    """Yields the files in a folder and in those below it; follows links, except to a folder that has them in it."""
    real = folder.resolve()
    if any(real_folder.is_relative_to(real) for real_folder in above):
        return
    for path in folder.iterdir():
        if path.is_dir():
            yield from _files(path, (*above, real))
        elif path.is_file():
            yield path


def decode_page(data: bytes, cases: Counter[str], language: str = "en") -> str:
    """Decodes a page as the pipeline does, with the encoding detected for its language; "": the language is not known.

    Counts pages that are not UTF-8, and bytes that do not belong to the encoding.
    """
    encoding = detection.detect(data, languages.get(language))[0] if language else detection.detect_any(data)
    if encoding != "utf-8":
        cases["pages in another encoding than UTF-8"] += 1
    text, undecodable = charsets.decode(data, encoding)
    cases["undecodable sequences of bytes in pages, replaced"] += undecodable
    return text


def count_unpaired(pages: Mapping[str, str], golds: Mapping[str, str], cases: Counter[str]) -> None:
    """Counts the pages without a gold text, and the gold texts without a page; both are left out."""
    cases["pages without a gold text, left out"] += len(pages.keys() - golds.keys())
    cases["gold texts without a page, left out"] += len(golds.keys() - pages.keys())


def decode_gold(data: bytes, cases: Counter[str]) -> str:
    """Decodes a gold text as UTF-8, or else as windows-1252, which is counted."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        cases["gold texts in windows-1252"] += 1
        return charsets.decode(data, "windows-1252")[0]


#: A reader of a set: its data folder -> the set.
Reader = Callable[[Path], GoldSet]

"""Makes the word lists of languages that `wordfreq` does not have: config/languages/words/<code>.tsv.

The words are counted in translations of free programs, as Debian packs them (LibreOffice and Firefox, MPL-2.0, and
where these have little or nothing, MediaWiki, GPL-2.0-or-later), in the Universal Declaration of Human Rights, and in
sentences of the Wortschatz Leipzig (CC BY 4.0). Of the declaration in a language without sentences, one half is left
for measurements. Translations alone have too many words such as `file`, so each kind of text has a weight of its own,
whatever its size.
"""

import functools
import gettext
import io
import json
import re
import subprocess
import tarfile
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import click

from corpusprep.errors import ArchiveError
from corpusprep.languages import calibrating, labelled_texts
from corpusprep.languages.frequencies import divider, has_letter, words_of

#: Kinds of packages, and what they are.
_PACKAGES = ("libreoffice-l10n", "firefox-esr-l10n")
#: A package with translations into hundreds of languages, one file per language and part.
_INTERFACE = "mediawiki"
#: Words of a list at most, and the fewest uses of each per million words.
MOST_WORDS, LEAST_SHARE = 4_000, 20
#: Weights of translations, of the declaration and of sentences.
_WEIGHTS = (2, 1, 2)
#: Two of these in a message: it has not been translated.
_ENGLISH = frozenset({"the", "of", "and", "with", "that", "this", "you", "your", "are"})
#: Shorter strings are names of commands, not sentences; in scripts without spaces, 12 characters stand for a word.
_LEAST_WORDS = 4
#: Tags, placeholders, entities, keys for menus and addresses in messages.
_NO_TEXT = re.compile(r"<[^>]*>|\{[^}]*\}|%\d*\$?[\w()]+%?|\$\(?\w+\)?|&\w+;|https?://\S+|[~_]")
#: Templates, targets of links and marks in messages of MediaWiki.
_WIKI = re.compile(r"\{\{[^}|]*\|?|\[\[[^\]|]*\||[\[\]{}|]+|'{2,}|#\w+")
#: Languages that are written without spaces.
_UNSPACED = frozenset({"th", "lo", "km", "my"})


@dataclass(frozen=True, slots=True)
class Source:
    """Where the words of a language come from.

    Attributes:
        packages: ends of the names of Debian's packages.
        declarations: translations of the Universal Declaration of Human Rights, by the names of their files.
        sentences: whether there are sentences of the Wortschatz Leipzig.
        interface: the code that MediaWiki has for it, if its translation is used.
    """

    packages: tuple[str, ...] = ()
    declarations: tuple[str, ...] = ()
    sentences: bool = False
    interface: str = ""


def training_sentences(folder: Path, code: str) -> list[str]:
    """Returns the sentences of a language that its word list is made of: three quarters of the half for setting."""
    path = folder / "lingua-split" / "dev" / f"{code}.txt"
    lines = calibrating.lines_of(path, calibrating.SETTING) if path.is_file() else []
    return [line for line in lines if calibrating.is_for_words(line)]


def translations(package: Path, english: frozenset[str] = frozenset()) -> Iterator[str]:
    """Yields the sentences of a package with translations, each once; those that are still English are left out.

    Raises:
        ArchiveError: the package cannot be read.
    """
    messages_of = (_messages(name, content) for name, content in _files(package))
    return _translated((message for messages in messages_of for message in messages), english)


def _messages(name: str, content: bytes) -> Iterator[str]:
    """Yields the messages of a file of a package."""
    if name.endswith(".mo"):
        catalog = gettext.GNUTranslations(io.BytesIO(content))._catalog  # type: ignore[attr-defined]
        yield from (text for key, text in catalog.items() if text != _source(key))
    elif name.endswith(".xpi"):
        yield from _extension(content)


def interface(packages: Path, code: str) -> Iterator[str]:
    """Yields the sentences of a translation of MediaWiki, each once; those that are still English are left out.

    Raises:
        ArchiveError: the package is missing or damaged.
    """
    texts = _interface(packages)
    english = texts["en"]
    messages = (text for key, text in texts.get(code, {}).items() if text != english.get(key))
    return _translated((_WIKI.sub(" ", message) for message in messages), frozenset())


@functools.cache
def _interface(packages: Path) -> Mapping[str, Mapping[tuple[str, str], str]]:
    """Returns the messages of MediaWiki in English and in the languages that use them, by folder and key."""
    wanted = {"en", *(source.interface for source in SOURCES.values())}
    texts: dict[str, dict[tuple[str, str], str]] = {code: {} for code in wanted}
    for name, content in _files(package_of(packages, _INTERFACE)):
        folder, _, file = name.rpartition("/")
        code = file.removesuffix(".json")
        if folder.endswith("i18n") and file.endswith(".json") and code in wanted:
            messages = json.loads(content).items()
            texts[code] |= {(folder, key): text for key, text in messages if isinstance(text, str)}
    return texts


def package_of(packages: Path, name: str) -> Path:
    """Returns the file of a package.

    Raises:
        ArchiveError: it is missing.
    """
    paths = sorted(packages.glob(f"{name}_*.deb"))
    if not paths:
        raise ArchiveError(f"{packages}: no package {name}; get it: apt-get download {name}")
    return paths[0]


def _translated(messages: Iterable[str], english: frozenset[str]) -> Iterator[str]:
    """Yields the sentences among messages, each once, without those that are still English."""
    seen = set(english)
    for message in messages:
        text = " ".join(_NO_TEXT.sub(" ", message).split())
        words = text.split()
        long = max(len(words), len(text) // 12) >= _LEAST_WORDS
        if long and text not in seen and len(_ENGLISH.intersection(words)) < 2:
            seen.add(text)
            yield text


def _files(package: Path) -> Iterator[tuple[str, bytes]]:
    """Yields the names and contents of the files of a package of Debian."""
    try:
        unpacking = subprocess.run(["dpkg-deb", "--fsys-tarfile", package], capture_output=True, check=False)
    except OSError as error:
        raise ArchiveError(f"{package}: cannot be unpacked: {error}") from None
    if unpacking.returncode:
        raise ArchiveError(f"{package}: cannot be unpacked: {unpacking.stderr.decode(errors='replace').strip()}")
    with tarfile.open(fileobj=io.BytesIO(unpacking.stdout)) as archive:
        for member in archive:
            if member.isfile() and (stream := archive.extractfile(member)) is not None:
                yield member.name, stream.read()


def _source(key: object) -> str:
    """Returns the English text of a message; its context stands before it."""
    text = key[0] if isinstance(key, tuple) else key
    return str(text).rpartition("\x04")[2]


def _extension(content: bytes) -> Iterator[str]:
    """Yields the messages of a language pack: Fluent's files and properties."""
    with zipfile.ZipFile(io.BytesIO(content)) as pack:
        for name in sorted(pack.namelist()):
            if not name.endswith((".ftl", ".properties")):
                continue
            message = ""
            for line in pack.read(name).decode("utf-8", "replace").split("\n"):
                if line.startswith("#"):
                    continue
                if line[:1] in " \t":
                    text = line.strip()
                    if re.match(r"\.[\w-]+ =|\*?\[", text):  # an attribute or a variant begins
                        yield message
                        text = re.sub(r"^\.[\w-]+ =|^\*?\[[^\]]*\]", "", text)
                        message = ""
                    message += f" {text}"
                else:
                    yield message
                    message = line.partition("=")[2]
            yield message


def shares(texts: Iterable[str], code: str) -> tuple[Mapping[str, float], int]:
    """Returns the shares of the words of texts, and the number of running words."""
    divide: Callable[[str], list[str]] = divider(code) if code in _UNSPACED else words_of
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(word for word in divide(text) if has_letter(word))
    total = counts.total()
    return {word: count / total for word, count in counts.items()}, total


#: Languages, by their codes. Ends of names of packages are those of Debian 12.
SOURCES = {
    code: Source(
        tuple(filter(None, packages.split(","))),
        tuple(filter(None, declarations.split(","))),
        "s" in sentences,
        "".join(wiki),
    )
    for code, packages, declarations, sentences, *wiki in (
        line.split("|")
        for line in (  # code|packages|declarations|s: sentences|code of MediaWiki
            "af|af|afr|s am|am|amh|s an|an||- as|as||- ast|ast|ast|- az|az|azj_latn|s be|be|bel|s br|br|bre|- "
            "ceb||ceb|-|ceb cy|cy|cym|s dsb|dsb||- eo|eo|epo|s et|et|est|s eu|eu|eus|s fo||fao|-|fo fur|fur|fur|- "
            "fy|fy-nl|fri|- ga|ga,ga-ie|gle|s gd|gd|gla|- gl|gl|glg|-|gl gn|gug,gn|gug|- gu|gu,gu-in|guj|s "
            "hil||hil|-|hil hsb|hsb|hsb|- hy|hy-am|hye|s ia|ia||- ilo||ilo|-|ilo jv||jav|-|jv ka|ka|kat|s kab|kab||- "
            "kk|kk|kaz|s km|km|khm|- kn|kn|kan|- ku|kmr||- ky||kir|-|ky la||lat|s lb||ltz|-|lb lg||lug|s "
            "lij|lij|lij|- lo|lo|lao|-|lo mg||plt|-|mg mi||mri|s ml|ml|mal|- mn|mn|khk|s mr|mr|mar|s mt||mlt|-|mt "
            "my|my|mya|- nds||nds|-|nds ne|ne,ne-np|nep|- nn|nn,nn-no|nno|s nso|nso|nso|- oc|oc|oci_1|- om|om||s "
            "or|or||- pa|pa-in|pan|s rm|rm|roh_rumgr|- rw|rw|kin|- sc|sc|src|- si|si|sin|- sn||sna|s so||som|s "
            "sq|sq|als|s ss|ss|ssw|- st|st|sot|s su||sun|-|su sw||swh|s|sw szl|szl||- te|te|tel|s tg|tg|tgk|- "
            "th|th|tha|s ti||tir|s tk||tuk_latn|-|tk tn|tn|tsn|s ts|ts|tso_ZW|s tt||tat|-|tt-cyrl ug|ug|uig_arab|- "
            "uz|uz|uzn_latn|- ve|ve|ven|- xh|xh|xho|s yo||yor|s zu|zu|zul|s"
        ).split()
    )
}


def word_list(code: str, source: Source, packages: Path, data: Path) -> str:
    """Returns the word list of a language: its sources, then words with their uses per million.

    Args:
        code: code of the language.
        source: where its words come from.
        packages: folder of Debian's packages (`apt-get download libreoffice-l10n-et …`).
        data: the unpacked set `langid-dev`.

    Raises:
        ArchiveError: a package is missing or damaged.
    """
    kinds: list[tuple[int, str, Mapping[str, float], int]] = []
    texts: Iterator[str]
    files = [
        path
        for kind in _PACKAGES
        for end in source.packages
        for path in sorted(packages.glob(f"{kind}-{end}_*.deb"))[:1]
    ]
    if files:
        texts = (text for path in files for text in translations(path, _english(packages)))
        names = ", ".join("_".join(path.name.replace("%3a", ":").split("_")[:2]) for path in files)
        kinds.append((_WEIGHTS[0], f"{names} (MPL-2.0)", *shares(texts, code)))
    if source.interface:
        name = package_of(packages, _INTERFACE).name.replace("%3a", ":").rpartition("_")[0]
        texts = interface(packages, source.interface)
        kinds.append((_WEIGHTS[0], f"{name} (GPL-2.0-or-later)", *shares(texts, code)))
    if source.declarations:
        paths = (data / "udhr" / "txt" / f"{name}.txt" for name in source.declarations)
        half = None if source.sentences else calibrating.SETTING
        texts = (line for path in paths for line in calibrating.lines_of(path, half))
        name = f"{'' if half is None else 'half of '}the Universal Declaration of Human Rights"
        kinds.append((_WEIGHTS[1], name, *shares(texts, code)))
    if source.sentences:
        kinds.append(
            (
                _WEIGHTS[2],
                "sentences of the Wortschatz Leipzig (CC BY 4.0)",
                *shares(training_sentences(data, code), code),
            )
        )
    mixed: dict[str, float] = {}
    all_weights = sum(weight for weight, *_ in kinds)
    for weight, _, words, _ in kinds:
        for word, share in words.items():
            mixed[word] = mixed.get(word, 0.0) + share * 1e6 * weight / all_weights
    rows = [(word, round(share)) for word, share in mixed.items() if share >= LEAST_SHARE]
    rows.sort(key=lambda row: (-row[1], row[0]))
    total = sum(running for *_, running in kinds)
    lines = [f"# {total} words: {'; '.join(f'{running} of {name}' for _, name, _, running in kinds)}"]
    return "\n".join([*lines, *(f"{word}\t{share}" for word, share in rows[:MOST_WORDS]), ""])


@functools.cache
def _english(packages: Path) -> frozenset[str]:
    """Returns the messages of the English language pack."""
    paths = sorted(packages.glob("firefox-esr-l10n-en-gb_*.deb"))[:1]
    return frozenset(text for path in paths for text in translations(path))


@click.command()
@click.option("--data", required=True, type=click.Path(path_type=Path), help="Folder of the evaluation data.")
@click.option("--packages", required=True, type=click.Path(path_type=Path), help="Folder of Debian's packages.")
@click.option("--output", required=True, type=click.Path(path_type=Path), help="Folder of the word lists.")
def main(data: Path, packages: Path, output: Path) -> None:
    """Make the word lists of all languages that `wordfreq` does not have."""
    with labelled_texts.unpacked(data, "langid-dev") as (folder, _):
        for code, source in SOURCES.items():
            (output / f"{code}.tsv").write_text(word_list(code, source, packages, folder), encoding="utf-8")


if __name__ == "__main__":
    main()

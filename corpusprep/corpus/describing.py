"""Writes the formats that describe a whole corpus: registry, script, data card, frequency list."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from corpusprep import languages, pipeline
from corpusprep.archive.batches import batch_names
from corpusprep.corpus.documents import NONE, Additions, own_attributes
from corpusprep.corpus.formats import corpus_formats
from corpusprep.corpus.formats.interface import FinishedCorpus
from corpusprep.errors import ConfigError
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles, corpus_file
from corpusprep.tables.crawl_files import corpus_name, refuse_crawl
from corpusprep.tables.reading import read_table


def finished_corpus(
    corpus_dir: Path,
    formats: Sequence[str],
    *,
    language: str = "",
    settings: Mapping[str, Any] | None = None,
    licence: str = "",
    citation: str = "",
    additions: Additions = NONE,
) -> FinishedCorpus:
    """Returns what formats are told of a corpus.

    Args:
        corpus_dir: the corpus's folder, with what the stages have written.
        formats: names of the formats that it is written in.
        language: code of its language, or the path of its model.
        settings: the settings that it was made with, by section.
        licence: of the corpus.
        citation: how it is to be cited.
        additions: of the corpus.
    """
    refuse_crawl(corpus_dir)
    is_path = languages.is_path(language)
    code = languages.get(language).code if is_path else language
    known = code in languages.known()
    batches = batch_names(corpus_file(corpus_dir, "plan"))
    return FinishedCorpus(
        name=corpus_name(corpus_dir),
        verticals=_verticals(corpus_dir, batches),
        statistics=corpus_file(corpus_dir, pipeline.TABLES[0]).parent,
        formats=tuple(formats),
        block_attributes=additions.attributes,
        columns=additions.columns,
        document_attributes=_own_attributes(corpus_dir, batches),
        settings=_portable(settings or {}),
        language=code,
        language_name=languages.describe(code).name if known else "",
        model=language if is_path or known else "",
        licence=licence,
        citation=citation,
    )


def _verticals(corpus_dir: Path, batches: Sequence[str]) -> list[Path]:
    """Returns the verticals of the batches; or the exported ones, where the batches' files are removed."""
    of_batches = [BatchFiles.of(corpus_dir, batch).corpus_vertical for batch in batches]
    exported = sorted((corpus_dir / "export").glob("*.vert.zst"))
    return exported if exported and not any(path.exists() for path in of_batches) else of_batches


def _own_attributes(corpus_dir: Path, batches: Sequence[str]) -> list[str]:
    """Returns the attributes of documents that are own fields of text inputs, in the order of their names."""
    names: set[str] = set()
    for batch in batches:
        path = BatchFiles.of(corpus_dir, batch).pages
        if path.exists():
            for meta in read_table(path, schemas.PAGES, ["meta"])["meta"].drop_nulls().unique():
                names.update(own_attributes(meta))
    return sorted(names)


def describe(corpus: FinishedCorpus, folder: Path, code: Path = Path()) -> list[Path]:
    """Writes the formats that describe a corpus to a folder; returns the paths of the files.

    Formats of a user's own are looked for in the folder `code`.

    Raises:
        ConfigError: no format describes the corpus, or a file of the user's own has the name of one of the files.
        StageFileError: a vertical or a table of the statistics is missing or damaged.
    """
    chosen = list(corpus_formats(sorted(set(corpus.formats)), code).values())
    if not chosen:
        raise ConfigError(f"no format to describe a corpus is given; choose of {', '.join(corpus_formats())}")
    for form in chosen:
        for path in form.paths(folder):
            if path.exists() and not form.is_made(path):
                raise ConfigError(
                    f"{path}: exists, and corpusprep has not written it; choose another folder, or rename it"
                )
    written: list[Path] = []
    for form in chosen:
        paths = form.paths(folder)
        form.write(corpus, paths)
        written += paths
    return written


def _portable(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Returns settings without folders of this machine: what is written does not depend on where it is made."""
    portable = {
        name: {key: value for key, value in section.items() if key != "code"} if isinstance(section, dict) else section
        for name, section in settings.items()
    }
    if path := portable.get("corpus", {}).get("count_tokens"):
        portable["corpus"]["count_tokens"] = Path(path).name
    for key in ("model", "word_lists"):
        if path := portable.get("filter", {}).get(key):
            portable["filter"][key] = Path(path).name
    if "personal" in portable:
        portable["personal"].pop("key", None)
    return portable

"""Checks what the schema of the config cannot: names, folders, languages, archives, and corpora that need others."""

import codecs
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from corpusprep import languages
from corpusprep.archive.labels import NAMES
from corpusprep.config import schema as config_schema
from corpusprep.config.places import CheckedCorpus, Places, refuse_braces, refuse_missing
from corpusprep.config.section_checks import CHECKS
from corpusprep.errors import ConfigError, CorpusprepError, LanguageError, Mistakes

#: The most bytes of the archives that stand in the config itself; they are options of `corpusprep step batches`. Linux
#: has a quarter of the stack, mostly 2 MB, for a command line with its environment and two pointers per option.
MOST_PATTERN_BYTES = 1_000_000
_BYTES_PER_PATTERN = len("--archive") + 2 + 2 * 8
#: The most characters of the name of a corpus. Temporary files have 60 more, and a name of a file has 255 at most.
MOST_NAME = 100
#: What Snakemake takes for a rule that makes its own input, again and again (snakemake.io.PeriodicityDetector).
_REPEATED = re.compile(r"(.+)\1{19}\Z")


def check(config: Mapping[str, Any], corpora: Mapping[str, CheckedCorpus], mistakes: Mistakes) -> None:
    """Checks a config that keeps to the schema, without looking at the archives. Notes what is wrong, by its key."""
    made = config.get("languages", {})
    for code, settings in made.items():
        with mistakes.noted():
            _check_sample(f"config: languages.{code}", settings)
    data = config.get("evaluation", {}).get("data")
    if data is not None:
        with mistakes.noted():
            refuse_missing(f"config: evaluation.data is {data!r}", data, "folder")
    for name, corpus in corpora.items():
        place = Places(config, name)
        with mistakes.noted():
            _check_language(corpus, place, made)
        with mistakes.noted():
            _check_against(name, corpora, config, place)
        for checked in (_check_archives, _check_sources, *CHECKS):
            with mistakes.noted():
                checked(corpus, place)
    with mistakes.noted():
        _check_folders(config, corpora)


def _check_folders(config: Mapping[str, Any], corpora: Mapping[str, CheckedCorpus]) -> None:
    """Checks that each corpus can have a folder of its own."""
    folders = {Path(os.path.abspath(corpus.folder)): name for name, corpus in corpora.items()}  # noqa: PTH100
    results = Path(os.path.abspath(config.get("results", config_schema.default("results"))))  # noqa: PTH100
    for folder, name in folders.items():
        _check_name(name)
        if folder == results:
            raise ConfigError(
                f"config: the folder of corpora.{name} ({folder}) is the folder of all results; choose other results"
            )
        if outer := next((folders[parent] for parent in folder.parents if parent in folders), None):
            raise ConfigError(
                f"config: the folder of corpora.{name} ({folder}) is inside that of {outer}; choose other results"
            )


def _check_name(name: str) -> None:
    """Checks that files and folders can have the name of a corpus, and that Snakemake takes it as part of a path."""
    bare = name.partition("/")[0]  # of a crawl
    if len(bare) > MOST_NAME:
        raise ConfigError(f"config: corpora.{bare}: the name has {len(bare)} characters; allowed: at most {MOST_NAME}")
    if _REPEATED.search(name):
        raise ConfigError(
            f"config: corpora.{bare}: the name ends with a part that stands there 20 times, which Snakemake refuses;"
            " choose another"
        )


def _check_archives(corpus: CheckedCorpus, place: Places) -> None:
    """Checks that the archives fit a command line."""
    size = sum(len(os.fsencode(pattern)) + _BYTES_PER_PATTERN for pattern in corpus.archives)
    if size > MOST_PATTERN_BYTES:
        raise ConfigError(
            f"{place('archives')}: {len(corpus.archives):,} entries are too long for a command line; write them into a"
            " file, one per line, and give it as @file, or name their folder or a pattern"
        )


def _check_sources(corpus: CheckedCorpus, place: Places) -> None:
    """Checks that what decides about the pages of a corpus that is made from finished ones looks at one batch."""
    if not corpus.sources:
        return
    whole = "looks at all archives, so a corpus cannot be made from finished ones (from); "
    for section, name in (("templates", "find"), ("rights", "robots_agent")):
        if (value := corpus.sections[section][name]) not in ("", "none"):
            raise ConfigError(f"{place(section, name)} is {value!r}: it {whole}leave it out, or give archives")
    if "learn_pages" in corpus.sections["language"]:
        raise ConfigError(
            f"{place.language} is {corpus.language}, which has no model: learning one {whole}give archives"
        )


def _check_against(name: str, corpora: Mapping[str, CheckedCorpus], config: Mapping[str, Any], place: Places) -> None:
    """Checks that other corpora are there or built before, and that none is a crawl, whose languages its run finds."""
    wrong = []
    for other in corpora[name].sections["blocks"]["against"]:
        if "/" in other and other in corpora:
            wrong.append("a language of a crawl can only be given as a folder of results")
        elif other not in corpora and other in config.get("corpora", {}):
            wrong.append(
                f"{other} is a crawl of several languages; give the folder of the results of one of them, when it is"
                " built"
            )
        elif other not in corpora:
            from corpusprep.dedup import known_text  # with polars, which a config without such a setting does without

            try:
                known_text.files_of([other])
            except CorpusprepError as error:
                wrong.append(f"{other!r} is no corpus of this config, and {error}")
    circle = {other for other in _awaited(name, corpora) if name in _awaited(other, corpora)}
    if circle and name == min(circle):
        others = "".join(f"{other}, and so for " for other in sorted(circle - {name}))
        wrong.append(f"{name} would wait for {others}itself")
    if wrong:
        raise ConfigError("\n".join(f"{place('blocks', 'against')}: {line}" for line in wrong))


def _awaited(name: str, corpora: Mapping[str, CheckedCorpus]) -> set[str]:
    """Returns the corpora that are built before another one, by the setting blocks.against."""
    awaited, waiting = set[str](), [name]
    while waiting:
        new = {other for other in corpora[waiting.pop()].sections["blocks"]["against"] if other in corpora} - awaited
        awaited |= new
        waiting += new
    return awaited


def check_results(results: str) -> None:
    """Checks that a folder is there, or can be made, and can be written to. Leaves nothing behind.

    Raises:
        ConfigError: it cannot.
    """
    folder = Path(results)
    if os.path.normpath(results) in (os.curdir, os.sep):
        raise ConfigError(f"config: results is {results!r}: must be a folder of its own, such as results")
    try:
        there = folder
        while not os.path.lexists(there):
            there = there.parent
        if not there.is_dir():
            raise ConfigError(f"config: results is {results!r}: {there} is not a folder; choose another")
        if not os.access(there, os.W_OK | os.X_OK):
            raise ConfigError(f"config: results is {results!r}: no permission to write to {there}")
        if there != folder:  # some file systems refuse new folders whatever the permissions say
            trial = there / folder.relative_to(there).parts[0]
            trial.mkdir()
            trial.rmdir()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ConfigError(f"config: results is {results!r}: cannot be made: {reason}") from None


def _check_sample(place: str, settings: Mapping[str, Any]) -> None:
    for key in ("text", "html"):
        refuse_braces(f"{place}.{key}", settings.get(key, ()))
        for path in settings.get(key, ()):
            refuse_missing(f"{place}.{key}: {path}", path, "file")
    encoding = settings.get("sample_encoding")
    if encoding is not None:
        try:
            codecs.lookup(encoding)
        except (LookupError, ValueError):
            raise ConfigError(f"{place}.sample_encoding is {encoding!r}: not an encoding that Python knows") from None
    if unknown := [name for name in settings.get("encodings", ()) if name.strip().lower() not in NAMES]:
        raise ConfigError(f"{place}.encodings: {unknown[0]!r} is not an encoding of the Web, such as windows-1250")


def _check_language(corpus: CheckedCorpus, place: Places, made: Mapping[str, Any]) -> None:
    refuse_braces(place.language, [corpus.language])
    refuse_braces(place("language", "rivals"), corpus.sections["language"].get("rivals", ()))
    try:
        filtered = corpus.sections["language"].get("tag") and languages.lacks_model(corpus.language)
        if corpus.language not in made and not filtered:
            languages.check(corpus.language)
    except LanguageError as error:
        raise ConfigError(f"{place.language}: {error}") from None
    for rival in corpus.sections["language"].get("rivals", ()):
        try:
            if rival not in made:
                languages.describe(rival)
        except LanguageError as error:
            raise ConfigError(f"{place('language', 'rivals')}: {error}") from None

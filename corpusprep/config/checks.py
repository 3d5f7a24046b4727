"""Checks what the schema of the config cannot: settings that contradict each other, and what they name."""

import codecs
import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

from corpusprep import languages
from corpusprep.annotation import settings as annotation
from corpusprep.archive.html_files import Addresses
from corpusprep.archive.labels import NAMES
from corpusprep.cleaners import model_files, registry
from corpusprep.config import schema as config_schema
from corpusprep.encoding.selection import Selection
from corpusprep.errors import ConfigError, CorpusprepError, LanguageError, Mistakes, ModelError
from corpusprep.io.entries import files
from corpusprep.io.sizes import parse_size
from corpusprep.languages.descriptions import find
from corpusprep.personal.replacing import read_key
from corpusprep.text.listed_words import read_words
from corpusprep.text.subwords import SubwordTokenizer
from corpusprep.text.word_dividers import divider_of

#: Bytes that a process of the global steps takes for the smallest corpus: libraries above all. Measured on the sample:
#: 231 MB for `documents`, 237 MB for `blocks`.
LEAST_MEMORY = 250_000_000
#: The most bytes of the hosts and addresses that stand in the config itself; they go to the jobs as options.
MOST_LISTED = 32_000
#: The most bytes of the archives that stand in the config itself; they are options of `corpusprep step batches`. Linux
#: has a quarter of the stack, mostly 2 MB, for a command line with its environment and two pointers per option.
MOST_PATTERN_BYTES = 1_000_000
_BYTES_PER_PATTERN = len("--archive") + 2 + 2 * 8
#: The most characters of the name of a corpus. Temporary files have 60 more, and a name of a file has 255 at most.
MOST_NAME = 100
#: What Snakemake takes for a rule that makes its own input, again and again (snakemake.io.PeriodicityDetector).
_REPEATED = re.compile(r"(.+)\1{19}\Z")


class CheckedCorpus(Protocol):
    """What is checked of the settings of a corpus (config.CorpusSettings)."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def archives(self) -> Sequence[str]:
        """Paths and patterns."""

    @property
    def sources(self) -> Sequence[str]:
        """Folders of finished corpora that it is made from."""

    @property
    def language(self) -> str:
        """Code or path."""

    @property
    def folder(self) -> str:
        """Where its files go."""

    @property
    def memory(self) -> int | str:
        """Of a process of the global steps."""

    @property
    def forget(self) -> str:
        """The path of a list; empty without one."""

    @property
    def sections(self) -> Mapping[str, Mapping[str, Any]]:
        """The settings of stages."""


def check(config: Mapping[str, Any], corpora: Mapping[str, CheckedCorpus], mistakes: Mistakes) -> None:
    """Checks a config that keeps to the schema, without looking at the archives. Notes what is wrong, by its key."""
    made = config.get("languages", {})
    for code, settings in made.items():
        with mistakes.noted():
            _check_sample(f"config: languages.{code}", settings)
    data = config.get("evaluation", {}).get("data")
    if data is not None:
        with mistakes.noted():
            _refuse_missing(f"config: evaluation.data is {data!r}", data, "folder")
    for name, corpus in corpora.items():
        place = _Places(config, name)
        with mistakes.noted():
            _check_language(corpus, place, made)
        with mistakes.noted():
            _check_against(name, corpora, config, place)
        for checked in (
            _check_archives,
            _check_sources,
            _check_order,
            _check_blocks,
            _check_filter,
            _check_personal,
            _check_memory,
            _check_means,
            _check_words,
            _check_forget,
            _check_templates,
            _check_rights,
            _check_annotation,
            _check_lists,
            _check_files,
        ):
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


def _check_archives(corpus: CheckedCorpus, place: "_Places") -> None:
    """Checks that the archives fit a command line."""
    size = sum(len(os.fsencode(pattern)) + _BYTES_PER_PATTERN for pattern in corpus.archives)
    if size > MOST_PATTERN_BYTES:
        raise ConfigError(
            f"{place('archives')}: {len(corpus.archives):,} entries are too long for a command line; write them into a"
            " file, one per line, and give it as @file, or name their folder or a pattern"
        )


def _check_sources(corpus: CheckedCorpus, place: "_Places") -> None:
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


def _check_against(
    name: str, corpora: Mapping[str, CheckedCorpus], config: Mapping[str, Any], place: "_Places"
) -> None:
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


def _check_forget(corpus: CheckedCorpus, place: "_Places") -> None:
    """Reads the list of what is forgotten."""
    if corpus.forget:
        from corpusprep.dedup.forgetting import ForgetList  # with polars, which a config without a list does without

        try:
            ForgetList.read(Path(corpus.forget))
        except ConfigError as error:
            raise ConfigError(f"{place('forget')}: {error}") from None


def _check_templates(corpus: CheckedCorpus, place: "_Places") -> None:
    """Checks that the blocks of the algorithm are those that are counted."""
    algorithm = corpus.sections["boilerplate"]["algorithm"]
    if corpus.sections["templates"]["find"] != "none" and registry.cuts_alone(algorithm):
        raise ConfigError(
            f"{place('templates', 'find')}: {algorithm} cuts other blocks than those that are counted; choose another"
            " algorithm, or find: none"
        )


def _check_rights(corpus: CheckedCorpus, place: "_Places") -> None:
    """Checks that rules of robots.txt can be refused."""
    rights = corpus.sections["rights"]
    if rights["robots_agent"] and find_spec("protego") is None:
        raise ConfigError(
            f"{place('rights', 'robots_agent')}: needs protego: {sys.executable} -m pip install 'corpusprep[robots]'"
        )
    if "disallow" in rights["refuse"] and not rights["robots_agent"]:
        raise ConfigError(
            f"{place('rights', 'refuse')}: disallow needs rights.robots_agent, the user agent whose rules count; '*'"
            " takes those for all robots"
        )


def _check_annotation(corpus: CheckedCorpus, place: "_Places") -> None:
    """Checks that there is what annotates the corpus."""
    try:
        annotation.check(corpus.sections["annotate"], _code(corpus.language))
    except ConfigError as error:
        raise ConfigError(f"{place('annotate')}: {error}") from None


def _check_lists(corpus: CheckedCorpus, place: "_Places") -> None:
    """Checks that the lists of words are of attributes that the corpus will have."""
    known = ("word", "lc", *corpus.sections["annotate"]["columns"])
    for name in corpus.sections["words"]["lists"]:
        if name.partition(" ")[0] not in known:
            raise ConfigError(f"{place('words', 'lists')}: {name}: there is {', '.join(known)}")


def _check_files(corpus: CheckedCorpus, place: "_Places") -> None:
    """Checks that what is shuffled or divided goes into files of the whole corpus, and that tokens can be counted."""
    settings = corpus.sections["corpus"]
    if settings["shards"] == "batches":
        for key in ("order", "validation"):
            if settings[key] != config_schema.default(f"corpus.{key}"):
                raise ConfigError(
                    f"{place('corpus', key)} is {settings[key]}: it needs files of the whole corpus; add shards: one,"
                    " or a size such as 500M"
                )
    if settings["order"] == "sentences" and not (
        corpus.sections["tokens"]["sentences"] or corpus.sections["annotate"]["columns"]
    ):
        raise ConfigError(
            f"{place('corpus', 'order')} is sentences, but they are not marked; add tokens: {{sentences: true}}"
        )
    if settings["count_tokens"]:
        _refuse_braces(place("corpus", "count_tokens"), [settings["count_tokens"]])
        try:
            SubwordTokenizer.read(Path(settings["count_tokens"]))
        except ConfigError as error:
            raise type(error)(f"{place('corpus', 'count_tokens')}: {error}") from None


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


class _Places:
    """The names of settings as the config has them: for the corpus, or for all corpora."""

    def __init__(self, config: Mapping[str, Any], name: str) -> None:
        crawl, _, code = name.partition("/")  # a language of a crawl has the name <crawl>/<code>
        self._own, self._name = config["corpora"][crawl], crawl
        self._of_language: Mapping[str, Any] = self._own.get("overrides", {}).get(code, {})
        self._code = code

    def __call__(self, section: str, key: str = "") -> str:
        dotted = f"{section}.{key}" if key else section
        for given, place in (
            (self._of_language, f"corpora.{self._name}.overrides.{self._code}."),
            (self._own, f"corpora.{self._name}."),
        ):
            own = given.get(section)
            if own is not None if not key else isinstance(own, Mapping) and key in own:
                return f"config: {place}{dotted}"
        return f"config: {dotted}"

    @property
    def language(self) -> str:
        """Where the corpus's language is named."""
        if self._code:
            return f"config: corpora.{self._name}.languages"
        own = self._own.get("language")
        named = isinstance(own, str) or (isinstance(own, Mapping) and "code" in own)
        return f"config: corpora.{self._name}.language" if named else "config: language"


def _refuse_braces(place: str, paths: Iterable[str]) -> None:
    """Refuses paths that Snakemake would read as patterns: it has no way to escape braces."""
    if braced := next((path for path in paths if "{" in path or "}" in path), None):
        raise ConfigError(f"{place}: {braced!r} contains a brace; rename the file or folder")


def _refuse_missing(named: str, path: str | Path, kind: str) -> None:
    """Refuses the path of a file or a folder (`kind`) that is not there, or that cannot be looked at."""
    try:
        there = Path(path).is_dir() if kind == "folder" else Path(path).is_file()
    except OSError as error:  # no permission for a folder that it is in, or a name that is too long
        raise ConfigError(f"{named}: cannot be read: {error.strerror}") from None
    if not there:
        raise ConfigError(f"{named}: there is no such {kind}")


def _check_sample(place: str, settings: Mapping[str, Any]) -> None:
    for key in ("text", "html"):
        _refuse_braces(f"{place}.{key}", settings.get(key, ()))
        for path in settings.get(key, ()):
            _refuse_missing(f"{place}.{key}: {path}", path, "file")
    encoding = settings.get("sample_encoding")
    if encoding is not None:
        try:
            codecs.lookup(encoding)
        except (LookupError, ValueError):
            raise ConfigError(f"{place}.sample_encoding is {encoding!r}: not an encoding that Python knows") from None
    if unknown := [name for name in settings.get("encodings", ()) if name.strip().lower() not in NAMES]:
        raise ConfigError(f"{place}.encodings: {unknown[0]!r} is not an encoding of the Web, such as windows-1250")


def _check_language(corpus: CheckedCorpus, place: _Places, made: Mapping[str, Any]) -> None:
    _refuse_braces(place.language, [corpus.language])
    _refuse_braces(place("language", "rivals"), corpus.sections["language"].get("rivals", ()))
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


def _check_order(corpus: CheckedCorpus, place: _Places) -> None:
    """Checks settings of which one must not be over the other."""
    encoding = corpus.sections["encoding"]
    if parse_size(encoding["min_bytes"]) > parse_size(encoding["max_bytes"]):
        raise ConfigError(
            f"{place('encoding', 'min_bytes')} ({encoding['min_bytes']}) is over max_bytes ({encoding['max_bytes']}):"
            " no page would be taken"
        )
    lists = {key: encoding.get(key, ()) for key in ("hosts", "urls")}
    if encoding["listed"] == "domain" and find_spec("publicsuffixlist") is None:
        raise ConfigError(
            f"{place('encoding', 'listed')}: domain needs publicsuffixlist: {sys.executable} -m pip install"
            " 'corpusprep[domains]'"
        )
    first_date, last_date = encoding.get("first_date"), encoding.get("last_date")
    try:
        Selection.of(**lists, first_date=first_date, last_date=last_date, listed=encoding["listed"])
    except ConfigError as error:
        key = str(error).partition(":")[0].partition(" ")[0]
        raise ConfigError(f"{place('encoding', key).removesuffix(key)}{error}") from None
    try:
        Addresses.of(encoding.get("addresses", ()))
    except ConfigError as error:
        raise ConfigError(f"{place('encoding', 'addresses').removesuffix('addresses')}{error}") from None
    for key, limits in lists.items():
        _refuse_braces(place("encoding", key), files(limits))
    listed = sum(len(os.fsencode(entry)) + 10 for entry in (*lists["hosts"], *lists["urls"]))
    if listed > MOST_LISTED:
        raise ConfigError(
            f"{place('encoding')}: hosts and urls have {listed:,} bytes; write the entries into a file, one per line,"
            " and give it as @file"
        )


def _check_blocks(corpus: CheckedCorpus, place: _Places) -> None:
    """Checks the choices of block de-duplication that only some units have."""
    blocks = corpus.sections["blocks"]
    unit = blocks["unit"]
    if unit == "document" and not blocks["smoothing"]:
        raise ConfigError(
            f"{place('blocks', 'smoothing')} is false: with unit: document there is nothing to smooth, for no block is"
            " removed alone; leave it out, or choose unit: block or both"
        )
    if unit != "block" and blocks["as_written"]:
        raise ConfigError(
            f"{place('blocks', 'as_written')} is true: it is about algorithm 3.1 on blocks, but unit is {unit}; leave"
            " one of both out"
        )


def _check_filter(corpus: CheckedCorpus, place: _Places) -> None:
    """Reads the rules on the quality of documents."""
    wanted = {key: value for key, value in corpus.sections["filter"].items() if key != "signals"}
    if any(wanted.values()):
        from corpusprep.quality import word_lists
        from corpusprep.quality.classifier import read_model
        from corpusprep.quality.rules import rules  # with polars, which a config without rules does without

        try:
            rules(**wanted)
        except ConfigError as error:
            raise ConfigError(f"{place('filter')}: {error}") from None
        if lists := wanted["word_lists"]:
            _refuse_braces(place("filter", "word_lists"), [lists])
            try:
                word_lists.files_of(lists)
            except ConfigError as error:
                raise ConfigError(f"{place('filter', 'word_lists')}: {error}") from None
        if model := wanted["model"]:
            _refuse_braces(place("filter", "model"), [model])
            path = model_files.path_of(model)
            _refuse_missing(f"{place('filter', 'model')} is {model!r}", path, "file")
            try:
                read_model(path)
            except ModelError as error:
                raise ConfigError(f"{place('filter', 'model')}: {error}") from None


def _check_personal(corpus: CheckedCorpus, place: _Places) -> None:
    """Checks that what is replaced is looked for, and reads the key."""
    settings = corpus.sections["personal"]
    if settings["find"] and (others := [kind for kind in settings["mask"] if kind not in settings["find"]]):
        raise ConfigError(
            f"{place('personal', 'mask')} has {others[0]}, which find leaves out; add it to find, or leave find out"
        )
    if settings["mask"] and settings["replace"] != "label":
        _refuse_braces(place("personal", "key"), [settings["key"]])
        try:
            read_key(settings["key"])
        except ConfigError as error:
            raise ConfigError(f"{place('personal', 'key')}: {error}") from None


def _check_memory(corpus: CheckedCorpus, place: _Places) -> None:
    """Checks that the memory suffices for the smallest corpus."""
    if parse_size(corpus.memory) < LEAST_MEMORY:
        raise ConfigError(
            f"{place('memory')} is {corpus.memory!r}: too little; the steps over the whole corpus need at least"
            f" {LEAST_MEMORY // 10**6}M each, more for large batches"
        )


def _check_means(corpus: CheckedCorpus, place: _Places) -> None:
    """Checks the files that the settings name."""
    boilerplate = corpus.sections["boilerplate"]
    parameters = boilerplate.get("parameters", {})
    model = registry.model_file(boilerplate["algorithm"], parameters)
    if model is not None:
        _refuse_missing(f"{place('boilerplate', 'model')} is {parameters['model']!r}", model, "file")
        try:
            model_files.read(model, boilerplate["algorithm"])
        except ModelError as error:
            raise ConfigError(f"{place('boilerplate', 'model')}: {error}") from None
    if words := corpus.sections["tokens"].get("words"):
        _refuse_braces(place("tokens", "words"), [words])
        _refuse_missing(f"{place('tokens', 'words')} is {words!r}", words, "file")
        try:
            read_words(words)
        except ConfigError as error:
            raise ConfigError(f"{place('tokens', 'words')}: {error}") from None
    for section in ("boilerplate", "tokens"):  # where there is code of the user's own
        _refuse_braces("the folder of the config", [corpus.sections[section].get("code", "")])


def _check_words(corpus: CheckedCorpus, place: _Places) -> None:
    """Checks that there is what divides scripts without spaces into words."""
    tokens = corpus.sections["tokens"]
    if "tokenizer" in tokens:
        return
    try:
        divider_of(tokens["unspaced"], _code(corpus.language))
    except LanguageError as error:
        raise ConfigError(f"{place('tokens', 'unspaced')}: {error}") from None


def _code(language: str) -> str:
    """Returns the code of a built-in language; empty for a model of the user's own."""
    described = None if languages.is_path(language) else find(language)
    return described.code if described else ""

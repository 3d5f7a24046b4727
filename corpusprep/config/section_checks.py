"""Checks the sections of settings of a corpus: those that contradict each other, and what they name."""

import os
import sys
from importlib.util import find_spec
from pathlib import Path

from corpusprep import languages
from corpusprep.annotation import settings as annotation
from corpusprep.archive.html_files import Addresses
from corpusprep.cleaners import model_files, registry
from corpusprep.config import schema as config_schema
from corpusprep.config.places import CheckedCorpus, Places, refuse_braces, refuse_missing
from corpusprep.encoding.selection import Selection
from corpusprep.errors import ConfigError, LanguageError, ModelError
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


def _check_order(corpus: CheckedCorpus, place: Places) -> None:
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
        refuse_braces(place("encoding", key), files(limits))
    listed = sum(len(os.fsencode(entry)) + 10 for entry in (*lists["hosts"], *lists["urls"]))
    if listed > MOST_LISTED:
        raise ConfigError(
            f"{place('encoding')}: hosts and urls have {listed:,} bytes; write the entries into a file, one per line,"
            " and give it as @file"
        )


def _check_blocks(corpus: CheckedCorpus, place: Places) -> None:
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


def _check_filter(corpus: CheckedCorpus, place: Places) -> None:
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
            refuse_braces(place("filter", "word_lists"), [lists])
            try:
                word_lists.files_of(lists)
            except ConfigError as error:
                raise ConfigError(f"{place('filter', 'word_lists')}: {error}") from None
        if model := wanted["model"]:
            refuse_braces(place("filter", "model"), [model])
            path = model_files.path_of(model)
            refuse_missing(f"{place('filter', 'model')} is {model!r}", path, "file")
            try:
                read_model(path)
            except ModelError as error:
                raise ConfigError(f"{place('filter', 'model')}: {error}") from None


def _check_personal(corpus: CheckedCorpus, place: Places) -> None:
    """Checks that what is replaced is looked for, and reads the key."""
    settings = corpus.sections["personal"]
    if settings["find"] and (others := [kind for kind in settings["mask"] if kind not in settings["find"]]):
        raise ConfigError(
            f"{place('personal', 'mask')} has {others[0]}, which find leaves out; add it to find, or leave find out"
        )
    if settings["mask"] and settings["replace"] != "label":
        refuse_braces(place("personal", "key"), [settings["key"]])
        try:
            read_key(settings["key"])
        except ConfigError as error:
            raise ConfigError(f"{place('personal', 'key')}: {error}") from None


def _check_memory(corpus: CheckedCorpus, place: Places) -> None:
    """Checks that the memory suffices for the smallest corpus."""
    if parse_size(corpus.memory) < LEAST_MEMORY:
        raise ConfigError(
            f"{place('memory')} is {corpus.memory!r}: too little; the steps over the whole corpus need at least"
            f" {LEAST_MEMORY // 10**6}M each, more for large batches"
        )


def _check_means(corpus: CheckedCorpus, place: Places) -> None:
    """Checks the files that the settings name."""
    boilerplate = corpus.sections["boilerplate"]
    parameters = boilerplate.get("parameters", {})
    model = registry.model_file(boilerplate["algorithm"], parameters)
    if model is not None:
        refuse_missing(f"{place('boilerplate', 'model')} is {parameters['model']!r}", model, "file")
        try:
            model_files.read(model, boilerplate["algorithm"])
        except ModelError as error:
            raise ConfigError(f"{place('boilerplate', 'model')}: {error}") from None
    if words := corpus.sections["tokens"].get("words"):
        refuse_braces(place("tokens", "words"), [words])
        refuse_missing(f"{place('tokens', 'words')} is {words!r}", words, "file")
        try:
            read_words(words)
        except ConfigError as error:
            raise ConfigError(f"{place('tokens', 'words')}: {error}") from None
    for section in ("boilerplate", "tokens"):  # where there is code of the user's own
        refuse_braces("the folder of the config", [corpus.sections[section].get("code", "")])


def _check_words(corpus: CheckedCorpus, place: Places) -> None:
    """Checks that there is what divides scripts without spaces into words."""
    tokens = corpus.sections["tokens"]
    if "tokenizer" in tokens:
        return
    try:
        divider_of(tokens["unspaced"], _code(corpus.language))
    except LanguageError as error:
        raise ConfigError(f"{place('tokens', 'unspaced')}: {error}") from None


def _check_forget(corpus: CheckedCorpus, place: Places) -> None:
    """Reads the list of what is forgotten."""
    if corpus.forget:
        from corpusprep.dedup.forgetting import ForgetList  # with polars, which a config without a list does without

        try:
            ForgetList.read(Path(corpus.forget))
        except ConfigError as error:
            raise ConfigError(f"{place('forget')}: {error}") from None


def _check_templates(corpus: CheckedCorpus, place: Places) -> None:
    """Checks that the blocks of the algorithm are those that are counted."""
    algorithm = corpus.sections["boilerplate"]["algorithm"]
    if corpus.sections["templates"]["find"] != "none" and registry.cuts_alone(algorithm):
        raise ConfigError(
            f"{place('templates', 'find')}: {algorithm} cuts other blocks than those that are counted; choose another"
            " algorithm, or find: none"
        )


def _check_rights(corpus: CheckedCorpus, place: Places) -> None:
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


def _check_annotation(corpus: CheckedCorpus, place: Places) -> None:
    """Checks that there is what annotates the corpus."""
    try:
        annotation.check(corpus.sections["annotate"], _code(corpus.language))
    except ConfigError as error:
        raise ConfigError(f"{place('annotate')}: {error}") from None


def _check_lists(corpus: CheckedCorpus, place: Places) -> None:
    """Checks that the lists of words are of attributes that the corpus will have."""
    known = ("word", "lc", *corpus.sections["annotate"]["columns"])
    for name in corpus.sections["words"]["lists"]:
        if name.partition(" ")[0] not in known:
            raise ConfigError(f"{place('words', 'lists')}: {name}: there is {', '.join(known)}")


def _check_files(corpus: CheckedCorpus, place: Places) -> None:
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
        refuse_braces(place("corpus", "count_tokens"), [settings["count_tokens"]])
        try:
            SubwordTokenizer.read(Path(settings["count_tokens"]))
        except ConfigError as error:
            raise type(error)(f"{place('corpus', 'count_tokens')}: {error}") from None


def _code(language: str) -> str:
    """Returns the code of a built-in language; empty for a model of the user's own."""
    described = None if languages.is_path(language) else find(language)
    return described.code if described else ""


#: What is checked of a corpus by itself.
CHECKS = (
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
)

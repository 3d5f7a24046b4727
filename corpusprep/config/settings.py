"""Checks the config against the schema and fills in the defaults: one complete set of settings per corpus."""

import copy
import os
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpusprep import languages
from corpusprep.annotation import built_in
from corpusprep.annotation import settings as annotation
from corpusprep.cleaners import registry
from corpusprep.config import checks as config_checks
from corpusprep.config import crawls as config_crawls
from corpusprep.config import schema as config_schema
from corpusprep.config.schema import resolved
from corpusprep.config.schema_errors import description, keep_to_schema
from corpusprep.config.values import normal as normal
from corpusprep.corpus import formats
from corpusprep.errors import ConfigError, MissingPackageError, Mistakes
from corpusprep.io import own_code
from corpusprep.io.sizes import parse_amount, parse_size
from corpusprep.languages import identifiers, naming, tags
from corpusprep.languages.descriptions import ANY
from corpusprep.languages.identifiers import NAMING
from corpusprep.pipeline import STEPS
from corpusprep.text.own_tokenizer import TOKENIZERS, OwnTokenizer

if TYPE_CHECKING:
    from corpusprep.encoding.pages import PageRules

Settings = dict[str, Any]
SCALARS = ("results", "batch_bytes", "memory", "parts", "forget")
#: Keys of the section `corpus` that jobs on a corpus take.
_OF_CORPORA = ("boilerplate", "kinds", "count_tokens", "shards", "order", "seed", "validation", "licence", "citation")
#: What to do with a key beside `from`.
_INSTEAD = {
    "archives": "build a corpus of the archives, and give its folder in from, too",
    "languages": "make a corpus of each language from the folders of that language, such as results/news/en",
}
#: The sections of settings that steps take. The section `corpus` is the same for all corpora.
SECTIONS = tuple(
    dict.fromkeys(
        section
        for step in STEPS.values()
        for section in (key.partition(".")[0] for key in step.settings)
        if section not in (*SCALARS, "corpus")
    )
)


@dataclass(frozen=True, slots=True)
class CorpusSettings:
    """All settings of one corpus: its own, else the config's, else the defaults."""

    name: str
    language: str
    archives: tuple[str, ...]
    folder: str  # where its files go: <results>/<name>
    batch_bytes: int | str
    memory: int | str
    parts: int  # 0: by the bytes of the archives
    forget: str  # the path of a list; empty without one
    sections: Mapping[str, Settings]  # encoding, boilerplate, language, tokens, ngrams, blocks, corpus
    results: str = ""  # the folder that its folder is in, and the language models
    sources: tuple[str, ...] = ()  # folders of finished corpora that it is made from, in place of archives
    crawl: "CrawlSettings | None" = None  # of a corpus that is one of several languages of a crawl


@dataclass(frozen=True, slots=True)
class CrawlSettings:
    """The settings of a crawl that is divided into corpora by language (`languages`).

    Attributes:
        settings: of its page stages; its language is empty.
        languages: the languages of its corpora: code -> code or path of a model.
        others: further languages that pages are told to be in, in the same form.
        mixed: whether pages in several languages go to their main language (`main`) or are divided (`split`).
        least_words: fewest words of a language that has a corpus.
    """

    settings: CorpusSettings
    languages: Mapping[str, str]
    others: Mapping[str, str]
    mixed: str
    least_words: int = 0


def load_schema() -> Settings:
    """Returns the JSON schema of the config, with the names of all plugins that are built in or installed."""
    schema = copy.deepcopy(config_schema.schema())
    of_section = {name: node["properties"] for name, node in schema["$defs"].items() if "properties" in node}
    for node, names in (
        (of_section["boilerplate"]["algorithm"], registry.KIND.allowed()),
        (schema["properties"]["corpus"]["properties"]["formats"]["items"], formats.KIND.allowed()),
        (of_section["annotate"]["annotator"], (annotation.NONE, *built_in.KIND.allowed())),
        (of_section["language"]["method"], identifiers.IDENTIFIERS.allowed()),
    ):
        node["anyOf"][0]["enum"] = list(names)
    if names := TOKENIZERS.allowed():
        tokenizer = of_section["tokens"]["tokenizer"]
        tokenizer["anyOf"] = [{"enum": list(names)}, {"$ref": tokenizer.pop("$ref")}]
    return schema


def resolve(
    config: Mapping[str, Any], schema: Settings, folder: Path | str = ".", *, checked: bool = True
) -> dict[str, CorpusSettings]:
    """Checks a config and returns the settings of each of its corpora, by name.

    Args:
        config: as read.
        schema: of load_schema.
        folder: the config file's; a user's own code is looked for in it.
        checked: whether to check what the schema cannot (config_checks), too.

    Raises:
        ConfigError: in one line for each mistake, the key that is wrong, its value, and what is allowed.
    """
    config = normal(config)
    mistakes = Mistakes()
    origins = _keys_of_corpora(config)  # before what is wrong is taken out
    keep_to_schema(config, schema, mistakes)
    defaults = _defaults(schema)
    code = os.path.relpath(folder)
    # The files of batches are of no use where the corpus is divided in another way; statistics need the vertical.
    chosen = ["vertical"]
    with mistakes.noted():
        chosen = output_formats(config, schema) if shards(config, schema) == "batches" else chosen
        _check_formats(output_formats(config, schema), code)
    corpora: dict[str, CorpusSettings] = {}

    def corpus(name: str, own: Settings) -> CorpusSettings:
        return _corpus(name, own, config, defaults, code, chosen, mistakes)

    for name, own in config["corpora"].items():
        with mistakes.noted():
            _check_origin(name, origins[name], schema)
            corpora |= (
                _crawl(name, own, config, corpus, folder) if config_crawls.is_crawl(own) else {name: corpus(name, own)}
            )
    if checked:
        config_checks.check(config, corpora, mistakes)
    mistakes.refuse()
    return corpora


def _keys_of_corpora(config: Any) -> dict[str, list[str]]:
    corpora = config.get("corpora") if isinstance(config, Mapping) else None
    named = corpora.items() if isinstance(corpora, Mapping) else ()
    return {name: [*own] for name, own in named if isinstance(own, Mapping)}


def _check_origin(name: str, keys: Collection[str], schema: Settings) -> None:
    """Checks that a corpus with these keys has archives, or finished corpora that it is made from."""
    if not {"archives", "from"}.intersection(keys):
        text = description(schema, ("corpora", name, "archives"))
        raise ConfigError(f"config: corpora.{name}.archives is missing: {text}")
    if "from" in keys and (other := next((key for key in _INSTEAD if key in keys), None)):
        raise ConfigError(f"config: corpora.{name} has from and {other}: {_INSTEAD[other]}")


def most_keys(config: Mapping[str, Any], schema: Settings) -> int:
    """The size of the largest set of n-grams whose memory is measured, of a config that has been checked."""
    default = schema["properties"]["experiments"]["properties"]["most_keys"]["default"]
    return int(config.get("experiments", {}).get("most_keys", default))


def _corpus(
    name: str,
    own: Settings,
    config: Mapping[str, Any],
    defaults: Settings,
    code: str,
    chosen: list[str],
    mistakes: Mistakes,
) -> CorpusSettings:
    """Returns the settings of a corpus. Notes its mistakes.

    Raises:
        ConfigError: nothing more can be looked at: there is one at least.
    """
    before = mistakes.faults
    written = {key: config.get("corpus", {}).get(key, config_schema.default(f"corpus.{key}")) for key in _OF_CORPORA}
    if any(map(own_code.is_own, config.get("corpus", {}).get("formats", ()))):
        written["code"] = code
    scalars = {key: own.get(key, config.get(key, defaults[key])) for key in SCALARS}
    sections = {
        section: {**defaults[section], **_section(config, section), **_section(own, section)} for section in SECTIONS
    }
    with mistakes.noted():
        sections["annotate"] = _annotation(name, sections["annotate"], code)
    cleaner = {**_section(config, "boilerplate"), **_section(own, "boilerplate")}
    if "algorithm" not in cleaner:
        sections["boilerplate"]["algorithm"] = registry.meant_by(cleaner)
    with mistakes.noted():
        sections["boilerplate"] = _with_parameters(name, sections["boilerplate"])
        _check_own_code(name, sections, code)
        _check_preset(name, sections["boilerplate"]["algorithm"], (own, config))
    given = {**_section(config, "language"), **_section(own, "language")}
    language = sections["language"].pop("code", ANY)
    if language == ANY and (filtering := [key for key in ("threshold", "margin") if key in given]):
        raise ConfigError(
            f"config: corpora.{name}.language.code is missing: {filtering[0]} filters the documents of one language"
        )
    without_model = language not in config.get("languages", {}) and languages.lacks_model(language)
    with mistakes.noted():
        if without_model and "method" not in given:
            sections["language"]["method"] = NAMING
        _check_method(name, sections["language"], code, language, without_model=without_model)
    if not without_model:
        del sections["language"]["learn_pages"]  # of languages that learn their model
    if mistakes.faults > before:
        mistakes.refuse()
    return CorpusSettings(
        name=name,
        language=language,
        archives=tuple(own.get("archives", ())),
        folder=str(Path(scalars["results"]) / name),
        batch_bytes=scalars["batch_bytes"],
        memory=scalars["memory"],
        parts=scalars["parts"],
        forget=scalars["forget"],
        sections=sections | {"corpus": {"formats": chosen, **written}},
        results=scalars["results"],
        sources=tuple(dict.fromkeys(map(os.path.normpath, own.get("from", ())))),
    )


def _crawl(
    name: str,
    own: Settings,
    config: Mapping[str, Any],
    corpus: Callable[[str, Settings], CorpusSettings],
    code_folder: Path | str,
) -> dict[str, CorpusSettings]:
    """Returns the settings of each language of a crawl, by the name <crawl>/<code>.

    Args:
        name: of the corpus in the config.
        own: what the config says of it.
        config: all of it.
        corpus: returns the settings of a corpus from its name in messages and what the config says of it.
        code_folder: where a user's own code is looked for.
    """
    made = config.get("languages", {})
    section = {**_section(config, "language"), **_section(own, "language")}
    try:
        named = _named_by(name, section.get("method", ""), code_folder)
    except MissingPackageError:  # noted with the settings of the corpus; what it would name plays no part in the others
        return {name: corpus(name, config_crawls.of_language({**own, "overrides": {}}, "", "en"))}
    asked = config_crawls.asked(name, own, made, named)
    shared = corpus(name, config_crawls.of_language({**own, "overrides": {}}, "", next(iter(asked.values()))))
    others = config_crawls.others(name, own, asked, made)
    mixed = own.get("mixed", config_schema.default("corpora.mixed"))
    least = own.get("least_words", config_schema.default("corpora.least_words"))
    least = least if own["languages"] == config_crawls.ALL else 0
    crawl = CrawlSettings(replace(shared, language=""), asked, others, mixed, least)
    corpora, methods = {}, set[str]()
    for code, spec in asked.items():
        settings = corpus(f"{name}.overrides.{code}", config_crawls.of_language(own, code, spec))
        methods.add(settings.sections["language"]["method"])
        folder = str(Path(shared.folder) / code)
        corpora[f"{name}/{code}"] = replace(settings, name=f"{name}/{code}", folder=folder, crawl=crawl)
    if len(methods) > 1 and not methods.issubset(identifiers.METHODS):
        raise ConfigError(
            f"config: corpora.{name}: language.method is {' and '.join(sorted(methods))}; what names languages must be"
            " the identifier of all"
        )
    return corpora


def _named_by(name: str, method: str, code: Path | str) -> list[str] | None:
    """Returns the codes of the languages that the identifier of a crawl names; None for one that needs models."""
    if method in ("", *identifiers.METHODS):
        return None
    try:
        return naming.known_codes(method, code)
    except ConfigError as error:
        raise type(error)(f"config: corpora.{name}.language.method: {error}") from None


def _section(settings: Mapping[str, Any], section: str) -> Settings:
    """Returns the settings of a section that are given; a language may be given as its code alone."""
    own_section = settings.get(section, {})
    return {"code": own_section} if isinstance(own_section, str) else dict(own_section)


def _annotation(name: str, section: Settings, code: str) -> Settings:
    try:
        return annotation.settled(section, code)
    except ConfigError as error:
        raise ConfigError(f"config: corpora.{name}.annotate: {error}") from None


def _with_parameters(name: str, boilerplate: Settings) -> Settings:
    """Returns the section with all that its algorithm gets as `parameters`, by name; keep by kind.

    Raises:
        ConfigError: parameters stand under a key of their own, as before version 0.3.
    """
    parameters = dict(boilerplate)
    chosen = {key: parameters.pop(key) for key in ("algorithm", "preset")}
    if "parameters" in parameters:
        raise ConfigError(
            f"config: corpora.{name}.boilerplate: parameters is not a setting; write what is in it beside algorithm,"
            " without parameters"
        )
    parameters |= {f"keep_{kind}": kept for kind, kept in parameters.pop("keep", {}).items()}
    return chosen | ({"parameters": dict(sorted(parameters.items()))} if parameters else {})


def _check_own_code(name: str, sections: dict[str, Settings], code: str) -> None:
    """Checks a corpus's algorithm and tokeniser; a user's own get the folder of their file as the setting `code`."""
    boilerplate, tokens = sections["boilerplate"], sections["tokens"]
    section = "boilerplate"
    try:
        if own_code.is_own(boilerplate["algorithm"]):
            boilerplate["code"] = code
        registry.check(boilerplate["algorithm"], **{k: v for k, v in boilerplate.items() if k != "algorithm"})
        section = "tokens"
        if "tokenizer" in tokens:
            OwnTokenizer.load(tokens["tokenizer"], Path(code))
            if own_code.is_own(tokens["tokenizer"]):
                tokens["code"] = code
    except ConfigError as error:
        raise ConfigError(f"config: corpora.{name}.{section}: {error}") from None


def _check_method(name: str, section: Settings, code: str, language: str, *, without_model: bool) -> None:
    """Checks the language identifier of a corpus. Adds settings that its step is told.

    These are `code`, the folder of a user's own identifier, and `tag`, the language as BCP 47 has it, if the identifier
    names languages, or the language has a script.
    """
    method, place = section["method"], f"config: corpora.{name}.language.method"
    wanted = None if languages.is_path(language) else tags.tag(language)
    try:
        names = method not in identifiers.METHODS and naming.names_languages(method, code)
        if names and wanted is not None and language != ANY:
            naming.check(wanted, method, code)
    except ConfigError as error:
        if isinstance(error, MissingPackageError) and wanted is not None:
            section["tag"] = str(wanted)  # as if it were installed: there is nothing else to say of the language
        if without_model and method == NAMING:
            # What installs a package stands last (startup.in_one_command).
            raise type(error)(
                f"config: corpora.{name}.language: no model of {language} is built in; make one from a text"
                f" (corpusprep language make {language} --text FILE --output {language}.model); {error}"
            ) from None
        raise type(error)(f"{place}: {error}") from None
    if without_model and not names:
        return  # config_checks says that there is no model
    if wanted is not None and language != ANY and (names or wanted.script):
        section["tag"] = str(wanted)
    if own_code.is_own(method):
        section["code"] = code


def _check_formats(chosen: list[str], code: str) -> None:
    """Checks that the output formats can be loaded, and have files of their own."""
    try:
        formats.check(chosen, code)
    except ConfigError as error:
        raise ConfigError(f"config: corpus.formats: {error}") from None


def _check_preset(name: str, algorithm: str, levels: tuple[Mapping[str, Any], ...]) -> None:
    """Refuses a preset of an algorithm without presets; one of an outer level may be meant for other corpora."""
    sections = (level.get("boilerplate", {}) for level in levels)
    chosen: Mapping[str, Any] = next((section for section in sections if {"algorithm", "preset"} & section.keys()), {})
    if "preset" in chosen:
        try:
            registry.check_preset(algorithm, chosen["preset"])
        except ConfigError as error:
            raise ConfigError(f"config: corpora.{name}.boilerplate: {error}") from None


def output_formats(config: Mapping[str, Any], schema: Settings) -> list[str]:
    """Returns the output formats of a config that has been checked, in order, each once."""
    default = schema["properties"]["corpus"]["properties"]["formats"]["default"]
    return list(dict.fromkeys(config.get("corpus", {}).get("formats", default)))


def shards(config: Mapping[str, Any], schema: Settings) -> str | int:
    """Returns how the corpora of a config that has been checked against the schema are divided into files.

    Raises:
        ConfigError: the size is less than a byte or a token.
    """
    default = schema["properties"]["corpus"]["properties"]["shards"]["default"]
    chosen: str | int = config.get("corpus", {}).get("shards", default)
    if chosen not in ("batches", "one") and parse_amount(chosen)[0] < 1:
        raise ConfigError(
            f"config: corpus.shards: {chosen} is not allowed; give batches, one, a size such as 100M, or 100M tokens"
        )
    return chosen


def default_page_rules(**changes: Any) -> "PageRules":
    """Returns the rules for pages of a config that has none, but for some."""
    from corpusprep.encoding.pages import PageRules  # with polars, which the config does without

    rules = {name: config_schema.default(f"encoding.{name}") for name in ("status", "content_types")}
    sizes = {name: parse_size(config_schema.default(f"encoding.{name}")) for name in ("min_bytes", "max_bytes")}
    return PageRules(**{**rules, **sizes, **changes})


def _defaults(schema: Settings) -> Settings:
    """The schema's defaults of the top-level keys, sections as mappings."""
    filled: Settings = {}
    for key in (*SCALARS, *SECTIONS):
        node = resolved(schema["properties"][key], schema)
        if "properties" in node:
            filled[key] = {
                name: copy.deepcopy(resolved(child, schema)["default"])
                for name, child in node["properties"].items()
                if "default" in resolved(child, schema)
            }
        else:
            filled[key] = copy.deepcopy(node["default"])
    return filled

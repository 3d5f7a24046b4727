"""Corpora of several languages from one crawl: what the config says of each (`languages`, `others`, …)."""

from collections.abc import Mapping, Sequence
from typing import Any

from corpusprep import languages
from corpusprep.cleaners import registry
from corpusprep.config import schema as config_schema
from corpusprep.errors import ConfigError, LanguageError, meant
from corpusprep.pipeline import FILES, JOBS

Settings = dict[str, Any]
#: Keys of a corpus that only one with `languages` has.
KEYS = ("languages", "others", "mixed", "least_words", "overrides")
ALL = "all"
#: Files and folders of a crawl, beside the folders of its languages: of its steps on pages, and of the division.
TAKEN = frozenset(
    {FILES[name].pattern.partition("/")[0] for job in JOBS.values() if job.of_pages for name in job.writes}
    | {"division.tsv", "found", "languages.tsv", "logs", "models", "parts", "report.html", "times"}
)


def is_crawl(own: Mapping[str, Any]) -> bool:
    """Returns whether a corpus of the config stands for a crawl of several languages.

    >>> is_crawl({"languages": ["cs", "en"]}), is_crawl({"language": "cs"})
    (True, False)
    """
    return any(key in own for key in KEYS)


def asked(
    name: str, own: Mapping[str, Any], made: Mapping[str, Any], named: Sequence[str] | None = None
) -> dict[str, str]:
    """Returns the languages that a crawl is divided into: code -> code or path, as the config has it.

    Args:
        name: of the corpus.
        own: its settings.
        made: languages that the config makes from samples, by code.
        named: codes of all languages that the identifier names; None: it needs models.

    Raises:
        ConfigError: a language is unknown, stands twice, or its code is the name of a folder of the crawl; or
            `language` names one, too.
    """
    place = f"config: corpora.{name}.languages"
    if "languages" not in own:
        key = next(key for key in KEYS if key in own)
        raise ConfigError(f"{place} is missing: {key} is for a corpus of several languages")
    language = own.get("language")
    if isinstance(language, str) or (isinstance(language, Mapping) and "code" in language):
        raise ConfigError(
            f"config: corpora.{name} has language and languages: give one language, or several as languages"
        )
    wanted = own["languages"]
    specs: dict[str, str] = {}
    every = [*languages.known(), *made] if named is None else named
    for spec in sorted(set(every)) if wanted == ALL else wanted:
        code = languages.code_of(spec) if named and languages.lacks_model(spec) else _code(place, spec, made)
        if code in specs:
            raise ConfigError(f"{place}: {code} stands twice ({specs[code]}, {spec}); remove one of them")
        if code in TAKEN:
            raise ConfigError(f"{place}: the code {code} is the name of a folder of the crawl; choose another code")
        specs[code] = spec
    for code in own.get("overrides", {}):
        if code not in specs:
            raise ConfigError(
                f"config: corpora.{name}.overrides.{code}: not among the languages of the corpus;"
                f"{meant(code, specs)} it has {', '.join(specs)}"
            )
        _check_own(f"config: corpora.{name}.overrides.{code}", own["overrides"][code])
    return specs


def _check_own(place: str, settings: Mapping[str, Any]) -> None:
    """Checks what a language of a crawl has of its own."""
    if "code" in settings.get("language", {}):
        raise ConfigError(f"{place}.language.code: the code of the language is the key {place.rpartition('.')[2]}")
    algorithm = settings.get("boilerplate", {}).get("algorithm")
    if algorithm is not None and registry.side_table(algorithm):
        raise ConfigError(
            f"{place}.boilerplate.algorithm: {algorithm} compares the pages of a host; it can only be the algorithm of"
            " all languages"
        )


def others(name: str, own: Mapping[str, Any], found: Mapping[str, str], made: Mapping[str, Any]) -> dict[str, str]:
    """Returns the further languages that pages are told to be in: code -> code or path, as the config has it.

    Raises:
        ConfigError: a language is unknown.
    """
    wanted = own.get("others", config_schema.default("corpora.others"))
    specs = sorted({*languages.known(), *made}) if wanted == ALL else wanted
    named = {_code(f"config: corpora.{name}.others", spec, made): spec for spec in specs}
    return {code: spec for code, spec in named.items() if code not in found}


def of_language(own: Mapping[str, Any], code: str, spec: str) -> Settings:
    """Returns the settings of one language of a crawl, as a corpus of that language would have them."""
    settings: Settings = {key: value for key, value in own.items() if key not in KEYS}
    for section, changed in own.get("overrides", {}).get(code, {}).items():
        base = settings.get(section)
        settings[section] = {**base, **changed} if isinstance(base, Mapping) else changed
        own_algorithm = changed.get("algorithm") if section == "boilerplate" else None
        if own_algorithm and "preset" not in changed and not registry.has_presets(own_algorithm):
            settings[section].pop("preset", None)  # the preset of the other languages
    settings["language"] = {**settings.get("language", {}), "code": spec}
    return settings


def _code(place: str, spec: str, made: Mapping[str, Any]) -> str:
    """Returns the code of a language.

    Raises:
        ConfigError: there is no model of it; says how to make one.
    """
    if spec in made:
        return spec
    try:
        languages.check(spec)
        return languages.describe(spec).code
    except LanguageError as error:
        raise ConfigError(f"{place}: {error}") from None

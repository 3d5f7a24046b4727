"""Corpora of several languages in a config."""

import re
import sys
from pathlib import Path
from typing import Any

import pytest

from corpusprep.config.settings import load_schema, resolve
from corpusprep.errors import ConfigError
from corpusprep.languages import known

SCHEMA = load_schema()
CRAWL = {"languages": ["cs", "en"], "archives": ["a.warc"]}


def test_each_language_is_a_corpus_in_the_folder_of_the_crawl() -> None:
    """It has the settings of the crawl and its own; the page stages have those of the crawl."""
    overrides = {"cs": {"boilerplate": {"preset": "D"}, "language": {"min_words": 5}, "memory": "3G"}}
    crawl = CRAWL | {"overrides": overrides, "language": {"level": "block"}, "others": ["de", "cs"]}
    config = {"boilerplate": {"length_low": 7}, "language": "de", "corpora": {"mine": crawl}}
    found = resolve(config, SCHEMA)
    assert list(found) == ["mine/cs", "mine/en"]
    czech, english = found.values()
    assert (czech.language, czech.folder, czech.results, czech.memory) == ("cs", "results/mine/cs", "results", "3G")
    assert czech.sections["boilerplate"] == {"algorithm": "justext", "preset": "D", "parameters": {"length_low": 7}}
    assert english.sections["boilerplate"]["preset"] == "A"
    assert [one.sections["language"]["min_words"] for one in (czech, english)] == [5, 0]
    assert {one.sections["language"]["level"] for one in (czech, english)} == {"block"}
    assert czech.crawl is english.crawl
    assert czech.crawl is not None
    assert czech.crawl.settings.folder == "results/mine"
    assert czech.crawl.languages == {"cs": "cs", "en": "en"}
    assert czech.crawl.others == {"de": "de"}


def test_a_language_may_have_an_algorithm_without_presets() -> None:
    """Beside languages that have a preset; a preset of its own is refused."""
    crawl = CRAWL | {"boilerplate": {"preset": "D"}, "overrides": {"cs": {"boilerplate": {"algorithm": "content"}}}}
    found = resolve({"corpora": {"mine": crawl}}, SCHEMA)
    assert found["mine/cs"].sections["boilerplate"]["algorithm"] == "content"
    assert found["mine/en"].sections["boilerplate"] == {"algorithm": "justext", "preset": "D"}
    crawl = CRAWL | {"boilerplate": {"algorithm": "content"}, "overrides": {"cs": {"boilerplate": {"preset": "D"}}}}
    with pytest.raises(ConfigError, match=r"mine.overrides.cs.boilerplate: preset is 'D', but the algorithm content"):
        resolve({"corpora": {"mine": crawl}}, SCHEMA)


def test_all_languages() -> None:
    """`all` is every language with a model, made ones included; by default all of them are known."""
    made = {"languages": {"zz": {"text": [__file__]}}}
    found = resolve(made | {"corpora": {"mine": CRAWL | {"languages": "all"}}}, SCHEMA)
    assert set(found) == {f"mine/{code}" for code in [*known(), "zz"]}
    few = resolve(made | {"corpora": {"mine": CRAWL}}, SCHEMA)["mine/cs"].crawl
    assert few is not None
    assert {*few.languages, *few.others} == {*known(), "zz"}


def test_languages_that_an_identifier_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`all` is all that it knows, with a model or without; the built-in ones by their codes."""
    source = "class Names:\n    languages = ('est', 'nob', 'hbs')\n    def ranked(self, text):\n        return []\n"
    (tmp_path / "names_of_crawls.py").write_text(source, encoding="utf-8")
    monkeypatch.setattr(sys, "path", list(sys.path))
    crawl = CRAWL | {"languages": "all", "language": {"method": "names_of_crawls:Names"}}
    found = resolve({"corpora": {"mine": crawl}}, SCHEMA, tmp_path)
    assert {name: corpus.language for name, corpus in found.items()} == {
        "mine/et": "et",
        "mine/nb": "nb",
        "mine/sh": "sh",
    }
    assert {name: corpus.sections["language"]["tag"] for name, corpus in found.items()} == {
        "mine/et": "et",
        "mine/nb": "nb",
        "mine/sh": "sh",
    }
    assert [corpus.crawl and corpus.crawl.least_words for corpus in found.values()] == [1, 1, 1]
    mixed = crawl | {"languages": ["et", "nb"], "overrides": {"nb": {"language": {"method": "trigrams"}}}}
    with pytest.raises(ConfigError, match="method is names_of_crawls:Names and trigrams; what names languages must be"):
        resolve({"corpora": {"mine": mixed}}, SCHEMA, tmp_path)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"languages": ["cs", "xx"]}, "corpora.mine.languages: unknown language 'xx'.* Make a model of another"),
        ({"languages": ["cs", "cz"]}, "corpora.mine.languages: unknown language 'cz'|cs stands twice"),
        ({"language": "cs"}, "corpora.mine has language and languages: give one language, or several as languages"),
        ({"language": {"code": "cs"}}, "corpora.mine has language and languages"),
        ({"languages": "al"}, "corpora.mine.languages is 'al'; did you mean all?"),
        ({"languages": []}, "corpora.mine.languages is .*allowed: all, or a list of languages"),
        ({"overrides": {"de": {}}}, "corpora.mine.overrides.de: not among the languages of the corpus; it has cs, en"),
        ({"overrides": {"cs": {"encoding": {}}}}, "overrides.cs.encoding is not a setting; it is for all languages"),
        ({"overrides": {"cs": {"corpus": {}}}}, "overrides.cs.corpus is not a setting; it is for all corpora"),
        ({"overrides": {"cs": {"memory": "1M"}}}, "corpora.mine.overrides.cs.memory is '1M': too little"),
        ({"overrides": {"cs": {"language": {"code": "de"}}}}, "corpora.mine.overrides.cs.language.code: "),
        ({"overrides": {"cs": {"boilerplate": {"algorithm": "density-site"}}}}, "overrides.cs.boilerplate.*hosts?"),
        ({"others": ["xx"]}, "corpora.mine.others: unknown language 'xx'"),
    ],
)
def test_mistakes_are_named_in_one_line(settings: dict[str, Any], message: str) -> None:
    """Each names its key and says what to do."""
    with pytest.raises(ConfigError) as caught:
        resolve({"corpora": {"mine": CRAWL | settings}}, SCHEMA)
    assert re.search(message, str(caught.value)), caught.value
    assert "\n" not in str(caught.value)


def test_settings_of_several_languages_need_the_languages() -> None:
    """`others` and `overrides` alone are a mistake."""
    with pytest.raises(ConfigError, match=r"corpora\.mine\.languages is missing: others is for a corpus of several"):
        resolve({"corpora": {"mine": {"language": "cs", "others": ["de"], "archives": ["a"]}}}, SCHEMA)


def test_a_code_that_is_a_folder_of_the_crawl() -> None:
    """A language that is made from a sample may have any code, but not that of a folder."""
    made = {"languages": {"pages": {"text": [__file__]}}}
    with pytest.raises(ConfigError, match="the code pages is the name of a folder of the crawl"):
        resolve(made | {"corpora": {"mine": CRAWL | {"languages": ["pages"]}}}, SCHEMA)

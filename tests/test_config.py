"""The config: defaults, overrides, and error messages."""

from pathlib import Path
from typing import Any

import pytest

from corpusprep.archive.records import MAX_BYTES
from corpusprep.config import load_schema, resolve
from corpusprep.errors import ConfigError
from corpusprep.io.sizes import parse_size

SCHEMA = load_schema()
CORPUS = {"language": "en", "archives": ["a.warc.gz"]}


def test_defaults_are_the_thesis() -> None:
    """A config with only `corpora` gets the thesis's settings."""
    corpus = resolve({"corpora": {"news": CORPUS}}, SCHEMA)["news"]
    assert corpus.folder == "results/news"
    assert corpus.sections["boilerplate"] == {"algorithm": "justext", "preset": "A"}
    ngrams = {"n": 10, "method": "hash", "exclude_punctuation": True, "exclude_stopwords": True}
    assert corpus.sections["ngrams"] == ngrams
    assert corpus.sections["blocks"] == {"threshold": 0.5}


def test_a_corpus_overrides_the_config() -> None:
    """A setting of a corpus has precedence over the same setting of the config; others are not changed."""
    config = {
        "memory": "1G",
        "boilerplate": {"preset": "B", "length_low": 5},
        "corpora": {"a": CORPUS, "b": CORPUS | {"memory": "3G", "boilerplate": {"preset": "D"}, "results": "out"}},
    }
    a, b = resolve(config, SCHEMA).values()
    assert (a.memory, a.sections["boilerplate"]["preset"], a.folder) == ("1G", "B", "results/a")
    assert (b.memory, b.sections["boilerplate"], b.folder) == (
        "3G",
        {"algorithm": "justext", "preset": "D", "length_low": 5},
        "out/b",
    )


def test_language_with_settings() -> None:
    """A corpus's language may be a mapping that overrides the filter's settings."""
    corpus = resolve({"corpora": {"a": CORPUS | {"language": {"code": "cs", "threshold": 0.3}}}}, SCHEMA)["a"]
    settings = {"level": "document", "method": "trigrams", "min_words": 0, "threshold": 0.3}
    assert (corpus.language, corpus.sections["language"]) == ("cs", settings)


@pytest.mark.parametrize(
    ("config", "parts"),
    [
        ({}, ["corpora is missing"]),
        ({"corpora": {}}, ["corpora", "at least 1"]),
        ({"corpora": None}, ["corpora is empty", "a mapping"]),
        ({"corpora": {"a": CORPUS}, "memroy": 1}, ["memroy is not a setting", "memory"]),
        ({"corpora": {"a": CORPUS}, "bundles": 64}, ["bundles is not a setting"]),
        ({"corpora": {"a": CORPUS}, "memory": "lots"}, ["memory is 'lots'", "500M"]),
        ({"corpora": {"a": CORPUS}, "boilerplate": {"preset": "E"}}, ["boilerplate.preset is 'E'", "A, B, C, D"]),
        ({"corpora": {"a": CORPUS}, "blocks": {"threshold": 0}}, ["blocks.threshold is 0", "more than 0", "at most 1"]),
        ({"corpora": {"a": CORPUS}, "ngrams": {"n": "ten"}}, ["ngrams.n is 'ten'", "a whole number"]),
        ({"corpora": {"a": {"language": "en"}}}, ["corpora.a.archives is missing"]),
        ({"corpora": {"a": CORPUS | {"archives": "x.warc"}}}, ["corpora.a.archives is 'x.warc'", "a list"]),
        ({"corpora": {"a": CORPUS | {"language": False}}}, ["corpora.a.language is false", "nb"]),
        ({"corpora": {"a": CORPUS | {"language": {"code": "en", "threshold": 7}}}}, ["language.threshold is 7"]),
        ({"corpora": {"languages": CORPUS}}, ["languages", "taken"]),
        (
            {"corpora": {"a": CORPUS}, "boilerplate": {"algorithm": "baseline", "length_low": 5}},
            ["corpora.a.boilerplate", "baseline", "'length_low'"],
        ),
        ({"corpora": {"../up": CORPUS}}, ["../up", "letters"]),
    ],
)
def test_a_mistake_is_named_in_one_line(config: dict[str, Any], parts: list[str]) -> None:
    """The message names the key, the value and what is allowed."""
    with pytest.raises(ConfigError) as error:
        resolve(config, SCHEMA)
    message = str(error.value)
    assert "\n" not in message
    assert [part for part in parts if part not in message] == []


OWN = "class Mine:\n    def __init__(self, least=1):\n        pass\n\ndef tokenise(text):\n    return text.split()\n"


@pytest.fixture(scope="module")
def own_code(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a user's own code."""
    folder = tmp_path_factory.mktemp("own")
    (folder / "config_own_b.py").write_text(OWN, encoding="utf-8")
    return folder


def test_own_code_is_looked_for_beside_the_config(tmp_path: Path) -> None:
    """Its folder becomes the setting `code`, relative to the working directory; nothing else gets one."""
    (tmp_path / "config_own_a.py").write_text(OWN, encoding="utf-8")
    own = {"boilerplate": {"algorithm": "config_own_a:Mine", "parameters": {"least": 2}}}
    config = {"corpora": {"a": CORPUS | own, "b": CORPUS, "c": CORPUS | {"tokens": {"tokenizer": "shlex:split"}}}}
    a, b, c = resolve(config, SCHEMA, tmp_path).values()
    assert (Path.cwd() / a.sections["boilerplate"]["code"]).resolve() == tmp_path.resolve()
    assert a.sections["boilerplate"]["parameters"] == {"least": 2}
    assert "code" not in {**a.sections["tokens"], **b.sections["boilerplate"], **b.sections["tokens"]}
    assert "code" in c.sections["tokens"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"boilerplate": {"algorithm": "config_own_none:Mine"}},
            "boilerplate: config_own_none:Mine: there is no module",
        ),
        ({"boilerplate": {"algorithm": "config_own_b:Other"}}, "config_own_b.py has no Other"),
        ({"boilerplate": {"algorithm": "config_own_b:Mine", "parameters": {"most": 1}}}, "'most'; it takes least"),
        ({"boilerplate": {"algorithm": "config_own_b:Mine", "length_low": 1}}, "'length_low'; it takes least"),
        ({"boilerplate": {"algorithm": "justtext"}}, "'justtext'; allowed: baseline, boilerpipe-article, "),
        ({"boilerplate": {"algorithm": "justtext"}}, "stopword-filter, "),
        ({"boilerplate": {"algorithm": 3}}, "module:name, such as my_module:MyName"),
        ({"boilerplate": {"parameters": {"least": 1}}}, "justext has no parameter 'least'; it has length_high"),
        ({"tokens": {"tokenizer": "config_own_b:tokenize"}}, "corpora.a.tokens: config_own_b:tokenize: "),
        (
            {"tokens": {"tokenizer": "config_own_b"}},
            "tokenizer is 'config_own_b'; allowed: your own code as module:name",
        ),
        ({"corpus": {"formats": ["html"]}}, "corpus.formats.0 is 'html'; allowed: jsonl, parquet, vertical"),
        ({"corpus": {"formats": []}}, "corpus.formats is []; allowed: a list, not empty: at least 1"),
    ],
)
def test_a_mistake_about_own_code_is_named(own_code: Path, settings: dict[str, Any], message: str) -> None:
    """The message is one line before any job, with the key, the error, and what is allowed."""
    with pytest.raises(ConfigError) as error:
        resolve({"corpora": {"a": CORPUS}} | settings, SCHEMA, own_code)
    assert str(error.value).startswith("config: ")
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_the_library_reads_pages_as_large_as_the_workflow() -> None:
    """The default of the library's readers is that of the setting."""
    assert parse_size(SCHEMA["$defs"]["encoding"]["properties"]["max_bytes"]["default"]) == MAX_BYTES

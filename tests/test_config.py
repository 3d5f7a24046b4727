"""The config: defaults, overrides, and what a mistake is told."""

from pathlib import Path
from typing import Any

import pytest

from corpusprep.config import load_schema, resolve
from corpusprep.errors import ConfigError

SCHEMA = load_schema(Path(__file__).parents[1] / "workflow" / "schemas" / "config.schema.yaml")
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
    """A corpus's own setting stands over the config's, the others stay."""
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
    assert (corpus.language, corpus.sections["language"]) == ("cs", {"level": "document", "threshold": 0.3})


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

"""The config: defaults, overrides, and error messages."""

import datetime
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from corpusprep.archive.records import MAX_BYTES
from corpusprep.cleaners.block_models import shipped_model
from corpusprep.config import checks as config_checks
from corpusprep.config import section_checks
from corpusprep.config.settings import load_schema, resolve
from corpusprep.errors import ConfigError
from corpusprep.io.sizes import parse_size
from corpusprep.languages import heliport_models
from corpusprep.startup import in_one_command
from corpusprep.text import word_dividers

SCHEMA = load_schema()
CORPUS = {"language": "en", "archives": ["a.warc.gz"]}
FINISHED = {"language": "en", "from": ["results/a"]}


def test_defaults_are_the_thesis() -> None:
    """A config with only `corpora` gets the thesis's settings."""
    corpus = resolve({"corpora": {"news": CORPUS}}, SCHEMA)["news"]
    assert corpus.folder == "results/news"
    assert corpus.sections["boilerplate"] == {"algorithm": "content", "preset": "A"}
    ngrams = {"n": 10, "exclude_punctuation": True, "exclude_stopwords": True}
    assert corpus.sections["ngrams"] == ngrams
    choices = {"unit": "block", "smoothing": True, "against": [], "as_written": False, "mark": False}
    assert corpus.sections["blocks"] == {"threshold": 0.5} | choices


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
        {"algorithm": "justext", "preset": "D", "parameters": {"length_low": 5}},
        "out/b",
    )


def test_a_preset_for_all_is_not_that_of_an_algorithm_without_presets() -> None:
    """A corpus may have such an algorithm beside others that have the preset; it may not have a preset itself."""
    config = {"boilerplate": {"preset": "B"}, "corpora": {"a": CORPUS | {"boilerplate": {"algorithm": "content"}}}}
    assert resolve(config, SCHEMA)["a"].sections["boilerplate"]["algorithm"] == "content"
    config = {"boilerplate": {"algorithm": "content"}, "corpora": {"a": CORPUS | {"boilerplate": {"preset": "B"}}}}
    with pytest.raises(ConfigError, match="preset is 'B', but the algorithm content has no presets"):
        resolve(config, SCHEMA)


def test_settings_of_learned_algorithms_are_parameters() -> None:
    """A threshold by name or number, kinds to keep, and a model, beside further parameters."""
    content = {"algorithm": "content", "threshold": 0.4, "keep": {"title": True}, "model": "my.model"}
    config = {"corpora": {"a": CORPUS | {"boilerplate": {"threshold": "recall"}}}, "boilerplate": content}
    found = resolve(config, SCHEMA, checked=False)["a"].sections["boilerplate"]
    parameters = {"threshold": "recall", "keep_title": True, "model": "my.model"}
    assert found == {"algorithm": "content", "preset": "A", "parameters": parameters}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"algorithm": "content", "keep": {"menus": True}}, "boilerplate.keep.menus is not a setting"),
        ({"algorithm": "content", "keep": {"title": "yes"}}, "true or false"),
        ({"algorithm": "content", "threshold": "best"}, "threshold is 'best'; allowed: precision, balanced, recall"),
        (
            {"algorithm": "content", "threshold": 2},
            "threshold is 2; allowed: precision, balanced, recall, or a number",
        ),
        (
            {"algorithm": "justext", "keep": {"title": True}},
            "the algorithm justext keeps blocks of all kinds; keep is for content",
        ),
        ({"algorithm": "content", "length_low": 5}, "the algorithm content has no parameter 'length_low'"),
    ],
)
def test_a_mistake_about_learned_algorithms_is_named(settings: dict[str, Any], message: str) -> None:
    """Unknown kinds, thresholds that are none, settings of another algorithm."""
    with pytest.raises(ConfigError) as error:
        resolve({"corpora": {"a": CORPUS}, "boilerplate": settings}, SCHEMA)
    assert message in str(error.value)


def test_language_with_settings() -> None:
    """A corpus's language may be a mapping that overrides the filter's settings."""
    corpus = resolve({"corpora": {"a": CORPUS | {"language": {"code": "cs", "threshold": 0.3}}}}, SCHEMA)["a"]
    assert corpus.language == "cs"
    assert corpus.sections["language"] == {"level": "document", "method": "trigrams", "min_words": 0, "threshold": 0.3}


def test_a_language_for_all_corpora() -> None:
    """As a code or with settings; a corpus may name its own, or change settings only."""
    rest = {"archives": ["a.warc.gz"]}
    corpora = {"a": rest, "b": rest | {"language": "cs"}, "c": rest | {"language": {"threshold": 0.4}}}
    for language in ("en", {"code": "en"}):
        found = resolve({"language": language, "corpora": corpora}, SCHEMA)
        assert {name: corpus.language for name, corpus in found.items()} == {"a": "en", "b": "cs", "c": "en"}
        assert found["c"].sections["language"] == {
            "level": "document",
            "method": "trigrams",
            "min_words": 0,
            "threshold": 0.4,
        }
    settings = resolve({"language": {"level": "block"}, "corpora": {"b": corpora["b"]}}, SCHEMA)["b"].sections
    assert settings["language"]["level"] == "block"


def test_the_home_folder_in_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`~` is expanded, behind marks, too; a file of that name stays what it is, and other texts are not changed."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "~odd.warc").touch()
    (home / "out.txt").write_text("a.example\n", encoding="utf-8")
    archives = ["~/a.warc", "!~/b.warc", "@~/list.txt", "~odd.warc"]
    config = {"results": "~/r", "encoding": {"hosts": ["!@~/out.txt"], "content_types": ["~/x"]}}
    corpus = resolve(config | {"corpora": {"a": {"language": "en", "archives": archives}}}, SCHEMA)["a"]
    assert corpus.folder == f"{home}/r/a"
    assert corpus.archives == (f"{home}/a.warc", f"!{home}/b.warc", f"@{home}/list.txt", "~odd.warc")
    assert corpus.sections["encoding"]["hosts"] == [f"!@{home}/out.txt"]
    assert corpus.sections["encoding"]["content_types"] == ["~/x"]


def test_a_model_of_the_package_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For texrex, languages name them; any other name is that of a file, also in the home folder."""
    monkeypatch.setenv("HOME", str(tmp_path))
    shutil.copy(shipped_model("texrex"), tmp_path / "own.model")
    for model in ("de", "~/own.model"):
        config = {"corpora": {"a": CORPUS}, "boilerplate": {"algorithm": "texrex", "model": model}}
        assert resolve(config, SCHEMA)["a"].sections["boilerplate"]["parameters"] == {"model": model}


def test_dates_as_yaml_reads_them() -> None:
    """A year is a number there, and a day a date."""
    day, time = datetime.date(2024, 5, 31), datetime.datetime(2024, 5, 31, 14, tzinfo=datetime.UTC)
    for first, last, expected in (
        (2023, day, ("2023", "2024-05-31")),
        (day, time, ("2024-05-31", "2024-05-31T14:00:00Z")),
        ("2024-05", 2024, ("2024-05", "2024")),
    ):
        config = {"encoding": {"first_date": first, "last_date": last}, "corpora": {"a": CORPUS}}
        encoding = resolve(config, SCHEMA)["a"].sections["encoding"]
        assert (encoding["first_date"], encoding["last_date"]) == expected


@pytest.mark.parametrize(
    ("config", "parts"),
    [
        ({}, ["corpora is missing"]),
        ({"corpora": {}}, ["corpora is {}; allowed: a mapping, not empty"]),
        (
            {"corpora": {"a": CORPUS | {"archives": "crawl/*.gz"}}},
            ["corpora.a.archives is 'crawl/*.gz'; allowed: a list, not empty; put it in brackets: [crawl/*.gz]"],
        ),
        ({"corpora": None}, ["corpora is empty", "a mapping"]),
        ({"corpora": {"a": CORPUS}, "memroy": 1}, ["memroy is not a setting", "memory"]),
        ({"corpora": {"a": CORPUS}, "bundles": 64}, ["bundles is not a setting"]),
        ({"corpora": {"a": CORPUS}, "memory": "lots"}, ["memory is 'lots'", "500M"]),
        ({"corpora": {"a": CORPUS}, "boilerplate": {"preset": "E"}}, ["boilerplate.preset is 'E'", "A, B, C, D"]),
        ({"corpora": {"a": CORPUS}, "blocks": {"threshold": 0}}, ["blocks.threshold is 0", "more than 0", "at most 1"]),
        ({"corpora": {"a": CORPUS}, "ngrams": {"n": "ten"}}, ["ngrams.n is 'ten'", "a whole number"]),
        ({"corpora": {"a": {"language": "en"}}}, ["corpora.a.archives is missing"]),
        ({"corpora": {"a": CORPUS | {"archives": "x.warc"}}}, ["corpora.a.archives is 'x.warc'", "a list"]),
        ({"corpora": {"a": CORPUS | {"from": ["x"]}}}, ["corpora.a has from and archives"]),
        ({"corpora": {"a": {"languages": ["en"], "from": ["x"]}}}, ["corpora.a has from and languages", "en"]),
        ({"corpora": {"a": FINISHED}, "templates": {"find": "remove"}}, ["templates.find is 'remove'", "all archives"]),
        ({"corpora": {"a": FINISHED}, "rights": {"robots_agent": "*"}}, ["rights.robots_agent is '*'", "from"]),
        ({"corpora": {"a": CORPUS | {"language": False}}}, ["corpora.a.language is false", "nb"]),
        ({"corpora": {"a": CORPUS | {"language": {"code": "en", "threshold": 7}}}}, ["language.threshold is 7"]),
        ({"corpora": {"languages": CORPUS}}, ["languages", "taken"]),
        (
            {"corpora": {"a": CORPUS}, "boilerplate": {"algorithm": "baseline", "length_low": 5}},
            ["corpora.a.boilerplate", "baseline", "'length_low'"],
        ),
        ({"corpora": {"../up": CORPUS}}, ["../up", "letters"]),
        ({"corpora": {"a": CORPUS | {"language": "a\0/b"}}}, ["corpora.a.language is 'a\\x00/b'", "NUL"]),
        ({"corpora": {"a": CORPUS | {"archives": ["x", "\ud800"]}}}, ["corpora.a.archives is '\\ud800'", "half"]),
        ({"corpora": {2024: CORPUS}}, ["corpora.2024", "quotes"]),
        ({"corpora": {"a": CORPUS}, "memroy": 1}, ["memroy is not a setting; did you mean memory?"]),
        ({"corpora": {"a": CORPUS}, "preset": "B"}, ["preset is not", "did you mean boilerplate.preset?"]),
        ({"corpora": {"a": CORPUS | {"corpus": {}}}}, ["corpora.a.corpus is not", "write it at the top level"]),
        (
            {"corpora": {"a": CORPUS}, "boilerplate": {"algorithm": "justex"}},
            ["did you mean justext?", "allowed: base"],
        ),
        (
            {"corpora": {"a": CORPUS}, "boilerplate": {"lenght_low": 1}},
            ["no parameter 'lenght_low'; did you mean length_low?"],
        ),
        ({"corpora": {"a": CORPUS}, "encoding": {"trust": "declare"}}, ["trust is 'declare'; did you mean declared?"]),
        ({"corpora": {"a": CORPUS | {"language": "cezch"}}}, ["corpora.a.language: ", "did you mean cs (Czech)?"]),
        # Whether heliport is installed, or not: it does not know North Frisian.
        (
            {"corpora": {"a": CORPUS | {"language": "frr"}}},
            ["corpora.a.language: no model of frr", "language make frr"],
        ),
        ({"corpora": {"a": CORPUS | {"language": "none/x.model"}}}, ["corpora.a.language: none/x.model: cannot read"]),
        ({"language": "xx", "corpora": {"a": {"archives": ["x"]}}}, ["config: language: unknown language 'xx'; built"]),
        (
            {"corpora": {"a": CORPUS | {"language": {"code": "en", "rivals": ["de", "xx"]}}}},
            ["corpora.a.language.rivals: unknown language 'xx'"],
        ),
        ({"corpora": {"a": CORPUS}, "language": {"rivals": ["xx"]}}, ["config: language.rivals: unknown language"]),
        (
            {"corpora": {"a": CORPUS | {"blocks": {"against": ["a"]}}}},
            ["corpora.a.blocks.against: a would wait for itself"],
        ),
        (
            {"corpora": {name: CORPUS | {"blocks": {"against": [other]}} for name, other in ("ab", "bc", "cb")}},
            ["corpora.b.blocks.against: b would wait for c, and so for itself"],
        ),
        (
            {"corpora": {"a": CORPUS | {"blocks": {"against": ["none/*.x"]}}}},
            ["corpora.a.blocks.against: 'none/*.x' is no corpus of this config, and no archive matches 'none/*.x'"],
        ),
        (
            {"corpora": {"a": CORPUS | {"blocks": {"against": ["c"]}}, "c": {"languages": ["cs"], "archives": ["x"]}}},
            ["corpora.a.blocks.against: c is a crawl of several languages; give the folder of the results"],
        ),
        ({"corpora": {"a": CORPUS}, "memory": "100M"}, ["config: memory is '100M': too little", "at least 250M"]),
        ({"corpora": {"a": CORPUS | {"memory": 5}}}, ["config: corpora.a.memory is 5: too little"]),
        (
            {"corpora": {"a": CORPUS}, "boilerplate": {"length_low": 40}},
            ["corpora.a.boilerplate: ", "length_low (40) is over length_high (30)"],
        ),
        (
            {"corpora": {"a": CORPUS}, "boilerplate": {"preset": "D", "stopwords_low": 0.3}},
            ["stopwords_low (0.3) is over stopwords_high (0.25)"],
        ),
        (
            {"corpora": {"a": CORPUS}, "encoding": {"min_bytes": "2M", "max_bytes": "1.5M"}},
            ["config: encoding.min_bytes (2M) is over max_bytes (1.5M)"],
        ),
        (
            {"corpora": {"a": CORPUS | {"encoding": {"min_bytes": "30 MB"}}}},
            ["corpora.a.encoding.min_bytes (30 MB) is over max_bytes (20MB)"],
        ),
        (
            {"corpora": {"a": CORPUS}, "boilerplate": {"algorithm": "content", "model": "no.model"}},
            ["boilerplate.model is 'no.model': there is no such file"],
        ),
        (
            {"corpora": {"a": CORPUS}, "boilerplate": {"algorithm": "content", "model": __file__}},
            ["boilerplate.model: ", "test_config.py: not a model; corpusprep train content makes one"],
        ),
        (
            {"corpora": {"a": CORPUS}, "boilerplate": {"algorithm": "content", "preset": "B"}},
            ["corpora.a.boilerplate: preset is 'B', but the algorithm content has no presets; leave it out"],
        ),
        (
            {"corpora": {"a": CORPUS}, "boilerplate": {"algorithm": "content", "model": "x" * 300}},
            ["boilerplate.model is 'xxx", "': cannot be read: File name too long"],
        ),
        ({"corpora": {"a": CORPUS}, "evaluation": {"data": "nothere"}}, ["evaluation.data is 'nothere'", "no such"]),
        ({"corpora": {"a": CORPUS}, "evaluation": {"data": "x" * 300}}, ["evaluation.data is 'xxx", "cannot be read"]),
        ({"corpora": {"ab" * 51: CORPUS}}, ["corpora.abab", "the name has 102 characters; allowed: at most 100"]),
        ({"corpora": {"corpus-" + "0" * 20: CORPUS}}, ["corpora.corpus-0000", "20 times, which Snakemake refuses"]),
        (
            {"corpora": {"a": CORPUS}, "encoding": {"first_date": "2024-06", "last_date": "2024-05-31"}},
            ["config: encoding.first_date (2024-06) is after last_date (2024-05-31)"],
        ),
        ({"corpora": {"a": CORPUS}, "encoding": {"first_date": "June"}}, ["first_date is 'June'", "2024-05-31"]),
        (
            {"corpora": {"a": CORPUS}, "encoding": {"hosts": ["http://a"]}},
            ["config: encoding.hosts: 'http://a' is not"],
        ),
        (
            {"corpora": {"a": CORPUS | {"encoding": {"urls": ["@none"]}}}},
            ["config: corpora.a.encoding.urls: none: the list cannot be read"],
        ),
        (
            {"corpora": {"a": CORPUS}, "encoding": {"hosts": [f"h{number}.example" for number in range(3000)]}},
            ["config: encoding: hosts and urls have ", "as @file"],
        ),
        (
            {"corpora": {"a": CORPUS | {"archives": [f"a folder/{number:06}.warc.gz" for number in range(40_000)]}}},
            ["config: corpora.a.archives: 40,000 entries are too long for a command line", "as @file"],
        ),
        (
            {"corpora": {"a": CORPUS | {"results": "out"}, "b": CORPUS | {"results": "out/a"}}},
            ["the folder of corpora.b (", "is inside that of a"],
        ),
        (
            {"corpora": {"a": CORPUS | {"blocks": {"unit": "document"}}}, "blocks": {"smoothing": False}},
            [
                "config: blocks.smoothing is false: with unit: document there is nothing to smooth",
                "unit: block or both",
            ],
        ),
        (
            {"corpora": {"a": CORPUS | {"blocks": {"unit": "both", "as_written": True}}}},
            ["config: corpora.a.blocks.as_written is true", "but unit is both"],
        ),
        (
            {"corpora": {"a": CORPUS}, "personal": {"find": ["email"], "mask": ["email", "ip"]}},
            ["config: personal.mask has ip, which find leaves out"],
        ),
        (
            {"corpora": {"a": CORPUS | {"personal": {"mask": ["email"], "replace": "hash"}}}},
            ["config: personal.key: hash and made_up need the path of a file with a secret"],
        ),
        ({"corpora": {"a": CORPUS}, "ngrams": {"n": 10.0}}, ["config: ngrams.n is 10.0; allowed: a whole number"]),
        (
            {"corpora": {"a": CORPUS}, "blocks": {"threshold": float("nan")}},
            ["config: blocks.threshold is nan: not a finite number"],
        ),
        (
            {"corpora": {"a": CORPUS | {"language": {"code": "en", "threshold": float("-inf")}}}},
            ["config: corpora.a.language.threshold is -inf: not a finite number"],
        ),
        (
            {"corpora": {"a": CORPUS}, "encoding": {"first_date": "2024-13"}},
            ["config: encoding.first_date is '2024-13', which is not in the calendar: month"],
        ),
        (
            {"corpora": {"a": {"languages": [False, "en"], "archives": ["a"]}}},
            ["config: corpora.a.languages has false: YAML reads an unquoted no as false", "nb for Norwegian"],
        ),
        ({"corpora": {False: CORPUS}}, ["config: corpora.false: YAML reads an unquoted no or off as false", "quotes"]),
        ({"corpora": {"a": CORPUS | {"language": {"threshold": 0.4}}}}, ["config: corpora.a.language.code is missing"]),
        ({"corpora": {"a": CORPUS}, "blocks": {"unit": "sentence"}}, ["blocks.unit is 'sentence'", "block", "both"]),
        (
            {"corpora": {"a": CORPUS | {"results": "out"}, "b": CORPUS}, "results": "out/a"},
            ["the folder of corpora.a (", "is the folder of all results"],
        ),
        ({"corpora": {"report.html": CORPUS}}, ["report.html", "corpora"]),
        ({"corpora": {"a": CORPUS}, "languages": {"frr": {"text": ["no.txt"]}}}, ["languages.frr.text: no.txt: there"]),
        (
            {"corpora": {"a": CORPUS}, "languages": {"frr": {"text": [__file__], "sample_encoding": "utf-9"}}},
            ["languages.frr.sample_encoding is 'utf-9'"],
        ),
        (
            {"corpora": {"a": CORPUS}, "languages": {"frr": {"text": [__file__], "encodings": ["latin-99"]}}},
            ["languages.frr.encodings: 'latin-99'"],
        ),
    ],
)
def test_a_mistake_is_named_in_one_line(config: dict[str, Any], parts: list[str]) -> None:
    """The message names the key, the value and what is allowed."""
    with pytest.raises(ConfigError) as error:
        resolve(config, SCHEMA)
    message = str(error.value)
    assert "\n" not in message
    assert [part for part in parts if part not in message] == []


def test_each_mistake_has_its_line() -> None:
    """Those of the schema, and what is checked behind it; what several corpora share is named once."""
    english: dict[str, Any] = {"language": "en", "archives": ["x"]}
    corpora = {
        "a": english | {"language": "xx"},
        "b": english | {"boilerplate": {"preset": "E"}, "blocks": {"unit": "document", "smoothing": False}},
        "c": english
        | {"blocks": {"threshold": 2}, "annotate": {"annotator": "nobody"}, "rights": {"refuse": ["disallow"]}},
        "d": {"language": "cs"},
        "e": english | {"language": False},
        "f": english | {"tokens": {"tokenizer": "none_such:x"}, "language": {"code": "en", "method": "none_such:y"}},
        "g": english | {"words": {"lists": ["lc 2", "lemma 3"]}},
    }
    with pytest.raises(ConfigError) as error:
        resolve({"corpora": corpora, "memroy": "1G", "memory": "1M", "languages": {"q": {"text": ["none"]}}}, SCHEMA)
    named = [line.partition(" is ")[0].partition(": ")[2] for line in str(error.value).splitlines()]
    assert sorted(name.partition(":")[0].partition(" (")[0] for name in named) == [
        "corpora.a.language",
        "corpora.b.blocks.smoothing",
        "corpora.b.boilerplate.preset",
        "corpora.c.annotate.annotator",
        "corpora.c.blocks.threshold",
        "corpora.c.rights.refuse",
        "corpora.d.archives",
        "corpora.e.language",
        "corpora.f.language.method",
        "corpora.f.tokens",
        "corpora.g.words.lists",
        "languages.q.text",
        "memory",
        "memroy",
    ]


OWN = "class Mine:\n    def __init__(self, least=1):\n        pass\n\ndef tokenise(text):\n    return text.split()\n"


@pytest.fixture(scope="module")
def own_code(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a user's own code."""
    folder = tmp_path_factory.mktemp("own")
    (folder / "config_own_b.py").write_text(OWN, encoding="utf-8")
    return folder


@pytest.mark.parametrize("length", [6, 60, 4000])
def test_archives_that_are_not_refused_fit_a_command_line(length: int) -> None:
    """As many as may stand in a config, with short and long names."""
    most = config_checks.MOST_PATTERN_BYTES // (length + len("--archive") + 18)
    archives = [f"{number:0{length}}" for number in range(most)]
    corpus = resolve({"corpora": {"a": CORPUS | {"archives": archives}}}, SCHEMA)["a"]
    options = [word for archive in corpus.archives for word in ("--archive", archive)]
    subprocess.run(["/bin/true", *options], check=True)


def test_own_code_is_looked_for_beside_the_config(tmp_path: Path) -> None:
    """Its folder becomes the setting `code`, relative to the working directory; nothing else gets one."""
    (tmp_path / "config_own_a.py").write_text(OWN, encoding="utf-8")
    own = {"boilerplate": {"algorithm": "config_own_a:Mine", "least": 2}}
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
        ({"boilerplate": {"algorithm": "config_own_b:Mine", "most": 1}}, "'most'; it takes least"),
        ({"boilerplate": {"algorithm": "config_own_b:Mine", "length_low": 1}}, "'length_low'; it takes least"),
        ({"boilerplate": {"algorithm": "justtext"}}, "'justtext'; did you mean justext? allowed: baseline, boiler"),
        ({"boilerplate": {"algorithm": "justtext"}}, "stopword-filter, "),
        ({"boilerplate": {"algorithm": 3}}, "module:name, such as my_module:MyName"),
        ({"boilerplate": {"least": 1}}, "content has no parameter 'least'; it has keep_code"),
        ({"boilerplate": {"parameters": {"length_low": 1}}}, "parameters is not a setting; write what is in it beside"),
        ({"tokens": {"tokenizer": "config_own_b:tokenize"}}, "corpora.a.tokens: config_own_b:tokenize: "),
        (
            {"tokens": {"tokenizer": "config_own_b"}},
            "tokenizer is 'config_own_b'; allowed: your own code as module:name",
        ),
        (
            {"corpus": {"formats": ["html"]}},
            "corpus.formats.0 is 'html'; allowed: blacklab, card, conllu, cqpweb, cwb, frequencies, jsonl, parquet,"
            " sketch, tei, text, vertical",
        ),
        ({"corpus": {"formats": []}}, "corpus.formats is []; allowed: a list, not empty"),
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


def test_words_of_icu_need_pyicu(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the first job, not in that of the stage tokens; a user's own tokeniser does without."""
    monkeypatch.setattr(word_dividers, "find_spec", lambda _: None)
    config = {"tokens": {"unspaced": "icu"}, "corpora": {"a": CORPUS}}
    with pytest.raises(ConfigError, match=r"^config: tokens\.unspaced: icu needs PyICU .*corpusprep\[icu\]'$"):
        resolve(config, SCHEMA)
    resolve(config | {"corpora": {"a": CORPUS | {"tokens": {"tokenizer": "shlex:split"}}}}, SCHEMA)


@pytest.mark.parametrize(
    ("corpus", "line"),
    [
        (
            {"language": "war"},
            "config: corpora.a.language: no model of war is built in; make one from a text (corpusprep",
        ),
        ({"languages": "all", "language": {"method": "heliport"}}, "config: corpora.a.language.method: heliport"),
        ({"languages": ["war"], "language": {"method": "heliport"}}, "config: corpora.a.language.method: heliport"),
    ],
)
def test_all_packages_are_missed_at_once(monkeypatch: pytest.MonkeyPatch, corpus: dict[str, Any], line: str) -> None:
    """Identifiers, too: one command installs what the config needs."""
    monkeypatch.setattr(section_checks, "find_spec", lambda _: None)
    monkeypatch.setattr(word_dividers, "find_spec", lambda _: None)
    monkeypatch.setattr(heliport_models, "find_spec", lambda _: None)
    heliport_models._margins.cache_clear()
    own = {"tokens": {"unspaced": "icu"}, "rights": {"robots_agent": "*"}}
    with pytest.raises(ConfigError) as error:
        resolve({"corpora": {"a": {"archives": ["a.warc.gz"], **corpus}}, **own}, load_schema())
    lines = in_one_command(str(error.value).splitlines())
    assert lines[0].startswith(line)
    assert len(lines) == 4
    assert lines[-1].endswith("-m pip install 'corpusprep[languages,icu,robots]'")


@pytest.mark.parametrize(
    ("results", "message"),
    [
        ("./", "must be a folder of its own"),
        ("/", "must be a folder of its own"),
        ("file", "file is not a folder"),
        ("file/deep/er", "file is not a folder"),
        ("dangling/x", "dangling is not a folder"),
        ("x" * 300, "File name too long"),
        ("/proc/results", "cannot be made: "),
    ],
)
def test_results_that_cannot_be_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, results: str, message: str
) -> None:
    """Is known before the first job."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    (tmp_path / "dangling").symlink_to("nowhere")
    with pytest.raises(ConfigError) as error:
        config_checks.check_results(results)
    assert str(error.value).startswith(f"config: results is {results!r}: ")
    assert message in str(error.value)


def test_results_that_can_be_made_are_not_made(tmp_path: Path) -> None:
    """The check of a dry run leaves nothing behind."""
    config_checks.check_results(str(tmp_path / "a" / "b"))
    assert list(tmp_path.iterdir()) == []
    config_checks.check_results(str(tmp_path))

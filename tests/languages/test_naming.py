"""Identifiers that name languages, and what they keep."""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest
from support import sentences

from corpusprep import languages
from corpusprep.config.settings import load_schema, resolve
from corpusprep.errors import ConfigError, OwnCodeError
from corpusprep.languages import naming
from corpusprep.languages.assignment import Filter, NamingAssigner
from corpusprep.languages.identifiers import METHODS
from corpusprep.languages.judges import judge_of
from corpusprep.languages.naming import Namer
from corpusprep.languages.tags import Tag

OWN = '''
class Words:
    """Names the language that the text begins with: a code, and the scores of it and of English."""

    languages = ("est", "hbs", "eng", "nob", "nno")

    def ranked(self, text):
        if text == "none":
            return []
        label, first, second = text.split()[:3]
        return [(label, float(first)), ("eng", float(second))]


class Wrong(Words):
    def ranked(self, text):
        return [("eng", 2.0)]


class Broken(Words):
    def ranked(self, text):
        raise ValueError("no idea")


class Unmade(Words):
    def __init__(self):
        raise RuntimeError("no model")
'''


@pytest.fixture(autouse=True)
def code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Writes an identifier of a user's own; returns its folder."""
    import sys

    (tmp_path / "own_words.py").write_text(OWN, encoding="utf-8")
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "own_words", raising=False)
    return tmp_path


def verdicts(
    code: Path, wanted: str, texts: Sequence[str], threshold: float = 0.0, margin: float | None = None
) -> list:
    """What the filter of a language without a model says of texts."""
    blank = languages.get("any")
    model = type(blank)(**{**vars(blank), "code": wanted})
    judge = judge_of(model, [], threshold, "own_words:Words", code, wanted, margin)
    return [(judged.verdict, judged.score, judged.rival) for judged in map(judge, texts)]


def test_a_language_is_kept_by_its_score_and_margin(code: Path) -> None:
    """A close second language, a low score, another language, no language."""
    texts = ["est 0.9 0.2", "est 0.9 0.85", "est 0.4 0.1", "fin 0.9 0.3", "none"]
    kept, other = "kept", "language_score"
    assert verdicts(code, "et", texts, 0.5, 0.1) == [
        (kept, 0.9, "en"),
        (other, 0.9, "en"),
        (other, 0.4, "en"),
        ("rival_language", 0.0, "fi"),
        (other, 0.0, "zxx"),
    ]
    assert [verdict for verdict, _, _ in verdicts(code, "et", texts)] == [kept, kept, kept, "rival_language", other]


def test_groups_and_scripts(code: Path) -> None:
    """Croatian is kept as Serbo-Croatian, where the identifier knows only that; a script must be that of the text."""
    latin, cyrillic = "hbs 0.9 0.1 ovo je tekst", "hbs 0.9 0.1 ово је овај текст на ћирилици"
    assert [verdict for verdict, _, _ in verdicts(code, "hr", [latin])] == ["kept"]
    found = verdicts(code, "sr-Cyrl", [latin, cyrillic])
    assert [(verdict, rival) for verdict, _, rival in found] == [("rival_language", "sh-Latn"), ("kept", "en-Cyrl")]
    assert [verdict for verdict, _, _ in verdicts(code, "no", ["nob 1 0", "nno 1 0"])] == ["kept", "kept"]
    assert [verdict for verdict, _, _ in verdicts(code, "nn", ["nob 1 0", "nno 1 0"])] == ["rival_language", "kept"]
    with pytest.raises(ConfigError, match="does not know the language fi"):
        verdicts(code, "fi", [])


def test_any_language_is_named(code: Path) -> None:
    """All is kept; an answer that is not sure is `und`."""
    judge = judge_of(languages.get("any"), [], 0.0, "own_words:Words", code, margin=0.2)
    judged = [judge(text) for text in ("est 0.9 0.2", "est 0.9 0.85", "none")]
    assert [(found.language, found.verdict) for found in judged] == [("et", "kept"), ("und", "kept"), ("zxx", "kept")]
    assert judged[0].rival == "en"


def test_documents_of_a_crawl_go_to_the_language_that_is_named(code: Path) -> None:
    """A language without a corpus is named, not taken for a neighbour; no language, and an answer that is not sure."""
    asked = {"et": Filter("own_words:Words", 0.5, margin=0.1), "hr": Filter("own_words:Words")}
    assign = NamingAssigner(Namer("own_words:Words", code, 0.3), asked)
    texts = ["est 0.9 0.7", "est 0.9 0.85", "est 0.4 0.1", "hbs 0.9 0.1", "hbs 0.9 0.7", "nob 0.9 0.1", "none"]
    found = [assign([text]) for text in texts]
    assert [(one.corpus, one.rest, one.language) for one in found] == [
        ("et", "", "et"),
        (None, "undecided", None),
        (None, "undecided", None),
        ("hr", "", "hr"),
        (None, "undecided", None),
        (None, "other_language", "nb"),
        (None, "no_language", "zxx"),
    ]
    with pytest.raises(ConfigError, match="does not know the language fi"):
        NamingAssigner(Namer("own_words:Words", code), {"fi": Filter("own_words:Words")})


def test_a_mixed_document_is_divided_by_what_is_named(code: Path) -> None:
    """Long blocks in two languages; a short one stays with the block before it."""
    asked = {"et": Filter("own_words:Words"), "en": Filter("own_words:Words")}
    assign = NamingAssigner(Namer("own_words:Words", code), asked, by_block=True)
    texts = [f"{label} 0.9 0 {'tekst ' * 20}" for label in ("est", "eng", "nob")]
    blocks = [3, 5, 6, 9]
    found = assign.portions(blocks, [texts[0], texts[1], "eng 1 0 few", texts[2]])
    assert [(one.assigned.corpus, one.assigned.language, one.runs) for one in found] == [
        ("et", "et", [0]),
        ("en", "en", [5]),
        (None, "nb", [9]),
    ]
    assert not assign.instead(found[0], blocks, texts)
    assert [one.runs for one in assign.portions([1, 2], texts[:1] * 2)] == [[]]


def test_models_name_languages_too() -> None:
    """Of the languages that are given; another one is not sure."""
    judge = judge_of(languages.get("any"), [languages.get(code) for code in ("cs", "sk", "en")], 0.0, METHODS[0])
    texts = [sentences.CZECH, sentences.SLOVAK, sentences.GREEK, "x = {y: [1, 2], z: (3, 4)}; print(x[y][0])" * 9]
    assert [judge(text).language for text in texts] == ["cs", "sk", "und", "zxx"]


def test_a_script_of_a_built_in_language() -> None:
    """Serbian in Cyrillic letters, by trigrams."""
    model = languages.get("sr")
    judge = judge_of(model, [], model.threshold, METHODS[0], wanted="sr-Cyrl")
    cyrillic = "Овај текст је написан на српском језику и зато га треба задржати у корпусу."
    latin = "Ovaj tekst je napisan na srpskom jeziku i zato ga ne treba zadržati u korpusu."
    assert [(judge(text).verdict, judge(text).rival) for text in (cyrillic, latin)] == [
        ("kept", None),
        ("rival_language", "sh-Latn"),
    ]


def test_what_the_config_says_of_a_language(code: Path) -> None:
    """Its step is told the tag where the identifier names languages, or the language has a script."""

    def told(language: object) -> tuple[str, dict[str, object]]:
        corpus = {"archives": ["a.warc"], **({"language": language} if language else {})}
        settled = resolve({"corpora": {"a": corpus}}, load_schema(), code, checked=False)["a"]
        return settled.language, {key: settled.sections["language"].get(key) for key in ("method", "tag")}

    own = "own_words:Words"
    assert told(None) == ("any", {"method": "trigrams", "tag": None})
    assert told({"method": own}) == ("any", {"method": own, "tag": None})
    assert told({"code": "hrv", "method": own}) == ("hrv", {"method": own, "tag": "hr"})
    assert told("sr-Cyrl") == ("sr-Cyrl", {"method": "trigrams", "tag": "sr-Cyrl"})
    assert told("cs") == ("cs", {"method": "trigrams", "tag": None})


def test_what_fails_is_named(code: Path) -> None:
    """In one line."""
    for name, message in (("Wrong", "ranked gave"), ("Broken", "ranked failed: .*no idea")):
        with pytest.raises(OwnCodeError, match=message):
            Namer(f"own_words:{name}", code)("a text")
    with pytest.raises(OwnCodeError, match=r"making it failed: .*no model"):
        Namer("own_words:Unmade", code)
    with pytest.raises(ConfigError, match="to name languages, use one of heliport, or the path of a model of fastText"):
        Namer("trigrams")


def test_models_of_fasttext_that_are_none(tmp_path: Path) -> None:
    """A missing file, and another one."""
    with pytest.raises(ConfigError, match=r"no such file: .*lid.ftz"):
        naming.check(Tag("et"), str(tmp_path / "lid.ftz"))
    if find_spec("fasttext"):
        (tmp_path / "lid.ftz").write_bytes(b"no model")
        with pytest.raises(ConfigError, match=r"lid.ftz: not a model of fastText"):
            Namer(str(tmp_path / "lid.ftz"))


@pytest.mark.skipif(find_spec("heliport") is not None, reason="heliport is installed")
def test_heliport_says_what_to_install() -> None:
    """In one line."""
    with pytest.raises(ConfigError, match=r"heliport is not installed: .*corpusprep\[languages\]"):
        naming.check(Tag("et"), "heliport")


@pytest.mark.skipif(find_spec("heliport") is None, reason="needs heliport (extra languages)")
def test_heliport() -> None:
    """Languages with and without a model of the package; hostile text."""
    namer = Namer("heliport")
    assert {"et", "sh", "nn", "zh", "fa", "cs"} <= namer.known
    texts = [sentences.CZECH, "Täna hommikul läksime metsa, sest ilm oli ilus ja päike paistis.", "12 34", ""]
    assert [namer(text).code for text in texts] == ["cs", "et", "zxx", "zxx"]
    assert namer("\0\ud800 Kas sa tead, kus mu raamatud on? Ma ei leia neid.").code == "et"
    with pytest.raises(ConfigError, match="heliport does not know the language nds"):
        naming.check(Tag("nds"), "heliport")

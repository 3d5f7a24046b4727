"""Taggers read sentences; the packages that are not installed are skipped."""

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusprep.annotation import built_in, settings, taggers
from corpusprep.annotation.taggers import Sentence, of_tokens, parts_of
from corpusprep.errors import ConfigError

NOTHING = {"annotator": settings.NONE, "command": "", "columns": [], "model": "", "threads": 1}


def vertical(lang: str, *sentences: str) -> list[bytes]:
    """A document; `_` in a sentence stands for missing white space, spaces for white space between tokens."""
    lines = [f'<doc id="1" lang="{lang}">', '<p heading="0" block="0">']
    for sentence in sentences:
        lines += ["<s>", *sentence.replace("_", " <g/> ").split(), "</s>"]
    return [f"{line}\n".encode() for line in (*lines, "</p>", "</doc>")]


def tagged(name: str, lang: str, *sentences: str, model: str = "") -> list[list[str]]:
    """The tokens of a document with their columns."""
    lines = built_in.annotated(vertical(lang, *sentences), built_in.load(name), model)
    return [line.decode().rstrip("\n").split("\t") for line in lines if not line.startswith(b"<")]


def test_japanese() -> None:
    """A token of several words of UniDic has the analyses of all; a part of one has the analysis of the whole."""
    pytest.importorskip("fugashi")
    assert tagged("fugashi", "ja", "日本語_の", "読_んだ_。") == [
        ["日本語", "日本+語", "名詞-固有名詞-地名-国+名詞-普通名詞-一般"],
        ["の", "の", "助詞-格助詞"],
        ["読", "読む", "動詞-一般"],
        ["んだ", "た", "助動詞"],
        ["。", "。", "補助記号-句点"],
    ]


def test_korean() -> None:
    """Each word has its morphemes; characters outside the basic plane shift nothing."""
    pytest.importorskip("kiwipiepy")
    assert tagged("kiwi", "ko", "나는 😀 갔다_.") == [
        ["나는", "나+는", "NP+JX"],
        ["😀", "😀", "W_EMOJI"],
        ["갔다", "가+었+다", "VV+EP+EF"],
        [".", ".", "SF"],
    ]


def test_chinese() -> None:
    """Words and single characters have the tag of jieba's word."""
    pytest.importorskip("jieba")
    assert tagged("jieba", "zh-Hans", "我们_的_语_言_。") == [
        *(["我们", "r"], ["的", "uj"], ["语", "n"], ["言", "n"], ["。", "x"])
    ]


def test_thai() -> None:
    """The words are tagged as they are."""
    pytest.importorskip("pythainlp")
    assert tagged("pythainlp", "th", "ภาษา_ไทย") == [["ภาษา", "NOUN"], ["ไทย", "PROPN"]]


def test_spacy(tmp_path: Path) -> None:
    """A pipeline is given the tokens and their spaces; its sentence does not reach over the border of ours."""
    spacy = pytest.importorskip("spacy")
    pipeline = spacy.blank("en")
    ruler = pipeline.add_pipe("attribute_ruler")
    ruler.add([[{"LOWER": "went"}]], {"TAG": "VBD", "POS": "VERB", "LEMMA": "go"})
    ruler.add([[{"IS_SENT_START": True}, {"LOWER": "home"}]], {"LEMMA": "wrong"}, index=1)
    pipeline.to_disk(tmp_path / "model")
    assert tagged("spacy", "en", "went", "home_'s", model=str(tmp_path / "model")) == [
        ["went", "go", "VBD", "VERB", "go-v"],
        ["home", "-", "-", "-", "-"],
        ["'s", "-", "-", "-", "-"],
    ]
    with pytest.raises(ConfigError, match="a pipeline of en, and the documents are in de"):
        tagged("spacy", "de", "ging", model=str(tmp_path / "model"))
    with pytest.raises(ConfigError, match="which spaCy cannot load"):
        tagged("spacy", "en", "went", model=str(tmp_path / "missing"))


TRAINED = "1\tShe\tshe\tPRON\tPRP\t_\t2\tnsubj\t_\t_\n2\twent\tgo\tVERB\tVBD\t_\t0\troot\t_\t_\n\n"


def test_udpipe(tmp_path: Path) -> None:
    """A model tags the tokens as they are."""
    udpipe = pytest.importorskip("ufal.udpipe")
    reader = udpipe.InputFormat.newConlluInputFormat()
    reader.setText(TRAINED * 9)
    learnt = udpipe.Sentences()
    sentence, error = udpipe.Sentence(), udpipe.ProcessingError()
    while reader.nextSentence(sentence, error):
        learnt.push_back(sentence)
    data = udpipe.Trainer.train(
        "morphodita_parsito", learnt, udpipe.Sentences(), "none", "models=1;iterations=2", "none", error
    )
    if isinstance(data, str):
        data = data.encode("latin-1", "surrogateescape")
    (tmp_path / "tiny.udpipe").write_bytes(data)
    assert tagged("udpipe", "en", "She went", model=str(tmp_path / "tiny.udpipe")) == [
        ["She", "she", "PRP", "PRON", "she-d"],
        ["went", "go", "VBD", "VERB", "go-v"],
    ]
    with pytest.raises(ConfigError, match="no model of UDPipe"):
        tagged("udpipe", "en", "She", model=str(tmp_path / "missing"))


def test_languages() -> None:
    """A document in another language is named, before anything is loaded."""
    with pytest.raises(ConfigError, match="does not know the language 'en'"):
        tagged("fugashi", "en", "x")


@given(st.lists(st.tuples(st.text("ab語", min_size=1, max_size=3), st.booleans()), max_size=6), st.randoms())
def test_each_token_has_values(tokens, chance) -> None:
    """However a tagger divides the text: no part is lost, and parts that are the tokens give their own values."""
    sentence = Sentence(tuple(word for word, _ in tokens), tuple(space for _, space in tokens))
    text = sentence.text
    cuts = sorted({0, len(text), *(chance.randrange(len(text) + 1) for _ in range(4))})
    words = [text[start:end] for start, end in pairwise(cuts)]
    parts = list(parts_of(text, ((word.strip(), (str(number),)) for number, word in enumerate(words))))
    assert all(text[part.start : part.end] == words[int(part.values[0])].strip() for part in parts)
    values = of_tokens(sentence, parts, 1)
    assert len(values) == len(tokens)
    named = {number for (value,) in values for number in value.split(taggers.JOINED)}
    assert {part.values[0] for part in parts} <= named
    own = list(parts_of(text, ((word, (word,)) for word in sentence.words)))
    assert of_tokens(sentence, own, 1) == [(word,) for word in sentence.words]


@pytest.mark.parametrize(
    ("section", "message"),
    [
        ({"annotator": "spacy"}, "model is missing: annotator is spacy"),
        ({"annotator": "fugashi", "model": "x"}, "which brings its own"),
        ({"command": "cat", "columns": ["tag"], "model": "x"}, "no annotator that takes one"),
    ],
)
def test_settings_of_models(section, message) -> None:
    """A model is for annotators that take one."""
    with pytest.raises(ConfigError, match=message):
        settings.settled(NOTHING | section)


def test_missing_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message has the names that pip knows."""
    monkeypatch.setattr(settings, "find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"needs fugashi unidic-lite: .* -m pip install fugashi unidic-lite$"):
        settings.check(settings.settled(NOTHING | {"annotator": "fugashi"}), "ja")


def test_model_files(tmp_path: Path) -> None:
    """A model that is a file is one of the files that the annotation is made again for."""
    model = tmp_path / "a.udpipe"
    model.touch()
    settled = settings.settled(NOTHING | {"annotator": "udpipe", "model": str(model)})
    assert settings.files(settled) == [str(model)]


def test_as_a_program() -> None:
    """As the step starts it, with the reason of a failure as its last message."""
    command = built_in.command("fugashi")
    done = subprocess.run(command, input=b"".join(vertical("en", "x")), capture_output=True, check=False)
    assert command[0] == sys.executable
    assert done.returncode == 1
    assert done.stderr.decode().splitlines()[-1] == "it does not know the language 'en'"

"""Accuracy on real text. The floors are measured values: they may be raised, not lowered."""

import importlib.util

import pytest

from corpusprep import extract, languages
from corpusprep.encoding import charsets, detection
from corpusprep.io import tsv
from corpusprep.languages import descriptions
from corpusprep.languages.calibrating import REPORTING, lines_of
from corpusprep.languages.calibration import paragraphs
from corpusprep.languages.rivals import RivalScorer
from corpusprep.languages.scoring import TrigramScorer
from studies.languages.confusions import page_texts

pytestmark = pytest.mark.data

#: Groups of close languages -> lowest share of each language's paragraphs that score highest on its own model.
CLOSE = {
    ("cs", "sk"): 1.0,
    ("nb", "da", "sv"): 1.0,
    ("es", "pt", "ca", "it", "fr"): 0.99,
    ("sh", "sl"): 1.0,
    ("ru", "uk", "bg", "mk"): 1.0,
    ("de", "nl", "en"): 1.0,
    ("ar", "fa", "ur"): 0.995,
    ("id", "fil"): 1.0,
    ("zh", "ja", "ko"): 1.0,
}
#: Languages that have another code in the data's file names.
FILES = {"sh": "hr", "fil": "tl"}
#: Lowest share of their own paragraphs that some languages keep: their thresholds are high for the sake of precision,
#: or some of their sentences are in another language.
KEPT = {"es": 0.92, "tr": 0.93, "nb": 0.9, "nn": 0.9, "ur": 0.94, "ro": 0.94, "cy": 0.95, "om": 0.95, "st": 0.96}


def with_sentences():
    """The built-in languages that calibration has sentences of; those of Malay are Indonesian."""
    rows = tsv.read(descriptions.folder() / descriptions.CALIBRATION)
    return {row["language"] for row in rows if row["precision"]} - {"ms"}


@pytest.fixture(scope="module")
def sample(unpacked):
    """Paragraphs of 200 to 400 characters in a language, from sentences that calibration did not see."""
    folder = unpacked("langid-dev") / "lingua-split" / "dev"

    def read(code, half=REPORTING):
        return paragraphs(lines_of(folder / f"{FILES.get(code, code)}.txt", half))

    return read


@pytest.mark.parametrize("group", CLOSE, ids=" ".join)
def test_close_languages_are_told_apart(sample, group):
    """Each paragraph scores highest on the model of its own language."""
    scorer = TrigramScorer([languages.get(code) for code in group])
    for number, code in enumerate(group):
        found = [max(range(len(group)), key=scorer.scores(part).__getitem__) for part in sample(code, None)]
        assert found.count(number) / len(found) >= CLOSE[group], code


def filter_of(code):
    """Returns a function that tells whether a text is kept in a corpus of the language."""
    own = languages.get(code)
    scorer = RivalScorer(own, [languages.get(rival) for rival in own.rivals])

    def passes(text):
        score, *others = scorer.scores(text)
        return score >= max(own.threshold, *others)

    return passes


@pytest.mark.parametrize("code", sorted(with_sentences()))
def test_a_language_keeps_its_own_text(sample, code):
    """Nearly all languages keep 97 of 100 paragraphs."""
    kept = list(map(filter_of(code), sample(code)))
    assert sum(kept) / len(kept) >= KEPT.get(code, 0.97)


def test_chinese_and_japanese_news_pages_are_kept(unpacked):
    """Their scores depend more on the subject than those of words with spaces."""
    for folder, code, least in (("daniel-dev", "zh", 138), ("fundus-train", "ja", 6)):
        texts = [text for language, text in page_texts(unpacked(folder)) if language == code]
        assert len(texts) >= least
        assert all(map(filter_of(code), texts))


@pytest.mark.parametrize("code", ["cs", "de", "el", "en", "id", "it", "nb", "nl", "pl", "ru", "sv"])
def test_a_language_refuses_the_text_of_others(sample, code):
    """At most 1 in 1,000 paragraphs of other languages passes, including close languages without a model."""
    passes = filter_of(code)
    others = sorted(with_sentences() - {code})
    kept = [passes(part) for other in others for part in sample(other)[:60]]
    assert sum(kept) / len(kept) <= 0.001


#: Folders of the data whose name gives the language -> its code.
CHARSET_LANGUAGES = {
    "big5": "zh", "gb2312": "zh", "euc-jp": "ja", "shift_jis": "ja", "euc-kr": "ko", "ibm866": "ru", "koi8-r": "ru",
    "iso-8859-2-croatian": "sh", "iso-8859-2-czech": "cs", "iso-8859-2-hungarian": "hu", "iso-8859-2-polish": "pl",
    "iso-8859-5-bulgarian": "bg", "iso-8859-5-russian": "ru", "iso-8859-7-greek": "el", "iso-8859-9-turkish": "tr",
    "windows-1250-hungarian": "hu", "windows-1250-slovak": "sk", "windows-1251-bulgarian": "bg",
    "windows-1251-russian": "ru", "windows-1254-turkish": "tr", "windows-1255-hebrew": "he",
    "windows-1256-arabic": "ar",
}  # fmt: skip


def test_encodings_of_pages_in_a_known_language_are_found(unpacked):
    """Every page in an encoding of the Web decodes as its label says."""
    wrong, pages = [], 0
    for folder in sorted((unpacked("charset-dev") / "chardet-tests").iterdir()):
        code = CHARSET_LANGUAGES.get(folder.name.lower())
        if code is None:
            continue
        name = folder.name.lower()
        label = name if name in {"shift_jis", "iso-8859-7"} or charsets.whatwg_name(name) else name.rpartition("-")[0]
        for path in sorted(folder.iterdir()):
            data = path.read_bytes()
            found, _ = detection.detect(data, languages.get(code))
            pages += 1
            if charsets.decode(data, found) != charsets.decode(data, label):
                wrong.append((folder.name, path.name, found))
    assert pages > 100
    assert wrong == []


@pytest.mark.slow
def test_a_model_of_thai_is_made_from_a_sample(unpacked, tmp_path):
    """Paragraphs of an encyclopedia: another kind of text is in the language, is found in its encoding, and is good."""
    data = unpacked("langid-dev")
    texts = {
        name: (data / "udhr" / "txt" / f"{name}.txt").read_text(encoding="utf-8") for name in ("tha", "lao", "khm")
    }
    model = languages.make("th", [(data / "xquad-paragraphs" / "th.txt").read_text(encoding="utf-8")])
    scorer = TrigramScorer([model])
    scores = {name: scorer.scores(text)[0] for name, text in texts.items()}
    assert scores["tha"] > model.threshold > 0.2
    assert max(scores["lao"], scores["khm"]) < 0.1
    paragraph = max(texts["tha"].splitlines(), key=len)
    assert detection.detect(charsets.encode(paragraph, "windows-874"), model)[0] == "windows-874"
    languages.save(model, tmp_path / "th.model")
    page = f"<p>{paragraph}<p>{max(texts['lao'].splitlines(), key=len)}"
    labels = [block.label for block in extract(page, str(tmp_path / "th.model"), "justext")]
    assert labels == ["good", "bad"]
    if importlib.util.find_spec("icu"):
        assert "ที่" in model.stop_list

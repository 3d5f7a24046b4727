"""Making language models: stop lists, spellings, models from a sample."""

import random
import sys

import pytest

from corpusprep import languages
from corpusprep.encoding.detection import detect
from corpusprep.errors import LanguageError
from corpusprep.languages.calibration import paragraphs
from corpusprep.languages.frequencies import of_wordfreq
from corpusprep.languages.making import STOP_LIST_COVERAGE
from corpusprep.languages.scoring import TrigramScorer


def sample(seed, words=8000, syllables=("ka", "lo", "mi", "šu", "te", "ra", "ño", "vi", "zu", "pe")):
    """Text of a made-up language: words of one to four syllables, the short ones often."""
    chance = random.Random(seed)
    lexicon = ["".join(chance.choices(syllables, k=1 + number // 40)) for number in range(160)]
    weights = [1 / (number + 1) for number in range(len(lexicon))]
    text = chance.choices(lexicon, weights, k=words)
    return "\n".join(" ".join(text[start : start + 12]).capitalize() + "." for start in range(0, words, 12))


class TestStopLists:
    def test_english_has_as_many_words_as_the_thesis_list(self):
        """The coverage is that of 319 words in English."""
        stop_list = languages.get("en").stop_list
        assert len(stop_list) == 319
        assert stop_list[:4] == ("the", "to", "and", "of")

    def test_length_follows_coverage(self):
        """Inflected languages need more words, others fewer."""
        lengths = {code: len(languages.get(code).stop_list) for code in ("nb", "en", "el", "cs", "ru")}
        assert lengths["nb"] < lengths["en"] < lengths["el"] < lengths["cs"] < lengths["ru"]

    def test_forms_are_lower_case_and_first_capital(self):
        """As in 2.9.9: no forms in capitals."""
        forms = languages.get("cs").stop_words
        assert {"že", "Že", "který", "Který"} <= forms
        assert "ŽE" not in forms

    @pytest.mark.parametrize(
        ("code", "forms"),
        [
            ("el", {"της", "Της", "τους"}),
            ("de", {"weiß", "weiss", "Weiß"}),
            ("tr", {"için", "İçin"}),
            ("ro", {"și", "şi", "Și", "Şi"}),
            ("sh", {"koji", "који", "Koji", "Који"}),
            ("zh", {"这", "這"}),
            ("fa", {"می", "مي"}),
        ],
    )
    def test_words_stand_as_they_are_written(self, code, forms):
        """Spellings lost by case folding are restored; other scripts and spellings are included."""
        assert forms <= languages.get(code).stop_words

    def test_final_sigma_only_ends_words(self):
        """No word ends in a non-final sigma."""
        assert not [word for word in languages.get("el").stop_list if len(word) > 1 and word.endswith("σ")]


@pytest.fixture(scope="module")
def made():
    """The model of a made-up language."""
    return languages.make("zz", [sample(1)], name="Zed", origin="made up")


class TestSample:
    def test_covers_the_share_of_words(self, made):
        """The stop list reaches the coverage, and would not without its last word."""
        words = sample(1).lower().replace(".", "").split()
        shares = [words.count(word) / len(words) for word in made.stop_list]
        assert sum(shares[:-1]) < STOP_LIST_COVERAGE <= sum(shares)

    def test_keeps_its_own_text_and_refuses_others(self, made):
        """The threshold is set on paragraphs that the model has not seen."""
        own, other = sample(1, 12000)[60000:], sample(1, 400, ("ba", "dy", "fo", "gem", "hux", "jiw"))
        scorer = TrigramScorer([made])
        assert all(scorer.scores(part)[0] >= made.threshold for part in paragraphs([own]))
        assert scorer.scores(other)[0] < made.threshold

    def test_finds_rivals_and_encodings(self, made):
        """Rivals are built-in languages; encodings are those that can write its letters."""
        assert set(made.rivals) <= set(languages.known())
        assert len(made.rivals) == 6
        assert made.encodings.names[-1] == "utf-8"
        assert detect("šuka ñolo ŠUKA".encode("windows-1252"), made)[0] == "windows-1252"

    def test_knows_where_it_comes_from(self, made):
        """The model has the origin and size of the sample."""
        assert (made.code, made.name, made.origin) == ("zz", "Zed", "made up, 8,000 words")

    def test_what_is_given_is_not_searched_for(self):
        """Encodings are given by any label, rivals by any code."""
        made = languages.make("zz", [sample(2)], encodings=["latin2"], rivals=["no"], threshold=0.4)
        assert made.encodings.names == ("iso-8859-2", "utf-8")
        assert (made.rivals, made.threshold) == (("nb",), 0.4)

    def test_a_built_in_code_keeps_what_is_known_beside_the_words(self):
        """A model of English from another sample keeps the description of English."""
        made = languages.make("en", [sample(3)], rivals=["de"], threshold=0.3)
        assert "Mr." in made.abbreviations
        assert "n't" in made.clitics
        assert made.encodings.names == ("windows-1252", "utf-8")

    def test_a_stop_list_covers_what_is_asked(self):
        """Another coverage gives another length."""
        short, long = (languages.make("en", coverage=coverage).stop_list for coverage in (0.3, 0.7))
        assert len(short) < 319 < len(long)
        assert long[: len(short)] == short

    def test_a_sample_in_two_languages_is_refused(self):
        """The message gives the other language and its share of the sample."""
        russian = of_wordfreq("ru")
        other = " ".join(random.Random(7).choices(russian.words, russian.shares.tolist(), k=6000))
        with pytest.raises(LanguageError, match=r"more than one language: \d\d% of its paragraphs are in Russian"):
            languages.make("zz", [sample(1), other])

    def test_a_sample_without_spaces_is_counted_in_characters(self, monkeypatch):
        """Without a word breaker, a character is a word, and the word length is the usual one for the script."""
        monkeypatch.setitem(sys.modules, "icu", None)
        made = languages.make("th", ["ภาษาไทยเป็นภาษาที่มีระดับเสียงของคำแน่นอน " * 500])
        assert (made.characters_per_word, len(made.trigrams[0].keys) > 20) == (3.9, True)
        assert all(len(word) == 1 for word in made.stop_list)

    def test_a_word_breaker_gives_words(self):
        """ICU's word breaker is used if it is installed."""
        pytest.importorskip("icu")
        made = languages.make("th", ["ภาษาไทยเป็นภาษาที่มีระดับเสียงของคำแน่นอน " * 500])
        assert "ภาษา" in made.stop_list
        assert 2 < made.characters_per_word < 5

    @pytest.mark.parametrize("broken", [False, True])
    def test_a_small_sample_without_spaces_is_refused(self, monkeypatch, broken):
        """It has about the same number of words with and without a word breaker."""
        if broken:
            pytest.importorskip("icu")
        else:
            monkeypatch.setitem(sys.modules, "icu", None)
        with pytest.raises(LanguageError, match=r"(1,9|2,[0-2])\d\d words.*5,000"):
            languages.make("th", ["ภาษาไทยเป็นภาษาที่มีระดับเสียงของคำแน่นอน " * 200])

    @pytest.mark.parametrize(
        ("code", "text", "encodings"),
        [
            ("th", "ทุกคนมีสิทธิในชีวิต เสรีภาพ และความมั่นคงแห่งบุคคล ", ("windows-874", "utf-8")),
            ("lo", "ທຸກຄົນມີສິດໃນຊີວິດ ເສລີພາບ ແລະຄວາມປອດໄພຂອງຕົນ ", ("utf-8",)),
            ("km", "មនុស្សគ្រប់រូបមានសិទ្ធិរស់រានមានជីវិត សេរីភាព និងសន្តិសុខ ", ("utf-8",)),
            ("my", "လူတိုင်း၌ အသက်ရှင်ရန် လွတ်လပ်မှုနှင့် လုံခြုံစိတ်ချခွင့် ရှိသည်။ ", ("utf-8",)),
        ],
    )
    def test_scripts_without_spaces(self, monkeypatch, code, text, encodings):
        """A text in the language reaches the threshold of its model, and no other language is close to it."""
        monkeypatch.setitem(sys.modules, "icu", None)
        made = languages.make(code, [text * 700])
        assert made.encodings.names == encodings
        assert made.rivals == ()
        assert made.characters_per_word == 3.9
        assert TrigramScorer([made]).scores(text)[0] > made.threshold > 0

    def test_a_small_sample_is_refused(self):
        """The message gives its size and the smallest size."""
        with pytest.raises(LanguageError, match=r"4,000 words.*5,000"):
            languages.make("zz", [sample(1, 4000)])

    @pytest.mark.parametrize("label", ["latin-nonsense", "utf-16", "iso-2022-kr"])
    def test_an_encoding_that_cannot_be_detected_is_refused(self, label):
        """The message names the label."""
        with pytest.raises(LanguageError, match=label):
            languages.make("en", encodings=[label])


def test_paragraphs_have_the_length_of_a_block():
    """Short lines are joined, long ones cut, and a short rest is dropped."""
    parts = paragraphs(["a" * 90 + "\n" + "b" * 150, "c" * 1000 + "\nshort"])
    assert [len(part) for part in parts] == [241, 400, 400, 200]

"""Labels, declarations, decoding and detection of encodings."""

import dataclasses
import functools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import sentences

from corpusprep import languages
from corpusprep._native.charsets import count_controls, decode_single_bytes
from corpusprep.archive.labels import LABELS_BY_NAME, NAMES
from corpusprep.encoding import byte_trigrams, charsets, detection

SINGLE_BYTE = sorted(
    name
    for name in LABELS_BY_NAME
    if name.startswith(("iso-8859", "windows-", "koi8", "ibm", "x-mac", "macintosh", "x-user"))
)


class TestLabels:
    @pytest.mark.parametrize(
        ("label", "name"),
        [
            ("iso-8859-1", "windows-1252"),
            ("US-ASCII", "windows-1252"),
            (" Latin1\n", "windows-1252"),
            ("iso-8859-9", "windows-1254"),
            ("tis-620", "windows-874"),
            ("gb2312", "gbk"),
            ("x-sjis", "shift_jis"),
            ("ks_c_5601-1987", "euc-kr"),
            ("visual", "iso-8859-8"),
            ("logical", "iso-8859-8-i"),
            ("unicode", "utf-16le"),
            ("hz-gb-2312", "replacement"),
            ("utf8", "utf-8"),
        ],
    )
    def test_labels_have_the_meaning_that_browsers_give_them(self, label, name):
        """Supersets and surrounding white space follow the standard."""
        assert charsets.whatwg_name(label) == name

    @pytest.mark.parametrize("label", ["", "utf-7", "iso-8859-12", "cp437", "none", "utf‐8"])
    def test_other_labels_mean_nothing(self, label):
        """Labels that are not in the standard have no name."""
        assert charsets.whatwg_name(label) is None

    def test_the_table_is_the_standards_size(self):
        """There are 228 labels of 40 encodings, and every name is also a label."""
        assert (len(NAMES), len(LABELS_BY_NAME)) == (228, 40)
        assert all(NAMES[name] == name for name in LABELS_BY_NAME)


class TestDecode:
    def test_windows_1252_gives_control_characters_where_it_defines_nothing(self):
        """The five bytes without a character are C1 controls, not errors."""
        assert charsets.decode(b"\x80\x81\x8d\x8f\x90\x9d\xe9", "iso-8859-1") == ("€\x81\x8d\x8f\x90\x9dé", 0)

    def test_undefined_bytes_beyond_the_controls_are_counted(self):
        """windows-1253 has no character at AA, D2 and FF."""
        assert charsets.decode(b"\xaa\xd2\xff\xe1", "windows-1253") == ("���α", 3)

    def test_a_replacement_character_of_the_page_is_not_counted(self):
        """U+FFFD may be a character of the page."""
        assert charsets.decode("a\ufffd".encode() + b"\xff\xfe", "utf-8") == ("a\ufffd\ufffd\ufffd", 2)

    @pytest.mark.parametrize("encoding", ["gbk", "big5", "euc-jp", "shift_jis", "euc-kr"])
    def test_markup_after_half_a_character_survives(self, encoding):
        """An ASCII byte that cannot be the second half is kept."""
        text, undecodable = charsets.decode(b"a\x81<p>", encoding)
        assert text.endswith("<p>")
        assert undecodable == 1

    @pytest.mark.parametrize(
        ("data", "encoding", "text"),
        [
            (b"\xad\xa1\xad\xea", "euc-jp", "①㈱"),
            (b"\x87\x40\x87\x8a", "shift_jis", "①㈱"),
            (b"\x80", "gbk", "€"),
            (b"\xae\xbe", "koi8-u", "ўЎ"),
            (b"\xca", "windows-1255", "\u05ba"),
            (b"\xdb", "macintosh", "€"),
            (b"\xc3\xec", "windows-1258", "Ắ"),
            (b"\x80\xff", "x-user-defined", "\uf780\uf7ff"),
            (b"\xc7\xd1\x81\x41", "ks_c_5601-1987", "한갂"),
        ],
    )
    def test_characters_that_browsers_know(self, data, encoding, text):
        """Rows of vendors and later additions, which Python's codecs do not all have."""
        assert charsets.decode(data, encoding) == (text, 0)

    @pytest.mark.parametrize(
        ("data", "text", "undecodable"),
        [
            (b"a\xed\xa0\xbd\xed\xb8\x80b", "a😀b", 0),
            (b"\xed\xa0\xbd\xed\xb8", "\ufffd\ufffd\ufffd", 3),
            (b"\xed\xa0\xbd<p>", "\ufffd<p>", 1),
            (b"\xed\xb8\x80\xed\xa0\xbd", "\ufffd\ufffd", 2),
            (b"\xed\xa0\xbd\xed\xa0\xbd\xed\xb8\x80", "\ufffd😀", 1),
            ("\ufffd".encode() + b"\xed\xa0\xbd\xff", "\ufffd\ufffd\ufffd", 2),
            (b"\xc0\xaf\xe0\x80\xaf", "\ufffd" * 5, 5),
        ],
    )
    def test_encoded_surrogates_are_paired(self, data, text, undecodable):
        """A pair is a character, as Java writes it; one without a partner is one error; overlong forms stay errors."""
        assert charsets.decode(data, "utf-8") == (text, undecodable)

    @pytest.mark.parametrize("name", ["utf-8", "utf-16le", "utf-16be"])
    def test_its_own_byte_order_mark_is_no_text(self, name):
        """A byte order mark does not become U+FEFF."""
        codec = {"utf-8": "utf-8"}.get(name, name.replace("16", "-16").replace("--", "-"))
        assert charsets.decode("\ufeffé".encode(codec), name) == ("é", 0)

    def test_encodings_that_browsers_refuse_give_one_replacement_character(self):
        """iso-2022-kr and similar encodings are `replacement`."""
        assert charsets.decode(b"abc", "iso-2022-kr") == ("\ufffd", 1)

    @pytest.mark.parametrize("name", ["utf-8", "utf-16le", "gbk", "gb18030"])
    def test_a_page_with_the_character_and_errors(self, name):
        """Characters of the page and errors in it are told apart."""
        codec = {"utf-16le": "utf-16-le", "gbk": "gb18030"}.get(name, name)
        broken = b"\x00\xd8a\0" if name == "utf-16le" else b"\xff"
        assert charsets.decode("é\ufffd".encode(codec) + broken, name)[1] == 1
        assert charsets.decode("é".encode(codec) + broken, name)[1] == 1
        assert charsets.decode("é\ufffd".encode(codec), name) == ("é\ufffd", 0)

    @given(st.binary(max_size=60), st.sampled_from([*LABELS_BY_NAME, "no-such-encoding"]))
    def test_never_fails_and_counts_what_it_replaces(self, data, encoding):
        """Any bytes in any encoding give a text and the number of U+FFFD."""
        text, undecodable = charsets.decode(data, encoding)
        assert 0 <= undecodable <= text.count("\ufffd")
        if encoding in SINGLE_BYTE:
            assert undecodable == text.count("\ufffd")

    @pytest.mark.parametrize("name", [name for name in SINGLE_BYTE if name != "windows-1258"])
    def test_single_bytes_round_trip(self, name):
        """Decoding and encoding in a single-byte encoding gives the same bytes."""
        known = bytes(byte for byte in range(256) if charsets.decode(bytes([byte]), name)[1] == 0)
        assert charsets.encode(charsets.decode(known, name)[0], name) == known

    def test_vietnamese_tones_are_composed(self):
        """windows-1258 has separate tone marks; the text has composed letters."""
        text = "Tiếng Việt được viết bằng chữ quốc ngữ"
        assert charsets.decode(charsets.encode(text, "windows-1258"), "windows-1258") == (text, 0)


class TestDeclared:
    @pytest.mark.parametrize(
        ("page", "name"),
        [
            (b"<meta charset=utf-8>", "utf-8"),
            (b"<META CHARSET='ISO-8859-1' />", "windows-1252"),
            (b'<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-2">', "iso-8859-2"),
            (b"<meta content='text/html;charset = \"koi8-r\"' http-equiv=content-type>", "koi8-r"),
            (b'<meta/charset="big5">', "big5"),
            (b"<!-- <meta charset=utf-8> --><meta charset=windows-1250>", "windows-1250"),
            (b"<!--><meta charset=windows-1250>", "windows-1250"),
            (b'<a title="<meta charset=utf-8>"><meta charset=gb2312>', "gbk"),
            (b"<meta charset=nonsense><meta charset=euc-kr>", "euc-kr"),
            (b"<meta charset=utf-16>", "utf-8"),
            (b"<meta charset=x-user-defined>", "windows-1252"),
            (b'<?xml version="1.0" encoding="windows-1251"?><html>', "windows-1251"),
            (b"<?xml version='1.0' encoding='utf-16'?><html>", "utf-8"),
            (b'<?xml version="1.0" encoding="koi8-r"?><meta charset=utf-8>', "utf-8"),
            ('<?xml version="1.0"?>'.encode("utf-16-le"), "utf-16le"),
            ('<?xml version="1.0"?>'.encode("utf-16-be"), "utf-16be"),
        ],
    )
    def test_finds_the_declaration(self, page, name):
        """The prescan of the HTML standard, with its exceptions."""
        assert charsets.declared_meta(page) == name

    @pytest.mark.parametrize(
        "page",
        [
            b"",
            b"<",
            b"<meta charset",
            b"<meta charset=",
            b'<meta charset="utf-8',
            b"<metacharset=utf-8>",
            b'<meta content="text/html; charset=utf-8">',
            b'<meta name=description content="charset=utf-8">',
            b"<!-- <meta charset=utf-8>",
            b"<p><?xml encoding='utf-8'?>",
            b" " * 5000 + b"<meta charset=utf-8>",
        ],
    )
    def test_finds_nothing_where_nothing_is_declared(self, page):
        """Incomplete declarations, comments, other attributes, and declarations after the prescan."""
        assert charsets.declared_meta(page) is None

    def test_a_late_declaration_is_found_on_demand(self):
        """The parser of browsers meets it; the text of scripts and styles declares nothing."""
        styles = (
            b"<style>" + b".a{color:red}" * 400 + b"<meta charset=big5></style><script>'<meta charset=koi8-r>'</script>"
        )
        page = styles + b"<title><meta charset=euc-kr></title><META\nCHARSET=gb2312>"
        assert charsets.declared_meta(page) is None
        assert charsets.declared_meta(page, late=True) == "gbk"
        assert charsets.declared_meta(styles, late=True) is None

    @pytest.mark.parametrize("page", [b"<" * 1_000_000, b"<script>" * 100_000, b"<meta" + b" a" * 500_000])
    def test_a_late_declaration_takes_linear_time(self, page):
        """Hostile pages are searched once."""
        assert charsets.declared_meta(page + b"<meta charset=x>", late=True) is None

    @given(
        st.lists(
            st.sampled_from(
                [b"<meta ", b"charset", b"=", b'"', b"'", b"utf-8", b">", b"<!--", b"-->", b"/", b"<?xml encoding"]
            )
        ).map(b"".join)
    )
    def test_never_fails(self, page):
        """Any mixture of markup gives a name or None."""
        assert charsets.declared_meta(page) in {None, "utf-8"}
        assert charsets.declared_meta(page, late=True) in {None, "utf-8"}

    @pytest.mark.parametrize(
        ("data", "name"),
        [
            (b"\xef\xbb\xbfa", "utf-8"),
            (b"\xff\xfea\0", "utf-16le"),
            (b"\xfe\xff\0a", "utf-16be"),
            (b"\xef\xbba", None),
            (b"", None),
        ],
    )
    def test_byte_order_marks(self, data, name):
        """Only complete marks count."""
        assert charsets.bom(data) == name


LEGACY = [
    ("cs", sentences.CZECH, "windows-1250"),
    ("cs", sentences.CZECH, "iso-8859-2"),
    ("pl", sentences.POLISH, "windows-1250"),
    ("pl", sentences.POLISH, "iso-8859-2"),
    ("de", sentences.GERMAN, "windows-1252"),
    ("el", sentences.GREEK, "windows-1253"),
    ("el", sentences.GREEK, "iso-8859-7"),
    ("ru", sentences.RUSSIAN, "windows-1251"),
    ("ru", sentences.RUSSIAN, "koi8-r"),
    ("ru", sentences.RUSSIAN, "ibm866"),
    ("ru", sentences.RUSSIAN, "iso-8859-5"),
    ("sh", sentences.SERBIAN_CYRILLIC, "windows-1251"),
    ("ja", sentences.JAPANESE, "shift_jis"),
    ("ja", sentences.JAPANESE, "euc-jp"),
    ("ja", sentences.JAPANESE, "iso-2022-jp"),
    ("zh", sentences.CHINESE, "gbk"),
    ("ko", sentences.KOREAN, "euc-kr"),
    ("fa", sentences.PERSIAN.replace("ی", "ي").replace("ک", "ك"), "windows-1256"),
]


class TestDetect:
    @pytest.mark.parametrize(("code", "text", "encoding"), LEGACY, ids=[f"{c}-{e}" for c, _, e in LEGACY])
    def test_tells_a_languages_encodings_apart(self, code, text, encoding):
        """Four lines, and each line alone, decode to the original text."""
        model = languages.get(code)
        for part in (text, *text.splitlines()):
            data = charsets.encode(part, encoding)
            found, score = detection.detect(data, model)
            assert charsets.decode(data, found) == charsets.decode(data, encoding)
            assert 0 <= score <= 1

    @pytest.mark.parametrize(("code", "text", "encoding"), LEGACY[:2])
    def test_markup_does_not_disturb(self, code, text, encoding):
        """Tags between the words change nothing."""
        page = "<html><body>" + "".join(f"<b>{word}</b>" for word in text.split()) + "</body></html>"
        assert detection.detect(charsets.encode(page, encoding), languages.get(code))[0] == encoding

    @pytest.mark.parametrize(("code", "text", "encoding"), LEGACY, ids=[f"{c}-{e}" for c, _, e in LEGACY])
    def test_valid_utf_8_settles_it(self, code, text, encoding):
        """Valid UTF-8 is detected with score 1 in every language."""
        assert detection.detect(text.encode(), languages.get(code)) == ("utf-8", 1.0)

    @pytest.mark.parametrize("data", [b"", b"plain <b>ASCII</b>"])
    def test_ascii_is_utf_8(self, data):
        """ASCII is valid UTF-8."""
        assert detection.detect(data, languages.get("cs")) == ("utf-8", 1.0)

    def test_utf_8_with_faults_is_still_utf_8(self):
        """A stray byte, and a character cut off at the end."""
        data = sentences.CZECH.encode()
        name, score = detection.detect(data[:200] + b"\xe9" + data[200:-1] + b"\xc4", languages.get("cs"))
        assert name == "utf-8"
        assert detection.MOSTLY_UTF8 < score < 1.0
        assert detection.detect("Dobrý večer, š".encode()[:-1], languages.get("cs")) == ("utf-8", 1.0)

    @pytest.mark.parametrize("code", ["en", "cs", "ru", "zh"])
    def test_emoji_as_encoded_surrogates_are_utf_8(self, code):
        """Java and older databases write them; they say as much for UTF-8 as other characters do."""
        data = "It’s ".encode() + b"\xed\xa0\xbd\xed\xb8\x80" * 20
        assert detection.detect(data, languages.get(code)) == ("utf-8", 1.0)
        assert detection.detect(data + b" \xe9!", languages.get(code))[0] == "utf-8"

    def test_more_characters_than_errors_are_utf_8(self):
        """Arrows are in no model of a language, and a single stray letter does not outweigh them."""
        data = "→ → → ".encode() + b"the caf\xe9 "
        assert detection.detect(data, languages.get("fr")) == ("utf-8", 0.75)

    def test_garbage_does_not_outweigh_a_text(self):
        """Invalid bytes that are no text in any encoding say nothing for the other candidates."""
        garbage = b" \xff\xc0\xaf" * 20
        for declared in ([], ["utf-8"], ["windows-1252"]):
            assert detection.detect("It’s here".encode() + garbage, languages.get("en"), declared)[0] == "utf-8"
        assert detection.detect(b"here" + garbage, languages.get("en"), ["utf-8"]) == ("utf-8", 0.0)

    def test_text_in_another_encoding_outweighs_few_characters_of_utf_8(self):
        """A footer in UTF-8, on a page in windows-1250 that is declared as UTF-8."""
        data = charsets.encode(sentences.CZECH, "windows-1250") + "© “2011”".encode()
        assert detection.detect(data, languages.get("cs"), ["utf-8"])[0] == "windows-1250"
        assert detection.detect(b"Ren\xe9e and Zo\xeb", languages.get("en"), ["utf-8"])[0] == "windows-1252"

    @pytest.mark.parametrize(
        ("data", "code", "declared", "name"),
        [
            (b"x\xb8x", "fr", "iso-8859-15", "iso-8859-15"),
            (b"x\xb8x", "fr", "windows-1252", "windows-1252"),
            ("한국어 안내".encode("euc-kr"), "en", "euc-kr", "euc-kr"),
            ("株式会社です".encode("iso-2022-jp"), "en", "iso-2022-jp", "iso-2022-jp"),
            ("株式会社です".encode("shift_jis"), "en", "shift_jis", "shift_jis"),
            (b"\x9f\x9f\x9f", "en", "shift_jis", "windows-1252"),
            ("株式会社 \x1b$B".encode(), "ja", "iso-2022-jp", "utf-8"),
            ("Dobrý den".encode("iso-8859-2"), "cs", "utf-16le", "windows-1250"),
            ("žluťoučký kůň".encode(), "cs", "windows-1250", "utf-8"),
            ("žluťoučký kůň".encode("windows-1250"), "cs", "gbk", "windows-1250"),
        ],
    )
    def test_a_declaration_decides_where_the_bytes_do_not(self, data, code, declared, name):
        """It may name an encoding that is not used in the language; what the bytes show is stronger."""
        assert detection.detect(data, languages.get(code), [None, declared])[0] == name

    def test_a_declaration_that_all_bytes_are_against_does_not_count(self):
        """The second one may be right: the header says UTF-8 of all pages of a server."""
        data = "안내 한국어".encode("euc-kr")
        assert detection.detect(data, languages.get("en"), ["utf-8", "euc-kr"])[0] == "euc-kr"

    def test_a_language_with_utf_8_only(self):
        """Lao has no other encoding on the Web; a page in another one may declare it."""
        model = dataclasses.replace(
            languages.get("cs"), encoding_names=("utf-8",), encoding_source=lambda: byte_trigrams.model_of(
                WORDS, np.array(SHARES), [], str.capitalize
            )
        )  # fmt: skip
        assert detection.detect(b"caf\xe9", model) == ("utf-8", 0.0)
        assert detection.detect(b"caf\xe9", model, ["windows-1252"]) == ("windows-1252", 0.0)

    @pytest.mark.parametrize(("code", "text", "encoding"), LEGACY, ids=[f"{c}-{e}" for c, _, e in LEGACY])
    def test_half_in_another_encoding_is_one_of_both(self, code, text, encoding):
        """Nothing fails; what the chosen encoding does not have is counted, in less than the other half."""
        data = text.encode() + charsets.encode(text, encoding)
        found, _ = detection.detect(data, languages.get(code))
        assert charsets.decode(data, found)[1] <= len(data) / 2

    def test_a_last_byte_alone_is_not_the_beginning_of_utf_8(self):
        """`café` in windows-1252 ends in a byte that could begin a character."""
        assert detection.detect(b"caf\xe9", languages.get("fr"))[0] == "windows-1252"

    def test_control_characters_speak_against_iso_8859(self):
        """Where windows-1250 has letters, iso-8859-2 has control characters, which no text has."""
        data = "Při měření řek a údolí výšky břehů něco ušlo.".encode("windows-1250")
        name, score = detection.detect(data, languages.get("cs"))
        assert (name, score > 0.3) == ("windows-1250", True)
        assert detection._left_by_controls(b"\x9a\xec\xe1\xe9\xed") == pytest.approx(0.5)
        assert [detection._left_by_controls(data) for data in (b"ascii \x1f", b"\x9a")] == [1.0, 0.0]

    def test_utf_16_with_and_without_a_mark(self):
        """Recognised by a mark, or by the NUL bytes of markup."""
        page = "<html><body><p>" + sentences.GREEK
        model = languages.get("el")
        assert detection.detect(page.encode("utf-16"), model)[0].startswith("utf-16")
        assert detection.detect(page.encode("utf-16-le"), model) == ("utf-16le", 1.0)
        assert detection.detect(page.encode("utf-16-be"), model) == ("utf-16be", 1.0)

    def test_nothing_to_go_by_gives_the_languages_most_used(self):
        """Bytes that occur in no text of the language give its most used encoding."""
        assert detection.detect(b"\xff\xff\xff \xff", languages.get("pl")) == ("iso-8859-2", 0.0)

    @settings(deadline=None)  # the first example makes the model
    @given(st.binary(max_size=200))
    def test_never_fails(self, data):
        """Any bytes give one of the candidates or a Unicode encoding."""
        model = languages.get("cs")
        for declared in ([], ["utf-8"], ["big5", "replacement"]):
            name, score = detection.detect(data, model, declared)
            assert name in {*model.encodings.names, "utf-16le", "utf-16be", *declared[:1]}
            assert 0.0 <= score <= 1.0


WORDS = "že příliš kůň žluťoučký šťastný dům ďábel úpěl ódy naše štěstí život déšť ťal".split()
SHARES = [1 / (number + 2) / 10 for number in range(len(WORDS))]
CANDIDATES = ("windows-1250", "iso-8859-2", "windows-1252", "utf-8")


def plain_trigrams(data):
    """Returns the byte trigrams of a text, with a space at each end."""
    padded = b" " + data + b" "
    return [padded[i : i + 3] for i in range(len(data))]


def folded(data):
    """Replaces ASCII characters other than letters by spaces."""
    return bytes(byte if byte >= 0x80 or chr(byte).isalpha() else 0x20 for byte in data)


@functools.cache
def plain_vectors():
    """Returns encoding -> trigram -> frequency, as dictionaries."""
    forms = []
    for word, share in zip(WORDS, SHARES, strict=True):
        forms += [
            (word, share),
            (word.capitalize(), share * byte_trigrams.FIRST_CAPITAL),
            (word.upper(), share * byte_trigrams.CAPITALS),
            *((mark.format(word), share * byte_trigrams.BESIDE_MARK) for mark in byte_trigrams.MARKS),
        ]
    vectors = {encoding: Counter() for encoding in CANDIDATES}
    for encoding, vector in vectors.items():
        for form, share in forms:
            for trigram in plain_trigrams(charsets.encode(form, encoding)):
                if b"?" not in trigram and max(folded(trigram)) >= 0x80:
                    vector[folded(trigram)] += share
    return vectors


@functools.cache
def encoding_model():
    """The same model as arrays."""
    return byte_trigrams.model_of(WORDS, np.array(SHARES), CANDIDATES, str.capitalize)


def test_trigrams_with_one_frequency_in_all_encodings_are_dropped():
    """The keys are those whose frequencies differ."""
    vectors = plain_vectors().values()
    unit = byte_trigrams.WEIGHT_UNIT
    differing = {key for key in set().union(*vectors) if len({round(vector[key] * unit) for vector in vectors}) > 1}
    assert {int(key).to_bytes(3, "big") for key in encoding_model().keys} == differing


@given(st.lists(st.sampled_from([b"a", "é".encode(), "€".encode(), b"\xc3", b"\xe2\x82", b"\xff", b"\xef\xbb\xbf"])))
def test_utf8_is_decoded_to_what_decoding_gives(parts: list[bytes]) -> None:
    """Valid or not, with or without a mark at its beginning."""
    data = b"".join(parts)
    text, undecodable = charsets.decode(data, "utf-8")
    assert charsets.decode_utf8(data, "utf-8") == (text.encode(), undecodable)


@given(st.binary(max_size=200), st.sampled_from(sorted(set(NAMES.values()))))
def test_any_encoding_is_decoded_to_what_decoding_gives(data: bytes, name: str) -> None:
    """The same text in UTF-8, and as many characters in place of invalid bytes."""
    text, undecodable = charsets.decode(data, name)
    assert charsets.decode_utf8(data, name) == (text.replace("\0", "").encode(), undecodable)
    assert charsets.decode_utf8(data * 9, name)[0] == charsets.decode(data * 9, name)[0].replace("\0", "").encode()


@given(st.binary(max_size=1000))
def test_controls_are_counted(data: bytes) -> None:
    """All but white space and ESC."""
    controls = sum((byte < 0x20 and byte not in b"\t\n\v\f\r\x1b") or byte == 0x7F for byte in data)
    assert count_controls(data, len(data)) == controls


@pytest.mark.parametrize("characters", ["a" * 127, "a" * 127 + "\U00010000"])
def test_single_bytes_need_their_characters(characters: str) -> None:
    """One of each byte beyond ASCII, in the Basic Multilingual Plane."""
    with pytest.raises(ValueError, match="characters"):
        decode_single_bytes(b"a", characters)


@settings(deadline=None)  # the first example makes the model
@given(st.lists(st.sampled_from([*WORDS, "ŽIVOT", "Šťastný", "„kůň“", "café", "© 2011", "<p>"]), min_size=1))
def test_products_are_those_of_the_plain_method(words):
    """Scalar products with arrays equal those with dictionaries, minus the same dropped amount for each encoding."""
    page = " ".join(words).encode("windows-1250", "replace")
    counts = Counter(plain_trigrams(folded(page)))
    plain = [sum(counts[key] * vector[key] for key in counts) for vector in plain_vectors().values()]
    model = encoding_model()
    products = np.array(model.products(page, 10**6)) / byte_trigrams.WEIGHT_UNIT
    dropped = np.array(plain) - products
    assert dropped.max() - dropped.min() < 1e-6


@pytest.mark.parametrize("code", ["cs", "ja"])
def test_valid_utf8_is_told_without_byte_trigrams(code):
    """The encodings' vectors, and NumPy, are loaded only for pages that need them."""

    def refuse():
        raise AssertionError

    model = dataclasses.replace(languages.get(code), encoding_source=refuse)
    assert detection.detect("<p>Žluťoučký kůň".encode(), model) == ("utf-8", 1.0)
    assert detection.detect(b"<p>plain", model) == ("utf-8", 1.0)
    assert model.encoding_names == languages.get(code).encodings.names

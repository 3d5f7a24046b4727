"""The tokeniser, compared with its rules in plain Python."""

import re
import unicodedata
from collections.abc import Iterator

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from corpusprep import languages
from corpusprep._native.tokens import NativeTokenizer
from corpusprep._native.unicode import unicode_class, upper
from corpusprep.errors import LanguageError
from corpusprep.text.tokenizer import ORDINALS, Token, Tokenizer, escape_token

ABBREVIATIONS = ("etc.", "Mr.", "z.B.", "např.", "a.a.a.", ORDINALS)
CLITIC_PREFIXES = ("l'", "dell'")
CLITIC_SUFFIXES = ("n't", "'s", "'ve", "-li")
APOSTROPHES = "'’"

# The oracle: the rules of tokenizer.hpp on code points, written without regard to speed. `shapes` has one character
# per character of the text: Letter, Number, Solitary, Extender, Format, sYmbol beyond ASCII, space, - (links),
# . (link numbers: .,:/), Other.

SCRIPTS_WITHOUT_SPACES = re.compile(
    r"(VERTICAL )?IDEOGRAPHIC|HANGZHOU|MASU|CJK|(HALFWIDTH )?(HIRAGANA|KATAKANA)|HENTAIGANA|BOPOMOFO"
    r"|THAI |LAO |KHMER|MYANMAR"
)


def shape(character: str) -> str:
    """Returns the class of a character in the rules."""
    solitary = SCRIPTS_WITHOUT_SPACES.match(unicodedata.name(character, ""))
    match unicode_class(ord(character)):
        case 1:
            return "S" if solitary else "L"
        case 3:
            return "S" if solitary and "DIGIT" not in unicodedata.name(character) else "N"
        case 2:
            return "E"
        case 6:
            return " "
    if character in "\u200c\u200d🏻🏼🏽🏾🏿" or 0xE0020 <= ord(character) <= 0xE007F:
        return "E"
    if character in "-'_·‐‑’‧׳״":
        return "-"
    if character in ".,:/":
        return "."
    return {5: "Y", 8: "F"}.get(unicode_class(ord(character)), "O") if character > "\x7f" else "O"


FORMATS = "(?:FE*)*"
WORD = re.compile(
    rf"(?:NE*{FORMATS}\.E*{FORMATS}(?=N)|[LN]E*{FORMATS}-E*{FORMATS}(?=[LN])|[LN]E*{FORMATS}(?=[LN]))*[LN]E*"
)
ACRONYM = re.compile(r"LE*(?:\.LE*+(?![LN]))+")
MARKED = re.compile(r"(?:LE*|N{1,2})\.(?= +L)")
EMOTICON = re.compile(r"[:;=][-'^]?([)(\]\[DPp/|])\1*(?![)(\]\[DPp/|])")
EMOJI = re.compile(r"YE*")
URL = re.compile(r"(?:https?://|ftp://|www\.)[A-Za-z0-9L][^<>\"{}|\\^`\x00-\x20\x7f]*", re.I | re.A)
EMAIL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._%+-]*@([A-Za-z0-9](?:[A-Za-z0-9-]|\.(?=[A-Za-z0-9]))*)")
REFERENCE = re.compile(r"&(?:[A-Za-z][A-Za-z0-9]{1,30}|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});")
REPEATED = re.compile(r"([.!?_*=~#+,'`-])\1*")


def forms(rule: str) -> Iterator[str]:
    """Yields a clitic as given, with a first capital, and in capitals, each with all apostrophes."""
    for cased in (rule, rule[0].upper() + rule[1:], rule.upper()):
        for apostrophe in APOSTROPHES:
            yield cased.replace("'", apostrophe)


PREFIXES = [form for rule in CLITIC_PREFIXES for form in forms(rule)]
SUFFIXES = [form for rule in CLITIC_SUFFIXES for form in forms(rule)]
FULL_STOPPED = {form for rule in ABBREVIATIONS if rule != ORDINALS for form in (rule, rule[0].upper() + rule[1:])}


def url_end(text: str, shapes: str, start: int) -> int:
    """Rule 1."""
    views = {"L": "L", "N": "L", "E": "\x80"}
    view = "".join(c if c < "\x80" else views.get(s, " ") for c, s in zip(text, shapes, strict=True))
    found = URL.match(view, start)
    if not found:
        return 0
    url = text[start : found.end()]
    while url[-1] in ".,;:!?'*([" or (url[-1] in ")]" and url.count(url[-1]) > url.count("(["[url[-1] == "]"])):
        url = url[:-1]
    return start + len(url)


def token_ends(text: str, shapes: str, start: int) -> list[int]:
    """Returns the ends of the token, or of a word and its suffix clitics, that start at `start`."""
    rest = text[start:]
    if shapes[start] in "LN":
        if end := url_end(text, shapes, start):
            return [end]
        for prefix in sorted(PREFIXES, key=len, reverse=True):
            if rest.startswith(prefix) and shapes[start + len(prefix) : start + len(prefix) + 1] in (
                "L",
                "N",
            ):
                return [start + len(prefix)]
        if email := EMAIL.match(text, start):
            host = email[1].rstrip("-")
            if re.search(r"\.[A-Za-z][A-Za-z0-9-]*$", host):
                return [email.start(1) + len(host)]
        stopped = [
            start + len(a)
            for a in FULL_STOPPED
            if rest.startswith(a) and (shapes[start + len(a) :] + " ")[0] != "L" and rest[len(a) :][:1] != "."
        ]
        stops = "".join("." if c == "." else "O" if s == "." else s for c, s in zip(text, shapes, strict=True))
        if acronym := ACRONYM.match(stops, start):
            end = acronym.end()
            stopped.append(end + (text[end : end + 1] == "." and text[end + 1 : end + 2] != "."))
        word = WORD.match(shapes, start)
        assert word
        if marked := MARKED.match(stops, start):
            before = text[start : marked.end() - 1]
            if upper(text[start]) == text[start] if shapes[start] == "L" else re.fullmatch("[0-9]+", before):
                stopped.append(marked.end())
        if text[word.end() : word.end() + 1] == "." and stopped:
            return [max(stopped)]
        ends = [word.end()]
        while True:
            for suffix in sorted(SUFFIXES, key=len, reverse=True):
                cut = ends[0] - len(suffix)
                if cut > start and text[start : ends[0]].endswith(suffix) and shapes[cut - 1] in "LNE":
                    ends.insert(0, cut)
                    break
            else:
                return ends
    if reference := REFERENCE.match(text, start):
        return [reference.end()]
    before = " " if not start or shapes[start - 1] == " " else text[start - 1]
    emoticon = EMOTICON.match(text, start)
    apart = re.fullmatch("[\x00-\x7f]", before) and not before.isalnum()
    if emoticon and apart and shapes[emoticon.end() : emoticon.end() + 1] not in ("L", "N"):
        return [emoticon.end()]
    if repeated := REPEATED.match(text, start):
        return [repeated.end()]
    if shapes[start] == "F":
        return [start + len(re.match(FORMATS, shapes[start:])[0])]  # type: ignore[index]
    if re.match("[🇦-🇿]{2}", rest):
        return [start + 2]
    if shapes[start] == "Y" and not re.match("[🇦-🇿]", rest):
        end = EMOJI.match(shapes, start).end()  # type: ignore[union-attr]
        while text[end - 1] == "\u200d" and shapes[end : end + 1] == "Y":
            end = EMOJI.match(shapes, end).end()  # type: ignore[union-attr]
        return [end]
    return [start + 1]


def ends_words(character: str) -> bool:
    """Returns whether a character is Thai, Lao, Myanmar or Khmer."""
    code = ord(character)
    return 0xE00 <= code < 0xF00 or 0x1000 <= code < 0x10A0 or 0x1780 <= code < 0x1800 or code >> 5 in (0x54F, 0x553)


def is_break(text: str, place: int) -> bool:
    """Returns whether a zero-width space ends a word."""
    if not 0 < place < len(text) - 1 or text[place] != "\u200b":
        return False
    before, after = text[place - 1], text[place + 1]
    return ends_words(before) and ends_words(after) and shape(after) != "E"


def oracle(text: str) -> list[Token]:
    """Returns the tokens of `text` by the rules."""
    shapes = "".join("B" if is_break(text, place) else shape(character) for place, character in enumerate(text))
    tokens, position, glued = [], 0, False
    while position < len(text):
        if shapes[position] == " ":
            position, glued = position + 1, False
            continue
        if shapes[position] == "B":
            position += 1
            continue
        for end in token_ends(text, shapes, position):
            while shapes[end : end + 1] == "E":
                end += 1
            tokens.append(Token(text[position:end], glued))
            position, glued = end, True
    return tokens


TOKENIZER = Tokenizer(ABBREVIATIONS, CLITIC_PREFIXES, CLITIC_SUFFIXES)
BARE = NativeTokenizer([], [], [])

SEQUENCES = """
    :) ;-( :'D =P :/ J. 5. 12. `` '' ,, 24/7 É. é.
    http:// HTTPS:// ftp:// www. WwW. a@b.c x.y n't 's ’S -li l' L’ dell' <g/> <doc> </p>
    etc. Etc. z.B. např. a.a.a. U.S. &amp; &#38; &#x20AC; ... 1,234.56
"""
INVISIBLE = "\u0301\u200b\u200c\u200d\ufe0f\ufeff\u200e\U000e0067\U0010ffff\ue000"
FRAGMENTS = [
    *"កខ្ិ១២ကัก\u200b",
    *"abAl1.,:;-'’_@&#<>/()[]%+*!=^D|` \n\t\xa0\u3000\u2028\x85\0\xad·‐‑‧׳é日〇ก゙٣½€☺🇨🇿🏽",
    *INVISIBLE,
    *SEQUENCES.split(),
]
hostile = st.lists(st.sampled_from(FRAGMENTS), max_size=25).map("".join)
texts = st.one_of(hostile, st.text(max_size=40))


@settings(max_examples=1500, deadline=None)
@given(texts)
@example("l'http://a.b'")
@example("a.b@a.b@a.b-. x@y.1 x@y")
@example("don't've's-li's")
def test_tokens_are_those_of_the_rules(text: str) -> None:
    """The kernel and the plain-Python rules agree on any text."""
    assert TOKENIZER.tokenize(text) == oracle(text)


@settings(max_examples=500, deadline=None)
@given(texts)
def test_tokens_give_the_text_back(text: str) -> None:
    """Joined with their glue, tokens are the text with white space as single spaces, without ends of words."""
    joined = "".join(("" if token.glued else " ") + token.text for token in TOKENIZER.tokenize(text))
    text = "".join(character for place, character in enumerate(text) if not is_break(text, place))
    assert joined.removeprefix(" ") == " ".join(text.split())


def test_zero_width_spaces_end_words_of_south_east_asia() -> None:
    """Between two characters of such a script, numbers included; elsewhere they join."""
    text = "កខ\u200bគ ១\u200b២ a\u200bb \u200bក ក\u200b a"
    assert [(token.text, token.glued) for token in TOKENIZER.tokenize(text)] == [
        *(("ក", False), ("ខ", True), ("គ", True), ("១", False), ("២", True), ("a\u200bb", False)),
        *(("\u200b", False), ("ក", True), ("ក", False), ("\u200b", True), ("a", False)),
    ]


@settings(max_examples=500, deadline=None)
@given(texts)
def test_no_token_breaks_the_vertical(text: str) -> None:
    """No token is empty, contains white space, looks like a structure, or is separated from its combining marks."""
    before = ""
    for token in TOKENIZER.tokenize(text):
        assert token.text
        assert token.text.split() == [token.text]
        assert not re.match(r"<[/A-Za-z].*>$", token.text)
        assert not (token.glued and unicode_class(ord(token.text[0])) == 2), (before, token)
        before = token.text


@settings(max_examples=500, deadline=None)
@given(st.one_of(st.binary(max_size=60), hostile.map(lambda text: text.encode("utf-16-le")), hostile.map(str.encode)))
@example(b"\xed\xa0\x80\xff\xc0\xaf\xf4\x90\x80\x80\xe2\x80")
def test_any_bytes_are_covered_once(data: bytes) -> None:
    """Bytes may be invalid UTF-8. Spans are in order, not empty, and leave out only white space."""
    position = 0
    for begin, end, glued in BARE.spans(data):
        assert position <= begin < end
        left_out = data[position:begin].decode().replace("\u200b", "")
        assert glued == (not left_out and position > 0)
        assert left_out.strip() == ""
        position = end
    assert data[position:].decode().strip() == ""


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(hostile, st.booleans()), max_size=5))
def test_vertical_holds_the_tokens(blocks: list[tuple[str, bool]]) -> None:
    """The bulk form writes the same tokens, one per line, between the structures of the blocks."""
    expected, counts = [], []
    for text, heading in blocks:
        expected.append(f'<p heading="{heading:d}" block="{len(counts)}">')
        tokens = TOKENIZER.tokenize(text)
        for token in tokens:
            expected += ["<g/>", escape_token(token.text)] if token.glued else [escape_token(token.text)]
        expected.append("</p>")
        counts.append(len(tokens))
    lines, tokens_of_blocks = TOKENIZER.vertical([text for text, _ in blocks], [flag for _, flag in blocks])
    assert lines.decode().splitlines() == expected
    assert tokens_of_blocks == counts


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It's 5% of $1,234.56 at 10:30.", "It 's 5 % of $ 1,234.56 at 10:30 ."),
        ("They don't, DON’T; it’s the dogs' house", "They do n't , DO N’T ; it ’s the dogs ' house"),
        (
            "well-known co\u00adop foo_bar the 1990s and the 1st",
            "well-known co\u00adop foo_bar the 1990s and the 1st",
        ),
        (
            "Mr. Smith, U.S. citizen, i.e. J.R.R.Tolkien etc...",
            "Mr. Smith , U.S. citizen , i.e. J.R.R. Tolkien etc ...",
        ),
        (
            "(see http://a.org/b_(c)). Or www.x.cz, HTTP://Y.",
            "( see http://a.org/b_(c) ) . Or www.x.cz , HTTP://Y .",
        ),
        ("Write to me.you+x@ex-am.co.uk. Or a@b", "Write to me.you+x@ex-am.co.uk . Or a @ b"),
        (
            "AT&T; R&D &nbsp; &#8364;&#x20AC; &#99999999;",
            "AT & T ; R & D &nbsp; &#8364; &#x20AC; & # 99999999 ;",
        ),
        ("wait... no!!! -- a=b ** c ((d))", "wait ... no !!! -- a = b ** c ( ( d ) )"),
        ("日本語テキスト ภาษา abc漢字def", "日 本 語 テ キ ス ト ภ า ษ า abc 漢 字 def"),
        ("e\u0301te\u0301 \u0301 ก\u0e34น", "e\u0301te\u0301 \u0301 ก\u0e34 น"),
        ("👩🏽‍🚀🇨🇿🇩🇪☺️ 1️⃣", "👩🏽‍🚀 🇨🇿 🇩🇪 ☺️ 1️⃣"),
        ("\u200fשלום\u200f", "\u200f שלום \u200f"),
        ("dell'arte l'http://x.it L’Aquila je-li", "dell' arte l' http://x.it L’ Aquila je -li"),
        (":) Ha:) ;-)) :D :Da (see :) :/ http://a", ":) Ha : ) ;-)) :D : Da ( see :) :/ http://a"),
        ("=P x=P :'( b;)", "=P x = P :'( b ; )"),
        ("``A'' ,,b'' on 24/7, 9/11/2001 km/h", "`` A '' ,, b '' on 24/7 , 9/11/2001 km / h"),
        ("J. Smith, é. x, É. Zola; B. 5", "J. Smith , é . x , É. Zola ; B . 5"),
        ("am 5. Mai 1990. Da 123. Es war 5.", "am 5. Mai 1990 . Da 123 . Es war 5 ."),
        ("a<b>c <doc> </doc> <g/>", "a < b > c < doc > < / doc > < g / >"),
    ],
)
def test_tokens_of(text: str, expected: str) -> None:
    """The rules on natural text."""
    assert " ".join(token.text for token in TOKENIZER.tokenize(text)) == expected


def test_scripts_without_spaces_are_those_of_the_names() -> None:
    """Two letters of a script are one token, but two tokens in scripts that are written without spaces."""
    for code_point in range(0x110000):
        if unicode_class(code_point) == 1:
            tokens = len(BARE.spans((chr(code_point) * 2).encode()))
            assert tokens == (2 if shape(chr(code_point)) == "S" else 1), f"U+{code_point:04X}"


def test_a_lone_surrogate_is_a_replacement_character() -> None:
    """It is replaced, also in blocks, and the text around it is kept."""
    assert TOKENIZER.tokenize("a\ud800b \ud83d\ude00") == [
        ("a", False),
        ("\ufffd", True),
        ("b", True),
        ("😀", False),
    ]
    assert TOKENIZER.vertical(["a", "\udfff"], [False, True])[1] == [1, 1]


@pytest.mark.parametrize(
    "unit",
    [
        "a",
        ".",
        "a.",
        "l'",
        "http://",
        "www.a)",
        "(",
        "a.b@",
        "a@b.c-",
        "\u00ad",
        "a\u00ad-",
        "x's",
        "&#",
        "☺\u200d",
        "\u0301",
        "<g/>",
    ],
)
def test_time_is_linear(unit: str) -> None:
    """Four million characters of any pattern take seconds. Quadratic time would exceed pytest's time limit."""
    texts = [unit * (4_000_000 // len(unit)), "www.a" + unit * (4_000_000 // len(unit))]
    assert len(TOKENIZER.vertical(texts, [False, False])[1]) == len(texts)


@pytest.mark.parametrize("rule", ["etc", ".", "-x.", "a" * 64 + "."])
def test_an_abbreviation_that_cannot_be_one_is_named(rule: str) -> None:
    """An abbreviation must have a full stop and start with a letter or digit."""
    with pytest.raises(LanguageError, match=re.escape(repr(rule))):
        Tokenizer([rule])


def test_an_empty_abbreviation_changes_nothing() -> None:
    """It names no form."""
    assert Tokenizer([""]).tokenize("a.") == [("a", False), (".", True)]


@pytest.mark.parametrize("rule", ["", "s", "'", "n' t", "\u0301'", "'" + "s" * 64])
def test_a_clitic_that_cannot_be_one_is_named(rule: str) -> None:
    """A clitic needs a joint and a letter, has no space and a maximum length; the joint of a prefix is at its end."""
    with pytest.raises(LanguageError, match=f"suffix {re.escape(repr(rule))}"):
        Tokenizer([], [], [rule])
    with pytest.raises(LanguageError, match=f"prefix {re.escape(repr(rule))}"):
        Tokenizer([], [rule])
    with pytest.raises(LanguageError, match='prefix "\'s"'):
        Tokenizer([], ["'s"])


def test_every_built_in_language_can_be_tokenised() -> None:
    """The tokeniser accepts the abbreviations and clitics of all languages, and each abbreviation is one token."""
    for model in map(languages.describe, languages.known()):
        tokenizer = Tokenizer(model.abbreviations, model.clitic_prefixes, model.clitic_suffixes)
        for part in " ".join(set(model.abbreviations) - {ORDINALS}).split():
            assert tokenizer.tokenize(part) == [(part, False)], model.code


def test_texts_and_headings_must_match() -> None:
    """There are as many heading flags as texts."""
    with pytest.raises(ValueError, match="2 texts, but 1 heading"):
        TOKENIZER.vertical(["a", "b"], [True])

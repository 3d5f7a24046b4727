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
from corpusprep.text.sentences import Sentences
from corpusprep.text.tokenizer import ORDINALS, Token, Tokenizer, escape_token

ABBREVIATIONS = ("etc.", "Mr.", "z.B.", "např.", "a.a.a.")
NUMBERED = ("No.", "a.b.")
CLITIC_PREFIXES = ("l'", "dell'", "s-")
CLITIC_SUFFIXES = ("n't", "'s", "'ve", "-li")
WORDS = ("po'", "C++", "'t", ".x", "日本")
JOINTS = (":", "*in", "-")
APOSTROPHES = "'’´`‘"

# The oracle: the rules of tokenizer.hpp on code points, written without regard to speed. `shapes` has one character
# per character of the text: Letter, Number, Solitary, Extender, Format, sYmbol beyond ASCII, space, - (links), Hyphens
# where they are apart, Other.

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
            return "S" if solitary and "\u3000" < character < "\u3040" else "N"  # not tally marks, nor digits
        case 2:
            return "E"
        case 6:
            return " "
    if character in "\u055b\u055c\u055e\u05f3\u200c\u200d🏻🏼🏽🏾🏿" or 0xE0020 <= ord(character) <= 0xE007F:
        return "E"
    if character in "-'_`´·‐‑‘’‧״":
        return "-"
    return {5: "Y", 8: "F"}.get(unicode_class(ord(character)), "O") if character > "\x7f" else "O"


FORMATS = "(?:FE*)*"
ACRONYM = re.compile(r"LE*(?:\.LE*+(?![LN]))+")
EMOTICON = re.compile(r"[:;=][-'^]?([)(\]\[DPp/|])\1*(?![)(\]\[DPp/|])")
EMOJI = re.compile(r"YE*")
URL = re.compile(r"(?:https?://|ftp://|www\.)[A-Za-z0-9L][^<>\"{}|\\^`\x00-\x20\x7f]*", re.I | re.A)
LINK = re.compile(r"[^<>\"{}|\\^`\x00-\x20\x7f]*", re.A)
HOST = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?=[A-Za-z0-9]))*")
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
FULL_STOPPED = {form for rule in ABBREVIATIONS for form in (rule, rule[0].upper() + rule[1:])}
BEFORE_NUMBERS = {form for rule in NUMBERED for form in (rule, rule[0].upper() + rule[1:])}
LISTED = {
    form.replace("'", other) for rule in WORDS for form in (rule, rule[0].upper() + rule[1:]) for other in APOSTROPHES
}


def is_word(shapes: str, place: int) -> bool:
    """Returns whether a letter or number stands at a place."""
    return shapes[place : place + 1] in ("L", "N")


def is_behind_word(shapes: str, place: int) -> bool:
    """Returns whether a letter, number or extender stands before a place."""
    return place > 0 and shapes[place - 1] in "LNE"


def is_small(letter: str) -> bool:
    """Returns whether a letter has a capital form that begins words; those of Georgian do not."""
    return upper(letter) != letter and not "ა" <= letter <= "\u10ff"


def is_number(text: str) -> bool:
    """Returns whether a text is digits of ASCII."""
    return re.fullmatch("[0-9]+", text) is not None


def link_end(text: str, shapes: str, start: int, end: int, pattern: re.Pattern[str]) -> int:
    """Rules 1 and 5: returns the end of the link of a pattern, not before `end`; 0 without one."""
    views = {"L": "L", "N": "L", "E": "\x80"}
    view = "".join(c if c < "\x80" else views.get(s, " ") for c, s in zip(text, shapes, strict=True))
    found = pattern.match(view, start)
    if not found:
        return 0
    url = text[start : found.end()]
    while start + len(url) > end and (
        url[-1] in ".,;:!?'*([" or (url[-1] in ")]" and url.count(url[-1]) > url.count("(["[url[-1] == "]"]))
    ):
        url = url[:-1]
    return start + len(url)


def host_end(text: str, shapes: str, start: int) -> int:
    """Rule 5."""
    found = HOST.match(text, start)
    if not found or not re.fullmatch(r".*[A-Za-z].*\.[a-z][a-z0-9]+", found[0]) or is_word(shapes, found.end()):
        return 0
    end = found.end()
    return link_end(text, shapes, end, 0, LINK) if text[end : end + 1] == "/" else end


def joins(text: str, shapes: str, start: int, mark: int, after: int) -> bool:
    """Rule 6: returns whether a mark joins the character before it to the one at `after`."""
    last = next(place for place in range(mark - 1, -1, -1) if shapes[place] in "LN")
    numbers = shapes[last] == "N", shapes[after] == "N"
    if text[mark] in ".,:/" and all(numbers):
        return True
    if shapes[mark] == "H":
        return all(numbers)
    if shapes[mark] == "-":
        if text[mark] in "`´‘" and any(numbers):
            return False
        hangul = re.search("[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]", text[last] + text[after])
        return not hangul or text[mark] not in APOSTROPHES
    if text[mark] in '"“”':
        if not re.fullmatch("[א-ת]{2}", text[last] + text[after]):
            return False
        following = after + 1 + len(re.match("E*", shapes[after + 1 :])[0])  # type: ignore[index]
        letters = re.sub(
            "E*", "", "".join("E" if s == "E" else c for c, s in zip(text, shapes, strict=True))[start:mark]
        )
        return not is_word(shapes, following) or len(letters) > 4 or not re.fullmatch("[והשבכלמ]*", letters)
    possible = not numbers[1] and is_small(text[after]) and text[mark] != "-"
    return possible and any(text.startswith(joint, mark) for joint in JOINTS)


def word_end(text: str, shapes: str, start: int) -> int:
    """Rule 6: returns the end of the word, with its suffix clitics."""

    def behind(pattern: str, place: int) -> int:
        return place + len(re.match(pattern, shapes[place:])[0])  # type: ignore[index]

    place = start
    while True:
        end = behind("E*", place + 1)
        mark = behind(FORMATS, end)
        if is_word(shapes, mark):
            place = mark
            continue
        if mark == len(text):
            return end
        place = behind(FORMATS, behind("E*", mark + 1))
        if not is_word(shapes, place) or not joins(text, shapes, start, mark, place):
            return end


def marked_end(text: str, shapes: str, start: int, stop: int, ordinals: str) -> int:
    """Rule 4: returns the end of the initial or ordinal number whose full stop is at `stop`, or 0."""
    after = stop + 1 + len(re.match(" *", shapes[stop + 1 :])[0])  # type: ignore[index]
    if after == stop + 1 or after == len(text):
        return 0
    number, kind = text[start:stop], shapes[after]
    small = kind == "L" and is_small(text[after])
    if is_number(number):
        short = len(number) <= 2 and (kind == "N" or (kind == "L" and ordinals == "any"))
        return stop + 1 if ordinals and (short or (small and len(number) <= 4)) else 0
    if ordinals and small and re.fullmatch("[IVX]+", number):
        return stop + 1
    initial = re.fullmatch("LE*", shapes[start:stop]) and not is_small(number[0])
    return stop + 1 if initial and kind == "L" else 0


def stopped_end(text: str, shapes: str, start: int, stop: int, ordinals: str) -> int:
    """Rule 4: returns the end of the abbreviation, acronym, initial or ordinal number with a full stop at `stop`."""
    rest = text[start:]
    ends = [marked_end(text, shapes, start, stop, ordinals)]
    for form in FULL_STOPPED | BEFORE_NUMBERS:
        end = start + len(form)
        if rest.startswith(form) and end > stop and shapes[end : end + 1] != "L" and text[end : end + 1] != ".":
            number = shapes[end:].lstrip(" ").startswith("N")
            ends.append(end if form in FULL_STOPPED or number else 0)
    stops = "".join("." if c == "." else "O" if s == "." else s for c, s in zip(text, shapes, strict=True))
    if acronym := ACRONYM.match(stops, start):
        end = acronym.end()
        ends.append(end + (text[end : end + 1] == "." and text[end + 1 : end + 2] != "."))
    return max(ends)


def word_like_ends(text: str, shapes: str, start: int, ordinals: str) -> list[int]:
    """Rules 1 to 6: returns the ends of the token, or of a word and its suffix clitics."""
    rest = text[start:]
    if end := link_end(text, shapes, start, 0, URL):
        return [end]
    for prefix in sorted(PREFIXES, key=len, reverse=True):
        end = start + len(prefix)
        spaced = (shapes[end : end + 1] == " " or text[end : end + 1] in {*'"«“„'}) and prefix[-1] != "-"
        if rest.startswith(prefix) and (is_word(shapes, end) or spaced):
            return [end]
    if email := EMAIL.match(text, start):
        host = email[1].rstrip("-")
        if re.search(r"\.[A-Za-z][A-Za-z0-9-]*$", host):
            return [email.start(1) + len(host)]
    end = word_end(text, shapes, start)
    stopped = text[end : end + 1] == "."
    if stopped and (last := stopped_end(text, shapes, start, end, ordinals) or host_end(text, shapes, start)):
        return [last]
    if text[end : end + 1] == "-" and shapes[end + 1 : end + 2] == " ":
        return [end + 1]
    ends = [end]
    while True:
        for suffix in sorted(SUFFIXES, key=len, reverse=True):
            cut = ends[0] - len(suffix)
            if cut > start and text[start : ends[0]].endswith(suffix) and shapes[cut - 1] in "LNE":
                ends.insert(0, cut)
                break
        else:
            return ends


def tag_end(text: str, shapes: str, start: int) -> int:
    """Rule 7: returns the end of a hashtag, a name, a year or a clitic behind a mark, or 0."""
    glued = start > 0 and shapes[start - 1] not in " B"
    if glued and text[start] in APOSTROPHES and text[start - 1] not in "([{<„‚“‘«‹¿¡":
        for suffix in sorted(SUFFIXES, key=len, reverse=True):
            if text.startswith(suffix, start) and not is_word(shapes, start + len(suffix)):
                return start + len(suffix)
    if is_behind_word(shapes, start):
        return 0
    if text[start] == "@":
        found = re.compile("@[0-9_]*[A-Za-z][A-Za-z0-9_]*").match(text, start)
    elif text[start] == "#":
        view = "".join("_" if c == "_" else s if s in "LNE" else "O" for c, s in zip(text, shapes, strict=True))
        found = re.compile("O(?:[N_]E*)*L[LN_E]*").match(view[:start] + "O" + view[start + 1 :], start)
    elif text[start] in APOSTROPHES:
        found = re.compile("[^0-9][0-9]{2}s?").match(text, start)
        found = None if found and is_word(shapes, found.end()) else found
    else:
        found = None
    return found.end() if found else 0


def token_ends(text: str, shapes: str, start: int, ordinals: str) -> list[int]:
    """Returns the ends of the token, or of a word and its suffix clitics, that start at `start`."""
    rest = text[start:]
    if shapes[start] in "LN":
        return word_like_ends(text, shapes, start, ordinals)
    if reference := REFERENCE.match(text, start):
        return [reference.end()]
    before = " " if not start or shapes[start - 1] == " " else text[start - 1]
    emoticon = EMOTICON.match(text, start)
    apart = re.fullmatch("[\x00-\x7f]", before) and not before.isalnum()
    if emoticon and apart and not is_word(shapes, emoticon.end()):
        return [emoticon.end()]
    if end := tag_end(text, shapes, start):
        return [end]
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


def listed_end(text: str, shapes: str, start: int) -> int:
    """Returns the end of the longest listed word, or 0."""
    if shapes[start] not in "LNS" and is_behind_word(shapes, start):
        return 0
    ends = (start + len(word) for word in LISTED if text.startswith(word, start))
    return max((end for end in ends if shapes[end : end + 1] not in ("L", "N", "E")), default=0)


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


def stops(token: str) -> list[int]:
    """Returns the ends of the parts of a token whose full stops are apart."""
    if not token.endswith(".") or token.startswith("."):
        return [len(token)]
    places = [
        place
        for place, mark in enumerate(token)
        if mark == "."
        and (place + 1 == len(token) or (shape(token[place - 1]) in "LS" and not is_small(token[place - 1])))
    ]
    return sorted({end for place in places for end in (place, place + 1)})


def oracle(text: str, ordinals: str = "any", *, apart: bool = False) -> list[Token]:
    """Returns the tokens of `text` by the rules; `apart` holds for hyphens and full stops."""
    shapes = "".join("B" if is_break(text, place) else shape(character) for place, character in enumerate(text))
    if apart:
        shapes = "".join("H" if mark in "-‐‑" else kind for mark, kind in zip(text, shapes, strict=True))
    tokens, position, glued = [], 0, False
    while position < len(text):
        if shapes[position] == " ":
            position, glued = position + 1, False
            continue
        if shapes[position] == "B":
            position += 1
            continue
        ends = token_ends(text, shapes, position, ordinals)
        ends[-1] += len(re.match("E*", shapes[ends[-1] :])[0])  # type: ignore[index]
        listed = listed_end(text, shapes, position)
        if listed >= ends[-1]:
            ends = [listed]
        elif apart and len(ends) == 1:
            ends = [position + end for end in stops(text[position : ends[0]])]
        for end in ends:
            tokens.append(Token(text[position:end], glued))
            position, glued = end, True
    return tokens


def tokenizer_with(*ordinals: str, apart: tuple[str, ...] = ()) -> Tokenizer:
    """Returns the tokeniser of the rules, with a rule for ordinal numbers, and marks that are apart."""
    abbreviations = [*ABBREVIATIONS, *(f"{rule} 0" for rule in NUMBERED), *ordinals]
    return Tokenizer(abbreviations, CLITIC_PREFIXES, CLITIC_SUFFIXES, words=WORDS, joints=JOINTS, apart=apart)


TOKENIZER = tokenizer_with("0.")
OTHERS = {"small": tokenizer_with("0. a"), "": tokenizer_with()}
APART = tokenizer_with("0. a", apart=("-", "."))
BARE = NativeTokenizer([], [], [])

SEQUENCES = """
    :) ;-( :'D =P :/ J. 5. 12. `` '' ,, 24/7 É. é.
    http:// HTTPS:// ftp:// www. WwW. a@b.c x.y n't 's ’S -li l' L’ dell' <g/> <doc> </p>
    etc. Etc. z.B. např. a.a.a. U.S. &amp; &#38; &#x20AC; ... 1,234.56
    No. a.b. po' C++ 't .x 日本 *in :n #a @a _ '60s s- vor- 1990. IV. x.com a.html/ א"ב ו"שש מ ק ‘s ´s 한'가
"""
INVISIBLE = "\u0301\u055e\u200b\u200c\u200d\ufe0f\ufeff\u200e\U000e0067\U0010ffff\ue000"
FRAGMENTS = [
    *"កខ្ិ១២ကัก\u200b",
    *"აabAl1.,:;-'’_@&#<>/()[]%+*!=^D|` \n\t\xa0\u3000\u2028\x85\0\xad·‐‑‧׳é日〇ก゙٣½€☺🇨🇿🏽",
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
@example("0\U0001d372")
@example("#1_a\u0301b @a#b '60s l' a No. 5 a.b/c). ‘s")
def test_tokens_are_those_of_the_rules(text: str) -> None:
    """The kernel and the plain-Python rules agree on any text, with ordinal numbers of each kind."""
    assert TOKENIZER.tokenize(text) == oracle(text)
    for ordinals, tokenizer in OTHERS.items():
        assert tokenizer.tokenize(text) == oracle(text, ordinals)
    assert APART.tokenize(text) == oracle(text, "small", apart=True)


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
        ("日本語テキスト ภาษา abc漢字def", "日本 語 テ キ ス ト ภ า ษ า abc 漢 字 def"),
        ("e\u0301te\u0301 \u0301 ก\u0e34น", "e\u0301te\u0301 \u0301 ก\u0e34 น"),
        ("👩🏽‍🚀🇨🇿🇩🇪☺️ 1️⃣", "👩🏽‍🚀 🇨🇿 🇩🇪 ☺️ 1️⃣"),
        ("\u200fשלום\u200f", "\u200f שלום \u200f"),
        ("dell'arte l'http://x.it L’Aquila je-li", "dell' arte l' http://x.it L’ Aquila je -li"),
        (":) Ha:) ;-)) :D :Da (see :) :/ http://a", ":) Ha : ) ;-)) :D : Da ( see :) :/ http://a"),
        ("=P x=P :'( b;)", "=P x = P :'( b ; )"),
        ("``A'' ,,b'' on 24/7, 9/11/2001 km/h", "`` A '' ,, b '' on 24/7 , 9/11/2001 km / h"),
        ("J. Smith, é. x, É. Zola; B. 5", "J. Smith , é . x , É. Zola ; B . 5"),
        ("am 5. Mai 1990. Da 123. Es war 5.", "am 5. Mai 1990 . Da 123 . Es war 5 ."),
        ("the U.S.'s and Inc.’s, “A”'s; ('s", "the U.S. 's and Inc . ’s , “ A ” 's ; ( ' s"),
        ("it´s, it`s, it‘s; l´eau 5´6", "it ´s , it `s , it ‘s ; l´ eau 5 ´ 6"),
        ('צה"ל, ה"ארץ" ו-דו"חות; מנכ”ל', 'צה"ל , ה " ארץ " ו-דו"חות ; מנכ”ל'),
        ("EU:n Bürger*innen a*b, Hinweis:Siehe", "EU:n Bürger*innen a * b , Hinweis : Siehe"),
        ("Vor- und Nach-, po' di C++ foo.x", "Vor- und Nach - , po' di C++ foo . x"),
        ("Amazon.com, my.b-c.org/x(1). End.It 5.maj", "Amazon.com , my.b-c.org/x(1) . End . It 5 . maj"),
        ("#metoo #1 @me.x a#b 'in the '60s'", "#metoo # 1 @me . x a # b ' in the '60s '"),
        ("No. 5, No. So 28. 10. 1918 XIV. lidé", "No. 5 , No . So 28. 10. 1918 XIV. lidé"),
        ("l'«arte» dell'\"arte l'.", "l' « arte » dell' \" arte l ' ."),
        ("פרופ׳ ג׳ירפה", "פרופ׳ ג׳ירפה"),
        ("po’ ‘t po` x", "po’ ‘t po` x"),
        ("Ո՞րն է թե՛, սա՝", "Ո՞րն է թե՛ , սա ՝"),
        ("미만'이라는 l' eau", "미만 ' 이라는 l' eau"),
        ("a<b>c <doc> </doc> <g/>", "a < b > c < doc > < / doc > < g / >"),
    ],
)
def test_tokens_of(text: str, expected: str) -> None:
    """The rules on natural text."""
    assert " ".join(token.text for token in TOKENIZER.tokenize(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("např. etc.) U.S. a J. Smith", "např . etc . ) U . S . a J . Smith"),
        ("z.B. a.a.a. Mr.. po'. wait... v 5. maj", "z.B . a.a.a . Mr .. po' . wait ... v 5 . maj"),
        ("Tel-Aviv ב‐1990, 1904-1905 vor- my.b-c.de", "Tel - Aviv ב ‐ 1990 , 1904-1905 vor- my.b-c.de"),
    ],
)
def test_marks_can_be_apart(text: str, expected: str) -> None:
    """Full stops of abbreviations and hyphens of compounds are tokens where the language has them so."""
    assert " ".join(token.text for token in APART.tokenize(text)) == expected


def test_full_stops_that_are_apart_end_no_sentence() -> None:
    """Sentences are those with the abbreviation in one token."""
    marked = [
        Tokenizer(ABBREVIATIONS, sentences=Sentences(["it"]), apart=apart).vertical(
            ["See etc. b J. Smith. It"], [False]
        )
        for apart in ((), (".",))
    ]
    whole, parts = (lines.decode().replace("<g/>\n.", ".").split("</s>") for lines, _ in marked)
    assert [text.replace("\n", "") for text in parts] == [text.replace("\n", "") for text in whole]
    assert [counts for _, counts in marked] == [[7], [9]]


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
        "a.b-",
        "#@",
        'א"',
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


@pytest.mark.parametrize(
    ("words", "joints"), [(["a b"], []), ([""], []), ([], ["a"]), ([], ["1"]), ([], ["::"]), ([], [""])]
)
def test_a_word_or_joint_that_cannot_be_one_is_named(words: list[str], joints: list[str]) -> None:
    """A word has no white space; a joint is a mark of ASCII, perhaps with letters."""
    with pytest.raises(LanguageError, match=re.escape(repr((words + joints)[0]))):
        Tokenizer(words=words, joints=joints)


@pytest.mark.parametrize("rule", ["", "s", "'", "n' t", "\u0301'", "'" + "s" * 64])
def test_a_clitic_that_cannot_be_one_is_named(rule: str) -> None:
    """A clitic needs a joint and a letter, has no space and a maximum length; the joint of a prefix is at its end."""
    with pytest.raises(LanguageError, match=f"suffix {re.escape(repr(rule))}"):
        Tokenizer([], [], [rule])
    with pytest.raises(LanguageError, match=f"apart {re.escape(repr(rule))}"):
        Tokenizer(apart=[rule])
    with pytest.raises(LanguageError, match=f"prefix {re.escape(repr(rule))}"):
        Tokenizer([], [rule])
    with pytest.raises(LanguageError, match='prefix "\'s"'):
        Tokenizer([], ["'s"])


def test_every_built_in_language_can_be_tokenised() -> None:
    """The tokeniser accepts the abbreviations and clitics of all languages, and each abbreviation is one token."""
    for model in map(languages.describe, languages.known()):
        rules = model.abbreviations, model.clitic_prefixes, model.clitic_suffixes
        tokenizer = Tokenizer(*rules, words=model.whole_words, joints=model.joints)
        for part in " ".join({*model.abbreviations, *model.whole_words} - {*ORDINALS}).split():
            text = f"{part} 5" if f"{part} 0" in model.abbreviations else part
            assert part == "0" or tokenizer.tokenize(text)[0] == (part, False), model.code


def test_texts_and_headings_must_match() -> None:
    """There are as many heading flags as texts."""
    with pytest.raises(ValueError, match="2 texts, but 1 heading"):
        TOKENIZER.vertical(["a", "b"], [True])

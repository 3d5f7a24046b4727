"""Sentences, compared with their rules in plain Python."""

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from corpusprep import languages
from corpusprep._native.unicode import LETTER, unicode_class, upper
from corpusprep.text.made_tokenizer import built_in_tokenizer
from corpusprep.text.own_tokenizer import OwnTokenizer
from corpusprep.text.sentences import Sentences
from corpusprep.text.tokenizer import Tokenizer

# The oracle: the rules of native/text/sentences.hpp.
UNSPACED = "。！？｡．"
MARK = re.compile(rf"[.!?\u037e…‥؟۔।॥։።፧{UNSPACED}]+")
CLOSING = {*"\"')]}`“”‘’«»‹›」』）】", "''", "``"}
FINAL = {"”", "»", ")", "''"}
OPENING = {*"\"'“”„‚‘’«»‹›([{¿¡-–—•*`_|「『", "``", "''", ",,", "--"}
STARTERS = {"The", "It", "Été"}


def closes(tokens: list[tuple[str, bool]], begin: int, place: int) -> bool:
    """Whether a token belongs to the sentence before it."""
    text, glued = tokens[place]
    if glued:
        return text in CLOSING
    alone = place + 1 == len(tokens) or not tokens[place + 1][1]
    odd = [one for one, _ in tokens[begin:place]].count('"') % 2 == 1
    return alone and (text in FINAL or (text == '"' and odd))


def starts_small(text: str) -> bool:
    """Whether a token starts with a small letter."""
    small = bool(text) and unicode_class(ord(text[0])) == LETTER and upper(text[0]) != text[0]
    return small and not "ა" <= text[0] <= "\u10ff"


def is_mark(tokens: list[tuple[str, bool]], place: int) -> bool:
    """Whether a token is marks that end sentences; so are ; behind a Greek letter and : behind an Armenian one."""
    text, glued = tokens[place]
    greek = text == ";" and glued and place > 0 and re.search("[\u0370-\u03ff\u1f00-\u1fff]$", tokens[place - 1][0])
    armenian = text == ":" and glued and place > 0 and re.search("[\u0531-\u0587]$", tokens[place - 1][0])
    return bool(greek or armenian or MARK.fullmatch(text))


def is_ordinal(tokens: list[tuple[str, bool]], stop: int, word: int) -> bool:
    """Whether the full stop at `stop` makes the number before it ordinal, by the token `word` behind it."""
    number, first = tokens[stop - 1][0], tokens[word][0]
    roman = re.fullmatch("[IVX]+", number)
    if not tokens[stop][1] or not (roman or re.fullmatch("[0-9]{1,4}", number)):
        return False
    if first[0] in "0123456789":
        stopped = first.endswith(".") or tokens[word + 1 : word + 2] == [(".", True)]
        dated = re.fullmatch(r"[0-9]{1,2}\.?", first) and stopped
        return bool(roman or len(number) < 3 or dated)
    return starts_small(first) or bool(roman and first not in STARTERS)


def ends_before(tokens: list[tuple[str, bool]], begin: int, stop: int, following: int, *, ordinals: bool) -> bool:
    """Whether the sentence that begins at `begin` ends with the token `stop`."""
    rest = [text for text, _ in tokens[following:]]
    opened = 0
    while opened < len(rest) and rest[opened] in OPENING:
        opened += 1
    first = rest[opened] if opened < len(rest) else ""
    small = starts_small(first)
    end = tokens[stop][0]
    if is_mark(tokens, stop):
        item = tokens[begin][0]
        if end == "." and stop == begin + 1 and (len(item) == 1 or re.fullmatch("[0-9]{1,3}", item)):
            return False
        if ordinals and end == "." and first and stop > begin and is_ordinal(tokens, stop, following + opened):
            return False
        if not small or opened or following > stop + 1:
            return not small
        if end[-1] in "!?؟;\u037e":
            return starts_small(tokens[begin][0])
        before = tokens[stop - 1][0] if stop > begin and tokens[stop][1] else ""
        return (
            end == "." and not (len(before) == 1 and starts_small(before)) and not re.search("[\u0531-\u0587]$", before)
        )
    if not end.endswith("."):
        return not small
    if stop == begin or first not in STARTERS:
        return False
    before = tokens[stop - 1][0]
    stopped = before.endswith(".") and not MARK.fullmatch(before)
    return len(end) > 2 or (stopped and starts_small(before))


def oracle(tokens: list[tuple[str, bool]], *, ordinals: bool = False) -> list[int]:
    """The places of the tokens that start a sentence."""
    starts, place = [0] if tokens else [], 0
    while place < len(tokens):
        text = tokens[place][0]
        emoticon = len(text) > 1 and text[0] in ":;=" and not text.endswith((".", "!", "?")) and text[-1].isascii()
        if not (is_mark(tokens, place) or text.endswith(".") or emoticon):
            place += 1
            continue
        following = place + 1
        while following < len(tokens) and closes(tokens, starts[-1], following):
            following += 1
        if following == len(tokens):
            break
        apart = not tokens[following][1] or text[-1] in UNSPACED
        if apart and ends_before(tokens, starts[-1], place, following, ordinals=ordinals):
            starts.append(following)
        place = following
    return starts


SENTENCES = Sentences(["the", "it", "été"])
WITH_ORDINALS = Sentences(["the", "it", "été"], "cs")
WORDS = [
    "The",
    "It",
    "it",
    "Été",
    "été",
    "Dog",
    "dog",
    "5",
    "123",
    "1234",
    "A",
    "étc.",
    "etc.",
    "J.",
    "IV",
    "X",
    "5.",
    "28.",
    "é.",
    "a.b.",
    "a",
    "a.",
    "Τί",
    "է",
    "და",
    ";",
]
MARKS = [".", "!", "?", "...", "…", "?!", "。", "।", ":)", ";-D", "=", ":", "<", *sorted(CLOSING | OPENING)]
tokens_of = st.lists(st.tuples(st.sampled_from([*WORDS, *MARKS, *MARKS[:8] * 3]), st.booleans()), max_size=16)


@settings(max_examples=600, deadline=None)
@given(tokens_of)
@example([("A", False), (".", True), ('"', False), ("B", False), (".", True), ('"', False), ("C", False)])
def test_sentences_are_those_of_the_rules(tokens: list[tuple[str, bool]]) -> None:
    """The kernel and the plain-Python rules agree on any tokens, with ordinal numbers and without."""
    texts, glued = [text for text, _ in tokens], [glued for _, glued in tokens]
    assert SENTENCES.starts(texts, glued) == oracle(tokens)
    assert WITH_ORDINALS.starts(texts, glued) == oracle(tokens, ordinals=True)


@pytest.mark.parametrize(
    "text",
    [
        "He came.|Then he left!|Why?|So...|And then... nothing.",
        "Mr. Smith came at 5 p.m. to St. Paul's.|It was late.",
        'He said: "Go!"|She went.|(Not far.)|"Where?" he asked.',
        "I like it :)|You too.|ok?|then yes.|yes.",
        "Janne! sagde Lis.|Hun gik.|The etc. n. l. end.|Τί;|Α.",
        "« C'est bien. »|Il part.",
        "ეს არის.|„ეს“ არის.|და",
        "Սա է:|Ես: սա. ես։|Ա",
        '" Yes. "|He went.',
        "1. The first item.|2. More",
        "He lived in the U.S. for years, e.g. in N.Y. before he died, etc.|The end.",
        "日本語です。|はい！|「いいえ。」|え",
        "यह घर है।|वह आया।",
        "3.5 million ... and more",
        "",
    ],
)
def test_sentences_of(text: str) -> None:
    """The rules on natural text; bars stand where a sentence starts."""
    check(text, Tokenizer(["a.", "Mr.", "St.", "p.m.", "etc.", "e.g."], ["c'"], ["'s"], SENTENCES))


def test_an_abbreviation_of_two_parts_can_end_a_sentence() -> None:
    """Its last part is no initial, unlike that of a name."""
    tokenizer = Tokenizer(["a."], sentences=SENTENCES)
    lines = tokenizer.vertical(["In 49 a. C. The end. J. R. The B."], [False])[0].decode()
    assert lines.count("<s>") == 3


def check(text: str, tokenizer: Tokenizer) -> None:
    """Compares the sentences of a text with those between its bars."""
    parts = text.split("|")
    joined = ("" if any(character in text for character in "。") else " ").join(parts)
    lines = tokenizer.vertical([joined], [False])[0].decode()
    found = re.findall(r"<s>\n(.*?)</s>\n", lines, re.DOTALL)
    assert [sentence.replace("<g/>\n", "").split() for sentence in found] == [
        [token.text for token in tokenizer.tokenize(part)] for part in parts if part
    ]


@pytest.mark.parametrize(
    ("code", "text"),
    [
        (
            "cs",
            "Karel Novák se narodil 5. května 1920 v Praze a žil tam až do 20. let minulého století.|Za vlády císaře"
            " Karla IV. byla v tomto městě založena univerzita.|Dne 28. října 1918 vznikl nový stát.|Kniha vyšla ve 3."
            " vydání a na 12. místě je obrázek mostu.|Karel IV. Lucemburský zemřel 29. 11. 1378 v Praze.",
        ),
        ("cs", "Bylo jich 12.|Petr odešel v roce 1920.|Potom přišel Karel IV.|To je vše.|Ve dnech 5. – 7. května."),
        ("sk", "Narodil sa 1. januára v 19. storočí.|Ľudovít XIV. bol kráľ."),
        ("de", "Am 28. 10. 1918 kam Karl IV. nach Wien, am 5. Mai auch.|Es war 1919."),
        ("pl", "Urodził się w 20. roku życia.|To było 5. miejsce."),
        ("hu", "IV. Béla a 13. században élt, 1918. november 11. után nem.|Ez 1918. 10. 28."),
        ("fi", "Hän syntyi 5. toukokuuta 1920.|Se oli 19. vuosisadalla."),
        ("et", "Ta sündis 5. mail 1920. aastal.|See oli 19. sajand."),
        ("lv", "Dzimis 1920. gada 5. maijā.|Tas bija 19. gadsimts."),
        ("hr", "Rođen je 5. svibnja 1920. godine.|To je 19. stoljeće."),
        ("da", "Han blev født den 5. maj 1920.|Christian IV. byggede det."),
        ("nb", "Han ble født 5. mai 1920 på 3. plass."),
        ("tr", "Bu 19. yüzyılda oldu.|II. Mehmed geldi, IV. Murad gitti."),
        ("en", "It was 5.|the next.|George IV.|the king."),
    ],
)
def test_ordinal_numbers(code: str, text: str) -> None:
    """A full stop behind an ordinal number ends no sentence, in the languages that write one there."""
    model = languages.get(code) if code in languages.known() else None
    sentences = Sentences(model.stop_list if model else ["see", "tas", "to"], code)
    check(text, built_in_tokenizer(model, sentences) if model else Tokenizer(sentences=sentences))


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from([*WORDS, *MARKS, " ", " ", "\ud800"]), max_size=20).map("".join))
def test_verticals_with_sentences_have_the_same_tokens(text: str) -> None:
    """Around them stand `<s>` and `</s>`; a user's own tokeniser marks the same sentences."""
    plain, marking = Tokenizer(["etc."]), Tokenizer(["etc."], sentences=SENTENCES)
    lines, counts = marking.vertical([text, "The end."], [True, False])
    assert re.sub("</?s>\n", "", lines.decode()) == plain.vertical([text, "The end."], [True, False])[0].decode()
    assert re.fullmatch(r"(<p [^\n]*>\n(<s>\n((?!</?[sp])[^\n]+\n)+</s>\n)*</p>\n)*", lines.decode())
    own = OwnTokenizer(lambda given: [token.text for token in plain.tokenize(given)], "mine:own", SENTENCES)
    assert own.vertical([text, "The end."], [True, False]) == (lines, counts)


def test_tokens_must_not_be_empty() -> None:
    """There is a flag per token, too."""
    for tokens, glued in ((["a", ""], [False, False]), (["a"], [])):
        with pytest.raises(ValueError, match=r"empty token|shorter"):
            SENTENCES.starts(tokens, glued)


@pytest.mark.parametrize("unit", [". ", '"', "( ", ".) ", "a. ", '. " '])
def test_time_is_linear(unit: str) -> None:
    """Half a million tokens of any pattern take seconds."""
    tokenizer = Tokenizer(sentences=SENTENCES)
    assert tokenizer.vertical([unit * 400_000], [False])[1][0] >= 400_000

"""Sentences, compared with their rules in plain Python."""

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from corpusprep._native.unicode import LETTER, unicode_class, upper
from corpusprep.text.own_tokenizer import OwnTokenizer
from corpusprep.text.sentences import Sentences
from corpusprep.text.tokenizer import Tokenizer

# The oracle: the rules of native/text/sentences.hpp.
UNSPACED = "。！？｡．"
MARK = re.compile(rf"[.!?…‥؟۔।॥։።፧{UNSPACED}]+")
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


def ends_before(tokens: list[tuple[str, bool]], begin: int, stop: int, following: int) -> bool:
    """Whether the sentence that begins at `begin` ends with the token `stop`."""
    rest = [text for text, _ in tokens[following:]]
    opened = 0
    while opened < len(rest) and rest[opened] in OPENING:
        opened += 1
    first = rest[opened] if opened < len(rest) else ""
    small = bool(first) and unicode_class(ord(first[0])) == LETTER and upper(first[0]) != first[0]
    end = tokens[stop][0]
    if MARK.fullmatch(end):
        item = tokens[begin][0]
        if end == "." and stop == begin + 1 and (len(item) == 1 or re.fullmatch("[0-9]{1,3}", item)):
            return False
        return not small or ((end == "." or end[-1] in "!?؟") and not opened and following == stop + 1)
    if not end.endswith("."):
        return not small
    return stop > begin and len(end) > 2 and first in STARTERS


def oracle(tokens: list[tuple[str, bool]]) -> list[int]:
    """The places of the tokens that start a sentence."""
    starts, place = [0] if tokens else [], 0
    while place < len(tokens):
        text = tokens[place][0]
        emoticon = len(text) > 1 and text[0] in ":;=" and not text.endswith((".", "!", "?")) and text[-1].isascii()
        if not (MARK.fullmatch(text) or text.endswith(".") or emoticon):
            place += 1
            continue
        following = place + 1
        while following < len(tokens) and closes(tokens, starts[-1], following):
            following += 1
        if following == len(tokens):
            break
        apart = not tokens[following][1] or text[-1] in UNSPACED
        if apart and ends_before(tokens, starts[-1], place, following):
            starts.append(following)
        place = following
    return starts


SENTENCES = Sentences(["the", "it", "été"])
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
    "5.",
    "é.",
    "a.b.",
]
MARKS = [".", "!", "?", "...", "…", "?!", "。", "।", ":)", ";-D", "=", ":", "<", *sorted(CLOSING | OPENING)]
tokens_of = st.lists(st.tuples(st.sampled_from([*WORDS, *MARKS, *MARKS[:8] * 3]), st.booleans()), max_size=16)


@settings(max_examples=600, deadline=None)
@given(tokens_of)
@example([("A", False), (".", True), ('"', False), ("B", False), (".", True), ('"', False), ("C", False)])
def test_sentences_are_those_of_the_rules(tokens: list[tuple[str, bool]]) -> None:
    """The kernel and the plain-Python rules agree on any tokens."""
    assert SENTENCES.starts([text for text, _ in tokens], [glued for _, glued in tokens]) == oracle(tokens)


@pytest.mark.parametrize(
    "text",
    [
        "He came.|Then he left!|Why?|So...|And then... nothing.",
        "Mr. Smith came at 5 p.m. to St. Paul's.|It was late.",
        'He said: "Go!"|She went.|(Not far.)|"Where?" he asked.',
        "I like it :)|You too?|ok then.|yes.",
        "« C'est bien. »|Il part.",
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
    parts = text.split("|")
    joined = ("" if any(character in text for character in "。") else " ").join(parts)
    tokenizer = Tokenizer(["Mr.", "St.", "p.m.", "etc.", "e.g."], ["c'"], ["'s"], SENTENCES)
    lines = tokenizer.vertical([joined], [False])[0].decode()
    found = re.findall(r"<s>\n(.*?)</s>\n", lines, re.DOTALL)
    assert [sentence.replace("<g/>\n", "").split() for sentence in found] == [
        [token.text for token in tokenizer.tokenize(part)] for part in parts if part
    ]


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

"""How languages cut words: hyphens, elision, ordinals; words of English that are cut otherwise than by their marks.

They follow the rules of spaCy (Honnibal et al. 2020), by which filters for language models count words.
"""

from collections.abc import Iterator
from typing import NamedTuple


class Splitting(NamedTuple):
    """How the words of a language are cut where languages differ.

    Attributes:
        hyphens: of a word: stay (only two or more cut), between_letters, or behind_digits (also 12-metre).
        elision: whether an apostrophe ends a word before a letter (l'eau).
        ordinals: whether a full stop stays with the number before it.
    """

    hyphens: str
    elision: bool
    ordinals: bool


_HYPHENS_STAY = frozenset("ca da de el es fi hu ky lb nb nl nn no pt ro sr sv tt".split())
_HYPHENS_BEHIND_DIGITS = frozenset("en id lg ms pl sl tn".split())
_ELISION = frozenset("ca fr it lij".split())
_NO_SINGLE_LETTERS = frozenset("lt pl tr".split())
_ORDINALS = frozenset("am ar bn de fa hu nb no sl sr ti tr".split())

_W_WORDS = ("who", "what", "when", "where", "why", "how", "there", "that", "this", "these", "those")
_PRONOUNS = ("i", "you", "he", "she", "it", "we", "they")
_PLURAL = ("these", "those")
#: Verbs before n't; those with a mark also stand before n't've.
_VERBS = (
    *("ca*", "could*", "do*", "does*", "did*", "had*", "may*", "might*", "must*", "need*", "ought*", "sha*", "should*"),
    *("wo*", "would*", "ai", "are", "is", "was", "were", "have", "has", "dare"),
)
#: Contractions without their apostrophe that are other words.
_OTHER_WORDS = frozenset(["ill", "its", "hell", "shell", "shed", "were", "well", "whore", "howdy"])
_WHOLE = """
    'Cause 'cause 'Cos 'cos 'Coz 'coz 'Cuz 'cuz 'S 's 'bout 'd 'em 'll 'nuff 're em ll nuff ol ol' Ol Ol' ma'am Ma'am
    o'clock O'clock doin doin' Doin Doin' goin goin' Goin Goin' havin havin' Havin Havin' lovin lovin' Lovin Lovin'
    nothin nothin' Nothin Nothin' nuthin nuthin' Nuthin Nuthin' somethin somethin' Somethin Somethin'
"""
_ABBREVIATIONS = """
    Adm. Ak. Ala. Apr. Ariz. Ark. Aug. Bros. Calif. Co. Colo. Conn. Corp. D.C. Dec. Del. Dr. E.G. E.g. Feb. Fla. Ga.
    Gen. Gov. I.E. I.e. Ia. Id. Ill. Inc. Ind. Jan. Jr. Jul. Jun. Kan. Kans. Ky. La. Ltd. Mar. Mass. Md. Messrs. Mich.
    Minn. Miss. Mo. Mont. Mr. Mrs. Ms. Mt. N.C. N.D. N.H. N.J. N.M. N.Y. Neb. Nebr. Nev. Nov. Oct. Okla. Ore. Pa. Ph.D.
    Prof. Rep. Rev. S.C. Sen. Sep. Sept. St. Tenn. Va. Wash. Wis. a.m. and/or co. e.g. i.e. p.m. v.s. vs. w/o
"""
_LETTERS = """
    a. b. c. d. e. f. g. h. i. j. k. l. m. n. o. p. q. r. s. t. u. v. w. x. y. z. ä. ö. ü.
"""
_OF_ALL_LANGUAGES = """
    C++
    '' (-8 (-: (-; (: (; (= (o: )-: ): -_- 0.0 0.o 0_0 0_o 8) 8-) 8-D 8D :'( :') :'-( :'-) :( :(( :((( :() :) :)) :)))
    :* :-( :-(( :-((( :-) :-)) :-))) :-* :-/ :-0 :-3 :-> :-D :-O :-P :-X :-] :-o :-p :-x :-| :-} :/ :0 :1 :3 :> :D :O
    :P :X :] :o :o) :p :x :| :} ;) ;-) ;-D ;D ;_; </3 <3 <33 <333 =( =) =/ =3 =D =[ =] =| >.< >.> >:( >:o @_@ O.O O.o
    O_O O_o V.V V_V XD XDD [-: [: [= ]= ^_^ ^__^ ^___^ o.0 o.O o.o o_0 o_O o_o v.v v_v xD xDD
"""


def splitting_of(code: str) -> Splitting:
    """Returns how the words of a language are cut.

    >>> splitting_of("fr"), splitting_of("de").hyphens, splitting_of("sr-Latn").ordinals
    (Splitting(hyphens='between_letters', elision=True, ordinals=False), 'stay', True)
    """
    code = code.partition("-")[0]
    hyphens = "behind_digits" if code in _HYPHENS_BEHIND_DIGITS else "between_letters"
    return Splitting("stay" if code in _HYPHENS_STAY else hyphens, code in _ELISION, code in _ORDINALS)


def exceptions_of(code: str) -> list[tuple[str, ...]]:
    """Returns the exceptions of a language, each as its parts, in a fixed order.

    All have smileys; nearly all, single letters with a full stop.

    >>> ("do", "n't") in exceptions_of("en"), ("Mr.",) in exceptions_of("en"), (":-)",) in exceptions_of("el")
    (True, True, True)
    """
    if code == "en":
        return _english()
    letters = "" if code in _NO_SINGLE_LETTERS else _LETTERS
    return [(word,) for words in (letters, _OF_ALL_LANGUAGES) for word in words.split()]


def _english() -> list[tuple[str, ...]]:
    found = dict.fromkeys(_contractions())
    apostrophes = [tuple(part.replace("'", "’") for part in parts) for parts in found]
    whole = [(word,) for words in (_WHOLE, _ABBREVIATIONS, _LETTERS, _OF_ALL_LANGUAGES) for word in words.split()]
    return list(dict.fromkeys([*found, *apostrophes, *whole, *((word.replace("'", "’"),) for word in _WHOLE.split())]))


def _contractions() -> Iterator[tuple[str, ...]]:
    for start, *ends in _endings():
        for first in (start, start[:1].upper() + start[1:]):
            yield (first, *ends)
            bare = tuple(end.replace("'", "") for end in ends)
            if first.lower() + "".join(bare) not in _OTHER_WORDS and (start, *ends) != ("let", "'s"):
                yield (first, *bare)
    for hour in range(1, 13):
        for half in ("a.m.", "am", "p.m.", "pm"):
            yield str(hour), half
    for first in ("can", "gon", "got", "c'm"):
        for start in (first, first[:1].upper() + first[1:]):
            yield start, {"can": "not", "gon": "na", "got": "ta", "c'm": "on"}[first]
    yield "y", "all"
    yield "y'", "all"


def _endings() -> Iterator[tuple[str, ...]]:
    for verb in _VERBS:
        yield verb.rstrip("*"), "n't"
        if verb.endswith("*"):
            yield verb.rstrip("*"), "n't", "'ve"
    for word in (*_PRONOUNS, *_W_WORDS):
        yield word, "'ll"
        yield word, "'ll", "'ve"
        yield word, "'d"
        yield word, "'d", "'ve"
    yield "i", "'m"
    yield "i", "'m", "a"
    for word in ("he", "she", "it", *(word for word in _W_WORDS if word not in _PLURAL), "let"):
        yield word, "'s"
    for word in (*_W_WORDS, "i", "you", "we", "they", "could", "might", "must", "not", "should", "would"):
        if word not in ("that", "this"):
            yield word, "'ve"
    for word in ("you", "we", "they", *_W_WORDS):
        if word not in ("that", "this"):
            yield word, "'re"
    yield "how", "'d", "'y"

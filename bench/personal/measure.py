"""Measures what is found of the personal data in made texts of ten languages, beside other tools, in one run.

    python bench personal [--texts 600] [--output PAGE]

The texts are made (personal/gold.py); a seed decides. A place is found if its kind, its first and its last letter or
digit are. datatrove's PIIFormatter knows e-mail and IP addresses. presidio's recognisers of these kinds look at the
text alone, with the countries of the language; its models of names are not asked. Tools that are not installed are
left out. Writes the page to --output, or prints it.
"""

import os
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import running
from peers.times import cpu_seconds

from corpusprep.personal.rules import KINDS, countries_of, kernel
from personal.gold import Place, Text, made

Find = Callable[[Text], Iterable[Place]]
WIDTH = 120
#: Language -> regions of `phonenumbers`, and presidio's recognisers of identity numbers.
_REGIONS = {
    "en": ("US", "GB"), "de": ("DE", "AT", "CH"), "fr": ("FR", "BE", "CH"), "es": ("ES",), "it": ("IT", "CH"),
    "pt": ("BR", "PT"), "pl": ("PL",), "cs": ("CZ",), "ru": ("RU",), "zh": ("CN",),
}  # fmt: skip
_IDENTITIES = {
    "en": ("UsSsnRecognizer", "UkNinoRecognizer"), "de": ("DeTaxIdRecognizer",),
    "es": ("EsNifRecognizer", "EsNieRecognizer"), "it": ("ItFiscalCodeRecognizer",), "pl": ("PlPeselRecognizer",),
}  # fmt: skip


def main(prog: str, arguments: Sequence[str]) -> None:
    """Measures, and writes or prints the page."""
    parser = running.parser(prog, __doc__)
    parser.add_argument("--texts", type=int, default=600, help="texts per language, at least 1")
    parser.add_argument("--output", type=Path, help="the page to write: docs/measurements/personal-data.md")
    options = parser.parse_args(arguments)
    if options.texts < 1:
        raise running.CommandError("--texts must be at least 1")
    lines = list(page(made(options.texts), f"python bench personal --texts {options.texts}"))
    if options.output is None:
        print("\n".join(lines))
    else:
        options.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


def ours(text: Text) -> Iterator[Place]:
    """Yields the places that corpusprep finds."""
    finder = kernel()
    for _, kind, start, end in finder.find([text.text], countries_of(text.language, text.ending)).tolist():
        yield Place(KINDS[kind], start, end)


def datatroves() -> Find:
    """Returns what finds the places that datatrove's PIIFormatter would replace."""
    from datatrove.pipeline.formatters import PIIFormatter

    formatter = PIIFormatter()
    replacers = {"email": formatter.emails_replacer, "ip": formatter.ip_replacer}

    def find(text: Text) -> Iterator[Place]:
        for kind, replacer in replacers.items():
            for match in replacer.regex.finditer(text.text):
                if replacer.validator is None or replacer.validator(match[0]):
                    yield Place(kind, *match.span())

    return find


def presidios() -> Find:
    """Returns what finds the places that presidio's recognisers give, with any score."""
    import tldextract.tldextract
    from presidio_analyzer import predefined_recognizers as theirs

    # The list of domains that it has, not a newer one from the network.
    tldextract.tldextract.TLD_EXTRACTOR = tldextract.tldextract.TLDExtract(suffix_list_urls=())
    common = {
        "email": "EmailRecognizer",
        "ip": "IpRecognizer",
        "iban": "IbanRecognizer",
        "card": "CreditCardRecognizer",
    }
    recognisers: dict[str, list[tuple[str, Any]]] = {}
    for language, regions in _REGIONS.items():
        named = [*common.items(), *(("identity", name) for name in _IDENTITIES.get(language, ()))]
        of_language = [(kind, getattr(theirs, name)()) for kind, name in named]
        recognisers[language] = [*of_language, ("phone", theirs.PhoneRecognizer(supported_regions=regions))]

    def find(text: Text) -> Iterator[Place]:
        for kind, recogniser in recognisers[text.language]:
            for result in recogniser.analyze(text.text, recogniser.supported_entities, None):
                yield Place(kind, result.start, result.end)

    return find


def tools() -> dict[str, Find]:
    """Returns the tools that are installed."""
    found: dict[str, Find] = {"corpusprep": ours}
    if find_spec("datatrove"):
        found["datatrove"] = datatroves()
    if find_spec("presidio_analyzer"):
        found["presidio-analyzer"] = presidios()
    return found


def bare(text: str, place: Place) -> Place:
    """Returns a place without marks at its ends."""
    start, end = place.start, place.end
    while start < end and not text[start].isalnum():
        start += 1
    while start < end and not text[end - 1].isalnum():
        end -= 1
    return Place(place.kind, start, end)


class Score(Counter[tuple[str, str]]):
    """Counts of places: (kind or language, wanted, found or right)."""

    def precision(self, name: str) -> str:
        """Returns the share of what was found that is right, in percent; empty if nothing was found."""
        return percent(self[name, "right"], self[name, "found"])

    def recall(self, name: str) -> str:
        """Returns the share of places that were found, in percent; empty if nothing was found."""
        return percent(self[name, "right"], self[name, "wanted"]) if self[name, "found"] else ""


def percent(part: int, whole: int) -> str:
    """Returns a share with one decimal; empty of nothing."""
    return f"{100 * part / whole:.1f}" if whole else ""


def scored(texts: Sequence[Text], places: Iterable[Iterable[Place]]) -> Score:
    """Returns the score of what was found in texts, by kind, by language, and of the texts without places (`none`)."""
    score = Score()
    for text, found in zip(texts, places, strict=True):
        wanted = {bare(text.text, place) for place in text.places}
        given = {bare(text.text, place) for place in found}
        for name, group in (("wanted", wanted), ("found", given), ("right", wanted & given)):
            for place in group:
                score.update([(place.kind, name), (text.language, name)])
        if not wanted:
            score.update([("none", "found")] * len(given))
    return score


def _places(find: Find, texts: Sequence[Text]) -> list[list[Place]]:
    return [list(find(text)) for text in texts]


def page(texts: Sequence[Text], command: str) -> Iterator[str]:
    """Yields the lines of the page."""
    scores: dict[str, Score] = {}
    seconds: dict[str, float] = {}
    for name, find in tools().items():
        list(find(texts[0]))  # loads what it needs before the clock runs
        seconds[name], places = cpu_seconds(partial(_places, find, texts))
        scores[name] = scored(texts, places)
    names = list(scores)
    yield "# Personal data in made texts"
    yield ""
    yield from textwrap.wrap(" ".join(_ABOUT.split()), WIDTH)
    yield from ["", f"    {command}", ""]
    languages = dict.fromkeys(text.language for text in texts)
    empty = sum(not text.places for text in texts)
    versions = ", ".join(f"{name} {version(name)}" for name in names)
    times = ", ".join(f"{name} {seconds[name]:.2f}" for name in names)
    missing = [name for name in ("datatrove", "presidio-analyzer") if name not in scores]
    yield from textwrap.wrap(
        f"{date.today()}. {len(texts):,} texts in {len(languages)} languages, of which {empty:,}"
        f" have no personal data; {sum(len(text.text) for text in texts):,} characters. {os.cpu_count()} CPUs."
        f" {versions}. Seconds of CPU time: {times}." + (f" Not installed: {', '.join(missing)}." if missing else ""),
        WIDTH,
        break_on_hyphens=False,
    )
    yield from ["", "Precision and recall in percent, by kind; empty where a tool does not look for it:", ""]
    yield f"| kind | places | {' | '.join(f'{name} precision | recall' for name in names)} |"
    yield f"|---|---:|{'---:|---:|' * len(names)}"
    for kind in KINDS:
        cells = " | ".join(f"{scores[name].precision(kind)} | {scores[name].recall(kind)}" for name in names)
        yield f"| {kind} | {scores[names[0]][kind, 'wanted']:,} | {cells} |"
    wrong = " | ".join(f"{scores[name]['none', 'found']:,} |" for name in names)
    yield f"| found in texts without any | 0 | {wrong} |"
    names = [name for name in names if all(scores[name][kind, "found"] for kind in KINDS)]
    yield from ["", "By language, of all kinds, for the tools that look for all of them:", ""]
    yield f"| language | places | {' | '.join(f'{name} precision | recall' for name in names)} |"
    yield f"|---|---:|{'---:|---:|' * len(names)}"
    for language in languages:
        cells = " | ".join(f"{scores[name].precision(language)} | {scores[name].recall(language)}" for name in names)
        yield f"| {language} | {scores[names[0]][language, 'wanted']:,} | {cells} |"
    yield ""
    yield from textwrap.wrap(" ".join(_REMARKS.split()), WIDTH)


_ABOUT = """Sentences in ten languages as pages of contacts, imprints, forums and news have them, made by a program. Two
of three have e-mail addresses, telephone numbers, IP addresses, bank accounts, cards or identity numbers; one of three
has prices, dates, book numbers, versions, orders, coordinates, local addresses or article numbers, which are none. A
place counts as found if its kind and its first and last letter or digit are. `python bench personal` writes this
page."""
_REMARKS = """The set shows which forms are known, not what share of the personal data of a crawl is found: its
sentences are few, and its numbers are written as their countries write them. After a first look at it, words such as
the verbs for calling were added to our rules, and cards of 13 digits removed; so our figures are an upper bound. What
is missed are telephone numbers in groups that other numbers have, too, without a word that says so (*je na čísle 777
017 352*). What is wrong are versions far behind their word. Names and postal addresses are not in the set. presidio
has no recognisers of the identity numbers of French, Portuguese, Czech, Russian and Chinese texts. It gives each
finding a score, and raises it where words around it fit; here all its findings count, whatever their score."""

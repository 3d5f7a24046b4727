"""Assigns each document of a crawl to one of the languages that are asked for, or to a named rest.

A document goes to the language whose filter keeps it (corpusprep.languages.filtering): its score reaches the threshold,
and no rival scores higher. So each corpus has the documents that a corpus of this language alone would keep. If several
filters keep it, the highest score decides, then the code. A document that no filter keeps is named by the other known
languages in the same way.

A document that no language keeps as a whole may be mixed. Then its longer blocks are judged by themselves, and it
belongs to the language with the most characters in them. By choice, documents with long blocks in several languages are
divided block by block.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from corpusprep.errors import ConfigError
from corpusprep.languages.filtering import BLOCK_CHARACTERS, Judge, Judged
from corpusprep.languages.identifiers import METHODS
from corpusprep.languages.known_languages import KnownLanguages
from corpusprep.languages.naming import Named, Namer
from corpusprep.languages.scripts import is_in_no_language
from corpusprep.languages.similarity import THRESHOLD
from corpusprep.languages.tags import NO_LANGUAGE as ZXX
from corpusprep.languages.tags import Tag, asked_of, tag
from corpusprep.languages.word_evidence import TextWords
from corpusprep.tables.verdicts import DIVISION_REASONS, KEPT

OTHER, UNDECIDED, NO_LANGUAGE = tuple(DIVISION_REASONS)[:3]


@dataclass(frozen=True, slots=True)
class Filter:
    """The settings of a language's filter; None means: as in its model."""

    method: str
    threshold: float | None = None
    rivals: tuple[str, ...] | None = None
    margin: float | None = None

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> "Filter":
        """Takes what decides about whole documents from the section `language` of a config."""
        rivals = settings.get("rivals")
        rivals = None if rivals is None else tuple(rivals)
        return cls(settings["method"], settings.get("threshold"), rivals, settings.get("margin"))


class Assigned(NamedTuple):
    """Where a document goes.

    Attributes:
        corpus: the code of the language whose corpus it goes to; None: it goes to no corpus.
        rest: why it goes to no corpus; empty if it goes to one.
        language: the language that it is in; None if that is unknown.
        score: its score for this language.
        mixed: whether it belongs to this language only by some of its blocks.
    """

    corpus: str | None
    rest: str
    language: str | None
    score: float | None
    mixed: bool = False


class Portion(NamedTuple):
    """What goes to one place of a document that is divided block by block, or all of it.

    Attributes:
        assigned: where it goes.
        runs: the first block of each run of its blocks, ascending; empty if it is the whole document. A run ends before
            the next one of any portion of the document.
    """

    assigned: Assigned
    runs: list[int]


class _Judges:
    """The filters of languages, and what they say of the texts of one document; each text is scored once."""

    def __init__(self, known: KnownLanguages) -> None:
        self._known = known
        self._judges: dict[_Settings, tuple[Judge, list[int] | None]] = {}
        self._measured: dict[str, tuple[list[float], TextWords]] = {}
        self._judged: dict[tuple[_Settings, str], Judged] = {}

    def forget(self) -> None:
        """Forgets the texts of a document."""
        self._measured.clear()
        self._judged.clear()

    def scores(self, text: str) -> Sequence[float]:
        """Returns the trigram score of a text for each known language."""
        return self._measures(text)[0]

    def judged(self, settings: "_Settings", text: str) -> Judged:
        """Returns what a filter says of a text."""
        key = (settings, text)
        if key not in self._judged:
            judge, compared = self._judge(settings)
            measured = None
            if compared is not None:
                scores, words = self._measures(text)
                measured = [scores[place] for place in compared], words
            self._judged[key] = judge(text, measured)
        return self._judged[key]

    def _measures(self, text: str) -> tuple[list[float], TextWords]:
        if text not in self._measured:
            self._measured[text] = self._known.measured(text)
        return self._measured[text]

    def _judge(self, settings: "_Settings") -> tuple[Judge, list[int] | None]:
        """Returns a filter, made on first use since most pages need few; and the places of its languages.

        None: not all of them are known.
        """
        if settings not in self._judges:
            model = self._known.models[settings.code]
            rivals = [self._known.get(rival) for rival in settings.rivals]
            places = [self._known.places.get(code) for code in (settings.code, *settings.rivals)]
            known = [place for place in places if place is not None]
            judge = Judge(model, rivals, settings.threshold, settings.method)
            self._judges[settings] = judge, known if len(known) == len(places) else None
        return self._judges[settings]


class _Settings(NamedTuple):
    """The settings of a filter, all of them decided; a model without a threshold keeps nothing."""

    code: str
    threshold: float
    rivals: tuple[str, ...]
    method: str

    @classmethod
    def of(cls, known: KnownLanguages, code: str, language_filter: Filter, *, asked: bool) -> "_Settings":
        """Returns the settings of a language: its own, else its model's."""
        model = known.models[code]
        rivals = model.rivals if language_filter.rivals is None else language_filter.rivals
        if language_filter.method != METHODS[0]:
            rivals = ()
        elif not asked:
            rivals = tuple(rival for rival in rivals if rival in known.models)
        rivals = tuple(known.get(rival).code for rival in rivals)
        if language_filter.threshold is not None:
            threshold = language_filter.threshold or 1e-9
        else:
            threshold = THRESHOLD if language_filter.method != METHODS[0] else model.threshold
        return cls(code, threshold, rivals, language_filter.method)


class Assigner:
    """Assigns documents to languages."""

    def __init__(
        self,
        known: KnownLanguages,
        asked: Mapping[str, Filter],
        *,
        by_block: bool = False,
        judges: _Judges | None = None,
    ) -> None:
        """Makes an assigner.

        Args:
            known: the languages that documents may be in.
            asked: the languages that have a corpus, by code, with the settings of their filters.
            by_block: whether a document in several languages is divided block by block.
            judges: of another assigner, to share what was measured.

        Raises:
            LanguageError: a language is unknown.
        """
        self._known, self._given, self._by_block = known, asked, by_block
        self._asked = {code: _Settings.of(known, code, asked[code], asked=True) for code in sorted(asked)}
        self._others = {
            code: _Settings.of(known, code, Filter(METHODS[0]), asked=False)
            for code in known.models
            if code not in asked
        }
        self._by_raw = all(language_filter.method == METHODS[0] for language_filter in asked.values())
        self._judges = judges or _Judges(known)
        self._less: dict[str, Assigner] = {}
        self._tried = [self._trials(filters) for filters in (self._asked, self._others)]
        self._found: list[Portion] = []
        self._whole_text = ""

    def __call__(self, texts: Sequence[str]) -> Assigned:
        """Assigns a document with these good blocks, as a whole."""
        return self.portions(range(len(texts)), texts, whole=True)[0].assigned

    def portions(self, blocks: Sequence[int], texts: Sequence[str], *, whole: bool = False) -> list[Portion]:
        """Assigns a document, or each portion of it if documents are divided block by block.

        A long block that a filter keeps is in that language, but if the language of the whole document keeps it, it is
        in this one. All other blocks go where the long block before them goes, or the first one.

        Args:
            blocks: the numbers of its good blocks, ascending.
            texts: theirs.
            whole: whether to assign it as a whole in any case.

        Returns:
            The portions: first in the language of the whole document, then by code.
        """
        self._judges.forget()
        self._whole_text = "\n".join(texts)
        self._found = self._portions(blocks, texts, self._whole_text, whole=whole)
        return self._found

    def instead(self, portion: Portion, blocks: Sequence[int], texts: Sequence[str]) -> list[str]:
        """Returns the corpora that a portion would go to if its language had none, but were still known.

        Args:
            portion: a portion of the document whose portions were found last.
            blocks: of the document.
            texts: theirs.

        Returns:
            Codes, ascending: of one language, or of several if the portion would be divided; none for no corpus.
        """
        code = portion.assigned.corpus
        if code is None or len(self._asked) == 1:
            return []
        if code not in self._less:
            left = {other: settings for other, settings in self._given.items() if other != code}
            self._less[code] = Assigner(self._known, left, by_block=self._by_block, judges=self._judges)
        otherwise = self._less[code]._portions(blocks, texts, self._whole_text)
        if len(self._found) == len(otherwise) == 1:
            moved_to = otherwise[0].assigned.corpus
            return [moved_to] if moved_to else []
        moved = zip(_owners(self._found, blocks), _owners(otherwise, blocks), strict=True)
        return sorted({after.corpus for before, after in moved if before.corpus == code and after.corpus})

    def _portions(
        self, blocks: Sequence[int], texts: Sequence[str], joined: str, *, whole: bool = False
    ) -> list[Portion]:
        main = self._whole(texts, joined)
        home = None if main.mixed or main.rest == NO_LANGUAGE else main.language
        runs = [] if whole or not self._by_block else self._runs(blocks, texts, home)
        if len({language for _, language in runs}) < 2:
            return [Portion(main, [])]
        portions = []
        for language, (owned, firsts) in _by_language(runs, main.language, blocks, texts).items():
            score = self._judges.judged(self._settings(language), owned).score
            portions.append(Portion(self._assigned(language, score, mixed=True), firsts))
        return portions

    def _runs(self, blocks: Sequence[int], texts: Sequence[str], home: str | None) -> list[tuple[int, str]]:
        """Returns the first block and the language of each run of blocks in one language; the first begins at 0.

        Args:
            blocks: numbers of the good blocks.
            texts: theirs.
            home: the language of the document as a whole, if there is one.
        """
        own = self._settings(home) if home else None
        runs: list[tuple[int, str]] = []
        for block, text in zip(blocks, texts, strict=True):
            if len(text) < BLOCK_CHARACTERS:
                continue
            language = home
            if not (own and own.threshold and self._judges.judged(own, text).verdict == KEPT):
                best, _ = self._best(text)
                language = best[1] if best else home
            if language and (not runs or runs[-1][1] != language):
                runs.append((block if runs else 0, language))
        return runs

    def _whole(self, texts: Sequence[str], joined: str) -> Assigned:
        """Assigns a document as a whole."""
        if is_in_no_language(joined):
            return Assigned(None, NO_LANGUAGE, ZXX, None)
        best, rivals = self._best(joined)
        if best is None and rivals:
            score, code = max(rivals, key=lambda rival: (rival[0], rival[1]))
            best = (score, code)
        if best is not None:
            return self._assigned(best[1], best[0], mixed=False)
        characters: Counter[str] = Counter()
        for text in texts:
            if len(text) >= BLOCK_CHARACTERS and (best_language := self._best(text)[0]) is not None:
                characters[best_language[1]] += len(text)
        if not characters:
            return Assigned(None, UNDECIDED, None, None)
        language = min(characters, key=lambda code: (-characters[code], code))
        return self._assigned(language, self._judges.judged(self._settings(language), joined).score, mixed=True)

    def _settings(self, code: str) -> _Settings:
        return self._asked.get(code) or self._others[code]

    def _assigned(self, language: str, score: float, *, mixed: bool) -> Assigned:
        if language in self._asked:
            return Assigned(language, "", language, score, mixed)
        return Assigned(None, OTHER, language, score, mixed)

    def _best(self, text: str) -> tuple[tuple[float, str] | None, list[tuple[float, str]]]:
        """Returns the score and code of the language that keeps a text, or None; and the rivals that prevented it."""
        rivals: list[tuple[float, str]] = []
        for tried in self._tried:
            kept: list[tuple[float, str]] = []
            for code, judged in self._judged(text, tried):
                if judged.verdict == KEPT:
                    kept.append((judged.score, code))
                    if self._by_raw:
                        break  # all others have lower scores
                elif judged.verdict == "rival_language" and judged.rival not in self._asked:
                    rivals.append((judged.rival_score or 0.0, judged.rival or ""))
            if kept:
                return min(kept, key=lambda pair: (-pair[0], pair[1])), []
        return None, rivals

    def _trials(self, filters: Mapping[str, _Settings]) -> list[tuple[int, float, _Settings]]:
        """Returns the filters that may keep a text: place of the language, lowest trigram score, settings."""
        return [
            (
                self._known.places[code],
                language_filter.threshold if language_filter.method == METHODS[0] else 0.0,
                language_filter,
            )
            for code, language_filter in filters.items()
            if language_filter.threshold
        ]

    def _judged(self, text: str, tried: Sequence[tuple[int, float, _Settings]]) -> Iterator[tuple[str, Judged]]:
        """Yields what the filters say of a text whose score may reach their threshold, the highest scores first."""
        scores = self._judges.scores(text)
        # Few languages reach their threshold: only these are sorted. No two have the same code.
        reach = [
            (-scores[place], settings.code, settings) for place, least, settings in tried if scores[place] >= least
        ]
        for _, code, settings in sorted(reach):
            yield code, self._judges.judged(settings, text)


def _by_language(
    runs: Sequence[tuple[int, str]], home: str | None, blocks: Sequence[int], texts: Sequence[str]
) -> dict[str, tuple[str, list[int]]]:
    """Returns the text and the runs of each language of a document that is divided: first its main one, then by code.

    Args:
        runs: first block and language of each.
        home: the language of the document as a whole, if there is one.
        blocks: numbers of the good blocks.
        texts: theirs.
    """
    ends = [block for block, _ in runs[1:]]
    of_language: dict[str, list[str]] = {}
    for block, text in zip(blocks, texts, strict=True):
        of_language.setdefault(runs[bisect_right(ends, block)][1], []).append(text)
    return {
        language: ("\n".join(of_language[language]), [block for block, code in runs if code == language])
        for language in sorted(of_language, key=lambda code: (code != home, code))
    }


class NamingAssigner:
    """Assigns documents to languages by an identifier that names them.

    A document is in the language that the identifier is sure of, whether that has a corpus or not. So close languages
    that have no corpus never go to one that has.
    """

    def __init__(self, namer: Namer, asked: Mapping[str, Filter], *, by_block: bool = False) -> None:
        """Makes an assigner; arguments as for `Assigner`.

        Raises:
            ConfigError: the identifier does not know a language.
        """
        self._namer, self._asked, self._by_block = namer, asked, by_block
        self._codes: dict[str, str] = {}
        for code in asked:
            known = asked_of(tag(code) or Tag(code), namer.known)
            if not known:
                raise ConfigError(f"the identifier does not know the language {code}; name another method")
            self._codes |= dict.fromkeys(known, code)

    def __call__(self, texts: Sequence[str]) -> Assigned:
        """Assigns a document with these good blocks, as a whole."""
        return self._assigned("\n".join(texts), mixed=False)

    def portions(self, blocks: Sequence[int], texts: Sequence[str], *, whole: bool = False) -> list[Portion]:
        """Assigns a document, or each portion of it if documents are divided block by block (see Assigner)."""
        main = self(texts)
        runs = [] if whole or not self._by_block else self._runs(blocks, texts, main.language)
        if len({language for _, language in runs}) < 2:
            return [Portion(main, [])]
        owned = _by_language(runs, main.language, blocks, texts)
        return [
            Portion(self._assigned(text, mixed=True, language=code), firsts) for code, (text, firsts) in owned.items()
        ]

    def instead(self, portion: Portion, blocks: Sequence[int], texts: Sequence[str]) -> list[str]:
        """Returns nothing: a portion whose language had no corpus would go to none."""
        return []

    def _assigned(self, text: str, *, mixed: bool, language: str | None = None) -> Assigned:
        """Assigns a text to its language, or to one that is given."""
        named = self._namer(text)
        if language is None:
            if named.tag is None:
                return Assigned(None, NO_LANGUAGE, ZXX, None)
            language = self._sure(named)
            if language is None:
                return Assigned(None, UNDECIDED, None, named.score)
        if language in self._asked:
            return Assigned(language, "", language, named.score, mixed)
        return Assigned(None, OTHER, language, named.score, mixed)

    def _sure(self, named: Named) -> str | None:
        """Returns the code of a language that the identifier is sure of: of a corpus, if there is one."""
        if named.tag is None:
            return None
        code = self._codes.get(named.tag.language)
        if code is None:
            return str(named.tag) if named.sure else None
        of_language = self._asked[code]
        margin = named.score - (named.second_score or 0.0)
        sure = named.sure if of_language.margin is None else margin >= of_language.margin
        return code if sure and named.score >= (of_language.threshold or 0.0) else None

    def _runs(self, blocks: Sequence[int], texts: Sequence[str], home: str | None) -> list[tuple[int, str]]:
        runs: list[tuple[int, str]] = []
        for block, text in zip(blocks, texts, strict=True):
            language = (self._sure(self._namer(text)) if len(text) >= BLOCK_CHARACTERS else None) or home
            if language and len(text) >= BLOCK_CHARACTERS and (not runs or runs[-1][1] != language):
                runs.append((block if runs else 0, language))
        return runs


def _owners(portions: Sequence[Portion], blocks: Sequence[int]) -> list[Assigned]:
    """Returns where each block of a document goes."""
    runs = sorted((first, place) for place, portion in enumerate(portions) for first in portion.runs or [0])
    firsts = [first for first, _ in runs]
    return [portions[runs[bisect_right(firsts, block) - 1][1]].assigned for block in blocks]

"""What decides whether texts are in the corpus language, by the settings of the language filter."""

from collections.abc import Callable, Sequence
from pathlib import Path

from corpusprep.errors import ConfigError
from corpusprep.languages import LanguageModel
from corpusprep.languages.filtering import BLOCK_CHARACTERS, Judge, Judged, Judging
from corpusprep.languages.identifiers import METHODS
from corpusprep.languages.naming import Named, Namer, names_languages
from corpusprep.languages.scripts import is_in_no_language, script_of
from corpusprep.languages.tags import NO_LANGUAGE, UNKNOWN, Tag, asked_of, tag, usual_script
from corpusprep.languages.word_evidence import TextWords
from corpusprep.tables.verdicts import KEPT


class ScriptJudge(Judge):
    """Decides whether a text is in the corpus language, and in one of its scripts."""

    def __init__(
        self,
        model: LanguageModel,
        rivals: Sequence[LanguageModel],
        threshold: float,
        method: str,
        code: Path,
        script: str,
    ) -> None:
        """Makes a judge; arguments as for `judge_of`, and the script of ISO 15924."""
        super().__init__(model, rivals, threshold, method, code)
        self._code, self._script = model.code, script

    def __call__(self, text: str, measured: tuple[Sequence[float], TextWords] | None = None) -> Judged:
        """Judges the text."""
        judged = super().__call__(text, measured)
        found = script_of(text)
        if judged.verdict != KEPT or found == self._script:
            return judged
        return judged._replace(rival=str(Tag(self._code, found)), rival_score=judged.score, verdict="rival_language")


class NamingJudge:
    """Decides by an identifier that names languages, whether a text is in the corpus language."""

    def __init__(self, namer: Namer, wanted: Tag, threshold: float) -> None:
        """Makes a judge of a language.

        Raises:
            ConfigError: the identifier does not know the language.
        """
        self._namer, self._threshold = namer, threshold
        self._asked = [Tag(code, wanted.script) for code in sorted(asked_of(wanted, namer.known))]
        if not self._asked:
            raise ConfigError(f"the identifier does not know the language {wanted.language}; name another method")

    def __call__(self, text: str) -> Judged:
        """Judges the text: it is kept if its language is the corpus language, by the threshold and the margin."""
        ranked = [] if is_in_no_language(text) else self._namer.ranked(text)
        if not ranked:
            return Judged(0.0, NO_LANGUAGE, None, "language_score")
        score = next((score for found, score in ranked if self._is_asked(found)), 0.0)
        rival, rival_score = next(
            ((str(other[0]), other[1]) for other in ranked if not self._is_asked(other[0])), (None, None)
        )
        if not self._is_asked(ranked[0][0]):
            return Judged(score, rival, rival_score, "rival_language")
        margin = score - (rival_score or 0.0)
        sure = score >= self._threshold and margin >= self._namer.least_margin(ranked[0][0].language)
        return Judged(score, rival, rival_score, KEPT if sure else "language_score")

    def is_foreign(self, text: str) -> bool:
        """Returns whether a block is long enough to be judged on its own, and does not pass."""
        return len(text) >= BLOCK_CHARACTERS and self(text).verdict != KEPT

    def _is_asked(self, found: Tag) -> bool:
        # A tag without a script is in the usual one of its language.
        return any(
            asked.language == found.language and asked.script in ("", found.script or usual_script(found.language))
            for asked in self._asked
        )


class AnyJudge:
    """Keeps every text, and names its language."""

    def __init__(self, namer: Callable[[str], Named]) -> None:
        self._namer = namer

    def __call__(self, text: str) -> Judged:
        """Names the language of the text; it is kept."""
        named = self._namer(text)
        return Judged(named.score, named.second, named.second_score, KEPT, named.code)

    def is_foreign(self, text: str) -> bool:
        """Returns False: all blocks stay."""
        return False


def judge_of(
    model: LanguageModel,
    rivals: Sequence[LanguageModel],
    threshold: float,
    method: str,
    code: Path = Path(),
    wanted: str = "",
    margin: float | None = None,
) -> Judging:
    """Returns what decides about the texts of a corpus.

    Args:
        model: the corpus language; in a corpus of any language, all texts are kept, and their language is named.
        rivals: a text is rejected if it scores higher for one of these languages; in a corpus of any language, those
            that its texts may be in.
        threshold: the lowest score that is kept, 0 to 1.
        method: a name of IDENTIFIERS, or the path of a model of fastText.
        code: the folder of a user's own identifier.
        wanted: the corpus language as the config has it (`hr`, `sr-Cyrl`), if that says more than the model's code.
        margin: how much higher than the second language's the score must be, for identifiers that name languages; None:
            as the identifier says.

    Raises:
        ConfigError: there is no such identifier, or it does not know the language.
    """
    if method not in METHODS and names_languages(method, code):
        namer = Namer(method, code, margin)
        if model.code == UNKNOWN:
            return AnyJudge(namer)
        return NamingJudge(namer, tag(wanted or model.code) or Tag(model.code), threshold)
    if model.code == UNKNOWN:
        from corpusprep.languages.identification import Identifier  # with what detects encodings

        return AnyJudge(Identifier(rivals).named)
    script = wanted.partition("-")[2]
    return (
        ScriptJudge(model, rivals, threshold, method, code, script)
        if script
        else Judge(model, rivals, threshold, method, code)
    )

"""What checks of the config share: the corpus that is checked, where its settings stand, and paths that are refused."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from corpusprep.errors import ConfigError


class CheckedCorpus(Protocol):
    """What is checked of the settings of a corpus (config.CorpusSettings)."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def archives(self) -> Sequence[str]:
        """Paths and patterns."""

    @property
    def sources(self) -> Sequence[str]:
        """Folders of finished corpora that it is made from."""

    @property
    def language(self) -> str:
        """Code or path."""

    @property
    def folder(self) -> str:
        """Where its files go."""

    @property
    def memory(self) -> int | str:
        """Of a process of the global steps."""

    @property
    def forget(self) -> str:
        """The path of a list; empty without one."""

    @property
    def sections(self) -> Mapping[str, Mapping[str, Any]]:
        """The settings of stages."""


class Places:
    """The names of settings as the config has them: for the corpus, or for all corpora."""

    def __init__(self, config: Mapping[str, Any], name: str) -> None:
        crawl, _, code = name.partition("/")  # a language of a crawl has the name <crawl>/<code>
        self._own, self._name = config["corpora"][crawl], crawl
        self._of_language: Mapping[str, Any] = self._own.get("overrides", {}).get(code, {})
        self._code = code

    def __call__(self, section: str, key: str = "") -> str:
        """Returns the dotted name of a section or of a setting in it."""
        dotted = f"{section}.{key}" if key else section
        for given, place in (
            (self._of_language, f"corpora.{self._name}.overrides.{self._code}."),
            (self._own, f"corpora.{self._name}."),
        ):
            own = given.get(section)
            if own is not None if not key else isinstance(own, Mapping) and key in own:
                return f"config: {place}{dotted}"
        return f"config: {dotted}"

    @property
    def language(self) -> str:
        """Where the corpus's language is named."""
        if self._code:
            return f"config: corpora.{self._name}.languages"
        own = self._own.get("language")
        named = isinstance(own, str) or (isinstance(own, Mapping) and "code" in own)
        return f"config: corpora.{self._name}.language" if named else "config: language"


def refuse_braces(place: str, paths: Iterable[str]) -> None:
    """Refuses paths that Snakemake would read as patterns: it has no way to escape braces."""
    if braced := next((path for path in paths if "{" in path or "}" in path), None):
        raise ConfigError(f"{place}: {braced!r} contains a brace; rename the file or folder")


def refuse_missing(named: str, path: str | Path, kind: str) -> None:
    """Refuses the path of a file or a folder (`kind`) that is not there, or that cannot be looked at."""
    try:
        there = Path(path).is_dir() if kind == "folder" else Path(path).is_file()
    except OSError as error:  # no permission for a folder that it is in, or a name that is too long
        raise ConfigError(f"{named}: cannot be read: {error.strerror}") from None
    if not there:
        raise ConfigError(f"{named}: there is no such {kind}")

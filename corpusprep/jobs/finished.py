"""What a finished corpus keeps of how its pages were worked on: settings.json.

A corpus that is made from finished ones (`from`) takes their files of the steps on pages as they are. These files must
have been made in one way. `settings.json` has the version of corpusprep, the settings of these steps, and a digest of
each file that they read beside archives, such as models and lists. It is there if the last run on the corpus has
ended.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpusprep import __version__
from corpusprep.errors import ConfigError, StageFileError
from corpusprep.io.files import replacing
from corpusprep.languages import is_path
from corpusprep.pipeline import STEPS

if TYPE_CHECKING:
    from corpusprep.config.settings import CorpusSettings  # with jsonschema, which the commands do without

NAME = "settings.json"
_SHOWN = 60


def page_settings(corpus: "CorpusSettings") -> dict[str, Any]:
    """Returns the settings that decide the files of the steps on pages, by key: `encoding.min_bytes`."""
    settings: dict[str, Any] = {}
    steps = [step for step in STEPS.values() if step.taken_over and step.runs(corpus)]
    for key in dict.fromkeys(key for step in steps for key in step.settings):
        section, _, name = key.partition(".")
        own = corpus.sections.get(section, {})
        chosen = {name: own[name]} if name in own else {} if name else {**own}
        chosen |= chosen.pop("parameters", {})
        settings |= {f"{section}.{setting}": value for setting, value in chosen.items()}
    if crawl := corpus.crawl:
        settings |= {"languages": sorted(crawl.languages), "others": sorted(crawl.others), "mixed": crawl.mixed}
    # A folder of a user's own code is a place; the digest of the code counts.
    kept = {key: value for key, value in settings.items() if not key.endswith(".code")}
    language = Path(corpus.language).name if is_path(corpus.language) else corpus.language
    normal: dict[str, Any] = json.loads(json.dumps({"language.code": language, **kept}))
    return normal


def file_digests(named: Mapping[str, Path]) -> dict[str, str]:
    """Returns the SHA-256 of files; of a folder, that of the files in it, with their names."""
    digests = {}
    for name, path in named.items():
        files = {file.name: file for file in sorted(path.iterdir())} if path.is_dir() else {"": path}
        lines = [f"{inside}\t{_digest(file)}\n" for inside, file in files.items()]
        digests[name] = hashlib.sha256("".join(lines).encode()).hexdigest()
    return digests


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write(folder: Path, settings: Mapping[str, Any], files: Mapping[str, str]) -> None:
    """Writes settings.json of a corpus that is finished.

    Args:
        folder: of the corpus.
        settings: of page_settings.
        files: digests of what the steps on pages read beside archives.
    """
    content = {"version": __version__, "settings": settings, "files": files}
    with replacing(folder / NAME) as temporary:
        temporary.write_text(json.dumps(content, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def read(folder: Path) -> dict[str, Any]:
    """Returns what `write` wrote: version, settings, files.

    Raises:
        StageFileError: the corpus is not finished.
    """
    path = folder / NAME
    try:
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        content["settings"].items(), content["files"].items(), content["version"]
    except FileNotFoundError:
        raise StageFileError(_why_unfinished(folder)) from None
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        raise StageFileError(f"{path}: damaged; remove it and run the workflow of that corpus again") from None
    return content


def _why_unfinished(folder: Path) -> str:
    if not folder.is_dir():
        return f"{folder}: no such folder; give the folder of a finished corpus, such as results/news"
    if (folder / "division.tsv").exists():
        return f"{folder}: a crawl of several languages; give the folders of its languages, such as {folder}/en"
    return f"{folder}: no finished corpus (it has no {NAME}); run its workflow to the end"


def require_same(settings: Mapping[str, Any], sources: Mapping[Path, Mapping[str, Any]]) -> None:
    """Compares the settings of finished corpora with those of the corpus that is made from them, and with each other.

    A setting that the version of one of them does not know is no difference; see version_notes.

    Args:
        settings: of page_settings, of the corpus that is made.
        sources: by folder, what `read` gives.

    Raises:
        ConfigError: a setting differs; in one line that names it.
    """
    made = {"version": __version__, "settings": settings}
    first = next(iter(sources))
    for folder, source in sources.items():
        for key in _differences(source, made, "settings"):
            if key in settings:
                raise ConfigError(
                    f"{folder} was made with {key}: {_shown(source['settings'].get(key))}, and this corpus has"
                    f" {_shown(settings[key])}; set it as there, or make {folder} again"
                )
        for key in _differences(sources[first], source, "settings"):
            one, other = (_shown(content["settings"].get(key)) for content in (sources[first], source))
            raise ConfigError(
                f"{first} was made with {key}: {one}, and {folder} with {key}: {other}; make one of them again"
            )
        for key in _differences(sources[first], source, "files"):
            raise ConfigError(
                f"{first} was made with one {key}, and {folder} with another {key}; make one of them again"
            )


def version_notes(sources: Mapping[Path, Mapping[str, Any]]) -> list[str]:
    """Returns a line if finished corpora were made with other versions, which may find other text."""
    others = [
        f"{folder} ({source['version']})" for folder, source in sources.items() if source["version"] != __version__
    ]
    return [f"read with other versions than this one ({__version__}): {', '.join(others)}"] if others else []


def _differences(one: Mapping[str, Any], other: Mapping[str, Any], name: str) -> list[str]:
    """Returns the keys whose values differ; of other versions, only keys that both have."""
    keys = one[name].keys() | other[name].keys()
    if one["version"] != other["version"]:
        keys = one[name].keys() & other[name].keys()
    return sorted(key for key in keys if one[name].get(key) != other[name].get(key))


def _shown(value: Any) -> str:
    text = "nothing" if value is None else str(value).lower() if isinstance(value, bool) else repr(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."

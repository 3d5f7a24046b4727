"""Reads lists of words and phrases by language (`filter: {word_lists: …}`): a file, or a folder of them."""

from pathlib import Path

from corpusprep._native.quality import ListedPhrases
from corpusprep.errors import ConfigError
from corpusprep.io.entries import read_text
from corpusprep.io.home import at_home

#: Ends of the names of lists in a folder, behind the code of the language.
_ENDS = ("", ".txt", ".gz", ".txt.gz")


def files_of(name: str) -> list[Path]:
    """Returns the file of a setting, or the files of its folder by name; hidden ones and Markdown are left out.

    Raises:
        ConfigError: it is not there, or a folder without files.
    """
    path = Path(at_home(name))
    if path.is_file():
        return [path]
    found = sorted(
        file for file in (path.iterdir() if path.is_dir() else ()) if file.is_file() and not _is_no_list(file.name)
    )
    if not found:
        raise ConfigError(
            f"{name}: no list of words, and no folder with lists; give a file, or files named as languages"
        )
    return found


def _is_no_list(name: str) -> bool:
    return name.startswith(".") or name.endswith((".md", ".json")) or name.isupper()


def list_of(name: str, code: str) -> ListedPhrases | None:
    """Returns the list of a language; None if there is none for it.

    Args:
        name: the file, which is for all languages, or a folder with files `<code>`, `<code>.txt`, also with `.gz`.
        code: of the language; a list for `sr` is also one for `sr-Cyrl`.

    Raises:
        ConfigError: a file cannot be read or has no word.
    """
    files = files_of(name)
    if not Path(at_home(name)).is_file():
        wanted = [f"{of_code}{end}" for of_code in (code, code.partition("-")[0]) for end in _ENDS]
        by_name = {file.name: file for file in files}
        files = [by_name[file_name] for file_name in wanted if file_name in by_name][:1]
    if not files:
        return None
    lines = [line.strip() for line in read_text(files[0]).splitlines()]
    phrases = [line for line in lines if line and not line.startswith("#")]
    if not phrases:
        raise ConfigError(f"{files[0]}: a list without words; write one word or phrase per line")
    return ListedPhrases(phrases)

"""The settings of annotation, and the annotators of the package."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from corpusprep.annotation import built_in, settings
from corpusprep.annotation.built_in import annotated, command, load
from corpusprep.config import settings as config
from corpusprep.errors import ConfigError


def resolved(annotate: dict[str, Any], language: str = "en") -> dict[str, Any]:
    """The section of a corpus with these settings."""
    corpora = {"mine": {"language": language, "archives": ["a.warc.gz"], "annotate": annotate}}
    return dict(config.resolve({"corpora": corpora}, config.load_schema())["mine"].sections["annotate"])


def test_a_built_in_annotator_names_its_columns() -> None:
    """So the config need not."""
    assert resolved({"annotator": "simplemma"})["columns"] == ["lemma"]
    assert resolved({"annotator": "pymorphy3", "threads": 2}, "ru")["columns"] == ["lemma", "tag"]
    assert resolved({})["columns"] == []


@pytest.mark.parametrize(
    ("annotate", "language", "message"),
    [
        ({"command": "cat"}, "en", "columns is missing: the names of the columns that the command adds"),
        ({"columns": ["lemma"]}, "en", "columns are given, but no command that adds them"),
        ({"annotator": "simplemma", "command": "cat"}, "en", "command is for a command of your own, but annotator is"),
        ({"command": "cat", "columns": ["word"]}, "en", "columns: word is taken; choose another name"),
        ({"command": "cat", "columns": ["Lemma"]}, "en", "a name of small letters"),
        ({"command": "cat 'x", "columns": ["lemma"]}, "en", "command: No closing quotation"),
        ({"command": "no-such-tagger x", "columns": ["lemma"]}, "en", "there is no program 'no-such-tagger'"),
        ({"annotator": "pymorphy3"}, "en", "annotator is 'pymorphy3', which does not know the language en"),
        ({"annotator": "simplemma"}, "zh", "annotator is 'simplemma', which does not know the language zh"),
    ],
)
def test_mistakes_are_named(annotate: dict[str, Any], language: str, message: str) -> None:
    """In one line, with the key."""
    with pytest.raises(ConfigError, match=rf"^config: corpora\.mine\.annotate.*{message}"):
        resolved(annotate, language)


def test_the_package_of_an_annotator_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """With how to install it."""
    monkeypatch.setattr(settings, "find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"which needs simplemma: \S+ -m pip install 'corpusprep\[annotate\]'"):
        resolved({"annotator": "simplemma"})


def test_files_that_a_command_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those by relative paths: they are the user's, and may change."""
    monkeypatch.chdir(tmp_path)
    for name in ("tagger.py", "model"):
        (tmp_path / name).touch()
    line = f"{tmp_path}/tagger.py --with model | python3 tagger.py --no none"
    assert settings.files({"command": line}) == ["model", "tagger.py"]


def test_lemmas_of_a_vertical() -> None:
    """In the language of each document; columns are escaped, structures stay."""
    lines = ['<doc lang="id">', '<p block="0">', "rumahnya", "&lt;", "<g/>", "membaca", "</p>", "</doc>"]
    lines += ['<doc lang="ms">', '<p block="0">', "rumahnya", "membaca", "</p>", "</doc>"]
    found = b"".join(annotated((f"{line}\n".encode() for line in lines), load("simplemma"))).decode()
    added = [line for line in found.split("\n") if "\t" in line]
    assert added == ["rumahnya\trumah", "&lt;\t&lt;", "membaca\tbaca", "rumahnya\trumah", "membaca\tmembaca"]
    assert [line.partition("\t")[0] for line in found.split("\n")[:-1]] == lines


def test_russian_lemmas_and_tags() -> None:
    """pymorphy3's most frequent analysis, without white space in the tag."""
    lines = [f"{line}\n".encode() for line in ('<doc lang="ru">', "Кошки", "бежали", ".", "</doc>")]
    found = b"".join(annotated(lines, load("pymorphy3"))).decode().split("\n")
    assert found[1:4] == [
        "Кошки\tкошка\tNOUN,anim,femn,plur,nomn",
        "бежали\tбежать\tVERB,perf,intr,plur,past,indc",
        ".\t.\tPNCT",
    ]


def test_a_dictionary_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """With its package, which is not that of the annotator."""
    monkeypatch.setattr(built_in.importlib.util, "find_spec", lambda name: None)
    message = f"pymorphy3 needs a dictionary of the language uk: {sys.executable} -m pip install pymorphy3-dicts-uk"
    with pytest.raises(ConfigError, match=rf"^config: corpora\.mine\.annotate: {re.escape(message)}"):
        resolved({"annotator": "pymorphy3"}, "uk")
    with pytest.raises(ConfigError, match=f"^{re.escape(message)}"):
        list(annotated([b'<doc lang="uk">\n'], load("pymorphy3")))


def test_a_language_without_a_dictionary_is_named() -> None:
    """By the program that annotates, in one line."""
    done = subprocess.run(command("pymorphy3"), input=b'<doc lang="en">\n', capture_output=True, check=False)
    assert (done.returncode, done.stderr.decode()) == (1, "no dictionary of the language 'en'\n")

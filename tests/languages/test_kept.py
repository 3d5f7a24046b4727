"""The models of built-in languages that are kept from one process to the next."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from corpusprep import languages
from corpusprep.commands.application import application
from corpusprep.errors import LanguageError
from corpusprep.languages import kept


@pytest.fixture(name="folder")
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for models."""
    monkeypatch.setenv("CORPUSPREP_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "languages"


def test_a_kept_model_is_the_made_one(folder: Path, tmp_path: Path) -> None:
    """The command makes it, keeps it, and writes the same bytes from what is kept; by any name of the language."""
    for name in ("nb", "no", "nb"):
        done = CliRunner().invoke(application, ["language", "make", name, "--output", str(tmp_path / f"{name}.model")])
        assert done.exit_code == 0, done.output
    [file] = folder.iterdir()
    languages.save(languages.make("nb"), tmp_path / "made.model")
    made = (tmp_path / "made.model").read_bytes()
    assert [made] * 3 == [path.read_bytes() for path in (file, tmp_path / "nb.model", tmp_path / "no.model")]
    read = kept.read("no")
    assert read is not None
    assert read.stop_list == languages.make("nb").stop_list


def test_a_model_with_settings_of_its_own_is_not_kept(folder: Path, tmp_path: Path) -> None:
    """Nor is one from a sample."""
    command = ["language", "make", "lv", "--coverage", "0.4", "--output", str(tmp_path / "lv.model")]
    assert CliRunner().invoke(application, command).exit_code == 0
    assert not folder.exists()


@pytest.mark.parametrize("content", [b"", b"corpusprep language model 3\n{}", None])
def test_a_damaged_file_is_as_if_it_were_not_there(folder: Path, content: bytes | None) -> None:
    """Also one with a flipped bit; it is replaced."""
    model = kept.keep(languages.built_in("lv"))
    [file] = folder.iterdir()
    whole = file.read_bytes()
    file.write_bytes(whole[:-100] + bytes([whole[-100] ^ 1]) + whole[-99:] if content is None else content)
    assert kept.read("lv") is None
    assert kept.keep(languages.built_in("lv")) is model
    assert file.read_bytes() == whole


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file in its place; and no folder at all."""
    (tmp_path / "file").touch()
    for value in (str(tmp_path / "file"), ""):
        monkeypatch.setenv("CORPUSPREP_CACHE", value)
        assert kept.keep(languages.built_in("lv")).code == "lv"
        assert kept.read("lv") is None
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_another_way_of_making_models_has_files_of_its_own(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another version of the file, other code, another package of frequencies."""
    first = kept.path_of("lv")
    assert first is not None
    assert first.parent == folder
    monkeypatch.setattr(kept, "VERSION", 99)
    second = kept.path_of("lv")
    kept._code.cache_clear()
    monkeypatch.setattr(kept, "_version", lambda package: f"another {package}")
    third = kept.path_of("lv")
    kept._code.cache_clear()
    assert len({first, second, third}) == 3


def test_the_usual_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """XDG_CACHE_HOME if it is an absolute path, or ~/.cache."""
    monkeypatch.delenv("CORPUSPREP_CACHE")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for value, root in ((str(tmp_path / "xdg"), tmp_path / "xdg"), ("relative", tmp_path / "home" / ".cache")):
        monkeypatch.setenv("XDG_CACHE_HOME", value)
        path = kept.path_of("lv")
        assert path is not None
        assert path.parent == root / "corpusprep" / "languages"


def test_unknown_languages_are_refused(folder: Path) -> None:
    """As everywhere."""
    with pytest.raises(LanguageError, match="unknown language"):
        kept.path_of("qqq")
    assert not folder.exists()

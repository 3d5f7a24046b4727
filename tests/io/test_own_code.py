"""Loading a user's own code: its place, and messages for mistakes."""

from pathlib import Path

import pytest

from corpusprep.errors import OwnCodeError
from corpusprep.io import own_code


def write(folder: Path, name: str, text: str) -> Path:
    """Writes a module."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_in_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From any working directory; the module may import others beside it."""
    path = write(tmp_path / "beside", "own_code_a.py", "from own_code_b import two\n\ndef made():\n    return two\n")
    write(tmp_path / "beside", "own_code_b.py", "two = 2\n")
    monkeypatch.chdir(tmp_path)
    assert own_code.load("own_code_a:made", Path("beside"))() == 2
    assert own_code.files("own_code_a:made", tmp_path / "beside") == [path]


def test_a_package_in_the_folder(tmp_path: Path) -> None:
    """With a module inside; its files are all of the package's."""
    paths = [write(tmp_path, f"own_code_package/{name}.py", "def one():\n    return 1\n") for name in ("__init__", "a")]
    assert own_code.load("own_code_package.a:one", tmp_path)() == 1
    assert own_code.files("own_code_package.a:one", tmp_path) == paths


def test_an_installed_module(tmp_path: Path) -> None:
    """Has no files in the folder."""
    assert own_code.load("shlex:split", tmp_path)("a b") == ["a", "b"]
    assert own_code.files("shlex:split", tmp_path) == []


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "own_code_none:Mine",
            None,
            r"own_code_none:Mine: there is no module own_code_none: not installed, and not in",
        ),
        ("own_code_c:Mine", "Other = 1\n", r"own_code_c:Mine: .*own_code_c\.py has no Mine"),
        ("own_code_d:Mine", "Mine = 1\n", "own_code_d:Mine: Mine is neither a class nor a function"),
        ("own_code_e:Mine", "\n1 / 0\n", r"cannot import own_code_e: ZeroDivisionError: .*own_code_e\.py, line 2\)"),
        ("own_code_f:Mine", "def (\n", r"cannot import own_code_f: SyntaxError: .*own_code_f\.py, line 1\)"),
        ("own_code_g:Mine", "import own_code_none_2\n", "cannot import own_code_g: ModuleNotFoundError: .*none_2"),
        ("shlex:split", "", r"shlex\.py has the same name as .*shlex\.py; rename that file"),
        ("sys:exit", "", r"Python itself has the same name as .*sys\.py; rename that file"),
        ("own_code_h", "", "write the module and the name in it"),
    ],
)
def test_a_mistake_is_told_in_one_line(tmp_path: Path, name: str, text: str | None, message: str) -> None:
    """What is wrong, where, and what to do."""
    if text is not None:
        write(tmp_path, f"{name.partition(':')[0]}.py", text)
    with pytest.raises(OwnCodeError, match=message) as error:
        own_code.load(name, tmp_path)
    assert "\n" not in str(error.value)


def test_parameters_are_those_of_the_class() -> None:
    """An unknown parameter, and one that is missing, are named with those that there are."""

    class Mine:
        def __init__(self, least: int, most: int = 3) -> None:
            pass

    own_code.check_parameters("a:Mine", Mine, {"least": 1})
    with pytest.raises(OwnCodeError, match=r"a:Mine: .*'other'; it takes least, most"):
        own_code.check_parameters("a:Mine", Mine, {"least": 1, "other": 2})
    with pytest.raises(OwnCodeError, match=r"missing a required argument: 'least'; it takes least, most"):
        own_code.check_parameters("a:Mine", Mine, {})

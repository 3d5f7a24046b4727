"""The package as it is imported: from a clone without kernels, without extras, and what importing changes."""

import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.running import REPOSITORY

from corpusprep import __version__, startup
from corpusprep._native import tokens
from corpusprep.cleaners.model_files import training

#: Where the installed kernels are.
SITE = Path(tokens.__file__).parents[2]
#: Folders of libraries, that of the kernels first.
LIBRARIES = [SITE, *(Path(folder) for folder in sys.path if folder.endswith("-packages") and Path(folder) != SITE)]
#: An editable installation has its kernels in the build folder: there is nothing for a clone to find.
EDITABLE = bool(
    json.loads(importlib.metadata.distribution("corpusprep").read_text("direct_url.json") or "{}")
    .get("dir_info", {})
    .get("editable")
)
installed = pytest.mark.skipif(EDITABLE, reason="the installation is editable")
CHANGES = """
import codecs, csv, gc, json, locale, os, signal, sys
def state():
    return {
        "environment": dict(os.environ), "path": sys.path[:], "collector": [gc.get_threshold(), gc.get_freeze_count()],
        "signals": [str(signal.getsignal(number)) for number in sorted(signal.valid_signals())],
        "field size": csv.field_size_limit(), "recursion": sys.getrecursionlimit(), "locale": locale.setlocale(0),
    }
before = state()
from corpusprep import detect_encoding, extract, identify
extract("<p>Home</p>")
after = state()
print(json.dumps([key for key in before if before[key] != after[key]]))
try:
    codecs.lookup_error("corpusprep-gbk-replace")
except LookupError:
    print("not registered")
"""


def run(code: str, *path: Path) -> subprocess.CompletedProcess[str]:
    """Runs code with these folders on the path beside Python's own, in the first of them; no path file is read."""
    start = f"import sys; sys.path[:0] = {[*map(str, path)]}\n"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [sys.executable, "-S", "-c", start + code]
    return subprocess.run(command, cwd=path[0], env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone's Python files, without kernels."""
    shutil.copytree(REPOSITORY / "corpusprep", tmp_path / "corpusprep", ignore=shutil.ignore_patterns("*.so"))
    (tmp_path / "config").symlink_to(REPOSITORY / "config")
    return tmp_path


@installed
def test_a_clone_uses_the_installed_kernels(clone: Path) -> None:
    """In its root, its own Python files run with the kernels of the installed package."""
    code = "import corpusprep; print(corpusprep.extract('<a href=/>Home</a>')[0].label, corpusprep.__file__)"
    done = run(code, clone, *LIBRARIES)
    assert done.stdout.split() == ["bad", str(clone / "corpusprep" / "__init__.py")], done.stderr


def test_a_clone_refuses_kernels_of_another_version(clone: Path) -> None:
    """The command line says in one line which kernels it found, and what to run where."""
    init = clone / "corpusprep" / "__init__.py"
    init.write_text(init.read_text(encoding="utf-8").replace(f'"{__version__}"', '"9.9"'), encoding="utf-8")
    done = run("from corpusprep.commands.application import main; main(['extract', '-'])", clone, *LIBRARIES)
    assert done.returncode == 1
    assert done.stderr == (
        f"corpusprep: error: the kernels installed in {SITE} are not of version 9.9: "
        f"run `make`, or `{sys.executable} -m pip install .`, in {clone}\n"
    )


def test_a_clone_without_an_installation_says_so(clone: Path) -> None:
    """The error that an import ends with says what to do."""
    done = run("import corpusprep._native.tokens", clone)
    assert done.stderr.splitlines()[-1] == (
        f"ImportError: no installed kernels were found: run `make`, or `{sys.executable} -m pip install .`, in {clone}"
    )


def test_importing_the_library_changes_nothing_process_wide() -> None:
    """No environment variable, no collector's threshold, no handler: only the commands do."""
    done = subprocess.run([sys.executable, "-c", CHANGES], capture_output=True, text=True, check=True)
    changes, registered = done.stdout.splitlines()
    assert json.loads(changes) == []
    assert registered == "not registered"


@pytest.mark.parametrize("library", ["jinja2", "markupsafe", "matplotlib"])
def test_a_command_without_its_extra_says_what_to_install(tmp_path: Path, library: str) -> None:
    """One line that names the library and the extra."""
    arguments = ["step", "report", str(tmp_path), "--name", "a", "--language", "en"]
    code = (
        f"import sys; sys.modules['{library}'] = None\n"
        f"from corpusprep.commands.application import main; main({arguments})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        f"corpusprep: error: this needs {library}: {sys.executable} -m pip install 'corpusprep[report]'"
    ]


@pytest.mark.parametrize(
    ("algorithm", "library", "extra"),
    [("victor", "pycrfsuite", "train"), ("texrex", "threadpoolctl", "studies"), ("texrex", "sklearn", "studies")],
)
def test_training_without_its_extra_reads_no_page(tmp_path: Path, algorithm: str, library: str, extra: str) -> None:
    """What to install is said first, before the gold pages are looked at."""
    arguments = [*training(algorithm).split()[1:], "--gold", str(tmp_path), "--output", str(tmp_path / "x.model")]
    code = (
        f"import sys; sys.modules['{library}'] = None\n"
        f"from corpusprep.commands.application import main; main({arguments})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.stderr.splitlines() == [
        f"corpusprep: error: this needs {library}: {sys.executable} -m pip install 'corpusprep[{extra}]'"
    ]


def test_other_missing_modules_are_not_explained() -> None:
    """A library that every installation has, or a mistake in the code, keeps its traceback."""
    assert startup.what_to_install(ModuleNotFoundError("no numpy", name="numpy")) is None
    assert startup.what_to_install(ImportError("cannot import name 'x'")) is None


@installed
def test_the_version_is_that_of_the_installation() -> None:
    """The folder that the kernels are checked against exists."""
    assert (SITE / f"corpusprep-{__version__}.dist-info").is_dir()

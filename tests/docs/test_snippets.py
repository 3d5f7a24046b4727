"""Runs what the README and the tutorial show, and compares what it prints with what they say it prints."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from support.markdown import Snippet, lines, missing, snippets
from support.running import ENVIRONMENT, REPOSITORY

from corpusprep.config.settings import load_schema, resolve

README = REPOSITORY / "README.md"
TUTORIAL = REPOSITORY / "docs" / "tutorial.md"
LANGUAGES = REPOSITORY / "docs" / "how-to" / "languages-of-a-crawl.md"
WAYS_IN = [REPOSITORY / "docs" / "how-to" / f"{name}.md" for name in ("inputs", "archives", "templates")]
EXAMPLES = (
    "outputs",
    "metadata",
    "rights",
    "annotate",
    "two-languages",
    "language-models",
    "decontamination",
    "datatrove",
)
WAYS_OUT = [REPOSITORY / "docs" / "how-to" / f"{name}.md" for name in EXAMPLES]
#: Folders of the repository that a copy does without.
_LEFT_OUT = {".venv", ".git", "build", "results", "config"}


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that looks like a fresh clone after its installation, with what the README's examples name."""
    folder = tmp_path_factory.mktemp("clone")
    for path in REPOSITORY.iterdir():
        if path.name not in _LEFT_OUT and not path.name.startswith(".snakemake"):
            (folder / path.name).symlink_to(path)
    (folder / ".venv").symlink_to(Path(sys.executable).parents[1])
    shutil.copytree(REPOSITORY / "config", folder / "config", ignore=shutil.ignore_patterns("crawl"))
    pack = [
        sys.executable,
        str(REPOSITORY / "config" / "sample" / "pack.py"),
        "--output",
        str(folder / "config" / "sample" / "crawl"),
    ]
    subprocess.run(pack, check=True, capture_output=True)
    (folder / "crawl").mkdir()
    (folder / "crawl" / "2024").symlink_to(folder / "config" / "sample" / "crawl")
    shutil.copy(next((folder / "crawl" / "2024").glob("*.warc.gz")), folder / "crawl" / "older.arc.gz")
    return folder


def run(folder: Path, snippet: Snippet) -> str:
    """Runs a block of shell commands or Python in a clone; returns what it prints."""
    if snippet.kind == "python":
        command = [sys.executable, "-c", snippet.text]
    else:  # the installation is there: make does not look whether it is older than the sources
        text = re.sub(r"^make ", "make --old-file=.venv/.installed ", snippet.text, flags=re.MULTILINE)
        command = ["bash", "-euo", "pipefail", "-c", text]
    environment = ENVIRONMENT | {"PYTHONSAFEPATH": "1", "PYTHONUTF8": "1"}
    environment.pop("MAKEFLAGS", None)
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{snippet.text}\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


def make_sample(folder: Path) -> None:
    """Builds the corpora of one language each, from the sample, in a clone."""
    build = "make sample\n.venv/bin/snakemake --cores 2 --configfile config/one-language.yaml"
    run(folder, Snippet("sh", build, "", run=True))


def test_an_output_that_was_not_printed_is_found() -> None:
    """The comparison takes white space and order as it should, and sees a wrong number."""
    assert missing("a  1\n\nreport …/x.html\n", "start\na 1\nother\nreport file:///tmp/x.html\n") == []
    assert missing("a 2\n", "a 1\n") == ["a 2"]
    assert missing("b\na\n", "a\nb\n") == ["a"]


@pytest.mark.slow
@pytest.mark.parametrize("page", [TUTORIAL, README, LANGUAGES, *WAYS_IN, *WAYS_OUT], ids=lambda page: page.stem)
def test_commands_print_what_the_page_shows(page: Path, clone: Path) -> None:
    """Every block of a page runs, in order, and prints the lines that the page shows after it."""
    for snippet in snippets(page):
        if snippet.kind == "yaml":
            (clone / "my.yaml").write_text(snippet.text, encoding="utf-8")
        elif snippet.kind in ("sh", "python") and snippet.run:
            printed = run(clone, snippet)
            assert missing(snippet.output, printed) == [], f"{snippet.text}\n{printed}"


@pytest.mark.slow
@pytest.mark.parametrize(("name", "commands"), [("look-inside", 8), ("words", 7), ("queries", 1), ("antconc", 4)])
def test_a_corpus_answers_what_the_page_shows(name: str, commands: int, clone: Path) -> None:
    """Every command of the page runs on the sample, and prints what the page shows."""
    page = REPOSITORY / "docs" / "how-to" / f"{name}.md"
    if not (clone / "results" / "sample-english").exists():
        make_sample(clone)
    shells = [snippet for snippet in snippets(page) if snippet.kind == "sh"]
    assert len(shells) == commands
    for snippet in shells:
        printed = run(clone, Snippet("sh", f"PATH=.venv/bin:$PATH\n{snippet.text}", snippet.output, run=True))
        assert missing(snippet.output, printed) == [], f"{snippet.text}\n{printed}"


def test_the_library_does_what_the_readme_says(tmp_path: Path) -> None:
    """The Python of the README prints what its comments say."""
    [snippet] = [snippet for snippet in snippets(README) if snippet.kind == "python"]
    said = re.findall(r"# (.*)$", snippet.text, re.MULTILINE)
    assert len(said) == 4
    assert list(lines(run(tmp_path, snippet))) == [" ".join(line.split()) for line in said]


def test_choices_of_deduplication_are_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each config of the page is accepted; one is onion's."""
    monkeypatch.chdir(tmp_path)
    Path("test-sets").mkdir()
    Path("test-sets/x.jsonl").write_text('{"text": "Text."}\n', encoding="utf-8")
    page = REPOSITORY / "docs" / "how-to" / "deduplication.md"
    configs = [yaml.safe_load(snippet.text) for snippet in snippets(page) if snippet.kind == "yaml"]
    corpora = {"corpora": {"mine": {"language": "en", "archives": ["crawl.warc.gz"]}}}
    chosen = [next(iter(resolve(corpora | config, load_schema()).values())).sections for config in configs]
    onion = [one["ngrams"]["n"] for one in chosen if not one["ngrams"]["exclude_stopwords"]]
    assert onion == [7]
    assert {one["blocks"]["unit"] for one in chosen} == {"block", "both"}


def test_make_knows_the_targets_that_pages_name() -> None:
    """Every `make TARGET` on a page is a rule of the Makefile."""
    rules = set(re.findall(r"^([\w-]+):", (REPOSITORY / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    pages = [README, REPOSITORY / "CONTRIBUTING.md", *(REPOSITORY / "docs").rglob("*.md")]
    named = {
        name for page in pages for name in re.findall(r"(?:^ *|`)make ([\w-]+)", page.read_text("utf-8"), re.MULTILINE)
    }
    assert named >= {"corpus", "test", "docs"}
    assert named <= rules


def test_only_two_commands_are_not_run() -> None:
    """What cannot be run here is the installation of Debian packages, and the tests themselves."""
    left_out = [
        snippet.text.split()[0:2] for page in (README, TUTORIAL) for snippet in snippets(page) if not snippet.run
    ]
    assert left_out == [["make", "test"], ["apt-get", "install"]]

"""Files about the project, for forges, indexes and citations, say the same as the package."""

import json
import re
import tomllib
from pathlib import Path

import pytest
import yaml
from support.running import REPOSITORY

from corpusprep import __version__
from corpusprep.io import installation
from corpusprep.io.installation import requirements, software

PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
BUILD = {"cmake", "cython", "lxml", "ninja", "scikit-build-core"}
WORKFLOWS = sorted((REPOSITORY / ".github" / "workflows").glob("*.yml"))


def test_they_have_one_version_and_one_description() -> None:
    """Of the package, the citation and the metadata for software catalogues."""
    citation = yaml.safe_load((REPOSITORY / "CITATION.cff").read_text(encoding="utf-8"))
    catalogue = json.loads((REPOSITORY / "codemeta.json").read_text(encoding="utf-8"))
    assert {__version__, PROJECT["version"], citation["version"], catalogue["version"]} == {__version__}
    assert citation["keywords"] == catalogue["keywords"] == PROJECT["keywords"]
    assert catalogue["description"] == PROJECT["description"]
    assert citation["license"] == PROJECT["license"]
    changelog = (REPOSITORY / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## [{citation['version']}] - {citation['date-released']}\n" in changelog


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_automation_calls_the_targets_of_the_project(path: Path) -> None:
    """Each `make` names a target, each script is there; a job has a limit of time unless it only waits for a forge."""
    text = path.read_text(encoding="utf-8")
    targets = set(re.findall(r"^([\w-]+):", (REPOSITORY / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"\bmake ([\w-]+)", text)) <= targets
    assert all((REPOSITORY / script).is_file() for script in re.findall(r"\bbash (\S+)", text))
    jobs = yaml.safe_load(text)["jobs"]
    assert all("timeout-minutes" in job for job in jobs.values() if "make " in str(job) or ".ci/run" in str(job))
    assert all(re.search(r"@(v[\d.]+|release/v1)$", use) for use in re.findall(r"uses: ([^.\s]\S+)", text))


def test_no_address_of_a_repository_is_made_up() -> None:
    """Forges know their own; the site has it from $REPOSITORY_URL."""
    paths = [*WORKFLOWS, *(REPOSITORY / name for name in ("pyproject.toml", "mkdocs.yml", "CITATION.cff", "README.md"))]
    named = re.compile(r"https?://(?:github|gitlab|codeberg)\.\w+/\S*corpusprep")
    assert [path.name for path in paths if named.search(path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize(
    ("lock", "extras"),
    [("corpusprep", ("workflow", "report")), ("test", ("workflow", "report", "test", "lint")), ("build", ())],
)
def test_lock_files_have_what_the_project_needs(lock: str, extras: tuple[str, ...]) -> None:
    """`make lock` renews them: every package of the extras, each with a version and hashes."""
    text = (REPOSITORY / "envs" / f"{lock}.lock.txt").read_text(encoding="utf-8")
    packages = re.findall(r"^([\w.-]+)==(\S+)[^\n]*\\\n((?:    --hash=sha256:[0-9a-f]{64}.*\n)+)", text, re.MULTILINE)
    assert len(packages) == len(re.findall(r"^\w", text, re.MULTILINE))
    needs = requirements()
    names = {re.sub("[-_.]+", "-", name).lower() for name, _, _ in packages}
    wanted = {name for extra in ("", *extras) for name in needs[extra]} if extras else BUILD
    assert {re.sub("[-_.]+", "-", name).lower() for name in wanted} - names == set()


@pytest.mark.parametrize("name", ["cluster.yaml", "recipe.yaml", "corpusprep.yaml"])
def test_environments_of_conda_have_what_the_project_needs(name: str) -> None:
    """By the names that packages have there."""
    there = {"brotli": "brotli-python", "isal": "python-isal", "matplotlib": "matplotlib-base"}
    there["snakemake"] = "snakemake-minimal"
    text = (REPOSITORY / "envs" / name).read_text(encoding="utf-8")
    needs = requirements()
    wanted = {there.get(package, package) for extra in ("", "workflow", "report") for package in needs[extra]}
    listed = set(re.findall(r"^ *- ([\w-]+)(?:\s|=|>|$)", text, re.MULTILINE))
    assert wanted - listed == set()


def test_containers_install_what_is_locked() -> None:
    """In two stages, without rights of root."""
    docker = (REPOSITORY / "envs" / "Dockerfile").read_text(encoding="utf-8")
    apptainer = (REPOSITORY / "envs" / "corpusprep.def").read_text(encoding="utf-8")
    for text in (docker, apptainer):
        assert text.count("--require-hashes") == 2
        assert all((REPOSITORY / path).is_file() for path in re.findall(r"envs/[\w.]+\.txt", text))
        assert len(set(re.findall(r"3\.\d+-slim-\w+", docker + apptainer))) == 1
    assert re.search(r"^USER 1000$", docker, re.MULTILINE)


def test_a_corpus_names_its_software(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the digest of the lock file, and the packages that have other versions than it."""
    assert re.search(r"^corpusprep \S+, Python 3\S+, .*lxml \d.*, lock file sha256:[0-9a-f]{64} \(", software())
    monkeypatch.setattr(installation, "version", lambda name: "0.0.1" if name == "polars" else "9.9")
    assert software().endswith(
        " wordfreq zstandard protego simplemma pymorphy3 fasttext-predict heliport language-data fugashi jieba"
        " pythainlp pyicu-wheels unidic-lite)"
    )

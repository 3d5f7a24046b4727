"""Files about the project, for forges, indexes and citations, say the same as the package."""

import json
import re
import tomllib
from pathlib import Path

import pytest
import yaml
from support.running import REPOSITORY

from corpusprep import __version__

PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
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

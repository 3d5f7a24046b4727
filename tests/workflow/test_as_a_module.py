"""As other people's workflows expect it: a module, a deployed config, a small test, a report."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from support.markdown import snippets
from support.running import BIN, ENVIRONMENT, REPOSITORY

README = REPOSITORY / "config" / "README.md"


def snakemake(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs Snakemake in a folder with a Snakefile of its own."""
    command = [str(BIN / "snakemake"), "--cores", "2", *arguments]
    return subprocess.run(command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_another_workflow_takes_this_one_as_a_module(tmp_path: Path, sample_crawl: Path) -> None:
    """The lines of the page build the sample, with progress and a summary; a report has tables of the corpus."""
    pytest.importorskip("pygments")  # for the report
    [module] = [snippet.text for snippet in snippets(README) if snippet.kind == "python"]
    module = module.replace("…/workflow/Snakefile", str(REPOSITORY / "workflow" / "Snakefile"))
    output = '    default_target: True\n    output: "after.txt"\n    shell: "ls results/mine/corpus > {output}"\n'
    (tmp_path / "Snakefile").write_text(f'configfile: "my.yaml"\n{module}{output}', encoding="utf-8")
    corpora = {"mine": {"language": "en", "archives": [str(sample_crawl / "*.warc.gz")]}}
    (tmp_path / "my.yaml").write_text(yaml.safe_dump({"corpusprep": {"corpora": corpora}}), encoding="utf-8")
    done = snakemake(tmp_path, "--logger", "corpusprep")
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^\[\d+/\d+\] Encoding of results/mine, .*; \d+ %, ", done.stderr, re.MULTILINE), done.stderr
    assert "Corpus size: mine" in done.stderr
    assert "vert.zst" in (tmp_path / "after.txt").read_text(encoding="utf-8")
    again = snakemake(tmp_path, "--logger", "corpusprep")
    assert "Nothing to be done" in again.stderr
    written = snakemake(tmp_path, "--report", "run.html")
    assert written.returncode == 0, written.stdout + written.stderr
    page = (tmp_path / "run.html").read_text(encoding="utf-8")
    assert all(title in page for title in ("sizes, stage by stage", "report: tables, figures", "All corpora"))


@pytest.mark.slow
def test_remarks_of_lint_have_reasons() -> None:
    """Each file that Snakemake's own checks remark on says why it stays so."""
    done = snakemake(REPOSITORY, "--lint", "--sdm", "conda", "--directory", str(REPOSITORY / ".test"))
    remarked = set(re.findall(r"^Lints for (?:snakefile (\S+):|rule .*, (\S+)\):)$", done.stderr, re.MULTILINE))
    assert remarked, done.stdout + done.stderr
    files = {Path(snakefile or of_rule) for snakefile, of_rule in remarked}
    assert [path.name for path in files if "`snakemake --lint`" not in path.read_text(encoding="utf-8")] == []


@pytest.mark.parametrize("snakefile", ["Snakefile", "workflow/Snakefile"])
def test_a_deployed_config_is_used(tmp_path: Path, snakefile: str) -> None:
    """That of the working directory, as in the small test of the repository, which is planned."""
    shutil.copytree(REPOSITORY / ".test" / "config", tmp_path / "test" / "config")
    (tmp_path / "config").symlink_to(REPOSITORY / "config")
    done = snakemake(tmp_path / "test", "-s", str(REPOSITORY / snakefile), "--dry-run", "--quiet")
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^boilerplate +1$", done.stdout + done.stderr, re.MULTILINE)


def test_the_catalogue_is_told_how_to_use_it() -> None:
    """The files that Snakemake's catalogue of workflows reads."""
    told = yaml.safe_load((REPOSITORY / ".snakemake-workflow-catalog.yml").read_text(encoding="utf-8"))
    assert told["usage"]["mandatory-flags"]["flags"]
    assert told["usage"]["software-stack-deployment"]["conda"] is True
    assert yaml.safe_load((REPOSITORY / ".test" / "config" / "config.yaml").read_text(encoding="utf-8"))["corpora"]

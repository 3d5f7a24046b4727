"""What Snakemake itself shows of the workflow: lists of rules, its checks, graphs, reports."""

import re
import subprocess
from pathlib import Path

import pytest
from support.running import BIN, REPOSITORY, run

from corpusprep.pipeline import JOBS

CONFIG = {"batch_bytes": 1, "corpora": {"small": {"language": "en", "archives": ["*.warc.gz"]}}}
#: Checks of Snakemake with remarks that stay. Functions and the rule that is made of them stand in one file, so that
#: one file has the whole rule; lists of words are added.
REMARKS = {"steps.smk": "Mixed rules and functions", "running.smk": "Mixed rules and functions"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with an archive that no job reads."""
    (tmp_path / "a.warc.gz").write_bytes(b"not read by a dry run")
    return tmp_path


def test_the_list_says_what_each_rule_does(folder: Path) -> None:
    """A name and a sentence, of all rules but those of the studies."""
    done = run(folder, CONFIG, "--list")
    assert done.returncode == 0, done.stderr
    sentences = dict(re.findall(r"^(\w+)(?: \((.*)\))?$", done.stdout, re.MULTILINE))
    assert sentences.keys() >= JOBS.keys()
    rules = (REPOSITORY / "workflow" / "rules").glob("*.smk")
    written = {
        name for path in rules for name in re.findall(r"^ *(?:rule|checkpoint) (\w+):", path.read_text("utf-8"), re.M)
    }
    for name in (JOBS.keys() | written) & sentences.keys():
        assert re.fullmatch(r"[A-Z].*\.", sentences[name]), name
    assert sentences["blocks_verdicts"] == JOBS["blocks_verdicts"].steps[0].help


def test_hand_written_rules_are_few() -> None:
    """A step has no rule of its own: 25 rules at most are written by hand."""
    text = "\n".join(
        path.read_text("utf-8")
        for path in (REPOSITORY / "workflow").rglob("*")
        if path.suffix in ("", ".smk") and path.is_file()
    )
    assert len(re.findall(r"^ *(?:rule|checkpoint)(?: \w+)?:$", text, re.MULTILINE)) <= 25


def test_snakemakes_checks_have_known_remarks_only(folder: Path) -> None:
    """On the files of the workflow; the rules of the studies have remarks of their own."""
    done = run(folder, CONFIG, "--lint", "--sdm", "conda")
    remarks = re.findall(
        r"^Lints for (?:snakefile|rule) ([^\n]+):\n((?:    .*\n|\n(?=    ))+)", done.stdout + done.stderr, re.MULTILINE
    )
    assert remarks
    of_workflow = {where: text for where, text in remarks if f"{REPOSITORY}/workflow/" in where}
    for where, text in of_workflow.items():
        allowed = REMARKS[where.rpartition("/")[2].rstrip(")")]
        found = re.findall(r"^    \* (.*)$", text, re.MULTILINE)
        assert all(allowed in remark for remark in found), (where, found)


def test_the_graph_names_all_jobs(folder: Path) -> None:
    """`--dag` gives a graph in the language of Graphviz, `--rulegraph` one rule each."""
    graph = run(folder, CONFIG, "--dag")
    assert graph.returncode == 0, graph.stderr
    assert graph.stdout.startswith("digraph")
    rules = run(folder, CONFIG, "--rulegraph")
    named = set(re.findall(r'label ?= ?"(\w+)', rules.stdout))
    assert {"encoding", "tokens", "ngrams_merge", "statistics", "report", "all"} <= named
    assert "exact_part" not in named


@pytest.mark.parametrize("snakefile", ["Snakefile", "workflow/Snakefile"])
def test_both_snakefiles_build_the_same(folder: Path, snakefile: str) -> None:
    """The root has one that includes the other, where Snakemake and other workflows look for it."""
    run(folder, CONFIG, "--dry-run")
    command = [
        BIN / "snakemake",
        "-s",
        REPOSITORY / snakefile,
        "--cores",
        "1",
        "--configfile",
        "my.json",
        "--dry-run",
        "--quiet",
    ]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert re.search(r"^all +1$", done.stdout + done.stderr, re.MULTILINE), done.stdout + done.stderr

"""The recipes of CONTRIBUTING.md, carried out in a copy of the tree."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from support.markdown import snippets
from support.planned_jobs import PlannedJob, planned
from support.running import REPOSITORY, build

from corpusprep.io import tsv

CONTRIBUTING = REPOSITORY / "CONTRIBUTING.md"
#: Places that recipes name -> the text before which theirs goes; `readers` replace it.
PLACES = {
    "STAGES": r'^        Stage\("tokens"',
    "readers": r'(?<=\("encoding", "pages", )"boilerplate", "language"',
    "reasons": r"^#: Deciding stage -> ",
    "DOCUMENT_VERDICTS": r'^    "documents": DOCUMENT_REASONS',
    "schemas": r"^#: `tokens/<batch>.parquet`",
    "OWN_FILES": r'^    "vertical": File',
    "OWN_STEPS": r'^        Step\(\n            name="tokens"',
    "HELP": r'^    "templates": ',
    "properties": r"^ *templates: \{ \$ref",
    "$defs": r"^  templates:\n",
}


def recipe(title: str) -> Iterator[tuple[str, str, str]]:
    """The code blocks of a recipe that name a file: the file, the place in it (empty: a new file), the text."""
    section = CONTRIBUTING.read_text(encoding="utf-8").partition(f"### {title}\n")[2].partition("\n### ")[0]
    for snippet in snippets(CONTRIBUTING):
        head, _, text = snippet.text.partition("\n")
        if snippet.text in section and (named := re.fullmatch(r"# (\S+\.\w+)(?:: (\S+))?", head)):
            yield named[1], named[2] or "", text


def copied(folder: Path) -> Path:
    """A copy of the workflow and the package; the kernels are those of the installed package."""
    left_out = shutil.ignore_patterns("__pycache__", "*.so")
    for name in ("corpusprep", "studies", "workflow"):
        shutil.copytree(REPOSITORY / name, folder / name, symlinks=True, ignore=left_out)
    shutil.copy(REPOSITORY / "Snakefile", folder)
    (folder / "config").symlink_to(REPOSITORY / "config")
    return folder


def change(tree: Path, title: str) -> set[str]:
    """Carries a recipe out, and returns the files that it changes or adds."""
    changed = set()
    for name, place, text in recipe(title):
        path = tree / name
        if place:
            before = path.read_text(encoding="utf-8")

            def inserted(found: re.Match[str], text: str = text, place: str = place) -> str:
                if place == "readers":
                    return text.rstrip("\n")
                indent = re.match(" *", found[0])[0] if text[:1].isalpha() else ""
                return indent + text + found[0]

            after, number = re.subn(PLACES[place], inserted, before, flags=re.MULTILINE)
            assert number, f"{name}: no place {place}"
            path.write_text(after, encoding="utf-8")
        else:
            assert not path.exists()
            path.write_text(text, encoding="utf-8")
        changed.add(name)
    return changed


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree with the optional step of the recipe."""
    folder = copied(tmp_path_factory.mktemp("tree"))
    files = change(folder, "Add an optional step")
    assert len(files) + 1 <= 6, "with its test"
    return folder


def config(**settings: Any) -> dict[str, Any]:
    """A corpus of two batches."""
    return {"batch_bytes": 1, **settings, "corpora": {"corpus": {"language": "en", "archives": ["*.warc.gz"]}}}


def described(jobs: list[PlannedJob]) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """The jobs but for the one that names all results, in order."""
    return sorted((job.rule, (*sorted(job.input),), (*sorted(job.output),)) for job in jobs if job.rule != "all")


def test_only_corpora_with_the_setting_have_an_optional_step(tree: Path, tmp_path: Path) -> None:
    """With it, one job per batch more; without it, the jobs of a tree that does not know the step."""
    for name in "ab":
        (tmp_path / f"{name}.warc.gz").write_bytes(b"not read by a dry run")
    as_before = described(planned(tmp_path, config()))
    assert described(planned(tmp_path, config(), tree=tree)) == as_before
    jobs = planned(tmp_path, config(titles={"least_words": 100}), tree=tree)
    new = [job for job in jobs if job.rule == "titles"]
    assert described([job for job in jobs if job not in new]) == as_before
    batches = sorted(job.wildcards["batch"] for job in jobs if job.rule == "encoding")
    assert sorted(path for job in new for path in job.output) == sorted(
        f"results/corpus/{path}"
        for batch in batches
        for path in (f"titles/{batch}.tsv", f"times/corpus/titles-{batch}.tsv")
    )
    assert {*new[0].input} == {f"results/corpus/pages/{new[0].wildcards['batch']}.parquet"}
    assert "step titles" in new[0].shell
    assert "-- results/corpus" in new[0].shell
    assert "--least-words 100" in new[0].shell


@pytest.mark.slow
def test_an_optional_step_runs(tree: Path, tmp_path: Path, sample_crawl: Path) -> None:
    """It writes its table of each batch, and its times."""
    corpora = {"english": {"language": "en", "archives": [str(sample_crawl / "*.warc.gz")]}}
    results = build(tmp_path, {"titles": {"least_words": 100}, "corpora": corpora}, "--until", "titles", tree=tree)
    (table,) = (results / "english" / "titles").glob("*.tsv")
    header, *rows = table.read_text(encoding="utf-8").splitlines()
    assert header == "record\ttitle"
    assert rows
    assert (results / "english" / "times" / "corpus" / f"titles-{table.stem}.tsv").exists()


@pytest.fixture(scope="module")
def removing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree with the stage of the recipe that removes documents."""
    folder = copied(tmp_path_factory.mktemp("removing"))
    files = change(folder, "Add a stage that removes documents")
    assert len(files) + 1 <= 8, "with its test"
    return folder


def test_a_stage_that_removes_documents_is_a_step_of_the_workflow(removing: Path, tmp_path: Path) -> None:
    """The jobs are the same; one of them has a step and a table more, which later jobs read."""
    (tmp_path / "a.warc.gz").write_bytes(b"not read by a dry run")
    before = planned(tmp_path, config())
    after = planned(tmp_path, config(poor={"least_blocks": 2}), tree=removing)
    assert sorted(job.rule for job in after) == sorted(job.rule for job in before)
    (writing,) = [job for job in after if any("/poor/" in path and "times" not in path for path in job.output)]
    assert writing.rule == "tokens"
    assert re.findall(r"step (\w+) ", writing.shell) == ["language", "poor", "tokens"]
    assert "--least-blocks 2" in writing.shell
    assert [job.rule for job in after if any("/poor/" in path for path in job.input)] == ["corpus"]


@pytest.mark.slow
def test_a_stage_removes_documents_from_the_corpus(removing: Path, tmp_path: Path, sample_crawl: Path) -> None:
    """The ledger, the sizes and `why` know them; without a minimum the corpus is that of the tree without the stage."""
    corpora = {"english": {"language": "en", "archives": [str(sample_crawl / "*.warc.gz")]}}
    without = build(tmp_path / "without", {"corpora": corpora}) / "english"
    all_kept = build(tmp_path / "kept", {"corpora": corpora}, tree=removing) / "english"
    for path in sorted((without / "corpus").glob("*.vert.zst")):
        assert (all_kept / "corpus" / path.name).read_bytes() == path.read_bytes()
    corpus = build(tmp_path / "removed", {"poor": {"least_blocks": 4}, "corpora": corpora}, tree=removing) / "english"
    check_ledger_of(corpus, all_kept)
    page = tsv.read(corpus / "statistics" / "corpus_size.tsv")
    assert [row["stage"] for row in page] == ["crawl", "boilerplate", "language", "poor", "documents", "blocks"]
    assert "after removing poor documents" in (corpus / "report.html").read_text(encoding="utf-8")
    (table,) = (corpus / "poor").glob("*.parquet")
    rows = pl.read_parquet(table)
    record = rows.filter(verdict="few_blocks")["record"][0]
    about = pl.read_parquet(corpus / "encoding" / table.name).filter(record=record).row(0, named=True)
    done = run_python(["-m", "corpusprep", "why", str(corpus), about["url"]], removing)
    assert done.returncode == 0, done.stderr
    assert "few_blocks" in done.stdout


def check_ledger_of(corpus: Path, all_kept: Path) -> None:
    """Checks that the stage took what `language` kept, and `documents` what the stage kept."""
    counts = {
        (row["stage"], row["verdict"]): int(row["count"])
        for row in tsv.read(corpus / "statistics" / "ledger.tsv")
        if row["unit"] == "document"
    }
    of_stage = {
        stage: sum(count for (of, _), count in counts.items() if of == stage) for stage in ("poor", "documents")
    }
    assert of_stage["poor"] == counts["language", "kept"]
    assert of_stage["documents"] == counts["poor", "kept"] > 0
    assert counts["poor", "few_blocks"] > 0
    unchanged = {row["verdict"] for row in tsv.read(all_kept / "statistics" / "ledger.tsv") if row["stage"] == "poor"}
    assert unchanged == {"kept"}


EXTENSION = '''
"""Steps of another package."""

import click

from corpusprep.commands import options
from corpusprep.pipeline import Extension, File, Memory, Scope, Step
from corpusprep.tables.batch_files import BatchFiles

EXTENSION = Extension(
    steps=(
        Step(
            name="further count",
            label="Further counts",
            help="Count something further.",
            job="further_count",
            when=lambda corpus: corpus.sections["boilerplate"]["algorithm"] == "bte",
            scope=Scope.BATCH,
            reads=("encoding",),
            writes=("further",),
            memory=Memory.BATCH,
            stage="boilerplate",
            before="boilerplate",
            entry="further:command",
        ),
    ),
    files={"further": File("further/{batch}.txt")},
    read_by={"boilerplate": ("further",)},
    of_all=("further",),
)


@click.group("further")
def command():
    """Count further things."""


@command.command("count")
@options.new_corpus
@options.batch
def count(corpus_dir, batch):
    """Write the number of bytes of the table of records."""
    files = BatchFiles.of(corpus_dir, batch)
    files.further.parent.mkdir(exist_ok=True)
    files.further.write_text(str(files.encoding.stat().st_size))
'''


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A folder with a package that adds a step."""
    folder = tmp_path / "packages"
    information = folder / "further-1.0.dist-info"
    information.mkdir(parents=True)
    (folder / "further.py").write_text(EXTENSION, encoding="utf-8")
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: further\nVersion: 1.0\n", encoding="utf-8")
    (information / "entry_points.txt").write_text("[corpusprep.steps]\nfurther = further:EXTENSION\n", encoding="utf-8")
    return folder


def test_a_package_adds_a_step(package: Path, tmp_path: Path) -> None:
    """Corpora that its condition is true of have it, before the step that reads its files; others do not."""
    for name in "ab":
        (tmp_path / f"{name}.warc.gz").write_bytes(b"not read by a dry run")
    assert described(planned(tmp_path, config(), packages=[package])) == described(planned(tmp_path, config()))
    chosen = config(boilerplate={"algorithm": "bte"})
    jobs = planned(tmp_path, chosen, packages=[package])
    new = [job for job in jobs if job.rule == "further_count"]
    written = {path for job in new for path in job.output if "/further/" in path}
    assert len(written) == len(new) == 2
    readers = [job for job in jobs if written.intersection(job.input) and job.rule != "further_count"]
    assert [job.rule for job in readers] == ["boilerplate"] * 2
    assert all(written <= set(job.input) for job in readers)


def test_the_command_of_an_added_step_runs(package: Path, tmp_path: Path) -> None:
    """Under the name that the step has, as the others."""
    (tmp_path / "corpus" / "encoding").mkdir(parents=True)
    (tmp_path / "corpus" / "encoding" / "b.parquet").write_bytes(b"12345")
    words = ["step", "further", "count", "--batch", "b", str(tmp_path / "corpus")]
    done = run_python(["-m", "corpusprep", *words], package)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "corpus" / "further" / "b.txt").read_text(encoding="utf-8") == "5"


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('before="boilerplate"', 'before="nothing"', "step 'further count' comes before 'nothing', which is no step"),
        ('files={"further"', 'files={"pages"', "file 'pages' is declared twice"),
        ("EXTENSION = Extension(", "EXTENSION = dict(", "further:EXTENSION is no corpusprep.pipeline.Extension"),
        ("import click", "import nothing_of_the_kind", "of the package further cannot be loaded: No module named"),
    ],
)
def test_a_wrong_extension_is_an_error_of_one_line(package: Path, before: str, after: str, message: str) -> None:
    """It names the package, or the step, and what is wrong."""
    (package / "further.py").write_text(EXTENSION.replace(before, after), encoding="utf-8")
    script = "from corpusprep import pipeline\npipeline.FILES['further'], len(pipeline.STEPS), len(pipeline.FILES)"
    done = run_python(["-c", script], package)
    assert message in done.stderr.splitlines()[-1]


def run_python(words: list[str], package: Path) -> subprocess.CompletedProcess[str]:
    """Runs Python where a package is installed."""
    environment = os.environ | {"PYTHONPATH": str(package)}
    return subprocess.run(
        [sys.executable, *words], cwd=package, env=environment, capture_output=True, text=True, check=False
    )


def test_no_step_reads_the_packages() -> None:
    """Reading entry points takes 40 ms, a fifth of a short step."""
    script = (
        "import sys, corpusprep.pipeline as pipeline, corpusprep.commands.application\n"
        "import corpusprep.tables.batch_files\n"
        "pipeline.FILES['tokens']\n"
        "sys.exit(pipeline._extensions.cache_info().misses or 'importlib.metadata' in sys.modules)"
    )
    assert run_python(["-c", script], REPOSITORY).returncode == 0

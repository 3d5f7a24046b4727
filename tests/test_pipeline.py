"""The declaration of the steps, and that the rules keep to it."""

import re
import shlex
from pathlib import Path

import pytest
import yaml
from support.markdown import snippets
from support.planned_jobs import PlannedJob, planned
from support.running import REPOSITORY
from support.small_tokenizer import write_tokenizer

from corpusprep.config import schema as config_schema
from corpusprep.corpus.formats import output_formats
from corpusprep.jobs import resources as jobs
from corpusprep.pipeline import FILES, JOBS, OVERVIEW, STAGES, STEPS, TABLES, File, Scope

SIZES = {"a": 30_000_000, "b": 4_000_000, "c": 1_000}
MEMORY = "3G"
PARTS = 3
FOLDER = "results/corpus"
#: Of the formats that are written by default.
SUFFIXES = [output_formats()[name].suffix for name in config_schema.setting("corpus.formats")["default"]]
#: Settings with which optional steps run.
OPTIONAL = {
    "templates": {"find": "record"},
    "rights": {"robots_agent": "*"},
    "clusters": {"share": 0.8},
    "filter": {"signals": True},
    "personal": {"mask": ["email"]},
    "corpus": {"count_tokens": "tokenizer.json"},
    "words": {"lists": ["lc", "lemma 2"]},
}
#: Rules that are not steps: they prepare models, and say what a run made.
OTHERS = {"all", "complete", "digests", "language_model", "overview", "rivals", "settings", "summary"}


def by_name(jobs_of_rules: list[PlannedJob]) -> dict[str, list[PlannedJob]]:
    """The jobs of each rule."""
    rules: dict[str, list[PlannedJob]] = {}
    for job in jobs_of_rules:
        rules.setdefault(job.rule, []).append(job)
    return rules


@pytest.fixture(scope="module")
def workflow(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[PlannedJob]]:
    """The jobs of a corpus of three batches in one bundle and three parts, by rule, where every step runs."""
    folder = tmp_path_factory.mktemp("workflow")
    for name, size in SIZES.items():
        with (folder / f"{name}.warc.gz").open("wb") as file:
            file.write(b"not read by a dry run")
            file.truncate(size)  # without blocks on disk
    write_tokenizer(folder / "tokenizer.json")
    (folder / "other.jsonl").write_text('{"text": "not read, either"}')
    corpus = {"language": "en", "archives": ["*.warc.gz"], "boilerplate": {"algorithm": "density-site"}}
    corpus |= {"blocks": {"against": ["other.jsonl"]}}
    corpus |= {"annotate": {"command": "cat", "columns": ["lemma"]}}
    config = {"memory": MEMORY, "parts": PARTS, "batch_bytes": 1, **OPTIONAL, "corpora": {"corpus": corpus}}
    return by_name(planned(folder, config))


@pytest.fixture(scope="module")
def batches(workflow: dict[str, list[PlannedJob]]) -> dict[str, int]:
    """The names of the batches, and the bytes of their archives."""
    sizes = {}
    for job in workflow["encoding"]:
        (archive,) = (path for path in job.input if path.endswith(".warc.gz"))
        sizes[job.wildcards["batch"]] = SIZES[Path(archive).name[0]]
    return sizes


def paths(file: File, job: PlannedJob, batches: dict[str, int], bundle: str) -> set[str]:
    """The paths of a file that a job reads or writes."""
    batch = job.wildcards.get("batch")
    names = [batch] if batch else list(batches)
    parts = [job.wildcards["part"]] if "part" in job.wildcards else range(PARTS)
    named = [file.declared.format(batch=name, bundle=bundle, part=part) for name in names for part in parts]
    return {f"{FOLDER}/{path}" for path in named}


@pytest.fixture(scope="module")
def bundle(workflow: dict[str, list[PlannedJob]]) -> str:
    """The name of the bundle."""
    (job,) = workflow["ngrams_words"]
    return job.wildcards["bundle"]


def test_every_job_is_a_rule_and_no_other_is(workflow: dict[str, list[PlannedJob]]) -> None:
    """One job per batch, per bundle, per part or per corpus, as declared."""
    assert set(workflow) - OTHERS == set(JOBS)
    expected = {Scope.BATCH: len(SIZES), Scope.BUNDLE: 1, Scope.PART: PARTS, Scope.CORPUS: 1}
    assert {name: len(workflow[name]) for name in JOBS} == {name: expected[job.scope] for name, job in JOBS.items()}


@pytest.mark.parametrize("name", JOBS)
def test_rules_read_and_write_the_declared_files(
    workflow: dict[str, list[PlannedJob]], batches: dict[str, int], bundle: str, name: str
) -> None:
    """Outputs, temporary ones and the log exactly; inputs with what comes from outside the corpus's folder."""
    declared = JOBS[name]
    written = [*(FILES[file] for file in declared.writes), *(step.times for step in declared.steps)]
    for job in workflow[name]:
        outputs = {path for file in written for path in paths(file, job, batches, bundle)}
        if name == "corpus":  # by the setting
            outputs |= {f"{FOLDER}/corpus/{job.wildcards['batch']}.{suffix}" for suffix in SUFFIXES}
        assert set(job.output) == outputs
        temporary = {path for file in written if file.temporary for path in paths(file, job, batches, bundle)}
        assert set(job.temporary) == temporary
        assert job.log == [f"{FOLDER}/{declared.log.format_map({'bundle': bundle} | job.wildcards)}"]
        own = {path for path in job.input if path.startswith(f"{FOLDER}/") and not path.endswith("/rivals")}
        read = {path for file in declared.reads for path in paths(FILES[file], job, batches, bundle)}
        read |= {f"{FOLDER}/{FILES[file].pattern.format(batch=batch)}" for file in declared.of_all for batch in batches}
        of_many = {path for path in own if path.startswith(f"{FOLDER}/complete/")}
        own -= of_many
        own |= {path for marker in of_many for path in paths(FILES[Path(marker).name], job, batches, bundle)}
        # What they read that share its work, or that write what a job on the corpus reads, stays until it is done.
        needed = set(declared.reads) if declared.scope is Scope.CORPUS else set()
        names = {step.name for step in declared.steps}
        before = [step for step in STEPS.values() if step.divides in names or needed.intersection(step.writes)]
        stays = {path for step in before for file in step.reads for path in paths(FILES[file], job, batches, bundle)}
        assert read <= own <= read | stays
        taken = {name for step in declared.steps for name in step.takes}
        of_archives = "archives" in taken or any(step.reads_archives for step in declared.steps)
        # `batches` is told its archives: they are no inputs.
        assert any(path.endswith(".warc.gz") for path in job.input) == (of_archives and name != "batches")
        assert any(path.endswith(".model") for path in job.input) == ("model" in taken)
        assert any(path.endswith("/rivals") for path in job.input) == ("rivals" in taken)
        assert ("other.jsonl" in job.input) == ("others" in taken)


@pytest.mark.parametrize("name", [name for name in JOBS if name != "batches"])
def test_rules_ask_for_the_declared_memory_and_time(
    workflow: dict[str, list[PlannedJob]], batches: dict[str, int], name: str
) -> None:
    """By the bytes of the archives; the rule batches runs on the machine of the workflow."""
    for job in workflow[name]:
        sizes = [batches[job.wildcards["batch"]]] if "batch" in job.wildcards else list(batches.values())
        assert job.resources["mem_mb"] == jobs.job_memory_mb(JOBS[name], sum(sizes), MEMORY)
        assert job.resources["runtime"] == jobs.job_minutes(JOBS[name], sizes, PARTS)


@pytest.mark.parametrize("name", JOBS)
def test_a_job_runs_its_steps_in_order_with_their_times(workflow: dict[str, list[PlannedJob]], name: str) -> None:
    """Each step is a process with a file of times; a global step is given the memory of the config."""
    for job in workflow[name]:
        lines = re.findall(r"corpusprep --times (\S+) ([^&;]+)", job.shell)
        assert len(lines) == len(JOBS[name].steps)
        for (_, line), step in zip(lines, JOBS[name].steps, strict=True):
            assert (f"--memory {MEMORY}" in line) == ("memory" in step.settings)
            assert (f"--parts {PARTS}" in line) == step.parts
            assert ("--part " in line) == (step.scope is Scope.PART)


def test_a_small_corpus_has_one_part() -> None:
    """Unless set: one job does the work of each step over the corpus. A large one has several, but not too many."""
    gigabytes = 10**9
    assert jobs.number_of_parts(0, 39 * gigabytes) == jobs.number_of_parts(0, 0) == 1
    assert [jobs.number_of_parts(0, size * gigabytes) for size in (40, 1_000, 50_000)] == [2, 50, 256]
    assert jobs.number_of_parts(7, 0) == 7
    assert jobs.number_of_parts(1, 50_000 * gigabytes) == 1


def test_a_run_promises_all_that_users_read(workflow: dict[str, list[PlannedJob]], batches: dict[str, int]) -> None:
    """What is removed of it is made again: the corpus of each batch, each table, the pages, the summary."""
    (everything,) = workflow["all"]
    corpus = {"corpus/SHA256SUMS", *(f"corpus/{batch}.{suffix}" for batch in batches for suffix in SUFFIXES)}
    tables = {f"statistics/{table}.tsv" for table in TABLES}
    pages = {"report.html", "settings.json", "summary.txt", "urls.index", "word-lists/made.tsv"}
    of_all = {"results/report.html", "results/corpora.tsv"}
    assert {path.removeprefix(f"{FOLDER}/") for path in everything.input} == corpus | tables | pages | of_all


def test_all_corpora_are_on_one_page(tmp_path: Path) -> None:
    """Wherever their folders are, and in whatever language."""
    (tmp_path / "a.warc.gz").write_bytes(b"not read by a dry run")
    corpora = {name: {"language": name, "archives": ["a.warc.gz"], "results": f"of {name}"} for name in ("de", "cs")}
    (job,) = by_name(planned(tmp_path, {"corpora": corpora, "results": "out"}))["overview"]
    assert job.output == ["out/report.html", "out/corpora.tsv"]
    words = shlex.split(job.shell.partition(" 2> ")[0])
    assert words[-7:] == ["--language", "de", "--language", "cs", "--", "of de/de", "of cs/cs"]
    tables = {f"of {name}/{name}/statistics/{table}.tsv" for name in corpora for table in OVERVIEW}
    assert set(job.input) == tables | {f"of {name}/{name}/report.html" for name in corpora}


def test_every_file_is_written_once_and_before_it_is_read() -> None:
    """The order of the declaration is an order of the work."""
    written: list[str] = []
    for step in STEPS.values():
        assert {*step.reads, *step.implied} <= set(written), step.name
        written += step.writes
    assert sorted(written) == sorted(FILES)


def test_every_step_belongs_to_a_stage() -> None:
    """And no stage is empty."""
    assert {step.stage_name for step in STEPS.values()} == set(STAGES)


def test_steps_of_a_job_agree() -> None:
    """They work on the same, in the same group."""
    for job in JOBS.values():
        assert {step.scope for step in job.steps} == {job.scope}
        assert {step.group for step in job.steps} == {job.group}


def test_the_profile_of_a_cluster_has_the_declared_groups() -> None:
    """Jobs that one batch goes through by itself are submitted as one."""
    profile = yaml.safe_load((REPOSITORY / "workflow/profiles/slurm/config.yaml").read_text(encoding="utf-8"))
    assert profile["groups"] == [f"{job.name}={job.group}" for job in JOBS.values() if job.group]


def test_the_page_on_architecture_shows_a_rule_as_it_expands(tmp_path: Path) -> None:
    """The rule `tokens` of a corpus, written out; where this fails, it prints what the page should show."""
    (tmp_path / "a.warc.gz").write_bytes(b"not read by a dry run")
    language = {"code": "en", "rivals": ["de", "nl"]}
    config = {"corpora": {"news": {"language": language, "archives": ["a.warc.gz"]}}}
    (job,) = by_name(planned(tmp_path, config))["tokens"]
    page = REPOSITORY / "docs" / "architecture.md"
    (shown,) = [block.text for block in snippets(page) if block.text.startswith("rule ")]
    assert shown == job.as_rule(), job.as_rule()

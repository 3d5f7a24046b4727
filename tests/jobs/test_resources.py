"""What jobs ask for."""

import re
import subprocess
from pathlib import Path

import pytest
from support.running import REPOSITORY

from corpusprep.corpus.formats import corpus_formats, output_formats
from corpusprep.errors import OUT_OF_MEMORY
from corpusprep.forecast.costs import JOINED, load_costs, memory_by_step
from corpusprep.jobs import resources as jobs
from corpusprep.pipeline import JOBS, STEPS, Memory, Scope

#: Of docs/measurements/scale.md.
ARCHIVE_BYTES_PER_TOKEN = 14.22


def test_memory_follows_the_batch() -> None:
    """The tables of a batch are held as a whole, in whatever archives its pages are."""
    for streaming in (True, False):
        asked = [jobs.batch_memory_mb(size, streaming=streaming) for size in (1, 10**8, 10**9)]
        assert asked[0] == jobs.LEAST_MEMORY_MB
        assert asked[0] < asked[1] < asked[2]
    assert jobs.batch_memory_mb(10**9, streaming=True) < jobs.batch_memory_mb(10**9)


#: Peak megabytes of a step on a batch of 44 MB of documentation, and on one of 195 MB made from it
#: (bench/scale/made_crawl.py), where nearly all documents are kept.
PEAKS = {
    "encoding": (108, 124),
    "boilerplate": (227, 260),
    "language": (171, 161),
    "tokens": (126, 122),
    "corpus": (265, 321),
    "statistics count": (279, 333),
}


@pytest.mark.parametrize("step", [step.name for step in STEPS.values() if step.memory is Memory.STREAM])
@pytest.mark.parametrize("stored", [195 * 10**6, 10**9, 30 * 10**9])
def test_a_streaming_step_asks_for_twice_what_was_measured(step: str, stored: int) -> None:
    """Or, for larger batches, for twice what it would take if it grew on."""
    small, large = PEAKS[step]
    peak = large + max(0, large - small) * (stored - 195e6) / (195e6 - 44e6)
    assert jobs.batch_memory_mb(stored, streaming=True) > 2 * peak


@pytest.mark.parametrize("step", ["quality", "personal", "subwords"])
def test_other_steps_on_batches_ask_for_more_than_the_forecast_has(step: str) -> None:
    """For a gigabyte of archives with as many tokens per byte as the measured crawl."""
    cost = load_costs()[step]
    measured = cost.start_megabytes + cost.megabytes * 10**9 / ARCHIVE_BYTES_PER_TOKEN / 1e6
    assert jobs.batch_memory_mb(10**9) > 1.5 * measured


def test_minutes_follow_all_archives() -> None:
    """Of the batch, or of the corpus."""
    assert jobs.batch_minutes(1) == jobs.global_minutes(1) == jobs.LEAST_MINUTES
    assert jobs.batch_minutes(2 * 10**9) > jobs.LEAST_MINUTES
    assert jobs.global_minutes(10**12) > jobs.LEAST_MINUTES


@pytest.mark.parametrize(
    ("stored", "hours"),
    [(30 * 10**9, 1), (10**12, 1), (15 * 10**12, 12)],
)
def test_steps_over_the_corpus_fit_the_day_of_a_partition(stored: int, hours: float) -> None:
    """Also those of 10^12 tokens; each asks for several times what the forecast has, with the rates of one process.

    Lists of all words of such a corpus take days, and no run makes them unless it is told to.
    """
    parts = jobs.number_of_parts(0, stored)
    tokens = stored / ARCHIVE_BYTES_PER_TOKEN
    costs = load_costs()
    for job in JOBS.values():
        if job.scope not in (Scope.PART, Scope.CORPUS) or job.steps[0].memory is Memory.CORPUS:
            continue
        minutes = jobs.job_minutes(job, [stored], parts)
        assert minutes < 60 * hours or job.steps[0].bytes_per_minute
        rows = [costs.get(f"{step.cost}{JOINED}" if parts > 1 else "", costs.get(step.cost)) for step in job.steps]
        divided = parts if job.scope is Scope.PART else 1
        seconds = sum(row.start_seconds + row.seconds * tokens / 1e6 / divided for row in rows if row)
        assert minutes > 2 * seconds / 60


def test_minutes_of_a_part_are_those_of_its_share() -> None:
    """And not below the least."""
    part, whole = (JOBS[name] for name in ("ngrams_merge_part", "ngrams_merge"))
    assert jobs.job_minutes(part, [10**12], 50) == jobs.global_minutes(20 * 10**9)
    assert jobs.job_minutes(part, [1], 7) == jobs.LEAST_MINUTES
    assert jobs.job_minutes(whole, [10**12], 50) < jobs.job_minutes(whole, [10**12], 1)


def test_minutes_of_text_follow_the_formats() -> None:
    """TEI and CoNLL-U take several times as long as others; what describes the corpus may need no text at all."""
    assert jobs.text_minutes(10**12, 0) == jobs.LEAST_MINUTES
    assert jobs.text_minutes(10**12) < 40 * 60
    assert jobs.text_minutes(10**12, slow_formats=1) > 3 * jobs.text_minutes(10**12)
    known = {*output_formats(), *corpus_formats()}
    assert known >= jobs.SLOW_FORMATS | jobs.TEXT_FORMATS


def test_a_global_job_gets_its_memory_and_room_for_snakemake() -> None:
    """The setting says what the stage itself may use."""
    assert jobs.global_memory_mb("4G") == 4000 + jobs.SNAKEMAKE_MB
    assert jobs.global_memory_mb("100M") == jobs.LEAST_MEMORY_MB


def test_tables_of_the_corpus_take_memory_by_its_size() -> None:
    """Pages for templates are chosen from the tables of all batches: a forecast says the same as the job asks for."""
    assert jobs.tables_memory_mb(10**12) > jobs.tables_memory_mb(10**9) > jobs.LEAST_MEMORY_MB
    planned = memory_by_step(10**9, 30 * 10**9, "2G", [])
    for step in ("references choose", "templates choose", "templates merge"):
        assert planned[step] == jobs.tables_memory_mb(30 * 10**9) == 10_000
    assert planned["boilerplate"] == jobs.batch_memory_mb(10**9, streaming=True)


def test_tables_of_the_corpus_ask_for_twice_what_was_measured() -> None:
    """Megabytes of the largest of these steps by the number of its pages; the archives had 185 pages in a megabyte."""
    for pages, measured in ((28_109, 122), (562_180, 550), (2_248_720, 1_734)):
        assert jobs.tables_memory_mb(pages * 5_400) > 2 * measured


def test_options_of_a_language_made_from_samples() -> None:
    """Lists repeat their option; encodings are given one by one."""
    made = {"text": ["a b.txt", "c.txt"], "name": "Sorbian", "encodings": ["iso-8859-2"]}
    expected = "--text 'a b.txt' --text c.txt --name Sorbian --encoding iso-8859-2"
    assert jobs.sample_options(made) == expected


def test_experiments_ask_by_the_size_of_what_they_measure() -> None:
    """Of the corpus; of the largest set of n-grams."""
    assert jobs.experiment_minutes(10**10) > jobs.experiment_minutes(1) == jobs.LEAST_MINUTES
    assert jobs.set_memory_mb(10**8) > jobs.set_memory_mb(1) == jobs.LEAST_MEMORY_MB
    assert jobs.set_memory_minutes(10**8) > jobs.set_memory_minutes(1) == jobs.LEAST_MINUTES


def run_job(log: Path, command: str) -> int:
    """Runs the shell line of a job, with a command in the place of `corpusprep`, and returns its exit code."""
    line = jobs.shell_line(JOBS["documents"]).replace("{log:q}", f"'{log}'").replace("{resources.mem_mb}", "2400")
    line = re.sub(r"corpusprep --times .*? 2>", "corpusprep 2>", line).replace("{{", "{").replace("}}", "}")
    script = f"set -euo pipefail; corpusprep() {{ ( {command} ); }}; {line}"
    return subprocess.run(["bash", "-c", script], cwd=log.parent, check=False).returncode


def test_a_killed_job_says_what_to_do(tmp_path: Path) -> None:
    """Its log ends with a line that names the memory that was planned, and the setting."""
    log = tmp_path / "a log"
    assert run_job(log, "echo working >&2; kill -9 $BASHPID") == OUT_OF_MEMORY
    first, *_, last = log.read_text(encoding="utf-8").splitlines()
    assert first == "working"
    assert last.startswith("corpusprep: out of memory: the job was killed (planned for it: 2400 MB); run fewer jobs")
    assert "make memory smaller" in last


@pytest.mark.parametrize(("command", "code"), [("echo an error >&2; exit 1", 1), ("echo an error >&2", 0)])
def test_a_job_that_was_not_killed_adds_nothing(tmp_path: Path, command: str, code: int) -> None:
    """Its exit code and its log are those of the command."""
    log = tmp_path / "a log"
    assert run_job(log, command) == code
    assert log.read_text(encoding="utf-8") == "an error\n"


def test_a_batch_is_what_makes_its_jobs_large() -> None:
    """The advice names the setting that the memory of the job depends on, if there is one."""
    assert "make batch_bytes smaller" in jobs.shell_line(JOBS["boilerplate"])
    assert "make memory smaller" in jobs.shell_line(JOBS["ngrams_runs"])
    assert "smaller" not in jobs.shell_line(JOBS["references_choose"])


def rules() -> dict[str, str]:
    """The text of each rule, by its name."""
    found: dict[str, str] = {}
    for path in [*REPOSITORY.glob("workflow/rules/*.smk"), *REPOSITORY.glob("studies/rules/*.smk")]:
        parts = re.split(r"^ *(?:rule|checkpoint) (\w+):\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        found |= zip(parts[1::2], parts[2::2], strict=True)
    return found


@pytest.mark.parametrize(
    "name", [name for name, text in rules().items() if re.search(r"\bmem_mb=|\bresources_of\(", text)]
)
def test_a_rule_that_asks_for_memory_says_what_to_do_and_is_tried_again_alone(name: str) -> None:
    """Also where it is no step of the pipeline."""
    text = rules()[name]
    assert re.search(r"\bplaces=places,|\bresources_of\(", text)
    assert re.search(r"\bshell:\s+(advised|command)\(", text)

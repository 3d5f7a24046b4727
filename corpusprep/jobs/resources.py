"""The command lines of the workflow's jobs, and the memory and time that they ask for.

Memory and time depend on the bytes of the archives as stored. They are at least twice what was measured
(docs/measurements/scale.md); a retry asks for a multiple.
"""

import json
import shlex
from collections.abc import Collection, Mapping
from functools import cache
from typing import Any

from corpusprep.config.schema import switches
from corpusprep.config.settings import CorpusSettings
from corpusprep.errors import OUT_OF_MEMORY
from corpusprep.io.sizes import parse_size
from corpusprep.pipeline import Job, Memory, Scope, Step

LEAST_MEMORY_MB = 1_000  # an interpreter with its libraries, and the Snakemake around it
SNAKEMAKE_MB = 400
MEMORY_PER_BYTE = 4  # of the batch: subwords takes 2.5
MEMORY_PER_BYTE_STREAMING = 1  # of the batch, for steps that stream it: up to 0.4, with 200 pages per megabyte
TABLES_PER_KB = 300  # of all archives, for tables of all pages: with 185 pages per megabyte, they take 140
EXPERIMENTS_PER_BYTE = 6  # of all archives, for the tables of experiments
LEAST_MINUTES = 10
BYTES_PER_MINUTE = 30_000_000  # the slowest stage, boilerplate, takes 5 MB a second of CPU time
BYTES_PER_MINUTE_GLOBALLY = 5_000_000_000  # the slowest step in one process, or all its parts, takes 20 GB a minute
BYTES_PER_MINUTE_BESIDE_PARTS = 50_000_000_000  # what parts leave to one process, and short steps: 500 GB a minute
BYTES_PER_MINUTE_OF_TABLES = 4_000_000_000  # tables of all pages, and counts of their blocks: 11 GB a minute
BYTES_PER_MINUTE_OF_TEXT = 500_000_000  # of a corpus, read or written by one process: 0.9 to 1.7 GB a minute
BYTES_PER_MINUTE_OF_MARKUP = 150_000_000  # of each of SLOW_FORMATS, beside that: 0.3 to 0.5 GB a minute
SLOW_FORMATS = frozenset({"conllu", "tei"})
TEXT_FORMATS = frozenset({"frequencies"})  # that describe a corpus by all of its text
BYTES_PER_PART = 20_000_000_000  # of archives: each process over the corpus then takes minutes
MOST_PARTS = 256
BYTES_PER_MINUTE_OF_EXPERIMENTS = 10_000_000  # an experiment takes up to 35 seconds of CPU time for 44 MB
BYTES_PER_STORED_KEY = 24  # Judy1 takes 20 at most
STORED_KEYS_PER_MINUTE = 10_000_000
#: The settings that make a job smaller, by what its memory depends on; no setting changes the bytes of all archives.
_SMALLER = {Memory.BATCH: "batch_bytes", Memory.STREAM: "batch_bytes", Memory.GLOBAL: "memory"}


def flags(settings: Mapping[str, Any]) -> str:
    """Returns settings as command-line options, quoted for a shell; a list repeats its option.

    A mapping is written as JSON.

    >>> flags({"min_bytes": "5 kB", "status": [200, 206], "exclude_stopwords": False})
    "--min-bytes '5 kB' --status 200 --status 206 --count-stopwords"
    >>> print(flags({"parameters": {"least": 2}}))
    --parameters '{"least": 2}'
    """
    words: list[str] = []
    for key, value in settings.items():
        if isinstance(value, bool):
            words.append(switches(key)[not value])
            continue
        for item in value if isinstance(value, (list, tuple)) else [value]:
            words += [f"--{key.replace('_', '-')}", json.dumps(item) if isinstance(item, Mapping) else str(item)]
    return " ".join(map(shlex.quote, words))


def step_settings(step: Step, corpus: CorpusSettings) -> str:
    """Returns the settings that a step is given, as options; without those that other files are made by."""
    settings: dict[str, Any] = {}
    for key in step.settings:
        section, _, name = key.partition(".")
        if name == "code" and name not in corpus.sections[section]:
            continue  # nothing in it is a user's own
        if name:
            # The step has the option of the language's model, too.
            settings[f"{section}_{name}" if name in step.takes else name] = corpus.sections[section][name]
        elif section in corpus.sections:
            settings |= corpus.sections[section]
        else:
            settings[section] = getattr(corpus, section)
    for outside in ("rivals", "learn_pages"):
        settings.pop(outside, None)
    return flags(settings)


def options_name(step: Step) -> str:
    """Returns the name of a step's settings among the params of its job."""
    return f"options_{step.name.replace(' ', '_')}"


def shell_line(job: Job) -> str:
    """Returns the shell command of a job, with the placeholders of Snakemake: a process per step.

    All values are quoted: by Snakemake (`:q`), or, as options, by `flags`.

    Several steps stand in parentheses, and `&& true` keeps the shell from becoming the last one, whose times would
    then include the resources of the others. A step with a process per batch is a loop.
    """
    memories = {step.memory for step in job.steps}
    return advised(_steps_line(job), next((name for memory, name in _SMALLER.items() if memory in memories), ""))


def advised(line: str, smaller: str = "") -> str:
    """Returns a shell command that says in its log if it was killed, most likely for memory, and what to do.

    Args:
        line: the command, with the placeholders of Snakemake.
        smaller: the setting that makes its job smaller, if there is one.
    """
    advice = (
        "corpusprep: out of memory: the job was killed (planned for it: {resources.mem_mb} MB); run fewer jobs at the"
        f" same time (--cores), {f'or make {smaller} smaller in the config, ' if smaller else ''}or use a machine with"
        " more memory"
    )
    killed = f'status=$?; [ $status != {OUT_OF_MEMORY} ] || echo "{advice}" >> {{log:q}}; exit $status'
    return f"{line} || {{{{ {killed}; }}}}"


def _steps_line(job: Job) -> str:
    lines = [_step_line(step) for step in job.steps]
    if job.steps[0].process_per_batch:
        (line,) = lines
        folder = f"{{output.{times_name(job.steps[0])}:q}}"
        return f"(mkdir -p -- {folder} && for batch in {{params.batches}}; do {line} || exit 1; done) 2> {{log:q}}"
    return f"{lines[0]} 2> {{log:q}}" if len(lines) == 1 else f"({' && '.join([*lines, 'true'])}) 2> {{log:q}}"


def _step_line(step: Step) -> str:
    times = f"{{output.{times_name(step)}:q}}"
    kind = step.scope.value
    unit = "" if step.scope is Scope.CORPUS else f"--{kind} {{wildcards.{kind}:q}}"
    if step.process_per_batch:
        times, unit = f"{times}/$batch.tsv", "--batch $batch"
    told = {
        "archives": "{params.archives}",
        "model": "--model {input.model:q}",
        "rivals": "{params.rivals}",
        "language": "--language {params.language:q}",
        "others": "{params.others}",
    }
    words = [
        f"corpusprep --times {times} step {step.name}",
        unit,
        *(told[name] for name in step.takes),
        f"{{params.{options_name(step)}}}" if step.settings else "",
        "--threads {threads}" if step.threads else "",
        "--parts {params.parts}" if step.parts else "",
        "-- {wildcards.folder:q}",
    ]
    return " ".join(filter(None, words))


def times_name(step: Step) -> str:
    """The name of a step's file of times among the outputs of its job."""
    return f"times_{step.name.replace(' ', '_')}"


def sample_options(made: Mapping[str, Any]) -> str:
    """What the config says of a language that is made from samples, as options of `corpusprep language make`."""
    return flags({key: value for key, value in made.items() if key != "encodings"}) + (
        " " + flags({"encoding": made["encodings"]}) if made.get("encodings") else ""
    )


def job_memory_mb(job: Job, stored: int, memory: str | int) -> int:
    """Returns the megabytes for a job: its largest step decides.

    Args:
        job: of pipeline.JOBS.
        stored: bytes of the archives of its batch, or of all archives where it works on more than a batch.
        memory: the setting.
    """
    return max(_step_memory_mb(step, stored, memory) for step in job.steps)


def _step_memory_mb(step: Step, stored: int, memory: str | int) -> int:
    match step.memory:
        case Memory.BATCH:
            return batch_memory_mb(stored)
        case Memory.STREAM:
            return batch_memory_mb(stored, streaming=True)
        case Memory.CORPUS:
            return tables_memory_mb(stored)
        case Memory.GLOBAL:
            return global_memory_mb(memory)
    return LEAST_MEMORY_MB


def job_minutes(job: Job, batches: Collection[int], parts: int = 1) -> int:
    """Minutes for a job on batches whose archives have these bytes, in a corpus with that many parts."""
    stored = sum(batches)
    if job.scope is Scope.PART:
        return global_minutes(stored // parts)
    if job.steps[0].memory is Memory.CORPUS:
        return LEAST_MINUTES + stored // BYTES_PER_MINUTE_OF_TABLES
    if rate := job.steps[0].bytes_per_minute:
        return LEAST_MINUTES + stored // rate
    if job.scope is Scope.CORPUS:
        return LEAST_MINUTES + stored // BYTES_PER_MINUTE_BESIDE_PARTS if parts > 1 else global_minutes(stored)
    return sum(map(batch_minutes, batches))


def batch_memory_mb(stored: int, *, streaming: bool = False) -> int:
    """Megabytes for a job on one batch with archives of `stored` bytes; `streaming`: of steps that stream it."""
    return LEAST_MEMORY_MB + stored * (MEMORY_PER_BYTE_STREAMING if streaming else MEMORY_PER_BYTE) // 1_000_000


def number_of_parts(setting: int, stored: int) -> int:
    """Returns the number of parts of a corpus with archives of `stored` bytes: as set, or, if that is 0, by size."""
    return setting or max(1, min(MOST_PARTS, stored // BYTES_PER_PART))


@cache
def global_memory_mb(memory: str | int) -> int:
    """Megabytes for a job that may use `memory` (of the config) itself."""
    return max(LEAST_MEMORY_MB, parse_size(memory) // 1_000_000 + SNAKEMAKE_MB)


def tables_memory_mb(stored: int) -> int:
    """Megabytes for a job that holds a row for each page, of archives of `stored` bytes in total."""
    return LEAST_MEMORY_MB + stored * TABLES_PER_KB // 1_000_000_000


def experiments_memory_mb(stored: int) -> int:
    """Megabytes for the tables of experiments on a corpus of archives of `stored` bytes in total."""
    return LEAST_MEMORY_MB + stored * EXPERIMENTS_PER_BYTE // 1_000_000


def batch_minutes(stored: int) -> int:
    """Minutes for a job on one batch with archives of `stored` bytes."""
    return LEAST_MINUTES + stored // BYTES_PER_MINUTE


def global_minutes(stored: int) -> int:
    """Minutes for a job that reads something of every batch, of archives of `stored` bytes in total."""
    return LEAST_MINUTES + stored // BYTES_PER_MINUTE_GLOBALLY


def text_minutes(stored: int, passes: int = 1, slow_formats: int = 0) -> int:
    """Minutes for one process on the text of a corpus of archives of `stored` bytes in total.

    Args:
        stored: the bytes.
        passes: how often it goes through the text.
        slow_formats: how many of SLOW_FORMATS it writes.
    """
    in_slow_formats = slow_formats * stored // BYTES_PER_MINUTE_OF_MARKUP
    return LEAST_MINUTES + passes * stored // BYTES_PER_MINUTE_OF_TEXT + in_slow_formats


def experiment_minutes(stored: int) -> int:
    """Minutes for an experiment on all tokens of a corpus of archives of `stored` bytes in total."""
    return LEAST_MINUTES + stored // BYTES_PER_MINUTE_OF_EXPERIMENTS


def set_memory_mb(most: int) -> int:
    """Megabytes for measuring the memory of sets of up to `most` n-grams."""
    return LEAST_MEMORY_MB + most * BYTES_PER_STORED_KEY // 1_000_000


def set_memory_minutes(most: int) -> int:
    """Minutes for the same."""
    return LEAST_MINUTES + most // STORED_KEYS_PER_MINUTE

"""Helpers and validation. Nothing here makes a file."""

import inspect
import os
import re
import shlex
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.logging import logger
from snakemake.settings.types import DeploymentMethod

# Snakemake puts this clone first on the path. The installed package, which the jobs use, comes before it.
sys.path.sort(key=lambda folder: Path(folder) == Path(workflow.basedir))

from corpusprep import config_checks, config_file, config_schema, languages, pipeline, startup
from corpusprep.planning import jobs, run_progress
from corpusprep.archive import batches
from corpusprep import config as configuration
from corpusprep.corpus.formats import output_formats
from corpusprep.io import memory as memory_limits
from corpusprep.io import entries, own_code, partials
from corpusprep.pages.algorithms.registry import needs_references
from corpusprep.errors import CorpusprepError
from corpusprep.planning.jobs import flags
from corpusprep.io.sizes import parse_size

startup.prepare_planning()
LANGUAGE_TABLES = ("stop_lists", "identification", "encodings", "charsets", "damaged_pages")
EVALUATION_DATA = os.environ.get("CORPUSPREP_DATA") or str(Path(workflow.basedir).parent / "shared" / "data")
# Only where environments are made by conda: otherwise Snakemake would look for that of each job, all the same.
USES_CONDA = DeploymentMethod.CONDA in workflow.deployment_settings.deployment_method
ENVIRONMENT = "../../envs/corpusprep.yaml" if USES_CONDA else None
# Targets on gold data, and their jobs, as command lines name them: they need no archive.
WITHOUT_CORPORA = re.compile(r"(evaluation(_\w+)?|languages|language_table|models|content_model|texrex(_\w+)?)(:|$)")

SCHEMA = configuration.load_schema()


def settings_by_folder():
    """The settings of each corpus, by the folder its files go to. Only the run itself looks at files of the config."""
    if workflow.is_main_process:
        for path in map(Path, workflow.configfiles):
            if path.is_file():
                config_file.read(path)
    # A user's own code is looked for beside the config file, the last one if there are several.
    folder = Path(workflow.configfiles[-1]).parent if workflow.configfiles else Path()
    found = configuration.resolve(config, SCHEMA, folder, checked=workflow.is_main_process)
    return {corpus.folder: corpus for corpus in found.values()}


def plan(corpus):
    """Returns the batches of a corpus, by name. A job of a cluster reads those that its run has planned.

    Otherwise every job would open every archive: with 10,000 archives and jobs, a hundred million times.
    """
    written = Path(corpus.folder) / "batches.tsv"
    if not workflow.is_main_process and written.exists():
        return {batch.name: batch for batch in batches.read_batches(written)}
    try:
        archives = batches.expand(corpus.archives)
    except CorpusprepError as error:
        raise CorpusprepError(f"corpora.{corpus.name}.archives: {error}") from None
    packed = batches.plan(archives, parse_size(corpus.batch_bytes))
    return {batch.name: batch for batch in packed}


def signed(function):
    """Stores the signature of a function, which Snakemake otherwise computes several times per job."""
    function.__signature__ = inspect.signature(function)
    return function


def refuse(wildcards):
    """Fails: the input function of targets that cannot be built."""
    raise WorkflowError(f"corpusprep: error: {PROBLEM}")


try:
    CORPORA = settings_by_folder()
    CONFIG = configuration.normal(config)
    RESULTS = os.path.normpath(CONFIG.get("results", SCHEMA["properties"]["results"]["default"]))
    if workflow.is_main_process:
        for results in dict.fromkeys([RESULTS, *(str(Path(folder).parent) for folder in CORPORA)]):
            config_checks.check_results(results)
except CorpusprepError as error:
    raise WorkflowError(f"corpusprep: error: {error}") from None

# Languages that the workflow makes from samples, by code.
MADE = CONFIG.get("languages", {})
MOST_KEYS = configuration.most_keys(config, SCHEMA)
FORMATS = configuration.output_formats(config, SCHEMA)
SHARDS = configuration.shards(config, SCHEMA)
PROBLEM = None
try:
    BATCHES = {folder: plan(corpus) for folder, corpus in CORPORA.items()}
except CorpusprepError as error:
    if not any(map(WITHOUT_CORPORA.match, sys.argv[1:])):
        raise WorkflowError(f"corpusprep: error: {error}") from None
    PROBLEM, CORPORA, BATCHES = str(error), {}, {}

BUNDLES = {folder: batches.bundles(list(BATCHES[folder].values())) for folder in CORPORA}
FOLDERS = list(CORPORA)
# On a cluster jobs have one thread each, unless its profile sets more (set-threads): the run that submits them is given
# no number of cores, and a job, which finds those of its node, may not use more than was asked for.
CORES = (workflow.resource_settings.cores or 1) if workflow.is_main_process else 1
# The bundle of a batch, by folder and batch.
BUNDLE_OF = {
    folder: {batch: bundle for bundle, part in bundled.items() for batch in part} for folder, bundled in BUNDLES.items()
}
# Threads of a job on a bundle: two, of which one reads ahead, where there are cores to spare.
BUNDLE_THREADS = 2 if 2 * sum(map(len, BUNDLES.values())) <= CORES else 1
GLOBAL_THREADS = min(4, CORES)
# As in workflow/profiles/default: a job that is tried again takes them all.
PLACES = 1000
# Bytes of the archives as stored, of each batch and of the corpus.
BATCH_BYTES = {
    folder: {name: sum(batch.sizes) for name, batch in found.items()} for folder, found in BATCHES.items()
}
# The settings of each step as options; they are the same for all batches.
OPTIONS = {
    (folder, step.name): jobs.step_settings(step, corpus)
    for folder, corpus in CORPORA.items()
    for step in pipeline.STEPS.values()
}
STORED = {folder: sum(sizes.values()) for folder, sizes in BATCH_BYTES.items()}


wildcard_constraints:
    folder="|".join(map(re.escape, FOLDERS)),
    batch=batches.NAME,
    bundle=batches.BUNDLE_NAME,


def section(wildcards, name):
    """Returns a section of the settings of the corpus."""
    return CORPORA[wildcards.folder].sections[name]


def by_hash(wildcards):
    """Whether duplicate n-grams are found by the method hash."""
    return section(wildcards, "ngrams")["method"] == "hash"


def candidates(wildcards):
    """The filter of n-grams, for the method that has one."""
    return [f"{wildcards.folder}/ngrams/candidates"] if by_hash(wildcards) else []


@signed
def model_path(wildcards):
    """The model of the corpus language."""
    return model_of(CORPORA[wildcards.folder], CORPORA[wildcards.folder].language)


def model_of(corpus, spec):
    """The model of a language given by code or path."""
    if languages.is_path(spec):
        return os.path.normpath(spec)  # Snakemake warns of `./` at the start
    return str(Path(corpus.folder).parent / "languages" / f"{language_code(spec)}.model")


def language_code(spec):
    """The code of a language that is given by code, alias or path."""
    return spec if spec in MADE else languages.describe(spec).code


def rival_models(wildcards):
    """The models of the languages that a document must not score higher for."""
    language = CORPORA[wildcards.folder].language
    rivals = section(wildcards, "language").get("rivals")
    if rivals is None:
        # Those of a language that is made from a sample are not known before; the command finds them in its model.
        rivals = () if language in MADE else languages.describe(language).rivals
    return [model_of(CORPORA[wildcards.folder], rival) for rival in rivals]


@signed
def rivals_folder(wildcards):
    """Returns the folder of the models of rivals, if there are any."""
    return [f"{wildcards.folder}/rivals"] if rival_models(wildcards) else []


@signed
def rival_options(wildcards, input):
    """Returns the rivals as options of the command line."""
    if "rivals" not in section(wildcards, "language") and CORPORA[wildcards.folder].language in MADE:
        return ""
    return flags({"rival": [f"{input.rivals}/{Path(path).name}" for path in rival_models(wildcards)]}) or "--no-rivals"


def samples(code):
    """The files that a language is made from."""
    made = MADE.get(code, {})
    return list(map(os.path.normpath, [*made.get("text", ()), *made.get("html", ())]))


def sample_options(code):
    """Returns these files and the description of the language as options of the command line."""
    return jobs.sample_options(MADE.get(code, {}))


def kind_of_ngrams(wildcards):
    """Returns the settings of a run of the grid, as in the section `ngrams`."""
    return {
        "n": int(wildcards.n),
        "exclude_punctuation": wildcards.punctuation == "yes",
        "exclude_stopwords": wildcards.stop == "yes",
    }


def own_ngrams(wildcards):
    """Returns, for the run of the grid with the settings of the corpus, the files that it must agree with."""
    own = section(wildcards, "ngrams")
    if any(own[key] != value for key, value in kind_of_ngrams(wildcards).items()):
        return []
    return [f"{wildcards.folder}/ngrams/{name}/duplicates.keys" for name in ("counted", "after")]


def own_ngrams_options(wildcards, input):
    """Returns these files as options of the command line."""
    if not input.own:
        return ""
    counted, after = input.own
    own = dict(section(wildcards, "blocks"))
    threshold = own.pop("threshold")
    # The runs of the grid leave what the corpus has only if the corpus is de-duplicated in the default way.
    as_corpus = own == {name: config_schema.setting(f"blocks.{name}")["default"] for name in own}
    return flags({"ngrams": counted} | ({"after": after, "after_threshold": threshold} if as_corpus else {}))


@signed
def export_options(wildcards):
    """Returns the formats and sizes of the exported files, and whether duplicates are marked, as options."""
    mark = section(wildcards, "blocks")["mark"]
    return flags({"formats": FORMATS, "shards": SHARDS, "mark": mark})


@signed
def archives_of(wildcards):
    """The archives of a batch."""
    return list(map(str, BATCHES[wildcards.folder][wildcards.batch].archives))


@signed
def selection_lists(wildcards):
    """The files of hosts and addresses that the config names."""
    settings = section(wildcards, "encoding")
    return list(map(os.path.normpath, entries.files([*settings.get("hosts", ()), *settings.get("urls", ())])))


@signed
def archive_options(wildcards):
    """Returns the archives of a batch as options of the command line."""
    return flags({"archive": archives_of(wildcards)})


def each_batch(pattern):
    """An input function: `pattern` for every batch of the corpus."""
    return lambda wildcards: expand(pattern, folder=wildcards.folder, batch=BATCHES[wildcards.folder])


def each_bundle(pattern):
    """An input function: `pattern` for every bundle of the corpus."""
    return lambda wildcards: expand(
        pattern, folder=wildcards.folder, bundle=BUNDLES[wildcards.folder], allow_missing=True
    )


def of_bundle(pattern):
    """An input function: `pattern` for every batch of the bundle."""
    return lambda wildcards: expand(pattern, folder=wildcards.folder, batch=batches_of(wildcards))


def bundle_of_batch(pattern):
    """An input function: `pattern` for the bundle of the batch."""

    @signed
    def path(wildcards):
        folder = wildcards.folder
        return pattern.format(folder=folder, bundle=BUNDLE_OF[folder][wildcards.batch])

    return path


def batches_of(wildcards):
    """The batches of a bundle."""
    return BUNDLES[wildcards.folder][wildcards.bundle]


@signed
def reference_tables(wildcards):
    """The reference pages of all batches, where the algorithm compares the pages of a host."""
    if not needs_references(section(wildcards, "boilerplate")["algorithm"]):
        return []
    return expand("{folder}/references/{batch}.parquet", folder=wildcards.folder, batch=BATCHES[wildcards.folder])


@signed
def block_model_files(wildcards):
    """The user's own model of blocks: a changed model makes the blocks again."""
    model = section(wildcards, "boilerplate").get("parameters", {}).get("model")
    own = model and not own_code.is_own(section(wildcards, "boilerplate")["algorithm"])
    return [str(Path(model).expanduser())] if own else []


def own_code_files(stage, setting):
    """An input function: the files of a user's own code that a stage's setting names, if they lie beside the config."""

    @signed
    def found(wildcards):
        settings = section(wildcards, stage)
        name = settings.get(setting, "")
        return [str(path) for path in own_code.files(name, Path(settings["code"]))] if own_code.is_own(name) else []

    return found


def corpus_outputs():
    """The corpus of a batch by output format. Statistics need the vertical: if it is not chosen, it is temporary."""
    known = output_formats()
    chosen = FORMATS if SHARDS == "batches" else []
    paths = {f"corpus_{name}": f"{{folder}}/corpus/{{batch}}.{known[name].suffix}" for name in ["vertical", *chosen]}
    return paths if "vertical" in chosen else paths | {"corpus_vertical": temp(paths["corpus_vertical"])}


def corpus_files(folder):
    """The corpus in the chosen formats: for every batch, or the folder of its shards."""
    if SHARDS != "batches":
        return [f"{folder}/export"]
    paths = [path for name, path in corpus_outputs().items() if name.removeprefix("corpus_") in FORMATS]
    return expand(paths, folder=folder, batch=BATCHES[folder])


def corpora_options(wildcards):
    """The folder and the language of each corpus, as options of the command line."""
    return " ".join(
        shlex.join(["--corpus", folder, language_code(corpus.language)]) for folder, corpus in CORPORA.items()
    )


def summaries(wildcards):
    """The summary of each corpus; tells what shows the run of which corpora it is."""
    logger.info(f"Corpora: {', '.join(FOLDERS)}", extra={"corpora": FOLDERS})
    return expand("{folder}/summary.txt", folder=FOLDERS)


def begin():
    """Tells what shows the run which jobs it has; removes what killed jobs have left. Called before the first job."""
    if workflow.local_exec:
        try:
            memory_limits.require_address_space("the jobs")
        except CorpusprepError as error:
            raise WorkflowError(f"corpusprep: error: {error}") from None
    dag, sizes = workflow.dag, BATCH_BYTES
    works = {}
    for job in dag.needrun_jobs():
        folder = getattr(job.wildcards, "folder", "")
        batches = [sizes[folder][name] for name in job_batches(job.wildcards)] if folder in sizes else []
        works[dag.jobid(job)] = run_progress.work(job.rule.name, folder, batches)
    at_once = CORES if workflow.local_exec else workflow.nodes
    run = run_progress.Run(works, at_once, sum(STORED.values()), workflow.execution_settings.retries)
    run.watch_signals()
    logger.info(f"{len(works)} jobs", extra={"run": run})
    folders = {Path(folder) for folder in FOLDERS} | {Path(folder).parent / "languages" for folder in FOLDERS}
    # The results folder itself has the page and the table of all corpora.
    if removed := partials.clear(sorted(folders)) + partials.clear([Path(RESULTS)], below=False):
        logger.info(f"Removed {removed} temporary files of jobs that were killed.")


def all_files(wildcards):
    """What a run makes for users, of each corpus: the corpus in the chosen formats, the statistics, and the report."""
    kept = [pipeline.FILES[name].pattern for name in (*pipeline.TABLES, "report")]
    return [path for folder in FOLDERS for path in (*corpus_files(folder), *(f"{folder}/{name}" for name in kept))]


def path_of(name):
    """A file of corpusprep.pipeline, as inputs name it."""
    return f"{{folder}}/{pipeline.FILES[name].declared}"


def inputs(job):
    """The files of the corpus's folder that a job of corpusprep.pipeline reads, by name."""
    return {name: needed(pipeline.FILES[name], pipeline.JOBS[job].scope) for name in pipeline.JOBS[job].reads}


def needed(file, scope):
    """A file as an input of a job of that scope: all of them where there are several."""
    pattern = f"{{folder}}/{file.declared}"
    if file.scope in (scope, pipeline.Scope.CORPUS):
        return pattern
    if file.scope is pipeline.Scope.BUNDLE:
        return each_bundle(pattern) if scope is pipeline.Scope.CORPUS else bundle_of_batch(pattern)
    return each_batch(pattern) if scope is pipeline.Scope.CORPUS else of_bundle(pattern)


def outputs(job):
    """The files that a job of corpusprep.pipeline writes, by name; and those of the times of its steps."""
    steps = pipeline.JOBS[job].steps
    files = {name: pipeline.FILES[name] for name in pipeline.JOBS[job].writes}
    files |= {jobs.times_name(step): step.times for step in steps}
    paths = {name: written(file) for name, file in files.items()}
    return paths | corpus_outputs() if job == "corpus" else paths


def written(file):
    """A file as an output."""
    path = f"{{folder}}/{file.declared}"
    path = directory(path) if file.in_folder else path
    return temp(path) if file.temporary else path


def log_of(job):
    """The file of a job's messages."""
    return f"{{folder}}/{pipeline.JOBS[job].log}"


def message_of(job):
    """What is said when a job starts."""
    unit = pipeline.JOBS[job].scope.value
    of_unit = "" if unit == "corpus" else f", {unit} {{wildcards.{unit}}}"
    return f"{pipeline.JOBS[job].label} of {{wildcards.folder}}{of_unit}"


def resources_of(job):
    """The memory and the time that a job asks for, by the size of its archives; a multiple on a retry."""
    declared = pipeline.JOBS[job]

    @signed
    def mem_mb(wildcards, attempt):
        folder, batch = wildcards.folder, getattr(wildcards, "batch", None)
        stored = BATCH_BYTES[folder][batch] if batch else STORED[folder]
        return jobs.job_memory_mb(declared, stored, CORPORA[folder].memory) * attempt

    @signed
    def runtime(wildcards, attempt):
        return jobs.job_minutes(declared, [BATCH_BYTES[wildcards.folder][name] for name in job_batches(wildcards)]) * attempt

    return {"mem_mb": mem_mb, "runtime": runtime, "attempt": attempt_number, "places": places}


@signed
def attempt_number(wildcards, attempt):
    """Which attempt this is."""
    return attempt


@signed
def places(wildcards, attempt):
    """Places on this machine that a job takes: one, or all for a job that was killed, which then runs alone."""
    return 1 if attempt == 1 else PLACES


def job_batches(wildcards):
    """The batches that a job works on."""
    if hasattr(wildcards, "batch"):
        return [wildcards.batch]
    return batches_of(wildcards) if hasattr(wildcards, "bundle") else BATCHES[wildcards.folder]


def params_of(job):
    """The settings of a job's steps as options, by the names that its command has for them."""
    steps = [step for step in pipeline.JOBS[job].steps if step.settings]
    named = {jobs.options_name(step): settings_of(step) for step in steps}
    if pipeline.JOBS[job].steps[0].process_per_batch:
        named["batches"] = lambda wildcards: " ".join(batches_of(wildcards))
    return named


def settings_of(step):
    """The settings of a step as options."""

    @signed
    def options(wildcards):
        return OPTIONS[wildcards.folder, step.name]

    return options


def command(job):
    """The shell command of a job."""
    return jobs.shell_line(pipeline.JOBS[job])


@signed
def memory(wildcards):
    """Returns the memory that a job of a global step may use, for the command line."""
    return CORPORA[wildcards.folder].memory


def global_memory_mb(wildcards, attempt):
    """Megabytes for a job that may use `memory`; more on a retry, as with all that follows."""
    return jobs.global_memory_mb(CORPORA[wildcards.folder].memory) * attempt


def corpus_memory_mb(wildcards, attempt):
    """Megabytes for a job that reads the tables of all batches."""
    return jobs.corpus_memory_mb(STORED[wildcards.folder]) * attempt


@signed
def batch_memory_mb(wildcards, attempt):
    """Megabytes for a job on one batch."""
    return jobs.batch_memory_mb(BATCH_BYTES[wildcards.folder][wildcards.batch]) * attempt


@signed
def largest_batch_memory_mb(wildcards, attempt):
    """Megabytes for a job that works on one batch after another."""
    return jobs.batch_memory_mb(max(BATCH_BYTES[wildcards.folder].values())) * attempt


@signed
def batch_runtime(wildcards, attempt):
    """Minutes for a job on one batch."""
    return jobs.batch_minutes(BATCH_BYTES[wildcards.folder][wildcards.batch]) * attempt


def global_runtime(wildcards, attempt):
    """Minutes for a job that reads something of every batch."""
    return jobs.global_minutes(STORED[wildcards.folder]) * attempt


def experiment_runtime(wildcards, attempt):
    """Minutes for a job that looks at all tokens of a corpus."""
    return jobs.experiment_minutes(STORED[wildcards.folder]) * attempt

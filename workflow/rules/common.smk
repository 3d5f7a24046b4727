"""Helpers and validation. Nothing here makes a file."""

import inspect
import os
import re
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.settings.types import DeploymentMethod

# Snakemake puts this clone first on the path. The installed package, which the jobs use, comes before it.
sys.path.sort(key=lambda folder: Path(folder) == Path(workflow.basedir))

from corpusprep import languages, startup
from corpusprep.planning import jobs
from corpusprep.archive import batches
from corpusprep import config as configuration
from corpusprep.corpus.formats import output_formats
from corpusprep.io import own_code
from corpusprep.pages.algorithms.registry import needs_references
from corpusprep.errors import CorpusprepError
from corpusprep.planning.jobs import flags
from corpusprep.io.sizes import parse_size

startup.prepare_planning()

STATISTICS = (
    "corpus_size",
    "ledger",
    "processing_times",
    "duplicate_ngrams",
    "encodings",
    "domains",
    "fragmentation",
    "keywords",
    "thresholds",
)
LANGUAGE_TABLES = ("stop_lists", "identification", "encodings", "charsets")
EVALUATION_DATA = os.environ.get("CORPUSPREP_DATA") or str(Path(workflow.basedir).parent / "shared" / "data")
# Only where environments are made by conda: otherwise Snakemake would look for that of each job, all the same.
USES_CONDA = DeploymentMethod.CONDA in workflow.deployment_settings.deployment_method
ENVIRONMENT = "../../envs/corpusprep.yaml" if USES_CONDA else None
# Targets on gold data, and their jobs, as command lines name them: they need no archive.
WITHOUT_CORPORA = re.compile(r"(evaluation(_\w+)?|languages|language_table)(:|$)")

SCHEMA = configuration.load_schema(Path(workflow.basedir) / "workflow/schemas/config.schema.yaml")


def settings_by_folder():
    """The settings of each corpus, by the folder its files go to."""
    # A user's own code is looked for beside the config file, the last one if there are several.
    folder = Path(workflow.configfiles[-1]).parent if workflow.configfiles else Path()
    return {corpus.folder: corpus for corpus in configuration.resolve(config, SCHEMA, folder).values()}


def plan(corpus):
    """The batches of a corpus, by name; to a cluster's job, as the run that it belongs to planned them.

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
    """The same function with its signature at hand, which Snakemake works out for every job, several times."""
    function.__signature__ = inspect.signature(function)
    return function


def check_languages(corpus):
    """Fails for a language that is neither built in, nor made by the workflow, nor a readable model."""
    try:
        if corpus.language not in MADE:
            languages.check(corpus.language)
        for spec in corpus.sections["language"].get("rivals", ()):
            languages.describe(spec)
    except CorpusprepError as error:
        raise CorpusprepError(f"corpora.{corpus.name}.language: {error}") from None


def refuse(wildcards):
    """An input function of what cannot be built."""
    raise WorkflowError(PROBLEM)


# Languages that the workflow makes from samples, by code.
MADE = config.get("languages", {})
PROBLEM = None
try:
    CORPORA = settings_by_folder()
    for corpus in CORPORA.values():
        check_languages(corpus)
    BATCHES = {folder: plan(corpus) for folder, corpus in CORPORA.items()}
    BUNDLES = {folder: batches.bundles(list(BATCHES[folder]), corpus.bundles) for folder, corpus in CORPORA.items()}
    MOST_KEYS = configuration.most_keys(config, SCHEMA)
    FORMATS = configuration.output_formats(config, SCHEMA)
except CorpusprepError as error:
    if not any(map(WITHOUT_CORPORA.match, sys.argv[1:])):
        raise WorkflowError(str(error)) from None
    PROBLEM, CORPORA, BATCHES, BUNDLES, MOST_KEYS, FORMATS = str(error), {}, {}, {}, 0, []

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
STORED = {folder: sum(sum(batch.sizes) for batch in found.values()) for folder, found in BATCHES.items()}


wildcard_constraints:
    folder="|".join(map(re.escape, FOLDERS)),
    batch=batches.NAME,
    bundle=batches.BUNDLE_NAME,
    measured="before|after",


def section(wildcards, name):
    """A stage's settings for the corpus."""
    return CORPORA[wildcards.folder].sections[name]


def stage_options(stage, *, without=(), **names):
    """A function that gives a stage's settings, but for some, as options of the command line (jobs.flags)."""

    @signed
    def options(wildcards):
        return flags({key: value for key, value in section(wildcards, stage).items() if key not in without}, **names)

    return options


def counting(settings):
    """The options that say which tokens n-grams are made of."""
    return " ".join(
        [
            "--exclude-punctuation" if settings["exclude_punctuation"] else "--count-punctuation",
            "--exclude-stopwords" if settings["exclude_stopwords"] else "--count-stopwords",
        ]
    )


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
        return spec
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
    """The folder that has them, if there are any."""
    return [f"{wildcards.folder}/rivals"] if rival_models(wildcards) else []


@signed
def rival_options(wildcards, input):
    """The same as options of the command line."""
    if "rivals" not in section(wildcards, "language") and CORPORA[wildcards.folder].language in MADE:
        return ""
    return flags({"rival": [f"{input.rivals}/{Path(path).name}" for path in rival_models(wildcards)]}) or "--no-rivals"


def samples(code):
    """The files that a language is made from."""
    made = MADE.get(code, {})
    return [*made.get("text", ()), *made.get("html", ())]


def sample_options(code):
    """The same, and what is said about the language, as options of the command line."""
    return jobs.sample_options(MADE.get(code, {}))


def kind_of_ngrams(wildcards):
    """The settings of a run of the grid, as those of the section `ngrams`."""
    return {
        "n": int(wildcards.n),
        "exclude_punctuation": wildcards.punctuation == "yes",
        "exclude_stopwords": wildcards.stop == "yes",
    }


def own_ngrams(wildcards):
    """For the run of the grid that is made as the corpus is: the files that it must agree with."""
    own = section(wildcards, "ngrams")
    if any(own[key] != value for key, value in kind_of_ngrams(wildcards).items()):
        return []
    return [f"{wildcards.folder}/ngrams/{name}/duplicates.keys" for name in ("counted", "after")]


def own_ngrams_options(wildcards, input):
    """The same as options of the command line."""
    if not input.own:
        return ""
    counted, after = input.own
    return flags({"ngrams": counted, "after": after, "after_threshold": section(wildcards, "blocks")["threshold"]})


@signed
def archives_of(wildcards):
    """The archives of a batch."""
    return list(map(str, BATCHES[wildcards.folder][wildcards.batch].archives))


@signed
def archive_options(wildcards):
    """The same as options of the command line."""
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


def batches_of(wildcards):
    """The batches of a bundle."""
    return BUNDLES[wildcards.folder][wildcards.bundle]


def text_options(wildcards, verticals, documents=None):
    """The verticals of a bundle and the tables of their documents as options of the command line."""
    return flags(
        {
            "vertical": verticals,
            "documents": [f"{documents}/{batch}.parquet" for batch in batches_of(wildcards)] if documents else [],
        }
    )


@signed
def documents_folder(wildcards):
    """The folder of the corpus's documents."""
    return f"{wildcards.folder}/documents"


@signed
def matches_folder(wildcards):
    """The folder of a batch's matches: that of its bundle."""
    return f"{wildcards.folder}/blocks/matches/{BUNDLE_OF[wildcards.folder][wildcards.batch]}"


@signed
def reference_tables(wildcards):
    """The reference pages of all batches, where the algorithm compares the pages of a host."""
    if not needs_references(section(wildcards, "boilerplate")["algorithm"]):
        return []
    return expand("{folder}/references/{batch}.parquet", folder=wildcards.folder, batch=BATCHES[wildcards.folder])


@signed
def references_options(wildcards, input):
    """The same as options of the command line."""
    folder = wildcards.folder
    return flags({"references": f"{folder}/references", "batches": f"{folder}/batches.tsv"}) if input.references else ""


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
    paths = {name: f"{{folder}}/corpus/{{batch}}.{known[name].suffix}" for name in ["vertical", *FORMATS]}
    return paths if "vertical" in FORMATS else {**paths, "vertical": temp(paths["vertical"])}


def corpus_files(folder):
    """The corpus in the chosen formats, for every batch."""
    paths = [path for name, path in corpus_outputs().items() if name in FORMATS]
    return expand(paths, folder=folder, batch=BATCHES[folder])


@signed
def memory(wildcards):
    """What a job of a global stage may use, as the command line takes it."""
    return CORPORA[wildcards.folder].memory


def global_memory_mb(wildcards, attempt):
    """The same for the scheduler; more on a retry, as with all that follows."""
    return jobs.global_memory_mb(CORPORA[wildcards.folder].memory) * attempt


@signed
def batch_memory_mb(wildcards, attempt):
    """For a job on one batch."""
    return jobs.batch_memory_mb(BATCHES[wildcards.folder][wildcards.batch]) * attempt


@signed
def blocks_memory_mb(wildcards, attempt):
    """For a job that applies the verdicts on blocks, within the memory of a global stage, and then works on a batch."""
    return max(global_memory_mb(wildcards, 1), batch_memory_mb(wildcards, 1)) * attempt


def corpus_memory_mb(wildcards, attempt):
    """For a job that reads the tables of all batches."""
    return jobs.corpus_memory_mb(STORED[wildcards.folder]) * attempt


@signed
def batch_runtime(wildcards, attempt):
    """Minutes for a job on one batch."""
    return jobs.batch_minutes(BATCHES[wildcards.folder][wildcards.batch]) * attempt


def bundle_runtime(wildcards, attempt):
    """Minutes for a job on a bundle."""
    return sum(jobs.batch_minutes(BATCHES[wildcards.folder][batch]) for batch in batches_of(wildcards)) * attempt


def global_runtime(wildcards, attempt):
    """Minutes for a job that reads something of every batch."""
    return jobs.global_minutes(STORED[wildcards.folder]) * attempt


def experiment_runtime(wildcards, attempt):
    """Minutes for a job that looks at all tokens of a corpus."""
    return jobs.experiment_minutes(STORED[wildcards.folder]) * attempt

"""Helpers and validation. Nothing here makes a file."""

import re
import shlex
import sys
from functools import partial
from pathlib import Path

from snakemake.exceptions import WorkflowError

# Snakemake puts this clone first on the path, where the package has no kernels: the installed one is meant.
sys.path[:] = [folder for folder in sys.path if Path(folder) != Path(workflow.basedir)]

from corpusprep import batches, languages
from corpusprep import config as configuration
from corpusprep.errors import CorpusprepError
from corpusprep.sizes import parse_size

STATISTICS = (
    "corpus_size",
    "ledger",
    "processing_times",
    "duplicate_ngrams",
    "encodings",
    "domains",
    "fragmentation",
    "keywords",
)
ENVIRONMENT = "../../envs/corpusprep.yaml"


def settings_by_folder():
    """The settings of each corpus, by the folder its files go to."""
    schema = configuration.load_schema(Path(workflow.basedir) / "workflow/schemas/config.schema.yaml")
    return {corpus.folder: corpus for corpus in configuration.resolve(config, schema).values()}


def plan(corpus):
    """The batches of a corpus: name -> archives."""
    try:
        archives = batches.expand(corpus.archives)
    except CorpusprepError as error:
        raise CorpusprepError(f"corpora.{corpus.name}.archives: {error}") from None
    packed = batches.plan(archives, parse_size(corpus.batch_bytes))
    return {batch.name: [str(path) for path in batch.archives] for batch in packed}


def check_languages(corpus):
    """Fails for a language that is neither built in nor a readable model."""
    try:
        for spec in (corpus.language, *corpus.sections["language"].get("rivals", ())):
            languages.describe(spec)
    except CorpusprepError as error:
        raise CorpusprepError(f"corpora.{corpus.name}.language: {error}") from None


try:
    CORPORA = settings_by_folder()
    for corpus in CORPORA.values():
        check_languages(corpus)
    BATCHES = {folder: plan(corpus) for folder, corpus in CORPORA.items()}
except CorpusprepError as error:
    raise WorkflowError(str(error)) from None

FOLDERS = list(CORPORA)


wildcard_constraints:
    folder="|".join(map(re.escape, FOLDERS)),
    batch=batches.NAME,
    measured="before|after",


def section(wildcards, name):
    """A stage's settings for the corpus."""
    return CORPORA[wildcards.folder].sections[name]


def flags(settings, **names):
    """Settings as command-line options; a list repeats its option, a truth value becomes --x or --no-x.

    `names` renames options; only settings that are given make an option.
    """
    words = []
    for key, value in settings.items():
        option = names.get(key, key).replace("_", "-")
        for one in value if isinstance(value, (list, tuple)) else [value]:
            words += [f"--{option}", str(one)]
    return " ".join(map(shlex.quote, words))


def counting(settings):
    """The options that say which tokens n-grams are made of."""
    return " ".join(
        [
            "--exclude-punctuation" if settings["exclude_punctuation"] else "--count-punctuation",
            "--exclude-stopwords" if settings["exclude_stopwords"] else "--count-stopwords",
        ]
    )


def model_path(wildcards, spec=None):
    """The model of the corpus language, or of another language given by code or path."""
    corpus = CORPORA[wildcards.folder]
    spec = spec or corpus.language
    if languages.is_path(spec):
        return spec
    return str(Path(corpus.folder).parent / "languages" / f"{languages.describe(spec).code}.model")


def rival_models(wildcards):
    """The models of the languages that a document must not score higher for."""
    own = languages.describe(CORPORA[wildcards.folder].language)
    rivals = section(wildcards, "language").get("rivals", own.rivals)
    return [model_path(wildcards, rival) for rival in rivals]


def rule_suffix(folder):
    """A corpus's folder as part of a rule name."""
    return re.sub(r"\W", lambda match: f"_{ord(match[0]):x}_", CORPORA[folder].name)


def measured_vertical(wildcards):
    """The vertical before or after block de-duplication."""
    stage = {"before": "tokens", "after": "corpus"}[wildcards.measured]
    return f"{wildcards.folder}/{stage}/{wildcards.batch}.vert.zst"


def measured_documents(wildcards):
    """Before block de-duplication, the exact duplicates in the vertical are left out."""
    return [f"{wildcards.folder}/documents/{wildcards.batch}.parquet"] if wildcards.measured == "before" else []


def stage_files(wildcards):
    """The stage files that statistics and report read."""
    return expand(
        "{folder}/{stage}/{batch}.parquet",
        folder=wildcards.folder,
        stage=["encoding", "pages", "boilerplate", "language", "tokens", "documents", "blocks"],
        batch=BATCHES[wildcards.folder],
    )


def archives_of(wildcards):
    """The archives of a batch."""
    return BATCHES[wildcards.folder][wildcards.batch]


def each_batch(pattern):
    """An input function: `pattern` for every batch of the corpus."""
    return lambda wildcards: expand(pattern, folder=wildcards.folder, batch=BATCHES[wildcards.folder], allow_missing=True)


def corpus_files(folder):
    """The corpus in its three forms, for every batch."""
    forms = ("vert.zst", "jsonl.zst", "parquet")
    return expand("{folder}/corpus/{batch}.{form}", folder=folder, batch=BATCHES[folder], form=forms)


def memory(wildcards):
    """What a job of a global stage may use, as the command line takes it."""
    return CORPORA[wildcards.folder].memory


def memory_mb(folder, wildcards, attempt):
    """The same for the scheduler, with room for the interpreter; more on a retry."""
    return (parse_size(CORPORA[folder].memory) // 1_000_000 + 300) * attempt


def job_memory_mb(wildcards, attempt):
    """The same, where the corpus is a wildcard."""
    return memory_mb(wildcards.folder, wildcards, attempt)


def batch_memory_mb(wildcards, attempt):
    """For a job on one batch: it holds one archive's blocks as a table."""
    return 2_000 * attempt

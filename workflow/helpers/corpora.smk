"""The corpora of the config, checked, and what all rules share. Nothing here makes a file."""

import atexit
import functools
import inspect
import itertools
import json
import os
import re
import shlex
import sys
import types
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.logging import logger
from snakemake.settings.types import DeploymentMethod

# Snakemake puts this clone first on the path. The installed package, which the jobs use, comes before it.
CLONE = Path(workflow.current_basedir.get_path_or_uri(secret_free=True)).parents[1]
sys.path.sort(key=lambda folder: Path(folder) == CLONE)

from corpusprep.config import checks as config_checks, file as config_file, schema as config_schema
from corpusprep import languages, pipeline, startup
from corpusprep.jobs import crawls, finished, joining, resources as jobs, retries, room, workers
from corpusprep.forecast import run_progress
from corpusprep.archive import batches, patterns
from corpusprep.config import settings as configuration
from corpusprep.annotation import settings as annotation
from corpusprep.languages import dividing, identifiers, naming, tags
from corpusprep.tables import crawl_files
from corpusprep.tables.batch_files import refuse_packed
from corpusprep.corpus import leftovers
from corpusprep.corpus.formats import corpus_formats, output_formats
from corpusprep.io import memory as memory_limits
from corpusprep.io import digests, entries, folder_locks, own_code, partials
from corpusprep.cleaners.model_files import path_of as path_of_model
from corpusprep.cleaners.registry import model_file
from corpusprep.errors import CorpusprepError, Mistakes, in_lines
from corpusprep.jobs.resources import advised, flags
from corpusprep.io.sizes import parse_size
from studies.targets import WITHOUT_CORPORA

startup.prepare_planning()
# Only where environments are made by conda: otherwise Snakemake would look for that of each job, all the same.
USES_CONDA = DeploymentMethod.CONDA in workflow.deployment_settings.deployment_method
ENVIRONMENT = "../../envs/corpusprep.yaml" if USES_CONDA or "--containerize" in sys.argv else None
SCHEMA = configuration.load_schema()


# A user's own code is looked for beside the config file, the last one if there are several.
CODE = Path(os.path.relpath(Path(workflow.configfiles[-1]).parent if workflow.configfiles else Path()))


def settings_by_folder():
    """The settings of each corpus, by the folder its files go to. Only the run itself looks at files of the config."""
    if workflow.is_main_process:
        for path in map(Path, workflow.configfiles):
            if path.is_file():
                config_file.read(path)
    found = configuration.resolve(config, SCHEMA, CODE, checked=workflow.is_main_process)
    return {corpus.folder: corpus for corpus in found.values()}


def unmatched_archives():
    """Lines about archives of the corpora of a config that has other mistakes."""
    corpora = config.get("corpora")
    for name, own in corpora.items() if isinstance(corpora, dict) else ():
        written = own.get("archives") if isinstance(own, dict) else None
        if isinstance(written, list) and all(isinstance(pattern, str) for pattern in written):
            try:
                patterns.expand(configuration.normal({"archives": written})["archives"])
            except CorpusprepError as error:
                yield f"corpora.{name}.archives: {error}"


def lacking():
    """Lines on what a whole run lacks in this environment; with conda, jobs have others."""
    return [] if USES_CONDA else startup.lacking("report")


def refusal(lines):
    """Returns what ends a run before its first job: a line for each mistake, and one command that installs what lacks."""
    return in_lines(CorpusprepError("\n".join(startup.in_one_command("\n".join(lines).splitlines()))))


def plan(corpus):
    """Returns the batches of a corpus, by name. A job of a cluster reads those that its run has planned.

    Otherwise every job would open every archive: with 10,000 archives and jobs, a hundred million times.
    """
    written = Path(corpus.folder) / "batches.tsv"
    if not workflow.is_main_process and written.exists():
        return {batch.name: batch for batch in batches.read_batches(written)}
    if corpus.sources:
        return {batch.name: batch for batch in joined_batches(corpus)}
    try:
        archives = patterns.expand(corpus.archives)
    except CorpusprepError as error:
        raise CorpusprepError(f"corpora.{corpus.name}.archives: {error}") from None
    if workflow.is_main_process:
        for note in patterns.left_out(corpus.archives):
            logger.warning(f"corpora.{corpus.name}.archives: {note}")
    packed = batches.plan(archives, parse_size(corpus.batch_bytes))
    return {batch.name: batch for batch in packed}


def joined_batches(corpus):
    """Returns the batches of a corpus that is made from finished ones, in order; checks that they fit each other."""
    try:
        sources = [Path(source) for source in corpus.sources]
        known = {Path(folder).resolve() for folder in CORPORA}
        if own := [source for source in sources if source.resolve() in known]:
            raise CorpusprepError(f"{own[0]} is a corpus of this config; build it before, with a config of its own")
        if workflow.is_main_process:
            kept = {source: finished.read(source) for source in sources}
            finished.require_same(finished.page_settings(corpus), kept)
            for line in finished.version_notes(kept):
                logger.warning(f"corpusprep: note: corpora.{corpus.name}.from: {line}")
        return joining.in_order(joining.planned(sources))
    except CorpusprepError as error:
        raise CorpusprepError(f"corpora.{corpus.name}.from: {error}") from None


class Planned(dict):
    """What is known of the batches of each folder; of a language of a crawl, as soon as the crawl is divided."""

    def __missing__(self, folder):
        crawl = CORPORA[folder].crawl.settings.folder
        # Snakemake asks again when it has run. A job of a cluster has it behind it, and not among the rules that it plans.
        if workflow.is_main_process or not crawl_files.division_file(Path(crawl)).exists():
            checkpoints.languages_divide.get(folder=crawl)
        for code, (planned, parts) in dividing.read_division(Path(crawl)).items():
            if f"{crawl}/{code}" in CORPORA:
                know_batches(f"{crawl}/{code}", planned)
                PARTS[f"{crawl}/{code}"] = parts
        for code in CRAWLS[crawl].languages:  # the others have too little text
            if not dict.__contains__(BATCHES, f"{crawl}/{code}"):
                know_batches(f"{crawl}/{code}", [])
        return self[folder]


def stored_bytes(folder):
    """Bytes of the archives of a folder; of a language whose pages are not known yet, at most those of its crawl."""
    return STORED[folder] if folder in STORED else STORED[CORPORA[folder].crawl.settings.folder]


def know_batches(folder, planned):
    """Notes the batches of a folder, their bundles, and the bytes of their archives as stored."""
    BATCHES[folder] = {batch.name: batch for batch in planned}
    BUNDLES[folder] = batches.bundles(planned)
    BUNDLE_OF[folder] = {batch: bundle for bundle, part in BUNDLES[folder].items() for batch in part}
    BATCH_BYTES[folder] = {batch.name: sum(batch.sizes) for batch in planned}
    STORED[folder] = sum(BATCH_BYTES[folder].values())


def signed(function):
    """Stores the signature of a function, which Snakemake otherwise computes several times per job."""
    function.__signature__ = inspect.signature(function)
    return function


def refuse(wildcards):
    """Fails: the input function of targets that cannot be built."""
    raise WorkflowError(PROBLEM)


try:
    CORPORA = settings_by_folder()
    CONFIG = configuration.normal(config)
    RESULTS = os.path.normpath(CONFIG.get("results", SCHEMA["properties"]["results"]["default"]))
    if workflow.is_main_process:
        for results in dict.fromkeys([RESULTS, *(corpus.results for corpus in CORPORA.values())]):
            config_checks.check_results(results)
except CorpusprepError as error:
    further = [*unmatched_archives(), *lacking()] if str(error).startswith("config: ") else []
    raise WorkflowError(refusal([str(error), *further])) from None

# Languages that the workflow makes from samples, by code.
MADE = CONFIG.get("languages", {})
MOST_KEYS = configuration.most_keys(config, SCHEMA)
FORMATS = configuration.output_formats(config, SCHEMA)
SHARDS = configuration.shards(config, SCHEMA)
EXPORTED = "" if SHARDS == "batches" else "--exported"
WRITTEN = output_formats(["vertical", *FORMATS], CODE)
DESCRIBING = corpus_formats(FORMATS, CODE)
PROBLEM = None
# Of each folder: the batches, bundles and bundle of each batch, by name; the bytes of the archives as stored, of each batch
# and in all; and the batches of the crawl that a batch of a language consists of.
BATCHES, BUNDLES, BUNDLE_OF, BATCH_BYTES, STORED, PARTS = (Planned() for _ in range(6))
# Crawls that are divided by language, by folder: their page stages have rules, batches and settings as a corpus has.
CRAWLS = {corpus.crawl.settings.folder: corpus.crawl for corpus in CORPORA.values() if corpus.crawl}
FOLDERS = list(CORPORA)
FROM_CRAWLS = [folder for folder in FOLDERS if CORPORA[folder].crawl]
CORPORA |= {folder: crawl.settings for folder, crawl in CRAWLS.items()}
FROM_ARCHIVES = [folder for folder in CORPORA if folder not in FROM_CRAWLS]
# Corpora that are made from finished ones; FROM_ARCHIVES has them, too: their batches are known.
JOINED = [folder for folder in FOLDERS if CORPORA[folder].sources]
mistakes = Mistakes()
for folder in CORPORA:
    with mistakes.noted(CorpusprepError):
        refuse_packed(Path(folder))
for folder in FROM_ARCHIVES:
    with mistakes.noted(CorpusprepError):
        know_batches(folder, list(plan(CORPORA[folder]).values()))
if mistakes.lines:
    PROBLEM = refusal([*mistakes.lines, *lacking()])
    if not any(map(WITHOUT_CORPORA.match, sys.argv[1:])):
        raise WorkflowError(PROBLEM)
    for known in (CORPORA, CRAWLS, FOLDERS, FROM_CRAWLS, FROM_ARCHIVES, JOINED):
        known.clear()

# On a cluster jobs have one thread each, unless its profile sets more (set-threads): the run that submits them is given
# no number of cores, and a job, which finds those of its node, may not use more than was asked for.
CORES = (workflow.resource_settings.cores or 1) if workflow.is_main_process else 1
# Threads of a job on a bundle: two, of which one reads ahead, where there are cores to spare.
BUNDLE_THREADS = 2 if 2 * (sum(map(len, BUNDLES.values())) + len(FROM_CRAWLS)) <= CORES else 1
GLOBAL_THREADS = min(4, CORES)
# As in workflow/profiles/default: a job that is tried again takes them all.
PLACES = 1000
# The settings of each step as options; they are the same for all batches.
OPTIONS = {
    (folder, step.name): jobs.step_settings(step, corpus)
    for folder, corpus in CORPORA.items()
    for step in pipeline.STEPS.values()
}
OPTIONS |= {(folder, "boilerplate"): crawls.boilerplate_options(crawl, CORPORA) for folder, crawl in CRAWLS.items()}
SPLIT_OPTIONS = {folder: crawls.split_options(crawl, CORPORA) for folder, crawl in CRAWLS.items()}
# What says whether commands may share processes (corpusprep/jobs/workers.py).
LEAST_MEMORY = min((parse_size(corpus.memory) for corpus in CORPORA.values()), default=0)
OWN_CODE = any(map(workers.has_own_code, CORPORA.values()))
NOTHING = "(?!)"  # a pattern that nothing matches
OF_ARCHIVES = "|".join(re.escape(folder) for folder in FROM_ARCHIVES if folder not in JOINED) or NOTHING
OF_JOINED = "|".join(map(re.escape, JOINED)) or NOTHING
OF_CRAWLS = "|".join(map(re.escape, CRAWLS)) or NOTHING
OF_CORPORA = "|".join(map(re.escape, FOLDERS)) or NOTHING
OF_PAGES = "|".join(re.escape(folder) for folder in FOLDERS if folder not in JOINED) or NOTHING
# Corpora in a language of which there is no model.
WITHOUT_MODEL = "|".join(re.escape(folder) for folder in FOLDERS if CORPORA[folder].language not in MADE and languages.lacks_model(CORPORA[folder].language)) or NOTHING
OF_LANGUAGES = "|".join(map(re.escape, FROM_CRAWLS)) or NOTHING


wildcard_constraints:
    folder="|".join(map(re.escape, CORPORA)) or NOTHING,  # Snakemake takes an empty pattern for none at all
    batch=batches.NAME,
    bundle=batches.BUNDLE_NAME,
    part="[0-9]+",

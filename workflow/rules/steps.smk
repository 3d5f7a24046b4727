"""The rules of the steps that corpusprep/pipeline/ declares: one rule per job, under the name of the job.

docs/architecture.md shows one of them as it expands. The functions say what goes into each part of a rule; input
functions are in workflow/helpers/inputs.smk. A job may run several short steps: with a thousand batches, each rule on
batches is a thousand jobs to plan.
"""
# `snakemake --lint` remarks that functions and rules are in one file: no other file needs these functions.


#: What `snakemake --report` shows of each corpus: its own page, and the first tables.
SHOWN = {
    name: {"file": title}
    for name, title in {
        "report": "report: tables, figures, examples",
        "corpus_size": "sizes, stage by stage",
        "ledger": "ledger: what became of each record, block, word and byte",
        "duplicate_ngrams": "duplicate n-grams",
        "encodings": "encodings",
        "domains": "domains",
        "processing_times": "times and memory",
    }.items()
}


def inputs(job):
    """What a job reads: files of the corpus's folder, by name, and what comes from outside of it."""
    names = pipeline.unique([*job.reads, *shared_files(job)])
    files = files_of(names, job.scope, job.of_all, reader=job.steps[0])
    models = {True: page_model_path, False: model_path}
    outside = OUTSIDE | {"model": encoding_model_path if job.name == "encoding" else models[job.of_pages]}
    # `batches` is told what the archives are, by its params: as its inputs, Snakemake would compare each of 90,000 archives
    # with each file of a job that reads the list of batches.
    taken = () if job.name == "batches" else job.takes
    return files | {name: function for name, function in outside.items() if name in taken}


def outputs(job):
    """The files that a job writes, by name; and the times of its steps."""
    files = {name: pipeline.FILES[name] for name in job.writes}
    files |= {jobs.times_name(step): step.times for step in job.steps}
    paths = {name: written(name, file) for name, file in files.items()}
    return paths | corpus_outputs() if job.name == "corpus" else paths


def written(name, file):
    """A file as an output; some are shown by `snakemake --report`."""
    path = f"{{folder}}/{file.declared}"
    path = directory(path) if file.in_folder else path
    if name in SHOWN:
        return report(path, caption="../report/corpus.rst", category="Corpora", subcategory="{folder}", labels=SHOWN[name])
    return temp(path) if file.temporary else path


def folders_of(job):
    """The folders that a job works in: corpora, or, for jobs on pages, crawls in place of their languages."""
    return OF_ARCHIVES if job.of_pages else OF_PAGES if job.taken_over else OF_CORPORA


def threads_of(job):
    """The threads of a job."""
    if not any(step.threads for step in job.steps):
        return 1
    if job.scope is pipeline.Scope.BATCH:
        return annotator_threads
    return BUNDLE_THREADS if job.scope is pipeline.Scope.BUNDLE else GLOBAL_THREADS


def message_of(job):
    """What is said when a job starts."""
    unit = job.scope.value
    of_unit = "" if unit == "corpus" else f", {unit} {{wildcards.{unit}}}"
    return f"{job.label} of {{wildcards.folder}}{of_unit}"


def resources_of(job):
    """The memory and the time that a job asks for, by the size of its archives; a multiple on a retry."""

    @signed
    def mem_mb(wildcards, attempt):
        folder, batch = wildcards.folder, getattr(wildcards, "batch", None)
        stored = BATCH_BYTES[folder][batch] if batch else stored_bytes(folder)
        named = identifier_megabytes(folder) if job.name == "tokens" else 0
        return (jobs.job_memory_mb(job, stored, CORPORA[folder].memory) + named) * attempt

    @signed
    def runtime(wildcards, attempt):
        folder = wildcards.folder
        if job.scope in (pipeline.Scope.CORPUS, pipeline.Scope.PART):
            parts = jobs.number_of_parts(CORPORA[folder].parts, stored_bytes(folder))
            return jobs.job_minutes(job, [stored_bytes(folder)], parts) * attempt
        return jobs.job_minutes(job, [BATCH_BYTES[folder][name] for name in job_batches(wildcards)]) * attempt

    return {"mem_mb": mem_mb, "runtime": runtime, "places": places}


def params_of(job):
    """The settings of a job's steps as options, by the names that its command has for them."""
    named = {jobs.options_name(step): settings_of(step) for step in job.steps if step.settings}
    if job.steps[0].process_per_batch:
        named["batches"] = lambda wildcards: " ".join(batches_of(wildcards))
    if any(step.parts for step in job.steps):
        named["parts"] = number_of_parts
    told = {name for step in job.steps for name in step.takes}
    return named | {name: function for name, function in TOLD.items() if name in told}


def settings_of(step):
    """The settings of a step as options."""

    @signed
    def options(wildcards):
        return OPTIONS[wildcards.folder, step.name]

    return options


#: What some jobs read beside what their steps declare: job -> name -> input function.
FURTHER_INPUTS = {
    "encoding": {"lists": selection_lists},
    "boilerplate": {"code": own_code_files("boilerplate", "algorithm"), "block_model": block_model_files},
    "corpus": {"code": format_code, "tokenizer": tokenizer_file, "key": key_file},
    "tokens": {
        "code": own_code_files("tokens", "tokenizer"),
        "identifier": identifier_file,
        "words": words_file,
    },
    "against": {"code": own_code_files("tokens", "tokenizer"), "words": words_file},
    "quality": {"classifier": classifier_file, "word_lists": word_list_files},
    # Slow taggers may need more time than the bytes of the archives say: --set-resources annotate:runtime=600.
    "annotate": {"code": annotator_files},
}
#: Params that no command is told: a job whose params change runs again.
FURTHER_PARAMS = {
    # An archive may be replaced by one with an older date, such as a copy that was kept: its batch has another name.
    "batches": {"planned": lambda wildcards: batches.batch_name(BATCHES[wildcards.folder])},
}


# A function, so that each rule has a `job` of its own: the shell command is evaluated when the job runs.
def declare(job):
    rule:
        name:
            job.name
        input:
            **inputs(job),
            **FURTHER_INPUTS.get(job.name, {}),
        output:
            **outputs(job),
        log:
            f"{{folder}}/{job.log}",
        conda:
            ENVIRONMENT
        wildcard_constraints:
            folder=folders_of(job),
        threads: threads_of(job)
        resources:
            **resources_of(job),
        params:
            **params_of(job),
            **FURTHER_PARAMS.get(job.name, {}),
        message:
            message_of(job)
        shell:
            jobs.shell_line(job)


for job in pipeline.JOBS.values():
    if JOB_RULES is None or job.name in JOB_RULES:
        declare(job.of_corpora(CORPORA.values()))
        getattr(rules, job.name).rule.docstring = job.sentence  # a module may give the rule another name

"""Parts of the rules of declared steps (corpusprep/pipeline.py): files, threads, resources, params, messages."""


def path_of(name):
    """A file of corpusprep.pipeline, as inputs name it."""
    return f"{{folder}}/{pipeline.FILES[name].declared}"


def inputs(job):
    """What a job reads: files of the corpus's folder, by name, and what comes from outside of it."""
    files = files_of(job.reads, job.scope, job.of_all, with_parts=bool(job.steps[0].divides))
    return files | {name: function for name, function in OUTSIDE.items() if name in job.takes}


def files_of(names, scope, of_all=(), with_parts=False):
    """Files of a corpus as inputs of a job of that scope, by name, where the corpus has the steps that write them.

    `of_all` are read of all batches. `with_parts`: the job runs only where there are several parts.
    """
    files = {name: needed(pipeline.FILES[name], scope, of_all=name in of_all) for name in names}
    conditions = {name: condition_of(pipeline.writer(name), with_parts) for name in names}
    return {name: where(conditions[name], files[name]) if conditions[name] else files[name] for name in names}


def condition_of(step, with_parts):
    """Whether a corpus has a step: a function of wildcards; None: it has it always."""
    if step.when:
        return lambda wildcards: step.when(CORPORA[wildcards.folder])
    if step.divides and not with_parts:
        return lambda wildcards: number_of_parts(wildcards) > 1
    return None


def where(condition, paths):
    """An input function: paths, or those of an input function, where a condition on the wildcards holds."""

    @signed
    def chosen(wildcards):
        if not condition(wildcards):
            return []
        return paths(wildcards) if callable(paths) else paths.format(**wildcards)

    return chosen


def needed(file, scope, of_all=False):
    """A file as an input of a job of that scope: all of them where there are several, or where `of_all` says so."""
    pattern = f"{{folder}}/{file.declared}"
    if of_all:
        return each_batch(pattern)
    if file.scope in (scope, pipeline.Scope.CORPUS):
        return pattern
    if file.scope is pipeline.Scope.PART:
        return each_part(pattern)
    of_all = scope in (pipeline.Scope.CORPUS, pipeline.Scope.PART)
    if file.scope is pipeline.Scope.BUNDLE:
        return each_bundle(pattern) if of_all else bundle_of_batch(pattern)
    return each_batch(pattern) if of_all else of_bundle(pattern)
def outputs(job):
    """The files that a job writes, by name; and the times of its steps."""
    files = {name: pipeline.FILES[name] for name in job.writes}
    files |= {jobs.times_name(step): step.times for step in job.steps}
    paths = {name: written(file) for name, file in files.items()}
    return paths | corpus_outputs() if job.name == "corpus" else paths


def written(file):
    """A file as an output."""
    path = f"{{folder}}/{file.declared}"
    path = directory(path) if file.in_folder else path
    return temp(path) if file.temporary else path


def folders_of(job):
    """The folders that a job works in: corpora, or, for jobs on pages, crawls in place of their languages."""
    return OF_ARCHIVES if job.of_pages else OF_CORPORA


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
        return jobs.job_memory_mb(job, stored, CORPORA[folder].memory) * attempt

    @signed
    def runtime(wildcards, attempt):
        folder = wildcards.folder
        if job.scope in (pipeline.Scope.CORPUS, pipeline.Scope.PART):
            parts = jobs.number_of_parts(CORPORA[folder].parts, stored_bytes(folder))
            return jobs.job_minutes(job, [stored_bytes(folder)], parts) * attempt
        return jobs.job_minutes(job, [BATCH_BYTES[folder][name] for name in job_batches(wildcards)]) * attempt

    return {"mem_mb": mem_mb, "runtime": runtime, "places": places}


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


@signed
def memory(wildcards):
    """Returns the memory that a job of a global step may use, for the command line."""
    return CORPORA[wildcards.folder].memory


def global_memory_mb(wildcards, attempt):
    """Megabytes for a job that may use `memory`; more on a retry, as with all that follows."""
    return jobs.global_memory_mb(CORPORA[wildcards.folder].memory) * attempt


def experiments_memory_mb(wildcards, attempt):
    """Megabytes for a job of the experiments."""
    return jobs.experiments_memory_mb(stored_bytes(wildcards.folder)) * attempt


@signed
def batch_memory_mb(wildcards, attempt):
    """Megabytes for a job on one batch."""
    return jobs.batch_memory_mb(BATCH_BYTES[wildcards.folder][wildcards.batch]) * attempt


@signed
def largest_batch_memory_mb(wildcards, attempt):
    """Megabytes for a job that works on one batch after another."""
    folder = wildcards.folder if wildcards.folder in BATCH_BYTES else crawl_of(wildcards)
    return jobs.batch_memory_mb(max(BATCH_BYTES[folder].values())) * attempt


@signed
def batch_runtime(wildcards, attempt):
    """Minutes for a job on one batch."""
    return jobs.batch_minutes(BATCH_BYTES[wildcards.folder][wildcards.batch]) * attempt


def global_runtime(wildcards, attempt):
    """Minutes for a job that reads something of every batch."""
    return jobs.global_minutes(stored_bytes(wildcards.folder)) * attempt


@signed
def split_memory_mb(wildcards, attempt):
    """Megabytes for the job that divides a batch by language."""
    filters = crawls.MB_PER_LANGUAGE * crawls.known_languages(CRAWLS[wildcards.folder])
    return (jobs.batch_memory_mb(BATCH_BYTES[wildcards.folder][wildcards.batch]) + filters) * attempt


def experiment_runtime(wildcards, attempt):
    """Minutes for a job that looks at all tokens of a corpus."""
    return jobs.experiment_minutes(stored_bytes(wildcards.folder)) * attempt


def text_runtime(wildcards, attempt):
    """Minutes for a job that reads the text of a corpus once."""
    return jobs.text_minutes(stored_bytes(wildcards.folder)) * attempt


def export_runtime(wildcards, attempt):
    """Minutes for a job that writes a corpus in the chosen formats, and describes it."""
    passes, slow = 1 + len(jobs.TEXT_FORMATS.intersection(FORMATS)), len(jobs.SLOW_FORMATS.intersection(FORMATS))
    return jobs.text_minutes(stored_bytes(wildcards.folder), passes, slow) * attempt


def describe_runtime(wildcards, attempt):
    """Minutes for a job that describes a corpus in the chosen formats: most of them need the first documents only."""
    return jobs.text_minutes(stored_bytes(wildcards.folder), len(jobs.TEXT_FORMATS.intersection(FORMATS))) * attempt

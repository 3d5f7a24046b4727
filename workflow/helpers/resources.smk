"""The memory and the time that rules ask for: functions of wildcards."""


def job_batches(wildcards):
    """The batches that a job works on."""
    if hasattr(wildcards, "batch"):
        return [wildcards.batch]
    return batches_of(wildcards) if hasattr(wildcards, "bundle") else BATCHES[wildcards.folder]


def bytes_to_read():
    """Bytes of the archives whose batches have no table of blocks yet, by the folder of the results."""
    left = {}
    for folder in set(FROM_ARCHIVES).difference(JOINED):
        results = CORPORA[folder].results
        for batch, size in BATCH_BYTES[folder].items():
            if not Path(folder, "boilerplate", f"{batch}.parquet").exists():
                left[results] = left.get(results, 0) + size
    return left


@signed
def places(wildcards, attempt):
    """Places on this machine that a job takes: one, or all for a job that was killed, which then runs alone."""
    return 1 if attempt == 1 else PLACES


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
def export_memory_mb(wildcards, attempt):
    """Megabytes for a job that writes a corpus into files; where it shuffles, it uses `memory` too."""
    in_order = CORPORA[wildcards.folder].sections["corpus"]["order"] == "archives"
    shuffling = 0 if in_order else global_memory_mb(wildcards, attempt)
    return max(largest_batch_memory_mb(wildcards, attempt), shuffling)


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
    filters += identifier_megabytes(wildcards.folder)
    return (jobs.batch_memory_mb(BATCH_BYTES[wildcards.folder][wildcards.batch]) + filters) * attempt


@signed
def naming_memory_mb(wildcards, attempt):
    """Megabytes for a job that names the languages of a batch."""
    batch_mb = jobs.batch_memory_mb(BATCH_BYTES[wildcards.folder][wildcards.batch])
    return (batch_mb + identifier_megabytes(wildcards.folder)) * attempt


def experiment_runtime(wildcards, attempt):
    """Minutes for a job that looks at all tokens of a corpus."""
    return jobs.experiment_minutes(stored_bytes(wildcards.folder)) * attempt


def text_runtime(wildcards, attempt):
    """Minutes for a job that reads the text of a corpus once."""
    return jobs.text_minutes(stored_bytes(wildcards.folder)) * attempt


def export_runtime(wildcards, attempt):
    """Minutes for a job that writes a corpus in the chosen formats and order, and describes it."""
    passes, slow = 1 + len(jobs.TEXT_FORMATS.intersection(FORMATS)), len(jobs.SLOW_FORMATS.intersection(FORMATS))
    settings = CORPORA[wildcards.folder].sections["corpus"]
    passes += settings["order"] != "archives"
    if settings["order"] == "sentences":  # 5 s per million tokens, and 3 s to count tokens of a model
        slow += 2 if settings["count_tokens"] else 1
    return jobs.text_minutes(stored_bytes(wildcards.folder), passes, slow) * attempt


def describe_runtime(wildcards, attempt):
    """Minutes for a job that describes a corpus in the chosen formats: most of them need the first documents only."""
    return jobs.text_minutes(stored_bytes(wildcards.folder), len(jobs.TEXT_FORMATS.intersection(FORMATS))) * attempt

"""What rules read, and the options of their commands: functions of wildcards."""


def path_of(name):
    """A file of corpusprep.pipeline, as inputs name it."""
    return f"{{folder}}/{pipeline.FILES[name].declared}"


#: The files that a corpus takes over which is made from finished ones.
TAKEN_OVER = {path_of(name) for step in pipeline.STEPS.values() if step.taken_over for name in step.writes}


def files_of(names, scope, of_all=(), reader=None):
    """Files of a corpus as inputs of a job of that scope, by name, where the corpus has the steps that write them.

    `of_all` are read of all batches. `reader` is the step that reads them.
    """
    files = {name: needed(pipeline.FILES[name], scope, of_all=name in of_all) for name in names}
    files |= {name: f"{{folder}}/complete/{name}" for name in names if has_many_readers(name, scope)}
    conditions = {name: condition_of(pipeline.writer(name), reader) for name in names}
    return {name: where(conditions[name], files[name]) if conditions[name] else files[name] for name in names}


def has_many_readers(name, scope):
    """Whether each of many jobs of that scope reads all files of that name, of which there are many, too."""
    batches_and_bundles = (pipeline.Scope.BATCH, pipeline.Scope.BUNDLE)
    written = {pipeline.Scope.PART: batches_and_bundles, pipeline.Scope.BUNDLE: (pipeline.Scope.PART,)}
    return pipeline.FILES[name].scope in written.get(scope, ())


def shared_files(job):
    """Names of what the jobs read that share the work of a job, or that write what a job on the corpus reads.

    Temporary files stay until it is done.
    """
    read = set(job.reads) if job.scope is pipeline.Scope.CORPUS else set()
    own = {step.name for step in job.steps}
    sharing = [step for step in pipeline.STEPS.values() if step.divides in own or read.intersection(step.writes)]
    return pipeline.unique(name for step in sharing for name in step.reads if has_many_readers(name, step.scope))


@signed
def files_of_all(wildcards):
    """All files of a corpus that have a name in the pipeline."""
    return needed(pipeline.FILES[wildcards.name], pipeline.Scope.CORPUS)(wildcards)


def condition_of(step, reader):
    """Whether a corpus has a step: a function of wildcards; None: it has it always, or if it has the reader."""
    if step.when and not (reader and reader.when is step.when):
        return lambda wildcards: step.when(CORPORA[wildcards.folder])
    if step.divides and not (reader and reader.divides):
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


def unless_linked(pattern, paths):
    """An input function: paths; of a corpus that has links to the files of finished ones, the list of its batches."""
    if not JOINED or pattern not in TAKEN_OVER:
        return paths

    @signed
    def chosen(wildcards):
        if wildcards.folder in JOINED:
            return path_of("plan").format(**wildcards)
        return paths(wildcards) if callable(paths) else paths.format(**wildcards)

    return chosen


def needed(file, scope, of_all=False):
    """A file as an input of a job of that scope: all of them where there are several, or where `of_all` says so."""
    pattern = f"{{folder}}/{file.declared}"
    if of_all:
        return each_batch(pattern)
    if file.scope in (scope, pipeline.Scope.CORPUS):
        return unless_linked(pattern, pattern)
    if file.scope is pipeline.Scope.PART:
        return each_part(pattern)
    of_all = scope is pipeline.Scope.CORPUS
    if file.scope is pipeline.Scope.BUNDLE:
        return each_bundle(pattern) if of_all else bundle_of_batch(pattern)
    return each_batch(pattern) if of_all else of_bundle(pattern)


def section(wildcards, name):
    """Returns a section of the settings of the corpus."""
    return CORPORA[wildcards.folder].sections[name]


@signed
def parts_of_batch(wildcards):
    """The folders of the crawl's batches, divided by language, that a batch of a language consists of."""
    crawl = crawl_of(wildcards)
    return [f"{crawl}/parts/{part}" for part in PARTS[wildcards.folder][wildcards.batch]]


def crawl_of(wildcards):
    """The folder of the crawl that a language is one of."""
    return CORPORA[wildcards.folder].crawl.settings.folder


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
    return [f"{wildcards.folder}/ngrams/{name}" for name in ("counted/duplicates.keys", "after/duplicates.tsv")]


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


def each_batch(pattern):
    """An input function: `pattern` for every batch of the corpus."""
    return unless_linked(
        pattern, lambda wildcards: expand(pattern, folder=wildcards.folder, batch=BATCHES[wildcards.folder])
    )


def each_bundle(pattern):
    """An input function: `pattern` for every bundle of the corpus."""
    return lambda wildcards: expand(
        pattern, folder=wildcards.folder, bundle=BUNDLES[wildcards.folder], allow_missing=True
    )


@signed
def number_of_parts(wildcards):
    """How many jobs share a step over the corpus."""
    return jobs.number_of_parts(CORPORA[wildcards.folder].parts, STORED[wildcards.folder])


def each_part(pattern):
    """An input function: `pattern` for every part of the corpus."""
    return lambda wildcards: expand(pattern, folder=wildcards.folder, part=range(number_of_parts(wildcards)))


def of_bundle(pattern):
    """An input function: `pattern` for every batch of the bundle."""
    return unless_linked(
        pattern, lambda wildcards: expand(pattern, folder=wildcards.folder, batch=batches_of(wildcards))
    )


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

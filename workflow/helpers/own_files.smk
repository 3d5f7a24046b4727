"""What rules read from outside the folder of a corpus: archives, models, and the files that settings name."""


@signed
def tokenizer_file(wildcards):
    """The tokeniser of a model whose tokens are counted: another one counts them again."""
    path = section(wildcards, "corpus")["count_tokens"]
    return [os.path.normpath(path)] if path else []


@signed
def key_file(wildcards):
    """The file with the secret that decides what replaces personal data."""
    path = section(wildcards, "personal")["key"]
    return [os.path.normpath(path)] if path else []


@signed
def archives_of(wildcards):
    """The archives of a batch, or of the corpus, that are files. Those on servers are named by options alone."""
    planned = BATCHES[wildcards.folder]
    chosen = [planned[wildcards.batch]] if hasattr(wildcards, "batch") else planned.values()
    return [str(path) for batch in chosen for path in batch.archives if not batches.is_remote(path)]


@signed
def selection_lists(wildcards):
    """The files of hosts and addresses that the config names."""
    settings = section(wildcards, "encoding")
    return list(map(os.path.normpath, entries.files([*settings.get("hosts", ()), *settings.get("urls", ())])))


@signed
def forget_list(wildcards):
    """The list of what the corpus forgets, if there is one."""
    path = CORPORA[wildcards.folder].forget
    return [os.path.normpath(path)] if path else []


@signed
def archive_options(wildcards):
    """Returns the archives of a batch, or the patterns of the corpus, as options of the command line."""
    if not hasattr(wildcards, "batch"):
        return flags({"archive": CORPORA[wildcards.folder].archives})
    return flags({"archive": list(map(str, BATCHES[wildcards.folder][wildcards.batch].archives))})


@signed
def block_model_files(wildcards):
    """The user's own model of blocks: a changed model makes the blocks again."""
    settings = section(wildcards, "boilerplate")
    model = model_file(settings["algorithm"], settings.get("parameters", {}))
    return [] if model is None else [str(model)]


@signed
def classifier_file(wildcards):
    """The user's own classifier of documents: another one scores them again."""
    model = section(wildcards, "filter")["model"]
    return [str(path_of_model(model))] if model else []


@signed
def word_list_files(wildcards):
    """The user's own lists of words for the filter: other ones measure the documents again."""
    from corpusprep.quality import word_lists  # with NumPy, which configs without lists do without

    lists = section(wildcards, "filter")["word_lists"]
    return list(map(str, word_lists.files_of(lists))) if lists else []


@signed
def words_file(wildcards):
    """The user's own words: other words make the tokens again."""
    words = section(wildcards, "tokens").get("words")
    return [os.path.normpath(words)] if words else []


def own_code_files(stage, setting):
    """An input function: the files of a user's own code that a stage's setting names, if they lie beside the config."""

    @signed
    def found(wildcards):
        settings = section(wildcards, stage)
        name = settings.get(setting, "")
        return [str(path) for path in own_code.files(name, Path(settings["code"]))] if own_code.is_own(name) else []

    return found


@signed
def identifier_file(wildcards):
    """The model of fastText that names languages: another model makes the filter again."""
    method = section(wildcards, "language")["method"]
    return [os.path.normpath(method)] if identifiers.is_model_file(method) else []


@signed
def annotator_files(wildcards):
    """The files that the command of the annotator names: a changed file makes the annotation again."""
    return annotation.files(section(wildcards, "annotate"))


@signed
def annotator_threads(wildcards):
    """The threads of a job that annotates."""
    return section(wildcards, "annotate")["threads"]


def others_of(wildcards):
    """The other corpora whose text a corpus leaves out: folders of corpora of this config, and names of files."""
    folders = {corpus.name: folder for folder, corpus in CORPORA.items()}
    return [folders.get(name, name) for name in section(wildcards, "blocks")["against"]]


@signed
def known_file(wildcards):
    """The n-grams of these corpora."""
    return [path_of("known").format(**wildcards)] if section(wildcards, "blocks")["against"] else []


@signed
def other_files(wildcards):
    """The files of these corpora: the verticals of those that this run builds."""
    from corpusprep.dedup import known_text  # with polars, which other runs plan without

    files = []
    for other in others_of(wildcards):
        if other in CORPORA:
            files += expand(path_of("corpus_vertical"), folder=other, batch=BATCHES[other])
        else:
            try:
                files += map(str, known_text.files_of([other]))
            except CorpusprepError as error:
                raise CorpusprepError(f"{wildcards.folder}: blocks.against: {error}") from None
    return files


@signed
def other_options(wildcards):
    """Returns these corpora as options of the command line."""
    return flags({"other": others_of(wildcards)})


def source_files(wildcards):
    """The files that say that the corpora which a corpus is made from are finished."""
    return [f"{source}/{finished.NAME}" for source in CORPORA[wildcards.folder].sources]


@signed
def source_options(wildcards):
    """Returns the folders of these corpora as options."""
    return flags({"from": CORPORA[wildcards.folder].sources})


@signed
def page_settings(wildcards):
    """Returns the settings that decide the pages of a corpus as options."""
    return flags({"settings": finished.page_settings(CORPORA[wildcards.folder])})


#: What the steps on pages of a corpus read beside its archives: name -> input function.
PAGE_FILES = {
    "model": model_path,
    "rivals": rivals_folder,
    "lists": selection_lists,
    "cleaner": own_code_files("boilerplate", "algorithm"),
    "block_model": block_model_files,
    "identifier": identifier_file,
    "tokenizer": own_code_files("tokens", "tokenizer"),
    "words": words_file,
    "annotator": annotator_files,
    "known": known_file,
}


def page_file_inputs():
    """These files as inputs of a job, of corpora that have steps on pages."""
    return {name: without_sources(function) for name, function in PAGE_FILES.items()}


def without_sources(function):
    """An input function: what another one gives; nothing for a corpus that is made from finished ones."""

    @signed
    def paths(wildcards):
        return [] if wildcards.folder in JOINED else function(wildcards)

    return paths


@signed
def page_file_options(wildcards, input):
    """Returns these files as options."""
    paths = {name: input.get(name, []) for name in PAGE_FILES}
    listed = {name: [path] if isinstance(path, str) else path for name, path in paths.items()}
    return flags({"file": [f"{name} {Path(path).name}={path}" for name in listed for path in listed[name]]})


#: What jobs read from outside the corpus's folder (pipeline.Job.takes), and what commands are told of it.
OUTSIDE = {"archives": archives_of, "model": model_path, "rivals": rivals_folder, "forget": forget_list, "others": other_files}
TOLD = {"archives": archive_options, "rivals": rival_options, "language": language_option, "others": other_options}

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
    """Names of what the jobs read that share the work of a job: temporary files stay until it is done."""
    sharing = [step for step in pipeline.STEPS.values() if step.divides in {own.name for own in job.steps}]
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
def model_path(wildcards):
    """The model of the corpus language."""
    return own_model_of(CORPORA[wildcards.folder])


@signed
def page_model_path(wildcards):
    """The same for steps on pages: where these may be in several languages, the folder with the models of all."""
    several = wildcards.folder in CRAWLS or is_any(CORPORA[wildcards.folder].language)
    return f"{wildcards.folder}/models" if several else model_path(wildcards)


@signed
def encoding_model_path(wildcards):
    """The same for encodings: a language without a model learns it when they are known."""
    return f"{wildcards.folder}/models" if has_models(wildcards.folder) else model_path(wildcards)


def has_models(folder):
    """Whether the pages of a folder may be in several languages: a crawl, or a corpus whose language has no model."""
    if folder in CRAWLS:
        return True
    spec = CORPORA[folder].language
    return not CORPORA[folder].crawl and (is_any(spec) or lacks_model(spec))


def is_any(spec):
    """Whether a corpus has documents of any language."""
    return spec not in MADE and language_code(spec) == tags.UNKNOWN


def lacks_model(spec):
    """Whether a language has no model, so that a corpus makes its own."""
    return spec not in MADE and languages.lacks_model(spec)


def own_model_of(corpus):
    """The model of the language of a corpus: its own where there is none."""
    return f"{corpus.folder}/language.model" if lacks_model(corpus.language) else model_of(corpus, corpus.language)


def model_of(corpus, spec):
    """The model of a language given by code or path."""
    if languages.is_path(spec):
        return os.path.normpath(spec)  # Snakemake warns of `./` at the start
    return str(Path(corpus.results) / "languages" / f"{language_code(spec)}.model")


def language_code(spec):
    """The code of a language that is given by code, alias or path."""
    return spec if spec in MADE else languages.code_of(spec)


def rival_models(wildcards):
    """The models of the languages that a document must not score higher for."""
    corpus = CORPORA[wildcards.folder]
    return [model_of(corpus, rival) for rival in rivals_of(corpus)]


def rivals_of(corpus):
    """The languages that a document of a corpus must not score higher for."""
    rivals = corpus.sections["language"].get("rivals")
    if is_any(corpus.language) or lacks_model(corpus.language) or names_languages(corpus):
        return []
    if rivals is None:
        # Those of a language that is made from a sample are not known before; the command finds them in its model.
        rivals = () if corpus.language in MADE else languages.describe(corpus.language).rivals
    return list(rivals)


def known_models(wildcards):
    """The models of all languages that the pages of a crawl may be in, or of a corpus whose language has no model."""
    if wildcards.folder not in CRAWLS:
        corpus = CORPORA[wildcards.folder]
        usual = [*languages.known(), *MADE]
        chosen = corpus.sections["language"].get("rivals", usual) if is_any(corpus.language) else usual
        return sorted({model_of(corpus, spec) for spec in chosen})
    crawl = CRAWLS[wildcards.folder]
    given = {*crawl.languages.values(), *crawl.others.values()}
    # Encodings need models, whatever names the languages.
    with_model = {spec for spec in given if not lacks_model(spec)} or {*languages.known(), *MADE}
    rivals = [rival for code in crawl.languages for rival in rivals_of(CORPORA[f"{wildcards.folder}/{code}"])]
    return sorted({model_of(crawl.settings, spec) for spec in (*with_model, *rivals)})


@signed
def parts_of_batch(wildcards):
    """The folders of the crawl's batches, divided by language, that a batch of a language consists of."""
    crawl = crawl_of(wildcards)
    return [f"{crawl}/parts/{part}" for part in PARTS[wildcards.folder][wildcards.batch]]


def crawl_of(wildcards):
    """The folder of the crawl that a language is one of."""
    return CORPORA[wildcards.folder].crawl.settings.folder


@signed
def rivals_folder(wildcards):
    """Returns the folder of the models of rivals, if there are any."""
    if names_any(wildcards):
        return [f"{wildcards.folder}/models"]
    return [f"{wildcards.folder}/rivals"] if rival_models(wildcards) else []


@signed
def rival_options(wildcards, input):
    """Returns the rivals as options of the command line."""
    if names_any(wildcards):
        return flags({"rival": [input.rivals]})
    if "rivals" not in section(wildcards, "language") and CORPORA[wildcards.folder].language in MADE:
        return ""
    return flags({"rival": [f"{input.rivals}/{Path(path).name}" for path in rival_models(wildcards)]}) or "--no-rivals"


def names_languages(corpus):
    """Whether the identifier of a corpus names languages without models."""
    method = corpus.sections["language"]["method"]
    return method not in identifiers.METHODS and naming.names_languages(method, corpus.sections["language"].get("code", CODE))


def identifier_megabytes(folder):
    """Megabytes of the identifier of a corpus, beside what jobs take without it."""
    return identifiers.megabytes(CORPORA[folder].sections["language"]["method"])


def learning_options(wildcards, *names):
    """Settings of the language of a corpus, as options of the commands that learn its model."""
    settings = section(wildcards, "language")
    return flags({name: settings[name] for name in names if name in settings})


def names_any(wildcards):
    """Whether models name the languages of the documents of a corpus of any language."""
    corpus = CORPORA[wildcards.folder]
    return is_any(corpus.language) and not names_languages(corpus)


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


@signed
def export_options(wildcards):
    """Returns the formats and sizes of the exported files, and what is added to the kept blocks, as options."""
    corpus = CORPORA[wildcards.folder]
    chosen = {name: corpus.sections["corpus"][name] for name in ("order", "seed", "validation")}
    # Only what is shuffled needs memory that is set.
    chosen = chosen if chosen["order"] == "archives" else chosen | {"memory": corpus.memory}
    written = flags({**format_options(), "shards": SHARDS, **chosen, **additions(wildcards)})
    return f"{written} {described_options(wildcards)}"


def format_options():
    """Returns the formats, and the folder of those of a user's own."""
    return {"formats": FORMATS, **({"code": CODE} if any(map(own_code.is_own, FORMATS)) else {})}


def format_code(wildcards):
    """The files of formats of a user's own: a changed file makes the corpus again."""
    return [str(path) for name in FORMATS if own_code.is_own(name) for path in own_code.files(name, CODE)]


def additions(wildcards):
    """Returns the settings of what a corpus has beside the blocks that are kept."""
    corpus = section(wildcards, "corpus")
    kept = {"boilerplate": corpus["boilerplate"], "kinds": corpus["kinds"], "mark": section(wildcards, "blocks")["mark"]}
    masking = {name: value for name, value in section(wildcards, "personal").items() if name != "find"}
    return kept | {"columns": section(wildcards, "annotate")["columns"], "count_tokens": corpus["count_tokens"]} | masking


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


#: Settings of the section `corpus` that a description of the corpus has.
DESCRIBED = ("boilerplate", "kinds", "count_tokens", "shards", "order", "seed", "validation")


@signed
def described_options(wildcards):
    """Returns what formats that describe a corpus are told, as options."""
    if not DESCRIBING:
        return ""
    corpus = CORPORA[wildcards.folder]
    told = {name: corpus.sections["corpus"][name] for name in ("licence", "citation")}
    # Of the files, what decides about their text: the others are in the names of the files.
    files = {name: value for name, value in corpus.sections["corpus"].items() if name in DESCRIBED}
    made = {name: section for name, section in corpus.sections.items() if name != "corpus"} | {"corpus": files}
    return flags({"language": described_language(corpus), "settings": json.dumps(made, sort_keys=True), **told})


def described_language(corpus):
    """The language of a corpus for formats that describe it: its code, or the file of a model of the user's own."""
    code = language_code(corpus.language)
    return code if code in languages.known() and not lacks_model(corpus.language) else own_model_of(corpus)


def described_model(wildcards):
    """The file of a model of the user's own, for formats that describe the corpus; none for a built-in language."""
    corpus = CORPORA[wildcards.folder]
    return [] if language_code(corpus.language) in languages.known() else [described_language(corpus)]


@signed
def describe_options(wildcards):
    """Returns the options of the description of a corpus."""
    written = flags({**format_options(), **additions(wildcards)})
    return f"{written} {described_options(wildcards)}"


def described_inputs():
    """The files that formats which describe a corpus read, by name: the verticals, and the statistics for the card."""
    names = ("corpus_vertical", "corpus_size", "crawl", "domains", "host_sizes", "ledger", "model_tokens", "personal_data") if DESCRIBING else ()
    files = {name: needed(pipeline.FILES[name], pipeline.Scope.CORPUS) for name in names}
    return files | {"model": described_model} if DESCRIBING else files


def described_files():
    """The files of formats that describe a corpus, in its folder `corpus`."""
    return [f"{{folder}}/corpus/{file}" for form in DESCRIBING.values() for file in form.files]


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
def language_option(wildcards):
    """The code of the language of a corpus."""
    return language_code(CORPORA[wildcards.folder].language)


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


def each_language(pattern):
    """An input function: `pattern` for every language of a crawl."""
    return lambda wildcards: [
        pattern.format(folder=f"{wildcards.folder}/{code}") for code in built_languages(wildcards.folder)
    ]


def least_words(wildcards):
    """The fewest words of a language of a crawl that has a corpus, as a setting; none for a list of languages."""
    least = CRAWLS[wildcards.folder].least_words
    return {"least_words": least} if least else {}


def built_languages(crawl):
    """The codes of the languages of a crawl that have a corpus: with `languages: all`, those that have text."""
    return sorted(code for code in CRAWLS[crawl].languages if is_built(f"{crawl}/{code}"))


def built_folders():
    """The folders of all corpora that are made."""
    return [folder for folder in FOLDERS if is_built(folder)]


def is_built(folder):
    """Whether a corpus is made: a language of a crawl only with enough words, if all languages are asked for."""
    crawl = CORPORA[folder].crawl
    return not (crawl and crawl.least_words) or bool(BATCHES[folder])


def of_built(*patterns):
    """An input function: patterns for every corpus that is made."""
    return lambda wildcards: expand(patterns, folder=built_folders())


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


def corpus_outputs():
    """The corpus of a batch by output format. Statistics need the vertical: if it is not chosen, it is temporary."""
    written = WRITTEN if SHARDS == "batches" else ["vertical"]
    paths = {re.sub(r"\W", "_", f"corpus_{name}"): path_in_format(name) for name in written}
    chosen = SHARDS == "batches" and "vertical" in FORMATS
    return paths if chosen else paths | {"corpus_vertical": temp(paths["corpus_vertical"])}


def path_in_format(name):
    """The file of a batch in an output format."""
    return f"{{folder}}/corpus/{{batch}}.{WRITTEN[name].suffix}"


def corpus_files(folder):
    """The corpus in the chosen formats: for every batch, or the folder of its shards."""
    if SHARDS != "batches":
        return [f"{folder}/export"]
    paths = [path_in_format(name) for name in WRITTEN if name in FORMATS]
    return expand(paths, folder=folder, batch=BATCHES[folder]) + expand(described_files(), folder=folder)


def corpora_options(wildcards):
    """The language of each corpus, as options of the command line, and its folder."""
    folders = built_folders()
    codes = [language_code(CORPORA[folder].language) for folder in folders]
    return f"{flags({'language': codes})} {shlex.join(['--', *folders])}"


def summaries(wildcards):
    """The summary of each corpus or crawl; tells what shows the run of which corpora it is."""
    folders = [folder for folder in CORPORA if folder not in FROM_CRAWLS]
    logger.info(f"Corpora: {', '.join(folders)}", extra={"corpora": folders})
    return expand("{folder}/summary.txt", folder=folders)


def all_files(wildcards):
    """What a run makes for users, of each corpus: the corpus in the chosen formats, the statistics, and the report.

    Lets Snakemake make other files again, too, that are gone.
    """
    lines = lacking()
    if not workflow.dryrun:
        lines += [line for results, left in bytes_to_read().items() for line in room.refusals(left, Path(results))]
    if lines:
        raise WorkflowError(refusal(lines))
    workflow.dag.forcefiles.update(lost_outputs())
    built = built_folders()
    paths = [path for folder in built for path in corpus_files(folder)]
    paths += [f"{folder}/corpus/{digests.NAME}" for folder in built if SHARDS == "batches"]
    paths += [path for folder in (*built, *CRAWLS) for path in results_of(folder)]
    paths += [f"{folder}/{finished.NAME}" for folder in built]
    return [*paths, *(f"{folder}/report.html" for folder in CRAWLS)]


def results_of(folder):
    """The files that steps make for readers: of a crawl of several languages those of its steps on pages."""
    of_pages = {True: folder in FROM_ARCHIVES, False: folder in FOLDERS}
    names = [name for name in pipeline.results(CORPORA[folder]) if of_pages[pipeline.writer(name).of_pages]]
    names = [name for name in names if not (folder in JOINED and path_of(name) in TAKEN_OVER)]
    on_batches = [name for name in names if pipeline.FILES[name].scope is pipeline.Scope.BATCH]
    paths = [path_of(name).format(folder=folder) for name in names if name not in on_batches]
    return paths + (expand(map(path_of, on_batches), folder=folder, batch=BATCHES[folder]) if on_batches else [])


@functools.cache
def lost_outputs():
    """What is gone of corpora that earlier runs have built or begun to build: outputs of rules, or their folders."""
    lost = set()
    for folder in CORPORA:
        try:
            files = list(lasting_files(folder))
        except CorpusprepError:  # the crawl is not divided yet; a division that is damaged is an error of its job
            continue
        # What a crawl has divided for a language is none of its own files yet.
        if any(os.path.lexists(path) for path, output in files if output.startswith(f"{folder}/")):
            # A link may lead to a file that is gone: that of a finished corpus.
            lost |= {output for path, output in files if not os.path.exists(path)}
    return lost


def lasting_files(folder):
    """Yields the files that a folder keeps and that later runs may read, each with the output that it is, or is in.

    Most are no targets, and rules do not name all that they read (pipeline.Step.implied): Snakemake does not miss them.
    """
    corpus = CORPORA[folder]
    planned, parts = BATCHES.get(folder, ()), {}
    if folder in FROM_CRAWLS:
        crawl = crawl_files.division_file(Path(corpus.crawl.settings.folder)).parent
        divided = dividing.read_division(crawl).get(Path(folder).name, ((), {}))
        planned, parts = [batch.name for batch in divided[0]], divided[1]
        for part, table in itertools.product(itertools.chain(*parts.values()), crawl_files.PARTS):
            yield str(crawl_files.part_file(crawl, part, Path(folder).name, table)), f"{crawl}/parts/{part}"
    of_pages = {True: folder in FROM_ARCHIVES, False: folder in FOLDERS}
    steps = [step for step in pipeline.STEPS.values() if step.runs(corpus) and not step.divides]
    names = {name for step in steps if of_pages[step.of_pages] for name in step.writes} - {"corpus_vertical"}
    names |= {"plan", "bundles", *crawl_files.PARTS} if folder in FROM_CRAWLS else set()
    if folder in JOINED:  # what only steps on pages read
        names -= {name for step in steps if step.taken_over for name in step.writes if "{batch}" not in pipeline.FILES[name].pattern}
    for file in (pipeline.FILES[name] for name in sorted(names)):
        for batch in () if file.temporary else planned if "{batch}" in file.pattern else [""]:
            path, output = (f"{folder}/{pattern}".format(batch=batch) for pattern in (file.pattern, file.declared))
            linked = folder in JOINED and f"{{folder}}/{file.declared}" in TAKEN_OVER
            yield path, f"{folder}/{pipeline.FILES['plan'].pattern}" if linked else output
    if folder in CRAWLS:
        for path in (*(f"found/{batch}.parquet" for batch in planned), "division.tsv", "languages.tsv", "ledger.tsv"):
            yield f"{folder}/{path}", f"{folder}/{path}"
    several = has_models(folder)
    models = [] if folder in JOINED else (known_models if several else rival_models)(types.SimpleNamespace(folder=folder))
    gathered = f"{folder}/models" if several else f"{folder}/rivals"
    for model in models:
        yield f"{gathered}/{Path(model).name}", gathered
    for model in [*models, own_model_of(corpus)] if folder not in CRAWLS else models:
        if Path(model).parent in (Path(corpus.results, "languages"), Path(folder)):
            yield model, model


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

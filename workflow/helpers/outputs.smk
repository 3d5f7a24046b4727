"""What a run makes for users: the corpus in its formats, and all files of the config's corpora."""


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

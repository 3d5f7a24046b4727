"""The models of languages that rules read, and the options of the commands that make them."""


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


def described_language(corpus):
    """The language of a corpus for formats that describe it: its code, or the file of a model of the user's own."""
    code = language_code(corpus.language)
    return code if code in languages.known() and not lacks_model(corpus.language) else own_model_of(corpus)


def described_model(wildcards):
    """The file of a model of the user's own, for formats that describe the corpus; none for a built-in language."""
    corpus = CORPORA[wildcards.folder]
    return [] if language_code(corpus.language) in languages.known() else [described_language(corpus)]


@signed
def language_option(wildcards):
    """The code of the language of a corpus."""
    return language_code(CORPORA[wildcards.folder].language)

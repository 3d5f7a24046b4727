"""The steps of the pipeline, declared once: what each reads and writes, how it runs and what it needs.

The rules, the command lines, the forecast, the processing times, the statistics, the report, the benchmarks and the
tests read this declaration. A step is one command; a job is one or more steps that Snakemake runs together, under the
name of its rule. Files are named by patterns relative to the folder of a corpus. What divides a crawl by language is no
step: workflow/rules/crawls.smk. Packages that are installed beside this one may add steps (Extension).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cache
from typing import Any, Generic, Protocol, TypeVar

from corpusprep import startup
from corpusprep.errors import CorpusprepError


class Settings(Protocol):
    """What a condition looks at: the settings of a corpus, or of a crawl (config.settings.CorpusSettings)."""

    @property
    def sections(self) -> Mapping[str, Mapping[str, Any]]:
        """The sections of the config that steps take, by name."""


class Scope(Enum):
    """What one job works on."""

    BATCH = "batch"  # a list of archives
    BUNDLE = "bundle"  # up to 16 batches
    PART = "part"  # a range of keys, of all batches
    CORPUS = "corpus"  # all batches


class Memory(Enum):
    """What the memory of a step depends on (jobs.resources has the megabytes)."""

    BATCH = "batch"  # the bytes of the batch's archives
    GLOBAL = "global"  # the setting `memory`, whatever the size of the corpus
    CORPUS = "corpus"  # the bytes of all archives


@dataclass(frozen=True, slots=True)
class File:
    """A file of a corpus's folder, or one file per batch or bundle.

    Attributes:
        pattern: its path relative to the folder, with the wildcards {batch}, {bundle} and {part}.
        temporary: whether the workflow removes it when the steps that read it are done.
        in_folder: whether the workflow knows it by its folder only: one job writes the files of several batches.
    """

    pattern: str
    temporary: bool = False
    in_folder: bool = False

    @property
    def declared(self) -> str:
        """What the rules name: the file, or its folder."""
        return self.pattern.rpartition("/")[0] if self.in_folder else self.pattern

    @property
    def scope(self) -> Scope:
        """What there is one of."""
        return next((scope for scope in Scope if f"{{{scope.value}}}" in self.declared), Scope.CORPUS)


@dataclass(frozen=True, slots=True)
class Stage:
    """Steps that belong together in tables and figures.

    Attributes:
        name: the name in file names and tables, and of the command below `corpusprep step`.
        help: what the command does, in one line.
        rates: what its speed is measured in, per CPU second (table 3.7).
        after: the row of the corpus-size table that says what it has left, for stages that decide about documents.
        removes: the same for figures, short.
        timed: whether it has a row in the table of processing times.
        always: whether every corpus has it; one that not all have has a row only where it has run.
        of_pages: whether it reads pages or plans to: a crawl of several languages has it once for all of them.
        kept_ms: milliseconds for which polars keeps memory that it no longer needs; 0 where the work is divided by the
            memory that is left.
    """

    name: str
    help: str
    rates: tuple[str, ...] = ("pages", "tokens")
    after: str = ""
    removes: str = ""
    timed: bool = True
    always: bool = True
    of_pages: bool = False
    kept_ms: int = startup.KEPT_MS


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One command.

    Attributes:
        name: its command (a merge without `-part`), with the words that tell it from other steps of that command.
        label: the name for people.
        help: what it does, in one sentence; the help of its stage if not given.
        job: the job that runs it, which is the name of the rule.
        scope: what the job works on.
        when: the condition on the settings of a corpus under which it runs; None: always. Files of a step that does not
            run are not read either.
        reads: names of FILES.
        of_all: the inputs that it reads of all batches, though it works on one.
        implied: names of FILES that it reads but the rule does not name, because they exist whenever others do.
        writes: names of FILES.
        takes: inputs from outside the corpus's folder that it is told: archives, model, rivals, language.
        reads_archives: whether it reads archives that a table names; the rule has them as inputs.
        settings: the settings that it is given: sections of the config, or single keys (section.key).
        memory: what its memory depends on; None for seconds of work on the machine that runs the workflow.
        threads: whether it takes a number of threads.
        parts: whether it takes the number of parts of the corpus.
        divides: the step whose work it shares. It runs only where the corpus has several parts.
        process_per_batch: in a bundle, whether each batch has a process, so that memory does not grow with the bundle.
        sampled: whether a forecast runs it on a sample of the archives, of corpora that have it.
        of_kept: whether its work depends on what de-duplication keeps.
        group: jobs of one group are submitted to a cluster as one.
        stage: the name of its stage; the first word of its own name if not given.
        before: for a step of another package, the step that it comes before; none: it is the last.
        entry: where the command of such a step is, as `module:attribute`.
    """

    name: str
    label: str
    job: str
    scope: Scope
    when: Callable[[Settings], bool] | None = None
    reads: tuple[str, ...] = ()
    of_all: tuple[str, ...] = ()
    implied: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    reads_archives: bool = False
    settings: tuple[str, ...] = ()
    memory: Memory | None = None
    threads: bool = False
    parts: bool = False
    divides: str = ""
    process_per_batch: bool = False
    sampled: bool = False
    of_kept: bool = False
    group: str = ""
    stage: str = ""
    help: str = ""
    before: str = ""
    entry: str = ""

    def runs(self, settings: Settings) -> bool:
        """Returns whether a corpus with these settings has the step."""
        return self.when is None or self.when(settings)

    @property
    def command(self) -> str:
        """The words of its command below `corpusprep step`: a merge takes the number of a part as an option."""
        return self.name.replace("merge-part", "merge")

    @property
    def temporary(self) -> bool:
        """Whether all that it writes is removed in the end."""
        return all(FILES[name].temporary for name in self.writes)

    @property
    def cost(self) -> str:
        """The name of its row in the table of costs; steps that do the same to different files share one."""
        return " ".join(self.name.split()[:2])

    @property
    def stage_name(self) -> str:
        """The name of its stage."""
        return self.stage or self.name.split()[0]

    @property
    def of_pages(self) -> bool:
        """Whether it runs in the folder of a crawl of several languages, once for all of them."""
        return STAGES[self.stage_name].of_pages

    @property
    def sentence(self) -> str:
        """What it does."""
        return self.help or STAGES[self.stage_name].help

    @property
    def times(self) -> File:
        """The file that its times go to."""
        words = self.name.split()
        part = "-".join(words if words[0] != self.stage_name else words[1:])
        unit = f"{{{self.scope.value}}}" if self.scope is not Scope.CORPUS else "" if part else "all"
        path = f"times/{self.stage_name}/{'-'.join(filter(None, (part, unit)))}"
        return File(f"{path}/{{batch}}.tsv", in_folder=True) if self.process_per_batch else File(f"{path}.tsv")


#: The tables of statistics/, in the order of the report.
TABLES = (
    "corpus_size",
    "crawl",
    "ledger",
    "filter_rules",
    "filter_overlap",
    "processing_times",
    "exact_duplicates",
    "duplicate_ngrams",
    "encodings",
    "cleaning",
    "domains",
    "host_sizes",
    "fragmentation",
    "keywords",
    "thresholds",
    "removed_words",
    "host_words",
    "templates",
    "host_losses",
    "document_languages",
    "years",
    "lengths",
    "model_tokens",
    "frequent_words",
    "word_dispersion",
    "dispersion",
)

#: Those that put the corpora of a config side by side.
OVERVIEW = ("corpus_size", "crawl", "duplicate_ngrams", "dispersion", "years", "lengths")

_FILES: Mapping[str, File] = {
    "plan": File("batches.tsv"),
    "bundles": File("bundles.tsv"),
    "encoding": File("encoding/{batch}.parquet"),
    "robots": File("robots/{batch}.parquet"),
    "template_pages": File("templates/chosen.parquet"),
    "template_counts": File("templates/{batch}.parquet"),
    "template_shares": File("templates/shares.parquet"),
    "boilerplate": File("boilerplate/{batch}.parquet"),
    "pages": File("pages/{batch}.parquet"),
    "known": File("against/known.keys"),
    "known_settings": File("against/settings.json"),
    "language": File("language/{batch}.parquet"),
    "vertical": File("tokens/{batch}.vert.zst"),
    "tokens": File("tokens/{batch}.parquet"),
    "annotated": File("annotate/{batch}.vert.zst"),
    "documents": File("documents/{batch}.parquet", in_folder=True),
    # Where the corpus has several parts:
    "documents_by_order": File("exact/sorted/{bundle}.order.parquet", temporary=True),
    "documents_by_digest": File("exact/sorted/{bundle}.digest.parquet", temporary=True),
    "document_ranks": File("exact/ranks/{part}.parquet", temporary=True),
    "document_duplicates": File("exact/duplicates/{part}.parquet", temporary=True),
    "document_tables": File("exact/tables/{bundle}/{batch}.parquet", temporary=True, in_folder=True),
    "sorted_urls": File("urls/sorted/{bundle}.index", temporary=True),
    "url_parts": File("urls/parts/{part}.index", temporary=True),
    "urls": File("urls.index"),
    "words": File("ngrams/words/{bundle}.words", temporary=True),
    "counted_tokens": File("ngrams/words/{bundle}.tokens", temporary=True),
    "ngram_keys": File("ngrams/words/{bundle}.keys", temporary=True),
    "lexicon": File("ngrams/lexicon.lex"),
    "candidates": File("ngrams/candidates", temporary=True),
    "runs": File("ngrams/counted/{bundle}.runs", temporary=True),
    "duplicates": File("ngrams/counted/duplicates.keys"),
    "matches": File("blocks/matches/{bundle}/{batch}.matches", temporary=True, in_folder=True),
    "verdicts": File("blocks/verdicts/{batch}.verdicts", temporary=True, in_folder=True),
    "blocks": File("blocks/{batch}.parquet"),
    "quality": File("quality/{batch}.parquet"),
    "subwords": File("subwords/{batch}.parquet"),
    "corpus_vertical": File("corpus/{batch}.vert.zst"),
    "counts": File("counts/{batch}.parquet"),
    "samples": File("samples/{batch}.parquet"),
    "count_parts": File("counts/parts/{part}.parquet", temporary=True),
    "duplicates_parts": File("ngrams/counted/parts/{part}.keys", temporary=True),
    "duplicates_before_parts": File("ngrams/before/parts/{part}.tsv", temporary=True),
    "duplicates_after_parts": File("ngrams/after/parts/{part}.tsv", temporary=True),
    "runs_before": File("ngrams/before/{bundle}.keys", temporary=True),
    "runs_after": File("ngrams/after/{bundle}.keys", temporary=True),
    "duplicates_before": File("ngrams/before/duplicates.tsv"),
    "duplicates_after": File("ngrams/after/duplicates.tsv"),
    **{table: File(f"statistics/{table}.tsv") for table in TABLES},
    "report": File("report.html"),
}

#: In the order of the work.
STAGES: Mapping[str, Stage] = {
    stage.name: stage
    for stage in (
        Stage("batches", "Sort the archives and pack them into batches.", rates=(), of_pages=True),
        Stage(
            "encoding", "Read archives: one row per record, with the page's encoding.", rates=("pages",), of_pages=True
        ),
        Stage(
            "boilerplate",
            "Segment pages into blocks and classify them.",
            rates=("pages",),
            after="after removing boilerplate",
            removes="boilerplate",
            of_pages=True,
        ),
        Stage(
            "language",
            "Keep documents in the corpus language.",
            rates=("pages",),
            after="after language filtering",
            removes="language",
        ),
        Stage("tokens", "Tokenise the good blocks into a vertical."),
        Stage("annotate", "Add columns to the vertical: lemmas, tags.", rates=("tokens",), always=False),
        Stage(
            "documents",
            "Find exact duplicates over the whole corpus.",
            after="after removing exact duplicates",
            removes="exact duplicates",
            kept_ms=0,
        ),
        Stage("ngrams", "Find the duplicate n-grams of the corpus.", kept_ms=0),
        Stage(
            "blocks",
            "Find duplicate blocks (algorithm 3.1).",
            after="after block-level de-duplication",
            removes="duplicate blocks",
            kept_ms=0,
        ),
        Stage(
            "quality",
            "Measure the quality of documents, and remove those that a rule refuses.",
            after="after filtering by quality",
            removes="low quality",
            always=False,
        ),
        Stage("corpus", "Write the corpus in the chosen formats."),
        Stage("index", "Index the records of a corpus by their URLs.", timed=False, kept_ms=0),
        # Each part of a batch takes the memory again that the part before has freed.
        Stage("statistics", "Compute the statistics tables.", timed=False, kept_ms=300),
        Stage("report", "Write the report: one self-contained HTML page.", timed=False),
    )
}

#: The first row of the corpus-size table, and the same for figures.
CRAWL = ("original crawl", "crawl")

#: The stages that decide about documents and blocks; `encoding` decides about records.
DECIDING = tuple(stage.name for stage in STAGES.values() if stage.after)
#: Those that every corpus has.
ALWAYS_DECIDING = tuple(name for name in DECIDING if STAGES[name].always)


def deciding_before(name: str) -> str:
    """Returns the last stage before another one that decides about documents."""
    stages = list(STAGES)
    return [stage for stage in DECIDING if stages.index(stage) < stages.index(name)][-1]


#: The deciding stages between `language` and `tokens`. Their tables have one row per document: record and verdict.
DECIDING_BEFORE_TOKENS = tuple(
    name
    for name in tuple(STAGES)[tuple(STAGES).index("language") + 1 : tuple(STAGES).index("tokens")]
    if name in DECIDING
)

_DECIDING_BLOCKS = ("blocks.threshold", "blocks.unit", "blocks.smoothing", "blocks.as_written")
_COUNTING = ("ngrams.exclude_punctuation", "ngrams.exclude_stopwords")
#: What the documents of a corpus are made from, and the settings of what they have beside the blocks that are kept.
_OF_CORPUS = ("encoding", "pages", "boilerplate", "language", "tokens", "vertical", "blocks", "quality", "annotated")
_ADDITIONS = ("corpus.boilerplate", "corpus.kinds", "corpus.count_tokens", "blocks.mark", "annotate.columns")


def _reads_robots(corpus: Settings) -> bool:
    return bool(corpus.sections["rights"]["robots_agent"])


def _finds_templates(corpus: Settings) -> bool:
    return bool(corpus.sections["templates"]["find"] != "none")


def _has_others(corpus: Settings) -> bool:
    return bool(corpus.sections["blocks"]["against"])


def _annotates(corpus: Settings) -> bool:
    return bool(corpus.sections["annotate"]["columns"])


def _counts_subwords(corpus: Settings) -> bool:
    return bool(corpus.sections["corpus"]["count_tokens"])


def _measures_quality(corpus: Settings) -> bool:
    return any(corpus.sections["filter"].values())


#: In the order of the work.
_STEPS: Mapping[str, Step] = {
    step.name: step
    for step in (
        Step(
            name="batches",
            label="Batches",
            job="batches",
            scope=Scope.CORPUS,
            takes=("archives",),
            writes=("plan", "bundles"),
            settings=("batch_bytes",),
        ),
        Step(
            name="encoding",
            label="Encoding",
            job="encoding",
            scope=Scope.BATCH,
            takes=("archives", "model"),
            writes=("encoding",),
            settings=("encoding",),
            memory=Memory.BATCH,
            sampled=True,
            group="read",
        ),
        Step(
            name="robots gather",
            label="Rules of robots.txt",
            help="Gather the robots.txt of hosts, which may be in any archive.",
            job="robots_gather",
            when=_reads_robots,
            scope=Scope.BATCH,
            reads_archives=True,
            reads=("encoding",),
            writes=("robots",),
            memory=Memory.BATCH,
            sampled=True,
            stage="boilerplate",
        ),
        Step(
            name="templates choose",
            label="Pages for templates",
            help="Choose up to 200 pages of each host to count blocks on.",
            job="templates_choose",
            when=_finds_templates,
            scope=Scope.CORPUS,
            reads=("encoding", "plan"),
            writes=("template_pages",),
            settings=("templates.least_pages",),
            memory=Memory.CORPUS,
            sampled=True,
            stage="boilerplate",
        ),
        Step(
            name="templates count",
            label="Blocks of templates",
            help="Count the blocks of the chosen pages in the archives of a batch.",
            job="templates_count",
            when=_finds_templates,
            scope=Scope.BATCH,
            reads_archives=True,
            reads=("encoding", "template_pages"),
            writes=("template_counts",),
            settings=("encoding.normalisation",),
            memory=Memory.BATCH,
            sampled=True,
            stage="boilerplate",
        ),
        Step(
            name="templates merge",
            label="Templates",
            help="Add up the counts: on which share of the pages of its host each block is.",
            job="templates_merge",
            when=_finds_templates,
            scope=Scope.CORPUS,
            reads=("template_counts", "template_pages", "plan"),
            writes=("template_shares",),
            memory=Memory.CORPUS,
            sampled=True,
            stage="boilerplate",
        ),
        Step(
            name="boilerplate",
            label="Boilerplate",
            job="boilerplate",
            scope=Scope.BATCH,
            takes=("model",),
            reads_archives=True,
            reads=("encoding", "robots", "template_shares"),
            of_all=("robots",),
            writes=("boilerplate", "pages"),
            settings=(
                "pages",
                "boilerplate",
                "encoding.text",
                "encoding.normalisation",
                "rights",
                "templates.find",
                "templates.least_share",
            ),
            memory=Memory.BATCH,
            sampled=True,
            group="read",
        ),
        Step(
            name="against",
            label="Text of other corpora",
            help="Gather the n-grams of other corpora, whose text is left out.",
            job="against",
            when=_has_others,
            scope=Scope.CORPUS,
            takes=("model", "others"),
            writes=("known", "known_settings"),
            settings=("blocks.threshold", "blocks.unit", "ngrams.n", *_COUNTING, "tokens", "memory"),
            memory=Memory.GLOBAL,
            stage="language",
        ),
        Step(
            name="language",
            label="Language",
            help="Keep the documents in the language of the corpus.",
            job="tokens",
            scope=Scope.BATCH,
            takes=("model", "rivals"),
            reads=("boilerplate", "pages", "known", "known_settings"),
            writes=("language",),
            settings=("language", "blocks.against"),
            memory=Memory.BATCH,
            sampled=True,
            group="read",
        ),
        Step(
            name="tokens",
            label="Tokens",
            job="tokens",
            scope=Scope.BATCH,
            takes=("model",),
            reads=("encoding", "pages", "boilerplate", "language"),
            writes=("vertical", "tokens"),
            settings=("tokens", "corpus.boilerplate"),
            memory=Memory.BATCH,
            sampled=True,
            group="read",
        ),
        # It reads nothing that depends on other batches: neither more
        # archives nor other settings of de-duplication repeat it.
        Step(
            name="annotate",
            label="Annotation",
            job="annotate",
            when=_annotates,
            scope=Scope.BATCH,
            reads=("vertical",),
            writes=("annotated",),
            settings=(
                "annotate.annotator",
                "annotate.code",
                "annotate.command",
                "annotate.columns",
                "annotate.model",
                "corpus.boilerplate",
            ),
            memory=Memory.BATCH,
            threads=True,
        ),
        Step(
            name="exact sort",
            label="Documents",
            help="Sort the documents of a bundle by the stable order, and by digest.",
            job="exact_sort",
            scope=Scope.BUNDLE,
            reads=("tokens", "plan"),
            implied=("bundles",),
            writes=("documents_by_order", "documents_by_digest"),
            settings=("forget", "memory"),
            memory=Memory.GLOBAL,
            divides="documents",
            stage="documents",
        ),
        Step(
            name="exact part",
            label="Exact duplicates",
            help="Find the exact duplicates among the documents of a range of digests.",
            job="exact_part",
            scope=Scope.PART,
            reads=("documents_by_order", "documents_by_digest", "bundles"),
            writes=("document_ranks", "document_duplicates"),
            settings=("memory",),
            memory=Memory.GLOBAL,
            parts=True,
            divides="documents",
            stage="documents",
        ),
        Step(
            name="exact gather",
            label="Tables of documents",
            help="Gather the ranks and duplicates of the documents of a bundle.",
            job="exact_gather",
            scope=Scope.BUNDLE,
            reads=("tokens", "plan", "document_ranks", "document_duplicates"),
            implied=("bundles",),
            writes=("document_tables",),
            settings=("forget", "memory"),
            memory=Memory.GLOBAL,
            parts=True,
            divides="documents",
            stage="documents",
        ),
        Step(
            name="documents",
            label="Exact duplicates",
            job="documents",
            scope=Scope.CORPUS,
            reads=("tokens", "document_tables", "plan"),
            implied=("encoding", "bundles"),
            writes=("documents",),
            settings=("forget", "memory"),
            memory=Memory.GLOBAL,
            parts=True,
        ),
        # For `corpusprep why`: where the records of a URL are, and the documents by identifier.
        Step(
            name="urls sort",
            label="Addresses",
            help="Sort the addresses of the records of a bundle.",
            job="urls_sort",
            scope=Scope.BUNDLE,
            reads=("encoding", "tokens", "plan"),
            implied=("bundles",),
            writes=("sorted_urls",),
            settings=("memory",),
            memory=Memory.GLOBAL,
            divides="index",
            stage="index",
        ),
        Step(
            name="urls part",
            label="Index of addresses",
            help="Merge the addresses of a range.",
            job="urls_part",
            scope=Scope.PART,
            reads=("sorted_urls", "bundles"),
            writes=("url_parts",),
            settings=("memory",),
            memory=Memory.GLOBAL,
            parts=True,
            divides="index",
            stage="index",
        ),
        Step(
            name="index",
            label="Index",
            job="index",
            scope=Scope.CORPUS,
            reads=("encoding", "tokens", "url_parts", "plan"),
            writes=("urls",),
            settings=("memory",),
            memory=Memory.GLOBAL,
            parts=True,
        ),
        # Short steps whose files are temporary: a job takes a bundle of batches.
        Step(
            name="ngrams words",
            label="Words",
            help="Count the words of a bundle, and write its counted tokens.",
            job="ngrams_words",
            scope=Scope.BUNDLE,
            takes=("model",),
            reads=("vertical", "documents"),
            implied=("bundles",),
            writes=("words", "counted_tokens", "ngram_keys"),
            settings=("ngrams.n", *_COUNTING, "memory"),
            memory=Memory.GLOBAL,
            threads=True,
        ),
        Step(
            name="ngrams lexicon",
            label="Lexicon",
            help="Number all words by their frequency.",
            job="ngrams_lexicon",
            scope=Scope.CORPUS,
            reads=("words", "bundles"),
            writes=("lexicon",),
            settings=("memory",),
            memory=Memory.GLOBAL,
        ),
        Step(
            name="ngrams candidates",
            label="Candidates for duplicate n-grams",
            help="Find the n-grams that could be duplicates.",
            job="ngrams_candidates",
            scope=Scope.CORPUS,
            reads=("ngram_keys", "bundles"),
            writes=("candidates",),
            settings=("memory",),
            memory=Memory.GLOBAL,
            threads=True,
        ),
        Step(
            name="ngrams runs",
            label="N-grams",
            help="Sort the n-grams of a bundle that could be duplicates.",
            job="ngrams_runs",
            scope=Scope.BUNDLE,
            reads=("counted_tokens", "lexicon", "candidates"),
            writes=("runs",),
            settings=("ngrams.n", "memory"),
            memory=Memory.GLOBAL,
            parts=True,
        ),
        Step(
            name="ngrams merge-part",
            label="Duplicate n-grams",
            help="Merge the sorted n-grams of a range of keys.",
            job="ngrams_merge_part",
            scope=Scope.PART,
            reads=("runs", "lexicon", "bundles"),
            writes=("duplicates_parts",),
            settings=("memory",),
            memory=Memory.GLOBAL,
            parts=True,
            divides="ngrams merge",
        ),
        Step(
            name="ngrams merge",
            label="Duplicate n-grams",
            help="Merge the sorted n-grams: the keys of all duplicate n-grams.",
            job="ngrams_merge",
            scope=Scope.CORPUS,
            reads=("runs", "duplicates_parts", "lexicon", "bundles"),
            writes=("duplicates",),
            settings=("memory",),
            memory=Memory.GLOBAL,
            parts=True,
        ),
        Step(
            name="blocks match",
            label="Matches",
            help="Look the n-grams of a bundle up among the duplicate ones, one process per batch.",
            job="blocks_match",
            scope=Scope.BUNDLE,
            takes=("model",),
            reads=("vertical", "tokens", "documents", "boilerplate", "duplicates"),
            implied=("bundles",),
            writes=("matches",),
            settings=(*_COUNTING, "memory"),
            memory=Memory.GLOBAL,
            threads=True,
            process_per_batch=True,
        ),
        Step(
            name="blocks verdicts",
            label="Duplicate blocks",
            help="Decide about all blocks in the order of documents (algorithm 3.1): the sequential pass.",
            job="blocks_verdicts",
            scope=Scope.CORPUS,
            reads=("matches", "duplicates", "bundles"),
            writes=("verdicts",),
            settings=(*_DECIDING_BLOCKS, "memory"),
            memory=Memory.GLOBAL,
        ),
        # `documents` is implied by the matches: as an input, Snakemake would compare it, for each of a thousand
        # batches, with each of the thousand inputs of the step that writes it.
        Step(
            name="blocks apply",
            label="Block verdicts",
            help="Apply the verdicts to the blocks of a batch.",
            job="blocks_apply",
            scope=Scope.BATCH,
            reads=("verdicts", "matches", "tokens", "boilerplate"),
            implied=("documents", "bundles"),
            writes=("blocks",),
            settings=("blocks.mark", "memory"),
            memory=Memory.GLOBAL,
            group="write",
        ),
        # What de-duplication decides is on disk for good: other rules repeat neither it nor what is before it.
        Step(
            name="quality",
            label="Quality",
            job="quality",
            when=_measures_quality,
            scope=Scope.BATCH,
            takes=("model",),
            reads=("pages", "boilerplate", "language", "tokens", "blocks"),
            implied=("documents",),
            writes=("quality",),
            settings=("filter.preset", "filter.least", "filter.most", "filter.expression"),
            of_kept=True,
            memory=Memory.BATCH,
            group="write",
        ),
        # Its setting is that of all corpora of a config: the rule of the job has the step, or has not.
        Step(
            name="subwords",
            label="Tokens of a model",
            help="Count the tokens of a model's tokeniser in the documents that are kept.",
            job="corpus",
            when=_counts_subwords,
            scope=Scope.BATCH,
            reads=_OF_CORPUS,
            implied=("documents",),
            writes=("subwords",),
            settings=_ADDITIONS,
            of_kept=True,
            memory=Memory.BATCH,
            stage="corpus",
            group="write",
        ),
        Step(
            name="corpus",
            label="Corpus",
            job="corpus",
            scope=Scope.BATCH,
            reads=(*_OF_CORPUS, "subwords"),
            implied=("documents",),
            # The statistics read the vertical. Other output formats, by the setting, are files beside it.
            writes=("corpus_vertical",),
            settings=("corpus.formats", "corpus.code", *_ADDITIONS),
            of_kept=True,
            memory=Memory.BATCH,
            group="write",
        ),
        Step(
            name="statistics count",
            label="Counts",
            help="Count what a batch adds to the statistics.",
            job="corpus",
            scope=Scope.BATCH,
            reads=("encoding", "pages", "boilerplate", "language", "tokens", "blocks", "quality", "subwords"),
            implied=("documents",),
            writes=("counts", "samples"),
            settings=("boilerplate", "forget", "corpus.count_tokens"),
            memory=Memory.BATCH,
            group="write",
        ),
        # The 10-grams of all tokens, before and after block de-duplication: how the thesis measures duplication
        # (3.6.4). Exact duplicates in the vertical do not count before it either.
        Step(
            name="statistics runs",
            label="10-grams before and after de-duplication",
            help="Sort the 10-grams of all tokens of a bundle, before and after de-duplication (thesis, 3.6.4).",
            job="all_ngrams_runs",
            scope=Scope.BUNDLE,
            reads=("vertical", "documents", "corpus_vertical"),
            implied=("bundles",),
            writes=("runs_before", "runs_after"),
            settings=("memory",),
            of_kept=True,
            memory=Memory.GLOBAL,
            parts=True,
        ),
        Step(
            name="statistics merge-part before",
            label="Duplicate 10-grams before de-duplication",
            help="Count the duplicate 10-grams of a range before de-duplication.",
            job="all_ngrams_merge_part_before",
            scope=Scope.PART,
            reads=("runs_before", "bundles"),
            writes=("duplicates_before_parts",),
            settings=("memory",),
            memory=Memory.GLOBAL,
            parts=True,
            divides="statistics merge before",
        ),
        Step(
            name="statistics merge-part after",
            label="Duplicate 10-grams after de-duplication",
            help="Count the duplicate 10-grams of a range after de-duplication.",
            job="all_ngrams_merge_part_after",
            scope=Scope.PART,
            reads=("runs_after", "bundles"),
            writes=("duplicates_after_parts",),
            settings=("memory",),
            memory=Memory.GLOBAL,
            parts=True,
            divides="statistics merge after",
        ),
        Step(
            name="statistics merge before",
            label="Duplicate 10-grams before de-duplication",
            help="Count the duplicate 10-grams before de-duplication.",
            job="all_ngrams_merge_before",
            scope=Scope.CORPUS,
            reads=("runs_before", "duplicates_before_parts", "bundles"),
            writes=("duplicates_before",),
            settings=("memory",),
            of_kept=True,
            memory=Memory.GLOBAL,
            parts=True,
        ),
        Step(
            name="statistics merge after",
            label="Duplicate 10-grams after de-duplication",
            help="Count the duplicate 10-grams after de-duplication.",
            job="all_ngrams_merge_after",
            scope=Scope.CORPUS,
            reads=("runs_after", "duplicates_after_parts", "bundles"),
            writes=("duplicates_after",),
            settings=("memory",),
            of_kept=True,
            memory=Memory.GLOBAL,
            parts=True,
        ),
        Step(
            name="statistics tables-part",
            label="Statistics",
            help="Add up the counts of a range of words, hosts and addresses.",
            job="statistics_tables_part",
            scope=Scope.PART,
            reads=("counts", "plan"),
            writes=("count_parts",),
            settings=("memory",),
            memory=Memory.GLOBAL,
            parts=True,
            divides="statistics tables",
        ),
        Step(
            name="statistics tables",
            label="Statistics",
            help="Write the tables of statistics.",
            job="statistics",
            scope=Scope.CORPUS,
            reads=("counts", "count_parts", "plan", "duplicates", "duplicates_before", "duplicates_after"),
            implied=("encoding", "pages", "boilerplate", "language", "tokens", "documents", "blocks"),
            parts=True,
            writes=TABLES,
            settings=("boilerplate", "forget"),
            of_kept=True,
            memory=Memory.GLOBAL,
            group="tables",
        ),
        Step(
            name="report",
            label="Report",
            job="report",
            scope=Scope.CORPUS,
            takes=("language",),
            reads=("samples", *TABLES),
            implied=("plan",),
            writes=("report",),
            settings=("corpus.boilerplate",),
            memory=Memory.GLOBAL,
            group="tables",
        ),
    )
}


@dataclass(frozen=True, slots=True)
class Job:
    """The steps that Snakemake runs together: processes that follow each other.

    Attributes:
        name: the name of its rule.
        steps: in the order in which they run.
    """

    name: str
    steps: tuple[Step, ...]

    def of_corpora(self, corpora: Iterable[Settings]) -> "Job":
        """Returns the job with those steps that any of the corpora has; if there are none, with all."""
        corpora = list(corpora)
        steps = tuple(step for step in self.steps if step.when is None or any(map(step.runs, corpora)))
        return replace(self, steps=steps or self.steps)

    @property
    def scope(self) -> Scope:
        """What it works on."""
        return self.steps[0].scope

    @property
    def label(self) -> str:
        """Its name for people."""
        labels = [self.steps[0].label, *(step.label[0].lower() + step.label[1:] for step in self.steps[1:])]
        return " and ".join([", ".join(labels[:-1]), labels[-1]]) if labels[1:] else labels[0]

    @property
    def sentence(self) -> str:
        """What its steps do, for lists of rules."""
        return " ".join(step.sentence for step in self.steps)

    @property
    def of_pages(self) -> bool:
        """Whether it runs in the folder of a crawl of several languages, once for all of them."""
        return self.steps[0].of_pages

    @property
    def group(self) -> str:
        """Jobs of one group are submitted to a cluster as one."""
        return self.steps[0].group

    @property
    def reads(self) -> tuple[str, ...]:
        """Names of the FILES that must exist before it runs."""
        written = set(self.writes)
        return _unique(name for step in self.steps for name in step.reads if name not in written)

    @property
    def of_all(self) -> tuple[str, ...]:
        """Names of the FILES that it reads of all batches, though it works on one."""
        return _unique(name for step in self.steps for name in step.of_all)

    @property
    def takes(self) -> tuple[str, ...]:
        """Inputs from outside the corpus's folder: archives, model, rivals, and the list of what the corpus forgets."""
        archives = ["archives" for step in self.steps if step.reads_archives]
        forgets = ["forget" for step in self.steps if "forget" in step.settings]
        return _unique([*archives, *(name for step in self.steps for name in step.takes), *forgets])

    @property
    def writes(self) -> tuple[str, ...]:
        """Names of the FILES that it writes."""
        return _unique(name for step in self.steps for name in step.writes)

    @property
    def log(self) -> str:
        """The file that its messages go to, relative to the corpus's folder."""
        return f"logs/{self.name}.log" if self.scope is Scope.CORPUS else f"logs/{self.name}/{{{self.scope.value}}}.log"


@dataclass(frozen=True, slots=True, kw_only=True)
class Extension:
    """Steps of another package: what an entry point of the group `corpusprep.steps` names.

    Attributes:
        steps: in the order of their work.
        files: the files that they write, by name.
        read_by: steps that are declared elsewhere -> names of these files that they read, too.
        of_all: the names of these files that steps on one batch read of all batches.
    """

    steps: tuple[Step, ...]
    files: Mapping[str, File]
    read_by: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    of_all: tuple[str, ...] = ()


_T = TypeVar("_T")


class _Declared(Mapping[str, _T], Generic[_T]):
    """What is declared here and by other packages, by name.

    The packages are read, in 40 ms, when they are first needed: to plan a run, to forecast, never by a step.
    """

    def __init__(self, read: Callable[[], Mapping[str, _T]], known: Mapping[str, _T]) -> None:
        """Names with values from `read`; `known` has those that other packages cannot change."""
        self._read, self._known = read, known

    def __getitem__(self, name: str) -> _T:
        return self._known[name] if name in self._known else self._read()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read())

    def __len__(self) -> int:
        return len(self._read())


@cache
def _extensions() -> tuple[Extension, ...]:
    """Reads the entry points `corpusprep.steps`, in the order of their names.

    Raises:
        CorpusprepError: one of them cannot be loaded, or is no Extension.
    """
    from importlib.metadata import entry_points

    extensions = []
    for point in sorted(entry_points(group="corpusprep.steps"), key=lambda point: point.name):
        place = f"steps {point.name!r} of the package {point.dist.name if point.dist else point.module}"
        try:
            extension = point.load()
        except Exception as error:
            raise CorpusprepError(f"{place} cannot be loaded: {error}") from error
        if not isinstance(extension, Extension):
            raise CorpusprepError(f"{place}: {point.value} is no corpusprep.pipeline.Extension")
        extensions.append(extension)
    return tuple(extensions)


@cache
def _files() -> Mapping[str, File]:
    return dict(_united("file", [_FILES, *(extension.files for extension in _extensions())]))


@cache
def _steps() -> Mapping[str, Step]:
    """Places the steps of other packages among the steps of this one, and adds their files to what steps read."""
    added = [step for extension in _extensions() for step in extension.steps]
    steps = dict(_united("step", [_STEPS, *({step.name: step} for step in added)]))
    order = list(_STEPS)
    for step in added:
        if step.before and step.before not in order:
            raise CorpusprepError(f"step {step.name!r} comes before {step.before!r}, which is no step")
        order.insert(order.index(step.before) if step.before else len(order), step.name)
    for extension in _extensions():
        for reader, names in extension.read_by.items():
            of_all = tuple(name for name in names if name in extension.of_all)
            step = steps[reader]
            steps[reader] = replace(step, reads=step.reads + names, of_all=step.of_all + of_all)
    return {name: steps[name] for name in order}


@cache
def _jobs() -> Mapping[str, Job]:
    steps = _steps().values()
    names = _unique(step.job for step in steps)
    return {name: Job(name, tuple(step for step in steps if step.job == name)) for name in names}


def _united(kind: str, parts: Iterable[Mapping[str, _T]]) -> Iterator[tuple[str, _T]]:
    """Yields the items of all parts.

    Raises:
        CorpusprepError: two have the same name.
    """
    names: set[str] = set()
    for part in parts:
        for name, value in part.items():
            if name in names:
                raise CorpusprepError(f"{kind} {name!r} is declared twice, by corpusprep or packages that add steps")
            names.add(name)
            yield name, value


#: With the files of other packages, by name.
FILES: Mapping[str, File] = _Declared(_files, _FILES)
#: With the steps of other packages, by name, in the order of the work.
STEPS: Mapping[str, Step] = _Declared(_steps, {})
#: In the order of their first steps.
JOBS: Mapping[str, Job] = _Declared(_jobs, {})


def writer(name: str) -> Step:
    """Returns the step that writes a file."""
    return next(step for step in STEPS.values() if name in step.writes)


def results(settings: Settings) -> tuple[str, ...]:
    """Returns the names of the FILES that a run makes for readers: tables, and what no other step of a corpus reads."""
    steps = [step for step in STEPS.values() if step.runs(settings)]
    read = {name for step in steps for name in (*step.reads, *step.implied)}.difference(TABLES)
    return tuple(name for step in steps for name in step.writes if name not in read and not FILES[name].temporary)


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))

"""Renders the report: tables, figures and sampled pages in one self-contained HTML page."""

from pathlib import Path

from corpusprep.io import readable as numbers
from corpusprep.languages import descriptions
from corpusprep.report import figures, tables
from corpusprep.report.rendering import environment
from corpusprep.statistics import sampled_pages as samples
from corpusprep.statistics.joined_verdicts import Corpus
from corpusprep.statistics.keywords import has_sequences


def render(corpus_dir: Path, name: str, language: str, *, boilerplate_kept: bool = False) -> str:
    """Returns the report of the corpus in `corpus_dir`, as HTML.

    Args:
        corpus_dir: the corpus's folder, with its stage files and `statistics/`.
        name: the corpus's name.
        language: the code of its language; a built-in one is shown by name.
        boilerplate_kept: whether the files of the corpus have the boilerplate of its documents, marked.

    Raises:
        StageFileError: a file is missing or damaged.
    """
    corpus = Corpus.open(corpus_dir)
    statistics = tables.Statistics.read(corpus_dir / "statistics")
    described = descriptions.find(language)
    words, documents, reference = tables.shrinking(statistics)
    lost = tables.lost_words(statistics)
    curves = tables.threshold_curves(statistics)
    hosts, all_hosts = tables.hosts(statistics)
    return (
        environment()
        .get_template("report.html.j2")
        .render(
            name=numbers.printable(name, 200),
            language=numbers.printable(f"{described.name} ({language})" if described else language, 80),
            archives=corpus.archives,
            archive_size=numbers.size(corpus.archive_bytes),
            headlines=tables.headlines(statistics),
            why_empty=tables.why_empty(statistics),
            boilerplate_kept=boilerplate_kept,
            corpus_size=tables.corpus_size(statistics),
            shrinking=figures.shrinking(words, documents, reference, "ClueWeb09"),
            web_corpora=tables.web_corpora(statistics, corpus, described.name if described else language)
            if statistics.words
            else [],
            records=tables.records(statistics),
            losses=tables.losses(statistics),
            lost_words=figures.losses(lost) if lost else "",
            exact_duplicates=tables.exact_duplicates(statistics),
            ngrams=statistics.duplicate_ngrams[0],
            fragmentation=tables.fragmentation(statistics),
            encodings=tables.encodings(statistics),
            cleaning=tables.cleaning(statistics),
            hosts=hosts,
            all_hosts=all_hosts,
            host_sizes=tables.host_sizes(statistics),
            keywords=tables.keywords(statistics),
            keyword_sequences=has_sequences(row["word"] for row in statistics.keywords),
            presets=tables.presets(statistics),
            learned="THRESHOLD" in curves,
            thresholds=figures.thresholds(curves) if curves else "",
            processing_times=tables.processing_times(statistics),
            pages=samples.sample(corpus),
        )
    )

"""Renders the report: tables, figures and sampled pages in one self-contained HTML page."""

import html
import json
import re
from pathlib import Path

from corpusprep.io import readable as numbers
from corpusprep.io.files import replacing
from corpusprep.languages import descriptions
from corpusprep.languages.making import word_shares
from corpusprep.quality import sampling
from corpusprep.report import audit, beside_published, figures, first_screen, reasons, shown_tables
from corpusprep.report.advice import advice
from corpusprep.report.corpus_statistics import CorpusStatistics
from corpusprep.report.plain_tables import PlainTable, plain_table
from corpusprep.report.rendering import environment
from corpusprep.report.typical_words import typical_words
from corpusprep.statistics import sampled_pages as samples
from corpusprep.statistics.cleaning import Cleaning
from corpusprep.statistics.corpus_folder import CorpusFolder
from corpusprep.statistics.host_losses import HostLosses
from corpusprep.statistics.keywords import has_sequences
from corpusprep.statistics.lengths import Lengths
from corpusprep.statistics.word_dispersion import WordDispersion
from corpusprep.statistics.years import Years
from corpusprep.tables.batch_files import corpus_file

#: What a report says of how it was made.
_ABOUT = re.compile(r'<meta name="corpusprep-report" content="([^"]*)">')
#: Bytes at its start among which that is: behind the style sheet comes the text.
_HEAD = 4_000


def write(corpus_dir: Path, name: str, language: str, *, boilerplate_kept: bool = False) -> None:
    """Writes the report of a corpus into its folder; see `render`."""
    page = render(corpus_dir, name, language, boilerplate_kept=boilerplate_kept)
    with replacing(corpus_file(corpus_dir, "report")) as temporary:
        temporary.write_text(page, encoding="utf-8", newline="\n")


def rewrite(corpus_dir: Path) -> bool:
    """Writes the report of a corpus again as it was made, with what has come since: the scores of an audit.

    Returns:
        Whether it was written: there is a report, and it says how it was made.

    Raises:
        StageFileError: a file is missing or damaged.
    """
    path = corpus_file(corpus_dir, "report")
    if not path.is_file():
        return False
    with path.open(encoding="utf-8", errors="replace") as file:
        match = _ABOUT.search(file.read(_HEAD))
    if not match:
        return False
    about = json.loads(html.unescape(match[1]))
    write(corpus_dir, about["name"], about["language"], boilerplate_kept=about["boilerplate_kept"])
    return True


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
    corpus = CorpusFolder.open(corpus_dir)
    statistics = CorpusStatistics.read(corpus_dir / "statistics")
    described = descriptions.find(language)
    curves = shown_tables.threshold_curves(statistics)
    shares = word_shares(language) or word_shares(first_screen.main_language(statistics))
    typical = typical_words(statistics["frequent_words"], shares)
    scores = audit.scores(corpus_dir)
    agreements = ["of", "annotators", "units", "the same judgement", "alpha"]
    return (
        environment()
        .get_template("report.html.j2")
        .render(
            about=json.dumps({"name": name, "language": language, "boilerplate_kept": boilerplate_kept}),
            name=numbers.printable(name, 200),
            language=numbers.printable(f"{described.name} ({language})" if described else language, 80),
            archives=corpus.archives,
            archive_size=numbers.size(corpus.archive_bytes),
            headlines=first_screen.headlines(statistics),
            why_empty=reasons.why_empty(statistics),
            boilerplate_kept=boilerplate_kept,
            levels=first_screen.lost_words(statistics),
            typical=typical,
            frequent=first_screen.frequent_words(statistics),
            first_hosts=first_screen.hosts(statistics),
            hosts_with_words=statistics["dispersion"][0]["hosts"],
            all_hosts=statistics.all_hosts,
            years=first_screen.years(statistics),
            languages=first_screen.languages(statistics),
            ngrams=statistics["duplicate_ngrams"][0],
            audit_of_all=shown_tables.audited(scores, whole=True),
            pages=samples.sample(corpus),
            advice=advice(statistics),
            corpus_size=beside_published.corpus_size(statistics, name),
            records=reasons.records(statistics),
            ledger=reasons.losses(statistics),
            thresholds=figures.thresholds(curves),
            learned="THRESHOLD" in curves,
            presets=shown_tables.presets(statistics),
            audit=shown_tables.audited(scores, whole=False),
            agreements=PlainTable(agreements, audit.agreements(corpus_dir)),
            exact_duplicates=beside_published.exact_duplicates(statistics, name),
            fragmentation=beside_published.fragmentation(statistics),
            encodings=shown_tables.encodings(statistics),
            cleaning=plain_table(Cleaning, statistics["cleaning"]),
            hosts=shown_tables.hosts(statistics),
            host_sizes=beside_published.host_sizes(statistics, name),
            spreads=[plain_table(kind, statistics[kind.name]) for kind in (Years, Lengths)],
            typical_words=shown_tables.typical(typical),
            frequent_words=plain_table(WordDispersion, statistics["word_dispersion"]),
            mean_words=len(statistics["word_dispersion"]),
            mean_dp=statistics["dispersion"][0]["mean_dp"],
            changed_words=shown_tables.changed_words(statistics),
            keyword_sequences=has_sequences(row["word"] for row in statistics["keywords"]),
            stage_losses=shown_tables.by_stage(statistics),
            host_losses=plain_table(HostLosses, statistics["host_losses"]),
            host_words=shown_tables.by_host(statistics),
            others=statistics.others,
            at_rules=sampling.of_rules(path for path in corpus.paths("filter_samples") if path.exists()),
            web_corpora=beside_published.web_corpora(
                statistics, corpus, described.name if described else language, name
            )
            if statistics.words
            else None,
            processing_times=beside_published.processing_times(statistics, name),
        )
    )

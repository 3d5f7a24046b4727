"""Measures the steps before de-duplication on a sample of a crawl of several languages.

The page stages run once, with the models of all known languages, and the pages are divided. What follows runs for the
languages that have most of the text; the tokens of the others are estimated from their words.
"""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from corpusprep import languages
from corpusprep.archive import batches
from corpusprep.config.settings import CorpusSettings, CrawlSettings
from corpusprep.errors import ArchiveError
from corpusprep.forecast.costs import Cost, load_costs
from corpusprep.forecast.sample_run import ANNOTATE, BEFORE, call, no_page, run_step, with_chosen
from corpusprep.forecast.sampling import ArchiveSample
from corpusprep.jobs import crawls
from corpusprep.jobs import resources as jobs
from corpusprep.pipeline import FILES, STEPS, Scope
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles, corpus_file
from corpusprep.tables.crawl_files import found_file
from corpusprep.tables.reading import read_table
from corpusprep.tables.verdicts import KEPT

#: At most this many languages are measured one by one: those with most words.
MEASURED_LANGUAGES = 3


@dataclass(slots=True, frozen=True)
class LanguageShare:
    """What the sample has of a language: pages, tokens, and bytes of the records as stored."""

    pages: int
    tokens: float
    stored_bytes: int


@dataclass(slots=True, frozen=True)
class MeasuredCrawl:
    """What the steps found in the sample of a crawl.

    Attributes:
        pages: HTML pages.
        languages: by code, those with a page in the sample.
        page_costs: of the steps that run once for all languages.
        costs: of the steps that run for each language; `language` includes the division of the pages. `annotate` is
            there if a language that was measured has an annotator.
    """

    pages: int
    languages: Mapping[str, LanguageShare]
    page_costs: Mapping[str, Cost]
    costs: Mapping[str, Cost]


def measure(
    crawl: CrawlSettings,
    corpora: Mapping[str, CorpusSettings],
    made: Mapping[str, str],
    sample: ArchiveSample,
    folder: Path,
) -> MeasuredCrawl:
    """Runs the steps before de-duplication on the sample, in `folder`, as the workflow would.

    Args:
        crawl: its settings.
        corpora: the settings of its languages, by folder.
        made: languages that are made from samples, by code, each as options of `corpusprep language make`.
        sample: what sampling.take gave.
        folder: for what the stages write.

    Raises:
        ArchiveError: there is no page in it, or none in one of the languages.
        StageFileError: a stage fails.
    """
    (batch,) = batches.plan(sample.archives, sample.stored_bytes + 1)
    models = folder / "models"
    _write_models(crawl, corpora, made, models)
    files = BatchFiles.of(folder, batch.name)
    where = [str(folder), "--batch", batch.name, "--model", str(models)]
    archives = [word for path in batch.archives for word in ("--archive", str(path))]
    encoding = shlex.split(jobs.step_settings(STEPS["encoding"], crawl.settings))
    used = {"encoding": run_step("encoding", [*where, *archives, *encoding], folder)}
    pages = read_table(files.encoding, schemas.ENCODING, ["verdict"]).filter(pl.col("verdict") == KEPT).height
    if not pages:
        raise no_page(sample)
    batches.write_batches([batch], corpus_file(folder, "plan"))
    for step in BEFORE:
        if step.runs(crawl.settings):
            unit = [] if step.scope is Scope.CORPUS else ["--batch", batch.name]
            settings = shlex.split(jobs.step_settings(step, crawl.settings))
            used[step.name] = run_step(step.name, [str(folder), *unit, *settings], folder)
    used["boilerplate"] = run_step(
        "boilerplate", [*where, *shlex.split(crawls.boilerplate_options(crawl, corpora))], folder
    )
    options = shlex.split(crawls.split_options(crawl, corpora))
    divided = ["split", str(folder), "--batch", batch.name, "--models", str(models), *options]
    split_seconds, split_peak = run_step("languages", divided, folder)
    languages_of_pages = read_table(found_file(folder, batch.name), schemas.FOUND).drop_nulls("corpus")
    rows = languages_of_pages.group_by("corpus").agg(pl.len(), pl.col("good_words").sum(), pl.col("length").sum())
    # Most words first; of equal ones, by code.
    ordered = rows.sort(["good_words", "corpus"], descending=[True, False]).rows()
    if not ordered:
        raise ArchiveError(f"none of the {pages:,} pages in the sample is in a language of the crawl")
    later: dict[str, tuple[float, float]] = {"language": (0.0, split_peak), "tokens": (0.0, 0.0)}
    written: dict[str, int] = {}
    counted: dict[str, int] = {}
    words = 0
    for code, _, good_words, _ in ordered[:MEASURED_LANGUAGES]:
        corpus = corpora[f"{crawl.settings.folder}/{code}"]
        measured = _run_language(folder, batch.name, corpus, code)
        of_batch = BatchFiles.of(folder / code, batch.name)
        found_tokens = int(read_table(of_batch.tokens, schemas.TOKENS, ["tokens"])["tokens"].sum())
        for name, (seconds, peak, size) in measured.items():
            before = later.get(name, (0.0, 0.0))
            later[name] = before[0] + seconds, max(before[1], peak)
            written[name] = written.get(name, 0) + size
            counted[name] = counted.get(name, 0) + found_tokens
        words += good_words
    tokens = counted["tokens"]
    per_word = tokens / max(1, words)
    shares = {code: LanguageShare(count, per_word * good, length) for code, count, good, length in ordered}
    total = sum(share.tokens for share in shares.values())
    if not total:
        raise ArchiveError(
            f"none of the {pages:,} pages in the sample of {sample.stored_bytes:,} bytes has text to keep"
        )
    stored = {name: _written(folder, batch.name, name) for name in used}
    page_costs = {name: _cost(name, *used[name], stored[name], total) for name in used}
    costs = {name: _cost(name, *later[name], written[name], counted[name]) for name in later if counted[name]}
    division = max(0.0, split_seconds - load_costs()["language"].start_seconds) / total * 1e6
    language = costs["language"]
    costs["language"] = Cost(
        "language",
        2 * language.start_seconds,
        language.seconds + division,
        language.start_megabytes,
        0.0,
        language.bytes_per_token,
    )
    return MeasuredCrawl(pages, shares, page_costs, costs)


def _write_models(
    crawl: CrawlSettings, corpora: Mapping[str, CorpusSettings], made: Mapping[str, str], folder: Path
) -> None:
    """Writes the models of all languages that pages may be in, with the rivals of those that have a corpus."""
    given = {*crawl.languages.values(), *crawl.others.values()}
    specs = {spec for spec in given if spec in made or not languages.lacks_model(spec)} or set(languages.known())
    for code, of_language in crawl.languages.items():
        if of_language not in specs:
            continue
        corpus = corpora[f"{crawl.settings.folder}/{code}"]
        rivals: Sequence[str] | None = corpus.sections["language"].get("rivals")
        if rivals is None:
            rivals = () if corpus.language in made else languages.describe(corpus.language).rivals
        specs |= set(rivals)
    folder.mkdir(parents=True)
    for number, spec in enumerate(sorted(specs)):
        path = folder / f"{number}.model"
        if spec in made:
            call("language", ["make", spec, *shlex.split(made[spec]), "--output", str(path)])
        else:
            languages.save(languages.get(spec), path)


def _run_language(folder: Path, batch: str, corpus: CorpusSettings, code: str) -> dict[str, tuple[float, float, int]]:
    """Gathers a language, filters and tokenises it; returns CPU seconds, peak megabytes and written bytes by step."""
    own = folder / code
    model = folder / f"{code}.model"
    known = {languages.get(path).code: path for path in sorted((folder / "models").glob("*.model"))}
    if code in known:
        model.write_bytes(known[code].read_bytes())
    else:
        languages.save(languages.blank(code), model)
    gather = ["gather", str(folder), str(own), "--batch", batch, "--language", code]
    gathered, gather_peak = run_step("languages", [*gather, "--part", batch], folder)
    where = [str(own), "--batch", batch, "--model", str(model)]
    codes = corpus.sections["language"].get("rivals")
    rivals = languages.get(model).rivals if codes is None else codes
    options = [word for rival in rivals for word in ("--rival", str(known.get(rival, rival)))] or ["--no-rivals"]
    measured = {}
    annotator = [(ANNOTATE.name, where[:-2])] if ANNOTATE.runs(corpus) else []
    for name, told in (("language", [*where, *options]), ("tokens", where), *annotator):
        settings = shlex.split(jobs.step_settings(STEPS[name], corpus))
        seconds, peak = run_step(name, [*told, *settings], folder)
        measured[name] = seconds, peak, _written(own, batch, name)
    seconds, peak, size = measured["language"]
    start = load_costs()["language"].start_seconds
    measured["language"] = seconds + max(0.0, gathered - start), max(peak, gather_peak), size
    return measured


def _written(folder: Path, batch: str, name: str) -> int:
    """Returns the bytes that a step wrote."""
    return sum(
        (folder / FILES[name_of_file].pattern.format(batch=batch)).stat().st_size for name_of_file in STEPS[name].writes
    )


def _cost(name: str, seconds: float, peak: float, written: int, tokens: float) -> Cost:
    """Returns the cost of a step that took these CPU seconds for that many tokens."""
    start = with_chosen(load_costs(), () if name in load_costs() else [name])[name].start_seconds
    return Cost(name, start, max(0.0, seconds - start) / tokens * 1e6, peak, 0.0, written / tokens)

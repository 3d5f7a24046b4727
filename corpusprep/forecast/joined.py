"""The forecast for a corpus that is made from finished ones: what is done again over all of them.

Their tables say how many tokens they have, so no sample is taken. The rates are those of the table of costs.
"""

from dataclasses import replace
from pathlib import Path

from corpusprep.archive.batches import Batch, bundles
from corpusprep.config.settings import CorpusSettings
from corpusprep.errors import StageFileError
from corpusprep.forecast import costs, sample_run
from corpusprep.forecast.costs import StepForecast
from corpusprep.io import tsv
from corpusprep.jobs import finished, joining
from corpusprep.jobs import resources as jobs
from corpusprep.tables.batch_files import corpus_file


def batches_of(corpus: CorpusSettings) -> list[Batch]:
    """Returns the batches of such a corpus.

    Raises:
        ConfigError, StageFileError: the corpora are not finished, or do not fit each other.
    """
    sources = [Path(source) for source in corpus.sources]
    finished.require_same(finished.page_settings(corpus), {source: finished.read(source) for source in sources})
    return joining.in_order(joining.planned(sources))


def sizes(corpus: CorpusSettings) -> tuple[float, float]:
    """Returns about how many pages and tokens finished corpora have in all, before de-duplication.

    Raises:
        StageFileError: their table of sizes is missing or damaged.
    """
    pages = tokens = 0.0
    for source in corpus.sources:
        path = corpus_file(Path(source), "corpus_size")
        rows = {row["stage"]: row for row in tsv.read(path, ("stage", "documents", "words", "tokens"))}
        try:
            pages += int(rows["crawl"]["documents"])
            # Tokens are counted in what exact duplicates leave; words before that, too.
            documents = rows["documents"]
            words = int(documents["words"])
            tokens += int(documents["tokens"]) * int(rows["language"]["words"]) / words if words else 0.0
        except (KeyError, ValueError) as error:
            raise StageFileError(f"{path}: not a table of sizes ({error}); run the workflow of that corpus") from None
    return pages, tokens


def forecast(
    corpus: CorpusSettings, batches: list[Batch], pages: float, tokens: float, cores: int, spread: tuple[float, float]
) -> list[StepForecast]:
    """Estimates the steps that are done again.

    Args:
        corpus: its settings.
        batches: of batches_of.
        pages: of sizes.
        tokens: of sizes.
        cores: number of processes at the same time.
        spread: the range of core time, in multiples of the estimate.
    """
    stored = sum(sum(batch.sizes) for batch in batches)
    starts = sample_run.loading_seconds() / sample_run.TABLE_LOADING_SECONDS
    rows = [replace(cost, start_seconds=cost.start_seconds * starts) for cost in _again(corpus)]
    return costs.forecast(
        rows,
        tokens,
        len(batches),
        len(bundles(batches)),
        cores,
        costs.memory_by_step(max(sum(batch.sizes) for batch in batches), stored, corpus.memory),
        spreads={cost.step: spread for cost in rows},
        parts=jobs.number_of_parts(corpus.parts, stored),
        pages=pages,
    )


def _again(corpus: CorpusSettings) -> list[costs.Cost]:
    """Returns the costs of the steps that are not taken over."""
    return [
        cost
        for name, cost in costs.load_costs().items()
        if costs.runs(name, corpus) and not costs.STEPS[name.removesuffix(costs.JOINED)][0].taken_over
    ]

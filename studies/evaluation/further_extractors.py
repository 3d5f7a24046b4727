"""Makes a table per gold set: the models of `content` and jusText beside public extractors."""

from collections.abc import Iterator

from corpusprep.gold.scores import Counts, intervals, macro, micro, paired_interval
from studies.comparison import Number, Table
from studies.evaluation import notes
from studies.evaluation.numbers import two
from studies.evaluation.results import Results
from studies.study import Study


def make(results: Results) -> Iterator[Table]:
    """Yields a table per set and measure."""
    below = notes.of_extractors(results)
    for name, extractors in results.extractors.items():
        systems = dict(extractors.counts)
        systems |= {key: rows for key, rows in results.measured[name].counts.items() if key[0] == "jusText A"}
        for measure in dict.fromkeys(measure for _, measure in extractors.counts if not measure.endswith("_all")):
            rows = {system: pages for (system, of), pages in systems.items() if of == measure}
            peers = {system: rows[system] for system in rows if system in results.versions}
            best = max(peers, key=lambda system: micro(peers[system]).f1, default="")
            numbers = [
                number for system, pages in rows.items() for number in _beside_peers(system, pages, peers.get(best))
            ]
            label = measure.removeprefix("words").strip("_")
            about = "Micro-averaged F1"
            if best:
                about += f", and the mean over pages. Differences are to the best public extractor, {best}"
            title = f"{results.facts[name].title}: extractors{f' ({label})' if label else ''}"
            yield Table(f"extractors {name} {measure}", title, f"{about}.", numbers, below)


def _beside_peers(system: str, pages: list[Counts], best: list[Counts] | None) -> Iterator[Number]:
    means, (low, high) = micro(pages), intervals(pages)[0]
    yield Number(system, "P", "", two(means.precision))
    yield Number(system, "R", "", two(means.recall))
    yield Number(system, "F1", "", two(means.f1), (two(low), two(high)))
    yield Number(system, "mean over pages", "", two(macro(pages).f1))
    if best is not None and best is not pages:
        difference, (low, high) = paired_interval(pages, best)
        shown = f"{difference:+.2f} ({low:+.2f} to {high:+.2f})"
        yield Number(system, "to the best extractor", "", shown)


STUDY = Study("", "Models of content beside public extractors", "", make)

"""Measures volumes, thresholds, stop lists and fragments on Canola (tables 2.2 to 2.4, 2.10, 2.11)."""

import statistics
from pathlib import Path
from typing import Any

from corpusprep import languages
from corpusprep._native.unicode import upper
from corpusprep.cleaners.justext import PRESETS
from corpusprep.cleaners.registry import algorithm
from corpusprep.gold import json_files, sets
from corpusprep.gold.pages import GoldSet
from corpusprep.gold.scores import micro
from corpusprep.languages.frequencies import of_wordfreq
from corpusprep.statistics.thresholds import settings
from studies.evaluation import causes, stop_lists, votes
from studies.evaluation.configurations import CONFIGURATIONS
from studies.evaluation.decisions import Spans, decide, segment
from studies.evaluation.node_scores import RELIABILITIES, Nodes
from studies.evaluation.sweeps import FEATURES, Development, Point, best

_CLASSIFIERS = ("baseline", *FEATURES, "combined")
#: Sizes of the stop lists of most frequent words in table 2.10.
STOP_LISTS = (100, 500)


def write(data: Path, output: Path) -> None:
    """Writes what `measure` returns as a JSON file.

    Raises:
        GoldError: Canola's files are damaged.
    """
    json_files.write(output, measure(data))


def measure(data: Path) -> dict[str, Any] | None:
    """Returns the data of tables 2.2 to 2.4, 2.10, 2.11 and figures 2.6 to 2.8, as JSON; None without Canola.

    The stop list is the thesis's, of functional words; `…_default` and `gold_f1` have the default, frequent words.
    """
    development, test = sets.read("canola-dev", data), sets.read("canola-test", data)
    if development is None or test is None:
        return None
    halves = {"test": test, "development": development}
    functional = stop_lists.forms("en", stop_lists.functional("en") or [])
    tried, default = Development(development, functional), Development(development)
    points = list(tried.classifiers())
    return {
        "pages": {half: len(gold_set.pages) for half, gold_set in halves.items()},
        "volumes": [[half, *row] for half, gold_set in halves.items() for row in Nodes(gold_set.pages).volumes()],
        "best": [_best(points, classifier) for classifier in _CLASSIFIERS],
        "best_default": [_best(list(default.classifiers()), classifier) for classifier in _CLASSIFIERS],
        "classifiers": [_plain(point) for point in points],
        "influence": [_plain(point) for point in tried.influence()],
        "tuning": [
            {
                "step": step.name,
                **{
                    name: getattr(step.thresholds, name)
                    for name in ("max_link_density", "length_low", "stopwords_low", "length_high", "stopwords_high")
                },
                "f05": {str(least): value for least, value in step.f05.items()},
            }
            for step in tried.tuning()
        ],
        "published_steps": _published_steps(tried),
        "published_steps_default": _published_steps(default),
        "gold_f1": _gold_f1(default),
        "coherence": [_coherence(part) for part in (development, test)],
        "stop_lists": _stop_lists(test),
        "fragments": _fragments(test),
        "votes": votes.measure(data, test),
    }


def _gold_f1(tried: Development) -> list[list[Any]]:
    """Returns F1 of jusText over all text nodes, by preset, varied parameter and its value."""
    return [
        [preset, setting.parameter, setting.value, tried.f1(setting.thresholds)]
        for preset, thresholds in PRESETS.items()
        for setting in settings(thresholds)
    ]


def _published_steps(tried: Development) -> dict[str, dict[str, float]]:
    """Returns our F0.5 at the parameters of each of the thesis's steps, by step."""
    from corpusprep.cleaners.justext import Thresholds
    from studies import published

    steps = {}
    for row in published.table("2.4"):
        thresholds = Thresholds(
            float(row["MAX_LINK_DENSITY"]),
            int(row["LENGTH_LOW"]),
            float(row["STOPWORDS_LOW"]),
            int(row["LENGTH_HIGH"]),
            float(row["STOPWORDS_HIGH"]),
        )
        steps[row["step"]] = {str(least): value for least, value in tried.f05(thresholds).items()}
    return steps


def _plain(point: Point) -> list[Any]:
    """Returns classifier, threshold, least reliability; precision, recall, F1, F0.5."""
    return [point.classifier, point.threshold, point.reliability, *point.scores]


def _best(points: list[Point], classifier: str) -> dict[str, Any]:
    """Returns a row of table 2.3: threshold and score by `<reliability> <score>`."""
    chosen = {
        f"{least} {score}": best(points, classifier, least, score) for least in RELIABILITIES for score in ("f1", "f05")
    }
    return {
        "classifier": classifier,
        **{key: [point.threshold, getattr(point.scores, key.split()[1])] for key, point in chosen.items()},
    }


def _stop_lists(test: GoldSet) -> dict[str, dict[str, list[float]]]:
    """Returns table 2.10: jusText A's scores, by stop list and least reliability."""
    model = languages.get("en")
    frequent = of_wordfreq("en").words
    lists = {"default": sorted(model.stop_words)}
    lists["functional"] = sorted(stop_lists.forms("en", stop_lists.functional("en") or []))
    for size in STOP_LISTS:
        lists[str(size)] = [form for word in frequent[:size] for form in (word, upper(word[:1]) + word[1:])]
    nodes = Nodes(test.pages)
    scores = {}
    for name, stop_words in lists.items():
        blocks = segment(test.pages, stop_words)
        good = algorithm("justext", "A").classify(blocks).good[nodes.spans(Spans.of_blocks(blocks))]
        scores[name] = {str(least): list(micro(nodes.counts(good, least))) for least in RELIABILITIES}
    return scores


def _coherence(gold_set: GoldSet) -> dict[str, int]:
    """Returns the number of blocks outside <select>, and of those with good and bad nodes, by least reliability."""
    blocks, nodes = segment(gold_set.pages, ()), Nodes(gold_set.pages)
    spans = nodes.spans(Spans.of_blocks(blocks))
    mixed = {str(least): nodes.mixed(spans, least) for least in RELIABILITIES}
    return {"blocks": int((~blocks.in_select).sum()), **mixed}


def _fragments(test: GoldSet) -> dict[str, list[float]]:
    """Returns table 2.11: average and median fragment length in characters, fragments per document; by algorithm."""
    nodes = Nodes(test.pages)
    blocks = segment(test.pages, languages.get("en").stop_words)
    functional = segment(test.pages, stop_lists.forms("en", stop_lists.functional("en") or []))
    kept = {"perfect cleaning": nodes.perfect()}
    for configuration in CONFIGURATIONS:
        algorithm = configuration.make()
        model = algorithm.block_model
        own = blocks if model is None else segment(test.pages, languages.get("en").stop_words, model=model)
        spans, good = decide(algorithm, own, [page.site for page in test.pages])
        kept[configuration.title] = good[nodes.spans(spans)]
        if causes.with_stop_words(configuration):
            spans, good = decide(algorithm, functional, None)
            kept[f"{configuration.title}, {causes.FUNCTIONAL}"] = good[nodes.spans(spans)]
    fragments = {}
    for name, good in kept.items():
        lengths = [length for page in nodes.fragments(good) for length in page] or [0]
        fragments[name] = [
            statistics.fmean(lengths),
            statistics.median(lengths),
            len(lengths) / max(1, len(test.pages)),
        ]
    return fragments

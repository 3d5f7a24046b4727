"""Makes table 2.10: jusText with different stop lists; and the same by set and language."""

from collections.abc import Iterator

from corpusprep.gold.scores import micro
from studies import published
from studies.comparison import Number, Table
from studies.evaluation import notes
from studies.evaluation.causes import FUNCTIONAL
from studies.evaluation.numbers import COLUMNS, RELIABILITIES, SCORES, two
from studies.evaluation.results import Results
from studies.study import Study

#: Our stop list -> the row here, and the row of the published table.
_LISTS = {
    "functional": ("functional words (319)", "default (319 words)"),
    "100": ("100 most frequent words", "BNC100"),
    "500": ("500 most frequent words", "BNC500"),
    "default": ("the default here: most frequent words", ""),
}


def make(results: Results) -> Iterator[Table]:
    """Yields the table, and F1 with both kinds of stop list by set and language."""
    yield _lists(results)
    yield _by_language(results)


def _lists(results: Results) -> Table:
    ours = (results.canola or {}).get("stop_lists", {})
    stored = {row["stop_list"]: row for row in published.table("2.10")}
    numbers = []
    for name, (title, published_name) in _LISTS.items():
        published_row = stored.get(published_name, {})
        for least, label in RELIABILITIES:
            for score, place in SCORES.items():
                value = ours[name][least][place] if ours else ""
                shown = f"{label}: {COLUMNS[score]}"
                numbers.append(Number(title, shown, two(published_row.get(f"AR{least}_{score}", "")), two(value)))
    about = "jusText A on Canola’s test set with different stop lists; text nodes, weighted by characters."
    below = [
        *notes.of_sets(results, "canola-test"),
        notes.CANOLA,
        "Frequent words are from wordfreq, not from the British National Corpus.",
    ]
    return Table("2.10", "Stop lists", about, numbers, below)


def _by_language(results: Results) -> Table:
    """Returns F1 with both kinds of stop list, by set and language: what decides the default of the pipeline."""
    numbers = []
    for name, rows in results.causes.items():
        several = len({row[1] for row in rows}) > 1
        for change, code, system, measure, scores, _ in rows:
            if change == FUNCTIONAL and measure in ("words", "nodes_0") and system.startswith("jusText "):
                counts = None if several else results.measured[name].of(system, measure)
                plain = micro(counts) if counts else (results.changed(name, "", system, measure, code) or [None])[0]
                row = f"{results.facts[name].title}{', ' + code if several else ''}"
                numbers.append(Number(row, f"{system}: frequent words", "", two(plain[2]) if plain else ""))
                numbers.append(Number(row, f"{system}: functional words", "", two(scores[2])))
    about = (
        "F1 of jusText with the most frequent words, the default here, and with functional words: English as in the "
        "thesis, Polish of Carrot2, Russian of Snowball."
    )
    return Table("2.10 by set", "Stop lists by set and language", about, numbers)


STUDY = Study("Table 2.10", "Stop lists", "2.9.9", make, ("2.10",), ("canola",))

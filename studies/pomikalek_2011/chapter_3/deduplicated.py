"""Makes tables 3.4 to 3.6: what block de-duplication leaves at a threshold, by the kind of n-grams."""

from collections.abc import Iterator

from corpusprep.io.readable import printable
from corpusprep.io.tsv import ratio
from studies import published
from studies.comparison import Drawing, Number, Table
from studies.pomikalek_2011.chapter_3 import figures
from studies.pomikalek_2011.chapter_3.grid import CHOSEN, THRESHOLDS, Left
from studies.pomikalek_2011.chapter_3.results import YES_NO, Results, Row

#: Table -> its threshold.
TABLES = {f"3.{number}": threshold for number, threshold in enumerate(THRESHOLDS, start=4)}
#: Whether n-grams have no stop words, and no punctuation -> the row.
_EXCLUDED = {
    (True, True): "without stop words and punctuation",
    (True, False): "without stop words",
    (False, True): "without punctuation",
    (False, False): "all tokens",
}


def table(results: Results, name: str) -> Table:
    """Returns the table of this number."""
    threshold = TABLES[name]
    published_rows = published.table(name)
    by_kind = {(row["exclude_stop"], row["exclude_punct"], row["n"]): row for row in published_rows}
    numbers: list[Number] = []
    for ours in results.at(threshold):
        row = by_kind[YES_NO[ours.exclude_stopwords], YES_NO[ours.exclude_punctuation], str(ours.n)]
        label = f"{_EXCLUDED[ours.exclude_stopwords, ours.exclude_punctuation]}, n = {ours.n}"
        if ours.choice:
            label = f"{label}: {ours.choice}"
            row = row if ours.choice == "as written" else dict.fromkeys(row, "")
        numbers += _left(results, label, row, ours.ngrams_used, ours.tokens, ours.duplicate_10grams)
    kept = {row["exclude_stop"]: row for row in published_rows}
    if name == "3.4":
        clusters = results.clusters
        row = kept["resemblance > 0.9 clusters"]
        label = "resemblance > 0.9, whole documents"
        numbers += _left(results, label, row, None, clusters.tokens, clusters.duplicate_10grams)
    whole = kept["no de-duplication"]
    numbers += _left(results, "no de-duplication", whole, None, results.tokens, results.before)
    about = (
        f"What block de-duplication leaves at a threshold of {threshold}, by the kind of n-grams that it uses. "
        "Duplicate 10-grams are made of all tokens; each occurrence counts."
    )
    notes = ["Published: 11.9 million tokens of ClueWeb09.", *_readings(results, threshold)]
    return Table(name, f"De-duplication at {threshold}", about, numbers, notes)


def drawing(results: Results) -> Drawing:
    """Returns the three tables as a figure."""
    panels = {printable(results.name, 40): _ours(results), "published": _theirs()}
    caption = (
        "Tables 3.4 to 3.6 as a figure: tokens left (horizontal axis) and duplicate 10-grams left (vertical axis; "
        "linear below 0.1, logarithmic above)."
    )
    return Drawing(figures.left(panels), caption)


def _ours(results: Results) -> dict[float, list[tuple[int, float, float]]]:
    points: dict[float, list[tuple[int, float, float]]] = {}
    for row in (row for row in results.grid if not row.choice):
        duplicates = 100 * row.duplicate_10grams / results.before if results.before else 0.0
        tokens = 100 * row.tokens / results.tokens if results.tokens else 0.0
        points.setdefault(row.threshold, []).append((row.n, tokens, duplicates))
    return points


def _theirs() -> dict[float, list[tuple[int, float, float]]]:
    return {
        threshold: [
            (int(row["n"]), float(row["tokens_after_pct"]), float(row["duplicate_10grams_after_pct"]))
            for row in published.table(number)
            if row["n"]
        ]
        for number, threshold in TABLES.items()
    }


def _readings(results: Results, threshold: float) -> list[str]:
    """Returns what the rows of other choices are, and what the two readings of algorithm 3.1 leave."""
    rows = {row.choice: row for row in results.at(threshold) if (row.n, *_kind(row)) == CHOSEN}
    ours, written = rows[""], rows["as written"]

    def left(row: Left) -> str:
        duplicates = ratio(100 * row.duplicate_10grams, results.before, 2)
        return (
            f"{duplicates} % of the duplicate 10-grams and {ratio(100 * row.tokens, results.tokens, 2)} % of the tokens"
        )

    return [
        "As written: n-grams do not run across blocks, and the n-grams of a stub count as seen (as_written: true). "
        f"This leaves {left(written)}; by default, {left(ours)} are left. The published numbers are beside both rows.",
        "Without smoothing: smoothing: false. Whole documents: unit: document. Documents, then blocks: unit: both.",
    ]


def _kind(row: Left) -> tuple[bool, bool]:
    return row.exclude_stopwords, row.exclude_punctuation


def _left(
    results: Results, label: str, published_row: Row, used: int | None, tokens: int, duplicates: int
) -> Iterator[Number]:
    """Yields the numbers of a row: shares, then counts."""
    cells: list[tuple[str, str, int | None, int]] = [
        ("n-grams used", "ngrams_used", used, results.tokens),
        ("tokens left", "tokens_after", tokens, results.tokens),
        ("duplicate 10-grams left", "duplicate_10grams_after", duplicates, results.before),
    ]
    for column, published_column, ours, whole in cells:
        share = "" if ours is None else ratio(100 * ours, whole, 2)
        goal = published_row[f"{published_column}_pct"]
        yield Number(label, f"{column}, %", f"{float(goal):.2f}" if goal else "", share)
    for column, published_column, ours, _ in cells:
        yield Number(label, column, published_row[published_column], "" if ours is None else str(ours))

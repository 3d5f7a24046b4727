"""Makes table 1: accuracy of encoding detection, by 5-fold cross-validation."""

from collections.abc import Iterator

from studies.comparison import Number, Table
from studies.presemt_2012.results import Results
from studies.study import Study

_LANGUAGES = {"cs": "Czech", "en": "English", "de": "German", "el": "Greek", "it": "Italian", "nb": "Norwegian"}
#: Kind of pages -> its name in columns.
_KINDS = {"Web": "Web pages", "short": "short pages"}


def make(results: Results) -> Iterator[Table]:
    """Yields the table."""
    about = (
        "Pages, in per cent, whose encoding is detected so that they decode to the same text, and those whose encoding "
        "is also named as it is. Ours are made pages with the markup of Web pages and sentences that the model has not "
        "seen, published are collected pages. Rows with “as”: pages in the first encoding that are taken for the "
        "second. The average is weighted by the published shares of pages."
    )
    note = (
        "A page in iso-8859-1 that is read as windows-1252 gives the same text: that is no error here. Short pages "
        "have twelve words. Sentences with control or replacement characters, or encoded twice, are left out: they "
        "were decoded wrongly when the set was made."
    )
    yield Table("presemt 1", "Accuracy of encoding detection", about, list(_numbers(results)), [note, *_wrong(results)])


def _wrong(results: Results) -> Iterator[str]:
    """Yields how many Web pages have another name, and which of them decode to another text."""
    rows = [row for row in _published(results) if row["pages"] == "Web" and row["taken_for"]]
    names = sum(int(name.rpartition(":")[2]) for row in rows for name in row["taken_for"].split())
    decoded = {
        f"{_LANGUAGES[row['language']]}, {row['encoding']}": (wrong, int(row["count"]))
        for row in rows
        if (wrong := round(int(row["count"]) * (1 - float(row["accuracy"]) / 100)))
    }
    if names:
        listed = ", ".join(f"{wrong} of {pages} ({label})" for label, (wrong, pages) in decoded.items())
        yield (
            f"{names} Web pages have another name; of these, {sum(wrong for wrong, _ in decoded.values())} decode to "
            f"another text{f': {listed}' if listed else ''}."
        )


def _published(results: Results) -> list[dict[str, str]]:
    """Returns the rows of the languages of the source."""
    return [row for row in results.encodings if row["language"] in _LANGUAGES]


def _numbers(results: Results) -> Iterator[Number]:
    for row in _published(results):
        label = f"{_LANGUAGES[row['language']]}, {row['encoding']}"
        goal = row["published_accuracy"] if row["pages"] == "Web" else ""
        for column, name in (("accuracy", "same text"), ("accuracy_of_names", "same name")):
            yield Number(label, f"{_KINDS[row['pages']]}: {name}", goal, row[column])


STUDY = Study("Table 1", "Accuracy of encoding detection", "4", make, ("presemt.1",), ("langid-dev", "cleaneval"))

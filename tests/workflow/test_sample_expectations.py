"""The expected results of the sample, page by page and phrase by phrase (config/sample/expected.yaml)."""

from pathlib import Path

import pytest
from support.built_corpora import json_documents, stage
from support.expectations import Fate, check, load

pytestmark = pytest.mark.slow


def fates(corpus: Path) -> list[Fate]:
    """The fate of every record: the verdict of the last stage that processed it."""
    verdicts: dict[tuple[str, int], str] = {}
    for name in ("encoding", "pages", "language", "documents"):
        verdicts.update({(row["batch"], row["record"]): row["verdict"] for row in stage(corpus, name)})
    kept = {(row["batch"], row["record"]) for row in stage(corpus, "blocks") if row["verdict"] == "kept"}
    emptied = {(row["batch"], row["record"]) for row in stage(corpus, "blocks")} - kept
    verdicts.update(dict.fromkeys(emptied, "no_block_left"))
    return [
        Fate(row["url"], verdicts[row["batch"], row["record"]], row["archive"], row["encoding"] or "")
        for row in stage(corpus, "encoding")
    ]


@pytest.mark.parametrize("name", ["english", "czech"])
def test_pages_meet_their_expectations(sample: Path, name: str) -> None:
    """Articles are kept, boilerplate is removed, copies and quotations appear once, and damage has its verdict."""
    texts = {document["url"]: document["text"] for document in json_documents(sample / name)}
    problems = check(load(name), texts, fates(sample / name))
    assert not problems, "\n".join(problems)

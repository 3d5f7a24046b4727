"""Whole workflows that leave out the text of other corpora."""

import json
import random
from pathlib import Path

import pytest
from support.built_corpora import check_ledger, json_documents, stage
from support.running import build

from corpusprep.inspection.why import explain

pytestmark = pytest.mark.slow

WORDS = (
    "the a of and to in is it on that was for with as his her river village bridge captain teacher morning window"
    " garden station winter forest valley harbour lantern doctor farmer kitchen engine letter market years people"
).split()


def documents(seed: int, number: int) -> list[str]:
    """Texts of two blocks."""
    chosen = random.Random(seed)
    return ["\n".join(" ".join(chosen.choices(WORDS, k=60)) + "." for _ in range(2)) for _ in range(number)]


def test_text_of_other_corpora_is_left_out(tmp_path: Path) -> None:
    """Of a corpus of the same config, and of a file; whole documents and blocks, in any order of the archives."""
    old, new, tests = documents(1, 6), documents(2, 6), documents(3, 2)
    new[0] = f"{new[0].partition(chr(10))[0]}\n{old[0].partition(chr(10))[0]}"
    new[1] = old[1]
    new[2] = tests[0]
    for name, texts in (("old", old), ("new-b", new[:3]), ("new-a", new[3:]), ("tests", tests)):
        rows = [{"url": f"http://{name}.example/{place}", "text": text} for place, text in enumerate(texts)]
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    own = {"language": {"code": "en", "rivals": []}, "archives": ["new-*.jsonl"], "batch_bytes": 1}
    config = {
        "corpora": {
            "new": own | {"blocks": {"against": ["old", "tests.jsonl"]}},
            "old": {"language": {"code": "en", "rivals": []}, "archives": ["old.jsonl"]},
        }
    }
    results = build(tmp_path, config)
    left = sorted(document["text"] for document in json_documents(results / "new"))
    assert left == sorted([new[0].partition("\n")[0], *new[3:]])
    check_ledger(results / "new")
    verdicts = {row["verdict"]: row["against"] for row in stage(results / "new", "language")}
    assert set(verdicts) == {"kept", "against"}
    [story] = explain(results / "new", "new-b.example/0")
    assert [block.verdict.reason for block in story.blocks] == ["kept", "against"]
    [story] = explain(results / "new", "new-b.example/1")
    assert (story.verdict.stage, story.verdict.reason) == ("language", "against")
    assert {block.verdict.reason for block in story.blocks} == {"against"}

    # As files, the same; without the setting, all comes back.
    corpus = "results/old/corpus"
    again = build(
        tmp_path, {"results": "again", "corpora": {"new": own | {"blocks": {"against": [corpus, "tests.jsonl"]}}}}
    )
    assert sorted(document["text"] for document in json_documents(again / "new")) == left
    without = build(tmp_path, {"results": "again", "corpora": {"new": own}})
    assert sorted(document["text"] for document in json_documents(without / "new")) == sorted(new)

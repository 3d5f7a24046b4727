"""Folders of finished corpora: made by hand, or parts of one that was built."""

import json
import os
import shutil
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from corpusprep.archive.batches import Batch, bundles, read_batches, write_batches, write_bundles
from corpusprep.jobs import finished

#: Files of the steps on pages of a batch, and two of other steps.
PAGES = ("boilerplate/{}.parquet", "encoding/{}.parquet", "language/{}.parquet", "pages/{}.parquet")
PAGES += ("tokens/{}.parquet", "tokens/{}.vert.zst", "times/encoding/{}.tsv")
LATER = ("documents/{}.parquet", "corpus/{}.vert.zst", "times/corpus/{}.tsv", "logs/encoding/{}.log")


def made(folder: Path, archives: Mapping[str, str], settings: Mapping[str, Any] | None = None) -> Path:
    """A corpus with these archives by the names of their batches; its files have their own names as content."""
    batches = [Batch(name, (Path(archive),), (100,)) for name, archive in archives.items()]
    for pattern in (*PAGES, *LATER):
        for name in archives:
            path = folder / pattern.format(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{archives[name]} {pattern}", encoding="utf-8")
            os.utime(path, ns=(10**18, 10**18 + 7))
    (folder / "logs/documents.log").write_text("", encoding="utf-8")
    (folder / "against").mkdir()
    (folder / "against/known.keys").write_text("", encoding="utf-8")
    _list(folder, batches)
    finished.write(folder, settings or {"ngrams.n": 10}, {})
    return folder


def part(corpus: Path, folder: Path, batches: Collection[int]) -> Path:
    """A corpus as if a run had built it of some of the batches of another one, up to the steps on all of them."""
    planned = read_batches(corpus / "batches.tsv")
    chosen = [planned[number] for number in batches]
    for path in corpus.rglob("*"):
        if path.is_file() and any(batch.name in path.name for batch in chosen):
            target = folder / path.relative_to(corpus)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, target)
    shutil.copy2(corpus / finished.NAME, folder)
    _list(folder, chosen)
    return folder


def _list(folder: Path, batches: list[Batch]) -> None:
    write_batches(batches, folder / "batches.tsv")
    write_bundles(bundles(batches), folder / "bundles.tsv")


def changed_settings(folder: Path, **changes: Any) -> None:
    """Changes parts of settings.json."""
    content = json.loads((folder / finished.NAME).read_text(encoding="utf-8"))
    (folder / finished.NAME).write_text(json.dumps(content | changes), encoding="utf-8")

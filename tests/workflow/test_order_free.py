"""The corpus does not depend on the order, batches and bundles of its archives."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from support.built_corpora import sorted_corpus
from support.running import build, sample_config

pytestmark = pytest.mark.slow


def one_by_one(config: dict[str, Any], **others: Any) -> dict[str, Any]:
    """One batch per archive."""
    return config | {"batch_bytes": 1, **others}


def reversed_names(crawl: Path, folder: Path) -> dict[str, Any]:
    """The same archives under names that sort in reverse order."""
    folder.mkdir()
    archives = sorted(crawl.glob("*.warc.gz"))
    for number, archive in enumerate(reversed(archives)):
        shutil.copy(archive, folder / f"{number:03d}.warc.gz")
    return sample_config(folder)


@pytest.mark.parametrize("name", ["english", "czech"])
@pytest.mark.parametrize("variant", ["batches", "names"])
def test_same_corpus(
    sample: Path, sample_crawl: Path, tmp_path_factory: pytest.TempPathFactory, variant: str, name: str
) -> None:
    """Byte for byte after sorting: small batches on one core; one bundle of them, with other names, on two cores."""
    folder = tmp_path_factory.getbasetemp() / f"order-{variant}"
    if not folder.exists():
        folder.mkdir()
        if variant == "batches":
            build(folder, one_by_one(sample_config(sample_crawl)), cores=1)
        else:
            build(folder, one_by_one(reversed_names(sample_crawl, folder / "crawl")), cores=2)
    assert sorted_corpus(folder / "results" / name) == sorted_corpus(sample / name)

"""Fixtures that several test modules share."""

import os
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path

import hypothesis
import pytest

from corpusprep.io import memory

REPOSITORY = Path(__file__).parents[1]

# Examples have no time limit, for busy machines. Where $CI is set, hypothesis draws the same examples in every run.
hypothesis.settings.register_profile("untimed", hypothesis.settings(), deadline=None)
hypothesis.settings.load_profile("untimed")

# Models of languages are made once for all tests, and not in the home of whom they run for.
os.environ.setdefault("CORPUSPREP_CACHE", str(REPOSITORY / "build" / "cache"))


@pytest.fixture(scope="module")
def fresh_process() -> Iterator[None]:
    """Counts no memory that tests of other modules have left in this process: limits are for what a process holds."""
    with pytest.MonkeyPatch.context() as context:
        context.setattr(memory, "held", lambda: 150 << 20)
        context.setattr(memory, "used", lambda: 200 << 20)
        yield


@pytest.fixture(scope="session")
def evaluation_data() -> Path:
    """The folder of third-party evaluation data; skips the test where it is absent."""
    folder = Path(os.environ.get("CORPUSPREP_DATA") or REPOSITORY.parent / "shared" / "data")
    if not folder.is_dir():
        pytest.skip(f"no evaluation data at {folder} (set CORPUSPREP_DATA)")
    return folder


@pytest.fixture(scope="session")
def sample_crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archives of the sample, newly packed."""
    folder = tmp_path_factory.mktemp("crawl")
    pack = [sys.executable, str(REPOSITORY / "config" / "sample" / "pack.py"), "--output", str(folder)]
    subprocess.run(pack, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="session")
def unpacked(evaluation_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Unpacks `<name>.tar.xz` of the evaluation data once per session and returns its folder."""
    folders: dict[str, Path] = {}

    def unpack(name: str) -> Path:
        if name not in folders:
            target = tmp_path_factory.mktemp(name)
            with tarfile.open(evaluation_data / f"{name}.tar.xz") as archive:
                archive.extraction_filter = getattr(tarfile, "data_filter", None)  # not before Python 3.11.4
                archive.extractall(target)
            folders[name] = target / name
        return folders[name]

    return unpack

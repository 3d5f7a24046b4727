"""Every step of `documents`, `ngrams` and `blocks` with too little memory or disk: before it works, while it does."""

import contextlib
import io
import os
import resource
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from support.block_stage import crawl, write_batches
from support.corpus_layout import NAMES, lay_out, runs, write_lists
from support.token_tables import row, write_tokens

from corpusprep.commands.application import main
from corpusprep.dedup import resource_plans

ALL = runs()
#: More than the tests' own process holds.
PLENTY = ["--memory", "4G"]


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a small corpus that has gone through all steps."""
    flat, folder = tmp_path_factory.mktemp("flat"), tmp_path_factory.mktemp("done")
    write_batches(flat, crawl(1000), [range(500), range(500, 1000)])
    lay_out(flat, folder)
    for name, step in ALL.items():
        if name != "documents":
            assert run([*step.arguments(folder), *PLENTY]) == 0
    return folder


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a corpus that waits for `documents`, and its documents."""
    folder = tmp_path_factory.mktemp("crawled")
    rows = [row(f"2020-01-01T00:00:{k % 60:02}Z", f"http://a.example/{k % 977}", k % 811) for k in range(4000)]
    write_tokens(folder / "tokens", {name: rows[k::2] for k, name in enumerate(NAMES)})
    write_lists(folder, NAMES)
    assert run([*ALL["documents"].arguments(folder), *PLENTY]) == 0
    return folder


def files(folder: Path) -> set[str]:
    """All files in a folder."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def run(arguments: list[str]) -> object:
    """Runs a command and gives its exit code."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    return ended.value.code


@pytest.mark.parametrize("step", ALL)
def test_too_little_memory(
    done: Path, crawled: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], step: str
) -> None:
    """Is refused before the work starts, with a line that says how much would do."""
    ALL[step].prepare(crawled if step == "documents" else done, tmp_path)
    assert run([*ALL[step].arguments(tmp_path), "--memory", "1M"]) == 1
    (said,) = capfd.readouterr().err.strip().splitlines()
    assert "error: memory of 1M is too little for " in said
    assert said.endswith("M is needed")
    assert files(tmp_path) == set(ALL[step].inputs)


@pytest.mark.parametrize("step", ALL)
def test_too_little_disk(
    done: Path,
    crawled: Path,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    step: str,
) -> None:
    """Is refused before the work starts, with a line that says how much it takes, and where there is too little."""
    monkeypatch.setattr(resource_plans.shutil, "disk_usage", lambda _: SimpleNamespace(free=1))
    name = ALL[step].step.name
    ALL[step].prepare(crawled if step == "documents" else done, tmp_path)
    assert run([*ALL[step].arguments(tmp_path), *PLENTY]) == 1
    *_, plan, said = capfd.readouterr().err.strip().splitlines()
    assert plan.startswith(f"{name}: ")
    assert f"error: {name} needs about " in said
    assert f"of disk, but {tmp_path}" in said
    assert " has only 1 B free; free some space" in said
    assert files(tmp_path) == set(ALL[step].inputs)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of a megabyte."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if os.geteuid() != 0:
        pytest.skip("only root can mount a file system")
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder], check=False, capture_output=True, text=True
    )
    if mounted.returncode != 0:
        pytest.skip(f"no file system can be mounted here: {mounted.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)


@pytest.mark.parametrize("step", ALL)
def test_the_disk_fills_up(
    done: Path,
    crawled: Path,
    small_disk: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    step: str,
) -> None:
    """While a step works, at whatever moment: a line names the output and the reason, and nothing is left behind."""
    target, source = small_disk / "target", crawled if step == "documents" else done
    for name in ALL[step].inputs:  # the inputs stay on another disk
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).symlink_to(source / name)
    failed = 0
    free = shutil.disk_usage(small_disk).free
    monkeypatch.setattr(resource_plans.shutil, "disk_usage", lambda _: SimpleNamespace(free=1 << 40))
    for room in range(0, free, 4096):
        (small_disk / "filler").write_bytes(bytes(free - room))
        if run([*ALL[step].arguments(target), *PLENTY]) == 0:
            break
        failed += 1
        *_, said = capfd.readouterr().err.strip().splitlines()
        assert said.startswith(f"corpusprep: error: {target}")
        assert said.endswith("No space left on device")
        assert files(target) == set(ALL[step].inputs)
    assert failed
    assert all((target / output).read_bytes() == (source / output).read_bytes() for output in ALL[step].outputs)


@pytest.mark.parametrize("step", ALL)
def test_files_may_not_grow(done: Path, crawled: Path, tmp_path: Path, step: str) -> None:
    """Where the system limits what a process may write to a file, a line says so and nothing is left behind."""
    ALL[step].prepare(crawled if step == "documents" else done, tmp_path)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (300, before[1]))
        with contextlib.redirect_stderr(io.StringIO()) as stderr:
            code = run([*ALL[step].arguments(tmp_path), *PLENTY])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert code == 1
    *_, said = stderr.getvalue().strip().splitlines()
    assert said.startswith(f"corpusprep: error: {tmp_path}")
    assert said.endswith("File too large")
    assert files(tmp_path) == set(ALL[step].inputs)

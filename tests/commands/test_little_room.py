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
from support.deduplication_steps import NAMES, STEPS, filled
from support.token_tables import row, write_tokens

from corpusprep.commands.application import main
from corpusprep.dedup import resource_plans

INPUTS = ["--batches", "{source}/batches.tsv", "--tokens", "{source}/tokens"]
ALL = STEPS | {
    "documents": (
        ["documents", *INPUTS, "--output", "{target}/documents"],
        [f"documents/{name}.parquet" for name in NAMES],
    )
}
#: More than the tests' own process holds.
PLENTY = ["--memory", "4G"]


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a small corpus that has gone through all steps."""
    folder = tmp_path_factory.mktemp("done")
    write_batches(folder, crawl(1000), [range(500), range(500, 1000)])
    rows = [row(f"2020-01-01T00:00:{k % 60:02}Z", f"http://a.example/{k % 977}", k % 811) for k in range(4000)]
    write_tokens(folder / "tokens", {name: rows[k::2] for k, name in enumerate(NAMES)})
    for arguments, _ in ALL.values():
        assert run([*filled(arguments, folder, folder), *PLENTY]) == 0
    return folder


def run(arguments: list[str]) -> object:
    """Runs a command and gives its exit code."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    return ended.value.code


@pytest.mark.parametrize("step", ALL)
def test_too_little_memory(done: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], step: str) -> None:
    """Is refused before the work starts, with a line that says how much would do."""
    target = tmp_path / "target"
    assert run([*filled(ALL[step][0], done, target), "--memory", "1M"]) == 1
    (said,) = capfd.readouterr().err.strip().splitlines()
    assert "error: memory of 1M is too little for " in said
    assert said.endswith("M is needed")
    assert not target.exists()


@pytest.mark.parametrize("step", ALL)
def test_too_little_disk(
    done: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """Is refused before the work starts, with a line that says how much it takes, and where there is too little."""
    monkeypatch.setattr(resource_plans.shutil, "disk_usage", lambda _: SimpleNamespace(free=1))
    target, name = tmp_path / "target", " ".join(word for word in ALL[step][0][:2] if word[0] != "-")
    assert run([*filled(ALL[step][0], done, target), *PLENTY]) == 1
    *_, plan, said = capfd.readouterr().err.strip().splitlines()
    assert plan.startswith(f"{name}: ")
    assert f"error: {name} needs about " in said
    assert f"of disk, but {tmp_path} has only 1 B free; free some space" in said
    assert not target.exists()


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
    done: Path, small_disk: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """While a step works, at whatever moment: a line names the output and the reason, and nothing is left behind."""
    whole = shutil.disk_usage(small_disk)
    monkeypatch.setattr(resource_plans.shutil, "disk_usage", lambda _: SimpleNamespace(free=1 << 40))
    arguments, outputs = ALL[step]
    target = small_disk / "target"
    failed = 0
    for room in range(0, whole.free, 4096):
        (small_disk / "filler").write_bytes(bytes(whole.free - room))
        if run([*filled(arguments, done, target), *PLENTY]) == 0:
            break
        failed += 1
        *_, said = capfd.readouterr().err.strip().splitlines()
        assert said.startswith(f"corpusprep: error: {target}")
        assert said.endswith("No space left on device")
        assert [path for path in small_disk.rglob("*") if path.is_file()] == [small_disk / "filler"]
    assert failed
    assert all((target / output).read_bytes() == (done / output).read_bytes() for output in outputs)


@pytest.mark.parametrize("step", ALL)
def test_files_may_not_grow(done: Path, tmp_path: Path, step: str) -> None:
    """Where the system limits what a process may write to a file, a line says so and nothing is left behind."""
    arguments, _ = ALL[step]
    target = tmp_path / "target"
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (300, before[1]))
        with contextlib.redirect_stderr(io.StringIO()) as stderr:
            code = run([*filled(arguments, done, target), *PLENTY])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert code == 1
    *_, said = stderr.getvalue().strip().splitlines()
    assert said.startswith(f"corpusprep: error: {target}")
    assert said.endswith("File too large")
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]

"""Which jobs of a run are tried again: those that were killed, not those whose command has reported an error."""

import os
import subprocess
from pathlib import Path

import pytest
from support.built_corpora import flip_bit
from support.running import ENVIRONMENT, build, command, write_config

pytestmark = pytest.mark.slow


def run_counted(folder: Path, config: Path, words: str, instead: str, *options: str) -> tuple[int, list[str], int]:
    """Runs the workflow with a shell of its own.

    Args:
        folder: where it runs.
        config: its config.
        words: part of a command line.
        instead: shell commands that are run before such a command line.
        options: of Snakemake.

    Returns:
        The exit code of the run, the lines that it printed, and the number of such command lines.
    """
    shell, calls = folder / "bin" / "bash", folder / "calls"
    shell.parent.mkdir(exist_ok=True)
    calls.write_text("", encoding="utf-8")
    text = f'#!/bin/sh\ncase "$*" in *"{words}"*) echo >> {calls}; {instead};; esac\nexec /bin/bash "$@"\n'
    shell.write_text(text, encoding="utf-8")
    shell.chmod(0o755)
    environment = ENVIRONMENT | {"PATH": f"{shell.parent}{os.pathsep}{os.defpath}"}
    done = subprocess.run(
        command(config, 2, *options), cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stderr.splitlines(), len(calls.read_text(encoding="utf-8"))


def test_an_error_of_a_command_is_not_tried_again(sample_crawl: Path, tmp_path: Path) -> None:
    """There is one attempt; its message is shown, and only its log is left. With the cause mended, the run goes on."""
    settings = {"corpora": {"english": {"language": "en", "archives": [str(sample_crawl / "*.warc.gz")]}}}
    results = build(tmp_path, settings, "--until", "encoding")
    (table,) = (results / "english" / "encoding").glob("*.parquet")
    before = {*results.rglob("*")}
    flip_bit(table)
    config = write_config(tmp_path, settings)
    code, lines, attempts = run_counted(tmp_path, config, " step boilerplate ", ":", "--until", "boilerplate")
    assert (code, attempts) == (1, 1)
    failed, log, message, end = lines
    assert failed.startswith("Failed: Boilerplate of results/english")
    assert message.startswith(f"  | corpusprep: error: {table.relative_to(tmp_path)}: damaged")
    assert end.startswith("1 job failed.")
    left = {path for path in results.rglob("*") if path.is_file()} - before
    assert left == {tmp_path / log.removeprefix("  log: ")}
    flip_bit(table)
    build(tmp_path, settings, "--until", "boilerplate")


def test_a_killed_job_is_tried_again_and_says_what_to_do(sample_crawl: Path, tmp_path: Path) -> None:
    """Also where it is no step of the pipeline: the process that divides a batch by language is killed twice."""
    settings = {"corpora": {"all": {"languages": ["en", "cs"], "archives": [str(sample_crawl / "*.warc.gz")]}}}
    config = write_config(tmp_path, settings)
    killed = 'exec /bin/bash -c "corpusprep() { (kill -9 \\$BASHPID); }; $2"'
    words = " step languages split "
    code, lines, attempts = run_counted(tmp_path, config, words, killed, "--until", "languages_split")
    assert (code, attempts) == (1, 2)
    again, failed, _, advice, _ = [line for line in lines if not line.startswith("[")]
    assert again.startswith("Out of memory, tried again: Languages of results/all")
    assert failed.startswith("Failed: Languages of results/all")
    assert advice.startswith("  | corpusprep: out of memory: the job was killed (planned for it: ")
    assert "make batch_bytes smaller" in advice

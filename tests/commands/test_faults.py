"""Faults of the steps of `ngrams` and `blocks`: killed, damaged files. Never a wrong output."""

import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.block_stage import crawl, write_batches
from support.deduplication_steps import STEPS, filled

from corpusprep.commands.application import main

pytestmark = pytest.mark.slow
#: The command line, which says when it starts to work.
READY = (
    "from corpusprep.commands import blocks, ngrams; from corpusprep.commands.application import main;"
    " print(flush=True); main()"
)


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a corpus of 3,000 documents that has gone through all steps."""
    folder = tmp_path_factory.mktemp("done")
    documents = crawl(3000)
    write_batches(folder, documents, [range(1500), range(1500, 3000)])
    for arguments, _ in STEPS.values():
        with pytest.raises(SystemExit) as ended:
            main(filled(arguments, folder, folder))
        assert ended.value.code == 0
    return folder


def start(arguments: list[str]) -> "subprocess.Popen[str]":
    """A step in a process of its own, about to work."""
    process = subprocess.Popen(
        [sys.executable, "-c", READY, *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout
    process.stdout.readline()
    return process


@pytest.mark.parametrize("stage", ["ngrams", "blocks"])
def test_killed_at_twenty_moments(done: Path, tmp_path: Path, stage: str) -> None:
    """SIGKILL while a step works: what is there under its name is whole, and the step done again gives the same."""
    chance = random.Random(20)
    of_stage = [step for step in STEPS.values() if step[0][0] == stage]
    seconds = []
    for arguments, _ in of_stage:
        with start(filled(arguments, done, tmp_path / "once")) as process:
            began = time.monotonic()
            assert process.wait() == 0
            seconds.append(time.monotonic() - began)
    killed = 0
    for number in range(100):  # some attempts are through before their moment
        if killed == 20:
            break
        (arguments, outputs), longest = of_stage[number % len(of_stage)], seconds[number % len(of_stage)]
        target = tmp_path / str(number)
        with start(filled(arguments, done, target)) as process:
            time.sleep(chance.uniform(0, longest))
            process.send_signal(signal.SIGKILL)
            killed += process.wait() == -signal.SIGKILL
        seen = {path.name for path in target.glob("*") if not path.name.startswith(".")}
        assert seen <= set(outputs)
        for name in seen:
            assert (target / name).read_bytes() == (done / name).read_bytes(), (arguments, name)
        if number % 3 == 0:  # what the killed attempt left does not disturb the next
            with start(filled(arguments, done, target)) as process:
                assert process.wait() == 0
            assert all((target / name).read_bytes() == (done / name).read_bytes() for name in outputs)
    assert killed == 20


#: A step that reads each kind of file.
READERS = {
    "b00000.words": "lexicon",
    "b00000.keys": "candidates",
    "b00000.tokens": "runs-b00000",
    "candidates": "runs-b00000",
    "corpus.lex": "runs-b00000",
    "b00000.runs": "merge",
    "duplicates.keys": "verdicts",
    "b00000.matches": "verdicts",
    "b00000.verdicts": "apply-b00000",
}


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("damage", ["cut short", "changed"])
def test_damaged_file(done: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], name: str, damage: str) -> None:
    """At any place: the step says which file it is and writes nothing, or what it writes is the same."""
    chance = random.Random(name)
    source, target = tmp_path / "source", tmp_path / "target"
    shutil.copytree(done, source)
    whole = (done / name).read_bytes()
    arguments, outputs = STEPS[READERS[name]]
    places = [0, 7, len(whole) - 1, *(chance.randrange(len(whole)) for _ in range(12))]
    for place in places:
        broken = bytearray(whole[:place] if damage == "cut short" else whole)
        if damage == "changed":
            broken[place] ^= 1 << chance.randrange(8)
        (source / name).write_bytes(broken)
        with pytest.raises(SystemExit) as ended:
            main(filled(arguments, source, target))
        said = capfd.readouterr().err.strip().splitlines()
        if ended.value.code == 0:
            assert all((target / output).read_bytes() == (done / output).read_bytes() for output in outputs), place
            shutil.rmtree(target)
        else:
            assert name in said[-1], (place, said)
            assert not any((target / output).exists() for output in outputs)

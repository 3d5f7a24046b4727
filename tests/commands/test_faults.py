"""Faults of the steps of `ngrams` and `blocks`: killed, damaged files. Never a wrong output."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.block_stage import crawl, write_batches
from support.corpus_layout import lay_out, runs

from corpusprep.commands.application import main

pytestmark = pytest.mark.slow
#: The command line, which says when it starts to work.
READY = (
    "from corpusprep.commands import blocks, ngrams; from corpusprep.commands.application import main;"
    " print(flush=True); main()"
)

STEPS = {name: run for name, run in runs().items() if name != "documents"}


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a corpus of 3,000 documents that has gone through all steps."""
    flat, folder = tmp_path_factory.mktemp("flat"), tmp_path_factory.mktemp("done")
    write_batches(flat, crawl(3000), [range(1500), range(1500, 3000)])
    lay_out(flat, folder)
    for step in STEPS.values():
        with pytest.raises(SystemExit) as ended:
            main(step.arguments(folder))
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
    of_stage = [step for step in STEPS.values() if step.step.stage_name == stage]
    seconds = []
    for step in of_stage:
        step.prepare(done, tmp_path / "once")
        with start(step.arguments(tmp_path / "once")) as process:
            began = time.monotonic()
            assert process.wait() == 0
            seconds.append(time.monotonic() - began)
    killed = 0
    for number in range(100):  # some attempts are through before their moment
        if killed == 20:
            break
        step, longest = of_stage[number % len(of_stage)], seconds[number % len(of_stage)]
        target = tmp_path / str(number)
        step.prepare(done, target)
        with start(step.arguments(target)) as process:
            time.sleep(chance.uniform(0, longest))
            process.send_signal(signal.SIGKILL)
            killed += process.wait() == -signal.SIGKILL
        seen = {str(path.relative_to(target)) for path in target.rglob("[!.]*") if path.is_file()} - set(step.inputs)
        seen = {name for name in seen if "/." not in name}
        assert seen <= set(step.outputs)
        for name in seen:
            assert (target / name).read_bytes() == (done / name).read_bytes(), (step, name)
        if number % 3 == 0:  # what the killed attempt left does not disturb the next
            with start(step.arguments(target)) as process:
                assert process.wait() == 0
            assert all((target / name).read_bytes() == (done / name).read_bytes() for name in step.outputs)
    assert killed == 20


#: A step that reads each kind of file.
READERS = {
    "ngrams/words/b00000.words": "ngrams lexicon",
    "ngrams/words/b00000.keys": "ngrams candidates",
    "ngrams/words/b00000.tokens": "ngrams runs b00000",
    "ngrams/candidates": "ngrams runs b00000",
    "ngrams/lexicon.lex": "ngrams runs b00000",
    "ngrams/counted/b00000.runs": "ngrams merge",
    "ngrams/counted/duplicates.keys": "blocks verdicts",
    "blocks/matches/b00000/b00000.matches": "blocks verdicts",
    "blocks/verdicts/b00000.verdicts": "blocks apply b00000",
}


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("damage", ["cut short", "changed"])
def test_damaged_file(done: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], name: str, damage: str) -> None:
    """At any place: the step says which file it is and writes nothing, or what it writes is the same."""
    chance = random.Random(name)
    whole = (done / name).read_bytes()
    step = STEPS[READERS[name]]
    step.prepare(done, tmp_path)
    places = [0, 7, len(whole) - 1, *(chance.randrange(len(whole)) for _ in range(12))]
    for place in places:
        broken = bytearray(whole[:place] if damage == "cut short" else whole)
        if damage == "changed":
            broken[place] ^= 1 << chance.randrange(8)
        (tmp_path / name).unlink()  # a link of the whole one
        (tmp_path / name).write_bytes(broken)
        with pytest.raises(SystemExit) as ended:
            main(step.arguments(tmp_path))
        said = capfd.readouterr().err.strip().splitlines()
        if ended.value.code == 0:
            for output in step.outputs:
                assert (tmp_path / output).read_bytes() == (done / output).read_bytes(), place
                (tmp_path / output).unlink()
        else:
            assert name in said[-1], (place, said)
            assert not any((tmp_path / output).exists() for output in step.outputs)

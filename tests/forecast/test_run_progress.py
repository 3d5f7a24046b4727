"""How far a run is, and the time that is left."""

import inspect
import logging
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from corpusprep.forecast import run_progress
from corpusprep.forecast.run_progress import Run, Work, job_seconds, work
from corpusprep.pipeline import JOBS


class Clock:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        """Returns the time."""
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of the module."""
    made = Clock()
    monkeypatch.setattr(run_progress, "time", made)
    return made


def two_steps(cores: int = 2) -> Run:
    """Four jobs of ten seconds, then one of twenty, on a corpus of 4 MB."""
    jobs = {number: Work("Encoding", "r/a", 1_000_000, 10.0) for number in range(4)}
    return Run(jobs | {4: Work("Duplicates", "r/a", 4_000_000, 20.0)}, cores, 4_000_000)


def finish(run: Run, clock: Clock, job: int, seconds: float) -> None:
    """Runs a job."""
    run.start(job)
    clock.now += seconds
    run.end(job)


@pytest.mark.parametrize(("cores", "expected"), [(1, 60), (2, 40), (4, 30), (100, 30)])
def test_the_forecast_is_the_start(cores: int, expected: float) -> None:
    """The jobs of a step share the cores; steps follow each other."""
    run = two_steps(cores)
    assert run.share() == 0
    assert run.seconds_left() == expected


def test_finished_jobs_correct_the_forecast(clock: Clock) -> None:
    """Of the same step by what they took; of the others, too, until they have jobs of their own."""
    run = two_steps(1)
    finish(run, clock, 0, 20.0)
    assert run.share() == pytest.approx(1 / 6)
    assert run.seconds_left() == 2 * (30 + 20)
    for job in (1, 2, 3):
        finish(run, clock, job, 20.0)
    assert run.seconds_left() == 2 * 20
    finish(run, clock, 4, 5.0)
    assert (run.share(), run.seconds_left(), run.left()) == (1.0, 0.0, False)


def test_a_running_job_counts_as_far_as_it_is(clock: Clock) -> None:
    """But not as finished when it takes longer than estimated."""
    run = two_steps(1)
    run.start(0)
    clock.now += 5
    assert run.share() == pytest.approx(5 / 60)
    assert run.seconds_left() == 55
    clock.now += 500
    assert run.share() == pytest.approx(9 / 60)
    assert run.seconds_left() == 51


def queued_jobs() -> Run:
    """A hundred jobs of two seconds, all submitted to a cluster at once, and then one of ten seconds."""
    run = Run(
        {number: Work("Encoding", "r/a", 1_000_000, 2.0) for number in range(100)}
        | {100: Work("Duplicates", "r/a", 100_000_000, 10.0)},
        cores=100,
        stored=100_000_000,
        queued=True,
    )
    for number in range(100):
        run.start(number)
    return run


def test_jobs_in_a_queue_are_judged_by_their_pace(clock: Clock) -> None:
    """Most wait for a node: how long it takes until one has ended says little, how many end says all."""
    run = queued_jobs()
    for number in range(50):  # one per four seconds: two seconds of work in each of four
        clock.now += 4
        run.end(number)
    assert run.share() == pytest.approx(100 / 210)
    assert run.seconds_left() == pytest.approx(50 * 4 + 10 * 2)
    run.start(100)
    for number in range(50, 100):
        clock.now += 4
        run.end(number)
    assert run.seconds_left() == pytest.approx(10 * 2)


def test_a_job_that_waits_has_done_nothing(clock: Clock) -> None:
    """Whether it waits or runs is not known."""
    run = queued_jobs()
    clock.now += 500
    assert run.share() == 0
    assert run.seconds_left() == pytest.approx(2 + 10)


def test_a_failed_job_is_still_to_do(clock: Clock) -> None:
    """Its time corrects nothing."""
    run = two_steps(1)
    run.start(0)
    clock.now += 500
    run.end(0, failed=True)
    assert (run.share(), run.seconds_left()) == (0.0, 60.0)


def test_steps_that_run_now(clock: Clock) -> None:
    """With their running jobs, and the bytes of the archives whose jobs have finished."""
    run = two_steps()
    finish(run, clock, 0, 1.0)
    run.start(1)
    run.start(4)
    run.start(2)
    found = [(step.label, step.running, step.finished_bytes, step.bytes) for step in run.steps()]
    assert found == [("Encoding of r/a", 2, 1_000_000, 4_000_000), ("Duplicates of r/a", 1, 0, 4_000_000)]
    assert not run.complete("r/a")


def test_a_corpus_is_complete_without_its_summary(clock: Clock) -> None:
    """The job of the summary fails for an empty corpus."""
    run = Run({1: Work("Encoding", "r/a", 1, 1.0), 2: work("summary", "r/a", [1])}, 1, 1)
    finish(run, clock, 1, 1.0)
    assert run.complete("r/a")


@pytest.mark.parametrize("name", JOBS)
def test_every_job_has_an_estimate(name: str) -> None:
    """That grows with its archives."""
    assert (
        job_seconds(JOBS[name], 1, 1) > 0
        or name == "batches"
        or name.startswith(("references", "robots", "templates", "annotate", "against"))
    )
    assert work(name, "r/a", [10**9, 10**9]).seconds >= work(name, "r/a", [1]).seconds >= 0.1


def test_polars_is_not_loaded() -> None:
    """Each job on a cluster starts a Snakemake, which would take a tenth of a second longer."""
    code = "import sys, corpusprep.forecast.run_progress as run; run._costs(); print('polars' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


@pytest.fixture
def own_handlers() -> Iterator[None]:
    """What handles SIGINT and SIGTERM after the test is what did before."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def schedule(logger: logging.Logger) -> None:
    """Logs something, as Snakemake's scheduler does."""
    logger.info("Execute 2 jobs...")


@pytest.mark.usefixtures("own_handlers")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_raises_nothing_where_it_comes(number: signal.Signals) -> None:
    """Snakemake's own end is called, and Ctrl-C ends the scheduler when it logs something next; once."""
    logger = logging.Logger("snakemake")
    called = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: called.set())
    run = two_steps()
    run.watch_signals(logger)
    schedule(logger)
    assert run.stopped is None
    signal.raise_signal(number)
    assert called.wait(10)
    assert run.stopped == number
    logger.info("a line of the jobs")
    other = threading.Thread(target=schedule, args=(logger,))
    other.start()
    other.join()
    if number == signal.SIGINT:
        with pytest.raises(SystemExit, match=str(128 + signal.SIGINT)):
            schedule(logger)
    schedule(logger)


@pytest.mark.usefixtures("own_handlers")
def test_without_an_end_of_snakemake_a_signal_ends_the_run() -> None:
    """A run that has no scheduler."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    two_steps().watch_signals(logging.Logger("snakemake"))
    with pytest.raises(SystemExit, match=str(128 + signal.SIGINT)):
        signal.raise_signal(signal.SIGINT)


@pytest.mark.usefixtures("own_handlers")
def test_in_the_background_of_a_script_ctrl_c_stays_ignored() -> None:
    """A shell has it so for what it starts with `&`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    two_steps().watch_signals(logging.Logger("snakemake"))
    assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN


def test_the_scheduler_logs_where_it_can_be_ended() -> None:
    """The name of Snakemake's function, and its line after a signal."""
    scheduler = pytest.importorskip("snakemake.scheduling.job_scheduler").JobScheduler
    source = inspect.getsource(getattr(scheduler, run_progress.SCHEDULER))
    assert "Will exit after finishing currently running jobs" in source

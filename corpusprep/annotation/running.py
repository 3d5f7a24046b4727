"""Runs a user's annotator over a vertical: a command that reads a vertical and writes it with further columns.

Several copies of the command run at the same time, each on every n-th document. Their answers are checked line by line
as they come, so that a mistake stops the work at once.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from typing import IO, BinaryIO

from corpusprep.annotation.answers import AnswerError, UnansweredError, checked
from corpusprep.errors import CorpusprepError
from corpusprep.io.files import scratch, zstd_writer
from corpusprep.text.vertical import DOCUMENT_END, attributes, read_documents

#: In a command, stands for the number of threads; the command then runs once and divides its work itself.
THREADS = "{threads}"
_MESSAGE = 300  # characters of a command's last message that errors show


class AnnotationError(CorpusprepError):
    """An annotator fails, or does not give back what it was given."""


class _StoppedError(Exception):
    """Another copy has failed, or the work is given up."""


@dataclass(slots=True)
class _Part:
    """The documents of one copy: their lines in a file, and where each ends; the same of its answer."""

    questions: Path
    answers: Path
    messages: Path
    sizes: list[int] = field(default_factory=list)
    answered: list[int] = field(default_factory=list)


def annotate(
    vertical: Path, command: str | Sequence[str], columns: Sequence[str], output: Path, threads: int = 1
) -> int:
    """Writes a vertical with the columns that a command adds; returns the number of documents.

    Args:
        vertical: compressed.
        command: a line for the shell, or the words of a command. It reads a vertical from its standard input and writes
            it to its standard output.
        columns: names of the columns that it adds, in order.
        output: the annotated vertical; it appears when it is complete.
        threads: copies that run at the same time; if `{threads}` stands in the line, one copy that is told the number.

    Raises:
        AnnotationError: the command fails, or changes, loses or adds a token; names the document and the line.
        StageFileError: the vertical cannot be read.
    """
    copies = threads
    if isinstance(command, str) and THREADS in command:
        command, copies = command.replace(THREADS, str(threads)), 1
    with scratch(output) as folder:
        parts = _divided(vertical, folder, copies)
        total = sum(len(part.sizes) for part in parts)
        runs = _Runs(command, len(columns), vertical)
        with ThreadPoolExecutor(copies) as pool:
            try:
                list(pool.map(runs.run, parts))
            except BaseException:  # such as Ctrl-C: the pool waits for its threads
                runs.stop()
                raise
        if runs.error is not None:
            raise runs.error
        _gather(parts, total, output)
    return total


def _divided(vertical: Path, folder: Path, copies: int) -> list[_Part]:
    """Deals the documents of a vertical to the copies, one after the other."""
    names = [str(number) for number in range(copies)]
    parts = [_Part(folder / name, folder / f"{name}.answers", folder / f"{name}.messages") for name in names]
    with contextlib.ExitStack() as stack:
        files = [stack.enter_context(part.questions.open("wb")) for part in parts]
        for (part, file), document in zip(
            cycle(zip(parts, files, strict=True)), read_documents(vertical), strict=False
        ):
            part.sizes.append(sum(map(file.write, (document.start, *document.blocks, DOCUMENT_END))))
    return parts


def _gather(parts: Sequence[_Part], total: int, output: Path) -> None:
    """Writes the answers in the order of the documents."""
    with contextlib.ExitStack() as stack:
        files = [stack.enter_context(part.answers.open("rb")) for part in parts if part.answered]
        sizes = [iter(part.answered) for part in parts if part.answered]
        target = stack.enter_context(zstd_writer(output))
        for number in range(total):
            place = number % len(files)
            target.write(files[place].read(next(sizes[place])))


class _Runs:
    """The copies of a command. The first error ends them all."""

    def __init__(self, command: str | Sequence[str], columns: int, vertical: Path) -> None:
        self._command, self._columns, self._vertical = command, columns, vertical
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._stopped = False
        self.error: CorpusprepError | None = None

    def run(self, part: _Part) -> None:
        """Runs the command on a part; notes an error."""
        if not part.sizes:
            return
        try:
            self._answer(part)
        except _StoppedError:
            pass
        except CorpusprepError as error:
            with self._lock:
                if not self._stopped:
                    self.error = error
            self.stop()
        except BaseException:
            self.stop()
            raise

    def _answer(self, part: _Part) -> None:
        with self._started(part.questions, part.messages) as process:
            cut = self._checked(part, process)
            status = self._ended(process)
            if cut is None and status:
                raise AnnotationError(
                    f"{self._vertical}: the annotator {_end(status)} after its last document{_said(part)}"
                )
            if cut is not None and not status:
                raise self._wrong(*cut)
        if cut is not None:
            raise self._crash(part, status, cut[1].line)

    def _checked(self, part: _Part, process: subprocess.Popen[bytes]) -> tuple[bytes, UnansweredError] | None:
        """Writes the answers of a command; returns the first document without a whole one, if there is any."""
        stream = _output(process)
        document = b""
        with part.questions.open("rb") as asked, part.answers.open("wb") as answers:
            try:
                for size in part.sizes:
                    document = asked.read(size)
                    answer = checked(document, stream.readline, self._columns)
                    answers.write(answer)
                    part.answered.append(len(answer))
                if more := next((line for line in stream if line.strip()), None):
                    raise AnswerError(document.count(b"\n"), f"{more[:60]!r} follows after the last document")
            except UnansweredError as error:
                return document, error
            except AnswerError as error:
                raise self._wrong(document, error) from None
        return None

    @contextlib.contextmanager
    def _started(self, questions: Path, messages: Path) -> Iterator[subprocess.Popen[bytes]]:
        """Starts the command on a file; it has ended when the block ends."""
        shell = isinstance(self._command, str)
        with questions.open("rb") as input_file, messages.open("wb") as output_file:
            with self._lock:
                if self._stopped:
                    raise _StoppedError
                try:
                    process = subprocess.Popen(
                        self._command,
                        shell=shell,
                        stdin=input_file,
                        stdout=subprocess.PIPE,
                        stderr=output_file,
                        env=os.environ | {"PYTHONUTF8": "1"},
                        process_group=0,
                    )
                except OSError as error:
                    raise AnnotationError(f"the annotator cannot be started: {error}") from None
                self._running.add(process)
            try:
                yield process
            finally:
                with self._lock:
                    self._running.discard(process)
                _kill(process)
                _output(process).close()
                process.wait()
                with messages.open(encoding="utf-8", errors="replace") as read:
                    shutil.copyfileobj(read, sys.stderr)
                sys.stderr.flush()

    def _ended(self, process: subprocess.Popen[bytes]) -> int:
        """Returns the exit code of a command that has closed its output."""
        status = process.wait()
        if self._stopped:  # by another copy, or from outside
            raise _StoppedError
        return status

    def stop(self) -> None:
        """Ends all copies."""
        with self._lock:
            self._stopped = True
            for process in self._running:
                _kill(process)

    def _wrong(self, document: bytes, error: AnswerError) -> AnnotationError:
        return AnnotationError(f"{self._vertical}: {_named(document)}, line {error.line}: {error}")

    def _crash(self, part: _Part, status: int, line: int) -> AnnotationError:
        """Returns the error of a command that has ended within its documents: the one that ends it, if it is always so.

        A command may hold back answers. So it runs again on the documents without an answer: on the first, the first
        two, four …, until it fails, and then on what is between.
        """
        messages = _said(part)
        start, left = sum(part.sizes[: len(part.answered)]), part.sizes[len(part.answered) :]
        with part.questions.open("rb") as asked:
            asked.seek(start)
            least, most = 0, 1  # documents with which it does not fail, and does
            while not self._fails(asked, start, left[:most], part):
                if most == len(left):
                    asked.seek(start)
                    where = f"{_named(asked.read(left[0]))}, line {line}"
                    return AnnotationError(
                        f"{self._vertical}: the annotator {_end(status)} at or after {where}{messages}"
                    )
                least, most = most, min(2 * most, len(left))
            while most - least > 1:
                middle = (least + most) // 2
                least, most = (least, middle) if self._fails(asked, start, left[:middle], part) else (middle, most)
            asked.seek(start + sum(left[: most - 1]))
            where = _named(asked.read(left[most - 1]))
        return AnnotationError(f"{self._vertical}: the annotator {_end(status)} at {where}{messages}")

    def _fails(self, asked: BinaryIO, start: int, sizes: Sequence[int], part: _Part) -> bool:
        """Returns whether the command fails on documents from a place of a file on."""
        trial = part.questions.with_suffix(".trial")
        asked.seek(start)
        trial.write_bytes(asked.read(sum(sizes)))
        with self._started(trial, part.messages.with_suffix(".trial_messages")) as process:
            for _ in _output(process):
                pass
            return self._ended(process) != 0


def _output(process: subprocess.Popen[bytes]) -> IO[bytes]:
    """Returns the standard output of a command, which is a pipe."""
    assert process.stdout is not None
    return process.stdout


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Ends a command and what it has started."""
    with contextlib.suppress(ProcessLookupError):
        if process.returncode is None:  # another process may already have its number
            os.killpg(process.pid, signal.SIGKILL)


def _named(document: bytes) -> str:
    """Returns the name of a document for errors."""
    known = attributes(document.partition(b"\n")[0].decode("utf-8", "replace"))
    return " ".join(filter(None, ("document", known.get("id"), f"({known['url']})" if "url" in known else "")))


def _end(status: int) -> str:
    """Returns how a command has ended, in words."""
    if status == 127:
        return "was not found (exit code 127)"
    return f"ended with exit code {status}" if status > 0 else f"was ended by signal {-status}"


def _said(part: _Part) -> str:
    """Returns the last message of a command, for errors."""
    lines = part.messages.read_text(encoding="utf-8", errors="replace").split("\n")
    last = next((line.strip() for line in reversed(lines) if line.strip()), "")
    return f": {last[:_MESSAGE]}" if last else ""

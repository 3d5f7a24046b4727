"""Measures `corpusprep why`, `search` and the lists of words on made corpora, whole commands with Python's start.

    python bench inspection [--records 1M] [--tokens 10M] [--output FOLDER]

Records have made addresses on three million hosts, whose sizes follow a power law. Tokens are drawn from 200,000 made
words with Zipf's frequencies. Each line is a command of its own: wall-clock and CPU seconds, and peak memory. Of `why`
the lines are medians of several addresses. `--records 100M --tokens 100M` needs 15 GB of disk.
"""

import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import running

from corpusprep.io.sizes import parse_size

#: Addresses that `why` is asked for.
ASKED = 9
#: The most tokens of removed text: they are one batch.
MOST_REMOVED = 20_000_000
#: Patterns, by what they are. A word is a letter and its rank from 0, in hexadecimal; 30d3f is the last one.
PATTERNS = {
    "rare word": "h30d3f",
    "most frequent word": "a0",
    "regular expression": '"c.*7f"',
    "one with any ends": '".*c.*7.*"',
    "two words with a gap": "b1 []{0,2} c2",
    "a choice with a loop": '(b1 | c2) []* "a0" within (<p> []+)',
}
#: Lists, by what they are; each is measured twice: when it is made, and when it is kept.
LISTS: dict[str, tuple[str, ...]] = {
    "words in lower case": ("words", "--attribute", "lc"),
    "trigrams": ("words", "--attribute", "lc", "--ngrams", "3"),
    "keywords against wordfreq": ("keywords", "--language", "en"),
    "keywords of a part": ("keywords", "--where", 'host=".*[0-4]"'),
}


def main(prog: str, arguments: Sequence[str]) -> None:
    """Makes the corpora, measures, and prints a line for each part."""
    options = running.parser(prog, __doc__)
    options.add_argument("--records", type=parse_size, default=1_000_000, help="records of the index; 0: none")
    options.add_argument("--tokens", type=parse_size, default=10_000_000, help="tokens that are searched; 0: none")
    options.add_argument("--output", type=Path, help="folder for the corpora; by default, a temporary one")
    given = options.parse_args(arguments)
    with tempfile.TemporaryDirectory(dir=given.output) as temporary:
        if given.records:
            measure_why(Path(temporary) / "records", given.records)
            shutil.rmtree(Path(temporary) / "records")
        if given.tokens:
            measure_concordance(Path(temporary) / "tokens", given.tokens)
            shutil.rmtree(Path(temporary) / "tokens")
            measure_removed(Path(temporary) / "removed", min(given.tokens, MOST_REMOVED))


def measure_why(folder: Path, records: int) -> None:
    """Measures the index of so many records, and `why` with it."""
    urls = _made("make_records", folder, records, ASKED)
    _print(f"index of {records:,} records", [_measured("step", "index", folder)], "")
    size = (folder / "urls.index").stat().st_size
    print(f"{'size of the index':<32} {size / 1e6:,.1f} MB")
    for what, wanted in (("why, a page", urls), ("why, an unknown page", [f"{url}0" for url in urls[:3]])):
        known = what.endswith("a page")
        found = [_measured("why", folder, url, fails=not known) for url in wanted]
        _print(what, found, f"{len(found)} addresses, slowest {max(wall for wall, _, _ in found):.2f} s")


def measure_concordance(folder: Path, tokens: int) -> None:
    """Measures concordances of so many tokens (all hits are counted, 100 lines are printed), and lists."""
    _made("make_tokens", folder, tokens)
    for what, pattern in PATTERNS.items():
        found = _measured("search", folder, pattern, "--threads", "1")
        _print(f"concordance, {what}", [found], f"{tokens / found[1] / 1e6:.1f} M tokens per CPU second")
    for what, (command, *options) in LISTS.items():
        for when in ("made", "kept"):
            _print(f"{what}, {when}", [_measured(command, folder, *options, "--threads", "1")], "")
    for what in ("most frequent word", "rare word"):
        found = _measured("collocations", folder, PATTERNS[what], "--threads", "1")
        _print(f"collocations, {what}", [found], f"{tokens / found[1] / 1e6:.1f} M tokens per CPU second")


def measure_removed(folder: Path, tokens: int) -> None:
    """Measures a concordance of what `boilerplate` removed, which is tokenised while it is searched."""
    _made("make_removed", folder, tokens)
    options = ("--threads", "1", "--stage", "boilerplate")
    found = _measured("search", folder, PATTERNS["rare word"], *options)
    _print("concordance, removed text", [found], f"{tokens / found[1] / 1e6:.1f} M tokens per CPU second")


def _made(maker: str, *arguments: object) -> Any:
    """Calls a function of `made` in a process of its own: peak memory of a command is at least that of its parent."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(_call, maker, *arguments).result()


def _call(maker: str, *arguments: object) -> Any:
    from inspection import made

    return getattr(made, maker)(*arguments)


def _measured(*arguments: str | Path, fails: bool = False) -> tuple[float, float, float]:
    """Runs a command of corpusprep; returns wall-clock seconds, CPU seconds and peak megabytes."""
    start = time.perf_counter()
    command = [sys.executable, "-m", "corpusprep", *map(str, arguments)]
    usage = running.run(["sh", "-c", '! "$@"', "sh", *command] if fails else command)
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1e3


def _print(what: str, found: Sequence[tuple[float, float, float]], said: str) -> None:
    """Prints medians of the seconds, and the most memory."""
    wall, processor = (statistics.median(one[number] for one in found) for number in (0, 1))
    print(f"{what:<32} {wall:8.2f} s {processor:8.2f} CPU s {max(one[2] for one in found):6.0f} MB  {said}".rstrip())
    sys.stdout.flush()

"""Measures the processor time of Baisa's systems on a gold set (Baisa 2009, table 3.4)."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from corpusprep.gold import json_files, sets
from corpusprep.gold.pages import GoldPage
from corpusprep.pages import html as html_parser
from studies.evaluation.configurations import CONFIGURATIONS
from studies.evaluation.decisions import decide, segment

#: Sets that stand beside Baisa's gold standard and silver standard.
SETS = ("cleaneval-dev", "cleanportaleval")
#: Systems whose time is measured, by their titles in CONFIGURATIONS.
SYSTEMS = ("BTE", "density", "density, sites", "density, sites -r")
PARSING = "parsing"
#: Each is run as often as this; the shortest time counts.
RUNS = 3


def write(data: Path, output: Path) -> None:
    """Writes what `measure` returns of each set as JSON; a set without pages has null.

    Raises:
        GoldError: a set's files are damaged.
    """
    gold_sets = {name: sets.read(name, data) for name in SETS}
    json_files.write(
        output,
        {
            name: measure(gold_set.pages) if gold_set and gold_set.pages else None
            for name, gold_set in gold_sets.items()
        },
    )


def measure(pages: list[GoldPage]) -> dict[str, Any]:
    """Returns the number of pages, their characters, and the seconds of parsing them and of each system.

    A system's time is that from the decoded page to its text, with parsing.
    """
    several = len({page.site for page in pages}) < len(pages)
    seconds = {PARSING: _shortest(lambda: _parse(pages))}
    for configuration in CONFIGURATIONS:
        if configuration.title in SYSTEMS and (several or configuration.make().side_table is None):

            def clean(make: Callable[[], Any] = configuration.make) -> None:
                spans, good = decide(make(), segment(pages, ()), [page.site for page in pages])
                for page in range(len(pages)):
                    spans.page_text(page, good)

            seconds[configuration.title] = _shortest(clean)
    return {"pages": len(pages), "characters": sum(len(page.html) for page in pages), "seconds": seconds}


def _parse(pages: list[GoldPage]) -> None:
    for page in pages:
        try:
            html_parser.parse(page.html)
        except html_parser.PageError:
            continue


def _shortest(work: Callable[[], None]) -> float:
    """Returns the processor seconds of the shortest of RUNS runs."""
    seconds = []
    for _ in range(RUNS):
        before = time.process_time()
        work()
        seconds.append(time.process_time() - before)
    return min(seconds)

"""`corpusprep studies reuse`: measures the task of the lecture."""

from pathlib import Path

import click

from corpusprep.commands import options


@click.command("reuse")
@options.folder("--data", "Folder of the evaluation data, with clough-stevenson.tar.xz.")
@options.table_output("Table to write: answers by setting, part of the set and kind of reuse.")
def command(data: Path, output: Path) -> None:
    """Measure how many sources of short answers `check reuse` finds, at several settings (Suchomel 2015, 6)."""
    from studies.lecture_reuse import detection

    detection.write(data, output)

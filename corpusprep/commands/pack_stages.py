"""`corpusprep pack-stages`: fewer files in the folders of finished corpora."""

from pathlib import Path

import click

from corpusprep.commands import options
from corpusprep.errors import StageFileError
from corpusprep.io import folder_locks
from corpusprep.jobs import packing


@click.command("pack-stages")
@options.corpora
@click.option("--unpack", is_flag=True, help="Put the packed files back.")
def command(corpora: tuple[Path, ...], unpack: bool) -> None:
    """Pack the files of finished corpora that runs no longer need: one tar file per batch.

    The corpus itself, its tables and its report stay as they are, and so do the tables of blocks. Corpora with `from`
    read packed corpora. Commands that look into one (why, browse, recut) ask to unpack it.
    """
    for corpus in corpora:
        if not folder_locks.lock(corpus):
            raise StageFileError(f"{corpus}: a run works on it; wait until it has ended")
        count = packing.unpack(corpus) if unpack else packing.pack(corpus)
        click.echo(f"{corpus}: {count:,} file{'s' * (count != 1)} {'unpacked' if unpack else 'packed'}")

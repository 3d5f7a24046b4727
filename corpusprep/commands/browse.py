"""`corpusprep browse`: look into corpora on a local web page."""

import contextlib
import webbrowser
from pathlib import Path

import click

from corpusprep.commands import lists, options
from corpusprep.io import memory as limits


@click.command("browse")
@options.corpus
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port to serve from; 0: any that is free.")
@click.option("--open/--no-open", "opens", default=False, help="Open the page in a browser.")
@lists.columns
@click.option("--memory", type=limits.size, default="2G", help="Memory for counting words.")
def command(corpus: Path, port: int, opens: bool, columns: tuple[str, ...], memory: int) -> None:
    """Look into a corpus, or the corpora of a results folder, on a local web page.

    CORPUS may also be a results folder. The pages show sizes, why a page is in the corpus or not, concordances,
    words, keywords, collocations, thresholds with sliders, and the audit. Only this machine can open them, with the
    address that is printed; nothing is loaded from the network. Ctrl-C ends the server. Needs the extra [browse].
    """
    from corpusprep.inspection.browse.server import serve

    def ready(address: str) -> None:
        click.echo(f"{address}\nCtrl-C ends the server.")
        if opens:
            webbrowser.open(address)

    with contextlib.suppress(KeyboardInterrupt):
        serve(corpus, port, ready, columns, memory)

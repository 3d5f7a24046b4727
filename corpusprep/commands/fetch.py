"""`corpusprep fetch`: archives, or chosen records of archives, by address."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from corpusprep.commands import options
from corpusprep.commands.new_path import NewPath
from corpusprep.crawling import fetching, selections
from corpusprep.encoding import selection as encoding
from corpusprep.errors import ConfigError, CorpusprepError
from corpusprep.io import folder_locks
from corpusprep.io.entries import entries
from corpusprep.remote.downloads import Client
from corpusprep.remote.network import Access


@click.command("fetch")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option("--output", required=True, type=NewPath(file_okay=False), help="Folder for the archives.")
@click.option("--prefix", default="", help="Before the paths in lists and indexes: https://data.commoncrawl.org/")
@click.option("--endpoint", default="", help="Of s3:// addresses: a server other than Amazon's.")
@click.option(
    "--language", "languages", multiple=True, help="Index: language of pages, by its code there (ces). Repeatable."
)
@options.network("20GB", "archive", "without a byte", least=0.1, delay=0.0)
@click.option("--status", multiple=True, type=int, default=(200,), help="Index: HTTP status. Repeatable.")
@click.option(
    "--media-type",
    "media_types",
    multiple=True,
    default=("text/html", "application/xhtml+xml"),
    help="Index: media type. Repeatable.",
)
@click.option("--most", type=click.IntRange(1), help="Fetch this many archives or records, the first ones.")
@click.option("--count", is_flag=True, help="Print how much would be fetched, and end.")
@click.option("--connections", type=click.IntRange(1, 16), default=1, help="Connections at the same time.")
@click.option("--tries", type=click.IntRange(1), default=6, help="Tries per archive or record, with longer pauses.")
@click.option("--user-agent", help="What servers are told. Default: corpusprep and its version.")
def command(
    sources: tuple[str, ...],
    output: Path,
    prefix: str,
    endpoint: str,
    languages: tuple[str, ...],
    hosts: tuple[str, ...],
    status: tuple[int, ...],
    media_types: tuple[str, ...],
    most: int | None,
    count: bool,
    connections: int,
    tries: int,
    access: Access,
) -> None:
    """Fetch archives, or only the wanted records of archives, into a folder.

    A SOURCE is the address of a file; or a list of addresses, as Common Crawl's warc.paths.gz; or an index of records:
    a Parquet file of its columnar index, or CDXJ. The same command goes on where it was stopped.
    """
    client = Client(access, tries)
    indexes = [Path(source) for source in sources if "://" not in source and _is_index(Path(source))]
    if indexes and len(indexes) < len(sources):
        raise ConfigError("give either indexes, or addresses and lists of addresses; not both at once")
    if not indexes:
        urls = fetching.archive_urls(_addresses(sources), prefix, endpoint)[:most]
        if count:
            click.echo(f"{len(urls):,} archives")
            return
        with folder_locks.sole_writer(output):
            fetched = fetching.fetch_archives(urls, output, client)
        click.echo(
            f"{output}: {fetched.fetched:,} archives fetched ({fetched.bytes / 1e6:,.1f} MB), {fetched.there:,} there"
        )
        return
    places = encoding.Selection.of(hosts)
    selection = selections.Selection(frozenset(languages), places, frozenset(status), frozenset(media_types))
    wanted = selections.select(indexes, selection, most)
    if not wanted:
        raise ConfigError("the indexes have no such record: other --language, --host, --status or --media-type")
    if count:
        click.echo(f"{len(wanted):,} records, {sum(record.length for record in wanted) / 1e6:,.1f} MB")
        return
    with folder_locks.sole_writer(output):
        address = fetching.http_address(prefix, endpoint)
        fetched = fetching.RecordFetcher(output, address, client, connections).fetch(wanted)
    click.echo(
        f"{output}: {fetched.fetched:,} records fetched ({fetched.bytes / 1e6:,.1f} MB), {fetched.there:,} there"
    )
    if fetched.failed:
        raise CorpusprepError(
            f"{fetched.failed:,} of {len(wanted):,} records could not be fetched: {output / fetching.FAILED} says why"
        )


def _is_index(path: Path) -> bool:
    if not path.is_file():
        raise ConfigError(f"{path}: no such file; give an address, a list of addresses, or an index")
    return selections.is_index(path)


def _addresses(sources: Iterable[str]) -> Iterator[str]:
    for source in sources:
        if "://" in source:
            yield source
        else:
            yield from (entry.text for entry in entries([f"@{source}"]))

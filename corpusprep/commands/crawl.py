"""`corpusprep crawl`: crawl by yield."""

from pathlib import Path

import click

from corpusprep.commands import options
from corpusprep.commands.new_path import NewPath
from corpusprep.crawling import url_lists
from corpusprep.crawling.limits import CONTENT_TYPES, Limits, check_user_agent
from corpusprep.encoding.selection import Selection
from corpusprep.io.memory import size
from corpusprep.remote.network import Access


@click.command("crawl")
@click.argument("seeds", nargs=-1, required=True, metavar="SEEDS...", type=click.Path())
@click.option("--language", required=True, help="A built-in language's code, or a .model file.")
@click.option("--user-agent", required=True, help="Who crawls, with an address of mail or of a page.")
@click.option("--output", required=True, type=NewPath(file_okay=False), help="Folder for the WARC files.")
@options.network("2MB", "page", "for a response", least=1, delay=1.0)
@click.option("--not-host", "hosts_out", multiple=True, help="Domain that is not visited. Repeatable.")
@click.option("--include", multiple=True, help="Only addresses like this; * is any text. Seeds, too. Repeatable.")
@click.option("--exclude", multiple=True, help="No addresses like this; * is any text. Repeatable.")
@click.option("--top-level", multiple=True, help="Top-level domain that is visited, such as cz. Repeatable.")
@click.option("--depth", type=click.IntRange(1), help="Most links from a seed to a page.")
@click.option("--content-type", "types", multiple=True, default=CONTENT_TYPES, help="Media type. Repeatable.")
@click.option("--min-bytes", type=size, default=0, help="Smallest page, where its size is announced.")
@click.option("--host-documents", type=click.IntRange(1), help="Most documents of a host.")
@click.option("--documents", type=click.IntRange(1), help="End after this many documents; open requests are finished.")
@click.option("--bytes", "total", type=size, help="End after this many bytes; open requests are finished.")
@click.option("--seconds", type=click.IntRange(1), help="End after this many seconds.")
@click.option("--connections", type=click.IntRange(1, 256), default=16, help="Connections at the same time.")
@click.option("--sitemaps/--no-sitemaps", default=True, help="Read the sitemaps of hosts that give text.")
@click.option("--visit-all", is_flag=True, help="Visit hosts whatever their yield: a breadth-first crawl.")
def command(
    seeds: tuple[str, ...],
    language: str,
    access: Access,
    output: Path,
    hosts: tuple[str, ...],
    hosts_out: tuple[str, ...],
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    top_level: tuple[str, ...],
    depth: int | None,
    types: tuple[str, ...],
    min_bytes: int,
    host_documents: int | None,
    documents: int | None,
    total: int | None,
    seconds: int | None,
    connections: int,
    sitemaps: bool,
    visit_all: bool,
) -> None:
    """Crawl the hosts whose pages give text in a language, from lists of addresses, into WARC files.

    A host is left when its yield, the clean bytes in the language per byte fetched, is too low (SpiderLing). robots.txt
    is obeyed. Ctrl-C or SIGTERM stops the crawl. The same command goes on with it, also after it was killed.
    """
    check_user_agent(access.user_agent)
    urls = url_lists.read(seeds)
    from corpusprep.crawling import engine, yields  # scrapy is an extra, and takes a second
    from corpusprep.crawling.progress import TABLE, CrawlRun

    limits = Limits(
        Selection.of([*hosts, *map("!{}".format, hosts_out)], [*include, *map("!{}".format, exclude)]),
        tuple(end.lower() for end in top_level),
        depth,
        frozenset(types),
        min_bytes,
        access.max_bytes,
        access.allow_private,
    )
    crawl = CrawlRun(
        output=output,
        language=language,
        access=access,
        limits=limits,
        dropping=not visit_all,
        sitemaps=sitemaps,
        host_documents=host_documents,
        most_documents=documents,
        most_bytes=total,
        most_seconds=seconds,
        connections=connections,
    )
    outcome = engine.run(crawl, urls)
    for line in yields.shown(yields.final_rows(yields.read(output / TABLE)), 20):
        click.echo(line)
    click.echo(outcome.summary())

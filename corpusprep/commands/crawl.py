"""`corpusprep crawl`: crawl by yield."""

from pathlib import Path

import click

from corpusprep.commands.new_path import NewPath
from corpusprep.crawling import url_lists
from corpusprep.crawling.limits import CONTENT_TYPES, Limits, check_user_agent
from corpusprep.io.memory import size


@click.command("crawl")
@click.argument("seeds", nargs=-1, required=True, metavar="SEEDS...", type=click.Path())
@click.option("--language", required=True, help="A built-in language's code, or a .model file.")
@click.option("--user-agent", required=True, help="Who crawls, with an address of mail or of a page.")
@click.option("--output", required=True, type=NewPath(file_okay=False), help="Folder for the WARC files.")
@click.option("--host", "hosts", multiple=True, help="Domain that is visited, with its subdomains. Repeatable.")
@click.option("--not-host", "hosts_out", multiple=True, help="Domain that is not visited. Repeatable.")
@click.option("--top-level", multiple=True, help="Top-level domain that is visited, such as cz. Repeatable.")
@click.option("--depth", type=click.IntRange(1), help="Most links from a seed to a page.")
@click.option("--content-type", "types", multiple=True, default=CONTENT_TYPES, help="Media type. Repeatable.")
@click.option("--min-bytes", type=size, default=0, help="Smallest page, where its size is announced.")
@click.option("--max-bytes", type=size, default="2MB", help="Largest page.")
@click.option("--host-documents", type=click.IntRange(1), help="Most documents of a host.")
@click.option("--documents", type=click.IntRange(1), help="End after this many documents; open requests are finished.")
@click.option("--bytes", "total", type=size, help="End after this many bytes; open requests are finished.")
@click.option("--seconds", type=click.IntRange(1), help="End after this many seconds.")
@click.option("--delay", type=click.FloatRange(0), default=1.0, help="Seconds between requests to a host, at least.")
@click.option("--timeout", type=click.FloatRange(1), default=60.0, help="Seconds for a response.")
@click.option("--connections", type=click.IntRange(1, 256), default=16, help="Connections at the same time.")
@click.option("--visit-all", is_flag=True, help="Visit hosts whatever their yield: a breadth-first crawl.")
def command(
    seeds: tuple[str, ...],
    language: str,
    user_agent: str,
    output: Path,
    hosts: tuple[str, ...],
    hosts_out: tuple[str, ...],
    top_level: tuple[str, ...],
    depth: int | None,
    types: tuple[str, ...],
    min_bytes: int,
    max_bytes: int,
    host_documents: int | None,
    documents: int | None,
    total: int | None,
    seconds: int | None,
    delay: float,
    timeout: float,
    connections: int,
    visit_all: bool,
) -> None:
    """Crawl the hosts whose pages give text in a language, from lists of addresses, into WARC files.

    A host is left when its yield, the clean bytes in the language per byte fetched, is too low (SpiderLing). robots.txt
    is obeyed. Ctrl-C or SIGTERM stops the crawl. The same command goes on with it, also after it was killed.
    """
    check_user_agent(user_agent)
    urls = url_lists.read(seeds)
    from corpusprep.crawling import engine, yields  # scrapy is an extra, and takes a second
    from corpusprep.crawling.progress import TABLE, CrawlRun

    limits = Limits(
        frozenset(host.lower() for host in hosts),
        frozenset(host.lower() for host in hosts_out),
        tuple(end.lower() for end in top_level),
        depth,
        frozenset(types),
        min_bytes,
        max_bytes,
    )
    crawl = CrawlRun(
        output=output,
        language=language,
        user_agent=user_agent,
        limits=limits,
        dropping=not visit_all,
        host_documents=host_documents,
        most_documents=documents,
        most_bytes=total,
        most_seconds=seconds,
        delay=delay,
        timeout=timeout,
        connections=connections,
    )
    outcome = engine.run(crawl, urls)
    for line in yields.shown(yields.final_rows(yields.read(output / TABLE)), 20):
        click.echo(line)
    click.echo(outcome.summary())

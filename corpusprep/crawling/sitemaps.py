"""Reads sitemaps: XML, also compressed, and indexes of sitemaps (sitemaps.org). Hostile ones end early."""

import zlib
from collections.abc import Iterator

from lxml import etree
from scrapy.utils.sitemap import Sitemap

from corpusprep.archive.stored_streams import GZIP_MAGIC

#: Bytes of a sitemap as transferred and as unpacked; the protocol allows 50 MB, few have more than 10.
MOST_BYTES = 20_000_000
#: Of a host: sitemaps that are asked for, and addresses that are taken from them.
MOST_SITEMAPS, MOST_ADDRESSES = 20, 50_000


def entries(body: bytes) -> tuple[bool, Iterator[str]]:
    """Returns whether a sitemap is an index, and its addresses; what cannot be read is left out."""
    if body.startswith(GZIP_MAGIC):
        try:
            body = zlib.decompressobj(31).decompress(body, MOST_BYTES)
        except zlib.error:
            body = b""
    try:
        sitemap = Sitemap(body)
    except (etree.XMLSyntaxError, StopIteration):
        return False, iter(())
    return sitemap.type == "sitemapindex", _addresses(sitemap)


def _addresses(sitemap: Sitemap) -> Iterator[str]:
    try:
        for entry in sitemap:
            yield entry["loc"]
    except etree.XMLSyntaxError:
        pass

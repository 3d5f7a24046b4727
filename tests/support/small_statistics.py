"""The tables of the statistics of a small corpus that a data card is made from."""

from pathlib import Path

from corpusprep.io import tsv
from corpusprep.tables.batch_files import corpus_file

STATISTICS = {
    "corpus_size": [
        ("stage", "documents", "blocks", "words", "words_percent_of_previous", "tokens"),
        ("crawl", 5, 9, 1200, "", ""),
        ("blocks", 3, 4, 12, "1.0", 13),
    ],
    "crawl": [("archives", "stored_bytes", "body_bytes", "records", "pages", "urls"), (1, 10000, 20000, 6, 5, 5)],
    "ledger": [
        ("stage", "unit", "verdict", "count"),
        ("encoding", "record", "kept", 5),
        ("encoding", "record", "status", 1),
        ("boilerplate", "word", "copyright", 0),
    ],
    "domains": [
        ("host", "documents_crawl", "documents", "blocks_crawl", "blocks", "words_crawl", "words"),
        ("a.example", 3, 2, 1, 1, 1, 1),
    ],
    "host_sizes": [("documents", "hosts_crawl", "hosts_language", "hosts"), (1, 2, 2, 1), (2, 1, 1, 1)],
}


def write_statistics(corpus: Path) -> None:
    """Writes the tables into the folder of a corpus."""
    for name, (columns, *rows) in STATISTICS.items():
        path = corpus_file(corpus, name)
        path.parent.mkdir(exist_ok=True)
        tsv.write(path, columns, rows)

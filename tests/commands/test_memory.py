"""Peak memory of the stages that see every page, on an archive of 100 MB."""

import gzip
import random
from pathlib import Path

import pytest
import wordfreq
from speed import whole_stages
from support.loading import more_than_usual

from corpusprep.archive.batches import batch_names
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles, corpus_file
from corpusprep.tables.reading import read_table
from corpusprep.tables.verdicts import KEPT

pytestmark = pytest.mark.slow
ARCHIVE_BYTES, MOST_MEGABYTES = 100_000_000, 300


def paragraphs(rng: random.Random, count: int) -> list[str]:
    """Paragraphs of English words, each as frequent as it is in the language; some are headings, lists or links."""
    shares = wordfreq.get_frequency_dict("en", "small")
    words, weights = list(shares), list(shares.values())
    made = []
    for _ in range(count):
        text = " ".join(rng.choices(words, weights, k=rng.choice([3, 8, 40, 120, 250])))
        form = "<h2>{}</h2>", "<ul><li>{}<li>{}</ul>", "<a href=x>{}</a><br><br>", "<p>{}\n", "<p>{}</p>"
        made.append(rng.choice(form).format(text, text[:40]))
    return made


def write_archive(path: Path) -> None:
    """An archive of ARCHIVE_BYTES: one gzip member per page, of all sizes up to 2 MB, in UTF-8 or windows-1252."""
    rng = random.Random(1)
    pool = paragraphs(rng, 4000)
    number = 0
    with path.open("wb") as file:
        while file.tell() < ARCHIVE_BYTES:
            blocks = rng.choices(pool, k=rng.choice([0, 1, 10, 40, 100, 100, 4000 if number % 50 == 0 else 20]))
            encoding = rng.choice(["utf-8", "utf-8", "cp1252"])
            page = f"<title>Café {number}</title><body>{''.join(blocks)}".encode(encoding, "ignore")
            content = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page
            head = (
                f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/{number}\r\n"
                f"WARC-Date: 2020-01-01T00:00:00Z\r\nContent-Length: {len(content)}\r\n\r\n"
            )
            file.write(gzip.compress(head.encode() + content + b"\r\n\r\n", 1))
            number += 1


def test_no_stage_holds_an_archive(tmp_path: Path) -> None:
    """From archive to vertical, each stage stays under 300 MB, most of it what the libraries take."""
    archive = tmp_path / "large.warc.gz"
    write_archive(archive)
    whole_stages.prepare(tmp_path, [archive])
    peaks = {used.stage: used.peak_megabytes for used in whole_stages.run(tmp_path)}
    assert archive.stat().st_size >= ARCHIVE_BYTES
    (batch,) = batch_names(corpus_file(tmp_path, "plan"))
    files = BatchFiles.of(tmp_path, batch)
    documents = read_table(files.language, schemas.LANGUAGE)
    assert (documents["verdict"] == KEPT).mean() > 0.9  # the text has gone all the way
    assert read_table(files.tokens, schemas.TOKENS)["tokens"].sum() > 20_000_000
    assert max(peaks.values()) - more_than_usual() / 2**20 < MOST_MEGABYTES, peaks

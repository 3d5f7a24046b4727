"""Fetching from a server that breaks connections."""

import base64
import errno
import gzip
import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner
from support.archives import warc_record
from support.file_server import Files, serving

from corpusprep.archive.inputs import records
from corpusprep.commands.application import application
from corpusprep.crawling import fetching, selections
from corpusprep.crawling.selections import Selection, Wanted
from corpusprep.encoding.selection import Selection as Places
from corpusprep.errors import ConfigError
from corpusprep.remote.connections import FetchError
from corpusprep.remote.downloads import Client
from corpusprep.remote.network import Access

BODIES = [f"<html><p>Page {number}</p>".encode() for number in range(6)]
STORED = [warc_record(f"http://{'ab'[n % 2]}.example/{n}", body) for n, body in enumerate(BODIES)]
ARCHIVE = b"".join(STORED)
LARGE = bytes(range(256)) * 2_000


def quiet() -> tuple[Client, list[float]]:
    """A client that does not wait, and the pauses it would have made."""
    pauses: list[float] = []
    return Client(Access(timeout=5, allow_private=True), sleep=pauses.append, tries=4), pauses


def wanted() -> list[Wanted]:
    """The records of the archive, as an index has them."""
    places = [sum(map(len, STORED[:n])) for n in range(6)]
    digests = [base64.b32encode(hashlib.sha1(body).digest()).decode() for body in BODIES]
    return [
        Wanted("crawl/x.warc.gz", place, len(stored), digest, f"http://{'ab'[n % 2]}.example/{n}")
        for n, (place, stored, digest) in enumerate(zip(places, STORED, digests, strict=True))
    ]


def index(path: Path, name: str = "x.cdxj") -> Path:
    """The index of the archive: CDXJ, or a table."""
    rows = [
        {
            "url": one.url,
            "filename": one.archive,
            "offset": str(one.offset),
            "length": str(one.length),
            "digest": one.digest,
        }
        for one in wanted()
    ]
    for number, row in enumerate(rows):
        row |= {
            "status": "404" if number == 5 else "200",
            "mime": "text/html",
            "languages": "ces,eng" if number < 3 else "eng",
        }
    if name.endswith("cdxj"):
        text = "".join(f"example,a)/ 20240101000000 {json.dumps(row)}\n" for row in rows)
        (path / name).write_text(text, encoding="utf-8")
        return path / name
    pl.DataFrame(
        [
            {
                "url": row["url"],
                "warc_filename": row["filename"],
                "warc_record_offset": int(row["offset"]),
                "warc_record_length": int(row["length"]),
                "content_digest": row["digest"],
                "fetch_status": int(row["status"]),
                "content_mime_detected": row["mime"],
                "content_languages": row["languages"],
            }
            for row in rows
        ]
    ).write_parquet(path / name)
    return path / name


def test_a_file_is_completed_over_broken_connections(tmp_path: Path) -> None:
    """Nothing is fetched twice; the pauses grow, and a server may ask for longer ones."""
    client, pauses = quiet()
    with serving({"/x": LARGE}) as server:
        server.troubles = ["cut", 503, "none", "cut"]
        assert client.file(f"{server.url}/x", tmp_path / "x")
        assert not client.file(f"{server.url}/x", tmp_path / "x")
    assert (tmp_path / "x").read_bytes() == LARGE
    assert server.sent == len(LARGE)
    assert pauses == [1.0, 7.0, 4.0, 1.0]
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


def test_a_download_goes_on_in_the_next_run(tmp_path: Path) -> None:
    """If the file has changed in between, it begins again."""
    client, _ = quiet()
    for changed in (False, True):
        path = tmp_path / str(changed)
        with serving({"/x": LARGE}) as server:
            server.troubles = ["cut", 500, 500, 500, 500]
            with pytest.raises(FetchError, match=r"/x: 500 .* \(tries: 4\); run the command again later: it goes on"):
                client.file(f"{server.url}/x", path)
            assert not path.exists()
            server.troubles = []
            server.files["/x"] = LARGE[::-1] if changed else LARGE
            client.file(f"{server.url}/x", path)
            assert path.read_bytes() == server.files["/x"]
            assert server.sent == (1.5 if changed else 1) * len(LARGE)


@pytest.mark.parametrize("trouble", ["start", "changed", 416])
def test_a_part_that_does_not_continue_the_file_is_not_appended(trouble: str | int, tmp_path: Path) -> None:
    """It begins elsewhere, is of another version, or the server has none: the download begins again at once."""
    client, _ = quiet()
    client.tries = 1
    with serving({"/x": LARGE}) as server:
        server.troubles = ["cut"]
        with pytest.raises(FetchError, match="it goes on"):
            client.file(f"{server.url}/x", tmp_path / "x")
        if trouble != "start":
            server.files["/x"] = LARGE[::-1]
        server.troubles = [trouble]
        assert client.file(f"{server.url}/x", tmp_path / "x")
        assert (tmp_path / "x").read_bytes() == server.files["/x"]
        assert [asked for _, asked in server.requests] == [None, f"bytes={len(LARGE) // 2}-", None]
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


def test_what_a_server_does_not_have_is_not_asked_for_again(tmp_path: Path) -> None:
    """The error names the address."""
    client, pauses = quiet()
    with serving({}) as server, pytest.raises(FetchError, match=r"/none: 404 .*; correct the address") as caught:
        client.file(f"{server.url}/none", tmp_path / "none")
    assert caught.value.lasting
    assert pauses == []
    with serving({"/x": LARGE}) as server:
        server.ranges = False
        with pytest.raises(FetchError, match="the server sends no parts of files"):
            client.part(f"{server.url}/x", 10, 10)


@pytest.mark.parametrize("name", ["x.cdxj", "x.parquet", "x[1].parquet"])
def test_records_are_selected_by_language_host_and_status(name: str, tmp_path: Path) -> None:
    """The first language of a page counts."""
    path = index(tmp_path, name)
    assert selections.is_index(path)
    assert selections.select([path], Selection()) == wanted()[:5]
    czech = Selection(languages=frozenset({"ces"}), places=Places.of(["a.example"]))
    assert selections.select([path, path], czech) == [wanted()[0], wanted()[2]]
    assert selections.select([path], Selection(status=frozenset({404})), 3) == wanted()[5:]
    assert selections.select([path], Selection(media_types=frozenset({"text/plain"}))) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('com,a)/ 20240101 {"url": "x"}\n', "line 1: names no archive, offset and length"),
        ('com,a)/ 20240101 {"filename": "x", "offset": 1, "length": 1e400}\n', "line 1: names no archive, offset"),
        ('com,a)/ 20240101 {"url"\n', "line 1: the JSON cannot be read"),
        ('com,a)/ 20240101 {"filename": "x", "offset": 1, "length": 2}\nrest\n', "line 2: not a line of an index"),
    ],
)
def test_a_wrong_index_is_an_error(text: str, message: str, tmp_path: Path) -> None:
    """It names file, line and remedy."""
    (tmp_path / "x.cdxj").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=f"x.cdxj, {message}.*(; fetch or write it again|; give an index that does)"):
        selections.select([tmp_path / "x.cdxj"], Selection(status=frozenset(), media_types=frozenset()))


def in_form(digest: bytes, form: str) -> str:
    """A digest as some indexes have it."""
    return form.format(hex=digest.hex(), base32=base64.b32encode(digest).decode())


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("sha1", "{base32}"),
        ("sha1", "sha1:{base32}"),
        ("sha1", "sha1:{hex}"),
        ("sha1", "{hex}"),
        ("sha256", "sha256:{hex}"),
        ("sha256", "sha-256:{hex}"),
        ("sha256", "SHA-256:{hex}"),
        ("md5", "md5:{hex}"),
    ],
)
@pytest.mark.parametrize("change", [str, str.lower, str.upper])
def test_digests_of_indexes_have_many_forms(name: str, form: str, change: Callable[[str], str]) -> None:
    """Each is compared; the body that it is not of is refused."""
    first, second = (in_form(hashlib.new(name, body).digest(), form) for body in BODIES[:2])
    record = wanted()[0]
    fetching.check(STORED[0], record._replace(digest=selections.body_digest(change(first))))
    with pytest.raises(FetchError, match="the body has another digest"):
        fetching.check(STORED[0], record._replace(digest=selections.body_digest(change(second))))


@pytest.mark.parametrize(
    "said", ["", "-", "sha512:" + "0" * 128, "md5:AAAA", "sha256:" + "A" * 32, "a" * 32, "xxh3:12"]
)
def test_unknown_digests_are_not_compared(said: str) -> None:
    """A record with one is fetched as one without a digest."""
    assert selections.body_digest(said) == ""


def fetch(server: Files, folder: Path, chosen: list[Wanted], connections: int = 2) -> fetching.Fetched:
    """Fetches records without waiting."""
    return fetching.RecordFetcher(folder, f"{server.url}/", quiet()[0], connections).fetch(chosen)


def test_only_wanted_records_are_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In their order, however often the command is stopped."""
    monkeypatch.setattr(fetching, "RECORDS_PER_FILE", 3)
    chosen = [one for n, one in enumerate(wanted()) if n != 2]
    with serving({"/crawl/x.warc.gz": ARCHIVE}) as server:
        server.troubles = ["cut", "none", 503]
        found = fetch(server, tmp_path / "whole", chosen)
        assert (found.fetched, found.there, found.failed) == (5, 0, 0)
        assert server.sent == sum(one.length for one in chosen)
        server.troubles = ["", "", *[500] * 4]
        with pytest.raises(FetchError, match="500"):
            fetch(server, tmp_path / "stopped", chosen, connections=1)
        with (tmp_path / "stopped" / "records-00000.warc.gz.part").open("ab") as file:
            file.write(b"what a killed process was about to write")
        found = fetch(server, tmp_path / "stopped", chosen)
        assert (found.fetched, found.there) == (3, 2)
        assert fetch(server, tmp_path / "stopped", chosen).there == 5
        with pytest.raises(ConfigError, match="has records of another selection; choose another folder"):
            fetch(server, tmp_path / "stopped", chosen[1:])
    files = [f"records-0000{n}.warc.gz" for n in (0, 1)]
    assert [(tmp_path / "whole" / name).read_bytes() for name in files] == [
        (tmp_path / "stopped" / name).read_bytes() for name in files
    ]
    assert b"".join((tmp_path / "whole" / name).read_bytes() for name in files) == b"".join(STORED[:2] + STORED[3:])
    assert sorted(path.name for path in (tmp_path / "stopped").glob("[!.]*")) == ["failed.tsv", *files]


def test_records_that_are_not_those_of_the_index_are_named(tmp_path: Path) -> None:
    """Digest, place and archive are checked; the others are fetched."""
    first, second, third, fourth, *_ = wanted()
    chosen = [
        first,
        second._replace(digest="A" * 32),
        third._replace(offset=third.offset + 5),
        fourth._replace(archive="none.warc.gz"),
    ]
    with serving({"/crawl/x.warc.gz": ARCHIVE}) as server:
        found = fetch(server, tmp_path, chosen)
        assert fetch(server, tmp_path, chosen).failed == 3
    assert (found.fetched, found.failed) == (1, 3)
    rows = (tmp_path / "failed.tsv").read_text(encoding="utf-8").splitlines()
    assert [row.rpartition("\t")[2].partition(": ")[2][:30] for row in rows[1:]] == [
        "the body has another digest th",
        "no record begins here",
        "404 Not Found; correct the add",
    ]
    assert [record.url for record in records(tmp_path / "records-00000.warc.gz")] == [first.url]


def test_the_command_fetches_archives_of_a_list(tmp_path: Path) -> None:
    """As Common Crawl's warc.paths.gz, with a prefix."""
    (tmp_path / "warc.paths.gz").write_bytes(gzip.compress(b"crawl/x.warc.gz\ncrawl/y.warc.gz\n"))
    arguments = ["fetch", str(tmp_path / "warc.paths.gz"), "--output", str(tmp_path / "crawl")]
    with serving({"/crawl/x.warc.gz": ARCHIVE, "/crawl/y.warc.gz": STORED[0]}) as server:
        done = CliRunner().invoke(application, [*arguments, "--prefix", server.url, "--allow-private"])
        assert (done.exit_code, done.exception) == (0, None)
        assert "2 archives fetched" in done.output
        assert (tmp_path / "crawl" / "x.warc.gz").read_bytes() == ARCHIVE
        done = CliRunner().invoke(application, [*arguments, "--prefix", server.url, "--allow-private"])
        assert "0 archives fetched (0.0 MB), 2 there" in done.output
    done = CliRunner().invoke(application, arguments)
    assert isinstance(done.exception, ConfigError)
    assert "'crawl/x.warc.gz' is no http, https or s3 address; give --prefix" in str(done.exception)


@pytest.mark.parametrize("prefixed", [False, True])
def test_the_command_fetches_public_objects_of_a_storage(tmp_path: Path, prefixed: bool) -> None:
    """By their s3:// addresses, or a prefix of them; keys are quoted."""
    (tmp_path / "list").write_text("crawl/a b.warc.gz\n", encoding="utf-8")
    sources = [str(tmp_path / "list"), "--prefix", "s3://bucket"] if prefixed else ["s3://bucket/crawl/a b.warc.gz"]
    with serving({"/bucket/crawl/a%20b.warc.gz": ARCHIVE}) as server:
        arguments = ["fetch", *sources, "--endpoint", server.url, "--output", str(tmp_path / "crawl")]
        done = CliRunner().invoke(application, [*arguments, "--allow-private"])
    assert (done.exit_code, done.exception) == (0, None)
    assert [path.read_bytes() for path in (tmp_path / "crawl").iterdir()] == [ARCHIVE]


def test_signed_addresses_are_fetched_and_not_stored(tmp_path: Path) -> None:
    """A download goes on under a new signature; no file and no message has a signature; digests of S3 are checked."""
    address, path = "/bucket/x.warc.gz", tmp_path / "x.warc.gz"
    query = "?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Expires=60&X-Amz-Signature="
    client, _ = quiet()
    with serving({address: LARGE}) as server:
        server.storage, server.signature = True, "X-Amz-Signature=one"
        server.troubles = ["cut", 503, 503, 503, 503]
        with pytest.raises(FetchError, match=r"/bucket/x\.warc\.gz: 503 .* it goes on$"):
            client.file(f"{server.url}{address}{query}one", path)
        assert not [one for one in tmp_path.iterdir() if b"Signature" in one.read_bytes()]
        server.signature = "X-Amz-Signature=two"
        with pytest.raises(FetchError, match=r"/bucket/x\.warc\.gz: 403 Forbidden; sign the address again$"):
            client.file(f"{server.url}{address}{query}one", path)
        arguments = ["fetch", f"{server.url}{address}{query}two", "--output", str(tmp_path), "--allow-private"]
        done = CliRunner().invoke(application, arguments)
        assert (done.exit_code, done.exception) == (0, None)
        assert path.read_bytes() == LARGE
        assert server.sent == len(LARGE)
        assert [one.name for one in tmp_path.iterdir()] == ["x.warc.gz"]
        server.troubles, server.files["/y.warc.gz"] = ["wrong"], LARGE
        with pytest.raises(FetchError, match="the bytes have another digest than the storage says; run the command"):
            client.file(f"{server.url}/y.warc.gz{query}two", tmp_path / "y.warc.gz")
        assert not (tmp_path / "y.warc.gz").exists()
        assert client.file(f"{server.url}/y.warc.gz{query}two", tmp_path / "y.warc.gz")


@pytest.mark.parametrize("address", ["s3://bucket", "s3://bucket/", "s3:///a.warc.gz", "s3://bucket/crawl/"])
def test_a_bucket_or_a_folder_is_no_archive(address: str) -> None:
    """It is said before anything is asked of a server."""
    with pytest.raises(ConfigError, match=r"names no object; write s3://BUCKET/PATH of one archive$"):
        fetching.http_address(address)


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("http://[bad/x.gz?Signature=0f", "'http://[bad/x.gz' is not a valid address"),
        ("http://a.example:port/x.gz", "is not a valid address"),
        ("http://a.example:99999/x.gz", "is not a valid address"),
        ("http:///x.gz", "is not a valid address (it has no host"),
        (f"http://a.example/{'x' * 250}.gz", "the name has more than 240 bytes"),
    ],
)
def test_a_wrong_address_is_said_before_anything_is_fetched(address: str, message: str, tmp_path: Path) -> None:
    """In one line, and without a second try."""
    arguments = ["fetch", "http://a.example/x.warc.gz", address, "--output", str(tmp_path / "crawl")]
    done = CliRunner().invoke(application, arguments)
    assert isinstance(done.exception, ConfigError)
    assert message in str(done.exception)
    assert not (tmp_path / "crawl").exists()
    client, pauses = quiet()
    with pytest.raises(FetchError, match="not a valid address"):
        client.part("http://a.example:port/x.gz", 0, 1)
    assert pauses == []


@pytest.mark.parametrize(
    "address",
    [
        "http://a.example/..",
        "http://a.example/x/.",
        "http://a.example/.x",
        "http://a.example/x.part",
        "s3://b/x.part.json",
    ],
)
def test_no_archive_has_the_name_of_a_folder_or_of_a_file_of_ours(address: str, tmp_path: Path) -> None:
    """It would count as there, or be overwritten."""
    done = CliRunner().invoke(application, ["fetch", address, "--output", str(tmp_path / "crawl")])
    assert isinstance(done.exception, ConfigError)
    assert "no archive is named" in str(done.exception)


@pytest.mark.parametrize(
    ("length", "message"),
    [
        ("-5", "the length that the server announces is '-5'"),
        ("+5", "the length that the server announces is"),
        ("9" * 20, "longer than 1,000,000 bytes; if that is right, raise --max-bytes"),
        ("1" * 5000, "the length that the server announces is"),
        ("1000001", "longer than 1,000,000 bytes"),
        ("512001", "(IncompleteRead|the connection broke)"),
    ],
)
def test_a_file_of_a_wrong_length_is_not_complete(length: str, message: str, tmp_path: Path) -> None:
    """Whatever the server announces."""
    client, _ = quiet()
    client.access.max_bytes, client.tries = 1_000_000, 1
    with serving({"/x": LARGE}) as server:
        server.troubles = [f"length:{length}"]
        with pytest.raises(FetchError, match=message):
            client.file(f"{server.url}/x", tmp_path / "x")
    assert not (tmp_path / "x").exists()


def test_a_file_without_end_is_not_taken(tmp_path: Path) -> None:
    """Also if its length is not announced; a record is not longer than the index says."""
    client, pauses = quiet()
    client.access.max_bytes = 100_000
    with serving({"/x": LARGE}) as server:
        server.troubles = ["no length"]
        with pytest.raises(FetchError, match="longer than 100,000 bytes") as caught:
            client.file(f"{server.url}/x", tmp_path / "x")
    assert caught.value.lasting
    assert pauses == []
    assert (tmp_path / "x.part").stat().st_size < 200_000


def test_a_full_disk_is_no_fault_of_the_network(tmp_path: Path) -> None:
    """It ends the command at once, with the system's words."""
    client, pauses = quiet()
    (tmp_path / "x.part").symlink_to("/dev/full")
    with serving({"/x": LARGE}) as server, pytest.raises(OSError, match="No space left") as caught:
        client.file(f"{server.url}/x", tmp_path / "x")
    assert caught.value.errno == errno.ENOSPC
    assert caught.value.filename == str(tmp_path / "x.part")
    assert pauses == []


def test_records_come_over_one_connection(tmp_path: Path) -> None:
    """A connection for each takes most of the time over TLS."""
    with serving({"/crawl/x.warc.gz": ARCHIVE}) as server:
        server.keeps = True
        fetch(server, tmp_path, wanted(), connections=1)
        assert server.connections == 1


def test_addresses_are_encoded(tmp_path: Path) -> None:
    """Letters with accents and spaces are; what is encoded already stays."""
    client, _ = quiet()
    with serving({"/%C3%A9%20b%2Fc.gz": LARGE}) as server:
        assert client.file(f"{server.url}/é b%2Fc.gz?d=ž", tmp_path / "x")
        assert server.requests == [("/%C3%A9%20b%2Fc.gz?d=%C5%BE", None)]


@pytest.mark.parametrize(
    ("said", "seconds"), [("7", 7.0), ("²", 0.0), ("٧", 0.0), ("-1", 0.0), ("soon", 0.0), ("9" * 15, 300.0)]
)
def test_a_server_may_ask_for_a_pause(said: str, seconds: float, tmp_path: Path) -> None:
    """What is no number of seconds asks for none."""
    client, pauses = quiet()
    client.pause = 0.0
    with serving({"/x": LARGE}) as server:
        server.troubles, server.pause = [503], said
        assert client.file(f"{server.url}/x", tmp_path / "x")
    assert pauses == [seconds]


def test_the_command_counts_and_fetches_records(tmp_path: Path) -> None:
    """By an index."""
    arguments = ["fetch", str(index(tmp_path)), "--output", str(tmp_path / "crawl"), "--language", "ces"]
    with serving({"/crawl/x.warc.gz": ARCHIVE}) as server:
        arguments += ["--prefix", server.url, "--allow-private"]
        assert "3 records, 0.0 MB" in CliRunner().invoke(application, [*arguments, "--count"]).output
        assert server.requests == []
        assert "3 records fetched" in CliRunner().invoke(application, arguments).output
    assert len(list(records(tmp_path / "crawl" / "records-00000.warc.gz"))) == 3

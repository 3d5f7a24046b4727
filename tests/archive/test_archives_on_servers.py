"""Archives that are read where they lie: the same records, or an error that names the archive."""

import gzip
import hashlib
import os
import pickle
import sys
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner
from support.archives import PROSE, warc_record
from support.file_server import Files, serving

from corpusprep.archive import batches, inputs
from corpusprep.archive.patterns import expand
from corpusprep.commands.application import application
from corpusprep.errors import ArchiveError, ConfigError
from corpusprep.remote import reading
from corpusprep.remote.addresses import Address, archive_path
from corpusprep.remote.storage import Storage
from corpusprep.tables import schemas
from corpusprep.tables.reading import read_table

#: Numbers, which are hard to compress: the beginning of the archive is read at once.
WARC = b"".join(
    warc_record(
        f"https://a.example/{number}",
        f"<html><body><p>{PROSE} {number}</p><!--{hashlib.shake_128(bytes([number])).hexdigest(10_000)}-->".encode(),
    )
    for number in range(40)
)
NAMES = [f"crawl/{part}-{number}.warc.gz" for part in ("a", "b") for number in range(5)]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Files]:
    """A server with a bucket, whose clients wait for no second."""
    files = {f"/bucket/{name}": WARC for name in NAMES} | {"/bucket/notes.txt": b"x"}
    with serving(files) as served:
        served.storage, served.pause = True, "0"
        monkeypatch.setattr(reading, "PART_BYTES", 40_000)
        monkeypatch.setattr(Storage, "__init__", _impatient(Storage.__init__))
        monkeypatch.setattr(reading.Client, "__init__", _impatient(reading.Client.__init__))
        for name, value in (
            ("AWS_ENDPOINT_URL", served.url),
            ("AWS_ACCESS_KEY_ID", "a"),
            ("AWS_SECRET_ACCESS_KEY", "b"),
        ):
            monkeypatch.setenv(name, value)
        _forget()
        yield served
        _forget()


def _impatient(initialise):
    return lambda client, *arguments, **named: initialise(client, *arguments, **named, pause=0.001)


def _forget() -> None:
    reading.storage.cache_clear()
    reading._client.cache_clear()


def addresses_of(served: Files, name: str) -> dict[str, str]:
    """The address of a file of the bucket by scheme."""
    return {"s3": f"s3://bucket/{name}", "http": f"{served.url}/bucket/{name}"}


@pytest.mark.parametrize("scheme", ["s3", "http"])
@pytest.mark.parametrize("packed", [True, False])
def test_records_are_those_of_a_file(server: Files, tmp_path: Path, scheme: str, packed: bool) -> None:
    """Whatever breaks meanwhile, as long as it does not break for good."""
    data = WARC if packed else gzip.decompress(WARC)
    server.files["/bucket/x"] = data
    (tmp_path / "x").write_bytes(data)
    address = Address(addresses_of(server, "x")[scheme])
    server.troubles = [503, "cut", "none", "", "cut", 500, "none", "cut", 429, "", 503]
    assert list(inputs.records(address)) == list(inputs.records(tmp_path / "x"))
    assert not server.troubles
    assert server.sent < 2 * len(data)  # it is read once


def test_any_place_can_be_read(server: Files) -> None:
    """Pieces within a part, over several and beyond the end."""
    file = reading.RemoteFile(Address("s3://bucket/crawl/a-0.warc.gz"))
    for offset, count in (
        (0, 4),
        (39_990, 20),
        (0, 90_000),
        (len(WARC) - 5, 100),
        (len(WARC) + 9, 5),
        (40_000, 40_000),
        (7, 0),
    ):
        file.seek(offset)
        assert file.read(count) == WARC[offset : offset + count]
    assert file.read(3) == WARC[7:10]
    file.close()


@pytest.mark.parametrize("scheme", ["s3", "http"])
@pytest.mark.parametrize(
    ("troubles", "message"),
    [
        ([503] * 6, r"503 Service Unavailable \(tries: 6\)"),
        (["none"] * 6, r"(error sending request|Connection aborted\.) \(tries: 6\)"),
        ([403], r"403"),
        ([404], r"404"),
    ],
)
def test_what_cannot_be_read_is_an_error(server: Files, scheme: str, troubles: list[str | int], message: str) -> None:
    """It names the archive and the place; no record is lost without a word."""
    address = addresses_of(server, NAMES[0])[scheme]
    records = inputs.records(Address(address))
    next(records)
    server.troubles = [*troubles, *troubles]  # of the part that is asked for ahead, too
    with pytest.raises(ArchiveError, match=rf"^cannot read archive {address}: {message}.* \(at byte \d+\)$"):
        list(records)


@pytest.mark.parametrize("scheme", ["s3", "http"])
def test_an_archive_that_changes_is_an_error(server: Files, scheme: str) -> None:
    """Its beginning and its end would not be of one archive."""
    records = inputs.records(Address(addresses_of(server, NAMES[0])[scheme]))
    next(records)
    server.files[f"/bucket/{NAMES[0]}"] = WARC[::-1]
    with pytest.raises(ArchiveError, match="changed while it was read; run the command again"):
        list(records)


def test_a_server_that_sends_no_parts_is_an_error(server: Files) -> None:
    """It would send the whole archive for each part; that is known before the run."""
    server.ranges = False
    with pytest.raises(ArchiveError, match=r"the server sends no parts of files \(Range\); fetch the file"):
        expand([f"{server.url}/bucket/{NAMES[0]}"])
    server.ranges, server.troubles = True, ["", "start"]
    file = reading.RemoteFile(Address(f"{server.url}/bucket/{NAMES[0]}"))
    file.seek(90_000)
    with pytest.raises(ArchiveError, match="the server sends another part than the one asked for"):
        file.read(1)


@pytest.mark.parametrize(
    ("patterns", "names"),
    [
        (["s3://bucket/crawl/a-0.warc.gz"], NAMES[:1]),
        (["s3://bucket/crawl/b-*.warc.gz"], NAMES[5:]),
        (["s3://bucket/crawl/a-[!0-2].*", "s3://bucket/crawl/a-?.warc.gz", "!*-3.*"], [*NAMES[:3], NAMES[4]]),
        (["s3://bucket/**/*-1.warc.gz"], [NAMES[1], NAMES[6]]),
        (["s3://bucket/*.gz", "s3://bucket/crawl/", "!s3://bucket/crawl/b-*"], NAMES[:5]),
        (["s3://bucket/", "!s3://bucket/crawl/a-*", "!o"], NAMES[5:]),
        (["@s3://bucket/crawl/warc.paths.gz"], NAMES),
        (["s3://bucket/o/*"], ["o/a b+c#%20é.warc.gz"]),
        (["s3://bucket/o/a b+c#%20é.warc.gz"], ["o/a b+c#%20é.warc.gz"]),
        (["s3://bucket/**", "!o", "!@s3://bucket/crawl/warc.paths.gz", "!*.paths.gz", "!top.gz"], ["notes.txt"]),
    ],
)
def test_patterns_of_storage(server: Files, patterns: list[str], names: list[str]) -> None:
    """As those of paths; a folder has a slash at its end; a list holds keys."""
    server.files |= {"/bucket/top.gz": b"x", "/bucket/o/a b+c#%20é.warc.gz": b"x"}
    wanted = [*names, "top.gz"] if "s3://bucket/*.gz" in patterns else names
    listed = "# a list\n" + "\n".join(NAMES) + "\n"
    server.files["/bucket/crawl/warc.paths.gz"] = gzip.compress(listed.encode())
    assert list(map(str, expand(patterns))) == [f"s3://bucket/{name}" for name in wanted]


def test_long_listings(server: Files) -> None:
    """A thousand objects per answer; sizes are known without a request for each."""
    server.files = {f"/bucket/x/{number:05}.warc.gz": b"xyz" for number in range(2100)}
    keys = "\n".join(path.removeprefix("/bucket/") for path in server.files)
    server.files["/bucket/warc.paths"] = keys.encode()
    archives = expand(["@s3://bucket/warc.paths"])
    assert (len(archives), sum(map(batches.stored_size, archives))) == (2100, 6300)
    assert len(server.requests) == 5  # two for the list, three for the folder


def test_lists_of_a_server(server: Files) -> None:
    """Their entries are paths from its root, and name no other server."""
    server.files["/crawl/warc.paths"] = f"bucket/{NAMES[0]}\n\n/bucket/{NAMES[1]}\n".encode()
    assert list(map(str, expand([f"@{server.url}/crawl/warc.paths"]))) == [
        f"{server.url}/bucket/{name}" for name in NAMES[:2]
    ]
    server.files["/crawl/warc.paths"] = b"http://127.0.0.1:1/x\n"
    with pytest.raises(ArchiveError, match=r"warc.paths, line 1: .* is on another server; keep the list in a file"):
        expand([f"@{server.url}/crawl/warc.paths"])
    server.files["/crawl/warc.paths"] = gzip.compress(b"x" * 10)[:-9]
    with pytest.raises(ArchiveError, match="the list is cut"):
        expand([f"@{server.url}/crawl/warc.paths"])


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("s3://bucket/nix-*.gz", "no archive matches 's3://bucket/nix-"),
        ("s3://*/a.gz", "name the bucket without wildcards"),
        ("s3://bucket", "names no object"),
        ("https://a.example/*.gz", "a server of HTTP lists no files"),
        ("https://a.example/x.gz?X-Amz-Signature=1", "is signed, for some time only"),
        ("https://me:secret@a.example/x.gz", "an address with a password"),
        ("https:///x.gz", "not a valid address"),
        ("s3://bucket/{*.warc.gz", "contains a brace"),
    ],
)
def test_wrong_addresses_are_errors(server: Files, pattern: str, message: str) -> None:
    """One line, without secrets, that says what to write."""
    server.files["/bucket/{x}.warc.gz"] = b"x"
    with pytest.raises(ArchiveError, match=message) as error:
        expand([pattern])
    assert "secret" not in str(error.value)


def test_redirects_lead_to_no_private_address(server: Files) -> None:
    """The user has named a server of their network, but not what it leads to."""
    with serving({"/x": WARC}) as other:
        server.troubles = [f"to:{other.url}/x"]
        with pytest.raises(
            ArchiveError, match=r"a redirect leads to 127[.]0[.]0[.]1, which is this machine or in a private"
        ):
            expand([f"{server.url}/bucket/{NAMES[0]}"])
        assert not other.requests
    server.troubles = [f"to:{server.url}/bucket/{NAMES[1]}"]
    assert len(expand([f"{server.url}/bucket/{NAMES[0]}"])) == 1


def test_empty_archives(server: Files) -> None:
    """All of them: an error, as of files."""
    server.files = {"/bucket/x.warc.gz": b""}
    for address in addresses_of(server, "x.warc.gz").values():
        with pytest.raises(ArchiveError, match="is empty"):
            expand([address])


def test_batches_know_the_versions(server: Files, tmp_path: Path) -> None:
    """A changed archive, of the same size, makes another batch; the table keeps addresses and versions."""
    (tmp_path / "x.warc.gz").write_bytes(WARC)
    patterns = [str(tmp_path / "x.warc.gz"), "s3://bucket/crawl/a-*", f"{server.url}/bucket/{NAMES[9]}"]
    (before,) = batches.plan(expand(patterns), 10**9)
    batches.write_batches([before], tmp_path / "batches.tsv")
    assert batches.read_batches(tmp_path / "batches.tsv") == [before]
    server.files[f"/bucket/{NAMES[9]}"] = WARC[::-1]
    (after,) = batches.plan(expand(patterns), 10**9)
    assert (after.sizes, after.archives) == (before.sizes, before.archives)
    assert after.name != before.name


def test_addresses_stay_as_they_are() -> None:
    """As paths they would lose slashes."""
    address = archive_path("https://a.example//b/../c.warc.gz")
    assert str(address) == os.fspath(address) == str(pickle.loads(pickle.dumps(address))) == f"{address}"
    assert (address.name, address.suffix, str(address.parent)) == ("c.warc.gz", ".gz", "https:/a.example/b/..")
    assert address == Address(str(address)) != Path(str(address))


def test_steps_read_them(server: Files, tmp_path: Path) -> None:
    """The tables are those of files, but for the names of the archives."""
    (tmp_path / "x.warc.gz").write_bytes(WARC)
    tables = []
    for archive in (str(tmp_path / "x.warc.gz"), f"s3://bucket/{NAMES[0]}"):
        folder = tmp_path / str(len(tables))
        run("batches", "--archive", archive, folder)
        (batch,) = batches.read_batches(folder / "batches.tsv")
        run("encoding", folder, "--batch", batch.name, "--archive", archive, "--model", "en")
        run("boilerplate", folder, "--batch", batch.name, "--model", "en")
        table = read_table(folder / "encoding" / f"{batch.name}.parquet", schemas.ENCODING)
        assert table["archive"].unique().to_list() == [archive]
        blocks = pl.read_parquet(folder / "boilerplate" / f"{batch.name}.parquet")
        tables.append((table.drop("archive", "batch"), blocks.drop("batch")))
    assert tables[0][0].equals(tables[1][0])
    assert tables[0][1].equals(tables[1][1])
    assert tables[0][1].height >= 40


def run(step: str, *arguments: object) -> None:
    """Runs a step that must succeed."""
    result = CliRunner().invoke(application, ["step", step, *map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == 0, result.output


def test_storage_needs_its_extra(server: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line says how to install it."""
    monkeypatch.setitem(sys.modules, "obstore", None)
    with pytest.raises(
        ConfigError, match=r"s3:// addresses: this needs obstore: .* -m pip install 'corpusprep\[remote\]'$"
    ):
        expand(["s3://bucket/crawl/a-*"])


@pytest.mark.parametrize("value", ["nix", "ftp://a.example"])
def test_a_wrong_endpoint_is_an_error(server: Files, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    """It is one of the environment."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", value)
    with pytest.raises(ConfigError, match=rf"^AWS_ENDPOINT_URL: '{value}' is not a valid address"):
        expand(["s3://bucket/crawl/a-*"])

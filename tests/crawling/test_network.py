"""Which servers may be asked, and how: private addresses, certificates, proxies."""

import datetime
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from support.archives import PROSE
from support.crawls import TEXT, crawl_all, serving
from support.file_server import serving as files
from support.host_farm import HTML, Answer, page

from corpusprep.archive.inputs import records
from corpusprep.commands.application import application
from corpusprep.crawling import engine
from corpusprep.crawling.limits import Limits
from corpusprep.crawling.progress import CrawlRun
from corpusprep.remote import network
from corpusprep.remote.connections import FetchError
from corpusprep.remote.downloads import Client
from corpusprep.remote.network import Access

PUBLIC = "8.8.8.8 192.0.0.9 2606:4700::1 ::ffff:8.8.8.8 64:ff9b::808:808"
PRIVATE = """
    127.0.0.1 127.9.9.9 0.0.0.0 10.1.2.3 172.16.0.1 192.168.1.1 100.64.0.1 169.254.169.254 192.0.2.1 198.18.0.1
    224.0.0.1 240.0.0.1 255.255.255.255 ::1 :: fe80::1 fe80::1%eth0 fc00::1 fec0::1 ff02::1 2001:db8::1 ::ffff:10.0.0.1
    ::127.0.0.1 64:ff9b::7f00:1 2002:7f00:1::
"""


def test_public_addresses_are_global_ones() -> None:
    """Also those inside of IPv6 addresses."""
    assert [address for address in PUBLIC.split() if not network.is_public(address)] == []
    assert [address for address in PRIVATE.split() if network.is_public(address)] == []


@pytest.mark.parametrize(
    "name",
    [
        *"localhost LOCALHOST. x.localhost 127.1 0177.0.0.1 0x7f.0.0.1 2130706433 017700000001".split(),
        "[::1]",
        "10.0.1",
    ],
)
def test_hosts_have_many_forms(name: str) -> None:
    """Numbers of any base and of fewer parts are addresses."""
    assert network.is_private_host(name)
    assert not Limits().allows(f"http://{name}/")
    assert Limits(allow_private=True).allows(f"http://{name}/")


def test_other_names_are_looked_up() -> None:
    """Numbers that are no addresses are names, too."""
    assert not any(map(network.is_private_host, ("a.example", "8.8.8.8", "99999999999", "1.2.3.4.5", "", "\0", "é")))


@pytest.fixture
def one_public(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """Lets 127.0.0.1 be the only public address; names have the addresses given, the first ones once."""
    names: dict[str, list[str]] = {}
    look_up = network.socket.getaddrinfo

    def getaddrinfo(name: str, *arguments: Any, **options: Any) -> Any:
        if name in names:
            name = names[name].pop(0) if len(names[name]) > 1 else names[name][0]
        return look_up(name, *arguments, **options)

    monkeypatch.setattr(network, "is_public", lambda address: address == "127.0.0.1")
    monkeypatch.setattr(network.socket, "getaddrinfo", getaddrinfo)
    return names


def client(**options: Any) -> Client:
    """A client that does not wait."""
    return Client(Access(timeout=5, **options), tries=2, sleep=lambda _: None)


def test_fetch_leaves_public_servers_for_no_private_one(one_public: dict[str, list[str]], tmp_path: Path) -> None:
    """By an address, a redirect, a name, or a name that is looked up again; other schemes are none."""
    one_public["intern.example"] = ["127.0.0.2"]
    one_public["rebound.example"] = ["127.0.0.1", "127.0.0.2"]
    with files({"/x": b"x" * 9}) as server:
        port = server.url.rpartition(":")[2]
        for place in ("127.0.0.2", "2130706434", "localhost", "intern.example", "[::1]"):
            with pytest.raises(FetchError, match=r"this machine or in a private network; .* --allow-private") as caught:
                client().file(f"http://{place}:{port}/x", tmp_path / "x")
            assert caught.value.lasting
            server.troubles = [f"to:http://{place}:{port}/x"]
            with pytest.raises(FetchError, match="private network"):
                client().file(f"{server.url}/x", tmp_path / "x")
        for place in ("ftp://127.0.0.1/x", "file:///etc/passwd", "http://[bad/"):
            server.troubles = [f"to:{place}"]
            with pytest.raises(FetchError, match="not a valid address"):
                client().file(f"{server.url}/x", tmp_path / "x")
        server.troubles = ["to:/x"] * 6
        with pytest.raises(FetchError, match="more than 5 redirects"):
            client().file(f"{server.url}/x", tmp_path / "x")
        asked = len(server.requests)
        assert client().file(f"http://rebound.example:{port}/x", tmp_path / "x")
        assert len(server.requests) == asked + 1
        server.troubles = [f"to:http://localhost:{port}/x"]
        assert client(allow_private=True).file(f"{server.url}/x", tmp_path / "y")


def test_no_address_of_a_list_is_private(tmp_path: Path) -> None:
    """The command says it in one line."""
    done = CliRunner().invoke(application, ["fetch", "http://2130706433/x.gz", "--output", str(tmp_path / "out")])
    assert "2130706433 is this machine or in a private network" in str(done.exception)


def test_proxies_of_the_environment_are_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """They may be private, and look names up; addresses are checked here, and no_proxy counts."""
    with files({"http://a.example/x": b"from the proxy"}) as proxy, files({"/x": b"direct"}) as server:
        monkeypatch.setenv("http_proxy", proxy.url.replace("http://", "http://me:secret@"))
        assert client().file("http://a.example/x", tmp_path / "a")
        with pytest.raises(FetchError, match="private network"):
            client().file("http://127.0.0.2/x", tmp_path / "b")
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        assert client(allow_private=True).file(f"{server.url}/x", tmp_path / "c")
        assert proxy.requests == [("http://a.example/x", None)]
    assert (tmp_path / "a").read_bytes() == b"from the proxy"


@contextmanager
def tls(folder: Path) -> Iterator[str]:
    """A server whose certificate nobody has signed."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    today = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(today - datetime.timedelta(1))
        .not_valid_after(today + datetime.timedelta(1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("tls.example")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = certificate.public_bytes(serialization.Encoding.PEM) + key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (folder / "server.pem").write_bytes(pem)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "server.pem")

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"ok")

        def log_message(self, *arguments: object) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield f"https://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def test_certificates_are_verified(tmp_path: Path) -> None:
    """Unless the user says that they are not; a trusted one is taken."""
    with tls(tmp_path) as url:
        with pytest.raises(FetchError, match=r"certificate verify failed.*; .* --insecure") as caught:
            client(allow_private=True).file(f"{url}/x", tmp_path / "x")
        assert caught.value.lasting
        assert client(allow_private=True, insecure=True).file(f"{url}/x", tmp_path / "x")
    for insecure in (False, True):
        crawl = CrawlRun(output=tmp_path, language="en", access=Access(insecure=insecure), limits=Limits())
        assert engine.settings(crawl, set())["DOWNLOAD_VERIFY_CERTIFICATES"] is not insecure


def test_certificates_are_verified_for_names(
    one_public: dict[str, list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not for the addresses that are connected to."""
    one_public |= {"tls.example": ["127.0.0.1"], "other.example": ["127.0.0.1"]}
    with tls(tmp_path) as url:
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "server.pem"))
        assert client().file(f"{url.replace('127.0.0.1', 'tls.example')}/x", tmp_path / "x")
        with pytest.raises(FetchError, match="certificate verify failed"):
            client().file(f"{url.replace('127.0.0.1', 'other.example')}/x", tmp_path / "y")


ONE_PUBLIC = """
import socket
look_up = socket.getaddrinfo
names = {"intern.example": "127.0.1.2", "public.example": "127.0.1.1"}
socket.getaddrinfo = lambda name, *rest, **more: look_up(names.get(name, name), *rest, **more)
from corpusprep.remote import network
network.is_public = lambda address: address in ("127.0.1.1", "127.0.1.3")
from corpusprep.commands.application import main
main()
"""


def run_with_one_public(command: list[str]) -> subprocess.CompletedProcess[str]:
    """A crawl for which 127.0.1.1 and 127.0.1.3 are the only public addresses."""
    assert command[1:3] == ["-m", "corpusprep"]
    words = [word for word in command[3:] if word != "--allow-private"]
    return subprocess.run(
        [sys.executable, "-c", ONE_PUBLIC, *words], capture_output=True, text=True, check=False, timeout=90
    )


@pytest.mark.slow
def test_a_crawl_uses_the_proxies_of_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy may be private, and looks names up; numbers are checked before it is asked."""

    def answer(path: str) -> Answer:
        return page("small", [PROSE], ["/1", "http://127.0.1.2/", "http://2130706433/"])

    with serving(answer) as hosts:
        monkeypatch.setenv("http_proxy", hosts[0].url)
        command = crawl_all(hosts, tmp_path / "out")
        (tmp_path / "out.txt").write_text("http://far.example/\n", encoding="utf-8")
        command.remove("--allow-private")
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=90)
        assert "2 documents, 0 other answers" in done.stdout, done.stderr
        wanted = [f"http://far.example/{path}" for path in ("robots.txt", "", "1")]
        assert sorted(hosts[0].requests) == sorted(wanted)


@pytest.mark.slow
def test_a_crawl_asks_no_private_host(tmp_path: Path) -> None:
    """By links, redirects, base, refresh, names, sitemaps, or a redirect of robots.txt."""
    private: list[str] = []

    def public(path: str) -> Answer:
        inner = hosts[1].url.rpartition(":")[2]
        places = [
            "127.0.1.2",
            "2130706690",
            "0177.0.1.2",
            "0x7f.1.2",
            "[::ffff:127.0.1.2]",
            "localhost",
            "intern.example",
        ]
        heads = {
            "/base": f'<base href="http://127.0.1.2:{inner}/base/">',
            "/refresh": f'<meta http-equiv="refresh" content="0; url=http://127.0.1.2:{inner}/refresh">',
        }
        if path == "/robots.txt":
            return 200, TEXT, f"User-agent: *\nSitemap: http://intern.example:{inner}/sitemap.xml\n".encode()
        if path.startswith("/to"):
            return 302, {"Location": f"http://{places[int(path[3:])]}:{inner}/redirected"}, b""
        links = [f"http://{place}:{inner}/link" for place in places] + [f"/to{number}" for number in range(7)]
        links += [*heads, f"{hosts[2].url}/"]
        body = f"<head>{heads.get(path, '')}</head><p>{PROSE * 3}</p>" + "".join(
            f'<a href="{link}">x</a>' for link in links
        )
        return 200, HTML, body.encode()

    def intern(path: str) -> Answer:
        private.append(path)
        return page("intern", [PROSE], ["/"])

    def elsewhere(path: str) -> Answer:
        if path == "/robots.txt":
            return 301, {"Location": f"http://127.0.1.2:{hosts[1].url.rpartition(':')[2]}/robots.txt"}, b""
        return page("third", [PROSE], [])

    with serving(public, intern, elsewhere) as hosts:
        command = [*crawl_all(hosts[:1], tmp_path / "out"), "--sitemaps"]
        done = run_with_one_public(command)
        assert done.returncode == 0, done.stderr
        assert private == []
        assert hosts[2].requests == ["/robots.txt"]
    urls = {record.url for path in (tmp_path / "out").glob("*.warc.gz") for record in records(path)}
    assert not [url for url in urls if "127.0.1.2" in url or "intern" in url or "2130706690" in url]
    assert "not asked, as they are this machine or in private networks: intern.example; if" in done.stderr
    refused = run_with_one_public([*crawl_all(hosts[1:2], tmp_path / "none")])
    assert "all 1 seeds are outside the limits (such as --host), or private (--allow-private)" in refused.stderr

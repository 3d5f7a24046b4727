"""The yield of hosts, the limits of crawls, and the judge."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from support.archives import PROSE, warc_record
from support.sentences import CZECH

from corpusprep.commands.application import application
from corpusprep.crawling import archive_yields, yields
from corpusprep.crawling.judging import PageJudge
from corpusprep.crawling.limits import Limits, check_user_agent
from corpusprep.crawling.yield_plot import draw
from corpusprep.crawling.yields import HostYield, Yields
from corpusprep.encoding.selection import Selection
from corpusprep.errors import ConfigError


@pytest.mark.parametrize(
    ("documents", "clean", "poor"),
    [
        (10, 0, False),
        (11, 0, True),
        (11, 1, True),
        (11, 1_000, False),
        (100, 990, True),
        (100, 1_000, False),
        (1_000, 1_990, True),
    ],
)
def test_the_threshold_grows_with_the_documents(documents: int, clean: int, poor: bool) -> None:
    """0 after 10 documents, 1 % after 100, 2 % after 1,000 (Suchomel and Pomikálek 2012)."""
    assert HostYield(documents, 100_000, clean).is_poor() is poor


def test_hosts_are_dropped_and_stay_so() -> None:
    """By yield, by failures in a row, and by their number of documents; the state survives a stop."""
    found = Yields(most_documents=15)
    for number in range(12):
        found.add("poor", 1_000, 0)
        found.add("good", 1_000, 100)
        found.fail("broken")
        if number % 2:
            found.add("shaky", 1_000, 100)
        else:
            for _ in range(7):
                found.fail("shaky")
    again = Yields(most_documents=15).restore(found.state())
    assert again.rows() == found.rows()
    for one in (found, again):
        assert {host for host in one.hosts if one.is_dropped(host)} == {"poor", "broken"}
        for _ in range(3):
            one.add("good", 1_000, 100)
        assert one.hosts["good"].dropped == "limit"
        assert (
            one.summary() == "33 documents, 0 other answers, 0.0 MB fetched, 0.00 MB clean (6.4 %), 4 hosts (3 dropped)"
        )
    again.forgive(["poor", "broken", "unknown"])
    assert {host for host in again.hosts if again.is_dropped(host)} == {"poor", "good"}
    rows = [row for row in found.rows() if row["host"] == "poor"]
    assert [row["documents"] for row in rows] == ["1", "2", "5", "10", "11", "12"]
    assert rows[4]["state"] == "yield"
    assert not Yields(dropping=False).restore(found.state()).add("new", 1, 0).dropped


def test_a_table_is_written_read_drawn_and_shown(tmp_path: Path) -> None:
    """The same table gives the same figure; lines have at most 80 characters."""
    found = Yields()
    for number in range(40):
        found.add("a-host-with-a-name-that-is-longer-than-the-column.example", 3_000, 100 * (number % 3))
        found.add("poor.example", 2_000, 0)
    found.write(tmp_path / "yield.tsv")
    rows = yields.read(tmp_path / "yield.tsv")
    assert rows == found.rows()
    assert max(map(len, yields.shown(yields.final_rows(rows), 1))) <= 80
    draw(rows, tmp_path / "a.svg")
    draw(rows, tmp_path / "b.svg")
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    with pytest.raises(ConfigError, match=r"c\.gif: a figure is svg, png or pdf; name it so"):
        draw(rows, tmp_path / "c.gif")


@pytest.mark.parametrize(
    ("url", "allowed"),
    [
        ("http://a.example.cz/x", True),
        ("https://example.cz", True),
        ("http://bad.example.cz/", False),
        ("http://very.bad.example.cz/", False),
        ("http://other.cz/", False),
        ("http://example.org/", False),
        ("ftp://example.cz/", False),
        ("http:///x", False),
        ("http://example.cz/" + "x" * 500, False),
        ("http://example.cz/a/b/a/b", True),
        ("http://example.cz/a/b/a/b/a", False),
        ("http://[::1", False),
    ],
)
def test_limits_are_kept_by_address(url: str, allowed: bool) -> None:
    """Domains with their subdomains, top-level domains, and addresses as traps have them."""
    hosts = frozenset({"example.cz", "example.org"})
    limits = Limits(Selection.of([*hosts, "!bad.example.cz"]), top_level=("cz",))
    assert limits.allows(url) is allowed
    assert not Limits(top_level=("cz",)).allows("http://examplecz/")


@pytest.mark.parametrize(
    ("headers", "allowed"),
    [
        ({"content-type": "text/html; charset=utf-8", "content-length": "100"}, True),
        ({"content-type": "Text/HTML"}, True),
        ({}, True),
        ({"content-type": "application/pdf"}, False),
        ({"content-type": "text/html", "content-length": "49"}, False),
        ({"content-type": "text/html", "content-length": "1001"}, False),
    ],
)
def test_limits_are_kept_by_header(headers: dict[str, str], allowed: bool) -> None:
    """Kind and size, before the body is fetched."""
    assert Limits(min_bytes=50, max_bytes=1000).allows_body(headers) is allowed


@pytest.mark.parametrize("agent", ["", "Mozilla/5.0", "my crawler", "me@", "x\ny http://a.example"])
def test_a_user_agent_names_a_contact(agent: str) -> None:
    """The error shows one."""
    with pytest.raises(
        ConfigError, match=r"must say who crawls and how to reach them, such as 'my-corpus \(\+https://"
    ):
        check_user_agent(agent)
    check_user_agent("x (me@example.org)")
    check_user_agent("x +http://example.org/about")


def page(text: str, date: str = "") -> bytes:
    """A page with a date and a text."""
    return f"<html><body><a href=/>Home</a><p>{date}</p><p>{text}</p></body></html>".encode()


@pytest.mark.slow
def test_the_judge_counts_new_text_in_the_language() -> None:
    """Other languages, boilerplate and what has been seen count nothing; digits make no text new."""
    judge = PageJudge("en")
    assert (
        judge.clean_bytes(page(CZECH)) == judge.clean_bytes(b"<a href=/>Home</a>") == judge.clean_bytes(b"\0PNG") == 0
    )
    first = judge.clean_bytes(page(PROSE + "It was 1 May."))
    assert first == len((PROSE + "It was 1 May.").encode())
    assert judge.clean_bytes(page(PROSE + "It was 2 May.")) == 0
    assert PageJudge("en", seen=judge.seen).clean_bytes(page(PROSE + "It was 3 May.")) == 0


@pytest.mark.slow
def test_archives_have_yields(tmp_path: Path) -> None:
    """The table and the printed lines; errors say what is missing."""
    path = tmp_path / "x.warc.gz"
    path.write_bytes(
        b"".join(
            warc_record(f"http://{host}.example/{n}", page(text + " and" * n))
            for n in range(12)
            for host, text in (("a", PROSE), ("b", CZECH))
        )
    )
    found = archive_yields.of_archives([path], "en").hosts
    assert (found["a.example"].documents, found["a.example"].dropped, found["b.example"].dropped) == (12, "", "yield")
    arguments = ["archive", "yield", str(path), "--output", str(tmp_path / "y.tsv")]
    printed = CliRunner().invoke(application, [*arguments, "--language", "en"]).output
    assert [line.split()[0] for line in printed.splitlines() if "example" in line] == ["a.example", "b.example"]
    assert CliRunner().invoke(application, ["archive", "yield", "--table", str(tmp_path / "y.tsv")]).output in printed
    for wrong, message in ((arguments, "--language is missing"), (["archive", "yield"], "give archives")):
        assert message in str(CliRunner().invoke(application, wrong).exception)

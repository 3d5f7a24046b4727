"""Lists of hosts in the forms that they come in."""

import gzip
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from publicsuffixlist import PSLFILE, PublicSuffixList

from corpusprep.encoding.host_lists import read_list
from corpusprep.encoding.registered_domains import registered
from corpusprep.encoding.selection import Selection
from corpusprep.errors import ConfigError
from corpusprep.io.entries import entries, files

HOSTS = """# Hosts that are blocked
127.0.0.1 localhost localhost.localdomain
255.255.255.255\tbroadcasthost
::1 ip6-localhost
0.0.0.0 0.0.0.0
0.0.0.0 Spam.example  # why
 127.0.0.1\tads.example.net more.example.net\r
# 0.0.0.0 not.example
"""
RULES = """[Adblock Plus 2.0]
! Title: a list
||spam.example^
||ads.example.net^$important
||Whole.example^$document,all
||partly.example^$third-party
||partly.example.org/banner/*
@@||ads.example.net^
example.com##.banner
/banner/*/img^
"""


def write(folder: Path, name: str, text: str) -> str:
    """Writes a list; returns the entry that leaves out what it names."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    return f"!@{path}"


@pytest.mark.parametrize("name", ["hosts", "hosts.gz"])
def test_hosts_files(tmp_path: Path, name: str) -> None:
    """All names behind an address, without those of the machine itself and without comments."""
    found = read_list(Path(write(tmp_path, name, HOSTS)[2:]))
    assert found is not None
    assert found.domains == {"spam.example", "ads.example.net", "more.example.net"}


def test_rules_of_ad_blockers(tmp_path: Path) -> None:
    """Those about a whole domain, without exceptions. Lines that begin with `!` are comments."""
    found = read_list(Path(write(tmp_path, "easy.txt", RULES)[2:]))
    assert found is not None
    assert found.domains == {"spam.example", "whole.example"}
    with pytest.raises(ConfigError, match=r"none of its rules is about a whole domain, such as \|\|example.org\^"):
        read_list(Path(write(tmp_path, "other.txt", "||example.org/banner^\n")[2:]))


@pytest.mark.parametrize(
    ("url", "verdict"),
    [
        ("http://spam.example/", "host"),
        ("http://www.spam.example/", "host"),
        ("http://other.example/", None),
        ("http://192.0.2.7/", "host"),
        ("https://www.people.example/x", "url"),
        ("https://people.example/X/", "url"),
        ("https://people.example/x/deep?q=1", "url"),
        ("https://people.example/xyz", None),
        ("https://people.example/", None),
        ("https://people.example", None),
    ],
)
@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_folders_by_subject(tmp_path: Path, url: str, verdict: str | None, suffix: str) -> None:
    """As those of UT1: domains with their subdomains, and addresses with all below them."""
    write(tmp_path, f"spam/domains{suffix}", "spam.example\n192.0.2.7\n")
    write(tmp_path, f"spam/urls{suffix}", "www.people.example/x/\nspam.example/y\n")
    write(tmp_path, "spam/expressions", "(porn|sex)\n")
    entry = f"@{tmp_path / 'spam'}"
    out, only = Selection.of([f"!{entry}"]), Selection.of([entry])
    assert (None if out.takes_host(url) else "host") == (verdict if verdict == "host" else None)
    assert out.takes_url(url) == (verdict != "url")
    assert only.takes_host(url) == (verdict is not None)
    assert files([entry]) == [str(tmp_path / "spam" / f"{name}{suffix}") for name in ("domains", "urls")]


@pytest.mark.parametrize(
    ("url", "verdict"),
    [
        ("http://www.shop.co.uk/", "host"),
        ("http://other.shop.co.uk/", "host"),
        ("http://shop.co.uk/", "host"),
        ("http://else.co.uk/", None),
        ("http://a.github.io/", "host"),
        ("http://b.github.io/", None),
        ("http://192.0.2.7/", "host"),
        ("http://192.0.2.8/", None),
        ("http://named.example.org/", None),
    ],
)
def test_lists_by_registered_domain(tmp_path: Path, url: str, verdict: str | None) -> None:
    """An entry of a list stands for all hosts of its domain; one in the config for itself."""
    entry = write(tmp_path, "list.txt", "www.shop.co.uk\nwww.a.github.io\n192.0.2.7\n")
    by_domain = Selection.of([entry, "!www.example.org"], listed="domain")
    assert by_domain.takes_host(url) == (verdict is None)
    if url.startswith("http://other"):
        assert Selection.of([entry]).takes_host(url)


def test_registered_domains_are_those_of_the_library() -> None:
    """For every rule of the list: hosts that are a suffix, and below it; wildcards and exceptions too."""
    rules = [line.strip() for line in Path(PSLFILE).read_text("utf-8").splitlines()]
    names = [
        below + rule.lstrip("!").replace("*", "w").encode("idna").decode()
        for rule in rules[::7] + [rule for rule in rules if rule[:1] in ("*", "!")]
        if rule and not rule.startswith("//")
        for below in ("", "a.", "a.b.", "x.a.b.")
    ]
    suffixes = PublicSuffixList()
    for name in [*names, "a.unknown", "b.a.unknown", "unknown", "bücher.example", "x.個人.hk"]:
        assert registered([name]) == {suffixes.privatesuffix(name) or name}


def test_a_folder_without_lists_is_named(tmp_path: Path) -> None:
    """What is missing, and what to give."""
    with pytest.raises(ConfigError, match=r"hosts: .*: a folder without lists: it has no file domains or urls"):
        Selection.of([f"!@{tmp_path}"])


@settings(max_examples=60)
@given(st.lists(st.text(alphabet="ab.-# \t!*@é", max_size=6), max_size=5), st.sampled_from(["\n", "\r\n"]))
def test_plain_lists_are_as_read_line_by_line(lines: list[str], end: str) -> None:
    """Where a list can be read at once, its hosts are those of its entries; else its lines are looked at."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "list.txt")
        path.write_text(end.join(lines), encoding="utf-8", newline="")
        found = read_list(path)
        if found is not None:
            one_by_one = {entry.text.strip(".") for entry in entries([f"@{path}"])}
            assert found.domains == one_by_one - {""}
            assert not found.addresses


def test_marks_and_patterns_are_read_line_by_line(tmp_path: Path) -> None:
    """A list may have them; it is no list of an ad blocker."""
    selection = Selection.of([write(tmp_path, "a.txt", "Spam.example # why\n*.shop.example\n".replace(" # why", ""))])
    assert not selection.takes_host("http://x.shop.example/")
    assert not selection.takes_host("http://spam.example/")
    assert selection.takes_host("http://shop.example/")

"""Finds registered domains by the Public Suffix List: what somebody owns, such as `example.co.uk`.

The list is that of the package publicsuffixlist, with its private part: `name.github.io` is a domain of its own.
Nothing is read from the network.
"""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList


def registered(names: Iterable[str]) -> set[str]:
    """Returns the registered domains of hosts in lower case; a host that has none (an IP address, a suffix) stays.

    Most hosts end in two labels that no rule of the list is about: these are the domain. So a million hosts take one to
    two seconds.

    >>> sorted(registered(["www.example.co.uk", "b.example.com", "x.blogspot.com", "192.0.2.1", "co.uk"]))
    ['192.0.2.1', 'co.uk', 'example.co.uk', 'example.com', 'x.blogspot.com']
    """
    suffixes, special, wild = _list()
    found = set()
    for name in names:
        parts = name.rsplit(".", 2)
        tail = name[len(parts[0]) + 1 :] if len(parts) == 3 else name
        if tail not in special and parts[-1] not in wild and tail.isascii() and not tail[-1:].isdigit():
            found.add(tail)
        else:
            found.add(name if name[-1:].isdigit() else suffixes.privatesuffix(name) or name)
    return found


@cache
def _list() -> "tuple[PublicSuffixList, frozenset[str], frozenset[str]]":
    """Returns the list; pairs of labels that a rule is about or ends in; last labels with a rule for all pairs."""
    from publicsuffixlist import PSLFILE, PublicSuffixList

    special, wild = set(), set()
    for line in Path(PSLFILE).read_text(encoding="utf-8").splitlines():
        rule = line.strip()
        if not rule or rule.startswith("//"):
            continue
        labels = rule.lstrip("!").removeprefix("*.").encode("idna").decode().split(".")
        special.add(".".join(labels[-2:]))
        if rule.startswith("*.") and len(labels) == 1:
            wild.add(labels[0])
    return PublicSuffixList(), frozenset(special), frozenset(wild)

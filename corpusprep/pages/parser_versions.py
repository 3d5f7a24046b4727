"""Checks, when it is imported, that kernels can read the trees of the lxml that is installed.

They read libxml2's nodes through lxml's public C API (native/pages). Wheels are built with the newest lxml. Nodes have
one layout in all of libxml2 2; lxml's API has it since 5.2.
"""

import sys

from lxml import etree

OLDEST_LXML = (5, 2)
LIBXML2 = 2


def check(lxml: tuple[int, ...], libxml2: tuple[int, ...]) -> None:
    """Checks the versions of lxml and of the libxml2 in it.

    Raises:
        ImportError: kernels would misread its trees; the command line shows the message as one line.
    """
    if lxml[:2] >= OLDEST_LXML and libxml2[0] == LIBXML2:
        return
    found = f"lxml {'.'.join(map(str, lxml[:3]))} with libxml2 {'.'.join(map(str, libxml2))}"
    wanted = f"lxml>={'.'.join(map(str, OLDEST_LXML))}"
    raise ImportError(
        f"{found} is installed; the kernels read trees of {wanted} with libxml2 {LIBXML2}:"
        f" {sys.executable} -m pip install --upgrade '{wanted}'",
        name="corpusprep._native",
    )


check(etree.LXML_VERSION, etree.LIBXML_VERSION)

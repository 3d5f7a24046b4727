"""The kernels read trees of the lxml that is installed: from the oldest that is allowed to the newest."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from lxml import etree

from corpusprep.pages import parser_versions

CODE = """
from lxml import etree
from corpusprep import extract
block = "The ferry is back on the river, and it is full of people. " * 5
page = extract("<meta property=og:title content=Ferry><ul><li><a href=/>Home</a></ul><p>" + block + "</p>")
print(etree.LXML_VERSION[:2], page.text == block.strip(), page.metadata.headline)
print([block.text for block in extract("<html lang=en /><body/><p>a</p>b<html/>c<p>d")])
"""


@pytest.mark.parametrize(("lxml", "libxml2"), [((5, 1, 9, 0), (2, 12, 0)), ((7, 0, 0, 0), (3, 0, 1))])
def test_others_are_refused_in_one_line(lxml: tuple[int, ...], libxml2: tuple[int, ...]) -> None:
    """With what to install."""
    with pytest.raises(ImportError, match=r"^lxml \d\.\d\.\d with libxml2 .* -m pip install --upgrade 'lxml>=5.2'$"):
        parser_versions.check(lxml, libxml2)


def test_the_installed_one_is_taken() -> None:
    """The newest, where the tests run."""
    parser_versions.check(etree.LXML_VERSION, etree.LIBXML_VERSION)


@pytest.mark.slow
def test_the_oldest_is_read(tmp_path: Path) -> None:
    """Kernels that were built with a newer one."""
    oldest = ".".join(map(str, (*parser_versions.OLDEST_LXML, 0)))
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", tmp_path, f"lxml=={oldest}"]
    if subprocess.run([*pip, "--only-binary=:all:"], check=False).returncode:
        pytest.skip(f"lxml {oldest} has no wheel for this Python")
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", CODE], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == [f"{parser_versions.OLDEST_LXML} True Ferry", "['a', 'bc', 'd']"], done.stderr

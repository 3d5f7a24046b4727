"""CleanEval's markers and the title of a page (Baisa 2009)."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from corpusprep import extract
from corpusprep.commands.application import application
from corpusprep.errors import ConfigError
from corpusprep.extraction.marked_text import marked_lines

PAGE = "<title>Site</title><h2>British National Corpus</h2><p>A corpus.</p><ul><li>Another one<li><p>Inner</ul>x"


def test_each_block_has_its_marker() -> None:
    """Headings, items of lists, and all other text; a paragraph in an item is a paragraph."""
    blocks = extract(PAGE, algorithm="baseline")
    expected = ["<h>British National Corpus", "<p>A corpus.", "<l>Another one", "<p>Inner", "<p>x"]
    assert marked_lines(blocks) == expected


def test_learned_algorithms_predict_markers() -> None:
    """Bold lines and short ones with a path of their own are headings, rows of short blocks are lists."""
    text = "The museum is open on all days of the week but Monday, and the park around it on all days of the year."
    page = (
        f"<div class=name>The museum</div><p>{text}</p><p>{text}</p><p><b>Where it is</b></p><p>{text}</p>"
        f"<p><b>It is on the island.</b></p><p>{text}</p><div>Tickets<br><br>Maps<br><br>Books</div><p>{text}</p>"
    )
    blocks = extract(page, algorithm="content")
    assert "".join(block.type for block in blocks) == "hpphppplllp"
    assert [line[:3] for line in marked_lines(blocks)] == [f"<{block.type}>" for block in blocks]
    assert "".join(block.type for block in extract(page, algorithm="baseline")) == "p" * 11


def test_the_title_comes_first_but_once() -> None:
    """The first heading is the title; it is not written twice. A page without headings has its <title>."""
    page = extract(PAGE, algorithm="baseline")
    assert page.title == "British National Corpus"
    assert marked_lines(page, page.title) == marked_lines(page)
    assert marked_lines(page[1:2], page.title, document=True) == ["<doc>", "<h>British National Corpus", "<p>A corpus."]
    assert extract("<title>Site  name</title><p>a", algorithm="baseline").title == "Site name"
    assert extract("<p>a", algorithm="baseline").title == ""


def test_files_are_divided_by_doc(tmp_path: Path) -> None:
    """One file has no <doc>, several have one each; the title is added on request only."""
    files = [tmp_path / "a.html", tmp_path / "b.html"]
    for file in files:
        file.write_text(f"<title>T</title><p>{file.stem} is here.", encoding="utf-8")
    command = ["extract", "--algorithm", "baseline", "--format", "cleaneval"]
    one = CliRunner().invoke(application, [*command, "--title", str(files[0])])
    assert one.output == "<h>T\n<p>a is here.\n"
    for wrong, message in (
        (["--title"], "--title is for --format cleaneval"),
        (["--explain", "--format", "cleaneval"], "--explain prints text or json"),
    ):
        with pytest.raises(ConfigError, match=message):
            CliRunner().invoke(application, ["extract", *wrong, str(files[0])], catch_exceptions=False)
    both = CliRunner().invoke(application, [*command, *map(str, files)])
    assert both.output == "<doc>\n<p>a is here.\n<doc>\n<p>b is here.\n"

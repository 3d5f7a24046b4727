"""`bench documentation`: the text of a page by the rules of its generator, and the table."""

from pathlib import Path

import pytest
from peers import documentation
from peers.documentation import LEAST_WORDS, RULES, gold_page
from support.archives import warc_record

PROSE = "The function reads a file of the archive and returns what it has found there. "
SPHINX = f"""<html><head><title>Files</title></head><div class=related><a href=/>index</a></div><div class=body>
<h1>Files<a class=headerlink href=#f>¶</a></h1><p>{PROSE * 5}The class <code>Archive</code>.<code>Member</code>.</p>
<script>var a = 1</script><dl><dt>open<dd>opens.</dl></div></html>"""


def test_the_text_is_that_of_the_element_without_navigation() -> None:
    """Blocks are lines, and parts of a line stay together; scripts are no text."""
    page = gold_page("http://python3.example/f.html", SPHINX, *RULES["python3"])
    assert page is not None
    assert page.gold[""].split() == ["Files", *(PROSE * 5).split(), *"The class Archive.Member. open opens.".split()]
    assert page.html == SPHINX


@pytest.mark.parametrize("html", ["", "<p>no element of the rule", f"<div class=body>{'word ' * (LEAST_WORDS - 1)}"])
def test_pages_of_little_text_are_left_out(html: str) -> None:
    """Nor are pages measured that are none, or not of the generator."""
    assert gold_page("u", html, *RULES["python3"]) is None


def test_the_table_has_a_row_per_host_and_means(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Hosts without a rule have none; at most as many pages count as were asked for."""
    hosts = {
        "python3.11-doc": SPHINX,
        "git-doc": f"<p>{PROSE * 8}</p><div id=footer>Last update</div>",
        "other": SPHINX,
    }
    records = [
        warc_record(f"http://{host}.example/{number}.html", html.encode())
        for host, html in hosts.items()
        for number in range(3)
    ]
    (tmp_path / "crawl").mkdir()
    (tmp_path / "crawl" / "docs-0.warc.gz").write_bytes(b"".join(records))
    documentation.main("bench documentation", ["--data", str(tmp_path), "--pages", "2"])
    head, _, *rows = capsys.readouterr().out.splitlines()
    assert [row.split("|")[1:3] for row in rows] == [[" git-doc ", " 2 "], [" python3 ", " 2 "], [" mean ", "  "]]
    column = [title.strip() for title in head.split("|")].index("content")
    scores = [[float(score) for score in row.split("|")[column].split("/")] for row in rows]
    assert all(90 < score <= 100 for pair in scores for score in pair)
    assert scores[2] == pytest.approx([(one + other) / 2 for one, other in zip(*scores[:2], strict=True)], abs=0.1)

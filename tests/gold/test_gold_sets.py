"""The readers of gold sets, on small sets in the formats of the real ones."""

import json
import re
from pathlib import Path

import pytest

from corpusprep.gold import annotated_sets, sets
from corpusprep.gold.pages import GoldError
from studies.evaluation.decisions import Spans, segment
from studies.evaluation.measuring import measure, read, write
from studies.evaluation.node_scores import Nodes


def put(folder: Path, files: dict[str, str | bytes]) -> Path:
    """Writes files into a folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def test_cleaneval_pages_lose_their_wrapper_and_wrong_gold_is_left_out(tmp_path: Path) -> None:
    """No <text> wrapper, no pages 103 and 250; 8-bit gold texts are windows-1252; every case is counted."""
    page = '<text id="x" encoding="unset">\n<html><p>Some text</p></html>\n</text>\n'
    gold = "URL: http://a.example/\n\n<p>Some \x93text\x94\n".encode("latin-1")
    files: dict[str, str | bytes] = {"cleaneval/final/html/61.html": page}
    for number in (60, 103, 250):
        files[f"cleaneval/final/html/{number}.html"] = page
        files[f"cleaneval/final/gold/{number}.txt"] = gold
    data = put(tmp_path, files)
    found = sets.read("cleaneval-final", data)
    assert found is not None
    assert [page.name for page in found.pages] == ["60"]
    assert found.pages[0].html.strip() == "<html><p>Some text</p></html>"
    assert found.pages[0].gold[""].endswith("Some “text”\n")
    assert +found.cases == {
        "<text> wrappers stripped": 1,
        "pages with a wrong gold text, left out": 2,
        "pages without a gold text, left out": 1,
        "gold texts in windows-1252": 1,
    }


def test_innermost_annotation_of_l3s_wins(tmp_path: Path) -> None:
    """Not-content inside full text is not content; text without an annotation is not content."""
    annotated = (
        '<div><span class="x-nc-sel1">Title</span></div><p><span class="x-nc-sel2">Full '
        '<span class="x-nc-sel0">advert</span> te<b>xt</b></span></p><p>menu</p>'
    )
    data = put(
        tmp_path,
        {
            "l3s-gn1/annotated/u.html": annotated,
            "l3s-gn1/original/u.html": "<p>original</p>",
            "l3s-gn1/url-mapping.txt": "<urn:uuid:u>\thttp://www.a.example/x\n",
        },
    )
    found = sets.read("l3s-gn1", data)
    assert found is not None
    assert found.pages[0].gold[""].split() == ["Title", "Full", "text"]
    assert (found.pages[0].site, found.pages[0].html) == ("a.example", "<p>original</p>")
    assert found.cases["text nodes under nested annotations (the innermost counts)"] == 1


CANOLA_PAGE = (
    '<body><p><kw class="krdwrd-tag-3-100">Good text</kw></p><p><a class="menu krdwrd-tag-1-80">Menu</a></p>'
    '<p><kw class="krdwrd-tag-2-60">A caption</kw></p><p><kw class="krdwrd-tag-mrgtie-50">tie</kw></p>{extra}</body>'
)


def canola(folder: Path, extra: str = "") -> Path:
    """Two pages of one host, one of them with a text node without annotations; `extra` ends the other page."""
    pages = {"1": CANOLA_PAGE.format(extra=extra), "2": CANOLA_PAGE.format(extra="<p>unseen</p>")}
    files: dict[str, str | bytes] = {f"canola/stats-html/{name}.html": page for name, page in pages.items()}
    files |= {f"canola/merged/{name}.html": "" for name in pages}
    return put(folder, files | {"canola/urls": "1 http://a.example/1\n2 http://a.example/2\n"})


def test_canola_pages_with_unannotated_nodes_are_left_out(tmp_path: Path) -> None:
    """Both pages are in the same half, because they have the same host; ties and undecided nodes are counted."""
    data = canola(tmp_path)
    halves = [half for half in (sets.read("canola-dev", data), sets.read("canola-test", data)) if half and half.cases]
    (half,) = halves
    assert [page.name for page in half.pages] == ["1"]
    assert +half.cases == {
        "pages with unannotated text nodes, left out": 1,
        "annotated text nodes in pages with unannotated ones, left out": 4,
        "ties": 1,
        "undecided text nodes": 1,
    }
    assert half.pages[0].gold == {"with": "\nGood text\nA caption", "without": "\nGood text"}
    assert "kw" not in half.pages[0].html


def test_annotations_on_any_element_count(tmp_path: Path) -> None:
    """Where a text stands alone in an element, Canola and L3S-GN1 have the class there, beside other classes."""
    extra = '<div class="c1 krdwrd-tag-3-90">By itself</div><select><option>one</option></select>'
    data = canola(tmp_path, extra)
    (half,) = (half for half in (sets.read("canola-dev", data), sets.read("canola-test", data)) if half and half.pages)
    assert half.pages[0].gold["without"].split() == ["Good", "text", "By", "itself"]
    assert half.cases["text nodes in <select>, left out"] == 1
    files: dict[str, str | bytes] = {
        "l3s-gn1/annotated/u.html": '<div class="x-nc-sel2">A paragraph</div><p>menu</p>',
        "l3s-gn1/original/u.html": "<p>original</p>",
        "l3s-gn1/original/v.html": "<p>no annotations</p>",
        "l3s-gn1/url-mapping.txt": "",
    }
    found = sets.read("l3s-gn1", put(tmp_path, files))
    assert found is not None
    assert found.pages[0].gold[""].split() == ["A", "paragraph"]
    assert found.cases["pages without a gold text, left out"] == 1


def test_canola_nodes_are_scored_by_characters(tmp_path: Path) -> None:
    """The baseline keeps 9 correct characters, and 4 wrong ones of the menu if all nodes count."""
    data = canola(tmp_path)
    (half,) = (half for half in (sets.read("canola-dev", data), sets.read("canola-test", data)) if half and half.pages)
    measured = measure(half)
    assert measured.of("baseline", "nodes_100") == [(9, 0, 0)]
    assert measured.of("baseline", "nodes_0") == [(9, 4, 0)]


def test_daniel_pages_have_their_languages(tmp_path: Path) -> None:
    """A set of several languages is measured with the stop list of each; stored results are read back unchanged."""
    name = "20120101_www.a.example_0"
    files: dict[str, str | bytes] = {
        "daniel-dev/doc_lg.json": json.dumps({f"{name}1": "Polish", f"{name}2": "Chinese"}),
        "daniel-dev/overlap.txt": "",
    }
    for number, text in (("1", "Zażółć gęślą jaźń"), ("2", "山水画")):
        files[f"daniel-dev/html/{name}{number}"] = f"<p>{text}</p>"
        files[f"daniel-dev/gold/{name}{number}"] = f"<p>{text}</p>\n"
    found = sets.read("daniel", put(tmp_path, files))
    assert found is not None
    assert [page.language for page in found.pages] == ["pl", "zh"]
    measured = measure(found)
    assert measured.of("baseline", "words") == [(3, 0, 0), (3, 0, 0)]
    write(tmp_path / "daniel.tsv", found, measured)
    assert read(tmp_path / "daniel.tsv") == measured


def test_a_set_that_is_not_there_is_none(tmp_path: Path) -> None:
    """An absent set is no error."""
    assert sets.read("chinese", tmp_path) is None


def test_a_damaged_archive_is_named(tmp_path: Path) -> None:
    """An archive that cannot be unpacked is an error that names it."""
    (tmp_path / "canola.tar.xz").write_bytes(b"no archive")
    with pytest.raises(GoldError, match=r"canola\.tar\.xz"):
        sets.read("canola-test", tmp_path)


def test_the_same_data_has_the_same_hash_and_other_data_another(tmp_path: Path) -> None:
    """The hash depends only on the content."""
    files: dict[str, str | bytes] = {"cleanportaleval/html/a_1.html": "<p>x</p>", "cleanportaleval/gold/a_1.txt": "x"}
    hashes = []
    for number, change in enumerate(({}, {}, {"cleanportaleval/gold/a_1.txt": "y"})):
        found = sets.read("cleanportaleval", put(tmp_path / str(number), files | change))
        assert found is not None
        hashes.append(found.data)
    assert hashes[0] == hashes[1] != hashes[2]


def test_the_hash_covers_what_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that counts other pages or other text nodes of the same files has another hash."""
    data = canola(tmp_path)
    name = next(name for name in ("canola-dev", "canola-test") if (found := sets.read(name, data)) and found.pages)
    before = sets.read(name, data)
    monkeypatch.setattr(annotated_sets, "_CANOLA_CLASS", re.compile(r"krdwrd-tag-([13])-(\d+)\Z"))
    fewer = sets.read(name, data)
    assert before is not None
    assert fewer is not None
    assert before.data != fewer.data
    assert before.pages[0].nodes == fewer.pages[0].nodes


def test_blocks_with_good_and_bad_nodes_are_counted(tmp_path: Path) -> None:
    """A block is mixed if its good and its bad nodes are reliable enough."""
    extra = '<p><kw class="krdwrd-tag-3-100">Text</kw> <b><kw class="krdwrd-tag-1-90">Back to top</kw></b></p>'
    data = canola(tmp_path, extra)
    (half,) = (half for half in (sets.read("canola-dev", data), sets.read("canola-test", data)) if half and half.pages)
    nodes = Nodes(half.pages)
    spans = nodes.spans(Spans.of_blocks(segment(half.pages, ())))
    assert (nodes.mixed(spans, 0), nodes.mixed(spans, 100)) == (1, 0)

"""The models of `content` beside public extractors."""

from pathlib import Path

import pytest

from corpusprep.errors import ConfigError
from corpusprep.gold import page_scores
from corpusprep.gold.folders import read_folder
from corpusprep.gold.pages import GoldError, GoldPage, GoldSet
from corpusprep.gold.scores import Counts, paired_interval
from corpusprep.gold.words import snippets
from corpusprep.io import tsv
from studies.evaluation import extractors, peers
from studies.evaluation.measuring import by_language
from studies.evaluation.peer_programs import Program
from studies.evaluation.peers import Peer


def test_a_set_that_was_trained_on_is_scored_by_models_that_have_not_seen_it(tmp_path: Path) -> None:
    """The counts come from the table beside the model, in the order of the set; other sets' rows do not count."""
    rows = [
        ("own", "b", "b", "en", "", 10, "", "words", page_scores.CROSS, 9, 1, 1),
        ("own", "a", "a", "en", "", 10, "", "words", page_scores.CROSS, 5, 0, 5),
        ("own", "a", "a", "en", "", 10, "", "words", page_scores.LEFT_OUT, 4, 0, 6),
        ("else", "a", "a", "en", "", 10, "", "words", page_scores.CROSS, 1, 1, 1),
    ]
    tsv.write(tmp_path / "x.pages.tsv", page_scores.PAGE_COLUMNS, rows)
    gold_set = GoldSet("own", "Own", [GoldPage("a", ""), GoldPage("b", "")])
    found = extractors.validated(tmp_path / "x.pages.tsv", "content", gold_set)
    assert found.of("content, cross-validated", "words") == [Counts(5, 0, 5), Counts(9, 1, 1)]
    assert found.of("content, set left out", "words") == [Counts(4, 0, 6), Counts(0, 0, 0)]


def test_a_page_on_which_an_extractor_fails_has_no_text() -> None:
    """An exception of another's program does not end the run."""

    def fail(page: str, language: str) -> str:
        if page == "bad":
            raise ZeroDivisionError
        return f"{page} {language}"

    pages = [GoldPage("1", "bad"), GoldPage("2", "good", language="de")]
    assert peers.texts(Peer("failing", "none", lambda: fail), pages) == ["", "good de"]


def test_a_peer_that_is_not_installed_is_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has no version, and no row."""
    peer = Peer("absent", "corpusprep-has-no-such-peer", lambda: pytest.fail("was loaded"))
    monkeypatch.setattr(peers, "PEERS", (peer,))
    monkeypatch.setattr(peers, "PROGRAMS", (Program("none", lambda: None, lambda _: pytest.fail("was started")),))
    gold_set = GoldSet("own", "Own", [GoldPage("a", "<p>x</p>", gold={"": "x"})])
    assert peer.version() is None
    assert by_language(gold_set, lambda pages, _, scorer: peers.measure(pages, scorer)).counts == {}


def test_snippets_are_counted_whatever_the_white_space() -> None:
    """One wanted snippet is found, one is missing, and an unwanted one is there."""
    assert snippets("the  ferry\nis back\nmenu", ["ferry is back", "by night"], ["menu", "imprint"]) == Counts(1, 1, 1)


def test_the_interval_of_a_difference_is_paired() -> None:
    """The same counts differ by 0, however much the pages differ from each other."""
    pages = [Counts(10, 90, 0), Counts(50, 9, 0), Counts(5, 1, 40)]
    assert paired_interval(pages, pages) == (0.0, (0.0, 0.0))
    better = [Counts(one.true_positives + 1, one.false_positives, one.false_negatives) for one in pages]
    difference, (low, high) = paired_interval(better, pages)
    assert 0 < low <= difference <= high


def test_own_pages_are_read_in_both_formats(tmp_path: Path) -> None:
    """Text with and without CleanEval's first line, and JSON with snippets; the host groups pages."""
    files = {
        "html/a.html": "<p>A</p>",
        "html/b.html": "<p>B</p>",
        "html/site_c.html": "<p>C</p>",
        "html/d.html": "<p>no gold</p>",
        "gold/a.txt": "URL: http://www.a.example/1\n<p>A",
        "gold/b.json": '{"with": ["B"], "url": "https://b.example/x", "language": "de"}',
        "gold/site_c.txt": "C",
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    found = read_folder(tmp_path)
    assert [(page.name, page.site, page.language) for page in found.pages] == [
        ("a", "a.example", ""),
        ("b", "b.example", "de"),
        ("site_c", "site", ""),
    ]
    assert [page.language for page in read_folder(tmp_path, "cs").pages] == ["cs", "de", "cs"]
    assert found.pages[1].wanted == ("B",)
    assert found.cases["pages without a gold text, left out"] == 1
    (tmp_path / "gold" / "b.json").write_text("{}")
    with pytest.raises(GoldError, match=rf"^{tmp_path}/gold/b\.json: has neither `text` nor the snippets"):
        read_folder(tmp_path)


@pytest.mark.parametrize(
    ("gold", "declared", "asked"),
    [
        ('{"text": "TEXT", "language": "cs"}', "", ""),  # the gold states the language
        ("TEXT", "", "cs"),  # --language
        ("TEXT", "<meta charset=windows-1250>", ""),  # the page states its encoding
        ('{"text": "TEXT", "language": "tlh"}', "<meta charset=windows-1250>", ""),  # a language that is not built in
    ],
)
def test_own_pages_are_decoded_by_their_language(tmp_path: Path, gold: str, declared: str, asked: str) -> None:
    """Pages in an older encoding: by the language, or if it is not known, by what they declare."""
    text = "Příliš žluťoučký kůň úpěl ďábelské ódy, a proto šli ještě dnes ráno všichni společně na houby do lesa."
    for part in ("html", "gold"):
        (tmp_path / part).mkdir()
    (tmp_path / "html" / "a.html").write_bytes(f"{declared}<p>{text}</p>".encode("windows-1250"))
    (tmp_path / "gold" / f"a.{'json' if '{' in gold else 'txt'}").write_text(gold.replace("TEXT", text))
    found = read_folder(tmp_path, asked)
    assert text in found.pages[0].html
    assert found.cases["pages in another encoding than UTF-8"] == 1


def test_linked_folders_are_read(tmp_path: Path) -> None:
    """Pages and gold may be links to folders elsewhere; a link to a folder that has it in it is not followed."""
    own, elsewhere = tmp_path / "own", tmp_path / "elsewhere"
    own.mkdir()
    for name in ("html/a.html", "gold/a.txt"):
        (elsewhere / name).parent.mkdir(parents=True)
        (elsewhere / name).write_text("x")
        (own / name).parent.symlink_to((elsewhere / name).parent)
    (own / "html" / "up").symlink_to(elsewhere)
    (own / "up").symlink_to(tmp_path)
    (own / "html" / "b.html").symlink_to(tmp_path / "nothing")
    assert [page.name for page in read_folder(own).pages] == ["a"]


def test_a_folder_without_pairs_is_refused(tmp_path: Path) -> None:
    """Pages and gold of other names."""
    for name in ("html/a.html", "gold/b.txt"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text("x")
    with pytest.raises(ConfigError, match="no page in html/ has a file of the same name in gold/"):
        read_folder(tmp_path)

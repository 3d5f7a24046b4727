"""`corpusprep extract`: pages, folders and lists to text, Markdown, JSON and TEI."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from lxml import etree

from corpusprep.commands.application import application
from corpusprep.errors import ConfigError

PAGE = (
    "<html><head><title>The ferry</title><meta name=author content='Helen Marsh'></head><ul>"
    "<li><a href='/'>Home</a></ul><p>In the evening the people of the village came down to the river and stood on the "
    "bank of it for a while, and then they went back to the houses that they had left.</p></html>"
)


def extracted(*arguments: str) -> Result:
    """Runs `corpusprep extract`."""
    return CliRunner().invoke(application, ["extract", *arguments], catch_exceptions=False)


def test_extract_as_text(tmp_path: Path) -> None:
    """The good blocks, one a line."""
    (tmp_path / "page.html").write_text(PAGE, encoding="utf-8")
    done = extracted(str(tmp_path / "page.html"), "--language", "en", "--preset", "A", "--format", "text")
    assert done.output.startswith("In the evening")
    assert done.stdout.count("\n") == 1


def test_extract_as_json(tmp_path: Path) -> None:
    """What came of the page, and all blocks with the library's fields."""
    (tmp_path / "page.html").write_text(PAGE, encoding="utf-8")
    done = extracted(str(tmp_path / "page.html"), "--language", "en", "--format", "json")
    page = json.loads(done.stdout)
    home, evening = page["blocks"]
    assert (page["file"], page["verdict"], page["text"]) == (str(tmp_path / "page.html"), "kept", evening["text"])
    assert (page["title"], page["metadata"]["author"]) == ("The ferry", "Helen Marsh")
    assert (home["label"], home["context_free_label"], home["link_density"]) == ("bad", "bad", 1.0)
    assert (evening["label"], evening["words"], evening["heading"]) == ("good", 35, False)
    assert evening["stopword_density"] > 0.5


@pytest.mark.parametrize("page", ["<b></b>", "<p>"])
def test_a_page_without_text_is_explained(page: str, tmp_path: Path) -> None:
    """By the reason that extract gives."""
    path = tmp_path / "n.html"
    path.write_text(page, encoding="utf-8")
    plain, explained = (
        CliRunner().invoke(application, ["extract", *options, str(path)]) for options in ([], ["--explain"])
    )
    assert (explained.exit_code, explained.stdout, explained.stderr) == (0, "", plain.stderr)
    assert plain.stderr.startswith(f"{path}: ")
    done = CliRunner().invoke(application, ["extract", "--explain", "--format", "json", str(path)])
    assert json.loads(done.stdout) == []


@pytest.mark.parametrize("options", [[], ["--explain"]])
def test_more_pages_than_files_may_be_open(tmp_path: Path, options: list[str]) -> None:
    """Each is read when its turn comes; what is no page loses no page behind it, and gives the exit code 1."""
    for number in range(40):
        (tmp_path / f"{number:02}.html").write_text(PAGE, encoding="utf-8")
    (tmp_path / "10.html").write_bytes(b"")
    (tmp_path / "20.html").write_bytes(b"%PDF-1.7")
    arguments = [sys.executable, "-m", "corpusprep", "extract", *options, *sorted(map(str, tmp_path.iterdir()))]
    program = (
        "import os, resource, sys; resource.setrlimit(resource.RLIMIT_NOFILE, (32, 32)); os.execv(*eval(sys.argv[1]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, repr((sys.executable, arguments))], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stderr
    assert done.stdout.count("In the evening") == 38
    assert [line.partition(": ")[2][:20] for line in done.stderr.splitlines()] == [
        "an empty file, not a",
        "a PDF document, not ",
    ]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with pages in two folders, a hidden one, and a file that is no page."""
    folder = tmp_path / "site"
    for name in ("a.html", "deep/b.HTM", "deep/.hidden.html", ".git/c.html", "notes.txt"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(PAGE, encoding="utf-8")
    return folder


def test_a_folder_stands_for_its_pages(site: Path) -> None:
    """In the order of their paths; hidden ones and other files are left out."""
    lines = [json.loads(line) for line in extracted(str(site), "--format", "json").output.splitlines()]
    assert [Path(line["file"]).relative_to(site).as_posix() for line in lines] == ["a.html", "deep/b.HTM"]


def test_pages_are_written_to_a_folder(site: Path, tmp_path: Path) -> None:
    """Each in its place; pages without text have no file, and are named."""
    (site / "empty.html").write_text("<p>", encoding="utf-8")
    done = extracted(str(site), "--format", "markdown", "--output", str(tmp_path / "out"), "--threads", "2")
    assert done.exit_code == 0
    assert f"{site / 'empty.html'}: " in done.stderr
    files = sorted(path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*.*"))
    assert files == ["a.html.md", "deep/b.HTM.md"]
    assert (tmp_path / "out" / "a.html.md").read_text(encoding="utf-8").startswith("In the evening")


def test_a_list_names_files(site: Path, tmp_path: Path) -> None:
    """One per line; each page once."""
    (tmp_path / "list.txt").write_text(f"{site / 'a.html'}\n\n{site}\n", encoding="utf-8")
    assert extracted(f"@{tmp_path / 'list.txt'}").output.count("In the evening") == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.html"], "none.html: no such file or folder"),
        (["@none.txt"], "none.txt: the list of files cannot be read"),
        (["@loop.txt"], "loop.txt: a list has one path per line, and no other lists"),
        (["empty"], "empty: no HTML files in this folder"),
        (["--links", "a.html"], "--links is for --format markdown"),
        (["--explain", "--format", "tei", "a.html"], "--explain prints text or json"),
        (["one", "two", "--output", "out"], "one/a.html and two/a.html would be one file"),
    ],
)
def test_mistakes_are_named(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before any page is read."""
    monkeypatch.chdir(tmp_path)
    for folder in ("empty", "one", "two"):
        Path(folder).mkdir()
    for name in ("a.html", "one/a.html", "two/a.html"):
        Path(name).write_text(PAGE, encoding="utf-8")
    Path("loop.txt").write_text("@loop.txt", encoding="utf-8")
    with pytest.raises(ConfigError, match=f"^{message}"):
        extracted(*arguments)


def test_a_file_that_cannot_be_read_loses_no_other(site: Path) -> None:
    """It is named, and the exit code is 1."""
    (site / "loop.html").symlink_to("loop.html")
    done = extracted(str(site / "a.html"), str(site / "deep"))
    assert done.exit_code == 0
    (site / "gone.html").write_text("", encoding="utf-8")
    done = extracted(str(site / "gone.html"), str(site / "a.html"))
    assert (done.exit_code, done.stdout.count("In the evening")) == (1, 1)
    assert "an empty file" in done.stderr


def test_tei_is_well_formed(tmp_path: Path) -> None:
    """With what the page says about itself, whatever characters are in it."""
    text = PAGE.replace("Helen Marsh", "A &amp; B; &quot;C&quot;").replace("evening", "&lt;evening&gt;")
    (tmp_path / "page.html").write_text(text, encoding="utf-8")
    root = etree.fromstring(extracted(str(tmp_path / "page.html"), "--format", "tei").output.encode())
    names = {"t": "http://www.tei-c.org/ns/1.0"}
    assert root.xpath("//t:author/text()", namespaces=names) == ["A & B", '"C"']
    assert "In the <evening> the people" in str(root.xpath("string(//t:body/t:p)", namespaces=names))

"""The site builds without warnings, needs no network, and its reference covers everything that there is."""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import generate
import polars as pl
import pytest
from reference_pages import algorithms, commands, files, library, settings
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait
from support.chromium import chromium
from support.markdown import command_lines
from support.running import REPOSITORY

import corpusprep
from corpusprep import languages
from corpusprep.cleaners import registry
from corpusprep.commands.application import application
from corpusprep.config.settings import load_schema
from corpusprep.corpus.structures import DOCUMENT_ATTRIBUTES
from corpusprep.io.files import zstd_writer
from corpusprep.pipeline import TABLES
from corpusprep.statistics import registry as statistics
from corpusprep.tables import schemas, verdicts
from corpusprep.text.tokenizer import escape_token

DOCS = REPOSITORY / "docs"
PAGES = [
    REPOSITORY / "README.md",
    REPOSITORY / "CONTRIBUTING.md",
    REPOSITORY / "CHANGELOG.md",
    *sorted(DOCS.rglob("*.md")),
]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site."""
    pytest.importorskip("mkdocs")
    folder = tmp_path_factory.mktemp("site")
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(build, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def walk(command: click.Command, names: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yields all commands with their names."""
    yield names, command
    if isinstance(command, click.Group):
        for name in command.list_commands(click.Context(command)):
            found = command.get_command(click.Context(command), name)
            assert found is not None
            yield from walk(found, (*names, name))


def properties(node: Any) -> Iterator[str]:
    """Yields the name of every setting in a schema."""
    if isinstance(node, dict):
        if isinstance(node.get("properties"), dict):
            yield from node["properties"]
        for inner in node.values():
            yield from properties(inner)
    elif isinstance(node, list):
        for inner in node:
            yield from properties(inner)


def test_the_site_builds_and_needs_no_network(site: Path) -> None:
    """No page or style sheet loads anything from elsewhere."""
    files = [path for path in site.rglob("*") if path.suffix in (".html", ".css")]
    assert len(files) > 20
    loads = re.compile(r"<(?:script|link|img|iframe)\b[^>]*(?:src|href)=[\"']?(?:https?:)?//|url\([\"']?(?:https?:)?//")
    assert [str(path) for path in files if loads.search(path.read_text(encoding="utf-8"))] == []


def test_search_works_from_the_folder(site: Path, tmp_path: Path) -> None:
    """Without a server: browsers start no workers for files."""
    with chromium(tmp_path) as browser:
        browser.get((site / "index.html").as_uri())
        box = browser.find_element(By.CSS_SELECTOR, ".md-search__input")
        box.click()
        box.send_keys("trafilatura")
        waiting = WebDriverWait(browser, 60)
        waiting.until(lambda _: "matching" in browser.find_element(By.CSS_SELECTOR, ".md-search-result__meta").text)
        found = [title.text for title in browser.find_elements(By.CSS_SELECTOR, ".md-search-result__item h1")]
    assert "Coming from trafilatura" in found


def test_pages_are_the_same_in_every_run() -> None:
    """Generated pages depend on the package alone."""
    assert {path: make() for path, make in generate.PAGES.items()} == {
        path: make() for path, make in generate.PAGES.items()
    }


def test_every_setting_is_described() -> None:
    """The page of the config has a row for every key of the schema, with what it means."""
    page = settings.config_reference()
    rows = set(re.findall(r"^\| `(?:[\w<>.]*\.)?(\w+)` \|", page, re.MULTILINE)) | set(
        re.findall(r"^## `(\w+)`", page, re.MULTILINE)
    )
    names = set(properties(load_schema()))
    assert len(names) > 30
    assert names - rows == set()
    assert re.findall(r"^\| (`[^`]+`) \|.*\|  \|$", page, re.MULTILINE) == []  # without a meaning


def test_every_command_and_option_is_described() -> None:
    """The pages of the commands have a section for each, with a row for each option; each stands once."""
    page = "".join(map(commands.command_reference, commands.GROUPS))
    assert sorted(re.findall(r"^##+ (corpusprep.*)$", page, re.MULTILINE)) == sorted(
        " ".join(["corpusprep", *names]) for names, _ in walk(application)
    )
    sections = dict(re.findall(r"^##+ ([\w -]+)\n(.*?)(?=^##|\Z)", page, re.MULTILINE | re.DOTALL))
    for names, command in walk(application):
        section = sections[" ".join(["corpusprep", *names])]
        for option in command.params:
            if isinstance(option, click.Option):
                assert all(f"`{name}`" in section for name in (*option.opts, *option.secondary_opts)), (names, option)


def test_every_table_and_column_is_described() -> None:
    """The page of the files has a section for each table and a row with a meaning for each column."""
    tables = files.parquet_tables()
    assert set(tables) == {
        name for name, value in vars(schemas).items() if isinstance(value, pl.Schema) and name.isupper()
    } - {name for name in vars(schemas) if name.startswith("_")}
    page = files.file_reference()
    for name, (_, columns) in tables.items():
        assert list(columns) == getattr(schemas, name).names()
    for columns in [columns for _, columns in tables.values()]:
        for column in columns:
            assert re.search(rf"^\| `{column}` \| [^|]+ \| [^|]+ \|$", page, re.MULTILINE), column
    for table in TABLES:
        section = page.partition(f"\n### {table}.tsv\n")[2].partition("\n### ")[0]
        shown = re.findall(r"^\| `(\w+)` \| [^|]+ \|$", section, re.MULTILINE)
        assert tuple(shown) == statistics.table(table).names


def test_every_verdict_is_described() -> None:
    """The page of the verdicts has every reason of every group."""
    page = files.verdict_reference()
    groups = [value for name, value in vars(verdicts).items() if name.endswith("_REASONS")]
    assert len(groups) >= 8
    assert all(f"| `{reason}` | " in page for reasons in groups for reason in reasons)


def test_algorithms_languages_and_library_are_described() -> None:
    """Their pages have all that there are."""
    page = algorithms.algorithm_reference()
    assert all(f"\n## {name}\n" in page for name in registry.names())
    page = algorithms.language_reference()
    assert all(f"| `{language}` | " in page for language in languages.known())
    page = library.library_reference()
    assert all(f"## {name}\n" in page for name in corpusprep.__all__ if not name.startswith("_"))


def test_commands_on_pages_exist() -> None:
    """Every `corpusprep …` that a page shows parses: the command is there, and its options are."""
    shown = [line for page in PAGES for line in command_lines(page)]
    lines = [
        line.removeprefix(".venv/bin/") for line in shown if line.removeprefix(".venv/bin/").startswith("corpusprep ")
    ]
    assert len(lines) > 8
    for line in lines:
        names = shlex.split(line)[1:]
        command: click.Command = application
        context = click.Context(application)
        while isinstance(command, click.Group):
            context = command.make_context("corpusprep", names, resilient_parsing=True)
            names = [*context._protected_args, *context.args]
            found = command.get_command(context, names[0]) if names else None
            if found is None:
                break
            command, names = found, names[1:]
        if not isinstance(command, click.Group):
            command.make_parser(click.Context(command)).parse_args(names)


def test_the_reference_says_what_a_setting_may_be() -> None:
    """A date is not taken for a user's own code, although both have a colon in their form."""
    page = settings.config_reference()
    assert "| `first_date` | date (`2024`, `2024-05`, `2024-05-31`) |" in page
    assert "| `tokenizer` | your own code, as `module:name` |" in page
    assert not re.search("`[^`|]*&#", page)  # in code, nothing is escaped


def test_the_registry_has_the_attributes_of_the_vertical() -> None:
    """The examples for Sketch Engine and CWB name the attributes of documents, all and in order."""
    page = (DOCS / "formats.md").read_text(encoding="utf-8")
    [structure] = re.findall(r"STRUCTURE doc \{(.*?)\}", page, re.DOTALL)
    attributes = DOCUMENT_ATTRIBUTES
    assert tuple(re.findall(r"ATTRIBUTE (\w+)", structure)) == attributes
    [declared] = re.findall(r"-S doc:0\+(\S+)", page)
    assert tuple(declared.split("+")) == attributes


def test_the_pipe_for_manatee_gives_tokens_and_attributes(tmp_path: Path) -> None:
    """The script decodes what Manatee takes as it stands; a quotation mark in a value has a backslash."""
    page = (DOCS / "formats.md").read_text(encoding="utf-8")
    [script] = re.findall(r"```sh\n(.*?)```", page, re.DOTALL)
    (tmp_path / "plain.sh").write_text(script, encoding="utf-8")
    line = '<doc title="&quot;A&quot; &amp;lt; B" id="1">\n'
    tokens = ["<", "&", "&lt;", "&quot;", "AT&T", '"', "plain"]
    with zstd_writer(tmp_path / "c.vert.zst") as stream:
        stream.write((line + "".join(escape_token(token) + "\n" for token in tokens)).encode())
    done = subprocess.run(["sh", tmp_path / "plain.sh", tmp_path / "c.vert.zst"], capture_output=True, check=True)
    assert done.stdout.decode() == '<doc title="\\"A\\" &lt; B" id="1">\n' + "".join(f"{one}\n" for one in tokens)


@pytest.mark.parametrize("page", [page for page in PAGES if page.parent == REPOSITORY], ids=lambda page: page.name)
def test_links_to_files_are_not_broken(page: Path) -> None:
    """Pages outside the site link to files that are there; mkdocs checks the others."""
    targets = re.findall(r"\]\((?!https?://)([^)#]+)", page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (REPOSITORY / target).exists()] == []


def test_paths_on_pages_exist() -> None:
    """A file or folder of the repository that a page names is there."""
    named = re.compile(r"(?<![\w/.<-])((?:bench|config|corpusprep|docs|envs|native|studies|tests|workflow)/[\w./-]*\w)")
    pages = [*PAGES, REPOSITORY / "bench" / "README.md", REPOSITORY / "config" / "languages" / "README.md"]
    added = re.compile(r"^# (\S+\.py)$", re.MULTILINE)  # the first line of a module that a recipe adds
    found = set()
    for page in pages:
        text = page.read_text(encoding="utf-8")
        found |= {(page, path) for path in set(named.findall(text)).difference(added.findall(text))}
    assert len(found) > 30
    packed = "config/sample/crawl"  # by `make corpus`
    lost = [(page.name, path) for page, path in found if not (path.startswith(packed) or (REPOSITORY / path).exists())]
    assert lost == []


def test_the_readme_is_short() -> None:
    """At most 130 lines of at most 120 characters; the picture under 200 kB."""
    lines = (REPOSITORY / "README.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 130
    assert [line for line in lines if len(line) > 120] == []
    assert (DOCS / "images" / "report.png").stat().st_size < 200_000

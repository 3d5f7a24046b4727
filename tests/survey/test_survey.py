"""What a survey says of a crawl."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.archives import PROSE, warc_record
from support.sentences import CZECH

from corpusprep import languages
from corpusprep.commands import survey as survey_command
from corpusprep.commands.application import main
from corpusprep.errors import ArchiveError, ConfigError
from corpusprep.languages.identification import Identifier
from corpusprep.survey import report as survey_report
from corpusprep.survey import sample as survey_sample
from corpusprep.survey.survey import Survey, SurveyTable, survey, wilson_interval

IDENTIFIER = Identifier([languages.get(code) for code in ("en", "cs")])
SWAHILI = "Watu wote wamezaliwa huru, hadhi na haki zao ni sawa. Wote wamejaliwa akili na dhamiri, hivyo yapasa. " * 8


def page(number: int) -> bytes:
    """English, every third page Czech, every ninth without a model; a hostile host; one page is there twice.

    Each ends in its number: a block on many pages of a site is its template.
    """
    text = SWAHILI if number % 9 == 4 else CZECH * 3 if number % 3 == 1 else PROSE * 3
    name = "twice" if number in (10, 16) else f"number {number}"
    host = "h&lt;<script>.example" if number == 5 else f"host{number % 4}.example"
    return warc_record(
        f"http://{host}/{number}", f"<title>{name}</title><p>{text} {10 if number == 16 else number}</p>".encode()
    )


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two archives of pages; one also has bytes that are no record."""
    folder = tmp_path_factory.mktemp("crawl")
    pages = [page(number) for number in range(36)]
    (folder / "a.warc.gz").write_bytes(b"".join(pages[:20]))
    (folder / "b.warc.gz").write_bytes(b"".join(pages[20:30]) + b"no record" + b"".join(pages[30:]))
    return [folder / "a.warc.gz", folder / "b.warc.gz"]


def surveyed(archives: list[Path], wanted: int = 10**9, seed: int = 0) -> Survey:
    """The survey of a sample."""
    return survey(survey_sample.take(archives, wanted, seed), IDENTIFIER)


def counts(found: Survey, name: str) -> dict[str, int]:
    """The counts of a table, by item."""
    return {row.item: row.count for row in table(found, name).rows}


def table(found: Survey, name: str) -> SurveyTable:
    """A table by its name."""
    return next(one for one in found.tables if one.name == name)


def test_pages_are_decoded_as_a_corpus_decodes_them(tmp_path: Path) -> None:
    """An encoding that a page does not declare, or declares wrongly, is found by the text and its language."""
    said = {"windows-1250": "", "iso-8859-2": "<meta charset=windows-1252>", "utf-8": "<meta charset=windows-1250>"}
    pages = [f"{meta}<p>{CZECH * 3} „Žluťoučký“</p>".encode(name, "replace") for name, meta in said.items()]
    (tmp_path / "a.warc.gz").write_bytes(b"".join(warc_record("http://a.example/", one) for one in pages))
    found = surveyed([tmp_path / "a.warc.gz"])
    assert counts(found, "encodings") == dict.fromkeys(said, 1)
    assert counts(found, "languages") == {"cs": 3}


def test_everything_is_counted_exactly(crawl: list[Path]) -> None:
    """A small crawl is read as a whole: counts have no intervals."""
    found = surveyed(crawl)
    assert (found.records, found.pages, found.scale) == (37, 36, 1.0)
    assert counts(found, "languages") == {"en": 24, "cs": 8, "other": 4}
    assert counts(found, "language_words").keys() == {"en", "cs", "other"}
    assert sum(counts(found, "language_words").values()) == found.words
    assert counts(found, "records") == {"kept": 36, "damaged": 1}
    assert counts(found, "duplicates") == {"first copies": 35, "copies": 1}
    assert counts(found, "page_kinds") == {"running text": 36}
    assert counts(found, "hosts")["host0.example"] == 9
    assert counts(found, "dates") == {"2024-01-01": 36}
    assert counts(found, "statuses") == {"200": 36}
    assert all(row.low is None for one in found.tables for row in one.rows)
    for one in found.tables:
        assert one.size == sum(row.count for row in one.rows)
        assert sum(row.share for row in one.rows) == pytest.approx(100)


def test_the_survey_does_not_depend_on_the_order_of_archives(crawl: list[Path]) -> None:
    """Nor does the text that is printed."""
    assert list(survey_report.lines(surveyed(crawl))) == list(survey_report.lines(surveyed(crawl[::-1])))


def test_a_sample_has_intervals(crawl: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """They contain the share, most contain that of the crawl, and they are the same in every run."""
    monkeypatch.setattr(survey_sample, "WINDOW", 700)
    whole = {row.item: row.share for row in table(surveyed(crawl), "languages").rows}
    inside = []
    for seed in range(8):
        found = surveyed(crawl, 8_000, seed)
        assert not found.sample.complete
        assert 1 < found.scale < 10
        for row in table(found, "languages").rows:
            assert row.low is not None
            assert row.high is not None
            assert row.low <= row.share <= row.high
            inside.append(row.low <= whole[row.item] <= row.high)
    assert sum(inside) >= 0.85 * len(inside)
    assert surveyed(crawl, 8_000) == surveyed(crawl[::-1], 8_000)


def test_wilsons_interval_is_that_of_the_books() -> None:
    """Also where nothing or everything is counted, or where there is nothing to count."""
    assert wilson_interval(5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)
    assert wilson_interval(0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert wilson_interval(10, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)
    assert wilson_interval(0, 0) == (0.0, 1.0)


def test_words_of_scripts_without_spaces_are_estimated(tmp_path: Path) -> None:
    """By their characters, as in a corpus of the language."""
    chinese = "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。" * 4
    (tmp_path / "zh.warc.gz").write_bytes(warc_record("http://zh.example/", f"<p>{chinese}</p>".encode()))
    model = languages.get("zh")
    found = survey(survey_sample.take([tmp_path / "zh.warc.gz"], 10**9, 0), Identifier([model]))
    assert counts(found, "language_words") == {"zh": round(len(chinese) / model.characters_per_word)}


def test_texts_that_others_have_extracted_are_clean(tmp_path: Path) -> None:
    """Lines of JSON are read like archives; of a text, all paragraphs count."""
    lines = [json.dumps({"text": f"{PROSE}\nShort {number}."}) for number in range(3)]
    (tmp_path / "texts.jsonl").write_text("\n".join(lines), encoding="utf-8")
    found = surveyed([tmp_path / "texts.jsonl"])
    assert counts(found, "page_kinds") == {"extracted text": 3}
    assert counts(found, "languages") == {"en": 3}
    assert found.words == 3 * (len(PROSE.split()) + 2)


def test_what_is_no_archive_is_named(tmp_path: Path) -> None:
    """In one line."""
    (tmp_path / "notes").write_text("These are notes.", encoding="utf-8")
    with pytest.raises(ArchiveError, match=r"no record can be read: .*notes"):
        surveyed([tmp_path / "notes"])


def test_the_command_writes_all_forms(crawl: list[Path], tmp_path: Path) -> None:
    """The text fits a terminal; files have the same numbers; the page needs no network and runs nothing."""
    files = [tmp_path / name for name in ("page.html", "table.tsv", "all.json")]
    options = [word for pair in zip(("--output", "--table", "--json"), map(str, files), strict=True) for word in pair]
    arguments = [*map(str, crawl), "--language", "en", "--language", "cs", *options]
    done = CliRunner().invoke(survey_command.command, arguments, catch_exceptions=False)
    assert "survey: models of languages: 2 done\n" in done.stderr
    text = done.stdout.splitlines()
    assert text[0].startswith("2 archives, ")
    assert max(map(len, text)) <= 80
    assert "  English (en)                                      24   66.7 %" in text
    page, tsv, content = (path.read_text(encoding="utf-8") for path in files)
    assert "languages\tpages\t36\ten\t24\t66.667\t\t" in tsv.splitlines()
    assert json.loads(content)["tables"]["languages"]["rows"][0]["count"] == 24
    assert "<svg" in page
    assert "<script" not in page
    assert not re.search(r"(?:src|href)=\"(?!#|data:)", page)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ([], "either archives or --config"),
        (["a.warc.gz", "--config", "my.yaml"], "either archives or --config"),
        (["a.warc.gz", "--only", "mine"], "only with --config"),
        (["a.warc.gz"], "no archive matches"),
        (["empty.warc.gz"], "is empty"),
        (["--config", "my.yaml", "--only", "ours"], "it has mine"),
        (["--config", "no.yaml"], "no such config file"),
        (["page.warc.gz", "--sample", "0"], "must be above 0"),
        (["page.warc.gz", "--language", "xx"], "unknown language"),
    ],
)
def test_mistakes_are_named(
    arguments: list[str],
    problem: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """In one line."""
    monkeypatch.chdir(tmp_path)
    Path("empty.warc.gz").touch()
    Path("page.warc.gz").write_bytes(page(0))
    Path("my.yaml").write_text("corpora: {mine: {language: en, archives: [page.warc.gz]}}", encoding="utf-8")
    with pytest.raises(SystemExit):
        main(["survey", *arguments])
    error = capsys.readouterr().err.strip()
    assert problem in error
    assert "\n" not in error


def test_archives_of_a_config_are_surveyed(tmp_path: Path) -> None:
    """Those of all its corpora, each once."""
    (tmp_path / "page.warc.gz").write_bytes(page(0) + page(1))
    corpora = "one: {language: en, archives: [page.warc.gz]}, two: {language: cs, archives: ['*.gz']}"
    (tmp_path / "my.yaml").write_text(f"corpora: {{{corpora}}}", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        arguments = ["--config", "my.yaml", "--language", "en"]
        done = CliRunner().invoke(survey_command.command, arguments, catch_exceptions=False)
        Path("crawl.yaml").write_text("corpora: {many: {languages: [en, cs], archives: ['*.gz']}}", encoding="utf-8")
        arguments = ["--config", "crawl.yaml", "--only", "many", "--language", "en"]
        of_crawl = CliRunner().invoke(survey_command.command, arguments, catch_exceptions=False)
        with pytest.raises(ConfigError, match=r"it has many, many/en, many/cs$"):
            CliRunner().invoke(survey_command.command, [*arguments, "--only", "xx"], catch_exceptions=False)
    assert done.stdout.startswith("1 archive, ")
    assert "2 HTML pages" in done.stdout
    assert of_crawl.stdout == done.stdout

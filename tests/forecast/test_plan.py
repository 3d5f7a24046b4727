"""The forecast for a user's own archives."""

import gzip
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.archives import warc_record
from support.finished_corpora import made
from support.small_tokenizer import write_tokenizer

from corpusprep.archive.records import records
from corpusprep.commands import plan
from corpusprep.commands.application import main
from corpusprep.config.settings import load_schema, resolve
from corpusprep.errors import ConfigError, StageFileError
from corpusprep.forecast import sampling
from corpusprep.forecast.costs import JOINED, STEPS, Cost, bottleneck, forecast, load_costs, together, total_wall
from corpusprep.forecast.joined import sizes as sizes_of
from corpusprep.forecast.plan import range_text
from corpusprep.jobs.finished import page_settings
from corpusprep.statistics.chosen_pages import PAGES

TEXT = "The committee of the village has decided that the old mill by the river should be kept for the people. " * 4


def archive(path: Path, pages: int, *, whole: bool = False) -> Path:
    """A gzip WARC of pages; `whole` as one gzip member, which records cannot be taken out of."""
    members = []
    for number in range(pages):
        html = f"<html><body><p>Page {number} of {path.name}. {TEXT}</p></body></html>".encode()
        http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + html
        head = (
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2024-05-01T00:00:00Z\r\n"
            f"WARC-Target-URI: http://example.org/{path.name}/{number}\r\nWARC-Record-ID: <urn:test:{number}>\r\n"
            f"Content-Type: application/http;msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
        )
        members.append(head.encode() + http + b"\r\n\r\n")
    path.write_bytes(gzip.compress(b"".join(members)) if whole else b"".join(map(gzip.compress, members)))
    return path


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Three archives."""
    folder = tmp_path_factory.mktemp("crawl")
    return [archive(folder / f"{name}.warc.gz", 200) for name in "abc"]


def test_a_sample_is_some_of_the_records_as_they_are(crawl: list[Path], tmp_path: Path) -> None:
    """About the share asked for, readable, and of the sizes it says."""
    sample = sampling.take(crawl, 0.1, tmp_path)
    stored = sum(path.stat().st_size for path in crawl)
    taken = {record.url: record.body for path in sample.archives for record in records(path)}
    bodies = {record.url: record.body for path in crawl for record in records(path)}
    assert taken.items() < bodies.items()
    assert sample.stored_bytes == sum(path.stat().st_size for path in sample.archives)
    assert 0.05 < sample.stored_bytes / stored < 0.2


def test_a_sample_is_the_same_in_every_run(crawl: list[Path], tmp_path: Path) -> None:
    """Also when the archives come in another order."""
    (tmp_path / "1").mkdir()
    (tmp_path / "2").mkdir()
    first = sampling.take(crawl, 0.1, tmp_path / "1")
    second = sampling.take(crawl[::-1], 0.1, tmp_path / "2")
    assert [path.read_bytes() for path in first.archives] == [path.read_bytes() for path in second.archives]


def test_whole_archives_where_they_are_the_share(crawl: list[Path], tmp_path: Path) -> None:
    """Nothing is copied."""
    sample = sampling.take(crawl, 0.3, tmp_path)
    assert set(sample.archives) < set(crawl)
    assert not list(tmp_path.iterdir())


def test_an_archive_in_one_gzip_member_is_taken_whole(tmp_path: Path) -> None:
    """Its records cannot be decoded by themselves."""
    path = archive(tmp_path / "whole.warc.gz", 50, whole=True)
    assert sampling.take([path], 0.1, tmp_path).archives == (path,)


COSTS = [Cost("encoding", 0.5, 2.0, 100, 1, 3.0), Cost("ngrams merge", 0.5, 1.0, 100, 0, 0.5)]
MEMORY = {"encoding": 1000, "ngrams merge": 2000}


def test_a_forecast_adds_up() -> None:
    """Start-up per process and a rate per token; one process per core at a time, the steps one after the other."""
    read, merge = forecast(COSTS, 10e6, 4, 4, 2, MEMORY)
    assert (read.processes, read.core_seconds, read.wall_seconds, read.disk_bytes) == (4, 22.0, 11.0, 30e6)
    assert (merge.processes, merge.core_seconds, merge.wall_seconds, merge.memory_mb) == (1, 10.5, 10.5, 2000)
    assert total_wall([read, merge]) == 21.5
    assert bottleneck([read, merge]) is read


def test_chosen_pages_are_no_more_in_a_larger_corpus() -> None:
    """Their work grows with the pages of a small corpus only."""
    choosing = [Cost("ngrams merge", 0.5, 1.0, 100, 0, 0.5, chosen_seconds=2.0)]
    pages = {None: 30.5, PAGES / 2: 30.5, PAGES: 30.5, 4 * PAGES: 15.5, 20 * PAGES: 11.5}
    for number, seconds in pages.items():
        (line,) = forecast(choosing, 10e6, 1, 1, 1, MEMORY, pages=number)
        assert line.core_seconds == seconds


def test_bundled_steps_are_fewer_jobs() -> None:
    """One process a bundle, or one for each of its batches: as many work at once as there are bundles."""
    steps = [Cost(step, 0.5, 2.0, 100, 1, 3.0) for step in ("ngrams words", "blocks match")]
    memory = {"ngrams words": 1000, "blocks match": 1000}
    words, match = forecast(steps, 10e6, 64, 4, 8, memory)
    assert (words.processes, words.core_seconds, words.wall_seconds) == (4, 22.0, 5.5)
    assert (match.processes, match.core_seconds, match.wall_seconds) == (64, 52.0, 13.0)


def test_what_is_one_process_becomes_the_bottleneck() -> None:
    """More cores do not help it."""
    assert bottleneck(forecast(COSTS, 10e6, 400, 400, 400, MEMORY)).step == "ngrams merge"


def test_parts_share_the_work_of_one_process() -> None:
    """In place of its row: a process per part, and what is left. Without parts, as if there were no such rows."""
    shared = [Cost("ngrams merge-part", 0.5, 1.2, 100, 0, 0.0), Cost("ngrams merge joined", 0.5, 0.1, 100, 0, 0.5)]
    memory = MEMORY | {"ngrams merge-part": 2000}
    assert forecast([*COSTS, *shared], 10e6, 4, 4, 4, memory) == forecast(COSTS, 10e6, 4, 4, 4, memory)
    _, part, joined = forecast([*COSTS, *shared], 10e6, 4, 4, 4, memory, parts=4)
    assert (part.processes, part.core_seconds, part.wall_seconds) == (4, 14.0, 3.5)
    assert (joined.step, joined.processes, joined.wall_seconds, joined.disk_bytes) == ("ngrams merge", 1, 1.5, 5e6)


def test_nothing_waits_for_the_index() -> None:
    """It runs beside the steps after it; what it reads is waited for."""
    costs = [Cost(step, 0, 1.0, 100, 0, 0.0) for step in ("tokens", "ngrams lexicon", "report")]
    lines = forecast(costs, 10e6, 1, 1, 1, dict.fromkeys(["tokens", "ngrams lexicon", "index", "report"], 1000))
    (index,) = forecast([Cost("index", 0, 1.5, 100, 0, 0.0)], 10e6, 1, 1, 1, {"index": 1000})
    assert total_wall([lines[0], index, *lines[1:]]) == 30
    (slow,) = forecast([Cost("index", 0, 5, 100, 0, 0.0)], 10e6, 1, 1, 1, {"index": 1000})
    assert total_wall([lines[0], slow, *lines[1:]]) == 60
    parts = [Cost("urls sort", 0, 1.5, 100, 0, 0.0), Cost("urls part", 0, 2, 100, 0, 0.0)]
    divided = [*forecast(parts, 10e6, 1, 1, 1, {"urls sort": 1000, "urls part": 1000}, parts=2), index]
    assert [line.aside for line in divided] == [True] * 3
    assert total_wall([lines[0], *divided, *lines[1:]]) == 10 + 15 + 20 + 15


def test_every_step_has_measured_costs() -> None:
    """None is negative, and every step takes time."""
    costs = load_costs()
    assert {"encoding", "ngrams merge", "blocks verdicts", "report"} <= set(costs)
    for cost in costs.values():
        assert min(cost.start_seconds, cost.seconds, cost.start_megabytes, cost.megabytes, cost.bytes_per_token) >= 0
        assert cost.start_seconds + cost.seconds > 0


@pytest.mark.parametrize(
    ("least", "most", "text"),
    [
        (1, 2, "1.0 to 2.0 s"),
        (1, 1.04, "1.0 s"),
        (60, 120, "0.02 to 0.03 h"),
        (3600, 7200, "1.00 to 2.00 h"),
        (360_000, 5_400_000, "100 to 1,500 h"),
        (360_000, 360_000, "100 h"),
    ],
)
def test_a_range_of_work_is_told_in_one_unit(least: float, most: float, text: str) -> None:
    """As a single number where both ends are the same."""
    assert range_text(least, most) == text


def write_config(folder: Path, text: str) -> Path:
    """A config file."""
    path = folder / "my.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_table_of_a_config(crawl: list[Path], tmp_path: Path) -> None:
    """At most eighty columns, one row per step of a corpus that has all, and the right numbers of pages."""
    counted = f"{{count_tokens: {write_tokenizer(tmp_path / 'tokenizer.json')}}}"
    wanted = "clusters: {share: 0.9}, filter: {preset: [c4]}, personal: {find: [email]}, words: {lists: [lc]}"
    corpora = f"{{villages: {{language: en, archives: ['{crawl[0].parent}/*.gz']}}}}"
    config = write_config(tmp_path, f"{{{wanted}, corpus: {counted}, corpora: {corpora}}}")
    done = CliRunner().invoke(plan.command, [str(config), "--cores", "2"], catch_exceptions=False)
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0].startswith("villages: 3 archives, ")
    assert lines[1].startswith("About 600 pages, ")
    steps = [line for line in lines if re.search(r" \d[\d,]* MB", line)]
    undivided = [step for step in load_costs() if not step.endswith(JOINED) and not STEPS[step][0].divides]
    assert [" ".join(re.findall(r"^\S+(?: [a-z]+)?", line)) for line in steps][:-1] == undivided
    assert lines[-2].startswith("On 2 cores: ")


OF_TEMPLATES = ["templates choose", "templates count", "templates merge"]


@pytest.mark.parametrize(
    ("settings", "steps"),
    [
        ("language: en, templates: {find: record}, rights: {robots_agent: CCBot}", ["robots gather", *OF_TEMPLATES]),
        ("language: en, boilerplate: {algorithm: density-site}", ["references choose", "references gather"]),
        pytest.param("languages: [en], others: [], templates: {find: remove}", OF_TEMPLATES, marks=pytest.mark.slow),
    ],
)
def test_steps_that_boilerplate_needs_run_on_the_sample(settings: str, steps: list[str], tmp_path: Path) -> None:
    """With the settings that ask for them; they stand before it, and in a crawl of languages, too."""
    bodies = [f"{'<h1>News</h1>' * number}<p>Page {number}. {TEXT}</p>" for number in range(5)]  # trees that differ
    pages = {f"http://h{number % 2}.example/{number}": body for number, body in enumerate(bodies)}
    (tmp_path / "a.warc.gz").write_bytes(b"".join(warc_record(url, body.encode()) for url, body in pages.items()))
    archives = f"archives: ['{tmp_path}/*.warc.gz'], memory: 500M"  # so that no further steps run on the sample
    config = write_config(tmp_path, f"corpora: {{villages: {{{settings}, {archives}}}}}")
    done = CliRunner().invoke(plan.command, [str(config), "--cores", "2"], catch_exceptions=False)
    rows = re.findall(r"^(\S+(?: [a-z]+)?) +1 +[\d.]", done.stdout, re.MULTILINE)
    assert rows[: len(steps) + 2] == ["encoding", *steps, "boilerplate"]


@pytest.mark.slow
def test_an_annotator_runs_on_the_sample(crawl: list[Path], tmp_path: Path) -> None:
    """Its row stands after that of the tokens; of a crawl, only the language that has it is counted."""
    (tmp_path / "tag.sed").write_text("/^</!s/.*/&\\tX/\n", encoding="utf-8")
    annotate = f"annotate: {{command: 'sed -f {tmp_path}/tag.sed', columns: [tag]}}"
    archives = f"archives: ['{crawl[0].parent}/*.gz']"
    for corpus in (f"language: en, {annotate}", f"languages: [en, cs], others: [], overrides: {{en: {{{annotate}}}}}"):
        config = write_config(tmp_path, f"corpora: {{villages: {{{corpus}, {archives}}}}}")
        done = CliRunner().invoke(plan.command, [str(config), "--cores", "2"], catch_exceptions=False)
        rows = [line.split() for line in done.stdout.splitlines() if line]
        names = [row[0] for row in rows]
        assert names.index("annotate") == names.index("tokens") + 1
        assert rows[names.index("annotate")][1] == "1"


def test_corpora_at_the_same_time_add_up() -> None:
    """Work and disk are sums; the wall-clock time is that of the largest, or of all on all cores."""
    large, small = (forecast(COSTS, tokens, 4, 4, 2, MEMORY) for tokens in (10e6, 2e6))
    read, merge = together([large, small], 2)
    assert (read.processes, read.core_seconds, read.wall_seconds, read.disk_bytes) == (8, 28.0, 14.0, 36e6)
    assert (merge.processes, merge.core_seconds, merge.wall_seconds, merge.memory_mb) == (2, 13.0, 10.5, 2000)
    assert together([large, small[:1]], 2) == together([small[:1], large], 2) == [read, large[1]]


CZECH_TEXT = "Starosta města řekl, že nový most bude otevřen ještě letos, když to počasí dovolí a přijdou peníze. " * 4


@pytest.mark.slow
def test_a_crawl_of_languages_is_one_forecast(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page stages have a process per batch, the others one per language at least; shares of tokens are named."""
    archive(tmp_path / "a.warc.gz", 30)
    monkeypatch.setattr(f"{__name__}.TEXT", CZECH_TEXT)
    archive(tmp_path / "b.warc.gz", 10)
    config = write_config(
        tmp_path, f"corpora: {{many: {{languages: [en, cs, sk], others: [], archives: ['{tmp_path}/*.gz']}}}}"
    )
    done = CliRunner().invoke(plan.command, [str(config), "--cores", "2"], catch_exceptions=False)
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert re.fullmatch(r"many: 2 archives, .* in 1 batch, 3 languages", lines[0])
    assert lines[1].startswith("About 40 pages, ")
    assert re.fullmatch(r"Tokens: en \d\d %, cs \d\d %", lines[2])
    processes = {row[1]: int(row[2]) for line in lines if (row := re.match(r"(\D+?) +(\d+) ", line))}
    assert (processes["encoding"], processes["boilerplate"], processes["tokens"], processes["report"]) == (1, 1, 3, 3)
    one = CliRunner().invoke(plan.command, [str(config), "--only", "xx"])
    assert isinstance(one.exception, ConfigError)
    assert str(one.exception).endswith("it has many, many/en, many/cs, many/sk")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("corpora: [", "neither YAML nor JSON"),
        ("just text", "holds no mapping"),
        ("corpora: {a: {language: en}}", "corpora.a.archives is missing"),
        ("corpora: {a: {language: en, archives: ['nothing-*.warc']}}", "no archive matches 'nothing-*.warc'"),
        ("corpora: {a: {language: xx-unknown, archives: ['a.warc.gz']}}", "xx-unknown"),
    ],
)
def test_a_mistake_is_told_in_one_line(
    text: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As by the workflow."""
    archive(tmp_path / "a.warc.gz", 1)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(["plan", str(write_config(tmp_path, text))])
    assert ended.value.code == 1
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert said in error


def test_no_text_is_told(tmp_path: Path) -> None:
    """A forecast needs a page with text."""
    (tmp_path / "junk.warc.gz").write_bytes(b"this is no archive")
    config = write_config(tmp_path, f"corpora: {{a: {{language: en, archives: ['{tmp_path}/*.gz']}}}}")
    with pytest.raises(Exception, match=r"corpora\.a: the sample of [0-9,]+ bytes has no page"):
        CliRunner().invoke(plan.command, [str(config)], catch_exceptions=False)


@pytest.mark.parametrize("share", ["0", "101%", "many"])
def test_a_share_that_is_none(share: str, tmp_path: Path) -> None:
    """Says what is allowed."""
    config = write_config(tmp_path, "corpora: {a: {language: en, archives: ['x']}}")
    with pytest.raises(ConfigError, match="over 0 % and up to 100 %"):
        CliRunner().invoke(plan.command, [str(config), "--sample", share], catch_exceptions=False)


def test_a_corpus_of_finished_ones_is_planned_without_a_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their tables say how much text they have; the steps on pages are not done again."""
    monkeypatch.chdir(tmp_path)
    config = resolve({"corpora": {"a": {"language": "en", "from": ["one", "two"]}}}, load_schema(), checked=False)
    for number, name in enumerate(("one", "two")):
        corpus = made(tmp_path / name, {f"b{number:016x}": f"{name}.warc"}, page_settings(config["a"]))
        sizes = "stage\tdocuments\twords\ttokens\ncrawl\t500\t9\t\nlanguage\t400\t9000\t\ndocuments\t300\t6000\t8000\n"
        (corpus / "statistics").mkdir()
        (corpus / "statistics" / "corpus_size.tsv").write_text(sizes, encoding="utf-8")
    (tmp_path / "my.yaml").write_text("corpora: {a: {language: en, from: [one, two]}}", encoding="utf-8")
    lines = CliRunner().invoke(plan.command, ["my.yaml", "--cores", "2"]).output.splitlines()
    assert lines[0] == "a: 2 finished corpora, 0.2 kB, in 2 batches"
    assert lines[1] == "About 1,000 pages, 24,000 tokens before de-duplication; no page is read again"
    steps = {line[:22].strip() for line in lines[3:]}
    assert {"documents", "blocks match", "report"} < steps
    assert not {"encoding", "boilerplate", "language", "tokens"}.intersection(steps)
    (tmp_path / "two" / "statistics" / "corpus_size.tsv").write_text(
        "stage\tdocuments\twords\ttokens\n", encoding="utf-8"
    )
    with pytest.raises(StageFileError, match="not a table of sizes"):
        sizes_of(config["a"])
